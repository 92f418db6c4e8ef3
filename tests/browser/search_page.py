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


def drawn(page: Page, *, state: str = "") -> Locator:
    """Return the drawn nodes, or only those in a state."""
    return page.locator(f"#drawing .node[data-state={state}]" if state else "#drawing .node")


def node(page: Page, path: str) -> Locator:
    """Return the node that a path of moves leads to."""
    return page.locator(f"#drawing .node[data-path='{path}']")


def ascii_text(text: str) -> str:
    """Return a text of the page with its symbols replaced by ASCII."""
    return text.translate(ASCII)


def numbers(page: Page) -> str:
    """Return the numbers of the step shown, in one line."""
    return ", ".join(map(ascii_text, page.locator("#moment-numbers p").all_inner_texts()))


def sentence(page: Page) -> str:
    """Return the sentence about the step shown."""
    return ascii_text(page.locator("#moment-sentence").inner_text())


def expect_step(page: Page, step: int) -> None:
    """Wait until a step is shown."""
    expect(page.locator("#step-number")).to_have_text(re.compile(f"^{step} / [1-9]"))


def expect_fitted(page: Page) -> None:
    """Wait until the page is rendered, because then the drawing gets the size of its frame."""
    page.evaluate(
        "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )


def expect_count(page: Page, visited: int, nodes: int) -> None:
    """Wait until the page shows these numbers of nodes: visited so far, and in total."""
    expect(page.locator(".counter")).to_have_text(
        f"{visited:,} of {nodes:,} node{'s' if nodes > 1 else ''}"
    )
