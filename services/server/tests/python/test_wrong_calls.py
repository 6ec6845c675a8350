"""Calls as agents and models get them wrong: each answer says what is wrong, where, and what to do."""

import json
import uuid

import pytest

from raw import call, post

LINK = {"kind": "link", "ref": "https://example.com/offers/7"}
INPUTS = {"item": "paper, 40 boxes", "budget": 500}
OFFER = {"supplier": "Paper & Sons", "total": 480, "terms": "on delivery"}
WORK = {"token": "$token", "output": OFFER, "evidence": [LINK], "summary": "Asked.", "next": "small", "reason": "Cheap."}
ITEM = {"runId": "$asked", "workItemId": "$item", "snapshot": "$snapshot"}
START = {"process": "purchase-order", "inputs": INPUTS}

SUBMIT = (
    "The arguments of submit are not valid. It takes token, output, summary, requestId and, if wanted, evidence, next, reason."
)
DECIDE = (
    "The arguments of decide are not valid. It takes runId, workItemId, snapshot, decision, requestId and, if wanted, output, "
    "evidence, summary, next, reason, note."
)
NOT_ACCEPTED = "The submission was not accepted; mend every issue and submit again with a new requestId."
NO_PROCESS = "There is no such process or version in this organization; list_processes shows what there is."
CANNOT_START = "The run cannot start like this; mend every issue and start again."
NO_TOKEN = "The token does not verify. Give the token of your newest claim or renew result, unchanged."


def without(arguments: dict, *names: str) -> dict:
    return {name: value for name, value in arguments.items() if name not in names}


