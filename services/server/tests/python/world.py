"""The server that walks share, its clock, and everybody who calls."""

import asyncio
import heapq
import itertools
import json
import uuid
from collections import Counter
from contextlib import asynccontextmanager
from datetime import datetime
from decimal import Decimal
from math import inf

import httpx2

from callers import AGENTS, READS, Refused
from document import Process
from model import instant
from schemas import check_arguments, check_error, check_result
from server import Server

GROUPS = {
    "finance": ["mira", "omar"], "legal": ["lena"], "hr": ["hugo"], "operations": ["sam"], "security": ["ines"],
    "communications": ["kofi"],
}
OPERATORS = ["olga", "admin"]
PEOPLE = [*OPERATORS, *itertools.chain.from_iterable(GROUPS.values())]
MEMBERS = [f"{name}@example.com" for name in PEOPLE]


class World:
    """The clock moves only when every walk waits for it: then it goes to the next instant that one of them waits for."""

    def __init__(self, server: Server, http: httpx2.AsyncClient):
        self.server, self.http = server, http
        self.calls: Counter[str] = Counter()
        self.players = {name: Player(self, name) for name in (*AGENTS, *PEOPLE)}
        self.now: datetime | None = None
        self._running, self._offset = 0, 0.0
        self._waiters: list[tuple[float, int, asyncio.Future]] = []
        self._numbers = itertools.count()
        self._ids: dict[str, str] = {}
        self.situations: set[tuple] = set()

    async def introduce(self) -> None:
        """Learns the clock, and everybody's id from a run that they start."""
        await self.advance(0)
        inputs = {"employee": "Kim", "purpose": "Offsite", "receipts": []}
        for player in self.players.values():
            run = await player.call("start_run", process="expense-report", inputs=inputs)
            player.id = run["run"]["startedBy"]

    def knows(self, what: str, id: str) -> bool:
        """Whether this id is the one that `what` has had all the time, and nobody else."""
        return self._ids.setdefault(what, id) == id and list(self._ids.values()).count(id) == 1

    @asynccontextmanager
    async def walking(self):
        self._running += 1
        try:
            yield
        finally:
            self._running -= 1
            await self._turn()

    async def wait_on_clock(self, seconds: float) -> None:
        waking = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiters, (self._offset + seconds, next(self._numbers), waking))
        self._running -= 1
        await self._turn()
        await waking

    async def _turn(self) -> None:
        if self._running or not self._waiters:
            return
        until = self._waiters[0][0]
        try:
            await self.advance(until - self._offset)
        except Exception as error:
            self._wake(inf, lambda waking: waking.set_exception(error))
        else:
            self._offset = until
            self._wake(until, lambda waking: waking.set_result(None))

    def _wake(self, until: float, rouse) -> None:
        while self._waiters and self._waiters[0][0] <= until:
            self._running += 1
            rouse(heapq.heappop(self._waiters)[2])

    async def advance(self, seconds: float) -> None:
        answer = await self.http.post(f"{self.server.ready['url']}/dev/clock", json={"advanceSeconds": seconds})
        assert answer.status_code == 200, answer.text
        self.now = instant(answer.json()["now"])

    async def publish(self, process: Process, roles: dict[str, str]) -> dict:
        """What the server says to a publication by an admin."""
        entry = self.server.organization()
        headers = {"authorization": f"Bearer {entry['tokens']['people']['admin@example.com']}"}
        body = {"source": process.text, "roles": roles}
        answer = await self.http.post(f"{entry['api']}/processes/publish", json=body, headers=headers)
        return answer.json()


class Player:
    """An agent or a person, over plain HTTP: quick, and without a client's help."""

    def __init__(self, world: World, name: str):
        entry = world.server.organization()
        self.world, self.name, self.url = world, name, entry["mcp"]
        self.id: str = ""
        self.email = None if name in AGENTS else f"{name}@example.com"
        token = entry["tokens"]["people"][self.email] if self.email else entry["tokens"]["agents"][name]
        self._headers = {
            "authorization": f"Bearer {token}", "content-type": "application/json",
            "accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25",
        }

    async def call(self, tool: str, **arguments) -> dict:
        """The data of a result; every call is checked against the schemas."""
        if tool not in READS:
            arguments.setdefault("requestId", str(uuid.uuid4()))
        check_arguments(tool, arguments)
        data = await self.send(tool, arguments)
        check_result(tool, data)
        return data

    async def refused(self, tool: str, **arguments) -> tuple[str, list[str]]:
        """Code and issues of a call that must be refused."""
        try:
            data = await self.send(tool, {"requestId": str(uuid.uuid4())} | arguments)
        except Refused as refusal:
            return refusal.code, refusal.issues
        raise AssertionError(f"{tool} was not refused: {data}")

    async def send(self, tool: str, arguments: dict) -> dict:
        self.world.calls[tool] += 1
        envelope = await self._post(tool, arguments)
        if envelope["ok"]:
            assert envelope.keys() == {"ok", "data"}
            return envelope["data"]
        assert envelope.keys() == {"ok", "error"}
        check_error(envelope["error"])
        raise Refused(envelope["error"])

    async def _post(self, tool: str, arguments: dict) -> dict:
        request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
        answer = await self.world.http.post(self.url, content=json.dumps(request, default=float), headers=self._headers)
        assert answer.status_code == 200, answer.text
        result = json.loads(answer.text, parse_float=Decimal)["result"]
        [block] = result["content"]
        assert json.loads(block["text"], parse_float=Decimal) == result["structuredContent"]
        assert result["isError"] is not result["structuredContent"]["ok"]
        return result["structuredContent"]
