"""The lessons: each says what is true of its search."""

import re
from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests import referee
from tests.browser.playground import button, choice, radio
from tests.browser.search_page import drawn, expect_count, expect_step, node, numbers, sentence
from tests.readme import section

TITLES: Final = [
    *("A tree of games", "MAX and MIN", "\u03b1 and \u03b2", "The first cutoff"),
    *("Block", "Fork", "A deep cutoff", "Why order matters"),
]
INFINITY = 1_000

Order = Callable[[str, str], list[int]]


def take(page: Page, lesson: int, step: int) -> str:
    """Open a lesson, which shows a step; return what it says."""
    page.goto(f"/search?lesson={lesson}")
    expect_step(page, step)
    expect(page.locator("#lesson-title")).to_have_text(TITLES[lesson - 1])
    return page.locator("#lesson-text").inner_text().replace("\u2212", "-")


def outcomes(page: Page, *paths: str) -> list[str | None]:
    """Return the outcomes of nodes."""
    return [node(page, path).get_attribute("data-outcome") for path in paths]


def wins(board: str, mark: str) -> list[int]:
    """Return the moves by which a side would win at once."""
    return [cell for cell in referee.moves(board) if referee.has_won(referee.play(board, mark, cell), mark)]


def test_the_lessons_are_a_path(page: Page) -> None:
    """Next and Back lead through the lessons, each with three sentences and a URL; the last leads to an exercise."""
    page.goto("/search")
    for number, title in enumerate(TITLES, 1):
        expect(page.locator("#lesson-title")).to_have_text(title)
        expect(page.locator("#lesson-place")).to_have_text(f"Lesson {number} of 8")
        expect(page.locator(".path [aria-current]")).to_have_text(str(number))
        assert len(re.findall(r"\.(?: |$)", page.locator("#lesson-text").inner_text())) == 3
        if number > 1:
            assert page.url.endswith(f"?lesson={number}")
        page.get_by_role("link", name="Next" if number < 8 else "Exercise", exact=True).click()
    expect(page.locator("#predict-text")).to_be_visible()
    expect(page.locator("#lesson-text")).to_be_hidden()
    page.go_back()
    expect(page.locator("#lesson-title")).to_have_text(TITLES[7])
    page.get_by_role("link", name="Back", exact=True).click()
    expect(page.locator("#lesson-title")).to_have_text(TITLES[6])
    page.get_by_role("link", name="Lesson 2: MAX and MIN").click()
    expect(page.locator("#lesson-title")).to_have_text(TITLES[1])
    button(page, "Step back").click()
    page.wait_for_url("**?lesson=2&step=20")
    expect(page.locator("#lesson-title")).to_have_text(TITLES[1])


def test_a_tree_of_games(page: Page) -> None:
    """The tree is small and has leaves of all three scores, and the root has the moves that the lesson names."""
    text = take(page, 1, 26)
    assert "at the top, X can play 5, 6 or 7" in text
    assert referee.moves("XXOOX...O") == [5, 6, 7]
    expect_count(page, 11, 11)
    assert outcomes(page, "5,6,7", "5,7,6", "6,5") == ["win", "draw", "loss"]
    expect(page.locator("#drawing .node .grid")).to_have_count(11)


def test_max_and_min(page: Page) -> None:
    """At the step MIN keeps the lower of the two scores that the lesson names."""
    text = take(page, 2, 21)
    assert "O 5 scores -1 and O 7 scores 0, so the score of X 6 is -1" in text
    assert sentence(page) == "O 7 scores 0, a draw: no better for O than -1."
    assert outcomes(page, "6,5", "6,7") == ["loss", "draw"]
    button(page, "Step forward").click()
    expect(node(page, "6")).to_have_accessible_name("X 6: \u22121, a loss for X")


def test_alpha_and_beta(page: Page) -> None:
    """At the step the window is closed, with the numbers that the lesson names. The four terms have their meanings."""
    text = take(page, 3, 17)
    assert "\u03b1 is 0" in text
    assert "\u03b2 is -1" in text
    assert numbers(page) == "MIN (O) is to move, alpha 0 beta -1, best so far -1"
    assert "Pruned: O 7." in sentence(page)
    expect(node(page, "6,7")).to_have_attribute("data-state", "never")
    terms = page.locator("#lesson-text abbr, #moment-numbers abbr")
    assert set(terms.all_text_contents()) == {"MAX", "MIN", "\u03b1", "\u03b2"}
    assert all(terms.evaluate_all("terms => terms.map(term => term.dataset.meaning)"))
    terms.first.hover()
    assert "Alpha: " in terms.first.evaluate("term => getComputedStyle(term, '::after').content")