# What was done, by whom, with which tool and arguments (`$…` stands for what is there to name), and the error.
CALLS = [
    (
        "names in another style", "alpha", "claim", {"run_id": "$free", "step": "prepare"},
        "invalid", "The arguments of claim are not valid. It takes runId, stepId, requestId.",
        ["arguments.runId: missing", "arguments.stepId: missing", "arguments.run_id: not declared, did you mean runId",
         "arguments.step: not declared, did you mean stepId"],
    ),
    (
        "no requestId", "alpha", "claim", {"runId": "$free", "stepId": "prepare", "requestId": None},
        "invalid", "The arguments of claim are not valid. It takes runId, stepId, requestId.",
        ["arguments.requestId: expected string"],
    ),
    (
        "the placeholder, sent by two", "alpha", "claim", {"runId": "$free", "stepId": "prepare", "requestId": "<new UUID>"},
        "conflict", "This requestId was used for another request; use a new one for every new request.",
        ["request_id_reused"],
    ),
    (
        "inputs as a string", "alpha", "start_run", START | {"inputs": json.dumps(INPUTS)},
        "invalid", "The arguments of start_run are not valid. It takes process, inputs, requestId and, if wanted, version, mode.",
        ["arguments.inputs: expected object, not a string that holds one"],
    ),
    (
        "inputs beside the process", "alpha", "start_run", {"process": "purchase-order"} | INPUTS,
        "invalid", "The arguments of start_run are not valid. It takes process, inputs, requestId and, if wanted, version, mode.",
        ["arguments.inputs: missing", "arguments.budget: not declared", "arguments.item: not declared"],
    ),
    (
        "inputs misspelled, wrong and too many", "alpha", "start_run",
        START | {"inputs": {"Item": "paper", "budget": "500 EUR", "wanted_by": "24.12.2026"}},
        "invalid", CANNOT_START,
        ["inputs.item: missing", "inputs.budget: expected number", "inputs.wanted_by: expected date",
         "inputs.Item: not declared"],
    ),
    (
        "an input null", "alpha", "start_run", START | {"inputs": INPUTS | {"item": None}},
        "invalid", CANNOT_START, ["inputs.item: expected string"],
    ),
    ("a process misspelled", "alpha", "start_run", START | {"process": "purchase-orders"}, "not_found", NO_PROCESS, []),
    ("a version that is not there", "alpha", "start_run", START | {"version": 7}, "not_found", NO_PROCESS, []),
    (
        "an agent starts what needs an initiator", "alpha", "start_run",
        {"process": "second-opinion", "inputs": {"topic": "x", "reviewer": "ines@example.com"}},
        "invalid", CANNOT_START, ["initiator: only a person can start this process"],
    ),
    (
        "a run that is not there", "alpha", "get_run", {"runId": "r_123"},
        "not_found", "There is no such run in this organization; list_runs shows what there is.", [],
    ),
    (
        "a step misspelled", "alpha", "claim", {"runId": "$free", "stepId": "prepar"},
        "not_found", "The process of this run has no such step; call get_run to see its steps.", [],
    ),
    (
        "a person's step claimed", "alpha", "claim", {"runId": "$asked", "stepId": "small"},
        "forbidden",
        "This step is not an agent step; it is completed by a person or by the server; call get_work to see which steps you "
        "can claim.",
        [],
    ),
    (
        "a step claimed twice", "alpha", "claim", {"runId": "$run", "stepId": "prepare"},
        "conflict", "You hold this step already; retry the claim with its own requestId to see the token again.",
        ["claimed_by_you"],
    ),
    (
        "a step that another holds", "beta", "claim", {"runId": "$run", "stepId": "prepare"},
        "conflict", "Another agent holds this step until $expires at least; call get_work for other work.",
        ["claimed_by_other"],
    ),
    (
        "a step before its time", "alpha", "claim", {"runId": "$run", "stepId": "order"},
        "conflict", "This step is not ready to be claimed now; call get_work to see which are.", ["not_ready"],
    ),
    ("a token cut off", "alpha", "submit", WORK | {"token": "$cut"}, "invalid", NO_TOKEN, ["token: does not verify"]),
    (
        "a token of another agent", "beta", "submit", WORK,
        "forbidden", "This token was issued to another agent; claim the step yourself.", [],
    ),
    (
        "a token whose lease has ended", "beta", "submit", WORK | {"token": "$lapsed"},
        "stale", "The lease of this claim has ended; claim the step again.", [],
    ),
    (
        "output as a string", "alpha", "submit", WORK | {"output": json.dumps(OFFER)},
        "invalid", SUBMIT, ["arguments.output: expected object, not a string that holds one"],
    ),
    ("no summary", "alpha", "submit", without(WORK, "summary"), "invalid", SUBMIT, ["arguments.summary: missing"]),
    (
        "a summary too long", "alpha", "submit", WORK | {"summary": "x" * 2001},
        "invalid", SUBMIT, ["arguments.summary: 2001 characters, expected at most 2000"],
    ),
    (
        "evidence as strings", "alpha", "submit", WORK | {"evidence": ["https://example.com"]},
        "invalid", SUBMIT, ["arguments.evidence[0]: expected object with kind and ref"],
    ),
    (
        "evidence in other words", "alpha", "submit", WORK | {"evidence": [{"kind": "url", "url": "https://example.com"}]},
        "invalid", SUBMIT,
        ["arguments.evidence[0].kind: expected one of file, link", "arguments.evidence[0].ref: missing",
         "arguments.evidence[0].url: not declared"],
    ),
    (
        "a NUL in a text", "alpha", "submit", WORK | {"output": OFFER | {"supplier": "a\0b"}},
        "invalid", "The arguments are not valid.", ["arguments.output.supplier: the character U+0000 is not allowed"],
    ),
    (
        "a route that is none, and all the rest", "alpha", "submit",
        WORK | {"output": {"total": "480"}, "evidence": [], "summary": " ", "next": "medium", "reason": ""},
        "not_accepted", NOT_ACCEPTED,
        ["summary: missing", "evidence: link required", "next: not allowed, one of small, large, contract, refused",
         "reason: required", "output.supplier: missing", "output.total: expected number", "output.terms: missing"],
    ),
    ("a route without a reason", "alpha", "submit", without(WORK, "reason"), "not_accepted", NOT_ACCEPTED, ["reason: required"]),
    (
        "a person submits", "sam", "submit", WORK,
        "forbidden", "Only an agent can do this; people decide their items with decide.", [],
    ),
    (
        "an agent decides", "alpha", "decide", ITEM | {"decision": "approved"},
        "forbidden", "Only a person can do this; an agent identity never decides, not even one acting for a person.", [],
    ),
    (
        "another group's item decided", "kofi", "decide", ITEM | {"decision": "approved"},
        "forbidden", "This item is not assigned to you; call get_work to see those that are.", [],
    ),
    (
        "a decision on what was before", "sam", "decide", ITEM | {"decision": "approved", "snapshot": "sha256:" + "0" * 64},
        "stale", "Run data changed since you read it; call get_run or get_work again and decide with the new snapshot.", [],
    ),
    ("a rejection without a note", "sam", "decide", ITEM | {"decision": "rejected"}, "invalid", DECIDE, ["note: required"]),
    (
        "a word of another", "sam", "decide", ITEM | {"decision": "approve"},
        "invalid", DECIDE, ["arguments.decision: expected one of completed, approved, rejected, returned, failed"],
    ),
    (
        "an approval completed", "sam", "decide", ITEM | {"decision": "completed"},
        "not_accepted", "The decision was not accepted; mend every issue and decide again with a new requestId.",
        ["decision: completed is not offered, one of approved, rejected, failed"],
    ),
    (
        "an item that is not there", "sam", "decide", ITEM | {"decision": "approved", "workItemId": "w_1"},
        "not_found", "This run never had such a work item; call get_work to see those that wait for you.", [],
    ),
    (
        "a member cancels", "kofi", "cancel", {"runId": "$run", "reason": "Enough."},
        "forbidden", "Only an operator or an admin of this organization can do this.", [],
    ),
    (
        "a blank reason", "olga", "cancel", {"runId": "$run", "reason": " "},
        "invalid", "The arguments of cancel are not valid. It takes runId, reason, requestId.", ["reason: required"],
    ),
    (
        "a write after the end", "alpha", "claim", {"runId": "$ended", "stepId": "prepare"},
        "conflict", "The run has ended; nothing can be written to it any more.", ["run_ended"],
    ),
    (
        "a page of 1000", "alpha", "get_work", {"limit": 1000},
        "invalid", "The arguments of get_work are not valid. It takes, if wanted, limit, cursor, process.",
        ["arguments.limit: expected whole number from 1 to 100"],
    ),
    (
        "a cursor made up", "alpha", "get_work", {"cursor": "abc"},
        "invalid", "The cursor is not one that this list gave you. Leave it out to begin at the first page.",
        ["cursor: does not verify"],
    ),
    (
        "an argument where there is none", "alpha", "describe", {"verbose": True},
        "invalid", "The arguments of describe are not valid. It takes none.", ["arguments.verbose: not declared"],
    ),
]

