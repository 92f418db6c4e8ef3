"""The pages on paper."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.search_page import words
from tests.browser.test_search import PREDICT


def sheets(page: Page, paper: str) -> int:
    """Return the number of sheets that the page takes with the margins that browsers choose."""
    margin = dict.fromkeys(("top", "right", "bottom", "left"), "0.4in")
    pdf = page.pdf(format=paper, margin=margin)  # type: ignore[arg-type]
    return len(re.findall(rb"/Type\s*/Page[^s]", pdf))


@pytest.mark.parametrize("query", ["lesson=5&predict=true", PREDICT])
def test_a_printed_quiz_has_its_question(page: Page, query: str) -> None:
    """It has the choices and the text of the lesson, on one sheet without controls."""
    page.goto(f"/search?{query}")
    expect(page.locator("#predict-text")).to_have_text("Which of these moves will be pruned?")
    for paper in ("A4", "Letter"):
        assert sheets(page, paper) == 1
    page.emulate_media(media="print")
    for part in ("#predict-text", "#predict-facts", "#drawing svg"):
        expect(page.locator(part)).to_be_visible()
    for choice in page.locator("#predict-choices li").all():
        expect(choice).to_be_visible()
    expect(words(page)).to_have_count(int("lesson" in query))
    expect(page.locator("main button:visible, #predict-onward:visible")).to_have_count(0)


@pytest.mark.parametrize("width", [1366, 390])
def test_a_printed_game_has_its_board_and_its_moves(page: Page, width: int) -> None:
    """They are on one sheet; moves are text, and no control is printed."""
    page.set_viewport_size({"width": width, "height": 800})
    page.goto("/?played=0,4,8,1,3,7")
    expect(page.locator("#mistake a").first).to_be_visible()
    for paper in ("A4", "Letter"):
        assert sheets(page, paper) == 1
    page.emulate_media(media="print")
    expect(page.get_by_role("grid", name="Board")).to_be_visible()
    expect(page.locator("#moves tr:visible")).to_have_count(6)
    controls = page.locator(":is(button, select, summary, .segments):visible")
    others = controls.and_(page.locator(":not(.cell, #moves *, .strip *)"))
    expect(others).to_have_count(0)
    for move in page.locator(":is(#moves, .strip) button").all():
        expect(move).to_have_css("border-top-width", "0px")
