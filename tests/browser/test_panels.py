"""The tabs beside the board: the explanation, the comparison, and the request as code."""

import json
import math
import re
import shutil
import subprocess
import sys

import pytest
from playwright.sync_api import BrowserContext, Page, Request, Route, expect

from best_move.engine import ALGORITHMS
from tests.browser.playground import (
    CELLS,
    PERFECT,
    ask,
    button,
    cell,
    choice,
    expect_board,
    expect_status,
    holding,
    open_tab,
    radio,
)

BOARD = "XO.X..O.."


@pytest.mark.parametrize("name", ["Play", "Explain", "Compare", "API"])
def test_the_tab_stands_in_the_address(page: Page, name: str) -> None:
    """An opened tab is open after a reload, and the others are closed."""
    page.goto("/")
    open_tab(page, name)
    page.reload()
    expect(page.get_by_role("tab", name=name)).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("tabpanel")).to_have_count(1)
    expect(page.get_by_role("tabpanel", name=name, exact=True)).to_be_visible()


def test_arrow_keys_move_between_tabs(page: Page) -> None:
    """The tabs are one stop of the Tab key; arrows, Home and End move between them and wrap around."""
    page.goto("/")
    page.get_by_role("tab", name="Play").focus()
    for key, name in (
        ("ArrowRight", "Explain"),
        ("End", "API"),
        ("ArrowRight", "Play"),
        ("ArrowLeft", "API"),
        ("Home", "Play"),
    ):
        page.keyboard.press(key)
        expect(page.get_by_role("tab", name=name, exact=True)).to_be_focused()
        expect(page.get_by_role("tabpanel", name=name, exact=True)).to_be_visible()
    expect(page.locator("[role=tab][tabindex='0']")).to_have_count(1)


def test_the_position_is_explained(page: Page, origin: str) -> None:
    """Explain shows what best play leads to and why, the line, the outcome of every move, and the cost."""
    page.goto(f"/?board={BOARD}&view=explain")
    panel = page.get_by_role("tabpanel", name="Explain")
    answer = ask(origin, board=BOARD, analysis="true")
    expect(panel).to_contain_text("X can force a win within 2 of its own moves.")
    expect(panel).to_contain_text("X plays the center and threatens to win in two places.")
    line = [
        f"{mark} {number}, {CELLS[number]}" for mark, number in zip("XOX", answer["principal_variation"], strict=True)
    ]
    for name in line:
        expect(panel.get_by_role("button", name=name, exact=True)).to_be_visible()
    words = {"win": "▲ Win in {}", "draw": "= Draw", "loss": "▼ Loss in {}"}
    told = [
        f"{words[move['outcome']].format((move['distance'] + 1) // 2)}: {move['move']}, {CELLS[move['move']]}"
        for move in answer["moves"]
    ]
    expect(panel.locator(".worths li")).to_have_text(told)
    nodes = ask(origin, board=BOARD)["nodes"]
    expect(panel).to_contain_text(f"alpha-beta visited {nodes} nodes")


def test_a_late_explanation_says_that_it_is_awaited(page: Page) -> None:
    """Until the service has responded, Explain says that the page is waiting, instead of nothing."""
    held: list[Route] = []
    page.route("**/best-move?*analysis=true*", holding(held))
    page.goto(f"/?board={BOARD}&view=explain")
    panel = page.get_by_role("tabpanel", name="Explain")
    expect(panel.get_by_text("Asking…")).to_be_visible()
    expect(page.locator("#game")).to_have_attribute("aria-busy", "true")
    held[0].continue_()
    expect(panel).to_contain_text("X can force a win")
    page.unroute_all()
    page.route("**/best-move?*analysis=true*", holding(held))
    cell(page, 2).click()
    expect(panel.get_by_text("Asking…")).to_be_visible()


def test_a_panel_that_cannot_be_loaded_says_so(page: Page, context: BrowserContext) -> None:
    """A panel opened without a connection says that it cannot be loaded, and is filled when the connection is back."""
    page.goto("/")
    expect_status(page, "You start with X.")
    context.set_offline(offline=True)
    panel = open_tab(page, "Explain")
    expect(panel).to_contain_text("This panel cannot be loaded.")
    context.set_offline(offline=False)
    expect(panel).to_contain_text("With best play by both sides, nobody wins.")


