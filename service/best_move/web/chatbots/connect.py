"""How chat clients connect: a page with their settings, and documents by which clients find the server.

Sources: Server Cards (SEP-2127) and AI Catalog 1.0.
"""

import json
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from flask import Blueprint, Response, request
from mcp_types.version import KNOWN_PROTOCOL_VERSIONS
from pydantic_core import to_json
from werkzeug.exceptions import MethodNotAllowed

from best_move.web.chatbots.protocol import SERVER
from best_move.web.chatbots.tools import TOOLS
from best_move.web.pages.views import page, protect, service_url

connect = Blueprint("connect", __name__, template_folder="templates")

_CARD_TYPE: Final = "application/mcp-server-card+json"
_CATALOG_TYPE: Final = "application/ai-catalog+json"
_CARD_SCHEMA: Final = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json"


class Client(NamedTuple):
    """A chat client: its settings file, where that is, the key that lists servers, and the settings for this one."""

    name: str
    settings: str
    place: str
    key: str
    server: dict[str, Any]

    def lines(self, url: str) -> str:
        """Return the settings for the server at a URL."""
        server = {name: url if name == "url" else value for name, value in self.server.items()}
        return json.dumps({self.key: {SERVER.name: server}}, ensure_ascii=False)


CLIENTS: Final = (
    Client("Claude Code", ".mcp.json", "in the project", "mcpServers", {"type": "http", "url": ""}),
    Client("Cursor", ".cursor/mcp.json", "in the home folder or the project", "mcpServers", {"url": ""}),
    Client("VS Code", ".vscode/mcp.json", "in the workspace", "servers", {"type": "http", "url": ""}),
    Client(
        "Claude Desktop",
        "claude_desktop_config.json",
        "opened by Settings, Developer, Edit Config",
        "mcpServers",
        {"command": "best-move", "args": ["mcp"]},
    ),
)


@connect.get("/mcp", provide_automatic_options=False)
@connect.get("/mcp/", provide_automatic_options=False)
def get_page() -> Response:
    """Return the page with the settings of each client for browsers; for clients, there is no stream to listen to."""
    if request.accept_mimetypes.best_match(["application/problem+json", "text/html"]) != "text/html":
        raise MethodNotAllowed(["OPTIONS", "POST"])
    response = page("connect.html", url=_url(), clients=CLIENTS, tools=[tool.definition for tool in TOOLS.values()])
    response.vary.add("Accept")
    return protect(response)


@connect.get("/mcp/server-card")
def get_card() -> Response:
    """Return the server card."""
    remote = {"type": "streamable-http", "url": _url(), "supportedProtocolVersions": KNOWN_PROTOCOL_VERSIONS}
    card = {
        "$schema": _CARD_SCHEMA,
        "name": "best-move/best-move",
        "title": SERVER.title,
        "version": SERVER.version,
        "description": "Tools for playing tic-tac-toe perfectly and for judging moves, with a board in the chat.",
        "remotes": [remote],
    }
    return _document(card, _CARD_TYPE)


@connect.get("/.well-known/ai-catalog.json")
def get_catalog() -> Response:
    """Return the catalog, in which clients that know only the host find the server card."""
    host = urlsplit(service_url()).hostname
    entry = {"identifier": f"urn:air:{host}:mcp:best-move", "type": _CARD_TYPE, "url": f"{_url()}/server-card"}
    return _document({"specVersion": "1.0", "entries": [entry]}, _CATALOG_TYPE)


def _url() -> str:
    return f"{service_url()}mcp"


def _document(content: object, media_type: str) -> Response:
    headers = {"Content-Type": media_type, "Cache-Control": "public, max-age=3600"}
    return Response(to_json(content) + b"\n", headers=headers)
