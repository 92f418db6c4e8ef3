"""The playground: a person plays, sets up, compares, shares, loses the connection, and takes the call away."""

import json
import re
import shutil
import subprocess
import sys
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit
from urllib.request import urlopen

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.browser.playground import CELLS, button, cell, choice, expect_board, expect_status, radio


def ask(origin: str, **question: str) -> dict[str, Any]:
    """Ask the service itself."""
    with urlopen(f"{origin}/best-move?{urlencode(question)}") as response:  # noqa: S310, the address is the tests' own
        answer: dict[str, Any] = json.load(response)
    return answer


def query(page: Page) -> dict[str, str]:
    """Return what the address of the page says."""
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def test_a_whole_game_is_lost(page: Page) -> None:
    """A person who plays badly loses; the end is said and announced, its line is highlighted, and no move is left."""
    page.goto("/")
    expect_status(page, "Your move with X.")
    for number, board in ((0, "X...O...."), (8, "XO..O...X")):
        cell(page, number).click()
        expect_board(page, board)
        expect_status(page, "Your move with X.")
    cell(page, 3).click()
    expect_board(page, "XO.XO..OX")
    expect_status(page, "The oracle has won with O.")
    for number in range(9):
        expect(cell(page, number)).to_be_disabled()
        if number in (1, 4, 7):
            expect(cell(page, number)).to_have_accessible_name(re.compile("winning line"))
            expect(cell(page, number)).to_contain_class("winning")
    expect(page.locator(".winning")).to_have_count(3)
    announced = page.get_by_role("status").filter(has_text="The line is top center, center, bottom center.")
    expect(announced).to_contain_text("The oracle plays bottom center.")
    expect(announced).to_contain_text("The oracle has won with O.")


def test_the_best_move_draws(page: Page) -> None:
    """A person who lets the oracle move draws against it."""
    page.goto("/")
    for _ in range(5):
        expect(button(page, "Play best move")).to_be_enabled()
        button(page, "Play best move").click()
    expect_status(page, "A draw.")
    expect_board(page, "XXOOOXXOX")
    expect(button(page, "Play best move")).to_be_disabled()


@pytest.mark.parametrize(
    ("you", "first", "board"),
    [("X", "X", "."), ("X", "O", "O"), ("O", "X", "X"), ("O", "O", "."), ("Both", "O", ".")],
)
def test_either_side_starts(page: Page, you: str, first: str, board: str) -> None:
    """Whoever plays X, either side may start: the oracle moves at once where the first move is its own."""
    page.goto("/")
    radio(page, "You play", you).check()
    button(page, f"{first} first").click()
    expect_board(page, board + "." * 8)
    to_move = first if board == "." else {"X": "O", "O": "X"}[first]
    expect_status(page, f"{to_move} to move." if you == "Both" else f"Your move with {to_move}.")


def test_one_person_plays_both_sides(page: Page) -> None:
    """Playing both sides, each click places the next mark and the oracle only advises."""
    page.goto("/?you=both")
    for number, board in ((4, "....X...."), (0, "O...X...."), (8, "O...X...X")):
        cell(page, number).click()
        expect_board(page, board)
    expect_status(page, "O to move.")


def test_a_move_is_taken_back(page: Page) -> None:
    """Undo takes back the person's last move and the reply to it, down to the start, and is then disabled."""
    page.goto("/")
    expect(button(page, "Undo")).to_be_disabled()
    for number in (0, 8):
        expect_status(page, "Your move with X.")
        cell(page, number).click()
    expect_board(page, "XO..O...X")
    button(page, "Undo").click()
    expect_board(page, "X...O....")
    button(page, "Undo").click()
    expect_board(page, "." * 9)
    expect(button(page, "Undo")).to_be_disabled()


def test_a_cell_shows_what_it_is_worth(page: Page, origin: str) -> None:
    """Every empty cell shows the outcome, value and distance that the analysis gives, and the best move stands out."""
    page.goto("/?board=X...O...X&to_move=O&you=O")
    answer = ask(origin, board="X...O...X", to_move="O", analysis="true")
    signs = {1: "+1", 0: "0", -1: "\N{MINUS SIGN}1"}
    for move in answer["moves"]:
        plies = "1 ply" if move["distance"] == 1 else f"{move['distance']} plies"
        shown = f"{move['outcome'].capitalize()}{signs[move['value']]} · {plies}"
        expect(cell(page, move["move"]).locator(".worth")).to_have_text(shown)
    expect(cell(page, answer["move"])).to_have_accessible_name(re.compile("best move"))
    expect(page.locator(".best")).to_have_count(1)
    page.get_by_label("Show what each cell is worth").uncheck()
    expect(page.locator(".best")).to_have_count(0)
    expect(cell(page, answer["move"]).locator(".worth")).to_have_text("")


