"""The search page: plays tell what it shows after a user's actions, and a judge checks it.

The judge knows the textbook's searches. It checks each moment of the play, and of random visits.
"""

import random
import re
from functools import partial
from pathlib import Path
from typing import Final
from urllib.parse import urlencode
from xml.etree import ElementTree as ET

import pytest

from best_move.web.api.openapi import document
from tests.fuzzing import EXAMPLES
from tests.plays import Shown, check_play
from tests.web.pages import search_judge
from tests.web.pages.drawn_tree import Drawing, board_drawn, numbers
from tests.web.pages.exercises import exercise, printed
from tests.web.pages.page import Moment, Page, classes, text
from tests.web.pages.search_judge import chosen, is_pressed, shown_card
from tests.web.pages.searches import any_case
from tests.web.pages.walks import any_walk, check_walk

FOLDER: Final = Path(__file__).with_name("search")
PLAYS: Final = sorted(path.name for path in FOLDER.iterdir())
MOST: Final = 8  # nodes that a row names


def parts_of(moment: Moment) -> dict[str, str]:
    """Return what a page shows beside the step that the judge does not check, by name."""
    links = [each.get("href", "") for each in shown_card(moment).iter("a") if each.get("id")]
    lists = moment["order"], moment["depth"]
    options = [chosen(moment, "algorithm"), chosen(moment, "scoring")]
    options += [each.get("live-value", "") for each in lists]
    buttons = [each for each in ("predicting", "merging", "whole") if each in moment]
    later = moment.body.iterfind(".//*[@data-from]")
    looks = classes(moment["search"])[2:] + classes(moment["lesson"])[2:] + moment.classes.split()
    compared = moment.body.find("dialog[@open]") is not None
    focused = moment.focused
    names: list[str | None] = []
    if focused is not None:
        names = [focused.get("data-path"), focused.get("id"), text(focused) or focused.tag]
    return {
        "at": moment.url.removeprefix("/search"),
        "card": " ".join([moment.title.removesuffix(" \u00b7 Best Move"), *links]),
        "options": " ".join(options).replace("alphabeta distance cells 9", ""),
        "pressed": " ".join(each for each in buttons if is_pressed(moment, each)),
        "offers": " ".join(each for each in buttons if each != "predicting"),
        "hides": " ".join(
            each.get("data-from", "") for each in later if not moment.is_visible(each)
        ),
        "looks": " ".join(looks),
        "plays": "yes" if moment.text("step-play") == "Pause" else "",
        "legend": ", ".join(text(each) for each in moment["legend"]),
        "shared": moment.text("shared"),
        "code": moment.text("embed-code"),
        "menu": "open" if moment["share"].get("open") is not None else "",
        "compared": costs_of(moment) if compared else "",
        "announced": moment.text("announcement"),
        "focus": next((each or "root" for each in names if each is not None), ""),
    }


def costs_of(moment: Moment) -> str:
    """Return the rows of the dialog that compares the searches, and the note below them."""
    rows = []
    for row in moment["comparison"].iterfind("tbody/tr"):
        (bar,) = row.iter("i")
        rows.append(f"{row.get('data-algorithm')} {text(row[1])} {numbers(bar, 'style')[-1]:.3f}")
    return "\n".join([*rows, text(moment["comparison-note"])])


def drawn(moment: Moment) -> dict[str, str]:
    """Return what the drawing shows, or why there is none."""
    place = moment["drawing"]
    svg = place.find(".//svg")
    if svg is None:
        return {"tree": " / ".join(text(each) for each in place)}
    drawing = Drawing(svg)
    root, *_ = drawing.nodes
    boards = sum(node.has_board for node in drawing.nodes)
    words = moment["search"].iterfind(".//*[@data-paths]")
    kept = [text(each) for each in words if moment.is_visible(each) and "marked" in classes(each)]
    marked = [node.text or "root" for node in drawing.nodes if node.has("marked")]
    folded = [node.text for node in drawing.nodes if node.parts("more")]
    size = f"{svg.get('width')} x {svg.get('height')} {svg.get('class')}"
    return {
        "tree": f"{board_drawn(root.shapes)[0]}, {boards} boards, "
        f"{len(drawing.nodes) - boards} squares, {svg.get('viewBox')}",
        "more below": " ".join(folded) if len(folded) <= MOST else f"{len(folded)} nodes",
        "marked": " ".join(marked) + f" by {', '.join(kept)}" * bool(kept),
        "size": size if svg.get("width") else "",
        "scrolled to": place.get("live-scroll", "") if svg.get("width") else "",
        "names at": f"{drawing.shift:g}, root at {root.x:g}" if drawing.shift else "",
    }


