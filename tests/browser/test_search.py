"""The search page: the drawing, the steps, sharing, and the layout."""

import re
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect

from best_move.web.pages import previews
from tests.browser.playground import button, holding, radio, style
from tests.browser.search_page import drawn, expect_fitted, expect_step, node, place
from tests.browser.test_accessibility import box, in_each_scheme, violations

BOARD: Final = "X.O.O.X.."
ADDRESS: Final = f"/search?board={BOARD}&starts=X"
END: Final = f"{ADDRESS}&step=112"
CUTOFF: Final = f"{ADDRESS}&step=19"
PREDICT: Final = "board=O.X.X.O..&starts=X&scoring=outcome&predict=true"
NEW_GAME: Final = "/search?board=.........&starts=X&step=9999"

SCORINGS: Final = ("distance", "outcome")
LESSONS: Final = [*previews.LESSONS]
SVG: Final = "{http://www.w3.org/2000/svg}"


def key(page: Page, *keys: str) -> None:
    """Press keys one after another, wherever the focus is."""
    for each in keys:
        page.keyboard.press(each)


def test_the_mark_of_a_move_has_the_color_of_its_side(page: Page) -> None:
    """It differs from the marks that were there before."""
    page.goto("/search?lesson=5&step=112")
    places = (("1", ".last"), ("1,3", ".last"), ("1", ".mark"))
    marks = [node(page, path).locator(mark).first for path, mark in places]
    expect(marks[0]).to_be_visible()
    assert len({style(mark, "stroke") for mark in marks}) == 3


@pytest.mark.smoke
def test_keys_move_through_the_steps(page: Page) -> None:
    """The URL names the step, and a control that uses a key itself keeps it."""
    page.goto(CUTOFF)
    expect_step(page, 19)
    for pressed, step in (("ArrowLeft", 18), ("Home", 0), ("End", 112), ("ArrowLeft", 111)):
        key(page, pressed)
        expect_step(page, step)
    page.wait_for_url("**step=111")
    radio(page, "Scores", "Quick wins").focus()
    key(page, "ArrowLeft")
    expect(radio(page, "Scores", "\u22121 0 +1")).to_be_checked()
    expect_step(page, 111)


def test_a_step_is_announced_once(page: Page) -> None:
    """Exactly one live region announces each step."""
    page.goto(ADDRESS)
    expect_step(page, 0)
    page.evaluate(
        """window.spoken = [];
        const live = "[role=status], [role=alert], output";
        const regionOf = ({ target }) =>
            (target.nodeType === 1 ? target : target.parentElement).closest(live);
        new MutationObserver((records) => {
            for (const region of new Set(records.map(regionOf))) {
                const text = region?.textContent.trim();
                if (text) { window.spoken.push(text); }
            }
        }).observe(document.body, { subtree: true, childList: true, characterData: true })"""
    )
    page.locator("#step").focus()
    key(page, "ArrowRight")
    expect_step(page, 1)
    assert page.evaluate("window.spoken") == ["X plays 1, the top side."]
    expect(page.locator("#step")).to_have_attribute("aria-valuetext", "1 of 112")


def test_the_keyboard_alone_reaches_every_node(page: Page) -> None:
    """The tree is one stop of the Tab key, and arrows move down, along a ply and up."""
    page.goto(END)
    tree = page.get_by_role("tree", name="The tree of the search")
    expect(tree.get_by_role("treeitem")).to_have_count(174)
    expect(tree.locator("[tabindex='0']")).to_have_count(1)
    node(page, "").focus()
    for pressed, path in (
        ("ArrowDown", "1"),
        ("ArrowRight", "3"),
        ("ArrowRight", "5"),
        ("ArrowDown", "5,1"),
        ("ArrowRight", "5,3"),
        ("ArrowUp", "5"),
        ("Home", ""),
    ):
        key(page, pressed)
        expect(node(page, path)).to_be_focused()
    expect_step(page, 112)


