"""The playground: playing, hints, looking back, watching, sharing, and lost connections."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, Route, expect

from tests.browser.playground import (
    PERFECT,
    ask,
    button,
    cell,
    choice,
    expect_board,
    expect_status,
    holding,
    open_options,
    radio,
)


def query(page: Page) -> dict[str, str]:
    """Return the query of the page's URL."""
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def moves(page: Page) -> Locator:
    """Return the buttons of the strip of moves."""
    return page.locator("#strip").get_by_role("button")


def asked(page: Page, path: str = "/best-move") -> list[dict[str, str]]:
    """Return a list to which the query of each later request to a path is added."""
    questions: list[dict[str, str]] = []

    def note(url: str) -> None:
        parts = urlsplit(url)
        if parts.path == path:
            questions.append({name: values[0] for name, values in parse_qs(parts.query).items()})

    page.on("request", lambda request: note(request.url))
    return questions


def test_a_new_game_shows_an_empty_board_without_hints(page: Page) -> None:
    """The level is medium, and no cell shows the outcome of its move."""
    page.goto("/")
    expect_status(page, "You move first (X).")
    expect(choice(page, "Level")).to_have_value("medium")
    expect(page.locator(".cell .worth")).to_have_text([""] * 9)
    expect(page.locator(".best")).to_have_count(0)
    cell(page, 4).hover()
    expect(cell(page, 4).locator(".mark.x")).to_be_visible()
    expect(cell(page, 4).locator(".mark.o")).to_be_hidden()


@pytest.mark.smoke
def test_a_user_who_plays_badly_loses(page: Page) -> None:
    """After a loss the page names the mistake, accepts no more moves, and offers a new game."""
    page.goto(PERFECT)
    expect_status(page, "You move first (X).")
    for number, board in ((0, "X...O...."), (8, "XO..O...X")):
        cell(page, number).click()
        expect_board(page, board)
        expect_status(page, "Your turn (X).")
    cell(page, 3).click()
    expect_board(page, "XO.XO..OX")
    expect_status(page, "You lost: O won.")
    for number in range(9):
        expect(cell(page, number)).to_be_disabled()
        if number in (1, 4, 7):
            expect(cell(page, number)).to_have_accessible_name(re.compile("winning line"))
    expect(page.locator(".winning")).to_have_count(3)
    color = page.locator("#status [data-mark=O]").evaluate(
        "element => getComputedStyle(element).color"
    )
    expect(page.locator(".strike")).to_have_css("stroke", color)
    expect(page.locator(".strike path")).to_have_attribute("d", "M150 14 150 286")
    said = "Your mistake was the left side: the bottom side would have drawn."
    expect(page.locator("#sentence")).to_have_text(said)
    expect(page.locator("#announcement")).to_have_text(f"You lost: O won. {said}")
    button(page, "Play again").click()
    expect_board(page, "." * 9)
    expect_status(page, "You move first (X).")


def test_the_strip_marks_the_mistakes_after_one_request(page: Page) -> None:
    """After the end of a game each mistake is marked by its severity."""
    with page.expect_request("**/game-review?*") as sent:
        page.goto("/?you=both&played=0,1,3,2,4,8,6")
    assert parse_qs(urlsplit(sent.value.url).query) == {
        "board": ["........."],
        "starts": ["X"],
        "played": ["0,1,3,2,4,8,6"],
    }
    expect_status(page, "X won.")
    expect(moves(page)).to_have_text(
        ["1. X 0", "2. O 1 ?", "3. X 3", "4. O 2", "5. X 4", "6. O 8", "7. X 6"]
    )
    expect(moves(page).nth(1)).to_have_accessible_name(
        "2. O 1, top side, a mistake, better was center"
    )
    expect(page.get_by_text("turned a win into a draw")).to_be_visible()
    expect(page.get_by_text("turned a win into a loss")).to_be_hidden()


def test_a_click_on_a_move_of_the_strip_shows_its_position(page: Page) -> None:
    """The later moves stay until the user plays on."""
    page.goto(f"{PERFECT}&played=0,4,8,1,3,7")
    expect_status(page, "You lost: O won.")
    moves(page).nth(3).click()
    expect_board(page, "XO..O...X")
    expect_status(page, "After move 4 of 6.")
    assert query(page)["at"] == "4"
    expect(moves(page)).to_have_count(6)
    moves(page).nth(4).click()
    expect(page.locator("#sentence")).to_have_text(
        "X took the left side, which turned a draw into a loss: the bottom side was better."
    )
    page.reload()
    expect_status(page, "After move 5 of 6.")
    page.go_back()
    expect_status(page, "After move 4 of 6.")
    button(page, "Play on from here").click()
    expect_status(page, "Your turn (X).")
    expect(moves(page)).to_have_count(4)
    cell(page, 7).click()
    expect_board(page, "XO..O.OXX")


