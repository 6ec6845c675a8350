"""Items for one person: the initiator, and whoever an input names."""

import pytest

from play import claim, decide, ending, item_of, record, states

pytestmark = pytest.mark.anyio


async def start(by, reviewer: str) -> dict:
    return await by.call("start_run", process="second-opinion", inputs={"topic": "rest", "reviewer": reviewer})


async def draft(agent, run, text: str) -> dict:
    held = await claim(agent, run, "draft")
    return await agent.call("submit", token=held["token"], output={"text": text}, summary="Drafted.")


async def test_the_initiator_and_then_the_reviewer_decide(cast):
    agent, hugo, ines = await cast("alpha"), await cast("hugo"), await cast("ines")
    run = await start(hugo, "INES@example.com")
    waiting = await draft(agent, run, "one")
    [item] = waiting["workItems"]
    assert item["assignedTo"] == {"person": "hugo@example.com"}
    assert await ines.work_on(run) == []
    arguments = item["decide"]["arguments"] | {"decision": "approved", "requestId": "not-mine"}
    for name in ("ines", "olga", "admin"):
        assert await (await cast(name)).refused("decide", **arguments) == ("forbidden", []), name
    await decide(hugo, await item_of(hugo, run), "approved")

    second = await item_of(ines, run)
    assert second["stepId"] == "other"
    rework = await decide(ines, second, "rejected", note="Too long.")
    assert states(rework) == {"draft": "ready", "own": None, "other": None, "published": None}
    # What the initiator approved is history now; the rejection stays current until the reviewer decides again.
    assert [past["decision"] for past in record(rework, "own")["history"]] == ["approved"]
    assert record(rework, "other")["decision"] == "rejected"

    await draft(agent, run, "two")
    await decide(hugo, await item_of(hugo, run), "approved")
    ended = await decide(ines, await item_of(ines, run), "approved", note="Good.")
    assert ending(ended) == ("ended", "published", None)


async def test_an_agent_starts_nothing_that_needs_an_initiator(cast):
    agent = await cast("alpha")
    code, issues = await agent.refused(
        "start_run", process="second-opinion", inputs={"topic": "x", "reviewer": "ines@example.com"}
    )
    assert code == "invalid"
    assert issues


async def test_a_reviewer_who_is_nobody_fails_the_run(cast):
    agent, hugo = await cast("alpha"), await cast("hugo")
    run = await start(hugo, "nobody@example.com")
    await draft(agent, run, "one")
    ended = await decide(hugo, await item_of(hugo, run), "approved")
    assert ended["run"]["state"] == "ended"
    assert ended["run"]["outcome"] == "failed"
    assert ended["run"]["ended"]["by"] == "server"
    failed = record(ended, "other")
    assert (failed["decision"], failed["by"]) == ("failed", "server")
    assert states(ended)["other"] == "failed"


async def test_a_decision_is_bound_to_what_was_read(cast):
    agent, hugo = await cast("alpha"), await cast("hugo")
    run = await start(hugo, "ines@example.com")
    waiting = await draft(agent, run, "one")
    item = waiting["workItems"][0]["decide"]["arguments"] | {"decision": "approved", "requestId": run["run"]["id"]}
    assert (await hugo.refused("decide", **item | {"snapshot": "sha256:" + "0" * 64}))[0] == "stale"
    assert (await hugo.refused("decide", **item | {"workItemId": item["workItemId"] + "9"}))[0] == "not_found"
    assert (await hugo.refused("decide", **item | {"workItemId": "w_nothing"}))[0] == "not_found"
    assert (await hugo.refused("decide", **item | {"runId": "r_nothing"}))[0] == "not_found"
    await hugo.call("decide", **item)
    again = item | {"requestId": "second-" + run["run"]["id"]}
    assert await hugo.refused("decide", **again) == ("conflict", ["already_decided"])
    assert await hugo.refused("decide", **again | {"snapshot": "old"}) == ("conflict", ["already_decided"])