def test_the_oracle_explains_itself(page: Page, origin: str) -> None:
    """The reasons of the reply and of the advice stand in the service's words, with the figures and the line."""
    page.goto("/")
    cell(page, 0).click()
    expect_board(page, "X...O....")
    reply = ask(origin, board="X........", to_move="O")
    advice = ask(origin, board="X...O....", to_move="X", analysis="true")
    expect(page.locator("#reply")).to_have_text(f"Its move {reply['text']}")
    expect(page.locator("#advice")).to_have_text(f"Your move {advice['text']}")
    expect(page.locator("#nodes")).to_have_text(f"{advice['nodes']:,}")
    expect(page.locator("#outcome")).to_have_text(f"Draw in {advice['distance']} plies")
    expect(page.locator("#time")).to_have_text(re.compile(r"^[\d.]+ ms$"))
    line = [
        f"{mark} {number}{mark} {CELLS[number]}"
        for mark, number in zip("XOXOXOX", advice["principal_variation"], strict=True)
    ]
    expect(page.get_by_role("list", name="Best line").get_by_role("listitem")).to_have_text(line)


def test_an_estimate_is_shown_as_one(page: Page) -> None:
    """At a horizon the cells and the verdict say that the value is an estimate."""
    page.goto("/?max_depth=2")
    expect(cell(page, 4).locator(".worth")).to_have_text(re.compile(r"^Estimate≈ "))
    expect(page.locator("#outcome")).to_have_text("Estimate")
    expect(page.get_by_label("Depth")).to_have_value("2")


def test_a_board_is_set_up_by_hand(page: Page) -> None:
    """Clicks change the cells, the service says at once what is wrong, and play goes on from what it accepts."""
    page.goto("/")
    button(page, "Set up").click()
    cell(page, 4).click()
    cell(page, 4).click()
    expect_board(page, "....O....")
    cell(page, 1).click()
    cell(page, 1).click()
    cell(page, 1).click()
    expect_board(page, "....O....")
    cell(page, 8).press("o")
    expect(page.get_by_role("alert")).to_contain_text("Add marks of X or remove marks of O.")
    button(page, "Play from here").click()
    expect_status(page, "Illegal position.")
    cell(page, 0).press("x")
    expect_status(page, "Set up a position.")
    button(page, "Play from here").click()
    expect_board(page, "X...O...O")
    expect_status(page, "Your move with X.")
    cell(page, 1).click()
    expect_board(page, "XXO.O...O")


def test_the_side_to_move_is_set_up(page: Page) -> None:
    """Where either side could be to move, the person says which; Clear empties the board."""
    page.goto("/?board=X...O....&set_up=true")
    radio(page, "To move", "O").check()
    button(page, "Play from here").click()
    expect_board(page, "XO..O....")
    button(page, "Set up").click()
    button(page, "Clear").click()
    expect_board(page, "." * 9)


def test_the_options_reach_the_service(page: Page, origin: str) -> None:
    """The oracle moves as the options ask, all of them stand in the address, and a default leaves it."""
    page.goto("/")
    choice(page, "Difficulty").select_option("Easy")
    choice(page, "Equal moves").select_option("Random")
    choice(page, "Algorithm").select_option("Transposition table")
    choice(page, "Scoring").select_option("Outcome")
    page.get_by_label("Seed").fill("7")
    page.get_by_label("Seed").press("Enter")
    page.get_by_label("Depth").press("ArrowLeft")
    options = {
        "difficulty": "easy",
        "tie_break": "random",
        "algorithm": "transposition_table",
        "scoring": "outcome",
        "max_depth": "8",
        "seed": "7",
    }
    with page.expect_request(re.compile("difficulty=easy")) as asked:
        cell(page, 4).click()
    assert parse_qs(urlsplit(asked.value.url).query) == {
        name: [value] for name, value in {"board": "....X....", "to_move": "O", **options}.items()
    }
    answer = ask(origin, board="....X....", to_move="O", **options)
    expect_board(page, answer["after"]["board"])
    expect_status(page, "Your move with X.")
    assert options.items() <= query(page).items()
    choice(page, "Difficulty").select_option("Perfect")
    assert "difficulty" not in query(page)


