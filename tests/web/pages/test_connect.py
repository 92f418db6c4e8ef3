"""How chat clients connect: the page has their lines, with the URL that the browser uses."""

import html
import json
import re
from base64 import b64decode
from urllib.parse import parse_qs, unquote

import pytest
from flask.testing import FlaskClient

from best_move.web.chatbots.tools import TOOLS
from tests.readme import block
from tests.web.conftest import problem
from tests.web.pages.served import BROWSER

HOST = {"Host": "play.example:8443", "X-Forwarded-Proto": "https", "X-Forwarded-Prefix": "/ttt é"}
DESKTOP = "Claude Desktop, without a public URL"
URL = "https://play.example:8443/ttt%20%C3%A9/mcp"


def shown(page: str) -> list[list[str]]:
    """Return the clients on the page, each with its name, the place for the line, and the line."""
    clients = re.findall(
        r"<h3>([^<]*)</h3>.*?<p>([^<]*):</p>.*?<pre[^>]*>([^<]*)</pre>", page, re.DOTALL
    )
    return [[html.unescape(text) for text in client] for client in clients]


def test_the_readme_has_a_line_of_the_page(client: FlaskClient) -> None:
    """The README's line is that of Claude Code."""
    page = client.get("/mcp", headers=BROWSER | {"Host": "localhost:8000"}).text
    lines = {name: line for name, _, line in shown(page)}
    assert block("Chat clients", "sh").strip() == lines["Claude Code 2.1"]


def test_a_line_for_a_settings_file_adds_one_server(client: FlaskClient) -> None:
    """Lines in JSON are valid, and have the URL, or a command instead."""
    page = client.get("/mcp", headers=BROWSER | HOST).text
    settings = {
        name: json.loads(line.removeprefix("code --add-mcp '").removesuffix("'"))
        for name, _, line in shown(page)
        if "{" in line
    }
    command = {"command": "/path/.venv/bin/best-move", "args": ["mcp"]}
    assert settings == {
        "Cursor": {"mcpServers": {"best-move": {"url": URL}}},
        "Windsurf": {"mcpServers": {"best-move": {"serverUrl": URL}}},
        "Zed": {"context_servers": {"best-move": {"url": URL}}},
        DESKTOP: {"mcpServers": {"best-move": command}},
        "VS Code": {"name": "best-move", "type": "http", "url": URL},
    }


def test_a_link_adds_the_server_at_the_url_of_the_page(client: FlaskClient) -> None:
    """Decoded as VS Code and Cursor do it, each link has the URL of the page."""
    page = client.get("/mcp", headers=BROWSER | HOST).text
    links = re.findall(r'href="((?:vscode|cursor):[\w%:/?.=;&-]+)"', page)
    (vs_code, server), (cursor, added) = (html.unescape(link).split("?") for link in links)
    assert (vs_code, cursor) == (
        "vscode:mcp/install",
        "cursor://anysphere.cursor-deeplink/mcp/install",
    )
    assert json.loads(unquote(server)) == {"name": "best-move", "type": "http", "url": URL}
    query = parse_qs(added, strict_parsing=True)
    assert query.pop("name") == ["best-move"]
    ((config,),) = query.values()
    assert json.loads(b64decode(config, validate=True)) == {"url": URL}


@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
def test_a_browser_gets_a_page_with_the_url_that_it_uses(client: FlaskClient, path: str) -> None:
    """Every line that has a URL has the one that the browser uses."""
    response = client.get(path, headers=BROWSER | HOST)
    assert (response.status_code, response.mimetype) == (200, "text/html")
    assert "Accept" in response.vary
    lines = [line for name, _, line in shown(response.text) if name != DESKTOP]
    assert len(lines) == len([line for line in lines if URL in line]) == 8
    assert all(name in response.text for name in (*TOOLS, "best-move mcp"))


@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
@pytest.mark.parametrize(
    "accept", ["text/event-stream", "application/json, text/event-stream", "*/*", ""]
)
def test_a_request_for_a_stream_is_rejected(client: FlaskClient, path: str, accept: str) -> None:
    """A GET for a stream gets a 405, because the service sends no streams."""
    response = client.get(path, headers={"Accept": accept})
    problem(response, 405, "method_not_allowed")
    assert response.headers["Allow"] == client.options(path).headers["Allow"] == "OPTIONS, POST"
