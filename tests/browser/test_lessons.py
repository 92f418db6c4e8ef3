"""The lessons on searching: each link leads to what it says."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests import referee
from tests.browser.playground import button
from tests.browser.test_accessibility import violations
from tests.browser.test_explain import drawn, moment, node

INFINITY = 1_000

Order = Callable[[str, str], list[int]]


def take(page: Page, lesson: str, board: str) -> str:
    """Follow the link of a lesson, to a board; return what it says."""
    page.goto("/search")
    page.get_by_text("Six lessons").click()
    page.get_by_role("link", name=lesson).click()
    expect(node(page, "")).to_be_visible()
    assert f"board={board}" in page.url
    expect(page.locator("#lesson")).to_contain_text(f"{lesson}: ")
    expect(page.locator("#lesson")).to_be_in_viewport()
    assert violations(page) == []
    return page.locator("#lesson").inner_text()


def wins(board: str, mark: str) -> list[int]:
    """Return the moves by which a side would win at once."""
    return [cell for cell in referee.moves(board) if referee.has_won(referee.play(board, mark, cell), mark)]


def test_win_in_one(page: Page) -> None:
    """The one move that wins is a leaf, with the score that the lesson tells."""
    board = "XX.OO.X.O"
    text = take(page, "Win in one", board)
    assert wins(board, "X") == [2]
    assert moment(page)[1] == "The game is over: +93, a win for X."
    assert 100 - len(board.replace(".", "")) - 1 == 93
    assert "93" in text
    expect(node(page, "2")).to_have_class(re.compile("at"))
    expect(page.locator("#drawing [data-path^='2,']")).to_have_count(0)


def test_block(page: Page) -> None:
    """All moves but the block come to a loss, each by the same reply."""
    board = "XO..O...X"
    take(page, "Block", board)
    assert wins(board, "X") == []
    assert wins(board, "O") == [7]
    for move in referee.moves(board):
        expect(node(page, str(move))).to_have_attribute("data-outcome", "draw" if move == 7 else "loss")
        assert move == 7 or wins(referee.play(board, "X", move), "O") == [7]
    assert moment(page)[1] == "X plays 7: 0, a draw for X."


def test_fork(page: Page) -> None:
    """The move makes two threats, and all that is known below it, at the step that backs it up, are wins."""
    board = ".X.XO..O."
    take(page, "Fork", board)
    after = referee.play(board, "X", 0)
    assert wins(board, "O") == []
    assert wins(after, "X") == [2, 6]
    assert moment(page)[1].startswith("X 0 comes to +93, a win for X")
    for reply in referee.moves(after):
        expect(node(page, f"0,{reply}")).to_have_attribute("data-outcome", "win")


def test_the_first_cut(page: Page) -> None:
    """The step is a cut, and there is none before it."""
    take(page, "The first cut", "X.O.O.X..")
    assert re.match(r"Cut: X already has a draw elsewhere; .* Never tried: 8\.$", moment(page)[1])
    expect(node(page, "1,3,5")).to_have_attribute("data-outcome", "draw")
    expect(node(page, "1,3,7,5")).to_have_attribute("data-outcome", "loss")
    expect(node(page, "1,3,7,8")).to_have_attribute("data-state", "never")
    button(page, "Back").click()
    expect(page.locator("#drawing .edge.cut")).to_have_count(0)


def test_a_deep_cut(page: Page) -> None:
    """The step is a cut by the first move's score: the position above the one cut has none of its own yet."""
    take(page, "A deep cut", "O..OX..X.")
    numbers, sentence = moment(page)
    assert "alpha +95" in numbers
    assert re.match(r"Cut: X already has a win elsewhere; .* Never tried: 8\.$", sentence)
    expect(node(page, "1")).to_have_accessible_name("X 1: win for X")
    expect(node(page, "2,1,5,6")).to_have_attribute("data-outcome", "loss")
    expect(node(page, "2,1,5,8")).to_have_attribute("data-state", "never")
    above = drawn(page, state="done").evaluate_all("nodes => nodes.map(({ dataset }) => dataset.path)")
    assert [path for path in above if re.fullmatch("2,1,.", path)] == []


def in_order(board: str, _: str) -> list[int]:
    """Return the moves by cell."""
    return referee.moves(board)


def best_first(board: str, to_move: str) -> list[int]:
    """Return the moves from best to worst."""
    reply = referee.opponent(to_move)
    grades = {
        cell: referee.grade(referee.play(board, to_move, cell), reply, 9, counts_plies=True)
        for cell in referee.moves(board)
    }
    return sorted(grades, key=lambda cell: grades[cell])


def worst_first(board: str, to_move: str) -> list[int]:
    """Return the moves in the reverse order."""
    return best_first(board, to_move)[::-1]


def visits(board: str, to_move: str, order: Order, *, prunes: bool = True) -> int:
    """Return how many positions a search visits that tries the moves in an order."""

    def search(board: str, to_move: str, alpha: int, beta: int) -> tuple[int, int]:
        reply = referee.opponent(to_move)
        if referee.is_over(board):
            return (-board.count(".") - 1 if referee.has_won(board, reply) else 0), 1
        best, nodes = -INFINITY, 1
        for cell in order(board, to_move):
            value, below = search(referee.play(board, to_move, cell), reply, -beta, -max(alpha, best))
            best, nodes = max(best, -value), nodes + below
            if prunes and best >= beta:
                break
        return best, nodes

    return search(board, to_move, -INFINITY, INFINITY)[1]


def test_why_order_matters(page: Page) -> None:
    """The numbers told are those of a search of the tests' own."""
    board = "XO.X..O.."
    text = take(page, "Why order matters", board)
    told = [int(number) for number in re.findall(r"\d+", text)]
    assert told == [
        visits(board, "X", in_order),
        visits(board, "X", in_order, prunes=False),
        visits(board, "X", best_first),
        visits(board, "X", worst_first),
    ]
    expect(page.locator("#tree-count")).to_have_text(str(told[0]))


def test_a_lesson_is_told_as_long_as_its_search_is_shown(page: Page) -> None:
    """To step on leaves what the lesson says."""
    take(page, "The first cut", "X.O.O.X..")
    button(page, "Forward").click()
    page.wait_for_url("**step=20")
    expect(page.locator("#lesson")).to_be_visible()