def test_the_line_is_shown_on_the_board(page: Page) -> None:
    """Pointing at a move of the line shows the board after it; the game does not change."""
    page.goto(f"/?board={BOARD}&view=explain")
    button(page, "X 5, right side").hover()
    expect_board(page, "XOOXXXO..")
    page.mouse.move(0, 0)
    expect_board(page, BOARD)
    button(page, "O 2, top-right corner").focus()
    expect_board(page, "XOOXX.O..")
    button(page, "O 2, top-right corner").blur()
    expect_board(page, BOARD)


def test_a_single_move_is_no_plural(page: Page) -> None:
    """A win on the next move is described as such."""
    page.goto("/?board=XX.OO....&view=explain")
    expect(page.get_by_role("tabpanel", name="Explain")).to_contain_text("X wins on the next move.")


def test_a_finished_game_is_explained(page: Page) -> None:
    """Explain says how a finished game ended, and leads to the position before its last move."""
    page.goto("/?played=0,4,8,1,3,7&view=explain")
    expect(page.get_by_role("tabpanel", name="Explain")).to_contain_text("The game is over: O has won.")
    button(page, "Explain the position before the last move").click()
    expect(page.get_by_role("tabpanel", name="Explain")).to_contain_text("O wins on the next move.")


def test_the_algorithms_are_compared(page: Page, origin: str) -> None:
    """The comparison shows every algorithm's nodes as the service counts them, with bars on a logarithmic scale."""
    page.goto("/?board=X...O....&to_move=X&view=compare&difficulty=easy")
    rows = page.get_by_role("table").locator("tbody tr")
    expect(page.locator("#compare-note")).to_contain_text("All find the same move, top side.")
    nodes = {name: ask(origin, board="X...O....", to_move="X", algorithm=name)["nodes"] for name in ALGORITHMS}
    assert rows.evaluate_all("rows => rows.map(row => row.dataset.algorithm)") == list(ALGORITHMS)
    expect(rows.locator(".amount")).to_have_text([f"{count:,}" for count in nodes.values()])
    most = max(nodes.values())
    shares = rows.locator(".bar").evaluate_all("bars => bars.map(bar => Number(bar.style.getPropertyValue('--share')))")
    assert shares == [pytest.approx((1 + math.log10(n)) / (1 + math.log10(most))) for n in nodes.values()]
    ratios = [f"1 in {round(most / count)}" if round(most / count) > 1 else "" for count in nodes.values()]
    expect(rows.locator(".ratio")).to_have_text(ratios)
    expect(rows.locator(".time")).to_have_text([re.compile(r"^(under 1 ms|[\d.]+ m?s)$")] * len(nodes))


def test_one_name_has_one_number(page: Page) -> None:
    """The nodes that Explain says alpha-beta visited are those that Compare shows for it."""
    page.goto("/?board=X...O....&to_move=X&view=explain")
    told = re.search(r"visited ([\d,]+) nodes", page.get_by_text("To find this").text_content() or "")
    open_tab(page, "Compare")
    expect(page.locator("[data-algorithm=alphabeta] .amount")).to_have_text(told[1] if told else "")


def test_the_comparison_follows_the_position(page: Page) -> None:
    """After a move, another depth or the back button, the rows are about the position on the board."""
    page.goto("/?you=both&view=compare")
    amount = page.locator("[data-algorithm=minimax] .amount")
    expect(amount).to_have_text("549,946")
    cell(page, 4).click()
    expect(amount).to_have_text("55,505")
    page.go_back()
    expect(amount).to_have_text("549,946")
    page.goto("/?you=both&view=compare&max_depth=1")
    expect(amount).to_have_text("10")


