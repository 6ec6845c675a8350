"""The answers that a model makes one expect: the run view, work items, get_work, claim (tools.md)."""

from model import Model, stamp

DECISIONS = {
    "task": ["completed", "failed"], "approve": ["approved", "rejected", "failed"],
    "escalated": ["returned", "completed", "failed"],
}


def state_of(model: Model) -> str:
    if model.end:
        return "cancelled" if model.is_cancelled else "ended"
    is_active = any(standing.state in ("ready", "claimed") for standing in model.steps.values())
    return "active" if is_active else "waiting"


def data_of(model: Model) -> dict:
    return {"inputs": model.inputs, "steps": model.records}


def steps_of(model: Model) -> list[dict]:
    return [_step(model, id) for id in model.process.steps]


def _step(model: Model, id: str) -> dict:
    standing = model.steps[id]
    due = {"due": stamp(standing.due), "overdue": standing.overdue} if standing.due else {}
    return {"id": id, "kind": model.process.steps[id].kind, "state": standing.state} | due


def contract_of(model: Model, id: str) -> dict:
    """What must be handed in; the same for a claim and a work item."""
    step = model.process.steps[id]
    return {"output": step.output, "evidence": step.evidence, "next": step.routes}


def items_of(model: Model, mode: str) -> dict[str, dict]:
    """The open work items by their step, without what only the server knows: id, snapshot, the ready-made call."""
    with_people = {id: standing for id, standing in model.steps.items() if standing.assigned}
    return {id: _item(model, id, mode) for id in with_people}


def _item(model: Model, id: str, mode: str) -> dict:
    step, standing = model.process.steps[id], model.steps[id]
    no_contract = {"output": None, "evidence": None, "next": None}
    return {
        "stepId": id, "kind": step.kind, "text": step.value, "handoff": standing.handoff or None,
        "due": standing.due and stamp(standing.due), "escalation": standing.escalation,
        **(no_contract if step.kind == "approve" else contract_of(model, id)),
        **({"mode": "test"} if mode == "test" else {}),
    }


def decisions_of(model: Model, id: str) -> list[str]:
    return DECISIONS["escalated" if model.steps[id].escalation else model.process.steps[id].kind]


def offers_of(model: Model, run: dict) -> list[dict]:
    """What get_work offers agents."""
    return [_offer(model, run, id) for id, standing in model.steps.items() if standing.state == "ready"]


def _offer(model: Model, run: dict, id: str) -> dict:
    standing = model.steps[id]
    arguments = {"runId": run["id"], "stepId": id, "requestId": "<new UUID>"}
    return {
        "runId": run["id"], "stepId": id, "process": run["process"], "version": run["version"], "mode": run["mode"],
        "readySince": stamp(standing.since), "due": standing.due and stamp(standing.due), "overdue": standing.overdue,
        "handoff": standing.handoff or None, "claim": {"tool": "claim", "arguments": arguments},
    }


def agree(found, expected) -> None:
    """Fails with every place where two answers differ, however large they are."""
    lines = list(_differences(found, expected, ""))
    assert not lines, "\n".join(lines)


def _differences(found, expected, path: str):
    if isinstance(found, dict) and isinstance(expected, dict):
        for key in sorted(found.keys() | expected.keys()):
            yield from _differences(found.get(key, "absent"), expected.get(key, "absent"), f"{path}.{key}")
    elif isinstance(found, list) and isinstance(expected, list) and len(found) == len(expected):
        for at, pair in enumerate(zip(found, expected, strict=True)):
            yield from _differences(*pair, f"{path}[{at}]")
    elif found != expected:
        yield f"{path}: {found!r}, not {expected!r}"
