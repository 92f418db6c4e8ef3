"""The layout of the playground and the reference, at many sizes of window and text."""

import json
from contextlib import closing
from typing import Final

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tests.browser.elements import (
    PERFECT,
    PHONE,
    STATES,
    box,
    button,
    cell,
    expect_status,
    open_options,
    shift,
)


@pytest.mark.parametrize(("address", "status"), STATES.items())
def test_the_game_fits_on_one_screen(page: Page, address: str, status: str) -> None:
    """Board, sentence, buttons and tabs are visible together; a laptop shows the whole page."""
    page.goto(address)
    expect_status(page, status)
    parts = page.locator(
        "#status, #board, .bubble, #tabs, :is(#playing, #setting-up):not([hidden]) button"
    )
    for width, height in ((1366, 650), (390, 844), (768, 1024), (1280, 720)):
        page.set_viewport_size({"width": width, "height": height})
        edges = parts.locator("visible=true").evaluate_all(
            """parts => parts.map((part) => part.getBoundingClientRect())
                .map(({ top, bottom }) => [top, bottom])"""
        )
        assert len(edges) > 5, width
        for top, bottom in edges:
            assert 0 <= top < bottom <= height, width
        assert box(page.locator("#board"))["width"] >= 330, width
        if width >= 1280:
            assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), width


@pytest.mark.parametrize("address", ["/?analysis=true&board=XO.X..O..", "/?view=explain", "/docs"])
def test_no_page_is_too_wide(page: Page, address: str) -> None:
    """At five widths no page scrolls sideways, all words fit, and segments are in one row."""
    page.goto(address)
    page.wait_for_load_state("networkidle")
    for width in (320, 390, 768, 1280, 1920):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
        assert page.evaluate(
            "[...document.querySelectorAll('button')].every((b) => b.scrollWidth <= b.clientWidth)"
        ), width
        rows = page.evaluate(
            """() => [...document.querySelectorAll(".segments")].map((each) => {
                const labels = [...each.querySelectorAll("label")];
                return new Set(labels.map((label) => label.offsetTop)).size;
            })"""
        )
        assert set(rows) <= {1}, width


def test_a_resized_page_has_the_layout_of_its_size(page: Page) -> None:
    """For this reason other tests load a page once and resize it."""
    layouts = []
    for load_width in (320, 1280):
        page.set_viewport_size({"width": load_width, "height": 900})
        page.goto("/?analysis=true&board=XO.X..O..")
        expect_status(page, "Your turn (X).")
        page.set_viewport_size({"width": 320, "height": 900})
        layouts.append(
            page.evaluate(
                "[...document.querySelectorAll('body *')]"
                ".map((each) => each.getBoundingClientRect().toJSON())"
            )
        )
    assert layouts[0] == layouts[1]


#  Links in sentences, which have the size of their text.
INLINE = ":is(p, dd, dt, h1) a"
MAIN = ":is(.toolbar, .actions, .bubble) :is(button, select, label:has(input)), .cell"


@pytest.mark.parametrize(("address", "status"), [*STATES.items(), ("/docs", "")])
def test_every_target_is_large_enough_for_a_finger(page: Page, address: str, status: str) -> None:
    """On a phone every target is at least 44 by 32 pixels, and those of the game 44 by 44."""
    page.set_viewport_size(PHONE)
    page.goto(address)
    if address == "/docs":
        page.get_by_text("Contents", exact=True).click()
    else:
        expect_status(page, status)
        expect(page.locator("#mistake:empty:not([hidden])")).to_have_count(0)
        if "view=" not in address:
            open_options(page)
    targets = page.locator(f"a:not({INLINE}, .skip), button, select, summary, label:has(input)")
    for width, height in ((390, 844), (320, 568)):
        page.set_viewport_size({"width": width, "height": height})
        small = targets.evaluate_all(
            """(targets, main) => targets.filter((target) => {
                const area = target.closest(".starts li") ?? target; // a card is a link as a whole
                const { width, height } = area.getBoundingClientRect();
                const least = target.matches(main) ? 43.9 : 31.9;
                return width && (width < 43.9 || height < least);
            }).map((target) => target.outerHTML)""",
            MAIN,
        )
        assert small == [], width


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize("width", [320, 390])
def test_no_state_shifts_while_it_loads(page: Page, width: int) -> None:
    """On a phone the shifts of each state add up to at most 0.05, with the drawing of a mistake."""
    page.set_viewport_size({"width": width, "height": 568 if width < 390 else 844})
    for address in STATES:
        page.goto(address)
        page.wait_for_load_state("networkidle")
        assert shift(page) <= 0.05, address


