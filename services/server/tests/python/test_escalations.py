"""What an operator can do with an escalated step."""

import pytest

from play import LINK, OFFER, claim, decide, escalated, item_of, prepare, record, start_purchase, states

pytestmark = pytest.mark.anyio


async def test_a_returned_step_is_ready_again_with_the_note(cast):
    agent, olga = await cast("alpha"), await cast("olga")
    run = await start_purchase(agent)
    [before] = await agent.work_on(run)
    item = await escalated(cast, run, "prepare", "Which cost centre?")
    assert item["kind"] == "agent"
    assert item["decide"]["decisions"] == ["returned", "completed", "failed"]
    assert [route["to"] for route in item["next"]] == ["small", "large", "contract", "refused"]
    assert item["evidence"] == ["link"]
    assert item["output"].keys() == {"supplier", "total", "terms"}

    ready = await decide(olga, item, "returned", note="4711, as always.")
    assert ready["run"]["state"] == "active"
    assert states(ready)["prepare"] == "ready"
    [offer] = await agent.work_on(run)
    returned = offer["handoff"]["returned"]
    assert returned["note"] == "4711, as always."
    # The same attempt: its clock runs on.
    assert offer["due"] == before["due"]
    held = await claim(agent, run, "prepare")
    assert held["handoff"]["returned"] == returned


async def test_an_operator_completes_a_step_by_its_own_contract(cast):
    agent, olga = await cast("alpha"), await cast("olga")
    run = await start_purchase(agent)
    item = await escalated(cast, run, "prepare", "They only take calls.")
    work = {"output": {"supplier": "By phone"}, "next": "small"}
    arguments = item["decide"]["arguments"] | {"decision": "completed", "requestId": "half"} | work
    assert await olga.refused("decide", **arguments) == (
        "not_accepted",
        ["evidence: link required", "reason: required", "output.total: missing", "output.terms: missing"],
    )
    [again] = await olga.work_on(run)
    assert again["workItem"]["handoff"]["issues"][0] == "evidence: link required"

    waiting = await decide(
        olga, again["workItem"], "completed", output=OFFER, evidence=[LINK], next="small", reason="Cheap."
    )
    prepared = record(waiting, "prepare")
    assert prepared["by"].startswith("u_")
    assert (prepared["output"], prepared["next"]) == (OFFER, "small")
    assert states(waiting)["small"] == "waiting"


async def test_an_escalation_is_for_operators_and_admins(cast):
    agent = await cast("alpha")
    run = await start_purchase(agent)
    item = await escalated(cast, run, "prepare", "Help.")
    arguments = item["decide"]["arguments"] | {"decision": "returned", "note": "No.", "requestId": "not-mine"}
    for name in ("mira", "alpha"):
        assert await (await cast(name)).refused("decide", **arguments) == ("forbidden", [])
    assert await (await cast("mira")).work_on(run) == []
    admin = await cast("admin")
    assert states(await decide(admin, await item_of(admin, run), "returned", note="Try again."))["prepare"] == "ready"


async def test_operators_see_only_escalations_and_their_own_items(cast):
    agent, olga = await cast("alpha"), await cast("olga")
    run = await start_purchase(agent)
    waiting = await prepare(agent, run, "small")
    assert await olga.work_on(run) == []
    # An operator who is not in the group may not decide its item.
    arguments = waiting["workItems"][0]["decide"]["arguments"] | {"decision": "approved", "requestId": "olga"}
    assert await olga.refused("decide", **arguments) == ("forbidden", [])


async def test_the_token_of_an_escalated_step_is_dead(cast):
    agent = await cast("alpha")
    run = await start_purchase(agent)
    held = await claim(agent, run, "prepare")
    await agent.call("escalate", token=held["token"], note="Help.")
    for tool, arguments in {
        "renew": {},
        "escalate": {"note": "Again."},
        "submit": {"output": OFFER, "summary": "Done."},
    }.items():
        assert (await agent.refused(tool, token=held["token"], **arguments))[0] == "stale", tool
    assert await agent.refused("claim", runId=run["run"]["id"], stepId="prepare") == ("conflict", ["not_ready"])
