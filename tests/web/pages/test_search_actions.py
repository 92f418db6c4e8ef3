"""The parts of the search page around its drawing: lessons, exercises, zoom, sharing, errors."""

import json
import random
import re
from itertools import product
from math import floor
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode
from xml.etree import ElementTree as ET

import pytest
from flask.testing import FlaskClient

from tests.truth import referee
from tests.web.pages.drawn_tree import Drawing, numbers
from tests.web.pages.test_search_page import ALGORITHMS as ALL_ALGORITHMS
from tests.web.pages.test_search_page import (
    LARGE,
    OPEN,
    Case,
    board_at,
    conclusion,
    costs,
    run,
    trees,
)
from tests.web.pages.test_search_visits import (
    DRAW,
    MOVES,
    STEPS,
    Gesture,
    Page,
    Path,
    Shown,
    View,
    check_texts,
    clicked,
    moved,
    page,
    searched,
)

__all__ = ["page"]

CASE: Final = Case(("XXOOX...O", "X"), "distance", "cells", 9)
WIDER: Final = Case(("XO.XO....", "X"), "outcome", "cells", 9)
MIRRORED: Final = Case(("X...O...X", "O"), "distance", "cells", 2)
DOT: Final = " \u00b7 "
SVG: Final = "{http://www.w3.org/2000/svg}"


def visited(page: Page, view: View, *media: str, **more: str) -> Shown:
    """Follow the link to a view; return what the page shows."""
    query = urlencode(view.query | more)
    shown: Shown = page.do(DRAW, ("visit", (f"?{query}", media)))["shown"]
    return shown


def shown_after(page: Page, *gestures: Gesture) -> Shown:
    """Perform actions in the same instant; return what the page shows at last."""
    shown: Shown = page.do(*gestures)["shown"]
    return shown


def drawn_after(page: Page, *gestures: Gesture) -> Shown:
    """Perform actions in the same instant; return what the page shows, with its drawing."""
    return shown_after(page, DRAW, *gestures)


def query_of(shown: Shown) -> dict[str, str]:
    """Return the parameters of the page's URL."""
    return dict(parse_qsl(shown["address"][1:]))


class Lesson:
    """A lesson, as the page's HTML describes it."""

    def __init__(self, html: str) -> None:
        self.number: Final = int(self._value(html, "lesson"))
        query = dict(parse_qsl(self._value(html, "search").replace("&amp;", "&")))
        self.board: Final = query["board"]
        self.other: Final = self._value(html, "other")
        self.focus: Final = self._path(html, "focus")
        self.narrow: Final = self._path(html, "narrow")
        self.title: Final = re.findall("<h2>(.*?)</h2>", html)[0]
        self.is_merged: Final = query.get("merge") == "true"
        marks = self.board.count("X") - self.board.count("O")
        case = Case(
            (self.board, "O" if marks > 0 else "X"),
            query.get("scoring", "distance"),
            "cells",
            int(query.get("max_depth", 9)),
        )
        self.view: Final = View(case, query.get("algorithm", "alphabeta"), int(query["step"]))

    def _value(self, html: str, name: str) -> str:
        found = re.search(f'data-{name}="(.*?)"', html)
        return found[1] if found else ""

    def _path(self, html: str, name: str) -> Path:
        text = self._value(html, name)
        return tuple(map(int, text.split(","))) if text else ()

    def drawn(self, focus: Path, *, is_narrow: bool) -> list[Path]:
        """Return the nodes that are drawn, given the only branch that is drawn in full."""
        search = searched(self.view.case, "minimax")
        paths = [path for path in search.visits if len(path) <= search.levels]
        inner = {path[:-1] for path in paths if path}
        return [path for path in paths if self._is_drawn(path, focus, inner, is_narrow=is_narrow)]

    def _is_drawn(self, path: Path, focus: Path, inner: set[Path], *, is_narrow: bool) -> bool:
        above = [path[:length] for length in range(len(path))]
        if not all(is_on_way(each, focus) for each in above):
            return False
        if self.is_merged and any(self._is_mirrored(each) for each in [*above[1:], path]):
            return False
        ways = [path] if not is_narrow else [path, *above[1:]]
        is_beside = any(
            len(way) < len(focus) and not is_on_way(way, focus) and way in inner for way in ways
        )
        return not (is_narrow and is_beside)

    def _is_mirrored(self, path: Path) -> bool:
        """Return whether a node mirrors one that is before it and has the same parent."""
        cells = range(path[-1] if path else 0)
        before = [(*path[:-1], cell) for cell in referee.moves(self.at(path[:-1])) if cell in cells]
        return any(self.at(each) in images(self.at(path)) for each in before)

    def at(self, path: Path) -> str:
        """Return the board of a node."""
        return board_at(self.board, self.view.case.to_move, path)


def is_on_way(path: Path, focus: Path) -> bool:
    """Return whether a node is on the way to a branch, or belongs to it."""
    shared = min(len(path), len(focus))
    return path[:shared] == focus[:shared]


@pytest.fixture(scope="module")
def lessons(app: Any) -> list[Lesson]:
    """Return all lessons."""
    html = app.test_client().get("/search").text
    return [
        Lesson(each) for each in re.findall("<article data-lesson.*?</article>", html, re.DOTALL)
    ]


NARROW: Final = "screen and (width < 58rem)"


