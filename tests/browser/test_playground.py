"""The playground: playing, hints, looking back, watching, sharing, and lost connections."""

import re
from functools import partial

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, Route, expect

from tests.browser.playground import (
    PERFECT,
    button,
    cell,
    choice,
    expect_board,
    expect_status,
    holding,
    open_options,
    radio,
    style,
)


@pytest.fixture
def stopped(context: BrowserContext) -> Page:
    """Return a page with a new game, whose clock stands still."""
    page = context.new_page()
    page.clock.install()
    page.goto(PERFECT)
    expect_status(page, "You move first (X).")
    page.clock.pause_at("2100-01-01")
    return page


def moves(page: Page) -> Locator:
    """Return the buttons of the table of moves."""
    return page.get_by_role("table", name="This game").get_by_role("button")


@pytest.mark.smoke
def test_a_user_who_plays_badly_loses(page: Page) -> None:
    """After a loss the page names the mistake, accepts no more moves, and offers a new game."""
    page.goto(PERFECT)
    expect_status(page, "You move first (X).")
    for number, board in ((0, "X...O...."), (8, "XO..O...X"), (3, "XO.XO..OX")):
        cell(page, number).click()
        expect_board(page, board)
    expect_status(page, "You lost: O won.")
    expect(page).to_have_title("You lost: O won · Best Move")
    expect(page.locator(".cell[aria-disabled=true]")).to_have_count(9)
    expect(page.locator(".winning")).to_have_count(3)
    color = style(page.locator("#status [data-mark=O]"), "color")
    expect(page.locator(".strike")).to_have_css("stroke", color)
    expect(page.locator(".strike path")).to_have_attribute("d", "M150 14 150 286")
    said = "Your mistake was the left side: the bottom side would have drawn."
    expect(page.locator("#sentence")).to_have_text(said)
    expect(page.locator("#announcement")).to_have_text(f"You lost: O won. {said}")
    button(page, "Play again").click()
    expect_board(page, "." * 9)
    expect_status(page, "You move first (X).")


def test_the_table_shows_what_each_move_does_while_the_game_is_played(page: Page) -> None:
    """Each row stays as it is, but for what is said of a mistake once the game is over."""
    page.goto(PERFECT)
    told: list[str] = []
    said = page.get_by_role("table", name="This game").get_by_role("cell")
    for number, count in ((0, 2), (8, 4), (3, 6)):
        page.locator("#game[aria-busy=false]").wait_for()
        cell(page, number).click()
        expect(moves(page)).to_have_count(count)
        page.locator("#game[aria-busy=false]").wait_for()
        expect(said.last).not_to_have_text(re.compile("corner.$|side.$"))
        rows = said.all_text_contents()
        assert rows[: len(told)] == told
        told = rows
    assert told == [
        "You play the top-left corner.",
        "O plays the center: it is on the most lines.",
        "You play the bottom-right corner.",
        "O plays the top side and keeps X from threatening two lines at once.",
        "You play the left side, which turns a draw into a loss: the bottom side is better.",
        "O plays the bottom side, which completes three in a row.",
    ]


def test_the_table_shows_the_mistakes_and_each_position(page: Page) -> None:
    """A click on a move shows its position; the later moves stay until the user plays on."""
    with page.expect_request("**/game-review?*"):
        page.goto("/?you=both&played=0,1,3,2,4,8,6")
    expect_status(page, "X won.")
    expect(moves(page)).to_have_text(
        ["1. X 0", "2. O 1 ?", "3. X 3", "4. O 2", "5. X 4", "6. O 8", "7. X 6"]
    )
    expect(moves(page).nth(1)).to_have_accessible_name(
        "2. O 1, top side, a mistake, better was center"
    )
    expect(page.get_by_text("turns a draw into a loss: the center is better.")).to_be_visible()
    moves(page).nth(3).click()
    expect_board(page, "XOOX.....")
    expect_status(page, "After move 4 of 7.")
    expect(moves(page)).to_have_count(7)
    button(page, "Play on from here").click()
    expect_status(page, "X to move.")
    expect(moves(page)).to_have_count(4)