def test_the_first_cutoff(page: Page) -> None:
    """The step is a cutoff, there is none before it, and the counts are those of both searches."""
    text = take(page, 4, 19)
    assert "all 174 nodes, alpha-beta 42" in text
    expect_count(page, 10, 42)
    assert re.match(r"Cutoff: alpha 0 >= beta -1\. X already has a draw elsewhere; .* Pruned: O 8\.$", sentence(page))
    assert outcomes(page, "1,3,5", "1,3,7,5") == ["draw", "loss"]
    expect(node(page, "1,3,7,8")).to_have_attribute("data-state", "never")
    button(page, "Step back").click()
    expect(page.locator("#drawing .edge.cut")).to_have_count(0)


def test_block(page: Page) -> None:
    """All moves but the block lose, each to the same reply."""
    take(page, 5, 433)
    board = "XO..O...X"
    assert (wins(board, "X"), wins(board, "O")) == ([], [7])
    for move in referee.moves(board):
        expect(node(page, str(move))).to_have_attribute("data-outcome", "draw" if move == 7 else "loss")
        assert move == 7 or wins(referee.play(board, "X", move), "O") == [7]
    assert sentence(page) == "X plays 7: score 0, a draw."


def test_fork(page: Page) -> None:
    """The move makes two threats, and all scores below it, at the step that backs it up, are wins."""
    text = take(page, 6, 24)
    board = ".X.XOO.O."
    after = referee.play(board, "X", 0)
    assert (wins(board, "O"), wins(after, "X")) == ([], [2, 6])
    assert sentence(page).startswith("X 0 scores +92, a win for X")
    assert 100 - (9 - board.count(".") + 3) == 92
    assert "+92" in text
    for reply in referee.moves(after):
        expect(node(page, f"0,{reply}")).to_have_attribute("data-outcome", "win")


def test_a_deep_cutoff(page: Page) -> None:
    """The step is a cutoff by the first move's score: the position above the one cut has no score of its own yet."""
    take(page, 7, 10)
    assert "alpha +95" in numbers(page)
    assert re.match(r"Cutoff: .* X already has a win elsewhere; .* Pruned: O 8\.$", sentence(page))
    expect(node(page, "1")).to_have_accessible_name("X 1: +95, a win for X")
    assert outcomes(page, "2,1,5,6") == ["loss"]
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
    """Return the moves from worst to best."""
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
    """The numbers told are those of a search of the tests' own, and those that the page shows in each order."""
    board = "XO.X..O.."
    text = take(page, 8, 231)
    told = [int(number) for number in re.findall(r"\d+", text)]
    orders = {"Cells": in_order, "Best first": best_first, "Worst first": worst_first}
    counted = {name: visits(board, "X", order) for name, order in orders.items()}
    assert told == [visits(board, "X", in_order, prunes=False), *counted.values()]
    for name, count in counted.items():
        choice(page, "Order").select_option(label=name)
        expect_count(page, count, count)
        expect(drawn(page)).to_have_count(246)
    page.wait_for_url("**order=worst_first*")
    radio(page, "Algorithm", "Minimax").check()
    expect_count(page, 246, 246)


def test_the_links_of_the_readme_show_what_they_say(page: Page) -> None:
    """The README links to the first lesson, to a cutoff and to the questions that follow the last lesson."""
    first, cutoff, questions = re.findall(r"<http://localhost:8000([^>]+)>", section("Learn minimax").text)
    page.goto(first)
    expect(page.locator("#lesson-title")).to_have_text(TITLES[0])
    page.goto(cutoff)
    expect(page.locator("#moment-sentence")).to_contain_text("Cutoff: ")
    page.goto(questions)
    expect(page.locator("#predict-text")).to_be_visible()
    page.goto("/search?lesson=8")
    page.get_by_role("link", name="Exercise", exact=True).click()
    assert page.url.endswith(questions)


@pytest.mark.parametrize("query", ["lesson=9", "lesson=0", "lesson=x", "step=x&algorithm=table"])
def test_an_unknown_lesson_is_the_first(page: Page, query: str) -> None:
    """A URL that names no lesson and no position shows the first lesson."""
    page.goto(f"/search?{query}")
    expect(page.locator("#lesson-place")).to_have_text("Lesson 1 of 8")
    expect_step(page, 26)