@pytest.mark.parametrize("is_narrow", [False, True])
def test_a_lesson_shows_its_step_and_its_branch(
    page: Page, lessons: list[Lesson], *, is_narrow: bool
) -> None:
    """Its card, its search and its step are shown, and the controls that it has introduced.

    Of a large tree, only the lesson's branch is drawn; the button `Whole tree` draws all.
    """
    branches = [each for each in lessons if each.focus]
    for lesson in branches if is_narrow else lessons:
        link = ("visit", (f"?lesson={lesson.number}", [NARROW] * is_narrow))
        shown = drawn_after(page, link) if lesson.focus else shown_after(page, link)
        check_texts(lesson.view, shown)
        place = f"Lesson {lesson.number} of {len(lessons)}"
        assert shown["card"] == {"place": place, "title": lesson.title}
        assert shown["title"] == f"{lesson.title} \u00b7 {place} \u00b7 Best Move"
        assert shown["current"] == [str(lesson.number)]
        assert all(int(number) > lesson.number for number in shown["later"])
        assert {"4", "7", "9", "10"} - {*shown["later"]} == {
            number for number in ("4", "7", "9", "10") if int(number) <= lesson.number
        }
        assert ("plain" in shown["classes"]) == (lesson.number == 1)
        assert "own" not in shown["classes"]
        assert "position" in shown["hidden"]
        assert shown["lessonTexts"] == [lesson.board] * bool(lesson.other)
        assert ("whole" in shown["hidden"]) == (not lesson.focus)
        focus = lesson.narrow if is_narrow else lesson.focus
        if lesson.focus:
            check_branch(lesson, shown, focus, is_narrow=is_narrow)
        if lesson is branches[0] and not is_narrow:
            whole = drawn_after(page, ("click", "whole"))
            assert "whole" in whole["pressed"]
            assert query_of(whole)["whole"] == "true"
            check_branch(lesson, whole, (), is_narrow=is_narrow)
            again = drawn_after(page, ("click", "whole"))
            assert again["drawing"]["nodes"] == shown["drawing"]["nodes"]


def check_branch(lesson: Lesson, shown: Shown, focus: Path, *, is_narrow: bool) -> None:
    """Assert that a branch of the lesson's tree is drawn in full, with the way to it."""
    drawing = Drawing(shown["drawing"])
    expected = lesson.drawn(focus, is_narrow=is_narrow)
    assert [node.path for node in drawing.nodes] == expected
    drawing.check()
    assert shown["drawing"]["class"].split()[:1] == ["roomy"] * bool(focus)
    for node in drawing.nodes:
        inner = board_at(lesson.board, lesson.view.case.to_move, node.path)
        has_children = not referee.is_over(inner) and len(node.path) < lesson.view.case.depth
        is_open = bool(drawing.children(node.path))
        expanded = str(is_open).lower() if has_children else None
        assert node.shapes["aria-expanded"] == expanded
        assert bool(node.parts("more")) == (expanded == "false")


def test_a_media_change_redraws_a_lesson(page: Page, lessons: list[Lesson]) -> None:
    """A window that becomes narrow shows the narrow branch."""
    (lesson,) = (each for each in lessons if each.number == 5)
    drawn_after(page, ("visit", ("?lesson=5", [])))
    shown = drawn_after(page, ("media", [NARROW]))
    check_branch(lesson, shown, lesson.narrow, is_narrow=True)


def test_the_pages_links_change_the_search_without_loading(page: Page) -> None:
    """A link is followed on the page and can be undone with Back; with a modifier it is a link."""
    shown_after(page, ("visit", ("?lesson=1", [])))
    for modifier in ("ctrlKey", "metaKey", "shiftKey", "altKey"):
        same = shown_after(page, ("link", ("lesson", "?lesson=2", modifier)))
        assert (same["address"], same["left"]) == ("?lesson=1", "link")
    shown_after(page, ("visit", ("?lesson=1", [])))
    start = shown_after(page, ("click", "step-back"))
    shown = shown_after(page, ("link", ("lesson", "?lesson=2")))
    assert shown["left"] == ""
    assert (shown["address"], shown["entries"]) == ("?lesson=2", start["entries"] + 1)
    assert shown["announcement"] == f"Lesson 2 of 10: {shown['card']['title']}."
    assert shown["later"] == ["4", "7", "9", "10", "4", "4"]
    back = shown_after(page, ("back", None))
    assert back["address"] == "?lesson=1&step=25"
    assert back["step-number"] == "25 / 26"
    assert back["card"]["place"] == "Lesson 1 of 10"


def test_invalid_parts_of_a_link_are_ignored(page: Page) -> None:
    """Case does not matter, and other values than those documented have no effect."""
    for query, address in (
        ("?LESSON=3", "?lesson=1"),
        ("?lesson=99", "?lesson=1"),
        ("?lesson=3&algorithm=MiniMax", "?lesson=3&algorithm=minimax"),
        ("?lesson=3&algorithm=x&step=-1&node=9&merge=yes", "?lesson=3"),
        ("?board=xxoox...o&starts=x", "?board=XXOOX...O&starts=X"),
        ("?lesson=3&board=XXOOX...O", "?lesson=3"),
        ("?lesson=3&board=XOX.O....", "?board=XOX.O...."),
        ("?lesson=3&played=5", "?board=.........&played=5"),
        ("?board=XXOOX...O&node=5", "?board=XXOOX...O&step=9999&node=5"),
        ("?lesson=10&board=.O.X.O...&step=3", "?lesson=10&board=.O.X.O...&step=3"),
    ):
        visit: Gesture = ("visit", (query, []))
        shown = shown_after(page, visit, ("media", []), ("wait", 9_999))
        parsed = shown_after(page, ("click", "merging"), ("click", "merging"))
        assert (query, parsed["address"]) == (query, address)
        assert shown["card"]["place"] == (
            f"Lesson {query_of(parsed)['lesson']} of 10" if "lesson" in address else "A position"
        )


def test_the_url_follows_once_the_choices_rest(page: Page) -> None:
    """It is written after 300 ms without a change, because browsers limit how often it may be."""
    start = visited(page, View(CASE, step=3))
    for _ in range(3):
        shown = shown_after(page, ("click", "step-forward"), ("wait", 299))
        assert shown["address"] == start["address"]
    assert shown["step-number"] == "6 / 22"
    assert query_of(shown_after(page, ("wait", 1)))["step"] == "6"


