"""What is refused of a submission, all at once, and what that leaves."""

import pytest

from play import LINK, OFFER, claim, ending, record, start_purchase, states

pytestmark = pytest.mark.anyio

FORM = {
    "consignee": "Ærø & Co – 北京", "incoterm": "FOB", "value": 12, "rate": 0, "fragile": False, "leaves_on": "2028-02-29",
    "sealed_at": "2027-01-31T23:59:59.5+01:00", "positions": [{"weight": None}], "codes": [], "carrier": {"a": [None]},
    "clerk": "Clerk@Example.com",
}


async def start_form(by) -> dict:
    return await by.call("start_run", process="customs-form", inputs={"shipment": {"boxes": [1, {"of": None}]}})


async def test_a_value_of_every_type_comes_back_as_it_was_given(cast):
    agent = await cast("alpha")
    run = await start_form(agent)
    held = await claim(agent, run, "fill")
    ended = await agent.call("submit", token=held["token"], output=FORM, evidence=[LINK, LINK], summary="Filled in.")
    assert ending(ended) == ("ended", "filed", None)
    filled = record(ended, "fill")
    assert (filled["output"], filled["evidence"], filled["summary"]) == (FORM, [LINK, LINK], "Filled in.")
    assert ended["data"]["inputs"] == {"shipment": {"boxes": [1, {"of": None}]}}


@pytest.mark.parametrize(
    ("change", "issues"),
    [
        ({"incoterm": "DDP"}, ["output.incoterm: expected one of EXW, FOB, CIF"]),
        ({"value": "12"}, ["output.value: expected number"]),
        ({"rate": 2.5}, []),
        ({"rate": 3}, ["output.rate: expected one of 0, 2.50, 12.1"]),
        ({"fragile": "no"}, ["output.fragile: expected boolean"]),
        ({"leaves_on": "2027-02-29"}, ["output.leaves_on: expected date"]),
        ({"sealed_at": "2027-01-31T23:59:59"}, ["output.sealed_at: expected datetime"]),
        ({"positions": [{}, 1]}, ["output.positions[1]: expected object"]),
        ({"codes": ["a", "b", 3]}, ["output.codes[2]: expected string"]),
        ({"carrier": []}, ["output.carrier: expected object"]),
        ({"clerk": "nobody"}, ["output.clerk: expected person"]),
        ({"remark": "Fine."}, []),
        ({"remark": None}, ["output.remark: expected string"]),
        ({"extra": 1}, ["output.extra: not declared"]),
        ({"value": None, "extra": 1, "codes": [1]},
         ["output.value: expected number", "output.codes[0]: expected string", "output.extra: not declared"]),
    ],
)
async def test_values_are_held_to_their_fields(cast, change, issues):
    agent = await cast("alpha")
    run = await start_form(agent)
    held = await claim(agent, run, "fill")
    work = {"token": held["token"], "output": FORM | change, "evidence": [LINK], "summary": "Filled in."}
    if not issues:
        assert ending(await agent.call("submit", **work)) == ("ended", "filed", None)
        return
    code, found = await agent.refused("submit", **work)
    assert code == "not_accepted"
    assert sorted(found) == sorted(issues)


async def test_every_issue_is_told_at_once_and_nothing_else_changes(cast):
    agent = await cast("alpha")
    run = await start_purchase(agent)
    held = await claim(agent, run, "prepare")
    before = await agent.call("get_run", runId=run["run"]["id"])
    work = {"output": {"total": True, "more": 1}, "summary": " "}
    expected = [
        "summary: missing", "evidence: link required", "next: required, one of small, large, contract, refused",
        "reason: required", "output.supplier: missing", "output.total: expected number", "output.terms: missing",
        "output.more: not declared",
    ]
    code, issues = await agent.refused("submit", token=held["token"], **work)
    assert (code, sorted(issues)) == ("not_accepted", sorted(expected))
    after = await agent.call("get_run", runId=run["run"]["id"])
    assert after["data"] == before["data"]
    assert after["steps"] == before["steps"]
    assert after["run"] == before["run"]

    code, issues = await agent.refused("submit", token=held["token"], output=OFFER, evidence=[{"kind": "file", "ref": "f_000"}], summary="x", next="elsewhere", reason="Because.")
    assert code == "not_accepted"
    assert "evidence: link required" in issues
    assert any(issue.startswith("evidence f_000: not found") for issue in issues)
    assert any(issue.startswith("next: ") for issue in issues)

    # The claim stands.
    view = await agent.call("submit", token=held["token"], output=OFFER, evidence=[LINK], summary="Done.", next="small", reason="Cheap.")
    assert states(view)["small"] == "waiting"


