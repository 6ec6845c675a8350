"""`purchase-order` from its start to each of its ends."""

import pytest

from play import claim, decide, ending, escalated, item_of, order, prepare, record, start_purchase, states

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(("route", "approver"), [("small", "sam"), ("large", "omar"), ("contract", "lena")])
async def test_an_approved_purchase_is_ordered(cast, route, approver):
    agent, person = await cast("alpha"), await cast(approver)
    run = await start_purchase(agent)
    assert (run["run"]["state"], run["run"]["version"], run["run"]["mode"]) == ("active", 1, "live")
    assert states(run)["prepare"] == "ready"

    waiting = await prepare(agent, run, route)
    assert waiting["run"]["state"] == "waiting"
    assert states(waiting)[route] == "waiting"
    assert record(waiting, "prepare")["next"] == route
    item = await item_of(person, run)
    assert (item["stepId"], item["kind"], item["escalation"]) == (route, "approve", None)
    assert (item["output"], item["evidence"], item["next"]) == (None, None, None)
    assert item["decide"]["decisions"] == ["approved", "rejected", "failed"]

    active = await decide(person, item, "approved")
    assert active["run"]["state"] == "active"
    assert record(active, route)["decision"] == "approved"
    assert "note" not in record(active, route)

    ended = await order(await cast("beta"), run)
    assert ending(ended) == ("ended", "ordered", None)
    assert ended["run"]["ended"]["by"] == "server"
    assert states(ended) | {"small": None, "large": None, "contract": None} == {
        "prepare": "done", "small": None, "large": None, "contract": None, "order": "done", "ordered": "done",
        "refused": None,
    }
    assert ended["workItems"] == []
    assert set(ended["data"]["steps"]) == {"prepare", route, "order"}


@pytest.mark.parametrize(("route", "approver"), [("small", "sam"), ("large", "omar"), ("contract", "lena")])
async def test_a_step_is_for_the_group_that_its_role_was_mapped_to(cast, route, approver):
    run = await start_purchase(await cast("alpha"))
    waiting = await prepare(await cast("alpha"), run, route)
    arguments = waiting["workItems"][0]["decide"]["arguments"] | {"decision": "approved", "requestId": run["run"]["id"]}
    for name in {"sam", "omar", "lena"} - {approver}:
        other = await cast(name)
        assert await other.work_on(run) == []
        assert await other.refused("decide", **arguments) == ("forbidden", [])
    assert (await item_of(await cast(approver), run))["stepId"] == route


async def test_a_route_to_a_finish_ends_the_run_at_once(cast):
    agent = await cast("alpha")
    ended = await prepare(agent, await start_purchase(await cast("mira")), "refused")
    assert ending(ended) == ("ended", "declined", None)
    assert states(ended)["refused"] == "done"
    assert record(ended, "prepare")["reason"] == "It is a case for refused."


async def test_a_rejection_without_a_target_ends_the_run(cast):
    agent, lena = await cast("alpha"), await cast("lena")
    run = await start_purchase(agent)
    await prepare(agent, run, "contract")
    ended = await decide(lena, await item_of(lena, run), "rejected", note="Not with these terms.")
    assert ending(ended) == ("ended", "rejected", "Not with these terms.")
    assert states(ended)["contract"] == "done"
    assert record(ended, "contract")["decision"] == "rejected"


async def test_a_failed_decision_ends_the_run(cast):
    agent, mira = await cast("alpha"), await cast("mira")
    run = await start_purchase(agent)
    await prepare(agent, run, "large")
    ended = await decide(mira, await item_of(mira, run), "failed", note="The cost centre is closed.")
    assert ending(ended) == ("ended", "failed", "The cost centre is closed.")
    assert states(ended)["large"] == "failed"
    failed = record(ended, "large")
    assert (failed["decision"], failed["note"]) == ("failed", "The cost centre is closed.")


async def test_an_escalation_that_the_operator_fails_ends_the_run(cast):
    run = await start_purchase(await cast("alpha"))
    item = await escalated(cast, run, "prepare", "No supplier answers.")
    ended = await decide(await cast("olga"), item, "failed", note="We make it ourselves.")
    assert ending(ended) == ("ended", "failed", "We make it ourselves.")
    assert states(ended)["prepare"] == "failed"


async def test_an_operator_cancels(cast):
    agent, olga = await cast("alpha"), await cast("olga")
    run = await start_purchase(agent)
    waiting = await prepare(agent, run, "small")
    ended = await olga.call("cancel", runId=run["run"]["id"], reason="Bought twice.")
    assert ending(ended) == ("cancelled", None, "Bought twice.")
    assert states(ended)["small"] == "cancelled"
    assert states(ended)["order"] is None
    assert ended["workItems"] == []
    sam = await cast("sam")
    item = waiting["workItems"][0]
    arguments = item["decide"]["arguments"] | {"decision": "approved"}
    assert await sam.refused("decide", **arguments | {"requestId": "late"}) == ("conflict", ["run_ended"])
    assert await agent.refused("claim", runId=run["run"]["id"], stepId="prepare") == ("conflict", ["run_ended"])
    assert await olga.refused("cancel", runId=run["run"]["id"], reason="Again.") == ("conflict", ["run_ended"])


async def test_a_rejected_purchase_is_reworked_and_approved(cast):
    agent, mira, omar = await cast("alpha"), await cast("mira"), await cast("omar")
    run = await start_purchase(agent)
    await prepare(agent, run, "large")
    first = await item_of(mira, run)
    rework = await decide(mira, first, "rejected", note="Ask a second supplier.")
    assert rework["run"]["state"] == "active"
    assert states(rework) == {
        "prepare": "ready", "small": None, "large": None, "contract": None, "order": None, "ordered": None,
        "refused": None,
    }
    rejection = record(rework, "large")
    assert (rejection["decision"], rejection["note"]) == ("rejected", "Ask a second supplier.")
    assert record(rework, "prepare")["history"] == []
    [offer] = await agent.work_on(run)
    assert offer["handoff"] is None

    waiting = await prepare(await cast("beta"), run, "large", supplier="Second & Co")
    prepared = record(waiting, "prepare")
    assert prepared["output"]["supplier"] == "Second & Co"
    assert [past["output"]["supplier"] for past in prepared["history"]] == ["Paper & Sons"]
    second = await item_of(omar, run)
    assert second["id"] != first["id"]
    approved = await decide(omar, second, "approved", note="Better.")
    assert record(approved, "large")["note"] == "Better."
    assert [past["decision"] for past in record(approved, "large")["history"]] == ["rejected"]
    assert ending(await order(agent, run)) == ("ended", "ordered", None)


async def test_a_test_run_says_so_everywhere(cast):
    agent, sam = await cast("alpha"), await cast("sam")
    run = await start_purchase(agent, mode="test")
    [offer] = await agent.work_on(run)
    assert (run["run"]["mode"], offer["mode"]) == ("test", "test")
    other = await start_purchase(agent, mode="test")
    assert (await claim(agent, other, "prepare"))["mode"] == "test"
    waiting = await prepare(agent, run, "small")
    assert waiting["workItems"][0]["mode"] == "test"
    assert (await item_of(sam, run))["mode"] == "test"
