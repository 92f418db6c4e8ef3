"""Accessibility: axe, the keyboard, and what screen readers announce."""

from collections.abc import Callable
from typing import cast

import pytest
from playwright.sync_api import BrowserContext, Page, expect

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
