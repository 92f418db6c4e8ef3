"""The pages on paper."""

import re
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, PdfMargins, expect

from tests.browser.elements import box, drawn, node, nodes_in_frame

#  The lowest sheets, and the width and the height in pixels of what can be printed on them.
UPRIGHT: Final = ("Letter", 739, 980)
ACROSS: Final = ("A4", 1047, 718)


def sheets(page: Page, paper: str = "Letter", *, landscape: bool = False) -> int:
    """Return the number of sheets that the page takes with the margins that browsers choose."""
    margin: PdfMargins = {"top": "0.4in", "right": "0.4in", "bottom": "0.4in", "left": "0.4in"}
    pdf = page.pdf(format=paper, landscape=landscape, margin=margin)
    return len(re.findall(rb"/Type\s*/Page[^s]", pdf))


@pytest.mark.usefixtures("context")  # the script stays in its profile
@pytest.mark.parametrize("width", [1366, 390])
@pytest.mark.parametrize(
    "query",
    [
        "lesson=6&predict=true",
        "board=O.XX....O&scoring=outcome&predict=true&windows=true",
        "tree=[[[3,5],[6,9],7],[[1,2],[0,-1]],4]&predict=true&windows=true",
    ],
)
def test_an_exercise_is_printed_as_a_sheet_and_on_request_with_its_key(
    page: Page, query: str, width: int
) -> None:
    """Each is one page of any size with the rule, and no boxes overlap."""
    page.add_init_script(
        """for (const type of ["beforeprint", "afterprint"]) {
            addEventListener(type, (event) => {
                if (window.isMade) { event.stopImmediatePropagation(); }
            });
        }
        window.print = () => { dispatchEvent(new Event("beforeprint")); window.isMade = true; };"""
    )
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme="dark")
    page.goto(f"/search?{query}")
    expect(page.locator("#exercise-task")).to_be_visible()
    page.emulate_media(media="null")
    for paper, sheet_width, height in (UPRIGHT, ACROSS):
        assert sheets(page, paper, landscape=sheet_width > height) == 1
    page.locator("#exercise-key").evaluate("button => button.click()")  # hidden on a phone
    for paper, sheet_width, height in (UPRIGHT, ACROSS):
        assert sheets(page, paper, landscape=sheet_width > height) == 2
        page.set_viewport_size({"width": sheet_width, "height": height})
        page.emulate_media(media="print")
        sheet, key = page.locator(".paper").all()
        expect(page.locator("main:visible")).to_have_count(0)
        for part in (sheet, key):
            expect(part).to_contain_text("A cutoff if \u03b1 \u2265 \u03b2.")
            drawing = box(part.locator("svg"))
            assert drawing["width"] > sheet_width * 0.6 or drawing["height"] > 390
        expect(sheet.locator(".edge.cut")).to_have_count(0)
        expect(key.locator(".edge.cut").first).to_be_attached()
        assert overlaps(sheet) == []
        page.emulate_media(media="null")


#  Returns the boxes of a sheet that overlap each other or a board.
OVERLAPS: Final = """(sheet) => {
    const placed = (each) => [each, each.getBoundingClientRect()];
    const boxes = [...sheet.querySelectorAll(".field")].map(placed);
    const boards = [...sheet.querySelectorAll(".card")].map(placed);
    const meet = (one, other) => one.left + 1 < other.right && other.left + 1 < one.right
        && one.top + 1 < other.bottom && other.top + 1 < one.bottom;
    const isBoard = sheet.querySelector(".grid") !== null; // in a triangle a box is on its node
    return boxes.filter(([box, place]) => [...boxes, ...(isBoard ? boards : [])]
        .some(([other, around]) => other !== box && meet(place, around)))
        .map(([box]) => box.outerHTML);
}"""


def overlaps(sheet: Locator) -> list[str]:
    """Return the boxes of a sheet that overlap others or a board."""
    found: list[str] = sheet.evaluate(OVERLAPS)
    return found


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
    for lesson, nodes in ((1, 13), (2, 11), (6, 23), (10, 246)):
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
