"""Calls as text: what the official client cannot send, such as numbers beyond a float."""

import json
import urllib.error
import urllib.request
from decimal import Decimal


def post(url: str, token: str | None, body: str) -> tuple[int, dict, dict]:
    """Status, headers and JSON body of one MCP request."""
    headers = {
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": "2025-11-25",
    }
    if token is not None:
        headers["authorization"] = f"Bearer {token}"
    request = urllib.request.Request(url, body.encode(), headers)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, dict(answer.headers), json.loads(answer.read(), parse_float=Decimal)
    except urllib.error.HTTPError as refusal:
        return refusal.code, dict(refusal.headers), json.loads(refusal.read() or b"null")


def call(url: str, token: str, tool: str, arguments: str) -> tuple[dict, str]:
    """The envelope of a tool's result, and the text that carries it."""
    body = (
        '{"jsonrpc": "2.0", "id": 1, "method": "tools/call", '
        f'"params": {{"name": "{tool}", "arguments": {arguments}}}}}'
    )
    status, _, answer = post(url, token, body)
    assert status == 200, answer
    [block] = answer["result"]["content"]
    return answer["result"]["structuredContent"], block["text"]
