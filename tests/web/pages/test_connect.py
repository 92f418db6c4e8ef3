"""How chat clients connect: the page and the README have the same lines."""

import html
import re

import pytest
import yaml
from flask.testing import FlaskClient

from best_move.web.pages.connect import CLIENTS, TRIED
from tests.readme import SECTIONS, rows
from tests.web.conftest import problem

BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
URL = "http://localhost:8000/mcp"


def test_the_readme_has_the_lines_of_the_page() -> None:
    """The README's table has each client with its version, the place for the line, and the line."""
    section = next(each for each in SECTIONS if each.heading == "Connect a chat client")
    assert f"tried on {TRIED}." in section.text
    assert rows("Connect a chat client") == [
        [f"{client.name} {client.version}", client.where, f"`{client.line_for(URL)}`"] for client in CLIENTS
    ]


def test_a_line_for_a_settings_file_is_valid_yaml() -> None:
    """The line for a settings file adds one server."""
    (line,) = (client.line_for(URL) for client in CLIENTS if client.where.endswith(".yaml"))
    assert yaml.safe_load(line) == {"mcpServers": [{"name": "best-move", "type": "streamable-http", "url": URL}]}


@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
def test_a_browser_gets_a_page_with_the_url_that_it_uses(client: FlaskClient, path: str) -> None:
    """The page has the line of each client with the URL that the browser uses."""
    headers = BROWSER | {"Host": "play.example:8443", "X-Forwarded-Proto": "https", "X-Forwarded-Prefix": "/ttt"}
    response = client.get(path, headers=headers)
    assert (response.status_code, response.mimetype) == (200, "text/html")
    assert "Accept" in response.vary
    assert "frame-ancestors 'none'" in response.headers["Content-Security-Policy"]
    shown = [html.unescape(lines) for lines in re.findall(r"<pre[^>]*>(.*?)</pre>", response.text)]
    assert shown == [client.line_for("https://play.example:8443/ttt/mcp") for client in CLIENTS]
    assert all(name in response.text for name in ("best_move", "judge_move", "best-move mcp"))


@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
@pytest.mark.parametrize("accept", ["text/event-stream", "application/json, text/event-stream", "*/*", ""])
def test_a_request_for_a_stream_is_rejected(client: FlaskClient, path: str, accept: str) -> None:
    """A GET for a stream gets a 405, because the service sends no streams."""
    response = client.get(path, headers={"Accept": accept})
    problem(response, 405, "method_not_allowed")
    assert response.headers["Allow"] == client.options(path).headers["Allow"] == "OPTIONS, POST"
