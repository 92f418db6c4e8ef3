"""Functions that find and read the elements of the search page."""

import re
from typing import Final

from playwright.sync_api import Locator, Page, expect

ASCII: Final = {
    0x03B1: "alpha",
    0x03B2: "beta",
    0x2212: "-",
    0x221E: "infinity",
    0x2003: " ",
    0x2264: "<=",
    0x2265: ">=",
}


def card(page: Page) -> Locator:
    """Return the card of the lesson or of the position."""
    return page.locator("#lesson article:visible")


def heading(page: Page) -> Locator:
    """Return the title of the card."""
    return card(page).get_by_role("heading")


def place(page: Page) -> Locator:
    """Return the number of the lesson, or that the card describes a position."""
    return card(page).locator(".place span")


def words(page: Page) -> Locator:
    """Return the lesson's text."""
    return card(page).locator(".text:visible")


def drawn(page: Page) -> Locator:
    """Return the drawn nodes."""
    return page.locator("#drawing .node")


def node(page: Page, path: str) -> Locator:
    """Return the node that a path of moves leads to."""
    return page.locator(f"#drawing .node[data-path='{path}']")


def ascii_text(text: str) -> str:
    """Return a text of the page with its symbols replaced by ASCII."""
    return text.translate(ASCII)


def expect_step(page: Page, step: int) -> None:
    """Wait until a step is shown."""
    expect(page.locator("#step-number")).to_have_text(re.compile(f"^{step} / [1-9]"))


def expect_fitted(page: Page) -> None:
    """Wait until the page is rendered, because then the drawing gets the size of its frame."""
    page.evaluate(
        "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )
