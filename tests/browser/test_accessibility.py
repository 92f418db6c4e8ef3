"""Access for all: the keyboard alone, screen readers, any width, light and dark, and nothing that jumps."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page, expect

from tests.browser.playground import expect_status

ADDRESSES = {
    "a new game": ("/", "Your move with X."),
    "a game": ("/?board=XO..O...X&to_move=X&moves=0481", "Your move with X."),
    "a loss": ("/?board=XO.XO..OX&to_move=X&moves=0481", "The oracle has won with O."),
    "a problem": ("/?board=XX.......", "Illegal position."),
    "setting up": ("/?board=X...O....&set_up=true", "Set up a position."),
}


def focused(page: Page) -> str:
    """Return the accessible name of what has the focus, or its text."""
    name: str = page.evaluate("document.activeElement.ariaLabel ?? document.activeElement.textContent")
    return name


@pytest.mark.parametrize(("address", "status"), ADDRESSES.values(), ids=ADDRESSES)
def test_axe_finds_nothing(page: Page, address: str, status: str) -> None:
    """The checker axe-core finds no violation on any of the page's faces, light or dark."""
    page.goto(address)
    expect_status(page, status)
    violations = Axe().run(page).response["violations"]
    page.emulate_media(color_scheme="dark")
    violations += Axe().run(page).response["violations"]
    assert [(found["id"], [node["html"] for node in found["nodes"]]) for found in violations] == []


def test_a_game_is_played_with_the_keyboard_alone(page: Page) -> None:
    """Tab reaches the board as one stop, arrows move over it, Enter plays, and Undo is two steps further."""
    page.goto("/")
    expect_status(page, "Your move with X.")
    page.keyboard.press("Tab")
    assert focused(page) == "Skip to the board"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert focused(page).startswith("top left, empty")
    for key in ("ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowUp", "Home", "End"):
        page.keyboard.press(key)
    assert focused(page).startswith("top right, empty")
    page.keyboard.press("Enter")
    board = page.get_by_role("grid")
    expect(board.get_by_role("button", name="top right, X")).to_be_focused()
    expect(board.get_by_role("button", name="center, O, last move")).to_be_visible()
    page.keyboard.press("Space")
    expect(board.get_by_role("button", name=re.compile("empty"))).to_have_count(7)
    page.keyboard.press("Tab")
    assert focused(page) == "Play best move"
    page.keyboard.press("Tab")
    assert focused(page) == "Undo"
    page.keyboard.press("Enter")
    expect(board.get_by_role("button", name=re.compile("empty"))).to_have_count(9)
    expect(board.locator("[tabindex='0']")).to_have_count(1)


def test_a_board_is_set_up_with_the_keyboard_alone(page: Page) -> None:
    """Setting up puts the focus on the board; X, O and Delete change the cell; the focus never gets lost."""
    page.goto("/")
    expect_status(page, "Your move with X.")
    page.get_by_role("button", name="Set up").press("Enter")
    assert focused(page).startswith("top left")
    for key in ("x", "ArrowRight", "O", "Delete", "ArrowDown", "o"):
        page.keyboard.press(key)
    expect(page.get_by_role("button", name="center, O")).to_be_focused()
    page.keyboard.press("Tab")
    assert focused(page) == "Play from here"
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="center, O")).to_be_focused()
    expect_status(page, "Your move with X.")


def test_what_happens_is_announced(page: Page) -> None:
    """A live region tells what the oracle has played and whose move it is."""
    page.goto("/")
    page.get_by_role("button", name="top left").click()
    announcement = page.get_by_role("status").filter(has_text="The oracle plays center.")
    expect(announcement).to_contain_text("Your move with X.")


@pytest.mark.parametrize("width", [320, 390, 768, 1280])
def test_the_page_fits(page: Page, width: int) -> None:
    """At no width does the page scroll sideways, and neither loading nor a game moves what stands below."""
    page.set_viewport_size({"width": width, "height": 900})
    page.add_init_script(
        """window.shift = 0;
        new PerformanceObserver((list) => list.getEntries().forEach((entry) => { window.shift += entry.value; }))
            .observe({ type: "layout-shift", buffered: true });"""
    )
    page.goto("/")
    expect(page.locator("#advice")).to_contain_text("Your move")
    assert page.evaluate("window.shift") < 0.001
    heights = set()
    for name in ("top left", "bottom right", "middle left"):
        expect_status(page, "Your move with X.")
        heights.add(page.locator("#options").evaluate("options => options.getBoundingClientRect().top + scrollY"))
        page.get_by_role("button", name=re.compile(f"^{name}")).click()
    expect_status(page, "The oracle has won with O.")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert len(heights) == 1
