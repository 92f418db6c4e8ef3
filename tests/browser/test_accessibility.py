"""Accessibility: keyboard, screen readers, widths, text sizes, and all color schemes."""

import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Final, Literal, cast

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, ViewportSize, expect

from tests.browser.chromium import ARGUMENTS, installed
from tests.browser.contrast import in_winning_cell
from tests.browser.playground import (
    PERFECT,
    button,
    cell,
    expect_board,
    expect_status,
    open_options,
    radio,
    style,
)

#  Paths of the playground in each of its states -> the status above the board.
STATES = {
    "/": "You move first (X).",
    "/?board=XO.X..O..&analysis=true": "Your turn (X).",
    "/?played=0,4,8,1,3,7": "You lost: O won.",
    "/?played=0,4,8,1,3,7&at=5": "After move 5 of 6.",
    "/?board=XX.......": "Illegal position.",
    "/?you=nobody&played=0,4,8,1,3,7": "O won.",
    "/?board=X...O....&set_up=true": "Set up a position.",
    "/?board=XX.......&set_up=true": "Set up a position.",
    "/?board=XO.X..O..&view=explain": "Your turn (X).",
}

Scheme = Literal["light", "dark"]
SCHEMES: Final[tuple[Scheme, Scheme]] = ("light", "dark")

#  The path of an axe-core that is newer than the Python package's.
AXE = os.environ.get("AXE_CORE")
RULES = [
    *("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"),
    *("best-practice", "experimental"),
]


def violations(page: Page) -> list[tuple[str, list[str]]]:
    """Return the violations that axe-core finds: the ID of each rule, and the elements."""
    if page.evaluate("!('axe' in window)"):
        page.evaluate(Path(AXE).read_text(encoding="utf-8") if AXE else Axe().axe_script)
    found: list[tuple[str, list[str]]] = page.evaluate(
        """async (tags) => {
            const options = { runOnly: { type: "tag", values: tags }, resultTypes: ["violations"] };
            const { violations } = await axe.run(options);
            return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
        }""",
        RULES,
    )
    return found


def in_each_scheme(page: Page) -> Iterator[str]:
    """Switch a page to light and then to dark colors; yield each scheme."""
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        yield scheme


def focused(page: Page) -> str:
    """Return the accessible name of the focused element, or its text."""
    name: str = page.evaluate(
        "document.activeElement.ariaLabel ?? document.activeElement.textContent"
    )
    return name


@pytest.mark.parametrize(("address", "status"), STATES.items())
def test_axe_finds_no_violations_on_the_playground(page: Page, address: str, status: str) -> None:
    """Each state has no violations in light, dark or forced colors, also on a phone."""
    page.goto(address)
    expect_status(page, status)
    expect(page.locator("#mistake:empty:not([hidden])")).to_have_count(0)
    if "view=" not in address:
        open_options(page)
    for scheme in in_each_scheme(page):
        assert violations(page) == [], scheme
    page.emulate_media(forced_colors="active")
    assert violations(page) == []
    page.set_viewport_size(PHONE)
    assert violations(page) == []


@pytest.mark.parametrize("path", ["/docs", "/mcp", "/nowhere"])
def test_axe_finds_no_violations_on_pages_without_a_board(page: Page, path: str) -> None:
    """The reference and the pages for chat clients and unknown paths have no violations."""
    page.goto(path)
    for scheme in in_each_scheme(page):
        assert violations(page) == [], scheme


@pytest.mark.smoke
def test_a_game_is_played_with_the_keyboard_alone(page: Page) -> None:
    """The skip link leads to a cell; arrows move within the board, and Enter plays.

    The board is one stop of the Tab key before Undo.
    """
    page.goto(PERFECT)
    expect_status(page, "You move first (X).")
    page.keyboard.press("Tab")
    assert focused(page) == "Skip to the board"
    page.keyboard.press("Enter")
    assert focused(page) == "0, top-left corner, empty"
    for key in ("Up", "Down", "Right", "Right", "Right", "Up"):
        page.keyboard.press(f"Arrow{key}")
    page.keyboard.press("Home")
    page.keyboard.press("End")
    assert focused(page) == "2, top-right corner, empty"
    page.keyboard.press("ArrowRight")
    assert focused(page) == "2, top-right corner, empty"
    page.keyboard.press("Enter")
    expect_board(page, "..X.O....")
    assert focused(page) == "2, top-right corner, X"
    page.keyboard.press("Space")
    expect_board(page, "..X.O....")
    page.keyboard.press("Tab")
    assert focused(page) == "Undo"
    page.keyboard.press("Enter")
    expect_board(page, "." * 9)
    expect(page.get_by_role("grid").locator("[tabindex='0']")).to_have_count(1)


