"""The playground as a person finds it: by what is to be seen and read."""

import re

from playwright.sync_api import Locator, Page, expect

CELLS = [
    *("top left", "top center", "top right"),
    *("middle left", "center", "middle right"),
    *("bottom left", "bottom center", "bottom right"),
]


def cell(page: Page, number: int) -> Locator:
    """Return the button of a cell."""
    return page.get_by_role("grid").get_by_role("button").nth(number)


def button(page: Page, name: str) -> Locator:
    """Return a button by its name."""
    return page.get_by_role("button", name=name, exact=True)


def choice(page: Page, name: str) -> Locator:
    """Return an option that is chosen from a list."""
    return page.get_by_role("combobox", name=name)


def radio(page: Page, group: str, name: str) -> Locator:
    """Return one of a group of radio buttons."""
    return page.get_by_role("group", name=group).get_by_role("radio", name=name, exact=True)


def expect_board(page: Page, board: str) -> None:
    """Wait until the page shows a board."""
    for number, mark in enumerate(board):
        name = f"{CELLS[number]}, {'empty' if mark == '.' else mark}"
        expect(cell(page, number)).to_have_accessible_name(re.compile(f"^{name}"))


def expect_status(page: Page, text: str) -> None:
    """Wait until the line above the board says a text, and nothing more is to come."""
    expect(page.locator("#status")).to_have_text(text)
    expect(page.locator("#answer")).to_have_attribute("aria-busy", "false")