LONGEST = (
    "Your move 5, the bottom-right corner, was the mistake: "
    "the bottom-left corner would have drawn."
)


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize("width", [320, 390, 768, 1280])
def test_the_layout_does_not_shift(page: Page, width: int) -> None:
    """While the page loads and texts change, the buttons below the board stay in place.

    The bubble with the texts is no larger than they need.
    """
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(PERFECT)
    expect_status(page, "You move first (X).")
    assert shift(page) < 0.001
    places = set()

    def note() -> None:
        places.add(box(page.locator("#playing"))["top"] + page.evaluate("scrollY"))
        words = max(box(page.locator(part))["bottom"] for part in ("#said", ".next"))
        assert box(page.locator(".bubble"))["bottom"] - words < 8

    for number in (0, 8, 3):
        page.locator("#game[aria-busy=false]").wait_for()
        note()
        cell(page, number).click()
    expect_status(page, "You lost: O won.")
    expect(button(page, "Try that move again")).to_be_visible()
    note()
    page.locator("#sentence").evaluate(
        "(element, longest) => { element.textContent = longest; }", LONGEST
    )
    note()
    assert len(places) == 1


def test_the_playground_fits_a_phone(browser: Browser, origin: str) -> None:
    """On a phone no hint names a key, the score fits, and the buttons of Set up are in one row."""
    with closing(browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)) as phone:
        results = dict(enumerate(["you"] * 9 + ["oracle"] * 8 + ["drawn"] * 7))
        phone.add_init_script(f"sessionStorage.setItem('score', '{json.dumps(results)}')")
        page = phone.new_page()
        page.goto(origin)
        expect(page.locator("#sentence")).to_have_text("Choose a cell.")
        expect(page.locator("#score")).to_have_text("You 9 · Oracle 8 · Drawn 7")
        button(page, "Set up").click()
        assert page.locator("#score").evaluate("score => score.scrollWidth <= score.clientWidth")
        tops = {box(each)["top"] for each in page.locator("#setting-up button").all()}
        assert len(tops) == 1


HINTS = "?board=XO.X..O..&analysis=true"
#  Returns the words of the cells that are too small for them.
PROTRUDING = """[...document.querySelectorAll(".cell")].filter((cell) => {
    const around = cell.getBoundingClientRect();
    const inside = cell.querySelector(".worth").getBoundingClientRect();
    return inside.top < around.top || inside.bottom > around.bottom
        || inside.left < around.left || inside.right > around.right;
}).map((cell) => cell.textContent)"""


#  Pages in states with many links side by side, or with text beside a picture.
PAGES: Final = [
    *("?set_up=true", "?view=explain", "docs", "mcp", "nowhere", HINTS),
    *("search?lesson=5", "search?lesson=11", "search?board=X.O.O.X..&scoring=outcome&step=19"),
]


@pytest.mark.parametrize("path", PAGES)
def test_text_may_be_twice_as_large_on_a_phone(
    page: Page, context: BrowserContext, path: str
) -> None:
    """With text at 200% no page is wider than the phone, and no cell is smaller than its words.

    The facts of a search's step have lines of several words.
    """
    context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
    for width in (320, 390):
        page.set_viewport_size({"width": width, "height": 844})
        page.goto(path)
        page.wait_for_load_state("networkidle")
        assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
        expect(page.locator(".best")).to_have_count(int(path == HINTS))
        assert page.evaluate(PROTRUDING) == []
        facts = page.locator("#moment-numbers p:visible").all()
        assert all(box(each)["width"] > 180 for each in facts), width


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize(("width", "height"), [(1366, 650), (390, 844)])
def test_the_drawing_of_a_mistake_moves_nothing_that_is_in_view(
    page: Page, width: int, height: int
) -> None:
    """It is above the options and fits a laptop's screen; a phone shows where it begins."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    below = "" if width < 1366 else ", #moves *"
    places = (
        f"[...document.querySelectorAll('.game *, [role=tab]{below}')]"
        ".map((part) => Object.values(part.getBoundingClientRect().toJSON()))"
    )
    page.set_viewport_size({"width": width, "height": height})
    page.route("**/mistake.css", hold)
    with page.expect_request("**/mistake.css"):
        page.goto("/?played=0,4,8,2,3,6")
    expect_status(page, "You lost: O won.")
    before = page.evaluate(places)
    held[0].continue_()
    expect(page.locator("#mistake:not([hidden]) a")).to_have_count(2)
    assert page.evaluate(places) == before
    around = box(page.locator("#mistake"))
    assert around["right"] <= width
    assert around["top"] < height - 40
    assert around["bottom"] <= box(page.locator("#options"))["top"]
    assert around["bottom"] <= height or width < 1366
