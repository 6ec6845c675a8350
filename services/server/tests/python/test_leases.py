"""Claims, renewals, lapsed leases, deadlines."""

import pytest

from play import LINK, OFFER, claim, item_of, prepare, record, start_purchase, states

pytestmark = pytest.mark.anyio

LEASE_SECONDS = 600
WORK = {"output": OFFER, "evidence": [LINK], "summary": "Done.", "next": "small", "reason": "Cheap."}


async def test_one_agent_holds_a_step(cast):
    alpha, beta = await cast("alpha"), await cast("beta")
    run = await start_purchase(alpha)
    held = await claim(alpha, run, "prepare")
    assert (held["mode"], held["handoff"]) == ("live", None)
    assert held["step"]["id"] == "prepare"
    assert held["step"]["evidence"] == ["link"]
    assert held["step"]["next"][0] == {"to": "small", "when": "the total is below 500 euros"}
    assert held["step"]["output"]["terms"] == {"type": "string", "one_of": ["prepaid", "on delivery", "thirty days"]}
    assert held["data"] == {"inputs": run["data"]["inputs"], "steps": {}}
    assert held["body"].startswith("# Purchases\n")
    assert await alpha.work_on(run) == await beta.work_on(run) == []
    view = await beta.call("get_run", runId=run["run"]["id"])
    assert states(view)["prepare"] == "claimed"
    assert held["token"] not in str(view)

    step = {"runId": run["run"]["id"], "stepId": "prepare"}
    assert await beta.refused("claim", **step) == ("conflict", ["claimed_by_other"])
    assert await alpha.refused("claim", **step) == ("conflict", ["claimed_by_you"])
    assert await beta.refused("claim", **step | {"stepId": "order"}) == ("conflict", ["not_ready"])
    assert await beta.refused("claim", **step | {"stepId": "small"}) == ("forbidden", [])
    assert await beta.refused("claim", **step | {"stepId": "nothing"}) == ("not_found", [])
    assert await (await cast("mira")).refused("claim", **step) == ("forbidden", [])


async def test_a_token_is_its_agents_alone(cast):
    alpha = await cast("alpha")
    run = await start_purchase(alpha)
    held = await claim(alpha, run, "prepare")
    for name in ("beta", "mira"):
        other = await cast(name)
        assert (await other.refused("submit", token=held["token"], **WORK))[0] == "forbidden"
        assert (await other.refused("renew", token=held["token"]))[0] == "forbidden"
    changed = held["token"][:-1] + ("A" if held["token"][-1] != "A" else "B")
    for token in (changed, "ct_", "nothing"):
        assert (await alpha.refused("submit", token=token, **WORK))[0] == "invalid"
    assert states(await alpha.call("submit", token=held["token"], **WORK))["small"] == "waiting"


async def test_a_renewal_replaces_the_token(cast):
    alpha = await cast("alpha")
    run = await start_purchase(alpha)
    held = await claim(alpha, run, "prepare")
    cast.server.advance_clock(LEASE_SECONDS - 60)
    renewed = await alpha.call("renew", token=held["token"], progress="Half of it.")
    assert renewed["expiresAt"] > held["expiresAt"]
    assert (await alpha.refused("renew", token=held["token"]))[0] == "stale"
    assert (await alpha.refused("submit", token=held["token"], **WORK))[0] == "stale"
    cast.server.advance_clock(LEASE_SECONDS - 60)
    view = await alpha.call("submit", token=renewed["token"], **WORK)
    assert states(view)["small"] == "waiting"


async def test_a_lapsed_step_goes_to_whoever_comes_and_keeps_what_is_known(cast):
    alpha, beta = await cast("alpha"), await cast("beta")
    run = await start_purchase(alpha)
    [offered] = await alpha.work_on(run)
    held = await claim(alpha, run, "prepare")
    assert (await alpha.refused("submit", token=held["token"], **WORK | {"output": {}}))[0] == "not_accepted"
    renewed = await alpha.call("renew", token=held["token"], progress="Asked two suppliers.")
    cast.server.advance_clock(LEASE_SECONDS)
    for tool, arguments in {"renew": {}, "submit": WORK, "escalate": {"note": "Late."}}.items():
        assert (await alpha.refused(tool, token=renewed["token"], **arguments))[0] == "stale", tool

    [again] = await beta.work_on(run)
    assert again["readySince"] == offered["readySince"]
    handoff = {
        "progress": "Asked two suppliers.",
        "issues": ["output.supplier: missing", "output.total: missing", "output.terms: missing"],
    }
    assert again["handoff"] == handoff
    taken = await claim(beta, run, "prepare")
    assert taken["handoff"] == handoff
    assert (await alpha.refused("submit", token=renewed["token"], **WORK))[0] == "stale"
    assert states(await beta.call("submit", token=taken["token"], **WORK))["small"] == "waiting"


async def test_work_stays_open_when_it_is_overdue(cast):
    alpha, mira = await cast("alpha"), await cast("mira")
    run = await start_purchase(alpha)
    [offer] = await alpha.work_on(run)
    assert (offer["overdue"], offer["due"] is None) == (False, False)
    cast.server.advance_clock(4 * 3600)
    [offer] = await alpha.work_on(run)
    assert offer["overdue"] is True
    waiting = await prepare(alpha, run, "large")
    item = await item_of(mira, run)
    assert item["due"] == next(step["due"] for step in waiting["steps"] if step["id"] == "large")
    cast.server.advance_clock(86_400)
    view = await alpha.call("get_run", runId=run["run"]["id"])
    overdue = {step["id"]: step.get("overdue") for step in view["steps"]}
    assert overdue["large"] is True
    assert view["run"]["state"] == "waiting"
    approved = await mira.call("decide", **item["decide"]["arguments"] | {"decision": "approved", "requestId": view["run"]["id"]})
    assert record(approved, "large")["decision"] == "approved"
