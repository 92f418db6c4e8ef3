"""The playground: the plays in playground/ tell what it shows, and all that it shows is true.

The judge checks each moment of the plays, and of walks at random.
"""

import random
import re
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

import pytest

from tests.fuzzing import EXAMPLES
from tests.plays import Shown, check_play
from tests.truth import referee
from tests.truth.game import EMPTY
from tests.web.pages.judge import check_playground
from tests.web.pages.page import Element, Moment, Page, board_of, cells_of, text

PLAYS: Final = Path(__file__).parent / "playground"
POSITIONS: Final = sorted(referee.reachable())


@pytest.mark.parametrize("name", sorted(path.stem for path in PLAYS.iterdir()))
def test_a_play_is_performed_as_it_is_written(page: Page, name: str) -> None:
    """After each of the user's actions the page shows what the play tells."""

    def perform(actions: list[str]) -> Shown:
        done = page.do(*actions, is_watched=True)
        now = done.last
        is_preview = now.body.find(".//ol[@class='strip']//*[@live-focus]") is not None
        if not is_preview and not actions[0].startswith("hover "):
            check_playground(done)
        said = [now.text("status"), now.text("sentence")]
        spoken = now.text("announcement")
        is_usual = spoken in (said[1], " ".join(said).strip(), " ".join(reversed(said)).strip())
        names = [each.get("aria-label", "") for each in now["moves"].iter("button")]
        reasons = [part for part in now["explanation"] if part.tag in ("p", "h4")]
        refused = [str(at) for at, cell in enumerate(cells_of(now)) if "refused" in cell.classes]
        parts = {
            "URL": re.sub(r"/|played=[\d,]*&?", "", now.url).rstrip("?&"),
            "button": ", ".join(now.text(name) for name in ("try-move", "act") if name in now),
            "score": now.text("score"),
            "problem": now.text("problem"),
            "hints": hints(now),
            "refused": ", ".join(refused),
            "mistakes": "\n".join(name for name in names if "mistake" in name),
            "mistake": "\n".join(map(drawing, now["mistake"].iterfind("div"))),
            "explained": "\n".join(map(text, reasons)) if "explain" in now else "",
            "busy": "yes" * (now["game"].get("aria-busy") == "true"),
            "copy link": now.text("copy-link").replace("Copy link", ""),
            "announcement": "" if is_usual else spoken,
        }
        events = {
            "focus": done.focus.partition(",")[0],
            "scrolls": done.scrolled,
            "in view": now.seen,
            "copied": "".join(done.copied),
            "left": now.left,
        }
        return Shown([board_of(now), " ".join(said).strip()], parts, events)

    check_play(PLAYS / f"{name}.txt", perform)


def drawing(part: Element) -> str:
    """Return the text of a drawing: its title, its moves, and its end."""
    moves = ", ".join(map(text, part.iterfind("ol/li")))
    return f"{text(part[0])}: {moves} {text(part[2][1])}"


def hints(moment: Moment) -> str:
    """Return the symbol in each cell, and the cell that is marked as best."""
    cells = cells_of(moment)
    symbols = "".join(cell.symbol or "." for cell in cells)
    best = [number for number, cell in enumerate(cells) if "best" in cell.classes]
    return f"{symbols}, best {best[0]}" if best else symbols.strip(".")


#  Buttons, and choices by the names of their fields; some are hidden at times.
CONTROLS: Final = (
    *("#act", "#hints", "#new-game", "#set-up", "#clear", "#cancel", "#try-move", "#undo"),
    *("#search-from-here", "#play-from-here", "#play-from-here", "#tab-play", "#tab-explain"),
    *(f"[name=you][value={player}]" for player in ("X", "O", "both")),
    *(f"[name=starts][value={side}]" for side in "XO"),
)
CHOICES: Final = (
    *("#first: X", "#first: O", "#first: random"),
    *("[name=difficulty]: easy", "[name=difficulty]: perfect", "[name=tie_break]: trap"),
)
PARTS: Final = {
    "at": "0123",
    "you": ["X", "O", "both"],
    "view": ["play", "explain"],
    "analysis": ["true", "true", "false"],
    "first": ["X", "O", "random"],
    "set_up": ["true", "false", "false"],
}


@pytest.mark.parametrize("seed", range(EXAMPLES // 2))
def test_after_any_actions_the_page_shows_the_truth_and_what_a_reload_shows(
    page: Page, seed: int
) -> None:
    """No script fails, no late response is shown, and the judge agrees with each moment."""
    dice = random.Random(seed)  # noqa: S311, the tests need no secret numbers
    board, side = dice.choice(POSITIONS)
    parts = {name: dice.choice(choices) for name, choices in PARTS.items()} | {
        "board": dice.choice([board, board, EMPTY, "".join(dice.choices("XO.", k=9))]),
        "starts": dice.choice([referee.starter(board, side), "X", "O"]),
        "played": ",".join(dice.sample("012345678", dice.randrange(9))),
    }
    names = dice.sample([*parts], dice.randrange(9))
    actions = [f"visit /?{urlencode({name: parts[name] for name in names})}"]
    actions += ["tap #set-up"] * (dice.random() < 0.3)
    for _ in range(dice.randrange(8)):
        cell = dice.randrange(9)
        taps = [f"tap {dice.choice(CONTROLS)}" for _ in range(3)]
        others = [f"click {cell}", f"press {dice.choice('xo')} on {cell}"]
        choice = f"choose {dice.choice(CHOICES)}"
        actions += [dice.choice([*others, *taps, choice])] * dice.randint(1, 2)
        actions += ["wait 0 s"] * (dice.random() < 0.5)
    actions.append("focus #board button")
    print("; ".join(actions))  # noqa: T201, shown if the test fails
    walked = page.do(*actions, is_watched=True)
    check_playground(walked)
    again = page.do("reload")
    assert settled(walked.last) == settled(again.last)


def settled(moment: Moment) -> str:
    """Return what a page shows, but for what only follows from the last action."""
    html = re.sub(r'<p id="(sentence)".*?</p>|<p [^>]*id="announcement".*?</p>', "", moment.html)
    html = re.sub(r' (live-focus|tabindex)=".*?"| refused', "", html)
    if re.search(r'<div [^>]*id="explain"[^>]* hidden', html):  # it may have been open before
        html = re.sub(r'(?s)<div [^>]*id="explanation".*?</section>', "", html)
    return re.sub(r'class="(.*?)"', lambda found: " ".join(sorted(found[1].split())), html)
