"""The panels beside the board: the tabs, the explanation, and the links of a new game."""

import re

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.browser.playground import button, cell, expect_board, expect_status, holding, open_tab

BOARD = "XO.X..O.."


def test_arrow_keys_move_between_tabs(page: Page) -> None:
    """The tabs are one stop of the Tab key; Home and End do not scroll; a reload keeps the tab."""
    page.goto("/")
    page.evaluate(
        "addEventListener('keydown', (event) => { window.scrolls = !event.defaultPrevented; })"
    )
    page.get_by_role("tab", name="Play").focus()
    for key, name in (
        ("ArrowRight", "Explain"),
        ("ArrowRight", "Play"),
        ("ArrowLeft", "Explain"),
        ("Home", "Play"),
        ("End", "Explain"),
    ):
        page.keyboard.press(key)
        assert not page.evaluate("scrolls")
        expect(page.get_by_role("tab", name=name, exact=True)).to_be_focused()
        expect(page.get_by_role("tabpanel", name=name, exact=True)).to_be_visible()
    expect(page.locator("[role=tab][tabindex='0']")).to_have_count(1)
    page.reload()
    expect(page.get_by_role("tab", name="Explain")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("tabpanel")).to_have_count(1)


@pytest.mark.smoke
def test_the_position_is_explained(page: Page) -> None:
    """Explain shows the outcome, the reason, the line, the outcome of every move, and the cost."""
    page.goto(f"/?board={BOARD}&view=explain")
    panel = page.get_by_role("tabpanel", name="Explain")
    expect(panel).to_match_aria_snapshot(
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
    expect(panel.locator(".worths b")).to_have_text(["▲", "=", "▼", "▼", "▼"])


def test_the_explanation_shows_that_it_is_loading(page: Page) -> None:
    """Until the service responds, Explain shows “Loading…”."""
    held: list[Route] = []
    page.route("**/best-move?*analysis=true*", holding(held))
    with page.expect_request("**/best-move?*analysis=true*"):
        page.goto(f"/?board={BOARD}&view=explain")
    panel = page.get_by_role("tabpanel", name="Explain")
    expect(panel.get_by_text("Loading…")).to_be_visible()
    expect(page.locator("#game")).to_have_attribute("aria-busy", "true")
    held[0].continue_()
    expect(panel).to_contain_text("X can force a win")
    page.unroute_all()
    page.route("**/best-move?*analysis=true*", holding(held))
    cell(page, 2).click()
    expect(panel.get_by_text("Loading…")).to_be_visible()


def test_a_panel_that_cannot_be_loaded_shows_an_error(page: Page, context: BrowserContext) -> None:
    """When the connection is back, the panel is loaded."""
    page.goto("/")
    expect_status(page, "You move first (X).")
    context.set_offline(offline=True)
    panel = open_tab(page, "Explain")
    expect(panel).to_contain_text("This part of the page cannot be loaded.")
    context.set_offline(offline=False)
    expect(panel).to_contain_text("With best play by both sides, nobody wins.")


def test_the_board_after_a_move_of_the_line_is_shown(page: Page) -> None:
    """While a move of the line has the pointer or the focus, the page shows its board."""
    page.goto(f"/?board={BOARD}&view=explain")
    button(page, "X 5, right side").hover()
    expect_board(page, "XOOXXXO..")
    page.mouse.move(0, 0)
    expect_board(page, BOARD)
    button(page, "O 2, top-right corner").focus()
    expect_board(page, "XOOXX.O..")
    button(page, "O 2, top-right corner").blur()
    expect_board(page, BOARD)


def test_a_finished_game_is_explained(page: Page) -> None:
    """Explain says how the game ended, and leads to the position before the last move."""
    page.goto("/?played=0,4,8,1,3,7&view=explain")
    expect(page.get_by_role("tabpanel", name="Explain")).to_contain_text(
        "The game is over: O has won."
    )
    button(page, "Explain the position before the last move").click()
    expect(page.get_by_role("tabpanel", name="Explain")).to_contain_text("O wins on the next move.")


@pytest.mark.parametrize(
    ("name", "board", "worths"),
    [
        ("Only one move wins", "XO.X..O..", "▼▲▼=▼"),
        ("A trap: seven of your eight replies lose", "X........", "▼▼▼=▼▼▼▼"),
    ],
)
def test_each_position_linked_from_a_new_game_matches_its_description(
    page: Page, name: str, board: str, worths: str
) -> None:
    """As many moves win, draw and lose as the text beside the link says."""
    page.goto("/")
    page.get_by_role("link", name=name, exact=True).click()
    expect_board(page, board)
    expect(page.locator(".best")).to_have_count(0)
    button(page, "Hints").click()
    expect(page.locator(".cell:not([data-worth='']) .worth")).to_have_text(
        [re.compile(each) for each in worths]
    )


def test_a_new_game_links_to_the_lessons(page: Page) -> None:
    """The card of the search opens the first lesson."""
    page.goto("/")
    page.get_by_role("link", name="The search, drawn").click()
    page.wait_for_url("**/search?lesson=1")
    expect(page.get_by_role("treeitem")).to_have_count(11)
