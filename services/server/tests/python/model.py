"""What a run must be after each call, worked out from process.md §5 and §6 in the most naive way there is."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from document import JOIN, PEOPLES, Process, Step

LEASE = timedelta(seconds=600)
OPEN = ("ready", "claimed", "waiting")


def stamp(instant: datetime) -> str:
    return instant.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def instant(text: str) -> datetime:
    return datetime.fromisoformat(text.upper())


@dataclass
class Standing:
    """Where a step stands. A new attempt is a new one."""

    state: str | None = None
    since: datetime | None = None
    due: datetime | None = None
    overdue: bool = False
    timer: datetime | None = None
    handoff: dict = field(default_factory=dict)
    holder: str | None = None
    lease_end: datetime | None = None
    progress: str | None = None
    assigned: tuple[str, str] | None = None
    escalation: dict | None = None

    @property
    def is_open(self) -> bool:
        return self.state in OPEN


class Model:
    """A run as it has to be: states, records, timers, held events. Callers say what happened, and when."""

    def __init__(self, process: Process, inputs: dict, initiator: str | None, members: list[str]):
        self.process, self.inputs, self.initiator, self.members = process, inputs, initiator, members
        self.steps = {id: Standing() for id in process.steps}
        self.records: dict[str, dict] = {}
        self.completions: list[str] = []
        self.joined: set[str] = set()
        self.held: list[tuple[str, dict, str]] = []
        self.taken: list[tuple[str, str, str]] = []
        self.end: dict | None = None
        self.outcome: str | None = None
        self.is_cancelled = False

    # What callers do.

    def start(self, at: datetime) -> None:
        self._reach(self.process.first.id, at)

    def claim(self, id: str, agent: str, at: datetime) -> None:
        standing = self.steps[id]
        standing.state, standing.holder, standing.lease_end, standing.progress = "claimed", agent, at + LEASE, None

    def renew(self, id: str, progress: str | None, at: datetime) -> None:
        standing = self.steps[id]
        standing.lease_end, standing.progress = at + LEASE, progress or standing.progress

    def refuse(self, id: str, issues: list[str]) -> None:
        self.steps[id].handoff["issues"] = issues

    def escalate(self, id: str, note: str, by: str, at: datetime) -> None:
        standing = self.steps[id]
        standing.state, standing.holder, standing.assigned = "waiting", None, ("group", "operators")
        standing.escalation = {"note": note, "by": by, "at": stamp(at)}

    def give_back(self, id: str, note: str, by: str, at: datetime) -> None:
        standing = self.steps[id]
        standing.state, standing.since, standing.escalation, standing.assigned = "ready", at, None, None
        standing.handoff["returned"] = {"note": note, "by": by, "at": stamp(at)}

    def hand_in(self, id: str, work: dict, by: str, at: datetime) -> None:
        """A submission of an agent, or a person's `completed`."""
        record = {"output": {}, "evidence": []} | work | {"by": by, "at": stamp(at)}
        route = work.get("next")
        self._complete(id, record, at, route or self.process.steps[id].next, "route" if route else "next")

    def approve(self, id: str, note: str | None, by: str, at: datetime) -> None:
        record = {"decision": "approved", "by": by, "at": stamp(at)} | ({"note": note} if note else {})
        self._complete(id, record, at, self.process.steps[id].next, "approved")

    def reject(self, id: str, note: str, by: str, at: datetime) -> None:
        step = self.process.steps[id]
        self._keep(id, {"decision": "rejected", "note": note, "by": by, "at": stamp(at)})
        if step.on_reject is None:
            self.steps[id] = Standing("done")
            self._finish("rejected", by, note, at)
            return
        self._rewind(step)
        self.completions.append(id)
        self.steps[id] = Standing()
        self.taken.append((id, "rejected", step.on_reject))
        self._reach(step.on_reject, at)
        if self.process.steps[step.on_reject].kind == "finish":
            self.steps[id] = Standing("done")

    def fail(self, id: str, note: str, by: str, at: datetime) -> None:
        self._keep(id, {"decision": "failed", "note": note, "by": by, "at": stamp(at)})
        self.steps[id] = Standing("failed")
        self._finish("failed", by, note, at)

    def cancel(self, reason: str, by: str, at: datetime) -> None:
        self.is_cancelled = True
        self._finish(None, by, reason, at)

    def send(self, name: str, data: dict | None, by: str, at: datetime) -> str | None:
        """The step that takes the event: of those that wait for it the one that waits longest, then file order (§9.14)."""
        waits = [id for id, step in self.process.steps.items() if step.kind == "wait_for" and step.value == name]
        waiting = [id for id in waits if self.steps[id].is_open]
        if not waiting:
            self.held.append((name, data or {}, by))
            return None
        taker = min(waiting, key=lambda id: self.steps[id].since)
        self._deliver(taker, data or {}, by, at)
        return taker

    def pass_time(self, now: datetime) -> None:
        """Everything that was due until now, in order, each at its own instant (§9.13)."""
        while self.end is None and (deadlines := [due for due in self._deadlines() if due[0] <= now]):
            at, what, id = min(deadlines)
            standing = self.steps[id]
            if what == "lease":
                standing.state, standing.holder = "ready", None
                if standing.progress:
                    standing.handoff["progress"] = standing.progress
            elif what == "overdue":
                standing.overdue = True
            else:
                self._time_out(id, at)

    # What follows.

    def _deadlines(self) -> list[tuple[datetime, str, str]]:
        found = []
        for id, standing in self.steps.items():
            if standing.is_open and standing.due and not standing.overdue:
                found.append((standing.due, "overdue", id))
            if standing.state == "claimed":
                found.append((standing.lease_end, "lease", id))
            if standing.state == "waiting" and standing.timer:
                found.append((standing.timer, "timer", id))
        return found

    def _time_out(self, id: str, at: datetime) -> None:
        step = self.process.steps[id]
        to, how = (step.on_timeout, "timeout") if step.kind == "wait_for" else (step.next, "next")
        self._complete(id, {"by": "server", "at": stamp(at)}, at, to, how)

    def _deliver(self, id: str, data: dict, by: str, at: datetime) -> None:
        record = {"output": data, "by": by, "at": stamp(at)}
        self._complete(id, record, at, self.process.steps[id].next, "event")

    def _keep(self, id: str, record: dict) -> None:
        """Makes a record current; the one before it becomes history (§9.5)."""
        self._retire(id)
        self.records[id] = record | {"history": self.records.get(id, {}).get("history", [])}

    def _retire(self, id: str) -> None:
        old = dict(self.records.get(id, {}))
        history = old.pop("history", [])
        if old:
            self.records[id] = {"history": [*history, old]}

    def _complete(self, id: str, record: dict, at: datetime, to: str, how: str) -> None:
        self._keep(id, record)
        self.steps[id] = Standing("done")
        self.completions.append(id)
        self.taken.append((id, how, to))
        if to != JOIN:
            self._reach(to, at)
            return
        fork = self.process.steps[self.process.steps[id].branch]
        self.joined.add(next(entry for entry in fork.value if id in self.process.branch_of(entry)))
        if self.joined == set(fork.value):
            self.steps[fork.id] = Standing("done")
            self.completions.append(fork.id)
            self._reach(fork.next, at)

    def _rewind(self, approval: Step) -> None:
        """Everything that completed after the target's latest completion, but the rejecting approval."""
        target = self.process.steps[approval.on_reject]
        later = self._later_than(target)
        for id in dict.fromkeys(later):
            same_branch = approval.branch is None or self._branch(id) == self._branch(approval.id)
            if id not in (approval.id, target.id) and same_branch:
                self._retire(id)
                self.steps[id] = Standing()

    def _later_than(self, target: Step) -> list[str]:
        if target.id not in self.completions:
            return []
        last = len(self.completions) - self.completions[::-1].index(target.id)
        region = [id for id in self.completions if self.process.steps[id].branch == target.id]
        return region + self.completions[last:]

    def _branch(self, id: str) -> str | None:
        fork = self.process.steps[id].branch
        return next(entry for entry in self.process.steps[fork].value if id in self.process.branch_of(entry)) if fork else None

    def _reach(self, id: str, at: datetime) -> None:
        step = self.process.steps[id]
        standing = self.steps[id] = Standing("waiting", at, at + step.due if step.due else None)
        if step.kind == "agent":
            standing.state = "ready"
        elif step.kind in PEOPLES:
            self._assign(step, standing, at)
        elif step.kind == "finish":
            standing.state = "done"
            self._finish(step.value, "server", None, at)
        elif step.kind == "parallel":
            self.joined = set()
            for entry in step.value:
                if self.end is None:
                    self._reach(entry, at)
        else:
            self._wait(step, standing, at)

    def _assign(self, step: Step, standing: Standing, at: datetime) -> None:
        if step.person == "initiator":
            standing.assigned = ("person", self.initiator)
        elif "." not in step.person:
            standing.assigned = ("group", step.person)
        elif (value := self.look_up(step.person)) and value.lower() in self.members:
            standing.assigned = ("person", value)
        else:
            self._fail_by_server(step, at)

    def _wait(self, step: Step, standing: Standing, at: datetime) -> None:
        if step.kind == "wait":
            standing.timer = at + step.duration
        elif step.kind == "wait_for":
            standing.timer = at + step.timeout if step.timeout else None
            held = next((event for event in self.held if event[0] == step.value), None)
            if held:
                self.held.remove(held)
                self.taken.append((step.id, "held", step.value))
                self._deliver(step.id, held[1], held[2], at)
        elif (value := self.look_up(step.value)) is None:
            self._fail_by_server(step, at)
        elif instant(value) <= at:
            self.taken.append((step.id, "past", step.value))
            self._complete(step.id, {"by": "server", "at": stamp(at)}, at, step.next, "next")
        else:
            standing.timer = instant(value)

    def _fail_by_server(self, step: Step, at: datetime) -> None:
        # The words of the note are the server's.
        self.fail(step.id, ..., "server", at)

    def look_up(self, path: str) -> str | None:
        if path.startswith("inputs."):
            return self.inputs.get(path.removeprefix("inputs."))
        _, id, _, name = path.split(".", 3)
        return self.records.get(id, {}).get("output", {}).get(name)

    def _finish(self, outcome: str | None, by: str, note: str | None, at: datetime) -> None:
        self.outcome, self.end = outcome, {"by": by, "at": stamp(at), "note": note}
        for id, standing in self.steps.items():
            if standing.is_open:
                self.steps[id] = Standing("cancelled")