def test_a_digit_plays_the_cell_with_that_number(page: Page) -> None:
    """Digits play if the focus is on the board or on nothing; a cell's name starts with its digit.

    The button New game moves the focus to the board.
    """
    page.goto(PERFECT)
    expect_status(page, "You move first (X).")
    expect(page.locator("#sentence")).to_have_text("Choose a cell, or press its number.")
    page.keyboard.press("8")
    expect_board(page, "....O...X")
    expect(cell(page, 8)).to_be_focused()
    page.keyboard.press("Control+7")
    open_options(page)
    controls = page.locator(
        "a, button:not(.cell, #new-game), select, input, summary, [role=tabpanel]"
    )
    for control in controls.locator("visible=true").all():
        control.press("7")
        expect_board(page, "....O...X")
    cell(page, 5).press("0")
    expect_board(page, "XO..O...X")
    button(page, "New game").click()
    page.keyboard.press("8")
    expect_board(page, "....O...X")
    for number in range(9):
        expect(cell(page, number)).to_have_attribute("aria-keyshortcuts", str(number))
        expect(cell(page, number)).to_have_accessible_name(re.compile(f"^{number}, "))


def test_a_board_is_set_up_with_the_keyboard_alone(page: Page) -> None:
    """The button Set up moves the focus to the board; X, O, Delete and digits change cells."""
    page.goto(PERFECT)
    expect_status(page, "You move first (X).")
    button(page, "Set up").press("Enter")
    assert focused(page) == "0, top-left corner, empty"
    for key in ("x", "ArrowRight", "O", "Delete", "ArrowDown", "o", "8"):
        page.keyboard.press(key)
    expect_board(page, "X...O...X")
    page.keyboard.press("8")
    expect_board(page, "X...O....")
    page.keyboard.press("Tab")
    assert focused(page) == "Play from here"
    page.keyboard.press("Enter")
    expect(cell(page, 8)).to_be_focused()
    expect_status(page, "Your turn (X).")


def test_choosing_a_side_by_arrow_keys_makes_no_move(page: Page) -> None:
    """After an arrow key the oracle waits.

    The button Start and the keys Enter and Space start it.
    """
    page.goto(PERFECT)
    expect_status(page, "You move first (X).")
    entries = page.evaluate("history.length")
    radio(page, "You play", "X").focus()
    page.keyboard.press("ArrowRight")
    expect_status(page, "The oracle is next.")
    expect(page.locator("#sentence")).to_have_text("Press Start, and X moves first.")
    page.keyboard.press("ArrowRight")
    expect_status(page, "X to move.")
    expect_board(page, "." * 9)
    assert page.evaluate("history.length") == entries
    page.keyboard.press("ArrowLeft")
    expect_status(page, "The oracle is next.")
    button(page, "Start").click()
    expect_board(page, "X........")
    expect(cell(page, 0)).to_be_focused()
    for key in ("Enter", "Space"):
        radio(page, "You play", "X").check()
        button(page, "New game").click()
        radio(page, "You play", "X").press("ArrowRight")
        expect_status(page, "The oracle is next.")
        page.keyboard.press(key)
        expect_board(page, "X........")


@pytest.fixture
def spoken(
    context: BrowserContext,  # noqa: ARG001, its scripts stay in the profile
    page: Page,
) -> Callable[[], list[str]]:
    """Return a function that returns the texts of live regions since its last call."""
    page.add_init_script(
        """window.spoken = [];
        addEventListener("DOMContentLoaded", () => new MutationObserver((records) => {
            for (const { target } of records) {
                const live = (target.nodeType === 1 ? target : target.parentElement)
                    ?.closest(
                        "[role=status], [role=alert], [aria-live=polite]," +
                        "output:not([aria-live=off])");
                if (live?.textContent.trim()) { spoken.push(live.textContent.trim()); }
            }
        }).observe(document.body, { subtree: true, childList: true, characterData: true }))"""
    )
    return lambda: cast("list[str]", page.evaluate("spoken.splice(0)"))


def test_a_move_is_announced_once(page: Page, spoken: Callable[[], list[str]]) -> None:
    """Live regions announce only the oracle's move and whose turn it is."""
    page.goto(PERFECT)
    expect_status(page, "You move first (X).")
    spoken()
    cell(page, 0).click()
    expect_status(page, "Your turn (X).")
    assert spoken() == ["O plays the center: it is on the most lines. Your turn (X)."]


