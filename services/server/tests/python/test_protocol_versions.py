"""The official client in each of its modes: what it agrees on with the server, and a whole process in that version."""

from contextlib import AsyncExitStack

import pytest

from callers import Cast
from play import decide, ending, item_of, order, prepare, start_purchase, states

pytestmark = pytest.mark.anyio

MODES = {"legacy": "2025-11-25", "auto": "2026-07-28", "2026-07-28": "2026-07-28"}


@pytest.mark.parametrize("mode", MODES)
async def test_a_client_of_every_mode_goes_through_a_process(server, mode):
    async with AsyncExitStack() as stack:
        cast = Cast(server, mode, stack)
        agent, person = await cast("alpha"), await cast("mira")
        for caller in (agent, person):
            assert caller.client.protocol_version == MODES[mode]
        run = await start_purchase(agent)
        await prepare(agent, run, "large")
        rework = await decide(person, await item_of(person, run), "rejected", note="Dear.")
        assert states(rework)["prepare"] == "ready"
        await prepare(agent, run, "large", total=450)
        await decide(person, await item_of(person, run), "approved")
        assert ending(await order(agent, run)) == ("ended", "ordered", None)
        await cast.replay()
