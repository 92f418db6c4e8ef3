"""The chat clients that were tried, each with the command or the setting that connects it."""

from typing import Final, NamedTuple


class Client(NamedTuple):
    """A chat client, the version tried, and the line that connects it."""

    name: str
    version: str
    where: str  # where a user enters the line
    line: str  # `URL` in it is a placeholder for the URL of the server

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
