"""The layout of the lessons at many widths, judged by the rectangles of what is visible."""

from itertools import pairwise
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from best_move.web.pages.lessons import LESSONS
from tests.browser.elements import expect_fitted

#  Windows of phones, tablets and laptops, also zoomed or split, and sizes between them.
WINDOWS: Final = [
    *((320, 568), (344, 882), (360, 740), (375, 667), (390, 844), (430, 932)),
    *((480, 800), (540, 960), (640, 800), (683, 640), (768, 1024), (820, 1180)),
    *((900, 700), (930, 768), (980, 700), (1024, 768), (1080, 700), (1180, 820)),
    *((1220, 800), (1232, 760), (1280, 720), (1366, 650), (1536, 730), (1920, 1080)),
]
LEGIBLE: Final = 29  # pixels, the width of a board whose marks can be read at arm's length
MIDDLE: Final = range(900, 1367)  # the widths at which every board must be legible
COLUMNS: Final = 1232  # the least width with the tree beside the text, in a frame of a fixed height
LARGE: Final = (7, 10)  # lessons whose whole trees are drawn

#  Returns the width of the smallest board, the number of rows of the steps, the fraction of the
#  frame's height that the tree leaves empty, and all faults: each names two things that overlap, or
#  one that is cut off. At the page's step, and in strides back from the last, nodes may not
#  overlap, and labels may neither touch each other nor lie on a node; the texts and controls around
#  the tree may not overlap either, and nothing is wider than the window or its own box.
JUDGE: Final = """stride => {
    const faults = new Set();
    const isSeen = (each) => each.checkVisibility({ visibilityProperty: true });
    const all = (selector) => [...document.querySelectorAll(selector)].filter(isSeen);
    const overlap = (one, other, gap = 0) =>
        one.left < other.right + gap && other.left < one.right + gap
        && one.top < other.bottom && other.top < one.bottom;
    const called = (each) => {
        const path = each.closest("[data-path]")?.dataset.path;
        const text = each.textContent.trim().replace(/\\s+/g, " ").slice(0, 24);
        const kind = each.id || each.getAttribute("class") || each.localName;
        return path === undefined ? `${kind} "${text}"` : `${kind} "${text}" of ${path || "root"}`;
    };

    // The height of a text is that of its digits, without what its font leaves free around them.
    const inkOf = (label) => {
        const { left, right } = label.getBoundingClientRect();
        const { d, f } = label.getScreenCTM();
        const bottom = f + d * label.y.baseVal[0].value;
        const top = bottom - 0.73 * d * parseFloat(getComputedStyle(label).fontSize);
        return { left, right, top, bottom };
    };
    const rectangleOf = (each) => {
        const { left, right, top, bottom, width, height } = each.getBoundingClientRect();
        return { left, right, top, bottom, width, height }; // faster to read
    };
    const boxOf = (each) => (each.localName === "text" ? inkOf(each) : rectangleOf(each));
    const boxed = (each) => ({ each, box: boxOf(each) });
    const isDrawn = ({ box }) => box.right > box.left && box.bottom > box.top;

    const frame = rectangleOf(document.getElementById("drawing"));
    const drawing = rectangleOf(document.querySelector("#drawing svg"));
    const isScrolled = drawing.width > frame.width;
    const judgeTree = () => {
        const cards = all("#drawing .card").map(boxed);
        const labels = all("#drawing :is(.move, .score, .bound, .names text)").map(boxed);
        const shown = labels.filter(isDrawn);
        for (const [index, { each, box }] of shown.entries()) {
            for (const other of shown.slice(index + 1)) {
                const isName = each.closest(".names") || other.each.closest(".names");
                if (overlap(box, other.box, isName ? 0 : 1.5) && !(isName && isScrolled)) {
                    faults.add(`${called(each)} touches ${called(other.each)}`);
                }
            }
            for (const { each: card, box: place } of cards) {
                if (card.parentElement !== each.parentElement && overlap(box, place)
                    && !each.closest(".names")) {
                    faults.add(`${called(each)} lies on the node ${called(card)}`);
                }
            }
        }
        for (const [index, { each, box }] of cards.entries()) {
            for (const other of cards.slice(index + 1)) {
                if (overlap(box, other.box)) {
                    faults.add(`${called(each)} overlaps ${called(other.each)}`);
                }
            }
        }
        for (const { each, box } of [...cards, ...shown]) {
            const isInside = box.top >= frame.top && box.bottom <= frame.bottom
                && (isScrolled || (box.left >= frame.left && box.right <= frame.right));
            if (!isInside) {
                faults.add(`${called(each)} is cut off by the frame`);
            }
        }
    };
    const slider = document.getElementById("step");
    const { value: opened, max } = slider;
    const strides = Array.from({ length: 1 + max / stride }, (_, index) => max - index * stride);
    for (const step of [...strides, opened]) {
        slider.value = step;
        slider.dispatchEvent(new Event("input"));
        judgeTree();
    }

    // Texts and controls, but not what they consist of, and not what the sticky steps cover.
    const kinds = ["button", "select", "summary", ".segments label", "#step", "#step-number",
        ".counter", "#legend li", ".place", ".path li", "h2", ".why", ".text", "#algorithm li",
        "#moment-board", "#moment-numbers", "#moment-sentence", "#drawing"];
    const shown = all(`.masthead a, main :is(${kinds.join(", ")})`).map(boxed);
    const inSteps = ({ each }) => each.closest(".steps") !== null;
    for (const [index, one] of shown.entries()) {
        const { each, box } = one;
        if (box.left < 0 || box.right > innerWidth) {
            faults.add(`${called(each)} is outside the window`);
        }
        if (each.matches("button, select, summary, label, h2, #legend li")
            && each.scrollWidth > each.clientWidth + 1) {
            faults.add(`${called(each)} is wider than its box`);
        }
        for (const other of shown.slice(index + 1)) {
            const isInside = each.contains(other.each) || other.each.contains(each);
            if (!isInside && inSteps(one) === inSteps(other) && overlap(box, other.box)) {
                faults.add(`${called(each)} overlaps ${called(other.each)}`);
            }
        }
    }
    for (const sheet of all("main .sheet:not(.drawing), main .bar")) {
        if (sheet.scrollHeight > sheet.clientHeight + 1 && !sheet.closest(".share")) {
            faults.add(`${called(sheet)} is higher than its box`);
        }
    }
    if (document.documentElement.scrollWidth > innerWidth) {
        faults.add("the page is wider than the window");
    }
    const tops = all("#steps > *").map(rectangleOf);
    const rows = new Set(tops.map(({ top, bottom }) => Math.round((top + bottom) / 8)));
    const boards = all("#drawing .node:has(.grid) .card").map(rectangleOf);
    return {
        board: Math.min(...boards.map(({ width }) => width)),
        rows: rows.size,
        empty: 1 - drawing.height / frame.height,
        faults: [...faults],
    };
}"""


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_is_legible_at_every_width(page: Page, lesson: int) -> None:
    """Nothing overlaps or is cut off, and a wider window has no smaller boards, unless legible.

    At the widths of tablets and small laptops every board is legible, and the steps are one row.
    The frame is as high as the tree, or a large tree fills most of it. Each lesson is opened in
    every second window, and the next lesson in the others.
    """
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(f"/search?lesson={lesson}")
    expect(page.locator("#drawing")).to_have_attribute("aria-busy", "false")
    found: dict[int, dict[str, Any]] = {}
    for width, height in WINDOWS[lesson % 2 :: 2]:
        page.set_viewport_size({"width": width, "height": height})
        expect_fitted(page)
        found[width] = page.evaluate(JUDGE, 9999)
    assert {width: each["faults"] for width, each in found.items() if each["faults"]} == {}
    for (narrow, one), (wide, other) in pairwise(found.items()):
        assert other["board"] >= min(LEGIBLE, one["board"]) - 0.1, (narrow, wide)
    for width, each in found.items():
        assert width >= COLUMNS or each["empty"] < 0.03, width
        assert lesson not in LARGE or each["empty"] < 0.3, width
    middle = {width: each for width, each in found.items() if width in MIDDLE}
    assert {width: each["rows"] for width, each in middle.items()} == dict.fromkeys(middle, 1)
    assert {width: each["board"] for width, each in middle.items() if each["board"] < LEGIBLE} == {}


#  All lessons, and other searches with the widest labels and with the least room for them.
LABELED: Final = [
    *(f"lesson={lesson}" for lesson in LESSONS),
    *(f"lesson=10&order={order}" for order in ("best_first", "worst_first")),
    *(
        f"board={board}&starts=X&scoring={scoring}"
        for board in ("X.O.O.X..", "O.X.X.O..")
        for scoring in ("distance", "outcome")
    ),
    *(f"board=XX.OO....&scoring=outcome&max_depth={depth}" for depth in (1, 2, 3)),
]


@pytest.mark.parametrize("query", LABELED)
def test_no_labels_touch_while_a_search_runs(page: Page, query: str) -> None:
    """At every ninth step, back from the last, moves, scores and bounds are apart."""
    page.set_viewport_size({"width": 1366, "height": 650})
    page.goto(f"/search?{query}")
    expect(page.locator("#drawing")).to_have_attribute("aria-busy", "false")
    expect_fitted(page)
    faults = page.evaluate(JUDGE, 9)["faults"]
    assert [each for each in faults if " touches " in each and "small" not in each] == []
