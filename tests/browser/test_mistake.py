"""The drawing of the mistake that decided a game, in the browser; Node.js checks what it shows."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.playground import button, expect_board, expect_status, holding, style
from tests.browser.test_accessibility import box

LOST = "/?played=0,4,8,2,3,6"
BOARDS = "#mistake:not([hidden]) a"


def test_the_mistake_and_a_better_move_are_drawn(page: Page) -> None:
    """Each board has a caption, a name, and a visible result, until the user looks back."""
    page.goto(LOST)
    expect(page.get_by_role("group", name="The mistake and a better move")).to_match_aria_snapshot(
        """
        - link "You played 3 X 3, O 6 O wins"
        - 'link "Better: 6 X 6, O 1, X 3 X wins"'
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
        for index, cell in enumerate(line):
            expect(moves.nth(index)).to_be_focused()
            expect(moves.nth(index)).to_contain_text(cell)
            page.keyboard.press("ArrowRight")
        expect(moves.last).to_be_focused()
    expect_board(page, "X.OXO.O.X")


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize(
    "path", ["**/mistake.js*", "**/mistake.css", "**/best-move?board=X.OXO...X*"]
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
