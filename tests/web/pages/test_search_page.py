"""The search page: plays tell what it shows after a user's actions, and a judge checks it.

The judge knows the textbook's searches. It checks each moment of the play, and of random visits.
"""

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import urlencode
from xml.etree import ElementTree as ET

import pytest
from flask import Flask

from tests.fuzzing import EXAMPLES
from tests.web.pages import search_judge
from tests.web.pages.drawn_tree import Drawing, numbers
from tests.web.pages.page import Element, Moment, Page, classes, pages, text
from tests.web.pages.plays import Shown, check_play
from tests.web.pages.search_view import View, card_of, chosen, is_pressed
from tests.web.pages.searches import MODES, OPEN, Case, searched

FOLDER: Final = Path(__file__).with_name("search")
PLAYS: Final = sorted(path.name for path in FOLDER.iterdir())
SVG: Final = "{http://www.w3.org/2000/svg}"
MOST: Final = 8  # nodes that a row names


@pytest.fixture(scope="module")
def page(app: Flask) -> Iterator[Page]:
    """Run the scripts of the page."""
    with pages(app) as page:
        yield page


@pytest.mark.parametrize("play", PLAYS)
def test_the_play_is_performed_as_it_is_written(page: Page, play: str) -> None:
    """After each of the user's actions the page shows what the text tells."""
    check_play(FOLDER / play, lambda actions: shown(page, actions))


def shown(page: Page, actions: list[str]) -> Shown:
    """Perform actions; return what the page shows, once it is judged."""
    done = page.do(*actions)
    moment = done.last
    if not actions[-1].startswith("wait "):  # else the URL may still follow
        search_judge.check(moment)
    step = moment.text("step-number").replace(" ", "")
    requests = "" if actions[0].startswith("visit ") else str(len(done.urls) or "")
    events = {
        "requests": requests,
        "copied": " ".join(done.copied),
        "saved": "\n".join(saved(each, moment) for each in done.saved),
        "left for": moment.left,
    }
    parts = parts_of(moment) | drawn(moment) | question(moment)
    return Shown([step, moment.text("moment-sentence")], parts, events)


def parts_of(moment: Moment) -> dict[str, str]:
    """Return what a page shows beside the step that the judge does not check, by name."""
    options = [chosen(moment, name) for name in ("algorithm", "scoring")]
    options += [moment[name].get("live-value", "") for name in ("order", "depth")]
    pressed = ("predicting", "merging", "whole")
    looks = classes(moment["search"])[2:] + classes(moment["lesson"])[2:] + moment.classes.split()
    return {
        "at": moment.url.removeprefix("/search"),
        "card": ": ".join(card_of(moment)),
        "options": " ".join(options).replace("alphabeta distance cells 9", ""),
        "pressed": " ".join(
            each for each in pressed if each in moment and is_pressed(moment, each)
        ),
        "offers": " ".join(each for each in ("merging", "whole") if each in moment),
        "hides": " ".join(each.get("data-from", "") for each in hidden(moment)),
        "looks": " ".join(looks),
        "plays": "yes" if moment.text("step-play") == "Pause" else "",
        "legend": ", ".join(text(each) for each in moment["legend"]),
        "shared": moment.text("shared"),
        "code": moment.text("embed-code"),
        "menu": "open" if moment["share"].get("open") is not None else "",
        "compared": compared(moment),
        "announced": moment.text("announcement"),
        "focus": name_of(moment.focused),
    }


def hidden(moment: Moment) -> list[Element]:
    """Return the parts of the page that later lessons introduce."""
    parts = moment.body.iterfind(".//*[@data-from]")
    return [each for each in parts if not moment.is_visible(each)]


def name_of(element: Element | None) -> str:
    """Return the path of a node, or the ID or the text of another element."""
    if element is None:
        return ""
    if element.get("data-path") == "":
        return "root"
    return element.get("data-path") or element.get("id") or text(element) or element.tag


