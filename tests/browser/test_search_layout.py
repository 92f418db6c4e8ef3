"""The layout of the search page, at the sizes of laptops and phones."""

import re
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, Route, ViewportSize, expect

from best_move.web.pages.lessons import LESSONS
from tests.browser.elements import (
    box,
    button,
    card,
    expect_fitted,
    expect_step,
    node,
    nodes_in_frame,
    shift,
)

CUTOFF: Final = "/search?board=X.O.O.X..&starts=X&step=19"

#  Returns the paths of the wrongly labeled nodes. Each child of a node on the current path shows
#  its move beside its edge. Moves and scores are large enough to read, and scores are upright.
MISLABELED: Final = """() => {
    const middle = (shape) => {
        const { left, right } = shape.getBoundingClientRect();
        return (left + right) / 2;
    };
    const isShown = (text) =>
        getComputedStyle(text).visibility === "visible" && text.textContent !== "";
    const isSmall = (text) =>
        parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a <= 8.9;
    const at = (node) => middle(node.querySelector(".card"));
    const nodes = [...document.querySelectorAll("#drawing .node")];
    const current = nodes.find((node) => node.tabIndex === 0).dataset.path;
    const isNear = ({ dataset: { path } }) => path && `${current},`.startsWith(path.slice(0, -1));
    const isWrong = (node) => {
        const { path } = node.dataset;
        const [label, score] = [node.querySelector(".move"), node.querySelector(".score")];
        const name = label && isShown(label) ? label.textContent.replace(/^[XO] /, "") : "";
        if (isNear(node) && (name[0] !== path.at(-1) || isSmall(label))) {
            return true;
        }
        if (name) {
            const up = nodes.find(({ dataset }) => dataset.path === path.slice(0, -2));
            const toParent = at(up) - at(node);
            if (Math.abs(toParent) >= 1 && (middle(label) - at(node)) * toParent >= 0) {
                return true;
            }
        }
        return Math.abs(score.getScreenCTM().b) > 1e-6 || (isShown(score) && isSmall(score));
    };
    return nodes.some(isNear)
        ? nodes.filter(isWrong).map(({ dataset }) => dataset.path)
        : ["no node is near"];
}"""


LAPTOPS: Final[list[ViewportSize]] = [
    {"width": 1366, "height": 650},
    {"width": 1280, "height": 720},
]


def check_fitting(page: Page, *parts: str) -> None:
    """Assert that parts of the page and the whole tree are visible, and that nothing scrolls."""
    for size in LAPTOPS:
        page.set_viewport_size(size)
        expect_fitted(page)
        facts = page.locator(":is(#moment-board, #moment-numbers):visible").all()
        others = [page.locator(part) for part in (*parts, "#moment-sentence", "#steps")]
        for part in (*facts, *others):
            expect(part).to_be_in_viewport(ratio=1)
        assert nodes_in_frame(page)
        assert page.evaluate("document.documentElement.scrollHeight") <= size["height"]