def test_the_steps_play_until_they_are_paused(page: Page) -> None:
    """A step takes 700 ms, or a fourth of it; any other step pauses, and the last ends them."""
    view = View(CASE)
    visited(page, view)
    start = shown_after(page, ("click", "step-play"), ("wait", 0))
    assert (start["step-play"], start["live"]) == ("Pause", "polite")
    times = ((699, 0), (1, 1), (699, 1), (1, 2), (7000, 12))
    for time, step in times:
        shown = shown_after(page, ("wait", time))
        assert shown["step-number"] == f"{step} / 22"
    assert shown["live"] == "off"
    paused = shown_after(page, ("key", (None, " ")), ("wait", 9_999))
    assert (paused["step-number"], paused["step-play"]) == ("12 / 22", "Run")
    shown_after(page, ("key", (None, " ")), ("click", "step-back"), ("wait", 9_999))
    faster = shown_after(page, ("radio", ("speed", "4")), ("click", "step-play"), ("wait", 349))
    assert faster["step-number"] == "12 / 22"
    assert shown_after(page, ("wait", 1))["step-number"] == "13 / 22"
    end = shown_after(page, ("wait", 9_999))
    assert (end["step-number"], end["step-play"]) == ("22 / 22", "Run")
    again = shown_after(page, ("click", "step-play"), ("wait", 0))
    assert (again["step-number"], again["step-play"]) == ("0 / 22", "Pause")
    for gesture in (("slide", 5), ("node", "5"), ("radio", ("algorithm", "minimax"))):
        stopped = shown_after(page, gesture, ("wait", 9_999))
        assert stopped["step-play"] == "Run"
        shown_after(page, ("click", "step-play"), ("wait", 0))


def test_keys_that_a_control_needs_do_not_move_the_steps(page: Page) -> None:
    """Nor do keys with a modifier; the slider moves itself, but Space plays there too."""
    start = visited(page, View(CASE, step=3))
    for gesture in (
        ("press", ("order", "ArrowRight")),
        ("press", ("step", "ArrowRight")),
        ("press", ("share", "x")),
        ("press", ("zoom-in", " ")),
        *(("key", (None, "End", each)) for each in ("ctrlKey", "metaKey", "altKey", "shiftKey")),
    ):
        shown = shown_after(page, gesture)
        assert (shown["step-number"], shown["step-play"]) == (start["step-number"], "Run")
    moved = shown_after(page, ("press", ("zoom-in", "ArrowRight")))
    assert moved["step-number"] == "4 / 22"
    assert shown_after(page, ("press", ("step", " ")), ("wait", 0))["step-play"] == "Pause"


def test_mirror_images_are_merged(page: Page) -> None:
    """Of sibling boards that are mirror images only the first is drawn, with their number."""
    shown = visited(page, View(MIRRORED))
    assert "merging" not in shown["hidden"]
    merged = drawn_after(page, ("click", "merging"))
    assert "merging" in merged["pressed"]
    assert query_of(merged)["merge"] == "true"
    drawing = Drawing(merged["drawing"])
    drawing.check()
    all_paths = [node.path for node in Drawing(shown["drawing"]).nodes]
    for node in drawing.nodes:
        below = [path for path in all_paths if path and path[:-1] == node.path]
        boards = {path: board_at(MIRRORED.board, MIRRORED.to_move, path) for path in below}
        kept = [each.path for each in drawing.children(node.path)]
        firsts: dict[str, list[Path]] = {}
        for path, board in boards.items():
            firsts.setdefault(min(images(board)), []).append(path)
        assert kept == [paths[0] for paths in firsts.values()]
        for first, *others in firsts.values():
            child = drawing.at[first]
            if child.has_board:
                count = f" \u00d7{len(others) + 1}" * bool(others)
                assert child.shapes["text"].startswith(
                    f"{MIRRORED.to_move if len(first) % 2 else 'X'} {first[-1]}{count} "
                )
            moves = ", ".join(str(path[-1]) for path in others)
            assert child.name.endswith(f", with mirror images {moves}") == bool(others)
    again = drawn_after(page, ("click", "merging"))
    assert "merge" not in query_of(again)
    assert [node.path for node in Drawing(again["drawing"]).nodes] == all_paths


def images(board: str) -> set[str]:
    """Return the eight rotations and reflections of a board."""
    found = set()
    for turn in range(4):
        rows = [board[start : start + 3] for start in (0, 3, 6)]
        for _ in range(turn):
            rows = ["".join(row) for row in zip(*rows[::-1], strict=True)]
        found |= {"".join(rows), "".join(row[::-1] for row in rows)}
    return found


def test_a_merged_node_is_highlighted_by_the_one_that_is_drawn(page: Page) -> None:
    """A step at a node that is not drawn highlights the node that stands for it."""
    view = View(MIRRORED, "minimax")
    visited(page, view, merge="true")
    for step in range(0, view.last, 3):
        shown = drawn_after(page, ("slide", step))
        drawing = Drawing(shown["drawing"])
        (at,) = (node.path for node in drawing.nodes if node.shapes["aria-selected"] == "true")
        path = view.search.events[step].path
        board, image = (
            board_at(MIRRORED.board, MIRRORED.to_move, each) for each in (path[: len(at)], at)
        )
        assert image in images(board)
        assert len(at) == len(path) or path[: len(at)] not in drawing.at