def test_a_late_comparison_is_dropped(page: Page) -> None:
    """Responses that arrive after the user has gone on do not fill the rows of another position."""
    held: list[Route] = []
    page.route(
        "**/best-move?*algorithm=iterative_deepening*",
        lambda route: route.continue_() if held else held.append(route),
    )
    page.goto("/?you=both&view=compare&board=XO.X..O..&to_move=X")
    expect(page.locator("#game")).to_have_attribute("aria-busy", "false")
    while not held:
        page.wait_for_timeout(20)
    cell(page, 4).click()
    expect(page.locator("#compare-note")).to_contain_text("All find the same move")
    before = page.locator("#bars").text_content()
    held[0].continue_()
    page.wait_for_timeout(200)
    assert page.locator("#bars").text_content() == before


def test_the_comparison_is_measured_each_time(page: Page) -> None:
    """Again repeats the requests without the cache, and never with a level, which would change the search."""
    questions: list[Request] = []
    page.on("request", lambda request: questions.append(request) if "algorithm=minimax" in request.url else None)
    page.goto("/?view=compare&difficulty=easy&tie_break=trap&seed=1")
    expect(page.locator("#compare-note")).to_contain_text("visited")
    with page.expect_response("**/best-move?*algorithm=iterative_deepening*"):
        button(page, "Again").click()
    assert [question.all_headers().get("cache-control") for question in questions] == ["no-cache"] * 2
    assert not [question.url for question in questions if re.search("difficulty|tie_break|seed", question.url)]


def answered(move: int | None, elapsed_ms: float) -> str:
    """Return the part of a response that the comparison reads."""
    position = {"board": "." * 9, "to_move": "X", "status": "in_progress", "winning_line": []}
    return json.dumps({"move": move, "nodes": 9, "elapsed_ms": elapsed_ms, "position": position})


@pytest.mark.parametrize(
    ("elapsed_ms", "shown"), [(1500, "1.50 s"), (12.3, "12 ms"), (1.26, "1.3 ms"), (0.9, "under 1 ms")]
)
def test_times_are_short(page: Page, elapsed_ms: float, shown: str) -> None:
    """A time has only significant digits."""
    page.route("**/best-move?*algorithm=*", lambda route: route.fulfill(body=answered(0, elapsed_ms)))
    page.goto("/?view=compare")
    expect(page.locator(".time").first).to_have_text(shown)
    expect(page.locator("#compare-note")).to_contain_text("Each visited as many nodes.")


def test_other_moves_are_told(page: Page) -> None:
    """If the algorithms return different moves, the note says so."""
    moves = iter(range(9))
    page.route("**/best-move?*algorithm=*", lambda route: route.fulfill(body=answered(next(moves), 1)))
    page.goto("/?view=compare")
    expect(page.locator("#compare-note")).to_contain_text("Their moves differ")


def test_a_finished_game_is_compared(page: Page) -> None:
    """On a finished board every algorithm visits one node, and the note says why."""
    page.goto("/?board=XX.OOO.X.&view=compare")
    expect(page.locator("#compare-note")).to_have_text("The game is over: there is one node to visit.")


def test_a_comparison_without_a_connection_says_so(page: Page, context: BrowserContext) -> None:
    """A comparison that fails leaves the rows empty and says why."""
    page.goto("/?view=compare")
    expect(page.locator("#compare-note")).to_contain_text("All find the same move")
    context.set_offline(offline=True)
    button(page, "Again").click()
    expect(page.locator("#compare-note")).to_contain_text("The service is not responding.")
    expect(page.locator("#bars .amount")).to_have_text(["\N{EN DASH}"] * len(ALGORITHMS))