def drawn(moment: Moment) -> dict[str, str]:
    """Return what the drawing shows, or why there is none."""
    place = moment["drawing"]
    svg = place.find("svg")
    if svg is None:
        return {"tree": " / ".join(text(each) for each in place)}
    drawing = Drawing(svg)
    boards = sum(node.has_board for node in drawing.nodes)
    words = [
        word
        for word in moment["search"].iter()
        if word.get("data-paths") and moment.is_visible(word)
    ]
    marked = [node.text or "root" for node in drawing.nodes if node.has("marked")]
    kept = [text(word) for word in words if "marked" in classes(word)]
    folded = drawing.folded
    return {
        "tree": f"{boards} boards, {len(drawing.nodes) - boards} squares, {svg.get('viewBox')}",
        "more below": " ".join(folded) if len(folded) <= MOST else f"{len(folded)} nodes",
        "marked": " ".join(marked) + f" by {', '.join(kept)}" * bool(kept),
        "size": f"{svg.get('width')} x {svg.get('height')} {svg.get('class')}"
        if svg.get("width")
        else "",
        "scrolled to": place.get("live-scroll", "") if svg.get("width") else "",
        "names at": f"{drawing.shift:g}, root at {drawing.at[()].x:g}" if drawing.shift else "",
    }


def question(moment: Moment) -> dict[str, str]:
    """Return the question of an exercise, and how it was answered."""
    if "predict" not in moment:
        return {}
    choices = moment["predict-choices"]
    labels = [each for each in choices.iter("label") if moment.is_visible(each)]
    kinds = {each.get("type", "") for each in choices.iter("input")}
    rights = [text(each) for each in labels if "right" in classes(each)]
    fields = moment["predict-question"].find("fieldset")
    assert fields is not None
    return {
        "asked": f"{moment.text('predict-text')} {moment.text('predict-facts')}".strip(),
        "answers": ", ".join([*map(text, labels), *sorted(kinds), *classes(choices)]),
        "right": ", ".join(rights) + " (closed)" * (fields.get("disabled") is not None),
        "feedback": moment.text("predict-feedback"),
        "score": f"{moment.text('predict-score')} {moment.text('predict-go')}".strip(),
        "onward": moment["predict-again"].get("href", "") if "predict-onward" in moment else "",
    }


def compared(moment: Moment) -> str:
    """Return the rows of the dialog that compares the searches, and the note below them."""
    if moment["costs"].get("open") is None:
        return ""
    rows = []
    for row in moment["comparison"].iterfind("tbody/tr"):
        (bar,) = row.iter("i")
        share = numbers(bar.get("style"))[-1]
        rows.append(f"{row.get('data-algorithm')} {text(row[1])} {share:.3f}")
    return "\n".join([*rows, text(moment["comparison-note"])])


def saved(picture: str, moment: Moment) -> str:
    """Return the lines, the tree and the legend of a saved drawing, which needs no styles."""
    root = ET.fromstring(picture)  # noqa: S314, the page's own drawing
    for each in root.iter():
        assert not [
            name for name in each.attrib if re.match("class|role|tabindex|aria|data-", name)
        ]
    _, _, *lines, tree, key = root
    svg = moment["drawing"].find("svg")
    assert svg is not None
    places = [numbers(each.get("transform")) for each in tree[1]]
    nodes = Drawing(svg).nodes
    assert places[1:] == [[node.x, node.y] for node in nodes[1:]]
    told = [f"{line.get('x')} {line.get('y')} {line.text}" for line in lines]
    signs = [f"{sign.get('transform')} {sign[1].text}" for sign in key]
    frame = f"{root.get('width')} x {root.get('height')}, {root.get('viewBox')}: {root[0].text}"
    return "\n".join(
        [frame, *told, f"tree {tree.get('transform')}", f"key {key.get('transform')}", *signs]
    )


#  Visits at random.

VISITS: Final = EXAMPLES // 4
FEW: Final = [each for each in OPEN if each[0].count(".") in (2, 3, 4)]
KEYS: Final = ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End")
CHOICES: Final = (
    *(f"choose Algorithm: {name}" for name in ("Minimax", "Alpha-beta")),
    *(f"choose Scores: {name}" for name in ("\u22121 0 +1", "Quick wins")),
    *(f"choose Order: {name}" for name in ("cells", "best_first", "worst_first")),
    *(f"choose Depth: {depth}" for depth in (1, 2, 3, 9)),
)
KEPT: Final = ("at", "card", "options", "pressed", "offers", "legend", "tree", "more below")


