"""A chatbot's host plays a whole game through the protocol's own client, in a mode that it is told, and prints it."""

import asyncio
import json
import sys

from mcp import Client


async def main(address: str, mode: str) -> None:
    """Let the service play both sides, keeping nothing but the list of moves, then get a move wrong."""
    async with Client(address, mode=mode) as client:
        tools = await client.list_tools()
        played: list[int] = []
        status = "in_progress"
        while status == "in_progress":
            result = await client.call_tool("best_move", {"played": played})
            played, status = result.structured_content["played"], result.structured_content["status"]
        judged = await client.call_tool("judge_move", {"played": [0, 1]})
        wrong = await client.call_tool("best_move", {"played": [4, 4]})
    print(
        json.dumps(
            {
                "tools": [tool.name for tool in tools.tools],
                "played": played,
                "status": status,
                "mistake": judged.structured_content["mistake"],
                "told": wrong.content[0].text if wrong.is_error else None,
            }
        )
    )


asyncio.run(main(*sys.argv[1:]))
