"""Elements of the pages, found by the roles and names that users perceive."""

import re
from typing import Final

from playwright.sync_api import Frame, Locator, Page, ViewportSize, expect

#  The path of a game against an oracle that chooses nothing at random.
PERFECT: Final = "/?difficulty=perfect&tie_break=first"
PHONE: Final[ViewportSize] = {"width": 390, "height": 844}

#  On any page.


def button(page: Page | Frame, name: str) -> Locator:
    """Return a button by its name."""
    return page.get_by_role("button", name=name, exact=True)


def radio(page: Page, group: str, name: str) -> Locator:
    """Return a radio button by its name and the name of its group."""
    return page.get_by_role("radiogroup", name=group).get_by_role("radio", name=name, exact=True)


def style(shown: Locator, name: str) -> str:
    """Return a computed style of an element."""
    value: str = shown.evaluate("(element, name) => getComputedStyle(element)[name]", name)
    return value


def box(shown: Locator) -> dict[str, float]:
    """Return the edges, the width and the height of an element in pixels."""
    rectangle: dict[str, float] = shown.evaluate("it => it.getBoundingClientRect().toJSON()")
    return rectangle


def shift(page: Page) -> float:
    """Return the sum of the layout shifts since the page began to load."""
    found: float = page.evaluate(
        """() => new Promise((done) => {
            let sum = 0;
            new PerformanceObserver((list) => {
                for (const { value } of list.getEntries()) { sum += value; }
            }).observe({ type: "layout-shift", buffered: true });
            setTimeout(() => done(sum), 100);
        })"""
    )
    return found


#  On the playground.

#  Paths of the playground in each of its states -> the status above the board.
STATES: Final = {
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


def cell(page: Page | Frame, number: int) -> Locator:
    """Return the button of a cell."""
    return page.get_by_role("grid").get_by_role("button").nth(number)


def open_options(page: Page) -> None:
    """Open the options of a game."""
    page.get_by_text("Options", exact=True).click()


def expect_board(page: Page, board: str) -> None:
    """Wait until the page shows a board."""
    marks = [mark.replace(".", "empty") for mark in board]
    cells = [f"    - gridcell:\n      - button /^{n}, .*\\b{m}\\b/" for n, m in enumerate(marks)]
    rows = ["\n".join(["  - row:", *cells[first : first + 3]]) for first in (0, 3, 6)]
    expect(page.get_by_role("grid")).to_match_aria_snapshot("\n".join(["- grid:", *rows]))


def expect_status(page: Page, text: str) -> None:
    """Wait until the status above the board has a text and no request is pending."""
    expect(page.locator("#status")).to_have_text(text)
    expect(page.locator("#game")).to_have_attribute("aria-busy", "false")


#  On the search page.


def card(page: Page) -> Locator:
    """Return the card of the lesson or of the position."""
    return page.locator("#lesson article:visible")


def drawn(page: Page) -> Locator:
    """Return the drawn nodes."""
    return page.locator("#drawing .node")


def node(page: Page, path: str) -> Locator:
    """Return the node that a path of moves leads to."""
    return page.locator(f"#drawing .node[data-path='{path}']")


def expect_step(page: Page, step: int) -> None:
    """Wait until a step is shown."""
    expect(page.locator("#step-number")).to_have_text(re.compile(f"^{step} / [1-9]"))


def expect_fitted(page: Page) -> None:
    """Wait until the page is rendered, because then the drawing gets the size of its frame."""
    page.evaluate(
        "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )


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
