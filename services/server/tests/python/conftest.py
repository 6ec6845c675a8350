"""One server for all tests, and a cast that plays on it in both eras of the protocol."""

from contextlib import AsyncExitStack

import pytest

from callers import Cast
from server import Server


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def server():
    with Server("--time-travel", "--orgs", "2") as server:
        server.publish("purchase-order", "operations=operations", "finance=finance", "legal=legal")
        server.publish("second-opinion")
        server.publish("customs-form")
        server.publish("errand", "finance=finance")
        yield server


@pytest.fixture(params=["legacy", "2026-07-28"])
def era(request) -> str:
    return request.param


@pytest.fixture
async def cast(server, era, anyio_backend):
    """After each test everything that was written is sent again."""
    async with AsyncExitStack() as stack:
        cast = Cast(server, era, stack)
        yield cast
        await cast.replay()
