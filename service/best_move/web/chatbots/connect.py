"""How chat clients connect: a page with their settings."""

import json
from typing import Any, Final, NamedTuple

from flask import Blueprint, Response, request
from werkzeug.exceptions import MethodNotAllowed

from best_move.web.chatbots.protocol import SERVER
from best_move.web.chatbots.tools import TOOLS
from best_move.web.pages.views import page, protect, service_url

connect = Blueprint("connect", __name__, template_folder="templates")


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
    response = page(
        "connect.html", url=f"{service_url()}mcp", clients=CLIENTS, tools=[tool.definition for tool in TOOLS.values()]
    )
    response.vary.add("Accept")
    return protect(response)
