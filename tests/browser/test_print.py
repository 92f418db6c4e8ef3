"""The pages on paper."""

import re
from typing import Final

import pytest
from playwright.sync_api import Page, PdfMargins, expect

from tests.browser.elements import box, drawn, node, nodes_in_frame

#  The lowest sheets, and the width and the height in pixels of what can be printed on them.
UPRIGHT: Final = ("Letter", 739, 980)
ACROSS: Final = ("A4", 1047, 718)


def sheets(page: Page, paper: str = "Letter", *, landscape: bool = False) -> int:
    """Return the number of sheets that the page takes with the margins that browsers choose."""
    margin: PdfMargins = {"top": "0.4in", "right": "0.4in", "bottom": "0.4in", "left": "0.4in"}
    pdf = page.pdf(format=paper, landscape=landscape, margin=margin)
    return len(re.findall(rb"/Type\s*/Page[^s]", pdf))


@pytest.mark.parametrize(
    "query", ["lesson=5&predict=true", "board=O.X.X.O..&scoring=outcome&predict=true"]
)
def test_a_printed_quiz_has_its_question(page: Page, query: str) -> None:
    """It has the choices and the text of the lesson, on one sheet without controls."""
    page.goto(f"/search?{query}")
    expect(page.locator("#predict-text")).to_have_text("Which of these moves will be pruned?")
    assert sheets(page) == 1
    page.emulate_media(media="print")
    for part in ("#predict-text", "#predict-facts", "#drawing svg"):
        expect(page.locator(part)).to_be_visible()
    for choice in page.locator("#predict-choices li").all():
        expect(choice).to_be_visible()
    expect(page.locator("#lesson .text:visible")).to_have_count(int("lesson" in query))
    expect(page.locator("main button:visible, #predict-onward:visible")).to_have_count(0)


@pytest.mark.parametrize("width", [1366, 390])
def test_a_printed_game_has_its_board_and_its_moves(page: Page, width: int) -> None:
    """They are on one sheet; moves are text, and no control is printed."""
    page.set_viewport_size({"width": width, "height": 800})
    page.goto("/?played=0,4,8,1,3,7")
    expect(page.locator("#mistake a").first).to_be_visible()
    assert sheets(page) == 1
    page.emulate_media(media="print")
    expect(page.get_by_role("grid", name="Board")).to_be_visible()
    expect(page.locator("#moves tr:visible")).to_have_count(6)
    controls = page.locator(":is(button, select, summary, .segments):visible")
    others = controls.and_(page.locator(":not(.cell, #moves *, .strip *)"))
    expect(others).to_have_count(0)
    for move in page.locator(":is(#moves, .strip) button").all():
        expect(move).to_have_css("border-top-width", "0px")


@pytest.mark.parametrize("width", [1366, 390])
def test_a_search_is_printed_on_one_page(page: Page, width: int) -> None:
    """The whole tree of a wide window is as wide as any sheet, in light colors, without controls.

    A tree that would be too high is at most 105 mm high.
    """
    page.emulate_media(color_scheme="dark")
    for lesson, nodes in ((1, 11), (5, 23), (9, 246)):
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(media="null")
        page.goto(f"/search?lesson={lesson}")
        expect(page.locator("#drawing")).to_have_attribute("aria-busy", "false")
        for paper, sheet_width, height in (UPRIGHT, ACROSS):
            assert sheets(page, paper, landscape=sheet_width > height) == 1
            page.set_viewport_size({"width": sheet_width, "height": height})
            page.emulate_media(media="print")
            expect(drawn(page)).to_have_count(nodes)
            expect(page.locator("main :is(button, a:not(.term)):visible")).to_have_count(0)
            assert nodes_in_frame(page)
            sheet = page.evaluate("document.body.clientWidth")
            frame = page.locator("#drawing")
            expect(frame).to_have_css("background-color", "rgb(255, 255, 255)")
            assert box(frame)["width"] == pytest.approx(sheet, abs=1)
            drawing = box(page.locator("#drawing svg"))
            assert drawing["width"] > sheet - 5 or drawing["height"] > 390
            assert box(node(page, "").locator(".card"))["left"] > box(frame)["left"]
