"""Accessibility: axe, the keyboard, and what screen readers announce."""

from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import in_each_scheme, violations
from tests.browser.elements import (
    PERFECT,
    PHONE,
    STATES,
    cell,
    expect_board,
    expect_status,
    open_options,
)


@pytest.mark.parametrize(("address", "status"), STATES.items())
def test_axe_finds_no_violations_on_the_playground(page: Page, address: str, status: str) -> None:
    """Each state has no violations in light or dark, and on a phone in forced colors."""
    page.goto(address)
    expect_status(page, status)
    expect(page.locator("#mistake:empty:not([hidden])")).to_have_count(0)
    if "view=" not in address:
        open_options(page)
    for scheme in in_each_scheme(page):
        assert violations(page) == [], scheme
    page.emulate_media(forced_colors="active")
    page.set_viewport_size(PHONE)
    assert violations(page) == []


@pytest.mark.parametrize("path", ["/docs", "/mcp", "/nowhere"])
def test_axe_finds_no_violations_on_pages_without_a_board(page: Page, path: str) -> None:
    """The reference and the pages for chat clients and unknown paths have no violations.

    The contrast, whose measurement takes long, is that of the reference's first calls and schemas.
    """
    page.goto(path)
    assert violations(page, without=["color-contrast"]) == []
    for later in (
        "section:nth-of-type(n + 7):not(:last-of-type)",
        "section > div:nth-of-type(n + 5)",
    ):
        page.locator(later).evaluate_all("all => all.forEach((each) => each.remove())")
    for scheme in in_each_scheme(page):
        assert violations(page) == [], scheme


def focused(page: Page) -> str:
    """Return the accessible name of the focused element, or its text."""
    name: str = page.evaluate(
        "document.activeElement.ariaLabel ?? document.activeElement.textContent"
    )
    return name


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


#  Notes the texts of live regions, and how often the game is not busy.
LISTEN: Final = """
window.spoken = [];
window.rests = 0;
const regions = "[role=status], [role=alert], [aria-live=polite], output:not([aria-live=off])";
addEventListener("DOMContentLoaded", () => {
    new MutationObserver((records) => {
        for (const { target } of records) {
            const live = (target.nodeType === 1 ? target : target.parentElement)?.closest(regions);
            if (live?.textContent.trim()) { spoken.push(live.textContent.trim()); }
        }
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
    const game = document.getElementById("game");
    new MutationObserver(() => {
        rests += game.ariaBusy === "false";
    }).observe(game, { attributeFilter: ["aria-busy"] });
});
"""


@pytest.mark.usefixtures("context")  # the script stays in its profile
def test_each_move_is_announced_once(page: Page) -> None:
    """Live regions announce only a move and whose turn it is; then the page is not busy."""
    page.add_init_script(LISTEN)
    page.goto(PERFECT)
    expect_status(page, "You move first (X).")
    page.evaluate("spoken.splice(0)")
    cell(page, 0).click()
    expect_status(page, "Your turn (X).")
    assert page.evaluate("spoken") == [
        "O plays the center: it is on the most lines. Your turn (X)."
    ]
    page.goto(f"{PERFECT}&you=nobody&played=0,4,1,2,6,3")
    expect_status(page, "A draw.")
    assert page.evaluate("spoken") == [
        "X plays the right side, which blocks O's three in a row. Watching: O is next.",
        "O plays the bottom side. Watching: X is next.",
        "A draw. Nobody made a mistake.",
    ]
    assert page.evaluate("rests") == 3