def test_the_choices_are_the_contracts(page: Page, origin: str) -> None:
    """The choices on offer are those that the contract lists, in its order."""
    page.goto("/")
    expect_status(page, "Your move with X.")
    with urlopen(f"{origin}/openapi.json") as response:  # noqa: S310, the address is the tests' own
        schemas = json.load(response)["components"]["schemas"]
    named = {"difficulty": "Difficulty", "tie_break": "TieBreak", "algorithm": "Algorithm", "scoring": "Scoring"}
    for name, schema in named.items():
        options = page.locator(f"select[name={name}] option")
        assert options.evaluate_all("options => options.map(option => option.value)") == schemas[schema]["enum"]


def test_the_algorithms_are_compared(page: Page, origin: str) -> None:
    """Every algorithm is run on the position; its row has the nodes that it visits, and bars as long as they count."""
    page.goto("/?board=X...O....&to_move=X")
    expect_status(page, "Your move with X.")
    button(page, "Compare").click()
    expect(page.locator("#compare-note")).to_have_text("All find the same move, top center. Only the cost differs.")
    rows = page.get_by_role("table", name="Compare the algorithms").locator("tbody tr")
    nodes = {}
    for row in rows.all():
        algorithm = row.get_attribute("data-algorithm")
        assert algorithm
        nodes[algorithm] = ask(origin, board="X...O....", to_move="X", algorithm=algorithm)["nodes"]
        expect(row.locator(".amount")).to_have_text([f"{nodes[algorithm]:,}", re.compile(r"^[\d.]+ ms$")])
    assert len(nodes) == 4
    bars = rows.locator("td:nth-child(2) .bar")
    shares = bars.evaluate_all("bars => bars.map(bar => Number(bar.style.getPropertyValue('--share')))")
    assert shares == [pytest.approx(count / max(nodes.values())) for count in nodes.values()]
    cell(page, 1).click()
    expect(rows.locator(".amount")).to_have_text(["\N{EN DASH}"] * 8)


def test_the_first_move_is_measured(page: Page) -> None:
    """The published table of the first move is measured again, here and now."""
    page.goto("/")
    button(page, "Measure").click()
    table = page.get_by_role("table", name="The first move, then and now")
    expect(table).to_contain_text("4.57\N{EN DASH}5.34 s")
    expect(table.locator("td:last-child")).to_have_text(
        [re.compile(r"^[\d.]+ m?s$"), re.compile(r"^[\d.]+ m?s$"), re.compile(r"^\d+ times$")]
    )


def test_the_call_can_be_taken_away(page: Page, origin: str) -> None:
    """The curl line, the Python and the JavaScript run as they stand and get the answer that the page shows."""
    page.goto("/?board=X...O....&to_move=X&algorithm=minimax")
    expect_status(page, "Your move with X.")
    code, shown = (
        page.get_by_role("region", name="The call", exact=True),
        page.get_by_role("region", name="The answer", exact=True),
    )
    answer = ask(origin, board="X...O....", to_move="X", algorithm="minimax", analysis="true")
    timeless = {"elapsed_ms": 0}
    assert {**json.loads(shown.text_content() or ""), **timeless} == {**answer, **timeless}

    line = code.text_content() or ""
    assert line == f"curl '{origin}/best-move?board=X...O....&to_move=X&algorithm=minimax&analysis=true'"
    if shutil.which("curl"):
        sent = subprocess.run(["sh", "-c", line], capture_output=True, check=True)  # noqa: S607, any sh will do
        assert {**json.loads(sent.stdout), **timeless} == {**answer, **timeless}

    page.get_by_label("Python").check()
    printed = subprocess.run([sys.executable, "-c", code.text_content() or ""], capture_output=True, check=True)
    assert json.loads(printed.stdout) == answer["move"]

    page.get_by_label("JavaScript").check()
    script = (code.text_content() or "").replace("console.log", "return ")
    assert page.evaluate(f"(async () => {{ {script} }})()") == answer["move"]


