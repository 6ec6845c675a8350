"""Processes to every end that a run of them can have, over MCP, beside a second reading of process.md.

All walks share one server and go side by side. What they show: every finish, every edge, every failure and cancellation,
and at every step what can go wrong there; each answer is compared with a model of the run, and with both sets of schemas.
"""

import asyncio
import time
from dataclasses import dataclass
from pathlib import Path

import httpx2
import pytest

pytest.register_assert_rewrite("drive", "tracked", "troubles")

from document import Process, read
from drive import Driven
from schemas import PUBLIC
from server import PROCESSES, Server
from world import World

CORPUS = PUBLIC.parents[2]
NO_UPLOAD = "This server does not take files yet: it has no `upload` tool"
NO_EVALUATOR = "This server has no evaluator for `check`"
# What a server without uploads and evaluator cannot run (process.md §8 and §9.4).
REFUSED = {
    "contract-review": {"steps[0].evidence": NO_UPLOAD, "steps[3].evidence": NO_UPLOAD},
    "expense-reimbursement": {"steps[0].evidence": NO_UPLOAD},
    "supplier-rfp": {"steps[0].evidence": NO_UPLOAD},
    "vendor-check": {"steps[0].evidence": NO_UPLOAD, "steps[0].check": NO_EVALUATOR},
}


def files() -> list[Path]:
    ours = sorted(PROCESSES.glob("*/PROCESS.md"))
    return ours + sorted(CORPUS.glob("process/fixtures/*/PROCESS.md")) + sorted(CORPUS.glob("process/marketplace/*/PROCESS.md"))


@dataclass
class Outcome:
    """What became of a file."""

    published: dict
    driven: Driven
    error: Exception | None = None


async def drive(world: World, process: Process) -> Outcome:
    async with world.walking():
        driven = Driven(world, process)
        outcome = Outcome(await world.publish(process, driven.roles), driven)
        try:
            if "error" not in outcome.published:
                await driven.walk_everywhere()
        except Exception as error:
            outcome.error = error
        return outcome


async def drive_all(server: Server, processes: list[Process]) -> tuple[World, list[Outcome]]:
    async with httpx2.AsyncClient(timeout=60, limits=httpx2.Limits(max_keepalive_connections=None)) as http:
        world = World(server, http)
        await world.introduce()
        return world, await asyncio.gather(*(drive(world, process) for process in processes))


@pytest.fixture(scope="module")
def driven() -> tuple[World, dict[Path, Outcome], float]:
    paths = files()
    with Server("--time-travel") as server:
        before = time.monotonic()
        world, outcomes = asyncio.run(drive_all(server, [read(path) for path in paths]))
        return world, dict(zip(paths, outcomes, strict=True)), time.monotonic() - before


@pytest.mark.parametrize("path", files(), ids=lambda path: f"{path.parts[-3]}/{path.parts[-2]}")
def test_a_process_is_driven_to_every_end_or_refused_for_what_it_needs(driven, path):
    outcome = driven[1][path]
    errors = [problem for problem in outcome.published["problems"] if problem["severity"] == "error"]
    refused = {problem["path"]: problem["message"].split(". ")[0] for problem in errors}
    assert refused == REFUSED.get(path.parent.name, {})
    if outcome.error:
        raise outcome.error
    reachable = sum(step.kind == "finish" for step in outcome.driven.process.steps.values())
    assert outcome.driven.finishes == (0 if refused else reachable)


def test_what_was_driven(driven, capsys):
    """Nothing is judged here: it is said what the tests above stand for."""
    world, outcomes, seconds = driven
    rows = [(f"{path.parts[-3]}/{path.parts[-2]}", outcome.driven.finishes, outcome.driven.walks) for path, outcome in outcomes.items()]
    finishes, walks = (sum(row[at] for row in rows) for at in (1, 2))
    with capsys.disabled():
        print(f"\n{'process':44} finishes  walks")
        for row in rows:
            print("{:44} {:8} {:6}".format(*row))
        print(f"{len(rows)} processes, {finishes} finishes, {walks} walks, {world.calls.total()} calls in {seconds:.0f} s")
        if not CORPUS.exists():
            print("skipped: the corpus is not at hand (set BATON_CORPUS)")
