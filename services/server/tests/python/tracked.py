"""A run on the server and the model of it, side by side: every method makes one call, tells the model, and compares."""

import json
import uuid
from datetime import timedelta

from callers import AGENTS
from expect import agree, contract_of, data_of, decisions_of, items_of, offers_of, state_of, steps_of
from document import Process, Step
from model import LEASE, OPEN, Model, instant, stamp
from world import GROUPS, MEMBERS, OPERATORS, Player, World

MARGIN_SECONDS = 60


class TrackedRun:
    """What the server said last is in `view`; the claim and the item that were held last stay for calls that come too late."""

    def __init__(self, world: World, process: Process, roles: dict[str, str]):
        self.world, self.process, self.roles = world, process, roles
        self.writes: list[tuple[Player, str, dict, dict]] = []
        self.view: dict = {}
        self.token: tuple[Player, str] | None = None
        self.item: dict | None = None
        self._snapshots: dict[str, str] = {}
        self._item_ids: dict[tuple, str] = {}
        self._turn = 0

    # Calls.

    async def start(self, starter: Player, inputs: dict, mode: str) -> None:
        self.model = Model(self.process, inputs, starter.email, MEMBERS)
        more = {"mode": mode} if mode == "test" else {}
        view = await self._write(starter, "start_run", process=self.process.name, inputs=inputs, **more)
        self.header = view["run"]
        assert (self.header["mode"], self.header["startedBy"]) == (mode, starter.id)
        assert self.header["startedAt"] == view["run"]["updatedAt"] or view["run"]["state"] == "ended"
        self.model.start(instant(self.header["startedAt"]))
        await self.compare(view)

    async def hold(self, step: Step, agent: Player) -> str:
        """The token of the claim that stands, or of a new one; the call is the one that get_work offers."""
        if self.model.steps[step.id].state == "claimed":
            return self.token[1]
        [offer] = [item for item in await self.work_of(agent) if item["stepId"] == step.id]
        arguments = offer["claim"]["arguments"]
        del arguments["requestId"]
        held = await self._write(agent, offer["claim"]["tool"], **arguments)
        self.model.claim(step.id, agent.name, instant(held["expiresAt"]) - LEASE)
        expected = {
            "mode": self.header["mode"], "step": {"id": step.id, "instructions": step.value} | contract_of(self.model, step.id),
            "handoff": offer["handoff"], "body": self.process.body, "data": data_of(self.model),
        }
        agree(held, expected | {key: held[key] for key in ("token", "expiresAt")})
        self.token = (agent, held["token"])
        await self.look()
        return held["token"]

    async def renew(self, step: Step, progress: str) -> None:
        agent, token = self.token
        renewed = await self._write(agent, "renew", token=token, progress=progress)
        self.model.renew(step.id, progress, instant(renewed["expiresAt"]) - LEASE)
        self.token = (agent, renewed["token"])
        assert (await agent.refused("submit", token=token, output={}, summary="x"))[0] == "stale"

    async def submit(self, step: Step, work: dict) -> None:
        agent, token = self.token
        view = await self._write(agent, "submit", token=token, **work)
        self.model.hand_in(step.id, work, agent.id, self._at(view))
        await self.compare(view)

    async def escalate(self, step: Step, note: str) -> None:
        agent, token = self.token
        view = await self._write(agent, "escalate", token=token, note=note)
        self.model.escalate(step.id, note, agent.id, self._at(view))
        await self.compare(view)
        assert (await agent.refused("renew", token=token))[0] == "stale"

    async def decide(self, step: Step, decision: str, **more) -> None:
        """By the ready-made call of somebody whom the item is for."""
        person = self.assignee(step)
        arguments = self.ready_call(await self.item_of(person, step)) | {"decision": decision} | more
        view = await self._write(person, "decide", **arguments)
        at, by = self._at(view), person.id
        if decision == "returned":
            self.model.give_back(step.id, more["note"], by, at)
        elif decision == "completed":
            self.model.hand_in(step.id, more, by, at)
        elif decision == "approved":
            self.model.approve(step.id, more.get("note"), by, at)
        else:
            {"rejected": self.model.reject, "failed": self.model.fail}[decision](step.id, more["note"], by, at)
        await self.compare(view)
        code, issues = await person.refused("decide", **arguments)
        assert (code, issues) == ("conflict", ["run_ended" if self.model.end else "already_decided"])

    async def send(self, sender: Player, name: str, data: dict | None) -> str | None:
        more = {} if data is None else {"data": data}
        sent = await self._write(sender, "send_event", runId=self.id, name=name, **more)
        view = await self._read()
        taker = self.model.send(name, data, sender.id, self._at(view))
        assert sent == {"consumedBy": taker}
        await self.compare(view)
        return taker

    async def cancel(self, operator: Player, reason: str) -> None:
        view = await self._write(operator, "cancel", runId=self.id, reason=reason)
        self.model.cancel(reason, operator.id, self._at(view))
        await self.compare(view)

    async def wait_on_clock(self, length: timedelta) -> None:
        await self.world.wait_on_clock(length.total_seconds())
        self.model.pass_time(self.world.now)
        await self.look()

    async def wait_past(self, deadline) -> None:
        await self.wait_on_clock(max(deadline - self.world.now, timedelta()) + timedelta(seconds=MARGIN_SECONDS))

    async def look(self) -> None:
        await self.compare(await self._read())

    async def replay(self) -> None:
        """Every write again, with its requestId: the original result, whatever happened since (process.md §5)."""
        for player, tool, arguments, original in self.writes:
            assert await player.send(tool, arguments) == original, tool

    async def _write(self, player: Player, tool: str, **arguments) -> dict:
        arguments["requestId"] = str(uuid.uuid4())
        data = await player.call(tool, **arguments)
        self.writes.append((player, tool, arguments, data))
        return data

    async def _read(self) -> dict:
        self._turn += 1
        return await self._anybody().call("get_run", runId=self.id)

    # Who, and what they see.

    @property
    def id(self) -> str:
        return self.header["id"]

    def _anybody(self) -> Player:
        players = list(self.world.players.values())
        return players[self._turn % len(players)]

    def agent(self) -> Player:
        return self.world.players[AGENTS[self._turn % len(AGENTS)]]

    def sees(self, player: Player, step: str) -> bool:
        """Whether an open work item is for this person."""
        kind, value = self.model.steps[step].assigned
        if kind == "person":
            return player.email == value.lower()
        return player.name in (OPERATORS if value == "operators" else GROUPS[self.roles[value]])

    def assignee(self, step: Step) -> Player:
        able = [player for player in self.world.players.values() if self.sees(player, step.id)]
        return able[self._turn % len(able)]

    def outsider(self, step: Step) -> Player:
        return next(player for player in self.world.players.values() if player.email and not self.sees(player, step.id))

    async def item_of(self, person: Player, step: Step) -> dict:
        [item] = [entry["workItem"] for entry in await self.work_of(person) if entry["workItem"]["stepId"] == step.id]
        self.item = item
        return item

    def ready_call(self, item: dict) -> dict:
        """The arguments to decide an item with, but for the requestId."""
        assert item["decide"]["tool"] == "decide"
        return {name: value for name, value in item["decide"]["arguments"].items() if name != "requestId"}

    async def work_of(self, player: Player) -> list[dict]:
        """What get_work offers of this run, compared with the model."""
        items = (await player.call("get_work", process=self.process.name, limit=100))["items"]
        if not player.email:
            assert [item["readySince"] for item in items] == sorted(item["readySince"] for item in items)
        seen = [item for item in items if item["runId"] == self.id]
        agree(sorted(seen, key=_step_of), sorted(self._work_for(player), key=_step_of))
        return seen

    def _work_for(self, player: Player) -> list[dict]:
        if not player.email:
            return offers_of(self.model, self.header)
        about = {"runId": self.id} | {key: self.header[key] for key in ("process", "version", "mode")}
        return [about | {"workItem": item} for item in self.view["workItems"] if self.sees(player, item["stepId"])]

    async def listed(self) -> None:
        """The run is in the list of those that started with its inputs and stand where it stands."""
        asked = {"process": self.process.name, "state": state_of(self.model), "inputs": self.model.inputs, "limit": 100}
        items = (await self._anybody().call("list_runs", **asked))["items"]
        run = self.view["run"]
        keys = ("id", "process", "version", "state", "outcome", "startedAt", "updatedAt")
        [found] = [item for item in items if item["id"] == self.id]
        agree(found, {key: run[key] for key in keys} | {"inputs": self.model.inputs})

    # Comparing.

    def _at(self, view: dict):
        """When a write happened: the run was changed by it last."""
        return instant(view["run"]["updatedAt"])

    async def compare(self, view: dict) -> None:
        """A run view with the model, and what everybody is offered then."""
        self.view = view
        self._learn_note(view)
        expected = {"data": data_of(self.model), "steps": steps_of(self.model), "body": self.process.body}
        agree({part: view[part] for part in expected}, expected)
        self._compare_header(view["run"])
        self._compare_items(view["workItems"])
        await self._ask_for_work()

    def _compare_header(self, run: dict) -> None:
        same = ("id", "process", "version", "mode", "startedBy", "startedAt")
        assert {key: run[key] for key in same} == {key: self.header[key] for key in same}
        assert (run["state"], run["outcome"], run["ended"]) == (state_of(self.model), self.model.outcome, self.model.end)

    def _learn_note(self, view: dict) -> None:
        """The words of a note by the server are its own; that there are some is ours."""
        end = self.model.end
        if end and end["note"] is ...:
            note = view["run"]["ended"]["note"]
            assert note.strip()
            end["note"] = note
            for record in self.model.records.values():
                record.update({"note": note} if record.get("note") is ... else {})

    def _compare_items(self, items: list[dict]) -> None:
        expected = items_of(self.model, self.header["mode"])
        assert sorted(expected) == sorted(item["stepId"] for item in items)
        for item in items:
            own = {key: item[key] for key in ("id", "snapshot", "assignedTo", "decide")}
            agree(item, expected[item["stepId"]] | own)
            arguments = {"runId": self.id, "workItemId": item["id"], "snapshot": item["snapshot"], "requestId": "<new UUID>"}
            decisions = decisions_of(self.model, item["stepId"])
            assert item["decide"] == {"tool": "decide", "arguments": arguments, "decisions": decisions}
            self._compare_assignment(item)
            self._compare_identity(item)

    def _compare_assignment(self, item: dict) -> None:
        kind, value = self.model.steps[item["stepId"]].assigned
        [(found, name)] = item["assignedTo"].items()
        assert found == kind
        if kind == "person":
            assert name.lower() == value.lower()
        else:
            assert self.world.knows(f"group {self.roles.get(value, value)}", name)

    def _compare_identity(self, item: dict) -> None:
        """An item keeps its id as long as it is open; a snapshot changes exactly when run data does."""
        standing = self.model.steps[item["stepId"]]
        opening = (item["stepId"], stamp(standing.since), json.dumps(standing.escalation))
        assert self._item_ids.setdefault(opening, item["id"]) == item["id"]
        assert list(self._item_ids.values()).count(item["id"]) == 1
        data = json.dumps(data_of(self.model), sort_keys=True, default=str)
        assert self._snapshots.setdefault(data, item["snapshot"]) == item["snapshot"]
        assert list(self._snapshots.values()).count(item["snapshot"]) == 1

    async def _ask_for_work(self) -> None:
        """Everybody when a step is open in a way that this process has not shown before, else one in turn."""
        situations = {(self.process.name, step["id"], step["state"]) for step in self.view["steps"] if step["state"] in OPEN}
        players = list(self.world.players.values())
        if situations <= self.world.situations:
            self._turn += 1
            players = [players[self._turn % len(players)]]
        self.world.situations |= situations
        for player in players:
            await self.work_of(player)


def _step_of(entry: dict) -> str:
    return entry["stepId"] if "stepId" in entry else entry["workItem"]["stepId"]
