"""Plays games through the client of MCP's Python SDK, version 1 or 2, and prints the results.

Arguments: the URL of the server or the path of its command, then a mode for each game, which
version 1 ignores.
"""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import mcp
from mcp import StdioServerParameters

JUDGED = {"played": [0, 1], "starts": "X", "player": "O"}


@asynccontextmanager
async def connected(target: str, mode: str) -> AsyncIterator:
    """Yield a client, connected over HTTP or standard input and output."""
    is_url = target.startswith("http")
    command = StdioServerParameters(command=target, args=["mcp"])
    if hasattr(mcp, "Client"):
        async with mcp.Client(target if is_url else command, mode=mode) as client:
            yield client
    else:
        from mcp.client.stdio import stdio_client
        from mcp.client.streamable_http import streamablehttp_client

        async with (
            streamablehttp_client(target) if is_url else stdio_client(command) as (
                reads,
                writes,
                *_,
            ),
            mcp.ClientSession(reads, writes) as session,
        ):
            await session.initialize()
            yield session


def fields(result) -> dict:
    """Return the structured content of a result, whose name differs between the versions."""
    return (
        result.structured_content
        if hasattr(result, "structured_content")
        else result.structuredContent
    )


async def play(target: str, mode: str) -> dict:
    """Let the service play both sides and judge a move; send an invalid move; return all."""
    async with connected(target, mode) as client:
        tools = (await client.list_tools()).tools
        resources = (await client.list_resources()).resources
        game = {"played": [], "status": "in_progress"}
        while game["status"] == "in_progress":
            sent = {"played": game["played"], "starts": "X", "you": None, "difficulty": None}
            result = await client.call_tool("best_move", sent)
            game = fields(result)
        judged = fields(await client.call_tool("judge_move", JUDGED))
        invalid = await client.call_tool("best_move", {"played": [4, 4], "starts": "X"})
        board = await client.read_resource(resources[0].uri)
    return {
        "tools": [tool.name for tool in tools],
        "played": game["played"],
        "status": game["status"],
        "text": result.content[0].text.splitlines()[-2],
        "mistake": judged["mistake"],
        "error": invalid.content[0].text,
        "board": board.contents[0].text.splitlines()[0],
    }


async def main(target: str, *modes: str) -> None:
    """Play a game in each mode."""
    print(json.dumps([await play(target, mode) for mode in modes]))


asyncio.run(main(*sys.argv[1:]))
