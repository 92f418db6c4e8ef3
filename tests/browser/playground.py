"""The playground's elements, found by the roles and names that users perceive."""

from collections.abc import Callable
from typing import Final

from playwright.sync_api import Locator, Page, Route, expect

CELLS: Final = [
    *("top-left corner", "top side", "top-right corner"),
    *("left side", "center", "right side"),
    *("bottom-left corner", "bottom side", "bottom-right corner"),
]

#  The path of a game against an oracle that chooses nothing at random.
PERFECT: Final = "/?difficulty=perfect&tie_break=first"


def cell(page: Page, number: int) -> Locator:
    """Return the button of a cell."""
    return page.get_by_role("grid").get_by_role("button").nth(number)


def button(page: Page, name: str) -> Locator:
    """Return a button by its name."""
    return page.get_by_role("button", name=name, exact=True)


def choice(page: Page, name: str) -> Locator:
    """Return the drop-down list of an option."""
    return page.get_by_role("combobox", name=name)


def radio(page: Page, group: str, name: str) -> Locator:
    """Return a radio button by its name and the name of its group."""
    return page.get_by_role("radiogroup", name=group).get_by_role("radio", name=name, exact=True)


def open_tab(page: Page, name: str) -> Locator:
    """Open one of the tabs beside the board; return its panel."""
    page.get_by_role("tab", name=name, exact=True).click()
    panel = page.get_by_role("tabpanel", name=name, exact=True)
    expect(panel).to_be_visible()
    return panel


def open_options(page: Page) -> None:
    """Open the options of a game."""
    page.get_by_text("Options", exact=True).click()


def style(shown: Locator, name: str) -> str:
    """Return a computed style of an element."""
    value: str = shown.evaluate("(element, name) => getComputedStyle(element)[name]", name)
    return value


def expect_board(page: Page, board: str) -> None:
    """Wait until the page shows a board."""
    names = [
        rf"/^{number},.* {CELLS[number]}, {'empty' if mark == '.' else mark}/"
        for number, mark in enumerate(board)
    ]
    cells = [f"    - gridcell:\n      - button {name}" for name in names]
    rows = ["\n".join(["  - row:", *cells[first : first + 3]]) for first in (0, 3, 6)]
    expect(page.get_by_role("grid")).to_match_aria_snapshot("\n".join(["- grid:", *rows]))


def expect_status(page: Page, text: str) -> None:
    """Wait until the status above the board has a text and no request is pending."""
    expect(page.locator("#status")).to_have_text(text)
    expect(page.locator("#game")).to_have_attribute("aria-busy", "false")


def holding(held: list[Route]) -> Callable[[Route], None]:
    """Return a handler that adds requests to a list and leaves them pending."""

    def hold(route: Route) -> None:
        held.append(route)

    return hold