@pytest.mark.usefixtures("context")
def test_each_move_of_a_watched_game_is_announced_once(
    page: Page, spoken: Callable[[], list[str]]
) -> None:
    """Between the announced moves the page is not busy."""
    page.add_init_script(
        """addEventListener("DOMContentLoaded", () => new MutationObserver(() => {
            const rests = document.getElementById("game").ariaBusy === "false";
            window.rests = (window.rests ?? 0) + rests;
        }).observe(document.getElementById("game"), { attributeFilter: ["aria-busy"] }))"""
    )
    page.goto(f"{PERFECT}&you=nobody&played=0,4,1,2,6,3")
    expect_status(page, "A draw.")
    assert spoken() == [
        "X plays the right side, which blocks O's three in a row. Watching: O is next.",
        "O plays the bottom side. Watching: X is next.",
        "A draw. Nobody made a mistake.",
    ]
    assert page.evaluate("window.rests") == 3


def test_each_change_of_a_board_being_set_up_is_announced(
    page: Page, spoken: Callable[[], list[str]]
) -> None:
    """The announcement names the side to move that the service reports."""
    page.goto("/?set_up=true")
    expect_status(page, "Set up a position.")
    spoken()
    cell(page, 1).press("o")
    expect(page.locator("#announcement")).to_have_text("1, top side: O. X moves next.")
    cell(page, 1).press("Delete")
    expect(page.locator("#announcement")).to_have_text("1, top side: empty. X moves next.")
    assert spoken() == ["1, top side: O. X moves next.", "1, top side: empty. X moves next."]


def box(locator: Locator) -> dict[str, float]:
    """Return the edges, the width and the height of an element in pixels."""
    rectangle: dict[str, float] = locator.evaluate(
        "element => element.getBoundingClientRect().toJSON()"
    )
    return rectangle


PHONE: ViewportSize = {"width": 390, "height": 844}


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
        for part in parts.locator("visible=true").all():
            shown = box(part)
            assert 0 <= shown["top"] < shown["bottom"] <= height, (part, width)
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


@pytest.mark.parametrize("address", [*STATES, "/docs"])
def test_every_target_is_large_enough_for_a_finger(page: Page, address: str) -> None:
    """On a phone every target is at least 44 by 32 pixels, and those of the game 44 by 44."""
    page.set_viewport_size(PHONE)
    page.goto(address)
    page.wait_for_load_state("networkidle")
    if address == "/docs":
        page.get_by_text("Contents", exact=True).click()
    elif "view=" not in address:
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


#  A script that adds up the layout shifts of a page.
SHIFTS = """window.shift = 0;
new PerformanceObserver((list) => list.getEntries().forEach((entry) => { shift += entry.value; }))
    .observe({ type: "layout-shift", buffered: true });"""


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize("width", [320, 390])
def test_no_state_shifts_while_it_loads(page: Page, width: int) -> None:
    """On a phone the shifts of each state add up to at most 0.05, with the drawing of a mistake."""
    page.set_viewport_size({"width": width, "height": 568 if width < 390 else 844})
    page.add_init_script(SHIFTS)
    for address in STATES:
        page.goto(address)
        page.wait_for_load_state("networkidle")
        assert page.evaluate("shift") <= 0.05, address


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
    page.add_init_script(SHIFTS)
    page.goto(PERFECT)
    expect_status(page, "You move first (X).")
    assert page.evaluate("window.shift") < 0.001
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


def test_text_may_be_twice_as_large_on_a_phone(browser: Browser, origin: str) -> None:
    """With text at 200% no page is wider than the phone, and no cell is smaller than its words."""
    arguments = [*ARGUMENTS, "--blink-settings=defaultFontSize=32"]
    with closing(browser.browser_type.launch(executable_path=installed(), args=arguments)) as large:
        page = large.new_page(viewport=PHONE)
        for path in ("?set_up=true", "?view=explain", "docs", "mcp", HINTS):
            page.goto(f"{origin}/{path}")
            page.wait_for_load_state("networkidle")
            assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        expect(page.locator(".best")).to_have_count(1)
        assert page.evaluate(PROTRUDING) == []


LUMINANCE = """([lighter, darker]) => {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const luminance = (color) => {
        canvas.fillStyle = color;
        canvas.fillRect(0, 0, 1, 1);
        const pixel = [...canvas.getImageData(0, 0, 1, 1).data];
        const [r, g, b] = pixel.slice(0, 3).map((value) => value / 255)
            .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const probe = document.body.appendChild(document.createElement("i"));
    const shown = [lighter, darker].map((name) => {
        probe.style.color = `var(${name})`;
        return luminance(getComputedStyle(probe).color);
    }).sort((a, b) => a - b);
    return (shown[1] + 0.05) / (shown[0] + 0.05);
}"""


