"""The board that chat clients show: one HTML file, made of the playground's modules and styles.

Source: MCP Apps (SEP-1865), revision 2026-01-26.
"""

import re
from functools import cache
from pathlib import Path
from typing import get_args

from best_move.engine.question import Difficulty
from best_move.web.pages.files import STATIC

URI = "ui://best-move/board"
MEDIA_TYPE = "text/html;profile=mcp-app"

#  The playground's styles, then those of the board in a chat.
_STYLES = ("base.css", "play/board.css", "chat/chat.css")

#  The lines of a module that change in the bundle: each import is replaced, and `export` is
#  removed. The group of _EXPORT is the exported name.
_IMPORT = re.compile(r'(?m)^import \{([^}]*)\} from "([^"]+)";\n')
_EXPORT = re.compile(r"(?m)^export (?=(?:async )?(?:function|class|const) (\w+))")
_COMMENT = re.compile(r"(?m)^ *(?://.*|/\*\*(?:.|\n)*?\*/)\n")  # on lines of its own


@cache
def html() -> str:
    """Return the HTML file, which loads nothing: clients show it in a sandbox without a network."""
    #  Imported only here, because most clients that start the command never request the board.
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415

    folders = [Path(__file__).with_name("templates"), STATIC.with_name("templates")]
    templates = Environment(  # noqa: S701, our own files need no escapes
        loader=FileSystemLoader(folders), undefined=StrictUndefined
    )

    styles = []
    for name in _STYLES:
        path = STATIC / name
        styles.append(path.read_text(encoding="utf-8"))
    script = bundle(STATIC / "chat/main.js")

    return templates.get_template("app.html").render(
        styles="".join(styles), script=script, levels=get_args(Difficulty)
    )


def bundle(main: Path) -> str:
    """Return a script that runs a module after the modules that it imports.

    Each imported module becomes a function of its own, so names do not clash. Modules may have only
    named imports, and only exports of functions, classes and constants.
    """
    *imported, main = _in_order(main.resolve())
    script = ""
    for module in imported:
        text = _without_imports(module)
        exported = ", ".join(_EXPORT.findall(text))
        body = _EXPORT.sub("", text)
        script += f"const {_name(module)} = (() => {{\n{body}return {{ {exported} }};\n}})();\n"
    return script + _without_imports(main)


def _in_order(module: Path) -> list[Path]:
    """Return the modules that a module imports, directly or not, each after its own imports.

    The module itself is the last.
    """
    imported = []
    for _, file in _IMPORT.findall(_text(module)):
        imported += _in_order((module.parent / file).resolve())
    return [*dict.fromkeys(imported), module]


def _without_imports(module: Path) -> str:
    """Return the text of a module with constants instead of imports."""

    def constant(found: re.Match[str]) -> str:
        names, file = found.groups()
        names = names.replace(" as ", ": ")
        imported = (module.parent / file).resolve()
        return f"const {{{names}}} = {_name(imported)};\n"

    return _IMPORT.sub(constant, _text(module))


def _name(module: Path) -> str:
    """Return the name of the constant that has the exports of a module."""
    return f"{module.parent.name}_{module.stem}"


def _text(module: Path) -> str:
    """Return the text of a module without comments, which are a seventh of the file."""
    return _COMMENT.sub("", module.read_text(encoding="utf-8"))
