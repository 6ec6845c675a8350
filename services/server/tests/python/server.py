"""One `baton dev` under test: started, waited for, ended."""

import json
import os
import signal
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path

PROCESSES = Path(__file__).parent.parent / "processes"
READY_SECONDS_MAX = 120
POLL_SECONDS = 0.02


def binary() -> str:
    return os.environ.get("BATON_BINARY") or "target/debug/baton"


class Server:
    """`with Server("--time-travel") as server: …`"""

    def __init__(self, *arguments: str):
        self.folder = tempfile.TemporaryDirectory()
        ready_file = Path(self.folder.name) / "ready.json"
        self.stderr = Path(self.folder.name) / "stderr"
        command = [binary(), "dev", "--ephemeral", "--port", "0", "--ready-file", str(ready_file), *arguments]
        environment = {k: v for k, v in os.environ.items() if k not in ("DATABASE_URL", "REDIS_URL")}
        with self.stderr.open("w") as stderr:
            self.process = subprocess.Popen(
                command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=stderr
            )
        self.ready = self._wait(ready_file)

    def _wait(self, ready_file: Path) -> dict:
        deadline = time.monotonic() + READY_SECONDS_MAX
        while not ready_file.exists():
            ended = self.process.poll() is not None
            assert not ended and time.monotonic() < deadline, f"not ready: {self.stderr.read_text()}"
            time.sleep(POLL_SECONDS)
        return json.loads(ready_file.read_text())

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_) -> None:
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait()
        words = self.stderr.read_text()
        self.folder.cleanup()
        assert status == 0, f"it ended with {status}: {words}"
        assert "panicked" not in words, words

    def organization(self, name: str = "demo") -> dict:
        """That organization's part of the ready file."""
        return next(org for org in self.ready.get("orgs", [self.ready]) if org["org"] == name)

    def advance_clock(self, seconds: float) -> None:
        body = json.dumps({"advanceSeconds": seconds}).encode()
        request = urllib.request.Request(
            f"{self.ready['url']}/dev/clock", body, {"content-type": "application/json"}
        )
        with urllib.request.urlopen(request) as answer:
            assert json.load(answer)["now"]

    def publish(self, name: str, *roles: str, org: str = "demo") -> dict:
        """Publishes one of the processes beside this folder, as an admin does."""
        command = [binary(), "process", "publish", str(PROCESSES / name), "--format", "json"]
        for role in roles:
            command += ["--role", role]
        environment = os.environ | {
            "BATON_URL": self.ready["url"],
            "BATON_ORG": org,
            "BATON_TOKEN": self.organization(org)["tokens"]["people"]["admin@example.com"],
        }
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{done.stdout}{done.stderr}"
        return json.loads(done.stdout)
