"""PROCESS.md as a second reader sees it: another YAML library, and nothing of the server's own code (process.md §1 to §4, §6)."""

import re
from dataclasses import dataclass, replace
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

from ruamel.yaml import YAML

KINDS = ("agent", "task", "approve", "wait", "wait_until", "wait_for", "finish", "parallel")
PEOPLES = ("task", "approve")
WAITS = ("wait", "wait_until", "wait_for")
JOIN = "join"
UNITS = {"m": "minutes", "h": "hours", "d": "days"}


@dataclass(frozen=True)
class Step:
    """One entry of `steps`, with what it leaves out filled in."""

    id: str
    kind: str
    value: object
    next: str | None
    routes: list[dict] | None
    output: dict | None
    evidence: list[str] | None
    person: str | None
    on_reject: str | None
    on_timeout: str | None
    due: timedelta | None
    timeout: timedelta | None
    branch: str | None = None

    @property
    def duration(self) -> timedelta:
        return duration(self.value)

    @property
    def path(self) -> str | None:
        """Where in run data the person or the time is that this step needs."""
        if self.kind == "wait_until":
            return self.value
        return self.person if "." in (self.person or "") else None


@dataclass(frozen=True)
class Process:
    """The frontmatter, its steps by their ids, and the text that is published."""

    name: str
    inputs: dict
    steps: dict[str, Step]
    body: str
    text: str
    roles: list[str]

    @property
    def first(self) -> Step:
        return next(iter(self.steps.values()))

    def branch_of(self, entry: str) -> list[str]:
        """The steps of the branch that begins here."""
        found, open_ends = [], [entry]
        while open_ends:
            id = open_ends.pop()
            if id != JOIN and id not in found:
                found.append(id)
                step = self.steps[id]
                open_ends += [to for to in (step.next, step.on_timeout, *destinations(step.routes)) if to]
        return found

    def declaration(self, path: str):
        """The declaration at `inputs.x` or `steps.s.output.x`."""
        if path.startswith("inputs."):
            return self.inputs[path.removeprefix("inputs.")]
        _, id, _, name = path.split(".", 3)
        return self.steps[id].output[name]


def read(path: Path) -> Process:
    text = path.read_bytes().decode()
    frontmatter, body = re.fullmatch(r"---\n(.*?\n)---\n(.*)", text, re.DOTALL).groups()
    yaml = YAML(typ="safe", pure=True)
    yaml.constructor.add_constructor("tag:yaml.org,2002:float", lambda _, node: Decimal(node.value))
    tree = yaml.load(frontmatter)
    followers = [entry["id"] for entry in tree["steps"][1:]] + [None]
    steps = {entry["id"]: _step(entry, follower) for entry, follower in zip(tree["steps"], followers, strict=True)}
    process = Process(tree["name"], tree.get("inputs", {}), steps, body, text, _roles(steps.values()))
    return replace(process, steps={id: _placed(process, step) for id, step in steps.items()})


def duration(text: str) -> timedelta:
    return timedelta(**{UNITS[text[-1]]: int(text[:-1])})


def destinations(routes: list[dict] | None) -> list[str]:
    return [route["to"] for route in routes or []]


def _step(entry: dict, follower: str | None) -> Step:
    [kind] = [kind for kind in KINDS if kind in entry]
    leads = entry.get("next", None if kind == "finish" else follower)
    routes = [route if isinstance(route, dict) else {"to": route} for route in leads] if isinstance(leads, list) else None
    next_id = None if routes else leads
    return Step(
        entry["id"], kind, entry[kind], next_id, routes, entry.get("output"), entry.get("evidence"), entry.get("person"),
        entry.get("on_reject"), entry.get("on_timeout", next_id if kind == "wait_for" else None),
        *(duration(entry[key]) if key in entry else None for key in ("due", "timeout")),
    )


def _placed(process: Process, step: Step) -> Step:
    """The step with the parallel step whose branch it is in."""
    for fork in process.steps.values():
        if fork.kind == "parallel" and any(step.id in process.branch_of(entry) for entry in fork.value):
            return replace(step, branch=fork.id)
    return step


def _roles(steps) -> list[str]:
    """Names that are no path and not the initiator; each needs a group."""
    people = {step.person for step in steps if step.person}
    return sorted(name for name in people if "." not in name and name != "initiator")
