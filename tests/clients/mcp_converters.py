"""Converts the MCP tools with the SDKs of OpenAI, Anthropic and Google, and calls each tool.

Prints the results. Argument: the path of the command.
"""

import asyncio
import json
import sys

import anthropic
from agents.mcp import MCPServerStdio, MCPUtil
from agents.tool_context import ToolContext
from google.genai._mcp_utils import mcp_to_gemini_tool

CALLS = (
    {"played": [0, 1, 2], "starts": "X", "you": None, "difficulty": None, "player": "X"},
    {"played": [0, 1, 2], "starts": "O", "you": "X", "difficulty": "perfect", "player": "X"},
)


async def main(command: str) -> None:
    """Convert each tool, and call it with nulls and with values."""
    found = {}
    async with MCPServerStdio({"command": command, "args": ["mcp"]}) as server:
        for tool in await server.list_tools():
            function = MCPUtil.to_function_tool(tool, server, convert_schemas_to_strict=True)
            (declaration,) = mcp_to_gemini_tool(tool).function_declarations
            texts = []
            for call in CALLS:
                sent = json.dumps(
                    {name: call[name] for name in function.params_json_schema["required"]}
                )
                context = ToolContext(
                    context=None, tool_name=tool.name, tool_call_id="1", tool_arguments=sent
                )
                texts.append((await function.on_invoke_tool(context, sent))["text"])
            found[tool.name] = {
                "is strict": function.strict_json_schema,
                "strict": function.params_json_schema,
                "anthropic": anthropic.transform_schema(tool.input_schema),
                "google": declaration.model_dump(mode="json", exclude_none=True)["parameters"],
                "texts": texts,
            }
    print(json.dumps(found))


asyncio.run(main(sys.argv[1]))