def test_nodes_that_the_response_omits_are_loaded(page: Page) -> None:
    """A click on a node or the key Enter draws the nodes below it, and the step stays."""
    case = Case(LARGE[0], "distance", "cells", 9)
    view = View(case, step=9_999)
    drawing = Drawing(visited(page, view)["drawing"])
    search = case.search("alphabeta")
    folded = [node for node in drawing.nodes if node.parts("more") and node.path in search.visits]
    for node, is_by_key in zip(folded, (False, True), strict=False):
        name = node.shapes["path"]
        gesture = ("key", (name, "Enter")) if is_by_key else ("node", name)
        shown = drawn_after(page, gesture, ("click", "step-last"))
        drawing = Drawing(shown["drawing"])
        below = drawing.children(node.path)
        board = board_at(case.board, case.to_move, node.path)
        assert [child.path[-1] for child in below] == referee.moves(board)
        for child in below:
            assert (child.state == "done") == (child.path in search.visits)
            if child.state == "done":
                assert child.score.lstrip("\u2264\u2265") == case.shown(search.scores[child.path])
        step, last = shown["step-number"].split(" / ")
        assert step == last
    drawing.check()
    path = below[0].path
    linked = visited(page, View(case, step=3, node=path))
    assert path in Drawing(linked["drawing"]).at


def test_the_nodes_that_a_lesson_leaves_out_are_drawn(page: Page, lessons: list[Lesson]) -> None:
    """A click on the node above them draws the whole tree."""
    (lesson,) = (each for each in lessons if each.number == 5)
    shown = drawn_after(page, ("visit", ("?lesson=5", [])))
    folded = [node for node in Drawing(shown["drawing"]).nodes if node.parts("more")]
    whole = drawn_after(page, ("node", folded[0].shapes["path"]))
    assert query_of(whole)["whole"] == "true"
    check_branch(lesson, whole, (), is_narrow=False)


def test_keys_move_through_the_tree(page: Page) -> None:
    """An arrow key selects the first child, the parent, or the next node of the ply, and so on."""
    paths = [node.path for node in Drawing(visited(page, View(CASE))["drawing"]).nodes]
    for path, key in product(paths, MOVES):
        name = ",".join(map(str, path))
        shown = shown_after(page, ("key", (name, key)))
        target = moved(path, key, paths)
        if target is not None:
            selected = ",".join(map(str, target))
            assert (query_of(shown).get("node", ""), shown["focused"]) == (selected, selected)


def test_buttons_that_lead_nowhere_do_nothing(page: Page) -> None:
    """They can have the focus, but neither a click nor a key goes to another step."""
    for step in (0, 22):
        start = visited(page, View(CASE, step=step))
        assert start["disabled"]
        for way in start["disabled"]:
            assert shown_after(page, ("click", way))["slider"] == start["slider"]
        for key, way in STEPS.items():
            if way in start["disabled"]:
                assert shown_after(page, ("key", (None, key)))["slider"] == start["slider"]


FRAMES: Final = [(CASE, 800, 600), (CASE, 2000, 1500), (CASE, 150, 400), (WIDER, 300, 200)]


@pytest.mark.parametrize(("case", "width", "height"), FRAMES)
def test_the_drawing_fits_into_its_frame(page: Page, case: Case, width: int, height: int) -> None:
    """It is as large as the frame allows, up to 1.6; if it would be illegible, it is scrolled.

    Zooming changes its scale by a fourth, from all of it to four times its size.
    """
    visited(page, View(case, step=9))
    shown = drawn_after(page, ("size", (width, height)))
    drawing = Drawing(shown["drawing"])
    whole = min(width / drawing.width, height / drawing.height, 1.6)
    least = 0.38 if all(node.has_board for node in drawing.nodes) else 0.66
    scale = whole if whole >= least else max(least, min(height / drawing.height, 0.8))
    check_scale(shown, drawing, scale)
    for gesture, change in (("zoom-in", 1.25), ("zoom-in", 1.25), ("zoom-out", 0.8)):
        shown = drawn_after(page, ("click", gesture))
        scale = min(max(scale * change, whole), 4)
        check_scale(shown, drawing, scale)
    shown = drawn_after(page, *[("click", "zoom-in")] * 9)
    check_scale(shown, drawing, 4)
    check_sight(shown, 4, width)
    scrolled = drawn_after(page, ("scroll", (40, 0)))
    check_sight(scrolled, 4, width)
    shown = drawn_after(page, ("click", "zoom-fit"))
    check_scale(shown, drawing, whole)
    smaller = drawn_after(page, ("click", "zoom-in"), ("size", (width / 2, height / 2)))
    half = min(width / 2 / drawing.width, height / 2 / drawing.height, 1.6)
    check_scale(smaller, drawing, min(max(whole * 1.25, half), 4))


def check_scale(shown: Shown, drawing: Drawing, scale: float) -> None:
    """Assert that the drawing has a scale, and shows what is legible at it."""
    found = shown["drawing"]
    assert found["width"] == str(floor(drawing.width * scale))
    assert found["height"] == str(floor(drawing.height * scale))
    assert float(re.findall(r"--unit: (.*?);", found["style"])[0]) == pytest.approx(1 / scale)
    assert ("medium" in found["class"].split()) == (scale >= 0.8)


def check_sight(shown: Shown, scale: float, width: float) -> None:
    """Assert that the step's node is in sight, and that the names and the root stay in sight."""
    left, _ = shown["scrolled"]
    drawing = Drawing(shown["drawing"])
    assert drawing.shift == pytest.approx(left / scale, abs=0.01)
    root = drawing.at[()]
    x = root.place[0]
    half = root.size / 2
    natural = sum(drawing.children(())[index].place[0] for index in (0, -1)) / 2
    most = (left + width) / scale - half - 28 - 10
    least = left / scale + 78 + half
    assert x == pytest.approx(max(min(natural, most), least), abs=0.02)
    for child in drawing.children(()):
        (move,) = child.parts("move")
        assert move["text-anchor"] == ("end" if child.place[0] < x else "start")


