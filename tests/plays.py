"""Plays: texts with actions on a page, one a line, each followed by what the page then shows.

    # The title of a scene
    click 4; wait 0.3 s | what the page shows above all, unless that is the same as before
      a part: what this part shows, if it has changed
      gone: the parts that show nothing any more

Actions of the same instant have "; " between them. A visit tells all parts. `APPROVE=1 pytest`
performs the plays and rewrites all but the actions; read the difference before you commit it.
"""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, NamedTuple


class Shown(NamedTuple):
    """What a page shows and does after actions."""

    main: list[str]  # the columns beside the actions
    parts: Mapping[str, str]  # the other parts by name; those without a text are not shown
    events: Mapping[str, str]  # what the page did, by name, if it has a text


NOTHING: Final = Shown([], {}, {})


def performed(play: str, do: Callable[[list[str]], Shown]) -> str:
    """Return a play with what the page shows now; `do` performs actions."""
    lines: list[str] = []
    before = NOTHING
    for number, line in enumerate(play.splitlines(), 1):
        if line.startswith("  "):
            continue
        lines.append(line)
        if not line or line.startswith("#"):
            continue
        action, *_ = line.split(" | ")
        try:
            shown = do(action.split("; "))
        except AssertionError as error:
            error.add_note(f"line {number}: {action}")
            raise
        if action.startswith(("visit ", "open ")):
            before = NOTHING
        lines[-1] = action if shown.main == before.main else " | ".join([action, *shown.main])
        lines += changes(before, shown)
        before = shown
    return "\n".join([*lines, ""])


def changes(before: Shown, shown: Shown) -> list[str]:
    """Return the lines on what has changed and happened."""
    new = {name: text for name, text in shown.parts.items() if text != before.parts.get(name)}
    gone = [name for name, text in before.parts.items() if text and not shown.parts.get(name)]
    lost = [f"  gone: {', '.join(gone)}"] if gone else []
    return [*told(new), *lost, *told(shown.events)]


def told(texts: Mapping[str, str]) -> list[str]:
    """Return the lines that tell the texts of parts or events, but not empty ones."""
    lines = []
    for name, text in texts.items():
        if "\n" in text:
            lines += [f"  {name}:", *(f"    {line}" for line in text.splitlines() if line)]
        elif text:
            lines.append(f"  {name}: {text}")
    return lines


def check_play(path: Path, do: Callable[[list[str]], Shown]) -> None:
    """Assert that a play is performed as it is written; with APPROVE, write it."""
    play = path.read_text(encoding="utf-8")
    now = performed(play, do)
    if os.environ.get("APPROVE"):
        path.write_text(now, encoding="utf-8")
    else:
        assert now.splitlines() == play.splitlines(), (
            "read the difference, then run this test with APPROVE=1"
        )
