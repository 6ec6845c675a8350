"""Takes a process to every end that a run of it can have, and tries on the way what can be tried."""

from collections.abc import Iterator
from datetime import timedelta
from math import inf

from callers import AGENTS
from document import WAITS, Process, Step
from model import stamp
from planner import Coverage, Edge, Goal, Graph
from tracked import TrackedRun
from troubles import TRIED_BY, work_for
from values import good
from world import GROUPS, OPERATORS, PEOPLE, World

# From then on a walk makes no detours.
DETOURS_MAX = 25
MOVES_MAX = 80
NOBODY = "nobody@example.com"
SOMEBODY = "Sam@example.com"
# A time that is waited for lies so far ahead for every step before it.
AHEAD_A_STEP = timedelta(days=30)


class Driven:
    """One process and all its walks."""

    def __init__(self, world: World, process: Process):
        self.world, self.process = world, process
        self.graph = Graph(process)
        self.left = Coverage(self.graph)
        self.roles = dict(zip(process.roles, _in_turn(list(GROUPS), len(process.name))))
        self.walks = self.finishes = 0

    async def walk_everywhere(self) -> None:
        """One walk for each end, then some more when something is left to show."""
        for goal in self.graph.goals():
            await self._walk(goal)
            self.left.goals.remove(goal)
            self.finishes += goal.how == "finish"
        for goal in self._not_everything_shown():
            await self._walk(goal)
        assert self.left.everything_left() == []

    def _not_everything_shown(self) -> Iterator[Goal]:
        """Ends of walks on which more can be shown, as long as each shows some of it."""
        finishes = [goal for goal in self.graph.goals() if goal.how == "finish"]
        before = None
        while before != self.left.everything_left():
            before = self.left.everything_left()
            for goal in finishes:
                if self.left.waypoints(self.graph.distances({goal.at}), set(self.process.steps)):
                    yield goal

    async def _walk(self, goal: Goal) -> None:
        self.walks += 1
        walk = Walk(self, goal, self.walks)
        try:
            await walk.go()
        except Exception as error:
            error.add_note(f"{self.process.name}, walk {self.walks} to {goal}: {walk.trace}")
            raise