def test_the_node_of_a_step_is_scrolled_into_sight(page: Page) -> None:
    """A node that is in sight moves nothing; another is scrolled to the center."""
    width, height, scale = 300, 200, 4
    view = View(CASE)
    visited(page, view)
    drawn_after(page, ("size", (width, height)), *[("click", "zoom-in")] * 20)
    before = drawn_after(page, ("slide", 0))
    for step in range(1, view.last):
        shown = drawn_after(page, ("slide", step))
        drawing = Drawing(shown["drawing"])
        event = view.search.events[step]
        path = event.path
        if event.kind == "back":
            path = view.search.events[step - 1].path
        x, y = drawing.at[path].place
        if not path:
            x = sum(drawing.children(())[index].place[0] for index in (0, -1)) / 2
        for old, new, place, size in zip(
            before["scrolled"],
            shown["scrolled"],
            (x * scale, y * scale),
            (width, height),
            strict=True,
        ):
            margin = min(60, size / 4)
            is_seen = old + margin <= place <= old + size - margin
            assert new == pytest.approx(old if is_seen else place - size / 2, abs=0.1)
        before = shown


def test_all_of_the_drawing_is_printed(page: Page) -> None:
    """Before printing, the names and the root return to their places; then they follow again."""
    visited(page, View(CASE))
    drawn_after(page, ("size", (300, 200)), *[("click", "zoom-in")] * 20)
    scrolled = drawn_after(page, ("scroll", (500, 0)))
    assert Drawing(scrolled["drawing"]).shift == 125
    printed = drawn_after(page, ("event", "beforeprint"))
    Drawing(printed["drawing"]).check()
    assert Drawing(printed["drawing"]).shift == 0
    assert drawn_after(page, ("event", "afterprint"))["drawing"] == scrolled["drawing"]


EXERCISES: Final = [
    f"?board={board}&scoring=outcome&predict=true"
    for board in ("O.X.X.O..", "X...O.OX.", "X....O.XO", "O.XX....O")
]
SMALLER: Final = Case(("XOX.O.X..", "O"), "outcome", "cells", 9)
LIMITED: Final = Case(("XOO.X....", "X"), "distance", "cells", 2)


@pytest.mark.parametrize(
    ("case", "algorithm"), [(SMALLER, "minimax"), (SMALLER, "alphabeta"), (LIMITED, "alphabeta")]
)
def test_an_exercise_asks_and_grades(
    page: Page, client: FlaskClient, case: Case, algorithm: str
) -> None:
    """Each question is asked at its step; the answer is graded, and the search goes on."""
    dice = random.Random(1)  # noqa: S311, the tests need no secret numbers
    (texts,) = run("searches", [trees(client, case.query)])
    questions = [plain(each) for each in texts[algorithm]["questions"]]
    view = View(case, algorithm)
    shown = visited(page, view, predict="true")
    assert "predicting" in shown["pressed"]
    assert shown["isBrief"]
    assert shown["isInert"]
    right = 0
    for number, asked in enumerate(questions, 1):
        check_question(asked, shown, algorithm)
        score = f" \u00b7 {right} of {number - 1} right" if number > 1 else ""
        assert shown["predict-score"] == f"Question {number} of {len(questions)}{score}"
        assert query_of(shown).get("step", "0") == (str(asked["step"]) if number > 1 else "0")
        empty = shown_after(page, ("answer", [""]))
        is_typed = asked["type"] == "text"
        hint = "Type a score, such as 0 or \u22121." if is_typed else "Choose an answer."
        assert empty["predict-feedback"] == hint
        is_right = dice.random() < 0.6
        shown = shown_after(page, ("answer", answer_to(asked, case, is_right=is_right)))
        right += is_right
        check_grade(asked, shown, is_right=is_right)
        is_last = number == len(questions)
        assert ("predict-onward" in shown["hidden"]) == (not is_last)
        assert ("predict-go" in shown["hidden"]) == is_last
        assert shown["focused"] == ("predict-again" if is_last else "predict-go")
        assert query_of(shown)["step"] == str(asked["step"])
        assert shown["slider"]["value"] == str(asked["answered"])
        score = f"Question {number} of {len(questions)} \u00b7 {right} of {number} right"
        assert shown["predict-score"] == score
        if not is_last:
            assert shown["predict-go"] == "Next question"
            shown = drawn_after(page, ("answer", []))
    assert shown["hrefs"]["predict-again"] == EXERCISES[0]
    assert right
    left = shown_after(page, ("click", "predicting"))
    assert "predict" in left["hidden"]
    assert not left["isInert"]
    assert not left["isBrief"]


def plain(asked: dict[str, Any]) -> dict[str, Any]:
    """Return a question with its sentences as texts."""
    return asked | {name: asked[name]["sentence"] for name in ("text", "facts", "why")}


def test_the_exercises_lead_around(page: Page) -> None:
    """Each leads to the next, and the last to the first."""
    for index in (1, 3):
        shown = shown_after(page, ("visit", (EXERCISES[index], [])))
        assert shown["hrefs"]["predict-again"] == EXERCISES[(index + 1) % 4]


