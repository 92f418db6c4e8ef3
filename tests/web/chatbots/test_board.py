"""The board that chat clients show: one file, made of the playground's modules and styles."""

import re
from pathlib import Path

from best_move import __version__
from best_move.web.chatbots import board
from best_move.web.chatbots.tools import TOOLS
from best_move.web.pages.files import STATIC
from tests.web.chatbots.messages import handshaken, result_of

MODULE = "text/html;profile=mcp-app"


def test_the_file_contains_all_that_the_board_needs() -> None:
    """The file contains the playground's board, styles and modules, and refers to no other file."""
    html = board.html()
    assert html.startswith("<!doctype html>")
    assert html.count('class="cell"') == 9
    for name in ("base.css", "play/board.css"):
        assert (STATIC / name).read_text(encoding="utf-8") in html
    assert "class Board {" in html
    assert not re.search(r"^(import|export) ", html, re.MULTILINE)
    assert not re.search(r"""\b(src|href|url)\s*[=(]|@import|https?://""", html)
    assert html.count("</script>") == 1
    assert len(html.encode()) < 50_000


def test_the_board_has_the_version_of_the_service() -> None:
    """The board sends its name and version to the client, as MCP Apps demands."""
    assert f'appInfo: {{ name: "best-move-board", version: "{__version__}" }}' in board.html()


def test_modules_run_once_in_import_order_and_in_their_own_scopes(tmp_path: Path) -> None:
    """Each imported module becomes a function that returns its exports, before its importers.

    Comments on lines of their own are left out.
    """
    (tmp_path / "other").mkdir()
    (tmp_path / "main.js").write_text(
        'import { a, count as n } from "./one.js";\nimport {\n  two,\n} from "./other/two.js";\n'
        "const hidden = 3;\nlog(a, n(), two(), hidden);\n"
    )
    (tmp_path / "one.js").write_text(
        'import { two } from "./other/two.js";\nconst hidden = 1;\nexport const a = hidden;\n'
        "export function count() {\n  return two();\n}\n"
    )
    (tmp_path / "other/two.js").write_text(
        "// Two.\n\nconst hidden = 2;\n/**\n * Return\n * two.\n */\n"
        "export async function two() {\n  // This is hidden.\n  return hidden; // so is this\n}\n"
    )
    assert board.bundle(tmp_path / "main.js") == (
        "const other_two = (() => {\n"
        "\nconst hidden = 2;\nasync function two() {\n  return hidden; // so is this\n}\n"
        "return { two };\n})();\n"
        f"const {tmp_path.name}_one = (() => {{\n"
        "const { two } = other_two;\nconst hidden = 1;\nconst a = hidden;\n"
        "function count() {\n  return two();\n}\nreturn { a, count };\n})();\n"
        f"const {{ a, count: n }} = {tmp_path.name}_one;\n"
        "const {\n  two,\n} = other_two;\nconst hidden = 3;\n"
        "log(a, n(), two(), hidden);\n"
    )


def test_every_tool_links_the_board() -> None:
    """Each tool names the board in both ways, whether or not the client says that it shows apps."""
    (listed,) = result_of("resources/list")["resources"]
    assert (listed["uri"], listed["mimeType"]) == (board.URI, MODULE)
    assert listed["_meta"] == {"ui": {"prefersBorder": True}}
    linked = {"ui": {"resourceUri": board.URI}, "ui/resourceUri": board.URI}
    assert [name for name, tool in TOOLS.items() if tool.definition["_meta"] != linked] == []
    assert result_of("server/discover")["capabilities"]["extensions"] == {
        "io.modelcontextprotocol/ui": {"mimeTypes": [MODULE]}
    }
    assert result_of("resources/templates/list")["resourceTemplates"] == []


def test_the_board_can_be_read_with_and_without_a_handshake() -> None:
    """The resource is the file, may be cached, and requests a border around the board."""
    result = result_of("resources/read", {"uri": board.URI})
    (contents,) = result["contents"]
    assert contents == {
        "uri": board.URI,
        "mimeType": MODULE,
        "text": board.html(),
        "_meta": {"ui": {"prefersBorder": True}},
    }
    assert (result["cacheScope"], result["ttlMs"]) == ("public", 86_400_000)
    assert handshaken("resources/read", {"uri": board.URI})["result"]["contents"] == [contents]
