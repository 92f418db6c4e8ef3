"""The playground's main paths; its plays in Node.js show what each action does."""

import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.elements import PERFECT, button, cell, expect_board, expect_status, style


@pytest.mark.smoke
def test_a_user_who_plays_badly_loses(page: Page) -> None:
    """After a loss the page strikes through the line, names the mistake, and offers a new game."""
    page.goto(PERFECT)
    expect_status(page, "You move first (X).")
    for number, board in ((0, "X...O...."), (8, "XO..O...X"), (3, "XO.XO..OX")):
        cell(page, number).click()
        expect_board(page, board)
    expect_status(page, "You lost: O won.")
    expect(page).to_have_title("You lost: O won · Best Move")
    color = style(page.locator("#status [data-mark=O]"), "color")
    expect(page.locator(".strike")).to_have_css("stroke", color)
    said = "Your mistake was the left side: the bottom side would have drawn."
    expect(page.locator("#sentence")).to_have_text(said)
    expect(page.locator("#announcement")).to_have_text(f"You lost: O won. {said}")
    button(page, "Play again").click()
    expect_board(page, "." * 9)


@pytest.mark.smoke
def test_back_and_forward_go_through_the_turns_of_the_user(page: Page) -> None:
    """Back, forward and Undo skip the oracle's turns."""
    page.goto(PERFECT)
    for number, board in ((0, "X...O...."), (8, "XO..O...X")):
        page.locator("#game[aria-busy=false]").wait_for()
        cell(page, number).click()
        expect_board(page, board)
    expect_status(page, "Your turn (X).")
    page.go_back()
    expect_board(page, "X...O....")
    page.go_back()
    expect_board(page, "." * 9)
    page.go_forward()
    expect_board(page, "X...O....")
    button(page, "Undo").click()
    expect_board(page, "." * 9)
    page.go_forward()
    expect_board(page, "X...O....")


@pytest.mark.smoke
def test_the_position_is_explained(page: Page) -> None:
    """Explain shows the outcome, the reason, the line, the outcome of every move, and the cost."""
    page.goto("/?board=XO.X..O..&view=explain")
    expect(page.get_by_role("tabpanel", name="Explain")).to_match_aria_snapshot(
        """
        - tabpanel "Explain":
          - paragraph: >-
              X can force a win within 2 of its own moves. X plays the center and
              threatens to win in two places.
          - heading "The line of best play, by both sides" [level=4]
          - list:
            - listitem:
              - button "X 4, center"
            - listitem:
              - button "O 2, top-right corner"
            - listitem:
              - button "X 5, right side"
          - heading "Every move of X, the best first" [level=4]
          - list:
            - listitem: "Wins in 2 turns: 4, center"
            - listitem: "Draws: 7, bottom side"
            - listitem: "Loses in 2 turns: 2, top-right corner"
            - listitem: "Loses in 2 turns: 5, right side"
            - listitem: "Loses in 2 turns: 8, bottom-right corner"
          - paragraph: /To find this, .*alpha-beta visited \\d+ nodes/
          - link "See how the search found this"
        """
    )


def test_a_cell_shows_the_users_mark_under_the_pointer(page: Page) -> None:
    """It shows the mark that a click would place."""
    page.goto("/")
    expect_status(page, "You move first (X).")
    cell(page, 4).hover()
    expect(cell(page, 4).locator(".mark.x")).to_be_visible()
    expect(cell(page, 4).locator(".mark.o")).to_be_hidden()


def test_the_game_goes_on_when_the_connection_is_back(page: Page, context: BrowserContext) -> None:
    """The page repeats the request by itself, and loads the panel that it could not load."""
    page.goto(PERFECT)
    expect_status(page, "You move first (X).")
    context.set_offline(offline=True)
    cell(page, 0).click()
    expect_status(page, "No connection.")
    page.get_by_role("tab", name="Explain", exact=True).click()
    panel = page.get_by_role("tabpanel", name="Explain", exact=True)
    expect(panel).to_contain_text("This part of the page cannot be loaded.")
    context.set_offline(offline=False)
    expect_board(page, "X...O....")
    expect(panel).to_contain_text("With best play by both sides, nobody wins.")


def test_a_copied_board_has_its_marks(page: Page, context: BrowserContext) -> None:
    """Copied text has the mark of each cell, or the number of an empty one."""
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/?board=X.O.O.X..&starts=X")
    expect_status(page, "Your turn (X).")
    for key in ("Control+a", "Control+c"):
        page.keyboard.press(key)
    copied = page.evaluate("navigator.clipboard.readText()")
    assert "X 1 O 3 O 5 X 7 8 Undo" in " ".join(copied.split())


def test_a_copied_link_shows_the_same_game(page: Page, context: BrowserContext) -> None:
    """The button keeps its width."""
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{PERFECT}&played=0,4")
    expect_status(page, "Your turn (X).")
    widths = "buttons => buttons.map(button => button.offsetWidth)"
    before = page.locator("#playing button").evaluate_all(widths)
    button(page, "Copy link").click()
    expect(button(page, "Copied")).to_be_visible()
    assert page.locator("#playing button").evaluate_all(widths) == before
    page.goto(page.evaluate("navigator.clipboard.readText()"))
    expect_board(page, "X...O....")


LOST = "/?played=0,4,8,2,3,6"
BOARDS = "#mistake:not([hidden]) a"


@pytest.mark.parametrize("width", [1366, 390])
def test_the_mistake_is_stepped_through_on_the_large_board(page: Page, width: int) -> None:
    """Each line has its winner's color; on a phone a chosen move scrolls to the large board."""
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(LOST)
    expect(page.locator(BOARDS)).to_have_count(2)
    for line, mark in zip(page.locator(f"{BOARDS} .won").all(), "OX", strict=True):
        ink = style(page.locator(f"#moves [data-mark={mark}]").first, "color")
        expect(line).to_have_css("stroke", ink)
    steps = page.locator("#mistake li button")
    for step, board in ((steps.nth(1), "X.OXO.O.X"), (steps.last, "XOOXO.X.X")):
        for choose in (step.focus, step.hover, step.click):
            choose()
            expect_board(page, board)
        expect(page.locator("#board .winning")).to_have_count(3)
        expect(page.locator("#board")).to_be_in_viewport(ratio=1)
    steps.last.blur()
    page.mouse.move(0, 0)
    expect_board(page, "X.OXO.O.X")


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize(
    "path", ["**/mistake.js*", "**/mistake.css", "**/best-move?board=X.O.O.X.X*"]
)
def test_a_drawing_that_cannot_be_loaded_can_be_retried(page: Page, path: str) -> None:
    """Without a connection, a message and a button appear where the drawing would be."""
    page.route(path, lambda route: route.abort("internetdisconnected"))
    page.goto(LOST)
    expect(page.locator("#mistake")).to_contain_text(re.compile("keeps your game"))
    page.unroute_all()
    button(page, "Try again").click()
    expect(page.locator(BOARDS)).to_have_count(2)