def test_the_call_can_be_taken_away(page: Page, origin: str) -> None:
    """The curl line, the Python and the JavaScript run unchanged and get the response that the page shows."""
    page.goto("/?board=X...O....&to_move=X&algorithm=minimax&view=api")
    code, shown = page.locator("#code"), page.locator("#json")
    answer = ask(origin, board="X...O....", to_move="X", algorithm="minimax")
    timeless = {"elapsed_ms": 0}
    line = f"curl '{origin}/best-move?board=X...O....&to_move=X&algorithm=minimax'"
    variation = ", ".join(map(str, answer["principal_variation"]))
    expect(code).to_have_text(line)
    expect(shown).to_contain_text(f'"principal_variation": [{variation}]')
    assert {**json.loads(shown.text_content() or ""), **timeless} == {**answer, **timeless}
    if shutil.which("curl"):
        sent = subprocess.run(["sh", "-c", line], capture_output=True, check=True)  # noqa: S607, any sh will do
        assert {**json.loads(sent.stdout), **timeless} == {**answer, **timeless}

    page.get_by_label("Python").check()
    expect(code).to_contain_text("import json")
    printed = subprocess.run([sys.executable, "-c", code.text_content() or ""], capture_output=True, check=True)
    assert json.loads(printed.stdout) == answer["move"]

    page.get_by_label("JavaScript").check()
    expect(code).to_contain_text("console.log")
    script = (code.text_content() or "").replace("console.log", "return ")
    assert page.evaluate(f"(async () => {{ {script} }})()") == answer["move"]


def test_the_oracles_own_call_can_be_taken_away(page: Page) -> None:
    """After a reply its request is shown too, with its level."""
    page.goto(f"{PERFECT}&view=api")
    expect(page.get_by_label("The oracle's last move")).to_be_disabled()
    expect_status(page, "You start with X.")
    cell(page, 0).click()
    expect_status(page, "Your turn with X.")
    page.get_by_label("The oracle's last move").check()
    expect(page.locator("#code")).to_contain_text("board=X........&to_move=O&difficulty=perfect")
    expect(page.get_by_role("link", name="SVG")).to_have_attribute("href", "board.svg?board=X........")
    button(page, "Undo").click()
    expect(page.get_by_label("The oracle's last move")).to_be_disabled()
    expect(page.get_by_label("The oracle's last move")).not_to_be_checked()
    expect(page.locator("#code")).to_contain_text("board=.........&to_move=X'")


@pytest.mark.parametrize("allowed", [True, False], ids=["allowed", "refused"])
def test_the_call_is_copied(page: Page, context: BrowserContext, *, allowed: bool) -> None:
    """Copy copies the code, or selects it if copying is not allowed, and says which."""
    if allowed:
        context.grant_permissions(["clipboard-read", "clipboard-write"])
    else:
        page.add_init_script("navigator.clipboard.writeText = () => Promise.reject(new Error());")
    page.goto("/?view=api")
    expect(page.locator("#code")).to_contain_text("curl")
    button(page, "Copy").click()
    expect(page.locator("#copied")).to_have_text("Copied." if allowed else "Selected. Press Ctrl+C or ⌘C.")
    copied = page.evaluate("navigator.clipboard.readText()" if allowed else "getSelection().toString()")
    assert copied == page.locator("#code").text_content()


@pytest.mark.parametrize(
    ("name", "board", "worths"),
    [
        ("Only one move wins", "XO.X..O..", {"▲": 1, "=": 1, "▼": 3}),
        ("A trap", "X........", {"=": 1, "▼": 7}),
    ],
)
def test_a_new_game_offers_positions_worth_a_look(page: Page, name: str, board: str, worths: dict[str, int]) -> None:
    """The text beside a link is true of the board it leads to: how many moves win, draw and lose."""
    page.goto("/")
    page.get_by_role("link", name=name, exact=True).click()
    expect_board(page, board)
    if button(page, "Hints").get_attribute("aria-pressed") == "false":
        button(page, "Hints").click()
    for worth in "▲=▼":
        expect(page.locator(f".cell[data-worth='{worth}']")).to_have_count(worths.get(worth, 0))


def test_a_new_game_offers_the_search_and_a_game_to_watch(page: Page) -> None:
    """One link leads to the drawing of a search, another to perfect players on both sides."""
    page.goto("/")
    page.get_by_role("link", name="The search, drawn").click()
    expect(page.get_by_role("treeitem")).to_have_count(174)
    page.goto("/")
    page.get_by_role("link", name="The oracle against itself").click()
    expect(radio(page, "You play", "Nobody")).to_be_checked()
    expect(choice(page, "Level")).to_have_value("perfect")
