"""Plays games through the client of MCP's Python SDK, version 1 or 2, and prints the results.

Arguments: the URL of the server and the path of its command.
"""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import mcp
from mcp import StdioServerParameters
from mcp.client.stdio import stdio_client

URL, COMMAND = sys.argv[1:]
STDIO = StdioServerParameters(command=COMMAND, args=["mcp"])


@asynccontextmanager
async def version_1(*, is_http: bool) -> AsyncIterator:
    """Yield a client of version 1 of the SDK."""
    from mcp.client.streamable_http import streamablehttp_client

    transport = streamablehttp_client(URL) if is_http else stdio_client(STDIO)
    async with transport as (reads, writes, *_), mcp.ClientSession(reads, writes) as client:
        await client.initialize()
        yield client


async def play(connection) -> dict:
    """Let the service play both sides and judge a move; send an invalid move; return all."""

    def fields(result) -> dict:
        return result.model_dump(by_alias=True)["structuredContent"]

    async with connection as client:
        tools = (await client.list_tools()).tools
        resources = (await client.list_resources()).resources
        game = {"played": [], "status": "in_progress"}
        while game["status"] == "in_progress":
            sent = {"played": game["played"], "starts": "X", "you": None, "difficulty": None}
            result = await client.call_tool("best_move", sent)
            game = fields(result)
        judged = {"played": [0, 1], "starts": "X", "player": "O"}
        judgment = fields(await client.call_tool("judge_move", judged))
        invalid = await client.call_tool("best_move", {"played": [4, 4], "starts": "X"})
        board = await client.read_resource(resources[0].uri)
    return {
        "tools": [tool.name for tool in tools],
        "played": game["played"],
        "status": game["status"],
        "text": result.content[0].text.splitlines()[-2],
        "mistake": judgment["mistake"],
        "error": invalid.content[0].text,
        "board": board.contents[0].text.splitlines()[0],
    }


async def main() -> None:
    """Play a game by each connection."""
    if hasattr(mcp, "Client"):
        modes = ("legacy", "auto", "2026-07-28")
        connections = [mcp.Client(URL, mode=mode) for mode in modes]
        connections.append(mcp.Client(STDIO, mode="auto"))
    else:
        connections = [version_1(is_http=True), version_1(is_http=False)]
    print(json.dumps([await play(connection) for connection in connections]))


asyncio.run(main())
