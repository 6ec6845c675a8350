"""What can go wrong at a step, each tried without leaving it."""

from datetime import timedelta

from document import Step
from model import LEASE
from tracked import TrackedRun
from values import LINK, bad, good

RENEWED_AFTER = LEASE / 2
SECOND_HALF = LEASE * 3 / 4


def work_for(run: TrackedRun, step: Step, route: str | None, seed: int) -> dict:
    """What completes an agent step or a task; people leave out what they may."""
    is_agent = step.kind == "agent"
    output = good(step.output, seed)
    work = {"output": output} if output or is_agent else {}
    if step.evidence or seed % 3 == 0:
        work["evidence"] = [LINK]
    if is_agent or seed % 2:
        work["summary"] = f"Done as seed {seed} wants it."
    return work | ({"next": route, "reason": f"It is a case for {route}."} if route else {})


async def refused(run: TrackedRun, step: Step, seed: int) -> None:
    """Everything that is wrong with it is told at once, and nothing but the handoff changes."""
    if step.kind == "approve":
        return await _refused_approval(run, step)
    output, issues = bad(step.output, seed)
    issues += ["evidence: link required"] if step.evidence else []
    if step.routes:
        choice = ", ".join(route["to"] for route in step.routes)
        issues += [f"next: required, one of {choice}", "reason: required"]
    if step.kind == "agent":
        token = await run.hold(step, run.agent())
        found = await run.token[0].refused("submit", token=token, output=output, summary=" ")
        issues.append("summary: missing")
    else:
        person = run.assignee(step)
        call = run.ready_call(await run.item_of(person, step))
        found = await person.refused("decide", **call, decision="completed", output=output)
        assert (await person.refused("decide", **call, decision="completed", note="No."))[0] == "invalid"
    assert (found[0], sorted(found[1])) == ("not_accepted", sorted(issues))
    run.model.refuse(step.id, found[1])
    await run.look()


async def _refused_approval(run: TrackedRun, step: Step) -> None:
    person = run.assignee(step)
    call = run.ready_call(await run.item_of(person, step))
    for decision in ("rejected", "failed"):
        assert await person.refused("decide", **call, decision=decision) == ("invalid", ["note: required"])
        assert await person.refused("decide", **call, decision=decision, note=" ") == ("invalid", ["note: required"])
    for more in ({"output": {}}, {"evidence": []}, {"summary": "x"}, {"next": "x", "reason": "y"}):
        assert (await person.refused("decide", **call, decision="approved", **more))[0] == "invalid"
    assert (await person.refused("decide", **call, decision="completed"))[0] == "not_accepted"
    await run.look()


async def contested(run: TrackedRun, step: Step, seed: int) -> None:
    """Whoever it is not for, or who comes second or late, gets nothing."""
    if step.kind == "agent":
        return await _contested_claim(run, step)
    person, outsider = run.assignee(step), run.outsider(step)
    call = run.ready_call(await run.item_of(person, step))
    decision = {"decision": "failed", "note": "No."}
    assert await outsider.refused("decide", **call, **decision) == ("forbidden", [])
    assert await run.agent().refused("decide", **call, **decision) == ("forbidden", [])
    assert (await outsider.refused("decide", **call | {"snapshot": "sha256:" + "0" * 64}, **decision))[0] == "stale"
    assert (await person.refused("decide", **call | {"workItemId": "w_nothing"}, **decision))[0] == "not_found"
    claim = {"runId": run.id, "stepId": step.id}
    assert await run.agent().refused("claim", **claim) == ("forbidden", [])
    await run.look()


async def _contested_claim(run: TrackedRun, step: Step) -> None:
    token = await run.hold(step, run.agent())
    holder = run.token[0]
    other = next(player for player in run.world.players.values() if not player.email and player is not holder)
    claim = {"runId": run.id, "stepId": step.id}
    assert await holder.refused("claim", **claim) == ("conflict", ["claimed_by_you"])
    assert await other.refused("claim", **claim) == ("conflict", ["claimed_by_other"])
    assert await run.world.players["mira"].refused("claim", **claim) == ("forbidden", [])
    assert await other.refused("renew", token=token) == ("forbidden", [])
    assert await run.world.players["mira"].refused("escalate", token=token, note="Mine.") == ("forbidden", [])
    await run.look()


async def lapsed(run: TrackedRun, step: Step, seed: int) -> None:
    """A lease ends: the step is there for anybody again, with the last progress note."""
    await run.hold(step, run.agent())
    await run.renew(step, f"As far as {step.id} {seed}.")
    agent, token = run.token
    await run.wait_past(run.model.steps[step.id].lease_end)
    assert run.model.steps[step.id].handoff["progress"] == f"As far as {step.id} {seed}."
    assert (await agent.refused("submit", token=token, output={}, summary="Late."))[0] == "stale"
    assert (await agent.refused("renew", token=token))[0] == "stale"
    assert (await agent.refused("escalate", token=token, note="Late."))[0] == "stale"


async def renewed(run: TrackedRun, step: Step, seed: int) -> None:
    """A renewal counts from when it is made: the step is still held when the first lease would have ended."""
    await run.hold(step, run.agent())
    await run.renew(step, "To begin with.")
    await run.wait_on_clock(RENEWED_AFTER)
    await run.renew(step, "Half of it.")
    await run.wait_on_clock(SECOND_HALF)
    assert run.model.steps[step.id].state == "claimed"


async def returned(run: TrackedRun, step: Step, seed: int) -> None:
    await run.hold(step, run.agent())
    await run.escalate(step, "What does this mean?")
    person = run.assignee(step)
    call = run.ready_call(await run.item_of(person, step))
    assert await person.refused("decide", **call, decision="returned", note=" ") == ("invalid", ["note: required"])
    assert (await person.refused("decide", **call, decision="approved"))[0] == "not_accepted"
    await run.decide(step, "returned", note="What it says.")


async def overdue(run: TrackedRun, step: Step, seed: int) -> None:
    """The due time passes; the work stays open."""
    await run.wait_past(run.model.steps[step.id].due)
    assert run.model.steps[step.id].overdue


async def watched(run: TrackedRun, step: Step, seed: int) -> None:
    """Half of the time is not enough."""
    timer = run.model.steps[step.id].timer
    await run.wait_on_clock((timer - run.world.now) / 2 if timer else timedelta(days=1))
    assert run.model.steps[step.id].state == "waiting"


async def unmatched(run: TrackedRun, step: Step, seed: int) -> None:
    """An event of another name is held, one that an ordinary person sends is refused."""
    assert await run.send(run.agent(), "nobody-waits-for-this", None) is None
    event = {"runId": run.id, "name": step.value}
    assert await run.world.players["lena"].refused("send_event", **event) == ("forbidden", [])
    assert (await run.agent().refused("send_event", **event | {"name": "Not A Name"}))[0] == "invalid"
    await run.look()


TRIED_BY = {
    "refused": refused, "contested": contested, "lapsed": lapsed, "renewed": renewed, "returned": returned,
    "overdue": overdue, "watched": watched, "unmatched": unmatched,
}
