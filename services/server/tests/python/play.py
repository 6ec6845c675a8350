"""What scripted agents and people do in the processes beside this folder."""

from callers import Caller, Cast

LINK = {"kind": "link", "ref": "https://example.com/offers/7"}
OFFER = {"supplier": "Paper & Sons", "total": 480, "terms": "on delivery"}


async def start_purchase(by: Caller, **more) -> dict:
    inputs = {"item": "paper, 40 boxes", "budget": 500}
    return await by.call("start_run", process="purchase-order", inputs=inputs, **more)


async def claim(agent: Caller, run: dict, step: str) -> dict:
    return await agent.call("claim", runId=run["run"]["id"], stepId=step)


async def prepare(agent: Caller, run: dict, route: str, **output) -> dict:
    """Claims `prepare` and submits it with a route."""
    held = await claim(agent, run, "prepare")
    return await agent.call(
        "submit", token=held["token"], output=OFFER | output, evidence=[LINK], summary=f"Prepared for {route}.",
        next=route, reason=f"It is a case for {route}.",
    )


async def order(agent: Caller, run: dict) -> dict:
    """Claims `order` and submits it."""
    held = await claim(agent, run, "order")
    return await agent.call("submit", token=held["token"], output={"number": "PO-1"}, summary="Ordered.")


async def item_of(person: Caller, run: dict) -> dict:
    """The one work item of a run that this person sees."""
    [entry] = await person.work_on(run)
    return entry["workItem"]


async def decide(person: Caller, item: dict, decision: str, **more) -> dict:
    """Decides an item with its ready-made call."""
    assert decision in item["decide"]["decisions"]
    arguments = item["decide"]["arguments"] | {"decision": decision} | more
    del arguments["requestId"]
    return await person.call(item["decide"]["tool"], **arguments)


async def escalated(cast: Cast, run: dict, step: str, note: str) -> dict:
    """An agent gives a step to the operators; their item."""
    agent, operator = await cast("alpha"), await cast("olga")
    held = await claim(agent, run, step)
    view = await agent.call("escalate", token=held["token"], note=note)
    assert states(view)[step] == "waiting"
    item = await item_of(operator, run)
    assert item["escalation"]["note"] == note
    return item


def states(view: dict) -> dict:
    return {step["id"]: step["state"] for step in view["steps"]}


def record(view: dict, step: str) -> dict:
    return view["data"]["steps"][step]


def ending(view: dict) -> tuple:
    run = view["run"]
    return run["state"], run["outcome"], run["ended"] and run["ended"]["note"]