@pytest.mark.smoke
def test_a_search_fits_on_one_screen(page: Page) -> None:
    """Text, board, sentence, steps and the whole tree are visible without scrolling."""
    page.goto("/search")
    for lesson in LESSONS:
        expect(card(page).locator(".place span")).to_have_text(f"Lesson {lesson} of {len(LESSONS)}")
        expect(page.locator("#drawing")).to_have_attribute("aria-busy", "false")
        check_fitting(page, "#lesson", "#drawing")
        if lesson == 1:
            expect(page.locator("#undo")).to_be_in_viewport(ratio=1)
        assert lesson == 1 or page.evaluate(MISLABELED) == []
        page.get_by_role("link", name=re.compile("^(Next|Exercise)$")).click()
    expect(page.locator("#exercise-task")).to_be_visible()
    for part in ("#moment-board", "#exercise-check", "#exercise-rule", "#drawing"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    page.goto(f"{CUTOFF}&node=1,3,5")
    expect(page.locator("#moment-sentence")).to_contain_text("Visit 4,")
    check_fitting(page, "#drawing")


def check_framed(page: Page, shown: Locator) -> None:
    """Assert that a node is in the visible part of the drawing."""
    frame, at = box(page.locator("#drawing")), box(shown.locator(".card"))
    assert frame["left"] <= at["left"] < at["right"] <= frame["right"]
    assert frame["top"] <= at["top"] < at["bottom"] <= frame["bottom"]


@pytest.mark.parametrize(
    ("address", "first", "second"),
    [(CUTOFF, "#drawing", "#lesson"), ("/search?lesson=6", "#lesson", "#drawing")],
    ids=["a step", "a lesson"],
)
def test_on_a_phone_a_step_begins_with_its_tree_and_a_lesson_with_its_text(
    page: Page, address: str, first: str, second: str
) -> None:
    """So it is on a laptop at 150% zoom. The current node, the root and the steps are visible."""
    for width, height in ((911, 433), (320, 640), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(address)
        expect_step(page, 19)
        expect_fitted(page)
        expect(page.locator(first)).to_be_in_viewport(ratio=1)
        assert box(page.locator(first))["top"] < box(page.locator(second))["top"]
        check_framed(page, node(page, ""))
        check_framed(page, page.locator(".node.at"))
        expect(page.locator("#steps")).to_be_in_viewport(ratio=1)
        frame, steps = box(page.locator("#drawing")), box(page.locator("#steps"))
        is_low = height < 640
        assert is_low or frame["top"] + frame["bottom"] < 2 * steps["top"], "less than half of it"
    sentence_at = box(page.locator("#moment-sentence"))
    assert sentence_at["bottom"] <= box(page.locator("#steps"))["top"]


PAINTED: Final = "() => performance.getEntriesByName('first-contentful-paint').length"

#  Lessons, positions, one of them illegal, and exercises.
LOADED: Final = [
    *("lesson=2", "lesson=6", "lesson=11", "lesson=11&board=.O.X.O..."),
    *("board=X.O.O.X..&step=19", "played=0,4&node=1", "board=XXX......"),
    *("lesson=5&predict=true", "board=X...O.OX.&scoring=outcome&predict=true"),
    *("lesson=1", "tree=[[[3,5],[6,9],7],[[1,2],[0,-1]],4]&step=20", "tree=[3,"),
    "tree=[[3,12,8],[2,4,6],[14,5,2]]&predict=true",
]


@pytest.mark.parametrize(("width", "height"), [(320, 640), (1024, 768)])
def test_nothing_moves_while_the_page_loads(page: Page, width: int, height: int) -> None:
    """The page is painted before its scripts run, and again before the tree arrives.

    The windows are the narrowest of a phone and of a laptop.
    """
    page.set_viewport_size({"width": width, "height": height})
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    for requests in ("**/search/main.js", "**/*-tree?*"):
        page.route(requests, hold)
    for query in LOADED:
        page.goto(f"/search?{query}", wait_until="commit")
        page.wait_for_function(PAINTED)
        expect_fitted(page)
        with page.expect_request("**/*-tree?*algorithm=alphabeta"):
            held.pop().continue_()
        expect_fitted(page)
        while held:
            held.pop().continue_()
        expect(page.locator("#drawing :is(svg, [role=alert])").first).to_be_visible()
        expect(page.locator("#exercise")).to_be_visible(visible="predict" in query)
        expect_fitted(page)
        assert shift(page) <= 0.05, query


def test_a_low_phone_shows_the_tree_below_a_lesson(page: Page) -> None:
    """At 320 x 568 pixels, or 1280 pixels at 400% zoom, lessons 6 and 9 show all six rows."""
    page.set_viewport_size({"width": 320, "height": 568})
    for lesson in (6, 9):
        page.goto(f"/search?lesson={lesson}")
        expect(page.locator("#drawing")).to_have_attribute("aria-busy", "false")
        expect_fitted(page)
        assert nodes_in_frame(page)
        expect(card(page)).to_be_in_viewport(ratio=1)
        bottoms = [box(each)["bottom"] for each in page.locator("#drawing .card").all()]
        assert max(bottoms) <= box(page.locator("#steps"))["top"]
        assert page.locator(".names text").count() == 6


#  Returns the links, buttons and fields of the page that are smaller than a finger, other than
#  words in a text; those in a label are as large as the label.
SMALL: Final = """() => [
        ...document.querySelectorAll("#search :is(a, button, select, summary, input)"),
    ]
    .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.matches(".term"))
    .filter((each) => !each.closest(".text, [inert]"))
    .filter((each) => {
        const { width, height } = (each.closest("label") ?? each).getBoundingClientRect();
        return Math.max(width, height) < 43.9 || Math.min(width, height) < 32;
    })
    .map((each) => each.outerHTML)"""


def test_targets_on_a_phone_are_large_enough_for_fingers(page: Page) -> None:
    """They are at least 44 by 32 pixels; the links between lessons and the steps are 44 by 44."""
    page.set_viewport_size({"width": 320, "height": 740})
    for query in (
        "lesson=3",
        "lesson=11",
        "board=X.O.O.X..&starts=X",
        "board=O.X.X.O..&scoring=outcome&predict=true",
    ):
        page.goto(f"/search?{query}")
        expect(page.locator("#drawing")).to_have_attribute("aria-busy", "false")
        assert page.evaluate(SMALL) == []
        main = page.locator(":is(.place a, .path a, #step-back, #step-forward, #step-play):visible")
        for each in main.all():
            target = box(each)
            assert target["right"] - target["left"] >= 43.9
            assert target["bottom"] - target["top"] >= 43.9


def test_a_line_of_the_algorithm_that_wraps_keeps_its_indentation(page: Page) -> None:
    """On a phone, all lines of a statement start to the right of the statement around it."""
    page.set_viewport_size({"width": 320, "height": 740})
    page.goto("/search?lesson=5")
    expect(page.locator("#drawing")).to_have_attribute("aria-busy", "false")
    lines = page.locator("#algorithm code").evaluate_all(
        """all => all.map((code) => {
            const range = document.createRange();
            range.selectNodeContents(code);
            return [...range.getClientRects()].map(({ left }) => left);
        })"""
    )
    starts = [line[0] for line in lines]
    assert starts[0] < starts[1] == starts[2] == starts[3] == starts[8] < starts[4] == starts[7]
    assert any(min(line) < max(line) for line in lines)
    assert all(min(line) == line[0] for line in lines)


@pytest.mark.parametrize("width", [360, 390])
def test_on_a_phone_a_lesson_on_a_cutoff_shows_the_way_from_the_root(
    page: Page, width: int
) -> None:
    """It leaves out nodes beside the way; in a wide window, or on request, it shows them."""
    page.set_viewport_size({"width": width, "height": 740})
    for lesson, beside in ((6, "5"), (8, "2"), (9, "6")):
        page.goto(f"/search?lesson={lesson}")
        expect(page.locator("#drawing")).to_have_attribute("aria-busy", "false")
        expect_fitted(page)
        assert nodes_in_frame(page)
        assert page.evaluate(MISLABELED) == []
        expect(node(page, beside)).to_have_count(0)
    page.goto("/search?lesson=9&node=6")  # a link copied in a wide window
    expect(page.locator("#moment-sentence")).to_contain_text("Visit 19, 6 nodes")
    page.set_viewport_size({"width": 1366, "height": 650})
    expect(node(page, "6")).to_have_attribute("aria-selected", "true")


def test_the_best_line_of_a_large_tree_is_visible(page: Page) -> None:
    """The button Fit shows the whole tree, and at no width is the page too wide."""
    page.set_viewport_size({"width": 600, "height": 800})
    page.goto("/search?board=X...O...X&starts=X&step=9999")
    expect(page.locator("#moment-sentence")).to_contain_text("O plays 1")
    expect_fitted(page)
    frame, best = box(page.locator("#drawing")), box(node(page, "1"))
    assert frame["left"] <= best["left"] < best["right"] <= frame["right"]
    assert not nodes_in_frame(page)
    button(page, "Fit").click()
    assert nodes_in_frame(page)
    width = box(page.locator("#drawing svg"))["width"]
    button(page, "Zoom in").click()
    assert box(page.locator("#drawing svg"))["width"] > width
    for width in (320, 390, 768, 1280, 1920):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width


def test_the_share_menu_and_the_legend_fit_on_a_phone(page: Page) -> None:
    """No button is outside the window, and each entry of the legend has one line."""
    page.set_viewport_size({"width": 320, "height": 800})
    for number in [*LESSONS][3:]:
        page.goto(f"/search?lesson={number}")
        expect(page.locator("#legend li").first).to_be_visible()
        heights = page.locator("#legend li:visible").evaluate_all(
            "all => all.map(each => each.offsetHeight)"
        )
        assert max(heights) < 1.5 * min(heights), number
    page.locator("#share").get_by_text("Share").click()
    for each in page.locator("#share button").all():
        rectangle = box(each)
        assert 0 <= rectangle["left"] < rectangle["right"] <= 320
