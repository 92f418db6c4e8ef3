"""The page that shows how chat clients connect, with a command or a setting for each."""

from typing import Final, NamedTuple

from flask import Blueprint, Response, request
from werkzeug.exceptions import MethodNotAllowed

from best_move.web.chatbots.tools import TOOLS
from best_move.web.pages.views import page, protect, service_url

connect = Blueprint("connect", __name__, template_folder="templates")


class Client(NamedTuple):
    """A chat client: its name, the version tried, and the line that connects it.

    `where` says where a user enters the line. The line has the placeholder `URL` for the server's URL.
    """

    name: str
    version: str
    where: str
    line: str

    def line_for(self, url: str) -> str:
        """Return the line for the server at a URL."""
        return self.line.replace("URL", url)


#  The date on which all these clients were tried. All connected except Copilot CLI and Cline, which accepted the
#  command, but need an account to connect.
TRIED: Final = "2026-11-22"
_TERMINAL: Final = "in a terminal"
CLIENTS: Final = (
    Client("Claude Code", "2.1", _TERMINAL, "claude mcp add --transport http best-move URL"),
    Client(
        "Codex",
        "0.169",
        "in a terminal; then add required = true below the URL in ~/.codex/config.toml, or a game may start before the "
        "tools are there",
        "codex mcp add best-move --url URL",
    ),
    Client("Gemini CLI", "0.61", "in a terminal, in a trusted folder", "gemini mcp add --transport http best-move URL"),
    Client("Qwen Code", "0.24", _TERMINAL, "qwen mcp add --transport http best-move URL"),
    Client("Copilot CLI", "1.0", _TERMINAL, "copilot mcp add --transport http best-move URL"),
    Client("Cline", "3.0", _TERMINAL, "cline mcp add best-move URL --transport http --yes"),
    Client("opencode", "1.18", _TERMINAL, "opencode mcp add best-move --url URL"),
    Client(
        "Continue",
        "1.5",
        "in ~/.continue/config.yaml",
        'mcpServers: [{name: best-move, type: streamable-http, url: "URL"}]',
    ),
)


@connect.get("/mcp", provide_automatic_options=False)
@connect.get("/mcp/", provide_automatic_options=False)
def get_page() -> Response:
    """Return the page to browsers; raise MethodNotAllowed for other clients, because there is no event stream."""
    if request.accept_mimetypes.best_match(["application/problem+json", "text/html"]) != "text/html":
        raise MethodNotAllowed(["OPTIONS", "POST"])
    tools = [tool.definition for tool in TOOLS.values()]
    response = page("connect.html", url=f"{service_url()}mcp", clients=CLIENTS, tried=TRIED, tools=tools)
    response.vary.add("Accept")
    return protect(response)