def saved(picture: str, moment: Moment) -> str:
    """Return the lines, the tree and the legend of a saved drawing, which needs no styles."""
    root = ET.fromstring(picture)  # noqa: S314, the page's own drawing
    names = {name for each in root.iter() for name in each.attrib}
    assert not [name for name in names if re.match("class|role|tabindex|aria|data-", name)]
    _, _, *lines, tree, key = root
    (svg,) = moment["drawing"].iterfind("svg")
    places = [numbers(each, "transform") for each in tree[1]]
    assert places[1:] == [[node.x, node.y] for node in Drawing(svg).nodes[1:]]
    told = [f"{line.get('x')} {line.get('y')} {line.text}" for line in lines]
    signs = [f"{sign.get('transform')} {sign[1].text}" for sign in key]
    frame = f"{root.get('width')} x {root.get('height')}, {root.get('viewBox')}: {root[0].text}"
    return "\n".join(
        [frame, *told, f"tree {tree.get('transform')}", f"key {key.get('transform')}", *signs]
    )


@pytest.mark.parametrize("play", PLAYS)
def test_the_play_is_performed_as_it_is_written(page: Page, play: str) -> None:
    """After each of the user's actions the page shows what the text tells."""

    def do(actions: list[str]) -> Shown:
        done = page.do(*actions)
        moment = done.last
        if not actions[-1].startswith("wait "):  # else the URL may still follow
            search_judge.check(moment)
        step = moment.text("step-number").replace(" ", "")
        events = {
            "requests": "" if actions[0].startswith("visit ") else str(len(done.urls) or ""),
            "copied": " ".join(done.copied),
            "saved": "\n".join(saved(each, moment) for each in done.saved),
            "printed": printed(done.printed) if done.printed else "",
            "left for": moment.left,
        }
        parts = parts_of(moment) | drawn(moment) | exercise(moment)
        return Shown([step, moment.text("moment-sentence")], parts, events)

    check_play(FOLDER / play, do)


#  Visits at random.

CHOICES: Final = (
    *(f"choose Algorithm: {name}" for name in ("Minimax", "Alpha-beta")),
    *(f"choose Scores: {name}" for name in ("\u22121 0 +1", "Quick wins")),
    *(f"choose Order: {name}" for name in ("cells", "best_first", "worst_first")),
    *(f"choose Depth: {depth}" for depth in (1, 2, 3, 9)),
)
KEPT: Final = ("at", "card", "options", "pressed", "offers", "legend", "tree")


def any_visit(dice: random.Random) -> str:
    """Return a visit to any search of a small tree, at any step and any node."""
    case = any_case(dice, [2, 3, 4])
    paths = [(), (), *case.truth.visits]
    query = case.query | {"algorithm": case.algorithm, "step": dice.choice([*range(60), 9999])}
    query |= {"node": ",".join(map(str, dice.choice(paths)))}
    return f"visit /search?{urlencode({name: each for name, each in query.items() if each != ''})}"


def any_action(dice: random.Random, moment: Moment) -> list[str]:
    """Return what the user can do with the steps, the nodes and the choices."""
    (svg,) = moment["drawing"].iterfind(".//svg")
    walk = any_walk(dice, moment, dice.choice(Drawing(svg).nodes).text)
    return [dice.choice([*walk, "tap #merging", *CHOICES])]


@pytest.mark.parametrize("seed", range(EXAMPLES // 6))
def test_after_any_actions_the_page_shows_the_search_and_what_a_reload_shows(
    page: Page, seed: int
) -> None:
    """All that it shows is true at each moment; a reload shows the same step, by the URL."""
    dice = random.Random(seed)  # noqa: S311, the tests need no secret numbers
    check_walk(page, any_visit(dice), partial(any_action, dice), search_judge.check, kept)


def kept(moment: Moment) -> dict[str, str]:
    """Return what a page shows after a reload, too."""
    parts = parts_of(moment) | drawn(moment)
    return {name: parts[name] for name in KEPT}


def test_all_algorithms_of_the_openapi_document_are_compared(page: Page) -> None:
    """The dialog has a row for each."""
    rows = costs_of(page.do("visit /search?compare=true").last).splitlines()[:-1]
    assert [row.split()[0] for row in rows] == document()["components"]["schemas"]["Algorithm"][
        "enum"
    ]


def test_every_button_works_without_a_tree(page: Page) -> None:
    """The search may have failed, be loading, or change at once; then no tree is saved."""
    failed, loaded = "visit /search?board=XXX......", "visit /search?board=XXOOX...O"
    buttons = page.do(loaded).last["search"].iter("button")
    taps = [f"tap #{each.get('id')}" for each in buttons if each.get("id")]
    changes = ["choose Scores: \u22121 0 +1", "choose Scores: Quick wins"]
    changing = [action for tap in taps for action in (*changes, tap)]
    for actions in ([failed, "wait 9 s", *taps], [loaded, *taps], [loaded, "wait 9 s", *changing]):
        assert page.do(*actions, "wait 0 s").saved == []