def test_the_controls_show_and_change_the_choices_of_the_url(page: Page) -> None:
    """An invalid choice is named until the first move; "Who starts" begins a new game."""
    page.goto("/?you=O&first=random&board=X........&difficulty=insane")
    expect_status(page, "Your turn (O).")
    expect(radio(page, "You play", "O")).to_be_checked()
    expect(page.locator("#first")).to_have_value("random")
    expect(page.locator("#sentence")).to_contain_text("Ignored: difficulty=insane.")
    cell(page, 4).click()
    expect_status(page, "Your turn (O).")
    expect(page.locator("#sentence")).not_to_contain_text("Ignored")
    page.goto("/?set_up=true&starts=O")
    expect(page.locator("[name=starts]:checked")).to_have_value("O")
    page.goto(PERFECT)
    open_options(page)
    choice(page, "Who starts").select_option("O")
    expect_board(page, "O........")
    assert "first=O" in page.url


@pytest.mark.usefixtures("context")
def test_the_starting_side_can_be_drawn_at_random(page: Page) -> None:
    """A reload does not change the side."""
    page.add_init_script("Math.random = () => 0.999")
    page.goto("/?you=both&first=random")
    expect_status(page, "O to move.")
    page.add_init_script("Math.random = () => 0.4")
    page.reload()
    expect_status(page, "O to move.")
    button(page, "New game").click()
    expect_status(page, "X to move.")


def test_the_move_that_lost_can_be_tried_again(page: Page) -> None:
    """A button leads back to the position before the mistake, and the score counts one game."""
    page.goto(f"{PERFECT}&played=0,4,8,1")
    expect_status(page, "Your turn (X).")
    cell(page, 3).click()
    expect_status(page, "You lost: O won.")
    button(page, "Try that move again").click()
    expect_board(page, "XO..O...X")
    expect_status(page, "Your turn (X).")
    expect(page.locator("#sentence")).to_have_text("Find a better move than the left side.")
    expect(button(page, "Try that move again")).to_be_hidden()
    cell(page, 3).click()
    expect_status(page, "You lost: O won.")
    expect(page.locator("#score")).to_have_text("You 0 · Oracle 1")
    radio(page, "You play", "Two players").check()
    expect(page.locator("#score")).to_be_empty()


def test_hints_are_given_on_request(page: Page) -> None:
    """Every empty cell shows its outcome as a symbol and in words, and the best cell is marked."""
    page.goto("/?board=XO.X..O..")
    expect_status(page, "Your turn (X).")
    expect(page.locator(".best")).to_have_count(0)
    button(page, "Hints").click()
    expect(button(page, "Hints")).to_have_attribute("aria-pressed", "true")
    loses = "▼Loses in 2 turns"
    expect(page.locator(".worth")).to_have_text(
        ["", "", loses, "", "▲Wins in 2 turns", loses, "", "=Draws", loses]
    )
    expect(cell(page, 4)).to_have_accessible_name("4, Wins in 2 turns, center, empty, best move")
    expect(page.locator("#sentence")).to_have_text(
        "Hint: play the center: it threatens to win in two places."
    )
    page.reload()
    expect(page.locator(".best")).to_have_count(1)
    button(page, "Hints").click()
    expect(page.locator(".best")).to_have_count(0)


@pytest.mark.usefixtures("context")
def test_the_oracle_plays_against_itself(page: Page) -> None:
    """The game starts on a click, pauses by a button, resumes by Space, and runs to its end."""
    page.clock.install()
    page.goto(PERFECT)
    page.clock.pause_at("2100-01-01")
    radio(page, "You play", "Watch").check()
    expect_board(page, "X........")
    button(page, "Pause").click()
    expect(page.locator("#status")).to_contain_text("Paused")
    page.clock.run_for(2000)
    expect_board(page, "X........")
    page.locator("body").press("Space")
    for count in range(2, 10):
        page.clock.run_for(900)
        expect(moves(page)).to_have_count(count)
    expect_board(page, "XXOOOXXOX")
    expect(button(page, "Watch again")).to_be_visible()
    expect(page.locator("#status")).to_have_text("A draw.")
    assert "played=0,4,1,2,6,3,5,7,8" in page.url


