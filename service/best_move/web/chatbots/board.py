"""The board that chat clients show: one HTML file, made of the playground's modules and styles.

Source: MCP Apps (SEP-1865), revision 2026-01-26.
"""

import re
from functools import cache
from pathlib import Path
from typing import get_args

from best_move.engine.choice import Difficulty
from best_move.web.pages.files import STATIC

URI = "ui://best-move/board"
MEDIA_TYPE = "text/html;profile=mcp-app"

#  The playground's styles, then those of the board in a chat.
_STYLES = ("base.css", "play/board.css", "chat/chat.css")

#  The lines of a module that change in the bundle: each import is replaced, and `export` is
#  removed.
_IMPORT = re.compile(r'(?m)^import \{([^}]*)\} from "([^"]+)";\n')
_EXPORT = re.compile(r"(?m)^export (?=(?:async )?(?:function|class|const) (\w+))")


@cache
def html() -> str:
    """Return the HTML file, which loads nothing: clients show it in a sandbox without a network."""
    #  Imported only here, because most clients that start the command never request the board.
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415

    folders = [Path(__file__).with_name("templates"), STATIC.with_name("templates")]
    templates = Environment(  # noqa: S701, our own files need no escapes
        loader=FileSystemLoader(folders),
        undefined=StrictUndefined,
    )

    styles = []
    for name in _STYLES:
        path = STATIC / name
        styles.append(path.read_text(encoding="utf-8"))
    script = bundle(STATIC / "chat/main.js")

    return templates.get_template("app.html").render(
        styles="".join(styles),
        script=script,
        levels=get_args(Difficulty),
    )


def bundle(main: Path) -> str:
    """Return a script that runs a module after the modules that it imports.

    Each imported module becomes a function of its own, so names do not clash. Modules may have only
    named imports, and only exports of functions, classes and constants.
    """
    scripts: dict[Path, str] = {}
    scripts[main] = _without_imports(main, scripts)
    return "".join(scripts.values())


def _without_imports(path: Path, scripts: dict[Path, str]) -> str:
    """Return a module with constants instead of imports; add what it imports to `scripts`."""

    def constant(found: re.Match[str]) -> str:
        names, file = found.groups()
        names = names.replace(" as ", ": ")
        imported = (path.parent / file).resolve()
        module = f"{imported.parent.name}_{imported.stem}"
        if imported not in scripts:
            inner = _without_imports(imported, scripts)
            exported = ", ".join(_EXPORT.findall(inner))
            body = _EXPORT.sub("", inner)
            function = f"() => {{\n{body}return {{ {exported} }};\n}}"
            scripts[imported] = f"const {module} = ({function})();\n"
        return f"const {{{names}}} = {module};\n"

    text = path.read_text(encoding="utf-8")
    return _IMPORT.sub(constant, text)