def test_the_call_is_copied(page: Page, context: BrowserContext) -> None:
    """Copy puts the call on the clipboard, and says so."""
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/")
    expect_status(page, "Your move with X.")
    button(page, "Copy").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    code = page.get_by_role("region", name="The call", exact=True)
    assert page.evaluate("navigator.clipboard.readText()") == code.text_content()


@pytest.mark.parametrize(
    "question",
    [
        {"board": "XX......."},
        {"board": "X...Q...."},
        {"board": "X........", "to_move": "X"},
        {"algorithm": "guess"},
    ],
    ids=lambda question: " ".join(question.values()),
)
def test_a_problem_is_shown_in_the_services_words(page: Page, question: dict[str, str]) -> None:
    """A question that the service refuses is shown with the title and detail of its problem."""
    with page.expect_response("**/best-move?**") as asked:
        page.goto(f"/?{urlencode(question)}")
    problem = asked.value.json()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text(problem["title"])
    expect(alert).to_contain_text(problem["detail"])
    expect(alert).to_contain_text(problem["code"])
    expect(button(page, "Try again")).to_have_count(0)
    button(page, "X first").click()
    choice(page, "Algorithm").select_option("Alpha-beta")
    expect_status(page, "Your move with X.")
    expect(alert).to_have_text("")


def test_a_lost_connection_is_said_and_mended(page: Page, context: BrowserContext) -> None:
    """Without a connection the page says so and keeps the game; once it is back, trying again goes on."""
    page.goto("/")
    expect_status(page, "Your move with X.")
    context.set_offline(offline=True)
    cell(page, 0).click()
    expect_status(page, "No connection.")
    expect(page.get_by_role("alert")).to_contain_text("The service does not answer.")
    expect_board(page, "X........")
    button(page, "Compare").click()
    expect(page.locator("#compare-note")).to_contain_text("The service does not answer.")
    context.set_offline(offline=False)
    button(page, "Try again").click()
    expect_board(page, "X...O....")
    expect_status(page, "Your move with X.")
    expect(page.get_by_role("alert")).to_have_text("")


def test_an_answer_of_something_else_is_said(page: Page) -> None:
    """An answer that is none of the service's is told from a lost connection."""
    page.route("**/best-move?**", lambda route: route.fulfill(status=502, body="<h1>Bad gateway</h1>"))
    page.goto("/")
    expect(page.get_by_role("alert")).to_contain_text("Something between this page and the service failed.")
    page.unroute("**/best-move?**")
    button(page, "Try again").click()
    expect_status(page, "Your move with X.")


def test_a_game_is_shared(page: Page, context: BrowserContext) -> None:
    """The address opened elsewhere shows the same game with the same options, and takes moves back too."""
    page.goto("/")
    choice(page, "Algorithm").select_option("Minimax")
    cell(page, 0).click()
    expect_board(page, "X...O....")
    expect_status(page, "Your move with X.")
    elsewhere = context.new_page()
    elsewhere.goto(page.url)
    expect_board(elsewhere, "X...O....")
    expect(choice(elsewhere, "Algorithm")).to_have_value("minimax")
    button(elsewhere, "Undo").click()
    expect_board(elsewhere, "." * 9)
    page.reload()
    expect_board(page, "X...O....")


def test_the_back_button_goes_back(page: Page) -> None:
    """Back and forward go through the positions at which the person had the move."""
    page.goto("/")
    for number, board in ((0, "X...O...."), (8, "XO..O...X")):
        expect_status(page, "Your move with X.")
        cell(page, number).click()
        expect_board(page, board)
    page.go_back()
    expect_board(page, "X...O....")
    page.go_back()
    expect_board(page, "." * 9)
    page.go_forward()
    expect_board(page, "X...O....")


def test_only_the_latest_question_counts(page: Page) -> None:
    """An answer that comes after the person has gone on is not played."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.goto("/")
    expect_status(page, "Your move with X.")
    page.route("**/best-move?board=X........*", hold)
    cell(page, 0).click()
    expect(page.locator("#status")).to_have_text("The oracle is thinking.")
    button(page, "Undo").click()
    expect_status(page, "Your move with X.")
    with page.expect_event("requestfinished"):
        held[0].continue_()
    expect_board(page, "." * 9)
    assert query(page) == {}