READS = ("describe", "get_run", "get_work")


class Scene:
    """What the calls name: a run for each situation."""

    def __init__(self, server):
        self.demo = server.organization()
        self.url = self.demo["mcp"]
        lapsed = self.write("beta", "claim", runId=self.start(), stepId="prepare")
        server.advance_clock(24 * 3600)
        run, asked, ended = self.start(), self.start(), self.start()
        held = self.write("alpha", "claim", runId=run, stepId="prepare")
        asking = self.write("alpha", "claim", runId=asked, stepId="prepare")
        waiting = self.write("alpha", "submit", **WORK | {"token": asking["token"]})
        item = waiting["workItems"][0]["decide"]["arguments"]
        self.write("olga", "cancel", runId=ended, reason="Enough.")
        envelope, _ = call(
            self.url, self.token("beta"), "start_run", json.dumps(START | {"requestId": "<new UUID>"})
        )
        assert envelope["ok"], envelope
        self.names = {
            "$free": envelope["data"]["run"]["id"], "$run": run, "$asked": asked, "$ended": ended,
            "$token": held["token"], "$cut": held["token"][:-3], "$lapsed": lapsed["token"], "$expires": held["expiresAt"],
            "$item": item["workItemId"], "$snapshot": item["snapshot"],
        }

    def token(self, name: str) -> str:
        tokens = self.demo["tokens"]
        return tokens["agents"].get(name) or tokens["people"][f"{name}@example.com"]

    def write(self, name: str, tool: str, **arguments) -> dict:
        body = json.dumps({"requestId": str(uuid.uuid4())} | arguments)
        envelope, _ = call(self.url, self.token(name), tool, body)
        assert envelope["ok"], envelope
        return envelope["data"]

    def start(self) -> str:
        return self.write("alpha", "start_run", **START)["run"]["id"]

    def filled(self, text: str) -> str:
        for name, value in self.names.items():
            text = text.replace(name, value)
        return text


@pytest.fixture(scope="module")
def scene(server) -> Scene:
    return Scene(server)


@pytest.mark.parametrize(("who", "tool", "arguments", "code", "message", "issues"), [row[1:] for row in CALLS],
                         ids=[row[0] for row in CALLS])
def test_a_wrong_call_is_told_what_is_wrong_where_and_what_to_do(scene, who, tool, arguments, code, message, issues):
    if tool not in READS:
        arguments = {"requestId": str(uuid.uuid4())} | arguments
    envelope, _ = call(scene.url, scene.token(who), tool, scene.filled(json.dumps(arguments)))
    expected = {"code": code, "message": scene.filled(message)} | ({"issues": issues} if issues else {})
    assert envelope == {"ok": False, "error": expected}


@pytest.mark.parametrize(("request_", "code", "message"), [
    ({"method": "tools/call", "params": {"name": "get_runs", "arguments": {}}},
     -32602, "there is no such tool; tools/list shows what there is"),
    ({"method": "tools/call", "params": {"name": "get_work", "arguments": "{}"}},
     -32602, "malformed parameters: tools/call takes a name and arguments, which are an object"),
    ({"method": "get_work", "params": {}},
     -32601, "get_work is a tool, not a method: call tools/call with its name"),
], ids=["a tool that is not there", "arguments as a string", "a tool as a method"])
def test_a_call_that_reaches_no_tool_is_told_why(scene, request_, code, message):
    _, _, answer = post(scene.url, scene.token("alpha"), json.dumps({"jsonrpc": "2.0", "id": 1} | request_))
    assert answer["error"] == {"code": code, "message": message}