def test_a_part_of_the_page_that_cannot_be_loaded_is_reported(
    page: Page, context: BrowserContext
) -> None:
    """The script of a button is loaded by a later click; nodes that cannot be loaded, too."""
    page.goto(NEW_GAME)
    expect_step(page, 117)
    context.set_offline(offline=True)
    message = page.locator("#moment-sentence")
    page.locator("#share").get_by_text("Share").click()
    for name, told in (
        ("Save as SVG", page.locator("#shared")),
        ("Predict", message),
        ("Compare", page.locator("#comparison-note")),
    ):
        button(page, name).click()
        expect(told).to_contain_text("This part of the page cannot be loaded.")
    key(page, "Escape")
    node(page, "0,1").click()
    expect(message).to_contain_text("The service is not responding.")
    context.set_offline(offline=False)
    node(page, "0,1").click()
    expect(node(page, "0,1,2")).to_be_visible()
    button(page, "Predict").click()
    expect(page.locator("#predict-text")).to_be_visible()


def inside(page: Page, selector: str) -> None:
    """Assert that a whole element is on the screen."""
    size = page.viewport_size
    assert size
    shown_at = box(page.locator(selector))
    assert 0 <= shown_at["top"] < shown_at["bottom"] <= size["height"], selector
    assert 0 <= shown_at["left"] < shown_at["right"] <= size["width"], selector


def nodes_in_frame(page: Page) -> bool:
    """Return whether the frame shows all drawn nodes."""
    found: bool = page.evaluate(
        """() => {
            const frame = document.getElementById("drawing").getBoundingClientRect();
            return [...document.querySelectorAll("#drawing .card")].every((card) => {
                const { left, right, top, bottom } = card.getBoundingClientRect();
                return frame.left <= left && right <= frame.right
                    && frame.top <= top && bottom <= frame.bottom;
            });
        }"""
    )
    return found


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


#  Goes through a search in strides, and returns the pairs of labels that overlap. The height of a
#  text is that of its digits; its outline must not cover the sign for a bound.
OVERLAPS: Final = """stride => {
    const boxOf = (label) => {
        const { left, right, top, bottom } = label.getBoundingClientRect();
        const { fontSize, strokeWidth } = getComputedStyle(label);
        const { a: scale, d, f } = label.getScreenCTM();
        if (label.localName === "path") {
            return { label, left, right, top, bottom, outline: 0 };
        }
        const base = f + d * label.y.baseVal[0].value;
        const outline = scale * parseFloat(strokeWidth) / 2;
        const height = 0.73 * scale * parseFloat(fontSize);
        return { label, left, right, top: base - height, bottom: base, outline };
    };
    const name = ({ label }) =>
        `${label.closest("[data-path]").dataset.path}: ${label.textContent || "bound"}`;
    const kinds = "#drawing :is(.move, .score:not(.small), .bound)";
    const labels = [...document.querySelectorAll(kinds)];
    const slider = document.getElementById("step");
    const found = new Set();
    for (let step = Number(slider.max); step >= 0; step -= stride) {
        slider.value = step;
        slider.dispatchEvent(new Event("input"));
        const boxes = labels
            .filter((label) => getComputedStyle(label).visibility === "visible")
            .map(boxOf)
            .filter(({ left, right }) => left < right);
        for (const [index, one] of boxes.entries()) {
            for (const other of boxes.slice(index + 1)) {
                const outline = one.label.matches(".bound") ? other.outline : 0;
                if (one.left < other.right && other.left < one.right
                    && one.top < other.bottom && other.top - outline < one.bottom) {
                    found.add(`${name(one)} and ${name(other)} at step ${step}`);
                }
            }
        }
    }
    return [...found];
}"""


#  All lessons, and other searches with the widest labels and with the least room for them.
LABELED: Final = [
    *(f"lesson={lesson}" for lesson in LESSONS),
    *(f"lesson=9&order={order}" for order in ("best_first", "worst_first")),
    *(
        f"board={board}&starts=X&scoring={scoring}"
        for board in (BOARD, "O.X.X.O..")
        for scoring in SCORINGS
    ),
    *(f"board=XX.OO....&scoring=outcome&max_depth={depth}" for depth in (1, 2, 3)),
]


@pytest.mark.parametrize("query", LABELED)
def test_no_labels_overlap(page: Page, query: str) -> None:
    """At every ninth step, back from the last, moves, scores and bounds are apart."""
    page.set_viewport_size({"width": 1366, "height": 650})
    page.goto(f"/search?{query}")
    expect(drawn(page)).not_to_have_count(0)
    expect_fitted(page)
    assert page.evaluate(OVERLAPS, 9) == []


