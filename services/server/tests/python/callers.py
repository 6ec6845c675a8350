"""Agents and people who call tools through the official client, and remember what they wrote."""

import json
import uuid
from contextlib import AsyncExitStack
from decimal import Decimal

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from schemas import check_arguments, check_error, check_result
from server import Server

AGENTS = ("alpha", "beta")
READS = ("describe", "list_processes", "get_run", "get_work", "list_runs")


class Refused(Exception):
    """A tool's error."""

    def __init__(self, error: dict):
        super().__init__(json.dumps(error, default=str))
        self.code: str = error["code"]
        self.issues: list[str] = error.get("issues", [])
        self.message: str = error["message"]


class Caller:
    """One identity at one organization's server."""

    def __init__(self, client: Client):
        self.client = client
        self.writes: list[tuple[str, dict, dict]] = []

    async def call(self, tool: str, **arguments) -> dict:
        """The data of a result, digits as they were sent. A write gets a new requestId unless it has one."""
        if tool not in READS:
            arguments.setdefault("requestId", str(uuid.uuid4()))
        data = await self.send(tool, arguments)
        check_arguments(tool, arguments)
        if tool not in READS:
            self.writes.append((tool, arguments, data))
        return data

    async def send(self, tool: str, arguments: dict) -> dict:
        result = await self.client.call_tool(tool, arguments)
        [block] = result.content
        assert json.loads(block.text) == result.structured_content
        envelope = json.loads(block.text, parse_float=Decimal)
        assert result.is_error is not envelope["ok"]
        if envelope["ok"]:
            assert envelope.keys() == {"ok", "data"}
            check_result(tool, envelope["data"])
            return envelope["data"]
        assert envelope.keys() == {"ok", "error"}
        check_error(envelope["error"])
        raise Refused(envelope["error"])

    async def refused(self, tool: str, **arguments) -> tuple[str, list[str]]:
        """Code and issues of a call that must be refused."""
        if tool not in READS:
            arguments.setdefault("requestId", str(uuid.uuid4()))
        try:
            data = await self.send(tool, arguments)
        except Refused as refusal:
            return refusal.code, refusal.issues
        raise AssertionError(f"{tool} was not refused: {data}")

    async def work_on(self, run: dict) -> list[dict]:
        """What get_work offers of a run."""
        items, cursor = [], {}
        while True:
            page = await self.call("get_work", limit=100, **cursor)
            items += [item for item in page["items"] if item["runId"] == run["run"]["id"]]
            if page["nextCursor"] is None:
                return items
            cursor = {"cursor": page["nextCursor"]}


class Cast:
    """Everybody of a demo organization, each with a client of an era."""

    def __init__(self, server: Server, era: str, stack: AsyncExitStack):
        self.server, self.era, self._stack = server, era, stack
        self._callers: dict[tuple[str, str], Caller] = {}

    async def __call__(self, name: str, org: str = "demo") -> Caller:
        if (name, org) not in self._callers:
            entry = self.server.organization(org)
            token = (
                entry["tokens"]["agents"][name]
                if name in AGENTS
                else entry["tokens"]["people"][f"{name}@example.com"]
            )
            self._callers[name, org] = await self.with_token(token, entry["mcp"])
        return self._callers[name, org]

    async def with_token(self, token: str, url: str) -> Caller:
        http = httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=30)
        await self._stack.enter_async_context(http)
        transport = streamable_http_client(url, http_client=http)
        client = await self._stack.enter_async_context(Client(transport, mode=self.era))
        return Caller(client)

    async def replay(self) -> None:
        """Every write again, with its requestId: the original result, whatever happened since (process.md §5)."""
        for caller in self._callers.values():
            for tool, arguments, original in caller.writes:
                assert await caller.send(tool, arguments) == original, tool