async def test_a_route_belongs_to_a_step_with_a_list(cast):
    agent = await cast("alpha")
    run = await start_form(agent)
    held = await claim(agent, run, "fill")
    code, issues = await agent.refused("submit", token=held["token"], output=FORM, evidence=[LINK], summary="x", next="filed", reason="y")
    assert code == "not_accepted"
    assert [issue.split(":")[0] for issue in issues] == ["next", "reason"]


async def test_run_data_has_a_limit(cast):
    agent = await cast("alpha")
    limit = (await agent.call("describe"))["limits"]["runDataBytes"]
    assert limit == 262_144
    code, issues = await agent.refused("start_run", process="errand", inputs={"what": "x" * limit})
    assert code == "invalid"
    size = limit + len('{"inputs":{"what":""},"steps":{}}')
    assert issues == [f"run data: {size} bytes, limit {limit}"]
    run = await agent.call("start_run", process="errand", inputs={"what": "x" * (limit - 1000)})
    held = await claim(agent, run, "do")
    code, [issue] = await agent.refused("submit", token=held["token"], output={"result": "x" * 1000}, summary="Done.")
    assert (code, issue.split(":")[0]) == ("not_accepted", "run data")


async def test_inputs_are_held_to_their_fields(cast):
    agent = await cast("alpha")
    code, issues = await agent.refused("start_run", process="purchase-order", inputs={"budget": "much", "wanted_by": "soon", "x": 1})
    assert code == "invalid"
    assert sorted(issues) == sorted(
        ["inputs.item: missing", "inputs.budget: expected number", "inputs.wanted_by: expected date", "inputs.x: not declared"]
    )
    assert await agent.refused("start_run", process="nothing", inputs={}) == ("not_found", [])
    assert await agent.refused("start_run", process="errand", version=9, inputs={"what": "x"}) == ("not_found", [])


async def test_blank_words_are_refused_where_words_are_needed(cast):
    agent, olga, mira = await cast("alpha"), await cast("olga"), await cast("mira")
    run = await agent.call("start_run", process="errand", inputs={"what": "x"})
    held = await claim(agent, run, "do")
    assert await agent.refused("escalate", token=held["token"], note=" ") == ("invalid", ["note: required"])
    assert await olga.refused("cancel", runId=run["run"]["id"], reason="\n") == ("invalid", ["reason: required"])
    for summary in ("", " \n"):
        work = {"token": held["token"], "output": {"result": "y"}, "summary": summary}
        assert await agent.refused("submit", **work) == ("not_accepted", ["summary: missing"])
    unsaid = {"token": held["token"], "output": {"result": "y"}}
    assert await agent.refused("submit", **unsaid) == ("invalid", ["arguments.summary: missing"])
    waiting = await agent.call("submit", token=held["token"], output={"result": "y"}, summary="Done.")
    item = waiting["workItems"][0]["decide"]["arguments"] | {"requestId": "blank"}
    for decision in ("rejected", "failed"):
        assert await mira.refused("decide", **item | {"decision": decision}) == ("invalid", ["note: required"])
        assert await mira.refused("decide", **item | {"decision": decision, "note": " "}) == ("invalid", ["note: required"])
    code, _ = await mira.refused("decide", **item | {"decision": "approved", "next": "done"})
    assert code == "invalid"
    assert (await mira.refused("decide", **item | {"decision": "returned", "note": "Why?"}))[0] == "not_accepted"
    assert (await mira.refused("decide", **item | {"decision": "completed"}))[0] == "not_accepted"