CONTRASTS = [
    *(("--edge", ground, 3) for ground in ("--paper", "--surface", "--wash", "--o-wash")),
    *(
        (name, ground, 4.5)
        for name in ("--x", "--o", "--win", "--draw", "--loss", "--soft", "--ink")
        for ground in ("--paper", "--surface", "--wash")
    ),
    *((name, "--o-wash", 4.5) for name in ("--o", "--soft")),
]


@pytest.mark.smoke
def test_colors_have_enough_contrast(page: Page) -> None:
    """In both schemes the contrast is at least 3:1 for lines and 4.5:1 for marks and words."""
    page.goto("/nowhere")
    for scheme in in_each_scheme(page):
        for name, ground, least in CONTRASTS:
            assert page.evaluate(LUMINANCE, [name, ground]) >= least, (name, ground, scheme)


def test_a_browser_without_light_dark_shows_the_light_colors(page: Page) -> None:
    """Without support for light-dark() every color is that of the light scheme."""

    def without_light_dark(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response, body=response.text().replace("light-dark(", "unknown("))

    colors = """() => [...document.styleSheets[0].cssRules[0].style]
        .filter(name => name.startsWith("--"))
        .map(name => [name, getComputedStyle(document.documentElement).getPropertyValue(name)])
        .map(([name, value]) => {
            document.body.style.color = value;
            return [name, getComputedStyle(document.body).color];
        })"""
    page.goto("/nowhere")
    light = page.evaluate(colors)
    page.route("**/base.css", without_light_dark)
    page.goto("/nowhere?again")
    assert page.evaluate(colors) == light
    assert dict(light)["--ink"] != dict(light)["--paper"]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_forced_colors_keep_every_state_visible(page: Page, scheme: Scheme) -> None:
    """Chosen, disabled, best and winning elements look different from others."""

    def looks(selector: str) -> str:
        look: str = page.locator(selector).first.evaluate(
            """element => {
                const style = getComputedStyle(element);
                const { color, backgroundColor, border, borderBottomColor } = style;
                return [color, backgroundColor, border, borderBottomColor].join();
            }"""
        )
        return look

    page.emulate_media(color_scheme=scheme, forced_colors="active")
    page.goto("/?board=XO.X..O..&analysis=true")
    expect(page.locator(".best")).to_have_count(1)
    for state, other in (
        ("[name=you]:checked + span", "[name=you]:not(:checked) + span"),
        ("#hints[aria-pressed=true]", "#set-up"),
        ("#undo[aria-disabled=true]", "#set-up"),
        (".cell.best", ".cell[data-worth='=']"),
        ("[role=tab][aria-selected=true]", "[role=tab][aria-selected=false]"),
        (".masthead [aria-current]", ".masthead a:not([aria-current], .brand)"),
    ):
        assert looks(state) != looks(other), state
    text = style(page.locator("#sentence"), "color")
    expect(page.locator(".lines")).to_have_css("stroke", text)
    page.goto("/?played=0,4,8,1,3,7")
    expect_status(page, "You lost: O won.")
    assert looks(".cell.winning") != looks(".cell:not(.winning)")
    assert looks("#moves [aria-current]") != looks("#moves button:not([aria-current])")
    link = page.locator("#mistake a").first
    ink = style(link, "color")
    for part in ("rect", ".grid", "[data-mark=X]", "[data-mark=O]"):
        expect(link.locator(part).first).to_have_css("stroke", ink)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(
    ("played", "winner", "first", "to_next"),
    [
        ("0,4,8,1,3,7", "O", 1, (0, 1)),
        ("1,0,3,4,8,2,7,6", "O", 2, (-1, 1)),
        ("0,3,1,4,2", "X", 0, (1, 0)),
    ],
    ids=["a column of O", "a diagonal of O", "a row of X"],
)
def test_forced_colors_keep_a_winning_line_legible(
    page: Page, scheme: Scheme, played: str, winner: str, first: int, to_next: tuple[int, int]
) -> None:
    """The numbers, the marks and the line have a contrast of at least 4.5:1."""
    page.emulate_media(color_scheme=scheme, forced_colors="active")
    page.goto(f"/?you=both&played={played}")
    expect_status(page, f"{winner} won.")
    assert min(in_winning_cell(cell(page, first), winner, to_next).values()) >= 4.5