def test_a_board_is_set_up_by_hand(page: Page) -> None:
    """Clicks and keys change marks, errors cause no alert, and a valid board can be played."""
    page.goto(PERFECT)
    button(page, "Set up").click()
    radio(page, "Place", "O").check()
    for board in ("....O....", "." * 9, "....O...."):
        cell(page, 4).click()
        expect_board(page, board)
    cell(page, 8).press("o")
    expect(page.locator("#sentence")).to_contain_text("Add X marks or remove O marks.")
    expect(button(page, "Play from here")).to_be_disabled()
    button(page, "Play from here").click(force=True)
    expect(page.locator("#announcement")).to_contain_text("Add X marks or remove O marks.")
    expect(page.get_by_role("alert")).to_have_text("")
    expect_status(page, "Set up a position.")
    radio(page, "Place", "Empty").check()
    cell(page, 8).click()
    cell(page, 0).press("x")
    cell(page, 0).press("Control+x")
    page.reload()
    expect_board(page, "X...O....")
    button(page, "Play from here").click()
    expect_status(page, "Your turn (X).")


def test_an_illegal_board_can_be_corrected(page: Page) -> None:
    """The button leads from the error to the board, which is being set up."""
    page.goto("/?board=XX.......&you=O")
    expect_status(page, "Illegal position.")
    button(page, "Correct the board").click()
    expect_status(page, "Set up a position.")
    expect(cell(page, 0)).to_be_focused()
    cell(page, 8).press("o")
    button(page, "Play from here").click()
    expect_status(page, "Your turn (O).")


def test_the_user_chooses_the_side_that_started_if_both_are_possible(page: Page) -> None:
    """Clear empties the board, and Cancel or Escape goes back."""
    page.goto(f"{PERFECT}&board=X...O....&set_up=true")
    radio(page, "Started", "O").check()
    expect(page.locator("#sentence")).to_have_text("O moves next.")
    button(page, "Play from here").click()
    for leave in (button(page, "Cancel").click, partial(page.keyboard.press, "Escape")):
        expect_board(page, "XO..O....")
        expect_status(page, "Your turn (X).")
        button(page, "Set up").click()
        button(page, "Clear").click()
        expect_board(page, "." * 9)
        leave()
    expect_board(page, "XO..O....")


def test_a_game_that_o_started_can_be_set_up_and_searched(page: Page) -> None:
    """The button Show its search keeps the side to move, which is not inferred."""
    page.goto("/?first=O&you=O&played=4,0")
    expect_status(page, "Your turn (O).")
    button(page, "Set up").click()
    expect(page.locator("#sentence")).to_have_text("O moves next.")
    button(page, "Show its search").click()
    page.wait_for_url("**/search?board=X...O....&starts=O*")


def test_the_options_reach_the_service(page: Page) -> None:
    """The page's URL also contains the options unless they are defaults."""
    page.goto("/")
    expect(choice(page, "Level")).to_have_value("medium")
    choice(page, "Level").select_option("Easy")
    open_options(page)
    choice(page, "Among equal moves").select_option("The best trap")
    cell(page, 4).hover()
    expect(cell(page, 4).locator(".mark.x")).to_be_visible()
    expect(cell(page, 4).locator(".mark.o")).to_be_hidden()
    options = "difficulty=easy&tie_break=trap"
    with page.expect_request(re.compile(options)):
        cell(page, 4).click()
    expect_status(page, "Your turn (X).")
    assert options in page.url
    choice(page, "Level").select_option("Medium")
    assert "difficulty" not in page.url


def test_a_request_without_a_connection_is_reported_and_can_be_retried(stopped: Page) -> None:
    """For half a second the page shows that it retries; when shown again, it retries by itself."""
    stopped.route("**/best-move?**", lambda route: route.abort())
    cell(stopped, 0).click()
    expect_status(stopped, "No connection.")
    alert = stopped.get_by_role("alert")
    expect(alert).to_contain_text("The service is not responding.")
    expect_board(stopped, "X........")
    button(stopped, "Try again").click()
    expect(stopped.locator("#status")).to_have_text("O is thinking.")
    stopped.clock.run_for(500)
    expect_status(stopped, "No connection.")
    stopped.unroute_all()
    stopped.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect_board(stopped, "X...O....")
    expect_status(stopped, "Your turn (X).")
    expect(alert).to_have_text("")


