"""The board that chat clients show: one HTML file, made of the playground's modules and styles.

Source: MCP Apps (SEP-1865), revision 2026-01-26.
"""

import re
from functools import cache
from pathlib import Path
from typing import Final, get_args

from best_move.engine.choice import Difficulty
from best_move.web.pages.files import STATIC

URI: Final = "ui://best-move/board"
MEDIA_TYPE: Final = "text/html;profile=mcp-app"

_STYLES: Final = ("base.css", "play/board.css", "chat/chat.css")
_SCRIPT: Final = "chat/main.js"

_IMPORT: Final = re.compile(r'^import \{([^}]*)\} from "([^"]+)";\n', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)


@cache
def html() -> str:
    """Return the HTML file, which loads nothing: clients show it in a sandbox without a network."""
    #  Imported only here, because most clients that start the command never request the board.
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415

    templates = Environment(
        loader=FileSystemLoader(
            [Path(__file__).with_name("templates"), STATIC.with_name("templates")]
        ),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701, our own files
    )
    return templates.get_template("app.html").render(
        styles="".join((STATIC / name).read_text(encoding="utf-8") for name in _STYLES),
        script=bundle(STATIC / _SCRIPT),
        levels=get_args(Difficulty),
    )


def bundle(main: Path) -> str:
    """Return a script that runs a module after the modules that it imports.

    Each imported module becomes a function of its own, so names do not clash. Modules may have only
    named imports, and only exports of functions, classes and constants.
    """
    scripts: dict[Path, str] = {}
    text = _without_imports(main, scripts)
    return "".join(scripts.values()) + text


def _without_imports(path: Path, scripts: dict[Path, str]) -> str:
    """Return a module with constants instead of imports; add what it imports to `scripts`."""

    def constant(found: re.Match[str]) -> str:
        names = found[1].replace(" as ", ": ")
        imported = (path.parent / found[2]).resolve()
        if imported not in scripts:
            text = _without_imports(imported, scripts)
            exported = ", ".join(_EXPORT.findall(text))
            body = f"{_EXPORT.sub('', text)}return {{ {exported} }};\n"
            scripts[imported] = f"const {_name(imported)} = (() => {{\n{body}}})();\n"
        return f"const {{{names}}} = {_name(imported)};\n"

    return _IMPORT.sub(constant, path.read_text(encoding="utf-8"))


def _name(path: Path) -> str:
    return f"{path.parent.name}_{path.stem}"