def check_question(asked: dict[str, Any], shown: Shown, algorithm: str) -> None:
    """Assert that a question is asked, and that nothing shows the answer."""
    assert shown["predict-text"] == asked["text"]
    assert shown["predict-facts"] == asked["facts"]
    assert shown["predict-feedback"] == ""
    assert shown["predict-go"] == "Answer"
    assert not shown["isAnswered"]
    assert "predict" not in shown["hidden"]
    if asked["type"] == "text":
        assert [(each["type"], each["text"]) for each in shown["choices"]] == [("text", "Score ")]
    else:
        choices = [(each["value"], each["text"]) for each in asked["choices"]]
        assert [(each["value"], each["text"]) for each in shown["choices"]] == [
            (str(value), text) for value, text in choices
        ]
        assert {each["type"] for each in shown["choices"]} == {asked["type"]}
        paths = [each["paths"] and json.loads(each["paths"]) for each in shown["choices"]]
        assert paths == [each.get("paths") for each in asked["choices"]]
        assert shown["isOrdered"] == asked.get("isOrdered", False)
        assert {each["name"] for each in shown["choices"]} == {"predicted"}
    drawing = Drawing(shown["drawing"])
    given = dict(asked["scores"])
    for node in drawing.nodes:
        name = node.shapes["path"]
        if name in given:
            assert node.score
            assert node.name.endswith(", given")
            assert node.has("near")
        elif node.state in ("later", "never"):
            assert node.score == ""
    (at,) = (node for node in drawing.nodes if node.shapes["aria-selected"] == "true")
    assert at.shapes["path"] == asked["path"]
    assert shown["moment-sentence"] == ""
    assert len(shown["numbers"]) == (2 if algorithm == "alphabeta" else 1)


def answer_to(asked: dict[str, Any], case: Case, *, is_right: bool) -> list[str]:
    """Return the right answer to a question, or a wrong one."""
    right = [str(value) for value in asked["right"]]
    if asked["type"] == "text":
        score = asked["right"][0] / case.unit + (not is_right)
        return [f" {score:+g} ".replace("-", "\u2212")]
    if is_right:
        return right
    values = [str(each["value"]) for each in asked["choices"]]
    return [next(value for value in values if [value] != right)]


def check_grade(asked: dict[str, Any], shown: Shown, *, is_right: bool) -> None:
    """Assert that an answer is graded, and that the right choices are marked."""
    verdict = "Right." if is_right else "Wrong."
    assert shown["predict-feedback"] == f"{verdict} {asked['why']}"
    assert shown["isAnswered"]
    if asked["type"] != "text":
        right = [str(value) for value in asked["right"]]
        assert [each["isRight"] for each in shown["choices"]] == [
            each["value"] in right for each in shown["choices"]
        ]


def test_a_link_to_an_exercise_asks_from_its_step_on(page: Page, client: FlaskClient) -> None:
    """Without a later question it begins with the first."""
    case = SMALLER
    (texts,) = run("searches", [trees(client, case.query)])
    questions = texts["alphabeta"]["questions"]
    for step in (0, questions[1]["step"] + 1, questions[-1]["step"], 9_999):
        later = [each for each in questions if each["step"] >= step] or questions
        shown = visited(page, View(case, step=step), predict="true")
        assert shown["predict-score"] == f"Question 1 of {len(later)}"
        assert shown["predict-text"] == later[0]["text"]["sentence"]


def test_a_node_can_be_looked_at_during_an_exercise(page: Page) -> None:
    """It shows no more than the search knows at the question's step."""
    shown = visited(page, View(SMALLER), predict="true")
    for node in Drawing(shown["drawing"]).nodes[1::5]:
        seen = drawn_after(page, ("node", node.shapes["path"]))
        (at,) = (each for each in Drawing(seen["drawing"]).nodes if each.shapes["tabindex"] == "0")
        assert at.path == node.path
        told = "" if seen["moment-sentence"] == "" else f"{at.name}."
        assert seen["moment-sentence"] == told
        assert ("is to move" in "".join(seen["numbers"])) == (at.state == "open") or told == ""


def test_an_exercise_without_questions_says_so(page: Page) -> None:
    """There are links to another position and to the lessons."""
    case = Case(next(each for each in OPEN if each[0].count(".") == 1), "outcome", "cells", 9)
    shown = visited(page, View(case), predict="true")
    assert "predict-question" in shown["hidden"]
    assert "predict-onward" not in shown["hidden"]
    text = "There is nothing to predict: all moves have the same score."
    assert shown["predict-feedback"] == text
    assert not shown["isInert"]


@pytest.mark.parametrize("case", [CASE, WIDER, LIMITED])
def test_the_dialog_compares_all_searches(page: Page, case: Case) -> None:
    """It shows the nodes of each, and the conclusion."""
    visited(page, View(case))
    answer = page.do(("forget", None), ("click", "comparing"))
    shown = answer["shown"]
    assert shown["hasCosts"]
    assert query_of(shown)["compare"] == "true"
    visits = costs(case)
    assert [(row["algorithm"], row["nodes"]) for row in shown["rows"]] == [
        (name, f"{count:,}") for name, count in zip(ALL_ALGORITHMS, visits, strict=True)
    ]
    assert max(float(row["share"]) for row in shown["rows"]) == 1
    assert shown["comparison-note"] == conclusion(case, visits)
    asked = [dict(parse_qsl(url.partition("?")[2]))["algorithm"] for url in answer["urls"]]
    assert asked == [*ALL_ALGORITHMS]
    assert not any("order=" in url for url in answer["urls"])
    closed = shown_after(page, ("close", None))
    assert "compare" not in query_of(closed)


def test_a_comparison_without_a_connection_says_so(page: Page) -> None:
    """The rows stay empty."""
    visited(page, View(CASE))
    page.is_cut_off = True
    shown = shown_after(page, ("forget", None), ("click", "comparing"))
    page.is_cut_off = False
    assert shown["comparison-note"].startswith("The service is not responding.")
    assert {row["nodes"] for row in shown["rows"]} == {"\u2013"}
    assert {row["share"] for row in shown["rows"]} == {"0"}