def test_the_page_retries_by_itself(stopped: Page) -> None:
    """Each wait is twice the wait before, up to ten seconds."""
    refused: list[Route] = []

    def refuse(route: Route) -> None:
        refused.append(route)
        route.abort()

    stopped.route("**/best-move?**", refuse)
    cell(stopped, 0).click()
    for count, seconds in enumerate((2, 4, 8, 10, 10), start=1):
        expect_status(stopped, "No connection.")
        stopped.clock.run_for(seconds * 1000 - 1)
        assert len(refused) == count
        if count == 5:
            stopped.unroute_all()
        stopped.clock.run_for(1)
    expect_board(stopped, "X...O....")


def test_the_game_goes_on_when_the_connection_is_back(page: Page, context: BrowserContext) -> None:
    """The page repeats the request by itself."""
    page.goto(PERFECT)
    expect_status(page, "You move first (X).")
    context.set_offline(offline=True)
    cell(page, 0).click()
    expect_status(page, "No connection.")
    context.set_offline(offline=False)
    expect_board(page, "X...O....")


def test_a_service_that_never_responds_counts_as_a_lost_connection(stopped: Page) -> None:
    """The page gives up after exactly twenty seconds."""
    stopped.route("**/best-move?**", holding([]))
    cell(stopped, 0).click()
    status = stopped.locator("#status")
    expect(status).to_have_text("O is thinking.")
    stopped.clock.run_for(19_999)
    expect(status).to_have_text("O is thinking.")
    stopped.clock.run_for(1)
    expect(status).to_have_text("No connection.")


def test_a_response_from_another_server_is_reported(page: Page) -> None:
    """The message differs from that for a lost connection."""
    page.route(
        "**/best-move?**", lambda route: route.fulfill(status=502, body="<h1>Bad gateway</h1>")
    )
    page.goto("/")
    expect(page.get_by_role("alert")).to_contain_text(
        "The service did not send this response. Try again."
    )
    page.unroute("**/best-move?**")
    button(page, "Try again").click()
    expect_status(page, "You move first (X).")


def test_a_copied_link_shows_the_same_game(page: Page, context: BrowserContext) -> None:
    """The button keeps its width, and Undo works on the page of the link."""
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{PERFECT}&played=0,4")
    expect_status(page, "Your turn (X).")
    widths = "buttons => buttons.map(button => button.offsetWidth)"
    before = page.locator("#playing button").evaluate_all(widths)
    button(page, "Copy link").click()
    expect(button(page, "Copied")).to_be_visible()
    assert page.locator("#playing button").evaluate_all(widths) == before
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == page.url
    page.goto(link)
    expect_board(page, "X...O....")
    button(page, "Undo").click()
    expect_board(page, "." * 9)


@pytest.mark.usefixtures("context")
def test_if_copying_is_not_allowed_the_page_says_where_the_link_is(page: Page) -> None:
    """The page refers to the address bar."""
    page.add_init_script("navigator.clipboard.writeText = () => Promise.reject(new Error());")
    page.goto(PERFECT)
    expect_status(page, "You move first (X).")
    button(page, "Copy link").click()
    expect(button(page, "Address bar")).to_be_visible()
    expect(page.locator("#announcement")).to_have_text("Copy it from the address bar.")


@pytest.mark.smoke
def test_back_and_forward_go_through_the_turns_of_the_user(page: Page) -> None:
    """Back, forward and Undo skip the oracle's turns; on the empty board Undo does nothing."""
    page.goto(PERFECT)
    expect(button(page, "Undo")).to_be_disabled()
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
    button(page, "Undo").click(force=True)
    page.go_forward()
    expect_board(page, "X...O....")


def test_a_new_game_aborts_the_request_of_the_last_one(page: Page) -> None:
    """Until then a click does nothing, and the page says why."""
    page.goto(PERFECT)
    expect_status(page, "You move first (X).")
    page.route("**/best-move?board=X........*", holding([]))
    cell(page, 0).click()
    expect(page.locator("#status")).to_have_text("O is thinking.")
    cell(page, 4).click(force=True)
    for place in ("#announcement", "#sentence"):
        expect(page.locator(place)).to_have_text("It is the oracle's turn (O).")
    with page.expect_event("requestfailed", lambda request: "board=X........" in request.url):
        button(page, "New game").click()
    expect_board(page, "." * 9)
    expect_status(page, "You move first (X).")
    assert "played" not in page.url