class Walk:
    """One run, from its start to one of its ends."""

    def __init__(self, driven: Driven, goal: Goal, number: int):
        self.process, self.graph, self.left = driven.process, driven.graph, driven.left
        self.goal, self.number, self.moves = goal, number, 0
        self.run = TrackedRun(driven.world, driven.process, driven.roles)
        self.to_goal = self.graph.distances({goal.at})
        self.trace: list[str] = []
        self.early, self.passing = (self._early(), self._passing()) if goal.how == "finish" else ([], [])

    async def go(self) -> None:
        run = self.run
        await run.start(self._starter(), self._valued("inputs.", good(self.process.inputs, self.number)), self._mode())
        for step in self.early:
            if run.model.end is None:
                await run.send(run.agent(), self.process.steps[step].value, {"early": True})
        while run.model.end is None:
            self.moves += 1
            assert self.moves <= MOVES_MAX, "it does not end"
            await self._move(self._next_step())
            self._note_what_was_shown()
        self._note_what_was_shown()
        self._ended_as_planned()
        await run.listed()
        await run.replay()
        await self._after_the_end()

    # Preparation.

    def _early(self) -> list[str]:
        """Waits for which nothing is left to show but an event that was there before them; another wait may have its name."""
        waits = [step for step in self.process.steps.values() if step.kind == "wait_for"]
        busy = {edge.source for edge in self.left.edges} | {id for id, _ in self.left.troubles} | {self.goal.at}
        names = {step.value for step in waits if step.id in busy}
        return [step.id for step in waits if (step.id, "held") in self.left.special and step.value not in names]

    def _starter(self):
        needs_person = any(step.person == "initiator" for step in self.process.steps.values())
        return self.run.world.players[next(_in_turn(PEOPLE if needs_person else [*AGENTS, *PEOPLE], self.number))]

    def _mode(self) -> str:
        return "test" if self.number % 3 == 2 else "live"

    def _valued(self, place: str, values: dict) -> dict:
        """The values, with those that people or times are read from as this walk needs them."""
        for step in self.process.steps.values():
            if step.path and step.path.startswith(place):
                values = self._with_value(step, values, step.path.removeprefix(place))
        return values

    def _with_value(self, step: Step, values: dict, name: str) -> dict:
        is_missed = self.goal.how in ("nobody", "no time") and self.process.steps[self.goal.at].path == step.path
        if is_missed and self.graph.is_optional(step.path):
            return {key: value for key, value in values.items() if key != name}
        if step.kind == "wait_until":
            ahead = AHEAD_A_STEP * list(self.process.steps).index(step.id)
            return values | {name: stamp(self.run.world.now + (-ahead if step.id in self.passing else ahead))}
        return values | {name: NOBODY} if is_missed else {name: SOMEBODY} | values

    def _passing(self) -> list[str]:
        """Times that have passed already: once everything else has been shown of their waits."""
        busy = {id for id, _ in self.left.troubles} | {self.goal.at}
        return [id for id, name in self.left.special if name == "past" and id not in busy]

    # Moves.

    def _waypoints(self) -> set[str]:
        return self.left.waypoints(self.to_goal, {*self.early, *self.passing})

    def _next_step(self) -> Step:
        """What is open: waits last, or everything the other way round in every second walk."""
        steps = [step for id, step in self.process.steps.items() if self.run.model.steps[id].is_open and step.kind != "parallel"]
        return steps[-1] if self.number % 2 else min(steps, key=lambda step: step.kind in WAITS)

    async def _move(self, step: Step) -> None:
        troubles = [name for id, name in sorted(self.left.troubles) if id == step.id and self._makes_detours()]
        for name in troubles:
            if self._is_still_at(step) and name in TRIED_BY:
                self.trace.append(f"{step.id}: {name}")
                await TRIED_BY[name](self.run, step, self.number)
                self.left.troubles.discard((step.id, name))
        if not self._is_still_at(step):
            return
        if step.id == self.goal.at and self.goal.how in ("failed", "rejected", "cancelled"):
            self.trace.append(f"{step.id}: {self.goal.how}")
            await self._end_here(step)
        else:
            edge = self._choose(step)
            self.trace.append(f"{step.id}: {edge.how} {edge.to}")
            await self._leave(step, edge)

    def _is_still_at(self, step: Step) -> bool:
        return self.run.model.end is None and self.run.model.steps[step.id].is_open

    def _makes_detours(self) -> bool:
        """Walks to a finish show on the way what is to be shown; the others are quick."""
        return self.goal.how == "finish" and self.moves <= DETOURS_MAX

    def _choose(self, step: Step) -> Edge:
        """An edge that was never taken, else the shortest way to something to show, else to the goal."""
        edges = self.graph.edges[step.id]
        able = [edge for edge in edges if self.to_goal[self.graph.landing(edge)] < inf] or edges[:1]
        if self._makes_detours():
            new = [edge for edge in able if edge in self.left.edges]
            if new:
                return new[-1]
            to_waypoint = self.graph.distances(self._waypoints())
            if any(to_waypoint[self.graph.landing(edge)] < inf for edge in able):
                return min(able, key=lambda edge: to_waypoint[self.graph.landing(edge)])
        return min(able, key=lambda edge: self.to_goal[self.graph.landing(edge)])

    async def _leave(self, step: Step, edge: Edge) -> None:
        run = self.run
        if step.kind in ("agent", "task"):
            await self._complete(step, edge.to if edge.how == "route" else None)
        elif edge.how == "rejected":
            await run.decide(step, "rejected", note=f"Not yet, says move {self.moves}.")
        elif edge.how == "approved":
            await run.decide(step, "approved", **({"note": "Good."} if self.moves % 2 else {}))
        elif edge.how == "event":
            sender = run.agent() if self.moves % 2 else run.world.players["olga"]
            assert await run.send(sender, step.value, {"move": self.moves} if self.number % 2 else None)
        else:
            await run.wait_past(run.model.steps[step.id].timer)

    async def _complete(self, step: Step, route: str | None) -> None:
        run = self.run
        work = work_for(run, step, route, self.number + self.moves)
        if work.get("output"):
            work["output"] = self._valued(f"steps.{step.id}.output.", work["output"])
        if step.kind == "task":
            await run.decide(step, "completed", **work)
            return
        await run.hold(step, run.agent())
        if (step.id, "completed by an operator") not in self.left.troubles:
            await run.submit(step, work)
            return
        await run.escalate(step, "I cannot.")
        await run.decide(step, "completed", **work)
        self.left.troubles.discard((step.id, "completed by an operator"))

    async def _end_here(self, step: Step) -> None:
        run, note = self.run, f"This is where walk {self.number} ends."
        if step.kind == "agent" and self.goal.state != "ready":
            await run.hold(step, run.agent())
            if self.goal.state != "claimed":
                await run.escalate(step, "It is over.")
        if self.goal.how == "cancelled":
            await run.cancel(run.world.players[OPERATORS[self.number % 2]], note)
        else:
            await run.decide(step, self.goal.how, note=note)

    # What it came to.

    def _note_what_was_shown(self) -> None:
        for taken in self.run.model.taken:
            self.left.took(*taken)
        self.run.model.taken.clear()
        for fork in (step for step in self.process.steps.values() if step.kind == "parallel"):
            if self.run.model.steps[fork.id].is_open:
                for entry in fork.value:
                    self.left.took(fork.id, "fork", entry)

    def _ended_as_planned(self) -> None:
        goal, model = self.goal, self.run.model
        how = {"finish": self.process.steps[goal.at].value, "rejected": "rejected", "cancelled": None}
        assert model.outcome == how.get(goal.how, "failed")
        state = {"finish": "done", "rejected": "done", "cancelled": "cancelled"}.get(goal.how, "failed")
        assert model.steps[goal.at].state == state

    async def _after_the_end(self) -> None:
        """Whatever is written now is told that the run has ended (process.md §5)."""
        run, ended = self.run, ("conflict", ["run_ended"])
        agent, olga = run.agent(), run.world.players["olga"]
        assert await agent.refused("claim", runId=run.id, stepId=self.process.first.id) == ended
        assert await olga.refused("cancel", runId=run.id, reason="Again.") == ended
        assert await agent.refused("send_event", runId=run.id, name="too-late") == ended
        if run.token:
            agent, token = run.token
            assert await agent.refused("renew", token=token) == ended
            assert await agent.refused("submit", token=token, output={}, summary="Late.") == ended
            assert await agent.refused("escalate", token=token, note="Late.") == ended
        if run.item:
            call = run.ready_call(run.item)
            assert await olga.refused("decide", **call, decision="failed", note="Late.") == ended


def _in_turn(names: list[str], first: int) -> Iterator[str]:
    """The names again and again, from one of them on."""
    while True:
        yield names[first % len(names)]
        first += 1
