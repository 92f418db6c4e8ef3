"""Plays: texts with actions on a page, one a line, each followed by what the page then shows.

    # The title of a scene
    click 4; wait 0.3 s | what the page shows above all
      a part: what has changed in this part, or nothing if it is now empty

Actions of the same instant have "; " between them. Each scene begins where the first row of the
play does. `APPROVE=1 pytest` performs the plays and rewrites all but the actions; read the
difference before you commit it.
"""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple


class Shown(NamedTuple):
    """What a page shows and does after actions."""

    main: list[str]  # the columns beside the actions
    parts: Mapping[str, str]  # the other parts by name, told when they change
    events: Mapping[str, str]  # what the page did, by name; told if it is not empty


def performed(play: str, do: Callable[[list[str]], Shown]) -> str:
    """Return a play with what the page shows now; `do` performs actions."""
    lines: list[str] = []
    start: Mapping[str, str] = {}
    before = start
    for line in play.splitlines():
        if line.startswith("  "):
            continue
        lines.append(line)
        if not line or line.startswith("#"):
            before = start
            continue
        action, *_ = line.split(" | ")
        shown = do(action.split("; "))
        lines[-1] = " | ".join([action, *shown.main])
        changed = {name: text for name, text in shown.parts.items() if text != before.get(name, "")}
        happened = {name: text for name, text in shown.events.items() if text}
        for name, text in (changed | happened).items():
            lines += told(name, text)
        before = shown.parts
        start = start or before
    return "\n".join([*lines, ""])


def told(name: str, text: str) -> list[str]:
    """Return the lines that tell the text of a part."""
    if "\n" in text:
        return [f"  {name}:", *(f"    {line}" for line in text.splitlines() if line)]
    return [f"  {name}: {text or 'nothing'}"]


def check_play(path: Path, do: Callable[[list[str]], Shown]) -> None:
    """Assert that a play is performed as it is written; with APPROVE, write it."""
    play = path.read_text(encoding="utf-8")
    now = performed(play, do)
    if os.environ.get("APPROVE"):
        path.write_text(now, encoding="utf-8")
    else:
        assert now.splitlines() == play.splitlines(), f"read the difference, then APPROVE=1 {path}"
