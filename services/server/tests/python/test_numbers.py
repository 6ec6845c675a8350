"""Numbers keep their digits: in, stored, shown, compared (process.md §3)."""

import json
import uuid

import pytest

import raw

EXACT = "12345678901234567890.10"
# As given and as shown: only the mark of an exponent is written in one way.
NUMBERS = {
    EXACT: EXACT, "0.1000": "0.1000", "-0": "-0", "9007199254740993": "9007199254740993", "2.50": "2.50",
    "1e400": "1e+400", "1.20E-7": "1.20e-7", "0E+2": "0e+2", "123456789012345678901234567890": "123456789012345678901234567890",
}


class Teller:
    """Calls with arguments written by hand."""

    def __init__(self, server, name: str):
        entry = server.organization()
        self.url = entry["mcp"]
        self.token = (entry["tokens"]["agents"] | entry["tokens"]["people"])[name]

    def call(self, tool: str, arguments: str) -> tuple[dict, str]:
        envelope, text = raw.call(self.url, self.token, tool, arguments)
        assert envelope["ok"], text
        return envelope["data"], text


@pytest.mark.parametrize(("number", "shown"), NUMBERS.items())
def test_a_number_comes_back_as_it_was_spelled(server, number, shown):
    alpha, mira = Teller(server, "alpha"), Teller(server, "mira@example.com")
    start = (
        f'{{"process": "purchase-order", "inputs": {{"item": "x", "budget": {number}}}, "requestId": "{uuid.uuid4()}"}}'
    )
    run, text = alpha.call("start_run", start)
    id = run["run"]["id"]
    assert f'"budget":{shown}' in text

    taken = f'{{"runId": "{id}", "stepId": "prepare", "requestId": "{uuid.uuid4()}"}}'
    held, text = alpha.call("claim", taken)
    assert f'"budget":{shown}' in text
    work = (
        f'{{"token": "{held["token"]}", "output": {{"supplier": "y", "total": {number}, "terms": "prepaid"}}, '
        '"evidence": [{"kind": "link", "ref": "z"}], "summary": "s", "next": "large", "reason": "r", '
        f'"requestId": "{uuid.uuid4()}"}}'
    )
    waiting, text = alpha.call("submit", work)
    assert f'"budget":{shown}' in text
    assert f'"total":{shown}' in text
    [item] = waiting["workItems"]
    decision = item["decide"]["arguments"] | {"decision": "approved", "requestId": str(uuid.uuid4())}
    _, text = mira.call("decide", json.dumps(decision))
    assert f'"total":{shown}' in text
    for tool, arguments in {"start_run": start, "claim": taken, "submit": work}.items():
        _, replayed = alpha.call(tool, arguments)
        assert f'"budget":{shown}' in replayed
    _, text = mira.call("get_run", f'{{"runId": "{id}"}}')
    assert f'"total":{shown}' in text


def test_equal_arguments_have_equal_digits(server):
    alpha = Teller(server, "alpha")
    id = str(uuid.uuid4())
    start = '{"process": "purchase-order", "inputs": {"item": "x", "budget": %s}, "requestId": "%s"}'
    run, _ = alpha.call("start_run", start % ("2.50", id))
    again, _ = alpha.call("start_run", start % ("2.50", id))
    assert again == run
    envelope, _ = raw.call(alpha.url, alpha.token, "start_run", start % ("2.5", id))
    assert envelope["error"]["code"] == "conflict"
    assert envelope["error"]["issues"] == ["request_id_reused"]


def test_one_of_compares_numbers_by_value(server):
    alpha = Teller(server, "alpha")
    form = {
        "consignee": "c", "incoterm": "FOB", "value": 1, "fragile": True, "leaves_on": "2027-01-01",
        "sealed_at": "2027-01-01T00:00:00Z", "positions": [], "codes": [], "carrier": {}, "clerk": "c@example.com",
    }
    for rate, is_taken in {"2.5": True, "2.500": True, "25e-1": True, "0.0": True, "2.49": False}.items():
        start = f'{{"process": "customs-form", "inputs": {{"shipment": {{}}}}, "requestId": "{uuid.uuid4()}"}}'
        run, _ = alpha.call("start_run", start)
        taken = f'{{"runId": "{run["run"]["id"]}", "stepId": "fill", "requestId": "{uuid.uuid4()}"}}'
        held, _ = alpha.call("claim", taken)
        output = json.dumps(form)[:-1] + f', "rate": {rate}}}'
        work = (
            f'{{"token": "{held["token"]}", "output": {output}, "evidence": [{{"kind": "link", "ref": "z"}}], '
            f'"summary": "s", "requestId": "{uuid.uuid4()}"}}'
        )
        envelope, text = raw.call(alpha.url, alpha.token, "submit", work)
        assert envelope["ok"] is is_taken, text
        if is_taken:
            assert f'"rate":{rate}' in text
