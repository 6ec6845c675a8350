"""requestIds: replays, and ids that were used for something else (process.md §5)."""

import pytest

from play import LINK, OFFER, claim, decide, item_of, prepare, start_purchase

pytestmark = pytest.mark.anyio

REUSED = ("conflict", ["request_id_reused"])


async def test_an_id_is_used_once(cast):
    alpha, beta, olga = await cast("alpha"), await cast("beta"), await cast("olga")
    run = await start_purchase(alpha)
    start = alpha.writes[-1][1]
    held = await claim(alpha, run, "prepare")
    taken = alpha.writes[-1][1]
    id = taken["requestId"]
    # Other arguments, another caller, another tool; before everything else that is wrong with the call.
    assert await alpha.refused("claim", **taken | {"stepId": "order"}) == REUSED
    assert await alpha.refused("claim", **taken | {"runId": "r_nothing"}) == REUSED
    assert await beta.refused("claim", **taken) == REUSED
    assert await alpha.refused("renew", token=held["token"], requestId=id) == REUSED
    assert await alpha.refused("submit", token="ct_nothing", output={}, summary="x", requestId=id) == REUSED
    assert await olga.refused("cancel", runId=run["run"]["id"], reason="x", requestId=id) == REUSED
    assert await alpha.refused("start_run", **start | {"inputs": {"item": "other", "budget": 1}}) == REUSED
    assert await alpha.refused("start_run", **start | {"process": "nothing"}) == REUSED
    # An argument left out and the same one spelled with its default are different (§9.10).
    assert await alpha.refused("start_run", **start | {"mode": "live"}) == REUSED
    # The shape comes first.
    assert (await alpha.refused("claim", **taken | {"more": 1}))[0] == "invalid"


async def test_the_order_of_keys_does_not_count(cast):
    alpha = await cast("alpha")
    run = await start_purchase(alpha)
    start = alpha.writes[-1][1]
    turned = dict(reversed(start.items())) | {"inputs": dict(reversed(start["inputs"].items()))}
    assert await alpha.send("start_run", turned) == run


async def test_a_failed_call_is_not_recorded(cast):
    alpha = await cast("alpha")
    run = await start_purchase(alpha)
    held = await claim(alpha, run, "prepare")
    work = {"token": held["token"], "summary": "Done.", "next": "small", "reason": "Cheap.", "requestId": held["token"][-20:]}
    assert (await alpha.refused("submit", output={}, **work))[0] == "not_accepted"
    assert (await alpha.call("submit", output=OFFER, evidence=[LINK], **work))["run"]["state"] == "waiting"


async def test_everything_is_answered_again_after_the_end(cast):
    """The cast replays each of these when the test is over; here they are followed by what changes them most."""
    alpha, mira, olga = await cast("alpha"), await cast("mira"), await cast("olga")
    run = await start_purchase(alpha)
    held = await claim(alpha, run, "prepare")
    renewed = await alpha.call("renew", token=held["token"], progress="Half.")
    await alpha.call("escalate", token=renewed["token"], note="Help.")
    await decide(olga, await item_of(olga, run), "returned", note="There.")
    await prepare(alpha, run, "large")
    await decide(mira, await item_of(mira, run), "rejected", note="Dear.")
    await prepare(alpha, run, "large", total=499)
    cast.server.advance_clock(2 * 86_400)
    await decide(mira, await item_of(mira, run), "approved")
    held = await claim(alpha, run, "order")
    cast.server.advance_clock(3600)
    await claim(alpha, run, "order")
    assert (await alpha.refused("submit", token=held["token"], output={"number": "1"}, summary="x"))[0] == "stale"
    await olga.call("cancel", runId=run["run"]["id"], reason="Enough.")


async def test_the_bounds_of_an_id(cast):
    alpha = await cast("alpha")
    for id, is_taken in {"x" * 128: True, "x" * 129: False, "": False}.items():
        arguments = {"process": "errand", "inputs": {"what": cast.era}, "requestId": id}
        if is_taken:
            arguments["requestId"] = cast.era + id[len(cast.era):]
            await alpha.call("start_run", **arguments)
        else:
            assert (await alpha.refused("start_run", **arguments))[0] == "invalid"