def test_new_games_start_with_the_chosen_side(page: Page) -> None:
    """The URL names the side that was chosen in the options."""
    page.goto(PERFECT)
    open_options(page)
    choice(page, "Who starts").select_option("O")
    expect_board(page, "O........")
    expect_status(page, "Your turn (X).")
    page.reload()
    expect_board(page, "O........")
    button(page, "New game").click()
    expect_board(page, "O........")
    assert query(page)["first"] == "O"


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize(("drawn", "side"), [(0.0, "X"), (0.999, "O")])
def test_the_starting_side_can_be_drawn_at_random(page: Page, drawn: float, side: str) -> None:
    """A reload does not change the side."""
    page.add_init_script(f"Math.random = () => {drawn}")
    page.goto("/?you=both&first=random")
    expect_status(page, f"{side} to move.")
    page.add_init_script("Math.random = () => 0.4")
    page.reload()
    expect_status(page, f"{side} to move.")
    button(page, "New game").click()
    expect_status(page, "X to move.")


def test_a_click_before_the_first_response_takes_effect(page: Page) -> None:
    """A new game needs no response.

    On a board that the service has not accepted, the page says that it waits.
    """
    held: list[Route] = []
    page.route("**/best-move?**", holding(held))
    with page.expect_request("**/best-move?board=.........*"):
        page.goto(PERFECT)
    cell(page, 0).click()
    expect_board(page, "X........")
    with page.expect_request("**/best-move?board=.X.......*"):
        page.goto("/?you=both&board=.X.......")
    expect(page.locator("#status")).to_have_text("One moment.")
    cell(page, 4).click(force=True)
    expect(page.locator("#sentence")).to_have_text("The service has not responded yet.")
    held[-1].continue_()
    expect_status(page, "O to move.")


def test_undo_removes_a_move_and_its_reply(page: Page) -> None:
    """On the empty board Undo is disabled and does nothing."""
    page.goto(PERFECT)
    expect(button(page, "Undo")).to_be_disabled()
    for number in (0, 8):
        page.locator("#game[aria-busy=false]").wait_for()
        cell(page, number).click()
    expect_board(page, "XO..O...X")
    button(page, "Undo").click()
    expect_board(page, "X...O....")
    button(page, "Undo").click()
    expect_board(page, "." * 9)
    expect(button(page, "Undo")).to_be_disabled()
    before = page.url
    button(page, "Undo").click(force=True)
    expect_board(page, "." * 9)
    assert page.url == before
    page.go_forward()
    expect_board(page, "X...O....")


def test_the_page_says_why_a_click_out_of_turn_does_nothing(page: Page) -> None:
    """The page says that it is the oracle's turn, or how to start the oracle."""
    page.goto(PERFECT)
    expect_status(page, "You move first (X).")
    page.route("**/best-move?board=X........*", holding([]))
    cell(page, 0).click()
    cell(page, 4).click(force=True)
    expect(page.locator("#sentence")).to_have_text("It is the oracle's turn (O).")
    button(page, "New game").click()
    radio(page, "You play", "X").press("ArrowRight")
    expect_status(page, "The oracle is next.")
    cell(page, 4).click(force=True)
    expect(page.locator("#announcement")).to_have_text("Press Start, and X moves first.")
    expect_board(page, "." * 9)


def test_choosing_o_with_the_mouse_starts_the_oracle_at_once(page: Page) -> None:
    """No other button is needed."""
    page.goto(PERFECT)
    expect_status(page, "You move first (X).")
    radio(page, "You play", "O").check()
    expect_board(page, "X........")
    expect_status(page, "Your turn (O).")


def test_the_move_that_lost_can_be_tried_again(page: Page) -> None:
    """A button leads back to the position before the mistake, but not after a win."""
    page.goto(f"{PERFECT}&played=0,4,8,1,3,7")
    button(page, "Try that move again").click()
    expect_board(page, "XO..O...X")
    expect_status(page, "Your turn (X).")
    expect(page.locator("#sentence")).to_have_text("Find a better move than the left side.")
    assert query(page)["played"] == "0,4,8,1"
    expect(button(page, "Try that move again")).to_be_hidden()
    page.go_back()
    expect_status(page, "You lost: O won.")
    page.goto(f"{PERFECT}&you=O&played=0,4,8,1,3,7")
    expect_status(page, "You won with O.")
    expect(button(page, "Play again")).to_be_visible()
    expect(button(page, "Try that move again")).to_be_hidden()


