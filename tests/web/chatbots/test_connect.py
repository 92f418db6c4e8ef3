"""How chat clients connect: the same lines on the page and in the README."""

import html
import json
import re
from typing import Any

import jsonschema  # type: ignore[import-untyped]  # it ships no types
import pytest
from flask.testing import FlaskClient

from best_move.web.chatbots.connect import CLIENTS, Client
from tests.readme import rows
from tests.web.conftest import problem

BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
URL = "http://localhost:8000/mcp"


def exactly(**properties: Any) -> dict[str, Any]:
    """Return the schema of an object that has these properties and no others."""
    required = list(properties)
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


ADDRESS = {"type": "string", "pattern": "^https?://"}
HTTP = {"enum": ["http"]}
COMMAND = exactly(command={"type": "string"}, args={"type": "array", "items": {"type": "string"}})

#  The part of each client's schema that the lines use. VS Code: mcpServerSchema in its mcpConfiguration.ts. The others:
#  their documentation. Claude Code was seen to accept its line, and to connect over HTTP and to the command.
SCHEMAS = {
    "Claude Code": exactly(mcpServers=exactly(**{"best-move": exactly(type=HTTP, url=ADDRESS)})),
    "Cursor": exactly(mcpServers=exactly(**{"best-move": exactly(url=ADDRESS)})),
    "VS Code": exactly(servers=exactly(**{"best-move": exactly(type=HTTP, url=ADDRESS)})),
    "Claude Desktop": exactly(mcpServers=exactly(**{"best-move": COMMAND})),
}


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
def test_the_lines_fit_the_schema_of_the_client(client: Client) -> None:
    """Each client's lines have the keys that it reads, and no others."""
    jsonschema.validate(json.loads(client.lines(URL)), SCHEMAS[client.name])


def test_the_readme_has_the_lines_of_the_page() -> None:
    """The table of the README has each client with its settings file and its line."""
    assert rows("Chat clients") == [
        [client.name, f"`{client.settings}` {client.place}", f"`{client.lines(URL)}`"] for client in CLIENTS
    ]


@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
def test_a_browser_gets_a_page_with_its_own_url(client: FlaskClient, path: str) -> None:
    """The page has the lines of each client with the URL as the browser knows it, and all tools."""
    headers = BROWSER | {"Host": "play.example:8443", "X-Forwarded-Proto": "https", "X-Forwarded-Prefix": "/ttt"}
    response = client.get(path, headers=headers)
    assert (response.status_code, response.mimetype) == (200, "text/html")
    assert "Accept" in response.vary
    assert "frame-ancestors 'none'" in response.headers["Content-Security-Policy"]
    shown = [html.unescape(lines) for lines in re.findall(r"<pre[^>]*>(.*?)</pre>", response.text)]
    assert shown == [client.lines("https://play.example:8443/ttt/mcp") for client in CLIENTS]
    assert all(name in response.text for name in ("best_move", "judge_move", "best-move mcp"))


@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
@pytest.mark.parametrize("accept", ["text/event-stream", "application/json, text/event-stream", "*/*", ""])
def test_a_client_gets_no_stream(client: FlaskClient, path: str, accept: str) -> None:
    """A client that asks for a stream of messages is told that there is none."""
    response = client.get(path, headers={"Accept": accept})
    problem(response, 405, "method_not_allowed")
    assert response.headers["Allow"] == client.options(path).headers["Allow"] == "OPTIONS, POST"