def check_fitting(page: Page, height: int, *parts: str) -> None:
    """Assert that parts of the page and the whole tree are visible, and that nothing scrolls."""
    expect_fitted(page)
    for part in parts:
        inside(page, part)
    assert nodes_in_frame(page)
    assert page.evaluate("document.documentElement.scrollHeight") <= height


PARTS: Final = ("#moment-board", "#moment-numbers", "#moment-sentence", "#steps", "#drawing")


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("width", "height"), [(1366, 650), (1280, 720)], ids=["1366x650", "1280x720"]
)
def test_a_search_fits_on_one_screen(page: Page, width: int, height: int) -> None:
    """Text, board, sentence, steps and the whole tree are visible without scrolling."""
    page.set_viewport_size({"width": width, "height": height})
    page.goto("/search")
    for lesson in LESSONS:
        expect(place(page)).to_have_text(f"Lesson {lesson} of {len(LESSONS)}")
        expect(page.locator("#drawing")).to_have_attribute("aria-busy", "false")
        check_fitting(page, height, "#lesson", *PARTS)
        assert page.evaluate(MISLABELED) == []
        page.get_by_role("link", name=re.compile("^(Next|Exercise)$")).click()
    expect(page.locator("#predict-text")).to_be_visible()
    for part in ("#moment-board", "#predict-go", "#drawing"):
        inside(page, part)
    page.goto(f"{CUTOFF}&node=1,3,5")
    expect(page.locator("#moment-sentence")).to_contain_text("Visit 4,")
    check_fitting(page, height, *PARTS)


def check_framed(page: Page, shown: Locator) -> None:
    """Assert that a node is in the visible part of the drawing."""
    frame, at = box(page.locator("#drawing")), box(shown.locator(".card"))
    assert frame["left"] <= at["left"] < at["right"] <= frame["right"]
    assert frame["top"] <= at["top"] < at["bottom"] <= frame["bottom"]


