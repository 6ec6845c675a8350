"""Another organization's things do not exist, and its tokens open nothing here."""

import pytest

import raw
from callers import READS
from play import LINK, OFFER, claim, prepare, start_purchase, states
from test_lists import TOOLS

pytestmark = pytest.mark.anyio


async def test_every_tool_knows_only_its_own_organization(cast):
    alpha = await cast("alpha")
    held_run, open_run = await start_purchase(alpha), await start_purchase(alpha)
    held = await claim(alpha, held_run, "prepare")
    waiting = await prepare(alpha, open_run, "large")
    run_id, token = open_run["run"]["id"], held["token"]
    item = waiting["workItems"][0]["decide"]["arguments"] | {"decision": "approved"}
    offered = (await alpha.call("get_work", limit=1))["nextCursor"]
    start = alpha.writes[0][1]

    stranger, olga, mira = await cast("alpha", "demo2"), await cast("olga", "demo2"), await cast("mira", "demo2")
    work = {"output": OFFER, "evidence": [LINK], "summary": "x", "next": "small", "reason": "y"}
    refusals = {
        "get_run": [(caller, {"runId": run_id}, "not_found") for caller in (stranger, olga, mira)],
        "claim": [(stranger, {"runId": held_run["run"]["id"], "stepId": "prepare"}, "not_found")],
        "renew": [(stranger, {"token": token}, "invalid")],
        "submit": [(stranger, {"token": token, **work}, "invalid")],
        "escalate": [(stranger, {"token": token, "note": "x"}, "invalid")],
        "decide": [(caller, {**item, "requestId": "foreign"}, "not_found") for caller in (mira, olga, stranger)],
        "cancel": [(olga, {"runId": run_id, "reason": "x"}, "not_found")],
        "start_run": [(stranger, {"process": "purchase-order", "inputs": start["inputs"]}, "not_found")],
        "get_work": [(stranger, {"limit": 1, "cursor": offered or "none"}, "invalid")],
        "send_event": [(caller, {"runId": run_id, "name": "paid"}, "not_found") for caller in (stranger, olga, mira)],
        "list_runs": [(stranger, {"limit": 1, "cursor": offered or "none"}, "invalid")],
        "list_processes": [],
        "describe": [],
    }
    assert sorted(refusals) == sorted(TOOLS)
    for tool, cases in refusals.items():
        for caller, arguments, expected in cases:
            code, _ = await caller.refused(tool, **arguments)
            assert code == expected, tool

    assert [item["runId"] for item in (await stranger.call("get_work"))["items"] if item["runId"] in (run_id, held_run["run"]["id"])] == []
    assert (await mira.call("get_work"))["items"] == []
    for caller in (stranger, mira, olga):
        assert (await caller.call("list_runs", inputs=start["inputs"]))["items"] == []
    names = {item["name"] for item in (await stranger.call("list_processes"))["items"]}
    assert "purchase-order" not in names
    # Nothing of it happened.
    view = await alpha.call("get_run", runId=run_id)
    assert (states(view), view["run"]) == (states(waiting), waiting["run"])


async def test_request_ids_of_organizations_do_not_meet(cast):
    here, there = await cast("alpha"), await cast("alpha", "demo2")
    start = {"process": "expense-report", "inputs": {"employee": "a", "purpose": "b", "receipts": []}}
    first = await here.call("start_run", **start)
    second = await there.call("start_run", **start, requestId=here.writes[-1][1]["requestId"])
    assert first["run"]["id"] != second["run"]["id"]


def test_a_token_of_elsewhere_is_unauthorized_for_every_tool(server):
    here, there = server.organization("demo"), server.organization("demo2")
    tokens = [there["tokens"]["agents"]["alpha"], there["tokens"]["people"]["olga@example.com"], "made-up", None]
    for tool in TOOLS:
        body = f'{{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {{"name": "{tool}", "arguments": {{}}}}}}'
        for token in tokens:
            status, headers, answer = raw.post(here["mcp"], token, body)
            assert status == 401, tool
            challenge = {name.lower(): value for name, value in headers.items()}["www-authenticate"]
            assert challenge.startswith("Bearer ")
            assert "/.well-known/oauth-protected-resource/o/demo/mcp" in challenge
            assert "ok" not in answer
    assert set(READS) <= set(TOOLS)
