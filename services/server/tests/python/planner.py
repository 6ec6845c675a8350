"""The graph of a process, what its walks have to show, and which way leads there."""

from collections import deque
from dataclasses import dataclass
from math import inf

from document import JOIN, PEOPLES, Process, destinations
from values import is_optional

# What can be tried at a step without leaving it, by kind.
TROUBLES = {
    "agent": ["refused", "contested", "lapsed", "renewed", "returned", "overdue", "completed by an operator"],
    "task": ["refused", "contested", "overdue"],
    "approve": ["refused", "contested", "overdue"],
    "wait": ["watched"],
    "wait_until": ["watched"],
    "wait_for": ["unmatched", "watched"],
    "finish": [],
    "parallel": [],
}
# States in which an operator may cancel, by kind.
CANCELLED_IN = {
    "agent": ["ready", "claimed", "escalated"], "task": ["waiting"], "approve": ["waiting"], "wait": ["waiting"],
    "wait_until": ["waiting"], "wait_for": ["waiting"], "finish": [], "parallel": [],
}


@dataclass(frozen=True)
class Edge:
    """A way from a step to another, and what it takes."""

    source: str
    how: str
    to: str


@dataclass(frozen=True)
class Goal:
    """How a walk ends: `finish`, `rejected` or `failed` at a step, `cancelled` in a state, or by a path without a value."""

    how: str
    at: str
    state: str = ""


class Graph:
    """Where a run can go from each step."""

    def __init__(self, process: Process):
        self.process = process
        self.edges = {id: self._edges(id) for id in process.steps}

    def _edges(self, id: str) -> list[Edge]:
        step = self.process.steps[id]
        if step.kind == "parallel":
            return [Edge(id, "fork", entry) for entry in step.value]
        if step.routes:
            return [Edge(id, "route", to) for to in destinations(step.routes)]
        ways = {
            "approve": [("approved", step.next), ("rejected", step.on_reject)],
            "wait_for": [("event", step.next)] + ([("timeout", step.on_timeout)] if step.timeout else []),
            "finish": [],
        }
        return [Edge(id, how, to) for how, to in ways.get(step.kind, [("next", step.next)]) if to]

    def landing(self, edge: Edge) -> str:
        """Where an edge leads in the end: from `join` on it is the parallel step's next."""
        return self.process.steps[self.process.steps[edge.source].branch].next if edge.to == JOIN else edge.to

    def distances(self, targets: set[str]) -> dict[str, float]:
        """Edges from each step to the nearest target."""
        found = {id: 0 if id in targets else inf for id in self.process.steps}
        border = deque(targets)
        while border:
            near = border.popleft()
            for edge in (edge for edges in self.edges.values() for edge in edges):
                if self.landing(edge) == near and found[edge.source] == inf:
                    found[edge.source] = found[near] + 1
                    border.append(edge.source)
        return found

    def goals(self) -> list[Goal]:
        """Every way a run of this process can end."""
        steps = self.process.steps.values()
        finishes = [Goal("finish", step.id) for step in steps if step.kind == "finish"]
        rejected = [Goal("rejected", step.id) for step in steps if step.kind == "approve" and not step.on_reject]
        failed = [Goal("failed", step.id) for step in steps if step.kind in ("agent", *PEOPLES)]
        return [*finishes, *rejected, *failed, *self._without_value(), *self._cancelled()]

    def _without_value(self) -> list[Goal]:
        """A path that names nobody, and a time that is not there: at the first step that reads it."""
        first = {step.path: step for step in reversed(self.process.steps.values()) if step.path}
        people = [Goal("nobody", step.id) for step in first.values() if step.person]
        times = [Goal("no time", step.id) for path, step in first.items() if not step.person and self.is_optional(path)]
        return people + times

    def is_optional(self, path: str) -> bool:
        return is_optional(self.process.declaration(path))

    def _cancelled(self) -> list[Goal]:
        first = {step.kind: step.id for step in reversed(self.process.steps.values())}
        return [Goal("cancelled", id, state) for kind, id in first.items() for state in CANCELLED_IN[kind]]

    def troubles(self) -> set[tuple[str, str]]:
        """What is to be tried on the way."""
        found = {(step.id, name) for step in self.process.steps.values() for name in TROUBLES[step.kind]}
        return {(id, name) for id, name in found if name != "overdue" or self.process.steps[id].due}

    def special(self) -> set[tuple[str, str]]:
        """What a walk has to be prepared for: an event that comes early, a time that has passed."""
        steps = self.process.steps.values()
        held = {(step.id, "held") for step in steps if step.kind == "wait_for"}
        return held | {(step.id, "past") for step in steps if step.kind == "wait_until"}


class Coverage:
    """What the walks of a process have not shown yet."""

    def __init__(self, graph: Graph):
        self.graph = graph
        self.goals = graph.goals()
        self.edges = {edge for edges in graph.edges.values() for edge in edges}
        self.troubles = graph.troubles()
        self.special = graph.special()

    def everything_left(self) -> list:
        return sorted(map(str, [*self.goals, *self.edges, *self.troubles, *self.special]))

    def took(self, source: str, how: str, to: str) -> None:
        self.special.discard((source, how))
        self.edges.discard(Edge(source, how, to))

    def waypoints(self, distances: dict[str, float], prepared: set[str]) -> set[str]:
        """Steps at which something is left to show, by a walk that is prepared for these, and from where its goal can be reached."""
        ways = {edge.source for edge in self.edges if distances[self.graph.landing(edge)] < inf}
        steps = {id for id, _ in self.troubles} | {id for id, _ in self.special if id in prepared}
        return ways | {id for id in steps if distances[id] < inf}