def any_visit(dice: random.Random) -> str:
    """Return a visit to any search of a small tree, at any step and any node."""
    case = Case(dice.choice(FEW), *dice.choice(MODES))
    algorithm = dice.choice(["minimax", "alphabeta"])
    paths = [(), (), *searched(case, "minimax").visits]
    query = case.query | {"algorithm": algorithm, "step": dice.choice([*range(60), 9999])}
    query |= {"node": ",".join(map(str, dice.choice(paths)))}
    return f"visit /search?{urlencode({name: each for name, each in query.items() if each != ''})}"


def any_action(dice: random.Random, moment: Moment) -> str:
    """Return what the user can do with the steps, the nodes and the choices."""
    svg = moment["drawing"].find("svg")
    assert svg is not None
    node = f"[data-path='{dice.choice(Drawing(svg).nodes).text}']"
    ways = [f"click #step-{way}" for way in ("first", "back", "forward", "last", "cutoff")]
    last = int(moment["step"].get("max", ""))
    steps = [*ways, f"press {dice.choice(KEYS)}", f"type Step: {dice.randint(0, last)}"]
    nodes = [f"click {node}", f"press {dice.choice(KEYS)} on {node}", f"hover {node}"]
    return dice.choice([*steps, *nodes, "tap #merging", *CHOICES])


def test_after_any_actions_the_page_shows_the_search_and_what_a_reload_shows(page: Page) -> None:
    """Another search of the same position goes on at the same step."""
    for seed in range(VISITS):
        dice = random.Random(seed)  # noqa: S311, the tests need no secret numbers
        actions = [any_visit(dice)]
        moment = page.do(*actions).last
        try:
            search_judge.check(moment)
            for _ in range(6):
                actions.append(any_action(dice, moment))
                before, moment = moment, page.do(actions[-1]).last
                search_judge.check(moment)
                if actions[-1].startswith("choose"):
                    search_judge.check_continued(before, moment)
            again = page.do("leave #search", "reload").last
            assert kept(again) == kept(moment)
        except AssertionError as error:
            error.add_note(f"{'; '.join(actions)} (seed {seed})")
            raise


def kept(moment: Moment) -> dict[str, str]:
    """Return what a page shows after a reload, too."""
    parts = parts_of(moment) | drawn(moment)
    names = [node.get("aria-label", "") for node in moment["drawing"].iterfind(".//*[@aria-label]")]
    return {name: parts[name] for name in KEPT} | {
        "step": moment.text("step-number"),
        "sentence": moment.text("moment-sentence"),
        "names": "; ".join(names),
    }


@pytest.mark.parametrize("window", ["", " with a narrow window"], ids=["wide", "narrow"])
def test_each_word_of_a_lesson_marks_its_nodes(page: Page, window: str) -> None:
    """They are all drawn, but for mirror images."""
    for lesson in ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "10&board=.O.X.O..."):
        moment = page.do(f"visit /search?lesson={lesson}{window}").last
        words = moment["lessons"].iterfind(".//*[@data-paths]")
        paths = {word.get("data-paths", "") for word in words if moment.is_visible(word)}
        for each in paths:
            number = lesson.partition("&")[0]
            pointed = page.do(f"hover [data-lesson='{number}'] [data-paths='{each}']").last
            search_judge.check(pointed)
            marked = drawn(pointed)["marked"].partition(" by ")[0].split()
            named = {path or "root" for path in json.loads(each)}
            if is_pressed(pointed, "merging"):
                named &= {node.text for node in View(pointed).drawing.nodes}
            assert {*marked} == named


def test_every_button_works_without_a_tree(page: Page) -> None:
    """The search may have failed, be loading, or change at once; then no tree is saved."""
    failed, loaded = "visit /search?board=XXX......", "visit /search?board=XXOOX...O"
    buttons = page.do(loaded).last["search"].iter("button")
    taps = [f"tap #{each.get('id')}" for each in buttons if each.get("id")]
    changes = ["choose Scores: \u22121 0 +1", "choose Scores: Quick wins"]
    changing = [action for tap in taps for action in (*changes, tap)]
    for actions in ([failed, "wait 9 s", *taps], [loaded, *taps], [loaded, "wait 9 s", *changing]):
        assert page.do(*actions, "wait 0 s").saved == []