def test_a_search_that_cannot_be_loaded_can_be_retried(page: Page) -> None:
    """The drawing says why there is none; the steps are off until there is one."""
    page.is_cut_off = True
    shown = shown_after(page, ("forget", None), ("visit", ("?board=XXOOX...O", [])))
    message, button = shown["message"]
    assert message.startswith("The service is not responding.")
    assert button == "Try again"
    assert "failed" in shown["classes"]
    assert (shown["isBusy"], shown["isInert"]) == (True, True)
    assert shown["card"] == {"place": "A position", "title": "No connection"}
    assert shown["title"] == "No connection \u00b7 Search \u00b7 Best Move"
    assert shown["position-cost"] == "\xa0"
    page.is_cut_off = False
    again = shown_after(page, ("again", None))
    assert "failed" not in again["classes"]
    assert (again["isBusy"], again["isInert"], again["message"]) == (False, False, [])
    invalid = shown_after(page, ("visit", ("?board=XXX......", [])))
    assert len(invalid["message"]) == 1
    assert invalid["card"]["title"] == "Illegal position"


def test_every_button_works_without_a_tree(page: Page, client: FlaskClient) -> None:
    """The search may have failed, be loading, or change at once; then no tree can be saved."""
    buttons = re.findall('<button[^>]* id="(.*?)"', client.get("/search").text)
    failed: Gesture = ("visit", ("?board=XXX......", []))
    loading: Gesture = ("visit", ("?board=XXOOX...O", []))
    for button in buttons:
        if button.startswith(("step-", "predict-go")):
            continue  # it is inert or hidden
        visited(page, View(CASE))
        answers = [
            page.do(("click", button), ("radio", ("scoring", "outcome")), ("wait", 0)),
            page.do(failed, ("wait", 999), ("click", button)),
            page.do(("forget", None), loading, ("click", button), ("wait", 0)),
        ]
        for answer in answers:
            assert answer["saved"] == []
            if button == "save-tree":
                assert answer["shown"]["shared"] == "There is no tree to save."


def test_a_finished_game_has_nothing_to_search(page: Page) -> None:
    """The card says how it ended."""
    for board, title in (("XXX.OO...", "X won"), ("XXOOOXXOX", "A draw")):
        shown = shown_after(page, ("visit", (f"?board={board}", [])))
        assert shown["card"]["title"] == title
        assert shown["position-cost"] == "There is nothing to search."
        assert shown["tree-all"] == "1 node"


def test_the_share_menu_copies_the_link_and_the_code(page: Page) -> None:
    """It copies the search as it is now, even before the URL has followed."""
    visited(page, View(CASE, step=3))
    answer = page.do(("click", "step-forward"), ("click", "copy-link"), ("wait", 0))
    link = "http://localhost/search?board=XXOOX...O&starts=X&step=4"
    assert (answer["copied"], answer["shown"]["shared"]) == ([link], "Copied.")
    answer = page.do(("click", "copy-embed"))
    (code,) = answer["copied"]
    frame = ET.fromstring(code)  # noqa: S314, the page's own code
    title = "X to move \u00b7 Search \u00b7 Best Move"
    expected = {"src": link, "width": "1240", "height": "760", "title": title}
    assert {name: frame.get(name) for name in expected} == expected
    assert frame.get("style") == "border: 0px; max-width: 100%;"
    assert "embed-code" not in answer["shown"]["hidden"]
    assert answer["shown"]["embed-code"] == code
    closed = shown_after(page, ("toggle", None))
    assert "embed-code" in closed["hidden"]
    assert closed["shared"] == ""
    opened = shown_after(page, ("menu", True), ("press", ("copy-link", "x")))
    assert opened["hasMenu"]
    inside = shown_after(page, ("click", "copy-link"))
    assert inside["hasMenu"]
    outside = shown_after(page, ("click", "drawing"))
    assert not outside["hasMenu"]
    escaped = shown_after(page, ("menu", True), ("press", ("copy-link", "Escape")))
    assert not escaped["hasMenu"]
    printed = shown_after(page, ("menu", True), ("click", "print"))
    assert (printed["left"], printed["hasMenu"]) == ("print", False)


def test_code_that_cannot_be_copied_is_selected(page: Page) -> None:
    """The page says how to copy it."""
    visited(page, View(CASE), "no clipboard")
    assert shown_after(page, ("click", "copy-link"))["shared"] == "Copy it from the address bar."
    shown = shown_after(page, ("click", "copy-embed"))
    assert shown["shared"] == "Selected. Press Ctrl+C or \u2318C."


