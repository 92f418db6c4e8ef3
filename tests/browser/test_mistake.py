"""The drawing of the last mistake of a game, in the browser; Node.js checks what it shows."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.playground import button, cell, expect_board, expect_status, holding, style
from tests.browser.test_accessibility import box

LOST = "/?played=0,4,8,2,3,6"
BOARDS = "#mistake:not([hidden]) a"


def test_the_mistake_and_a_better_move_are_drawn(page: Page) -> None:
    """Each board has a heading, its moves, and a visible result, until the user looks back."""
    page.goto(LOST)
    expect(page.get_by_role("group", name="The mistake and a better move")).to_match_aria_snapshot(
        """
        - heading "You played 3" [level=4]
        - list:
          - listitem:
            - button "X 3, left side"
          - listitem:
            - button "O 6, bottom-left corner"
        - link "X 3, O 6 O wins"
        - 'heading "Better: 6" [level=4]'
        - list:
          - listitem:
            - button "X 6, bottom-left corner"
          - listitem:
            - button "O 1, top side"
          - listitem:
            - button "X 3, left side"
        - link "X 6, O 1, X 3 X wins"
        - paragraph
        """
    )
    won = page.locator(f"{BOARDS} .won")
    for line, mark in zip(won.all(), "OX", strict=True):
        ink = style(page.locator(f"#moves [data-mark={mark}]").first, "color")
        expect(line).to_have_css("stroke", ink)
    page.locator("#moves button").nth(3).click()
    expect(page.locator("#mistake")).to_be_hidden()
    expect(page.locator("#mistake")).to_be_empty()


STEPS = [
    *(("X.OXO...X", []), ("X.OXO.O.X", [2, 4, 6])),
    *(("X.O.O.X.X", []), ("XOO.O.X.X", []), ("XOOXO.X.X", [0, 3, 6])),
]


@pytest.mark.parametrize("width", [1366, 390])
def test_the_drawing_is_stepped_through_on_the_large_board(page: Page, width: int) -> None:
    """A move that has the pointer or the focus, or is chosen, is shown there with its position.

    On a phone the large board is then in view, even if the page was scrolled past it.
    """
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(LOST)
    expect(page.locator(BOARDS)).to_have_count(2)
    steps = page.locator("#mistake li button")
    winning = page.locator("#board .winning")
    for step, (board, line) in zip(steps.all(), STEPS, strict=True):
        for choose in (step.focus, step.hover, step.click):
            choose()
            expect_board(page, board)
            expect(winning).to_have_count(len(line))
            last = step.text_content() or ""
            expect(page.locator("#board .last")).to_have_accessible_name(re.compile(f"^{last[2]}"))
        expect(page.locator("#board")).to_be_in_viewport(ratio=1)
        assert [cell(page, each).get_attribute("class") for each in line] == [
            *["cell winning last" if each == int(last[2]) else "cell winning" for each in line]
        ]
    page.mouse.move(0, 0)
    steps.last.blur()
    expect_board(page, "X.OXO.O.X")
    expect(winning).to_have_count(3)


def test_each_board_leads_to_the_explanation_of_its_line(page: Page) -> None:
    """Enter follows the link of a board; arrow keys step through the line of best play."""
    for count, line in ((4, ["6", "1", "3"]), (5, ["6"])):
        page.goto(LOST)
        expect(page.locator(BOARDS)).to_have_count(2)
        page.locator(f"{BOARDS}[href*='at={count}&']").press("Enter")
        moves = page.locator("#explanation .strip button")
        expect(moves).to_have_count(len(line))
        moves.first.focus()
        page.keyboard.press("ArrowLeft")
        expect(moves.first).to_be_focused()
        for index, number in enumerate(line):
            expect(moves.nth(index)).to_be_focused()
            expect(moves.nth(index)).to_contain_text(number)
            page.keyboard.press("ArrowRight")
        expect(moves.last).to_be_focused()
    expect_board(page, "X.OXO.O.X")


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize(
    "path", ["**/mistake.js*", "**/mistake.css", "**/best-move?board=X.O.O.X.X*"]
)
def test_a_drawing_that_cannot_be_loaded_can_be_retried(page: Page, path: str) -> None:
    """Without a connection, a message and a button appear where the drawing would be."""
    page.route(path, lambda route: route.abort("internetdisconnected"))
    page.goto(LOST)
    expect(page.locator("#mistake")).to_contain_text("URL keeps your game")
    page.unroute_all()
    button(page, "Try again").click()
    expect(page.locator(BOARDS)).to_have_count(2)


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize(("width", "height"), [(1366, 650), (390, 844)])
def test_the_drawing_is_seen_and_moves_nothing_that_is_in_view(
    page: Page, width: int, height: int
) -> None:
    """It is above the options and fits a laptop's screen; a phone shows where it begins."""
    held: list[Route] = []
    below = "" if width < 1366 else ", #moves *"
    places = (
        f"[...document.querySelectorAll('.game *, [role=tab]{below}')]"
        ".map((part) => Object.values(part.getBoundingClientRect().toJSON()))"
    )
    page.set_viewport_size({"width": width, "height": height})
    page.route("**/mistake.css", holding(held))
    with page.expect_request("**/mistake.css"):
        page.goto(LOST)
    expect_status(page, "You lost: O won.")
    before = page.evaluate(places)
    held[0].continue_()
    expect(page.locator(BOARDS)).to_have_count(2)
    assert page.evaluate(places) == before
    around = box(page.locator("#mistake"))
    assert around["right"] <= width
    assert around["top"] < height - 40
    assert around["bottom"] <= box(page.locator("#options"))["top"]
    assert around["bottom"] <= height or width < 1366
