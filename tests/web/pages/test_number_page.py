"""Trees of numbers on the search page: plays tell what it shows, and a judge checks it.

The judge knows the textbook's searches. It checks each moment of the plays, and of random visits.
"""

import json
import random
from functools import partial
from pathlib import Path
from typing import Final
from urllib.parse import quote

import pytest

from tests.fuzzing import EXAMPLES
from tests.plays import Shown, check_play
from tests.truth.number_trees import any_tree
from tests.web.pages import number_judge
from tests.web.pages.drawn_tree import Drawing, Node
from tests.web.pages.exercises import exercise, printed
from tests.web.pages.page import Moment, Page, text
from tests.web.pages.search_judge import chosen, shown_card
from tests.web.pages.walks import any_walk, check_walk

FOLDER: Final = Path(__file__).with_name("numbers")
PLAYS: Final = sorted(path.name for path in FOLDER.iterdir())
TOOLS: Final = ("add-branch", "split-leaf", "remove-branch", "move-earlier", "move-later", "undo")


def parts_of(moment: Moment) -> dict[str, str]:
    """Return what a page shows beside the step and the drawing, by name."""
    options = [chosen(moment, name) for name in ("algorithm", "root", "cut")]
    options.append(moment["order"].get("live-value", ""))
    is_open = {name: moment[name].get("aria-disabled") != "true" for name in TOOLS}
    focused = moment.focused
    name = "" if focused is None else focused.get("aria-label") or focused.get("id") or focused.tag
    return {
        "at": moment.url.removeprefix("/search"),
        "card": moment.title.removesuffix(" \u00b7 Best Move"),
        "cost": text(shown_card(moment)[2]),
        "options": " ".join(options),
        "text": moment["tree-text"].get("live-value", ""),
        "tools": " ".join(name for name in TOOLS if is_open[name]),
        "random": random_tree(moment),
        "note": moment.text("edited"),
        "legend": ", ".join(text(each) for each in moment["legend"]),
        "focus": name or "",
        "typed": focused.get("live-value", "") if focused is not None else "",
    }


def random_tree(moment: Moment) -> str:
    """Return the random tree that the fields name, as the text of a tree."""
    kind = "random" if moment["uneven"].get("live-checked") is None else "uneven"
    shape = [moment[name].get("live-value", "") for name in ("branches", "plies", "seed")]
    return f"{kind}({','.join(shape)})"


def drawn(moment: Moment) -> dict[str, str]:
    """Return the plies of the drawing, or why there is none."""
    svg = moment["drawing"].find(".//svg")
    if svg is None:
        return {"tree": " / ".join(text(each) for each in moment["drawing"])}
    plies = [", ".join(map(told, ply)) for ply in Drawing(svg).plies]
    return {"tree": "\n".join(plies)}


def told(node: Node) -> str:
    """Return a node as text: its letter, its number and its state, as in `C <= 2` or `I 4 cut`."""
    (letter,) = node.parts("move")
    numbers = [each.text for each in (*node.parts("leaf"), *node.parts("score")) if each.text]
    states = {"never": "cut" if node.has("cut") else "never", "later": "later", "open": "open"}
    marks = [states.get(node.state or "", ""), "best" if node.has("chosen") else ""]
    return " ".join(filter(None, [letter.text, *numbers, *marks]))


@pytest.mark.parametrize("play", PLAYS)
def test_the_play_is_performed_as_it_is_written(page: Page, play: str) -> None:
    """After each of the user's actions the page shows what the text tells."""

    def do(actions: list[str]) -> Shown:
        done = page.do(*actions)
        moment = done.last
        if moment["drawing"].find(".//svg") is not None:
            number_judge.check(moment)
        step = moment.text("step-number").replace(" ", "")
        events = {
            "requests": "" if actions[0].startswith("visit ") else str(len(done.urls) or ""),
            "copied": " ".join(done.copied),
            "printed": printed(done.printed) if done.printed else "",
        }
        return Shown(
            [step, moment.text("moment-sentence")],
            parts_of(moment) | drawn(moment) | exercise(moment),
            events,
        )

    check_play(FOLDER / play, do)


#  Visits at random.

CHOICES: Final = (
    *(f"choose Algorithm: {name}" for name in ("Minimax", "Alpha-beta")),
    *(f"choose Root: {name}" for name in ("MAX first", "MIN first")),
    *(f"choose Rule for cutoffs: {name}" for name in ("\u03b1 \u2265 \u03b2", "\u03b1 > \u03b2")),
    *(f"choose Order: {name}" for name in ("given", "best_first", "worst_first")),
)


def any_visit(dice: random.Random) -> str:
    """Return a visit to the search of any tree, at any step."""
    tree = quote(json.dumps(any_tree(dice)).replace(" ", ""), safe="[],")
    options = {
        "root": dice.choice(["max", "min"]),
        "cut": dice.choice(["at_least", "above"]),
        "order": dice.choice(["given", "best_first", "worst_first"]),
        "algorithm": dice.choice(["minimax", "alphabeta"]),
        "step": str(dice.choice([*range(60), 9999])),
    }
    return "&".join([f"visit /search?tree={tree}", *(f"{k}={v}" for k, v in options.items())])


def any_action(dice: random.Random, moment: Moment) -> list[str]:
    """Return what the user can do with the steps, the nodes, the choices and the numbers."""
    (svg,) = moment["drawing"].iterfind(".//svg")
    nodes = Drawing(svg).nodes
    path = dice.choice(nodes).text
    shown = any_walk(dice, moment, path)
    if dice.random() < 0.5:
        return [dice.choice([*shown, *CHOICES])]
    leaf = dice.choice([each for each in nodes if each.parts("leaf")])
    (letter,) = leaf.parts("move")
    number = dice.choice([*range(-9, 10), 999, "", 1000])
    typed = [f"focus Leaf {letter.text}", f"type Leaf {letter.text}: {number}"]
    tool = [f"click [data-path='{path}']", f"click #{dice.choice(TOOLS)}"]
    seed = [f"type Seed: {dice.randint(0, 999)}", "click Random tree"]
    return dice.choice([typed, typed, tool, seed])


@pytest.mark.parametrize("seed", range(EXAMPLES // 6))
def test_after_any_actions_the_page_shows_the_search_and_what_a_reload_shows(
    page: Page, seed: int
) -> None:
    """All that it shows is true at each moment; a reload shows the same step, by the URL."""
    dice = random.Random(seed)  # noqa: S311, the tests need no secret numbers

    def check(moment: Moment) -> None:
        number_judge.check(moment)
        assert random_tree(moment) in moment.url or "(" not in moment.url

    check_walk(page, any_visit(dice), partial(any_action, dice), check, kept)


def kept(moment: Moment) -> dict[str, str]:
    """Return what a page shows after a reload, too."""
    parts = parts_of(moment) | drawn(moment)
    return {name: parts[name] for name in ("at", "card", "options", "legend", "tree")}