@pytest.mark.parametrize(("case", "is_lesson"), [(CASE, False), (WIDER, False), (CASE, True)])
def test_the_saved_drawing_stands_alone(page: Page, case: Case, *, is_lesson: bool) -> None:
    """It has a title, the step, the whole drawing and the legend, and needs no styles."""
    shown = visited(page, View(case, step=7))
    if is_lesson:
        shown = drawn_after(page, ("visit", ("?lesson=4", [])))
    shown_after(page, ("size", (300, 200)), *[("click", "zoom-in")] * 9, ("scroll", (90, 9)))
    answer = page.do(("click", "save-tree"))
    assert answer["shown"]["shared"] == "Saved."
    (text,) = answer["saved"]
    root = ET.fromstring(text)  # noqa: S314, the page's own drawing
    left, top, width, height = numbers(root.get("viewBox", ""))
    assert (left, top) == (0, 0)
    assert (root.get("width"), root.get("height")) == (f"{width:g}", f"{height:g}")
    drawing = Drawing(shown["drawing"])
    inner = max(drawing.width, 760)
    assert width == pytest.approx(inner + 48)
    title, paper, *rest = root
    caption = shown["card"]["title"]
    assert title.text == caption
    assert (paper.get("width"), paper.get("height")) == (root.get("width"), root.get("height"))
    lines = [each for each in rest if each.tag == f"{SVG}text"]
    assert lines[0].text == caption
    told = f"{case.board}, step {shown['step-number'].replace(' / ', ' of ')}. "
    told += f"{DOT.join(shown['numbers'])}. {shown['moment-sentence']} "
    told += shown["position-cost"]
    assert " ".join(line.text or "" for line in lines[1:]) == told
    assert all(len(line.text or "") <= inner / 7 for line in lines)
    places = [(float(line.get("x", "")), float(line.get("y", ""))) for line in lines]
    expected = [(24, 40), *((24, 64 + 20 * index) for index in range(len(lines) - 1))]
    assert places == expected
    tree, key = (each for each in rest if each.tag == f"{SVG}g")
    start = 24 + 34 + 20 * (len(lines) - 1)
    assert numbers(tree.get("transform", "")) == pytest.approx(
        [24 + (inner - drawing.width) / 2, start], abs=0.01
    )
    assert numbers(key.get("transform", "")) == pytest.approx(
        [24, start + drawing.height + 20], abs=0.01
    )
    assert len(tree[1]) == len(drawing.nodes)
    saved = [numbers(node.get("transform", "")) for node in tree[1]]
    assert saved == [list(node.place) for node in drawing.nodes]
    rows = check_key(key, [each["text"].strip() for each in shown["legend"]], inner)
    assert height == pytest.approx(start + drawing.height + 20 + rows + 24, abs=0.01)
    for each in root.iter():
        assert not [
            name for name in each.attrib if re.match("class|role|tabindex|aria-|data-", name)
        ]
    assert not answer["shown"]["drawing"] or len(Drawing(answer["shown"]["drawing"]).nodes)


def check_key(key: ET.Element, texts: list[str], width: float) -> float:
    """Assert that the legend has all texts in rows that fit; return the height of the rows."""
    assert [item[1].text for item in key] == texts
    ends: dict[float, float] = {}
    for item in key:
        x, y = (*numbers(item.get("transform", "")), 0)[:2]
        assert y in (0, 22, 44)
        start = ends.get(y, 0)
        assert x == pytest.approx(start)
        room = float(item[1].get("x", "")) - 5
        assert room in (12, 26)
        assert numbers(item[0].get("transform", "")) == [room / 2, -4]
        assert len(item[0]) > 0
        ends[y] = x + room + 5 + 6 * len(item[1].text or "") + 22
    assert all(end <= width or list(ends.values()).count(end) == 0 for end in ends.values())
    return max(ends)


def marked(shown: Shown) -> list[str]:
    """Return the paths of the nodes that are marked; the edges to them must be marked too."""
    found = []
    for node in Drawing(shown["drawing"]).nodes:
        is_marked = "marked" in node.shapes["classes"]
        assert not node.edge or ("marked" in node.edge["classes"]) == is_marked
        found += [node.shapes["path"]] * is_marked
    return found


def test_words_mark_the_nodes_that_they_name_and_are_marked_by_them(page: Page) -> None:
    """They do so while they are pointed at; a click or the keys Enter and Space keep the mark."""
    found = 0
    for view in (View(CASE, step=16), View(CASE, "minimax", 22)):
        shown = visited(page, view)
        assert marked(shown) == []
        found += len(shown["words"])
        for index, word in enumerate(shown["words"]):
            pointed = drawn_after(page, ("point", index))
            assert marked(pointed) == word["paths"]
            assert [each["isMarked"] for each in pointed["words"]].index(True) == index
            assert marked(drawn_after(page, ("point", None))) == []
            for gesture in (("word", index), ("hit", (index, "Enter")), ("hit", (index, " "))):
                kept = drawn_after(page, gesture, ("leave", None))
                assert marked(kept) == word["paths"]
                names = {node.shapes["path"]: node.name for node in Drawing(kept["drawing"]).nodes}
                assert kept["announcement"] == "; ".join(names[path] for path in word["paths"])
                assert (
                    kept["words"][index] | {"isKept": True, "isMarked": True}
                    == kept["words"][index]
                )
                left = drawn_after(page, gesture, ("leave", None))
                assert marked(left) == []
                assert left["announcement"] == ""
            for path in word["paths"]:
                pointed = drawn_after(page, ("point", path))
                assert pointed["words"][index]["isMarked"]
                assert marked(pointed) == [path]
            drawn_after(page, ("leave", None))
    assert found > 1
    visited(page, View(CASE))
    assert marked(drawn_after(page, ("node", "5,6"))) == ["5,6"]


def test_a_word_draws_its_nodes(page: Page, lessons: list[Lesson]) -> None:
    """If the lesson leaves them out, the whole tree is drawn."""
    for lesson in lessons:
        if not lesson.focus or lesson.is_merged:
            continue
        shown = drawn_after(page, ("visit", (f"?lesson={lesson.number}", [NARROW])))
        drawn = {node.shapes["path"] for node in Drawing(shown["drawing"]).nodes}
        for index, word in enumerate(shown["words"]):
            if not drawn.issuperset(word["paths"]):
                after = drawn_after(page, ("word", index))
                assert query_of(after)["whole"] == "true"
                assert [path for path in word["paths"] if path not in marked(after)] == []
                break


def test_a_framed_page_says_so(page: Page) -> None:
    """Its styles depend on it."""
    assert not visited(page, View(CASE))["isFramed"]


def test_the_step_of_another_search_is_found_again(page: Page) -> None:
    """The step is the same, or the last before it that both searches have."""
    view = clicked(View(WIDER, step=30), "step-cutoff")
    visited(page, view)
    for choice, gesture in (
        ({"algorithm": "minimax"}, ("radio", ("algorithm", "minimax"))),
        ({"order": "best_first"}, ("choose", ("order", "best_first"))),
        ({"depth": 2}, ("choose", ("depth", "2"))),
    ):
        view = view.changed(**choice)
        check_texts(view, shown_after(page, gesture))