@pytest.mark.parametrize(
    ("address", "first", "second"),
    [(CUTOFF, "#drawing", "#lesson"), ("/search?lesson=5", "#lesson", "#drawing")],
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
        inside(page, first)
        assert box(page.locator(first))["top"] < box(page.locator(second))["top"]
        check_framed(page, node(page, ""))
        check_framed(page, page.locator(".node.at"))
        inside(page, "#steps")
        check_steps_cover_little(page, height)
    sentence_at = box(page.locator("#moment-sentence"))
    assert sentence_at["bottom"] <= box(page.locator("#steps"))["top"]


def check_steps_cover_little(page: Page, height: int) -> None:
    """Assert that the steps cover less than half of the drawing, unless the window is low."""
    frame = box(page.locator("#drawing"))
    steps = box(page.locator("#steps"))
    assert frame["top"] + frame["bottom"] < 2 * steps["top"] or height < 640


PAINTED: Final = "() => performance.getEntriesByName('first-contentful-paint').length"

#  Adds up the layout shifts since the page began to load.
SHIFTS: Final = """() => new Promise((done) => {
    let sum = 0;
    new PerformanceObserver((list) => {
        for (const { value } of list.getEntries()) { sum += value; }
    }).observe({ type: "layout-shift", buffered: true });
    setTimeout(() => done(sum), 100);
})"""


#  Lessons, positions, one of them illegal, and exercises.
LOADED: Final = [
    *("lesson=1", "lesson=5", "lesson=10", "lesson=10&board=.O.X.O..."),
    *(f"board={BOARD}&step=19", "played=0,4&node=1", "board=XXX......"),
    *("lesson=4&predict=true", "board=X...O.OX.&scoring=outcome&predict=true"),
]


@pytest.mark.parametrize(("width", "height"), [(390, 844), (320, 640), (1024, 768), (1366, 650)])
def test_nothing_moves_while_the_page_loads(page: Page, width: int, height: int) -> None:
    """The page is painted before its scripts run, and again before the tree arrives."""
    page.set_viewport_size({"width": width, "height": height})
    held: list[Route] = []
    for requests in ("**/search/main.js", "**/search-tree?*"):
        page.route(requests, holding(held))
    for query in LOADED:
        page.goto(f"/search?{query}", wait_until="commit")
        page.wait_for_function(PAINTED)
        expect_fitted(page)
        with page.expect_request("**/search-tree?*algorithm=alphabeta"):
            held.pop().continue_()
        expect_fitted(page)
        while held:
            held.pop().continue_()
        expect(page.locator("#drawing :is(svg, [role=alert])").first).to_be_visible()
        expect(page.locator("#predict")).to_be_visible(visible="predict" in query)
        expect_fitted(page)
        assert page.evaluate(SHIFTS) <= 0.05, query


def test_a_low_phone_shows_the_tree_below_a_lesson(page: Page) -> None:
    """At 320 x 568 pixels, or 1280 pixels at 400% zoom, lessons 5 and 8 show all six rows."""
    page.set_viewport_size({"width": 320, "height": 568})
    for lesson in (5, 8):
        page.goto(f"/search?lesson={lesson}")
        expect(page.locator("#drawing")).to_have_attribute("aria-busy", "false")
        expect_fitted(page)
        assert nodes_in_frame(page)
        inside(page, "#lesson article:not([hidden])")
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
    for width in (320, 390):
        page.set_viewport_size({"width": width, "height": 740})
        for query in ("lesson=2", "lesson=10", ADDRESS.partition("?")[2], PREDICT):
            page.goto(f"/search?{query}")
            expect(page.locator("#drawing")).to_have_attribute("aria-busy", "false")
            assert page.evaluate(SMALL) == []
            main = page.locator(
                ":is(.place a, .path a, #step-back, #step-forward, #step-play):visible"
            )
            for each in main.all():
                target = box(each)
                assert target["right"] - target["left"] >= 43.9
                assert target["bottom"] - target["top"] >= 43.9


def test_a_line_of_the_algorithm_that_wraps_keeps_its_indentation(page: Page) -> None:
    """On a phone, all lines of a statement start to the right of the statement around it."""
    page.set_viewport_size({"width": 320, "height": 740})
    page.goto("/search?lesson=4")
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
    for lesson, beside in ((5, "5"), (7, "2"), (8, "6")):
        page.goto(f"/search?lesson={lesson}")
        expect(page.locator("#drawing")).to_have_attribute("aria-busy", "false")
        expect_fitted(page)
        assert nodes_in_frame(page)
        assert page.evaluate(MISLABELED) == []
        expect(node(page, beside)).to_have_count(0)
    page.goto("/search?lesson=8&node=6")  # a link copied in a wide window
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
    for width in (320, 390):
        page.set_viewport_size({"width": width, "height": 800})
        for number in LESSONS[2:]:
            page.goto(f"/search?lesson={number}")
            expect(page.locator("#legend li").first).to_be_visible()
            heights = page.locator("#legend li:visible").evaluate_all(
                "all => all.map(each => each.offsetHeight)"
            )
            assert max(heights) < 1.5 * min(heights), (width, number)
        page.locator("#share").get_by_text("Share").click()
        for each in page.locator("#share button").all():
            rectangle = box(each)
            assert 0 <= rectangle["left"] < rectangle["right"] <= width, width


#  Queries of the search page in each of its states.
STATES: Final = [
    *("lesson=1", "lesson=3", "lesson=3&predict=true", "lesson=10&board=.O.X.O..."),
    *("board=XXX......", "board=XOXOOX.XO&predict=true", "played=0,4&merge=true&step=99"),
]


@pytest.mark.parametrize("width", [320, 390, 1366])
def test_axe_finds_no_violations_on_the_search_page(page: Page, width: int) -> None:
    """Each state has no violations in light, in dark and in forced colors.

    So it is when a word and its node are marked.
    """
    page.set_viewport_size({"width": width, "height": 800})
    for query in STATES:
        page.goto(f"/search?{query}")
        expect(page.locator("#drawing :is(svg, [role=alert])").first).to_be_visible()
        for word in page.locator(".mention[role]:visible").all()[:1]:
            word.click()
        for forced in ("active", "none"):
            page.emulate_media(forced_colors=forced)
            for scheme in in_each_scheme(page):
                assert violations(page) == [], (query, forced, scheme)


def test_forced_colors_keep_the_drawing_visible(page: Page) -> None:
    """The drawing, the algorithm's current line and the current lesson stand out."""
    page.emulate_media(forced_colors="active")
    page.goto("/search?lesson=5")
    expect(node(page, "").locator(".card")).to_be_visible()

    def paint(selector: str, name: str) -> str:
        return style(page.locator(selector).first, name)

    ground = paint("#drawing", "backgroundColor")
    assert paint("#step-play", "backgroundColor") == paint("#comparing", "backgroundColor")
    assert paint(".node[data-outcome=loss] .sign", "fill") != ground
    assert paint(".edge.current .way", "stroke") != ground
    assert paint(".node .mark", "stroke") != ground
    assert paint("#algorithm [aria-current]", "backgroundColor") != paint(
        "#algorithm li", "backgroundColor"
    )
    assert paint(".path [aria-current]", "backgroundColor") != paint(
        ".path li:first-child a", "backgroundColor"
    )


@pytest.mark.usefixtures("context")
def test_the_share_menu_copies_a_link_and_code_to_embed_the_search(page: Page) -> None:
    """The embedded page shows the step without a masthead, and Escape closes the menu."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(ADDRESS)
    expect_step(page, 0)
    button(page, "Next cutoff").click()
    page.locator("#share").get_by_text("Share").click()
    button(page, "Copy link").click()
    expect(page.locator("#shared")).to_have_text("Copied.")
    assert page.evaluate("navigator.clipboard.readText()").endswith(CUTOFF)
    button(page, "Copy embed code").click()
    expect(page.locator("#embed-code")).to_be_visible()
    code = page.locator("#embed-code").inner_text()
    is_copied = "async (code) => await navigator.clipboard.readText() === code"
    page.wait_for_function(is_copied, arg=code)
    frame = ET.fromstring(code)  # noqa: S314, the page's own
    assert frame.tag == "iframe"
    assert frame.attrib["src"].endswith(CUTOFF)
    assert frame.attrib["allow"] == "clipboard-write"
    key(page, "Escape")
    expect(button(page, "Copy link")).to_be_hidden()
    check_embedded(page, code, int(frame.attrib["width"]), int(frame.attrib["height"]))


def check_embedded(page: Page, code: str, width: int, height: int) -> None:
    """Assert that the code embeds the step, and that each lesson fits into the frame.

    The steps are one row, and no line of the algorithm wraps.
    """
    page.set_viewport_size({"width": width + 50, "height": height})
    page.route("**/elsewhere", lambda route: route.fulfill(content_type="text/html", body=code))
    page.goto("/elsewhere")
    embedded = page.frame_locator("iframe")
    expect(embedded.locator("#step-number")).to_have_text("19 / 112")
    expect(embedded.locator(".masthead")).to_be_hidden()
    for lesson in LESSONS:
        embedded.get_by_role("link", name=f"Lesson {lesson}: ").click()
        shown = embedded.locator("#lesson .place span:visible")
        expect(shown).to_have_text(f"Lesson {lesson} of {len(LESSONS)}")
        expect(embedded.locator("#drawing")).to_have_attribute("aria-busy", "false")
        assert embedded.locator("html").evaluate("page => page.scrollHeight") <= height, lesson
        top = "lesson => lesson.getBoundingClientRect().top"
        assert embedded.locator("#lesson").evaluate(top) < 50
        rows = embedded.locator("#algorithm li, #steps").evaluate_all(
            "all => all.map(each => each.offsetHeight)"
        )
        assert max(rows[1:]) < 25
        assert rows[0] < 50


def test_a_page_on_a_disk_embeds_a_search(browser: Browser, origin: str, tmp_path: Path) -> None:
    """A browser frames the search page in a page of a course that was opened as a file."""
    course = tmp_path / "course.html"
    course.write_text(f'<iframe src="{origin}{CUTOFF}"></iframe>', encoding="utf-8")
    with browser.new_page() as page:
        page.goto(course.as_uri())
        expect(page.frame_locator("iframe").locator("#step-number")).to_have_text("19 / 112")


def test_the_drawing_is_saved_as_an_svg_file(page: Page) -> None:
    """The whole drawing has a title, the step and a legend, in light colors without styles."""
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto("/search?lesson=5&whole=true")
    expect_step(page, 19)
    page.locator("#share").get_by_text("Share").click()
    with page.expect_download() as saved:
        button(page, "Save as SVG").click()
    assert saved.value.suggested_filename == f"search-tree-{BOARD}-alphabeta.svg"
    text = saved.value.path().read_text(encoding="utf-8")
    assert "class=" not in text
    assert "stroke-dasharray=" in text
    button(page, "Fit").click()
    assert f'transform="{node(page, "").get_attribute("transform")}"' in text
    check_saved(ET.fromstring(text))  # noqa: S314, the page's own


def check_saved(picture: ET.Element) -> None:
    """Assert that a saved file has a light ground, all 174 nodes, two in its key, and its texts."""
    areas = [each.get("fill") for each in picture.iter(f"{SVG}rect")]
    assert areas[0] == "rgb(255, 255, 255)"
    assert len(areas) == 2 * 174 + 2 + 1
    words = " ".join("".join(each.itertext()) for each in picture.iter(f"{SVG}text"))
    title = "A cutoff in a larger tree"
    assert words.startswith(f"{title} {BOARD}, step 19 of 112. MIN (O) is to move")
    for part in ("win for X", "best play", "MAX X"):
        assert part in words


#  The widths of the printable parts of A4 and Letter, in pixels, upright and across.
SHEETS: Final = {718: 1047, 739: 980}


@pytest.mark.parametrize("width", [1366, 390])
def test_a_search_is_printed_on_one_page(page: Page, width: int) -> None:
    """The whole tree of a wide window is as wide as any sheet, in light colors, without controls.

    A tree that would be too high is at most 105 mm high.
    """
    page.emulate_media(color_scheme="dark")
    for lesson, nodes in ((1, 11), (5, 23), (9, 246)):
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(media="null")
        page.goto(f"/search?lesson={lesson}")
        expect(page.locator("#drawing")).to_have_attribute("aria-busy", "false")
        for paper in ("A4", "Letter"):
            for landscape in (False, True):
                pdf = page.pdf(format=paper, landscape=landscape)
                assert len(re.findall(rb"/Type\s*/Page[^s]", pdf)) == 1
        for upright, across in SHEETS.items():
            for sheet in (upright, across):
                page.set_viewport_size({"width": sheet, "height": upright + across - sheet})
                page.emulate_media(media="print")
                expect(drawn(page)).to_have_count(nodes)
                check_printed(page)


def check_printed(page: Page) -> None:
    """Assert that the tree fills the width of a sheet, and that no control is printed."""
    expect(page.locator("main").get_by_role("button").and_(page.locator("button"))).to_have_count(0)
    expect(
        page.locator("main").get_by_role("link").and_(page.locator(":not(.term)"))
    ).to_have_count(0)
    assert nodes_in_frame(page)
    sheet = page.evaluate("document.body.clientWidth")
    frame = page.locator("#drawing")
    expect(frame).to_have_css("background-color", "rgb(255, 255, 255)")
    assert box(frame)["right"] - box(frame)["left"] == pytest.approx(sheet, abs=1)
    root, drawing = box(node(page, "").locator(".card")), page.locator("#drawing svg")
    height = box(drawing)["bottom"] - box(drawing)["top"]
    assert box(drawing)["right"] - box(drawing)["left"] > sheet - 5 or height > 390
    assert root["left"] > box(frame)["left"]


def test_the_comparison_shows_all_searches(page: Page) -> None:
    """It has the numbers of each search, bars to scale and a URL, and Escape closes it."""
    page.goto("/search?lesson=9")
    expect_step(page, 231)
    button(page, "Compare").click()
    note = page.locator("#comparison-note")
    expect(note).to_have_text("All find the same move, X 4, the center.")
    rows = page.locator("#comparison tbody tr")
    assert violations(page) == []
    widths = rows.locator("i").evaluate_all(
        "all => all.map(bar => bar.getBoundingClientRect().width)"
    )
    counts = [int(text) for text in rows.locator("b").all_inner_texts()]
    scale = widths[0] / counts[0]
    assert widths == pytest.approx([scale * count for count in counts], abs=1)
    page.wait_for_url("**compare=true*")
    key(page, "Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(button(page, "Compare")).to_be_focused()
    page.wait_for_url("**?lesson=9")
    page.goto("/search?lesson=9&compare=true")
    expect(note).to_have_text("All find the same move, X 4, the center.")