def test_the_score_counts_each_game_once(page: Page) -> None:
    """A game counts when it first ends, and the score survives a reload."""
    page.goto(f"{PERFECT}&played=0,4,8,1")
    expect_status(page, "Your turn (X).")
    score = page.locator("#score")
    expect(score).to_be_empty()
    cell(page, 3).click()
    expect_status(page, "You lost: O won.")
    expect(score).to_have_text("You 0 · Oracle 1")
    page.reload()
    expect_status(page, "You lost: O won.")
    expect(score).to_have_text("You 0 · Oracle 1")
    button(page, "Try that move again").click()
    cell(page, 3).click()
    expect_status(page, "You lost: O won.")
    expect(score).to_have_text("You 0 · Oracle 1")
    button(page, "Play again").click()
    for number, board in (
        (0, "X...O...."),
        (8, "XO..O...X"),
        (7, "XO..O.OXX"),
        (2, "XOX.OOOXX"),
        (3, "XOXXOOOXX"),
    ):
        cell(page, number).click()
        expect_board(page, board)
    expect_status(page, "A draw.")
    expect(score).to_have_text("You 0 · Oracle 1 · Drawn 1")
    radio(page, "You play", "Two players").check()
    expect(score).to_be_empty()


def test_hints_are_given_on_request(page: Page, origin: str) -> None:
    """Every empty cell shows its outcome as a symbol and in words, and the best cell is marked."""
    page.goto("/?board=XO.X..O..")
    expect_status(page, "Your turn (X).")
    expect(page.locator(".best")).to_have_count(0)
    button(page, "Hints").click()
    expect(button(page, "Hints")).to_have_attribute("aria-pressed", "true")
    answer = ask(origin, board="XO.X..O..", analysis="true")
    words = {"win": "▲Wins in {} turns", "draw": "=Draws", "loss": "▼Loses in {} turns"}
    for move in answer["moves"]:
        shown = words[move["outcome"]].format((move["distance"] + 1) // 2)
        expect(cell(page, move["move"]).locator(".worth")).to_have_text(shown)
    expect(page.locator(".best")).to_have_count(1)
    expect(cell(page, answer["move"])).to_have_accessible_name(
        "4, Wins in 2 turns, center, empty, best move"
    )
    expect(page.locator("#sentence")).to_have_text(
        "Hint: play the center: it threatens to win in two places."
    )
    page.goto("/?board=XX.OO....&analysis=true")
    expect(page.locator("#sentence")).to_have_text(
        "Hint: play the top-right corner: it completes three in a row."
    )
    page.reload()
    expect(page.locator(".best")).to_have_count(1)
    button(page, "Hints").click()
    expect(page.locator(".best")).to_have_count(0)
    assert "analysis" not in query(page)


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
    for board in (
        "X...O....",
        "XX..O....",
        "XXO.O....",
        "XXO.O.X..",
        "XXOOO.X..",
        "XXOOOXX..",
        "XXOOOXXO.",
        "XXOOOXXOX",
    ):
        page.clock.run_for(900)
        expect_board(page, board)
    expect(button(page, "Watch again")).to_be_visible()
    expect(page.locator("#status")).to_have_text("A draw.")
    assert query(page)["played"] == "0,4,1,2,6,3,5,7,8"


def test_a_board_is_set_up_by_hand(page: Page) -> None:
    """Clicks and keys change marks, errors cause no alert, and a valid board can be played."""
    page.goto(PERFECT)
    button(page, "Set up").click()
    radio(page, "Place", "O").check()
    cell(page, 4).click()
    expect_board(page, "....O....")
    expect(page.locator("#sentence")).to_have_text("X moves next.")
    cell(page, 4).click()
    expect_board(page, "." * 9)
    cell(page, 4).click()
    cell(page, 8).press("o")
    expect(page.locator("#sentence")).to_contain_text("Add X marks or remove O marks.")
    expect(page.get_by_role("alert")).to_have_text("")
    expect_status(page, "Set up a position.")
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
    expect_status(page, "Set up a position.")
    expect(page.get_by_role("alert")).to_have_text("")
    expect(page.get_by_text("This game began")).to_be_hidden()
    button(page, "Play from here").click()
    expect_status(page, "Your turn (X).")
    expect(page.get_by_text("This game began")).to_be_visible()
    cell(page, 1).click()
    expect_board(page, "XXO.O....")


def test_the_user_chooses_the_side_that_started_if_both_are_possible(page: Page) -> None:
    """Clear empties the board, and Cancel goes back."""
    page.goto(f"{PERFECT}&board=X...O....&set_up=true")
    radio(page, "Started", "O").check()
    expect(page.locator("#sentence")).to_have_text("O moves next.")
    button(page, "Play from here").click()
    expect_board(page, "XO..O....")
    expect_status(page, "Your turn (X).")
    button(page, "Set up").click()
    button(page, "Clear").click()
    expect_board(page, "." * 9)
    button(page, "Cancel").click()
    expect_board(page, "XO..O....")
    expect_status(page, "Your turn (X).")


def test_escape_cancels_setting_up(page: Page) -> None:
    """Escape returns to the interrupted game."""
    page.goto(f"{PERFECT}&played=0,4")
    expect_status(page, "Your turn (X).")
    button(page, "Set up").click()
    cell(page, 8).press("o")
    expect_board(page, "X...O...O")
    page.keyboard.press("Escape")
    expect_board(page, "X...O....")
    expect_status(page, "Your turn (X).")


def test_the_options_reach_the_service(page: Page) -> None:
    """The page's URL also contains the options unless they are defaults."""
    page.goto("/")
    choice(page, "Level").select_option("Easy")
    open_options(page)
    choice(page, "Among equal moves").select_option("The best trap")
    options = {"difficulty": "easy", "tie_break": "trap"}
    with page.expect_request(re.compile("difficulty=easy")) as sent:
        cell(page, 4).click()
    assert parse_qs(urlsplit(sent.value.url).query) == {
        name: [value] for name, value in {"board": "....X....", "starts": "X", **options}.items()
    }
    expect_status(page, "Your turn (X).")
    assert options.items() <= query(page).items()
    choice(page, "Level").select_option("Medium")
    assert "difficulty" not in query(page)


def test_an_invalid_part_of_the_url_is_ignored_with_a_message(page: Page) -> None:
    """After the first move the message disappears."""
    page.goto("/?difficulty=insane")
    expect_status(page, "You move first (X).")
    expect(page.locator("#sentence")).to_contain_text("Ignored: difficulty=insane.")
    cell(page, 0).click()
    expect_status(page, "Your turn (X).")
    expect(page.locator("#sentence")).not_to_contain_text("Ignored")


@pytest.mark.usefixtures("context")
def test_a_request_without_a_connection_is_reported_and_can_be_retried(page: Page) -> None:
    """The game is kept, and for half a second the page shows that it retries."""
    page.clock.install()
    page.goto(PERFECT)
    expect_status(page, "You move first (X).")
    page.clock.pause_at("2100-01-01")  # so that the page does not retry by itself
    page.route("**/best-move?**", lambda route: route.abort())
    cell(page, 0).click()
    expect_status(page, "No connection.")
    expect(page.get_by_role("alert")).to_contain_text("The service is not responding.")
    expect_board(page, "X........")
    button(page, "Try again").click()
    expect(page.locator("#status")).to_have_text("O is thinking.")
    page.clock.run_for(500)
    expect_status(page, "No connection.")
    page.unroute_all()
    button(page, "Try again").click()
    page.clock.run_for(500)
    expect_board(page, "X...O....")
    expect_status(page, "Your turn (X).")
    expect(page.get_by_role("alert")).to_have_text("")


@pytest.mark.usefixtures("context")
def test_the_page_retries_by_itself(page: Page) -> None:
    """Each wait is twice the wait before, up to ten seconds."""
    page.clock.install()
    page.goto(PERFECT)
    expect_status(page, "You move first (X).")
    page.clock.pause_at("2100-01-01")
    questions = asked(page)
    page.route("**/best-move?**", lambda route: route.abort())
    cell(page, 0).click()
    for count, seconds in enumerate((2, 4, 8, 10, 10), start=1):
        expect_status(page, "No connection.")
        page.clock.run_for(seconds * 1000 - 1)
        assert len(questions) == count
        page.clock.run_for(1)
    expect_status(page, "No connection.")
    assert len(questions) == 6
    page.unroute_all()
    page.clock.run_for(10_000)
    expect_board(page, "X...O....")


def test_the_game_goes_on_when_the_connection_is_back(page: Page, context: BrowserContext) -> None:
    """The page repeats the request by itself."""
    page.goto(PERFECT)
    expect_status(page, "You move first (X).")
    context.set_offline(offline=True)
    cell(page, 0).click()
    expect_status(page, "No connection.")
    context.set_offline(offline=False)
    expect_board(page, "X...O....")


@pytest.mark.usefixtures("context")
def test_a_page_that_is_shown_again_retries_its_request(page: Page) -> None:
    """The page retries as soon as its tab is shown, before its timer ends."""
    page.clock.install()
    page.goto(PERFECT)
    expect_status(page, "You move first (X).")
    page.clock.pause_at("2100-01-01")
    page.route("**/best-move?**", lambda route: route.abort())
    cell(page, 0).click()
    expect_status(page, "No connection.")
    page.unroute_all()
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect_board(page, "X...O....")


@pytest.mark.usefixtures("context")
def test_a_service_that_never_responds_counts_as_a_lost_connection(page: Page) -> None:
    """The page gives up after exactly twenty seconds."""
    page.clock.install()
    page.goto(PERFECT)
    expect_status(page, "You move first (X).")
    page.clock.pause_at("2100-01-01")
    page.route("**/best-move?**", lambda _: None)
    cell(page, 0).click()
    expect(page.locator("#status")).to_have_text("O is thinking.")
    page.clock.run_for(19_999)
    expect(page.locator("#status")).to_have_text("O is thinking.")
    page.clock.run_for(1)
    expect(page.locator("#status")).to_have_text("No connection.")


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
    """Another page shows the same game and options, and Undo works there too."""
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/?difficulty=perfect&tie_break=trap")
    expect_status(page, "You move first (X).")
    cell(page, 0).click()
    expect_board(page, "X...O....")
    expect_status(page, "Your turn (X).")
    widths = "buttons => buttons.map(button => button.offsetWidth)"
    before = page.locator("#playing button").evaluate_all(widths)
    button(page, "Copy link").click()
    expect(button(page, "Copied")).to_be_visible()
    assert page.locator("#playing button").evaluate_all(widths) == before
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == page.url
    assert "played=0,4" in link
    elsewhere = context.new_page()
    elsewhere.goto(link)
    expect_board(elsewhere, "X...O....")
    open_options(elsewhere)
    expect(choice(elsewhere, "Among equal moves")).to_have_value("trap")
    button(elsewhere, "Undo").click()
    expect_board(elsewhere, "." * 9)
    page.reload()
    expect_board(page, "X...O....")


@pytest.mark.usefixtures("context")
def test_if_copying_is_not_allowed_the_page_says_where_the_link_is(page: Page) -> None:
    """The page refers to the address bar."""
    page.add_init_script("navigator.clipboard.writeText = () => Promise.reject(new Error());")
    page.goto(PERFECT)
    expect_status(page, "You move first (X).")
    button(page, "Copy link").click()
    expect(button(page, "Address bar")).to_be_visible()
    expect(page.locator("#announcement")).to_have_text("Copy it from the address bar.")


def test_the_title_shows_the_status_of_the_game(page: Page) -> None:
    """Without its period, the status is part of the title."""
    page.goto("/?played=0,3,1,4,2")
    expect(page).to_have_title("You won with X · Best Move")


@pytest.mark.smoke
def test_back_and_forward_go_through_the_turns_of_the_user(page: Page) -> None:
    """Back and forward skip the oracle's turns."""
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


def test_an_outdated_request_is_aborted(page: Page) -> None:
    """A new game aborts the request, and no response changes the new game."""
    page.goto(PERFECT)
    expect_status(page, "You move first (X).")
    page.route("**/best-move?board=X........*", holding([]))
    cell(page, 0).click()
    expect(page.locator("#status")).to_have_text("O is thinking.")
    with page.expect_event("requestfailed", lambda request: "board=X........" in request.url):
        button(page, "New game").click()
    expect_board(page, "." * 9)
    expect_status(page, "You move first (X).")
    assert "played" not in query(page)


def test_the_controls_show_the_choices_of_the_url(page: Page) -> None:
    """The side that the user plays, who starts, and the side that started a board being set up."""
    page.goto("/?you=O&first=random&board=X........")
    expect(radio(page, "You play", "O")).to_be_checked()
    expect(page.locator("#first")).to_have_value("random")
    page.goto("/?set_up=true&starts=O")
    expect(page.locator("[name=starts]:checked")).to_have_value("O")
