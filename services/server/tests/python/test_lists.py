"""What the server says of itself, its processes and its work."""

import uuid

import pytest

from play import claim, start_purchase

pytestmark = pytest.mark.anyio

TOOLS = [
    "describe", "list_processes", "start_run", "get_run", "get_work", "claim", "renew", "submit", "escalate", "decide",
    "cancel", "send_event", "list_runs",
]


async def test_the_server_describes_itself(cast):
    for name in ("alpha", "mira", "olga"):
        data = await (await cast(name)).call("describe")
        assert (data["protocol"], data["version"], data["profiles"]) == ("agentprocess", "core-2", ["parallel-1"])
        assert data["leaseSeconds"] == 600
        assert data["person"] == {"format": "email"}
        assert data["maxUploadBytes"] == 10 * 1024 * 1024
        assert sorted(data["tools"]) == sorted(TOOLS)


async def test_every_tool_is_listed_with_its_schemas(cast):
    listed = (await (await cast("alpha")).client.list_tools()).tools
    assert sorted(tool.name for tool in listed) == sorted(TOOLS)
    for tool in listed:
        assert tool.description
        assert tool.input_schema["type"] == tool.output_schema["type"] == "object"
        assert tool.input_schema["additionalProperties"] is False


async def test_the_catalog_has_every_process_with_its_inputs(cast):
    items = (await (await cast("kofi")).call("list_processes"))["items"]
    by_name = {item["name"]: item for item in items}
    assert list(by_name) == sorted(by_name)
    assert {"purchase-order", "second-opinion", "customs-form", "errand"} <= by_name.keys()
    purchase = by_name["purchase-order"]
    assert purchase["version"] == 1
    assert purchase["requires"] == {"systems": ["order-book"]}
    assert purchase["inputs"]["wanted_by"] == {"type": "date", "optional": True}
    assert purchase["inputs"]["item"]["description"] == "What is to be bought"
    assert "requires" not in by_name["errand"]


async def test_the_same_text_is_no_new_version(cast):
    first = cast.server.publish("errand", "finance=finance")
    assert (first["name"], first["version"]) == ("errand", 1)
    assert first["contentHash"].startswith("sha256:")
    assert cast.server.publish("errand", "finance=finance")["version"] == 1


async def test_work_is_offered_oldest_first_in_pages(cast):
    alpha, beta = await cast("alpha"), await cast("beta")
    runs = [(await start_purchase(alpha))["run"]["id"] for _ in range(5)]
    items, cursor = [], {}
    while True:
        page = await alpha.call("get_work", limit=2, process="purchase-order", **cursor)
        assert len(page["items"]) <= 2
        items += page["items"]
        if page["nextCursor"] is None:
            break
        cursor = {"cursor": page["nextCursor"]}
    ours = [item for item in items if item["runId"] in runs]
    assert [item["runId"] for item in ours] == runs
    since = [item["readySince"] for item in items]
    assert since == sorted(since)
    first = ours[0]
    assert first["claim"] == {
        "tool": "claim",
        "arguments": {"runId": runs[0], "stepId": "prepare", "requestId": "<new UUID>"},
    }
    assert (first["process"], first["version"], first["overdue"], first["handoff"]) == ("purchase-order", 1, False, None)

    # Taken work is offered to nobody.
    await claim(beta, {"run": {"id": runs[0]}}, "prepare")
    [gone] = [await alpha.work_on({"run": {"id": runs[0]}})]
    assert gone == []
    if cursor:
        # A cursor is its caller's, its list's and its filter's.
        for other, more in ((beta, {"process": "purchase-order"}), (alpha, {}), (alpha, {"process": "errand"})):
            assert (await other.refused("get_work", **more, **cursor))[0] == "invalid"
    assert (await alpha.refused("get_work", cursor="made-up"))[0] == "invalid"
    assert (await alpha.refused("list_processes", cursor="made-up"))[0] == "invalid"
    assert (await alpha.refused("get_work", limit=101))[0] == "invalid"
    assert (await alpha.call("get_work", process="nothing"))["items"] == []


async def test_whoever_may_not_is_told_so(cast):
    alpha, mira = await cast("alpha"), await cast("mira")
    run = await start_purchase(alpha)
    held = await claim(alpha, run, "prepare")
    cancel = {"runId": run["run"]["id"], "reason": "x"}
    for caller in (alpha, mira):
        assert await caller.refused("cancel", **cancel) == ("forbidden", [])
    for tool, arguments in {"renew": {}, "escalate": {"note": "x"}, "submit": {"output": {}, "summary": "x"}}.items():
        assert await mira.refused(tool, token=held["token"], **arguments) == ("forbidden", []), tool


async def test_runs_are_found_by_what_they_were_started_with(cast):
    alpha, lena, olga = await cast("alpha"), await cast("lena"), await cast("olga")
    inputs = {"employee": str(uuid.uuid4()), "purpose": "Offsite", "receipts": []}
    runs = [(await alpha.call("start_run", process="expense-report", inputs=inputs))["run"]["id"] for _ in range(5)]
    await olga.call("cancel", runId=runs[2], reason="twice")
    found = {"process": "expense-report", "inputs": {"purpose": "Offsite", "employee": inputs["employee"]}}
    items, cursor = [], {}
    while cursor is not None:
        page = await lena.call("list_runs", limit=2, **found, **cursor)
        items += page["items"]
        cursor = {"cursor": page["nextCursor"]} if page["nextCursor"] else None
        await alpha.call("start_run", process="expense-report", inputs=inputs)
    assert [item["id"] for item in items] == runs[::-1]
    assert {item["id"]: item["state"] for item in items}[runs[2]] == "cancelled"
    assert all(item["inputs"] == inputs and item["outcome"] is None for item in items)
    [stopped] = (await lena.call("list_runs", state="cancelled", **found))["items"]
    assert stopped["id"] == runs[2]
    assert (await lena.call("list_runs", process="errand", inputs=found["inputs"]))["items"] == []
