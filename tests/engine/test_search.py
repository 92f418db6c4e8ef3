"""All searches: each finds the referee's score and move, in a fixed number of nodes."""

from functools import cache
from pathlib import Path
from typing import Final

import pytest

from best_move.engine import ALGORITHMS, COMPILED
from best_move.engine.position import Position
from best_move.engine.score import Scoring
from best_move.engine.search import Algorithm, Line, Search, best_line, every_line
from tests.engine.positions import POSITIONS, grade, swapped
from tests.truth import golden, referee

NODES: Final = Path(__file__).with_name("nodes.txt")
#  The positions that the referee judges; with the sides swapped, the others get the same searches.
STARTED_BY_X: Final = [position for position in POSITIONS if position.starts == "X"]

#  The scope groups the tests by algorithm and scoring, so that they share `search`.
pytestmark = [
    pytest.mark.parametrize("name", ALGORITHMS, scope="module"),
    pytest.mark.parametrize("scoring", ["distance", "outcome"], scope="module"),
]


@cache
def search(
    name: Algorithm, scoring: Scoring, position: Position, depth: int = 9
) -> tuple[Line, int]:
    """Return the best line and the number of nodes visited."""
    record = Search(scoring)
    return best_line(ALGORITHMS[name], record, position, depth), int(record.nodes)


@cache
def scores_of_moves(name: Algorithm, scoring: Scoring, position: Position) -> dict[int, int]:
    """Return the score of each legal move, in the order of `every_line`."""
    return {
        line.moves[0]: line.score
        for line in every_line(ALGORITHMS[name], Search(scoring), position, 9)
    }


def test_every_result_agrees_with_the_referee(name: Algorithm, scoring: Scoring) -> None:
    """At every depth the score, the lowest best move and the end of the line are the referee's."""
    counts_plies = scoring == "distance"
    for position in STARTED_BY_X:
        board, to_move = position.board, position.to_move
        for depth in {*range(1, board.count(".")), 9}:
            line, _ = search(name, scoring, position, depth)
            grades = referee.grade_of_moves(board, to_move, depth, counts_plies=counts_plies)
            best = referee.grade(board, to_move, depth, counts_plies=counts_plies)
            assert grade(line.score, position, scoring) == best
            assert line.moves[:1] == tuple(move for move in grades if grades[move] == best)[:1]
            result, fine = best
            end = position
            for move in line.moves:
                assert move in end.legal_moves
                end = end.after(move)
            rest = depth - len(line.moves)
            assert rest == 0 or not end.legal_moves
            end_result, end_fine = referee.grade(end.board, end.to_move, rest, counts_plies=False)
            sign = 1 if end.to_move == to_move else -1
            assert sign * end_result == result
            if result == 0:
                assert sign * end_fine == fine
            elif counts_plies:
                assert len(line.moves) == abs(fine)


def test_every_move_has_the_referees_score(name: Algorithm, scoring: Scoring) -> None:
    """The moves are listed best first, and equal moves by cell."""
    for position in STARTED_BY_X:
        grades = referee.grade_of_moves(
            position.board, position.to_move, 9, counts_plies=scoring == "distance"
        )
        scores = scores_of_moves(name, scoring, position)
        assert {move: grade(score, position, scoring) for move, score in scores.items()} == grades
        assert list(scores) == sorted(scores, key=lambda move: (-scores[move], move))


def test_swapping_sides_changes_neither_the_line_nor_the_nodes(
    name: Algorithm, scoring: Scoring
) -> None:
    """With X and O swapped, the search finds the same line and visits the same number of nodes."""
    for position in POSITIONS:
        assert search(name, scoring, swapped(position)) == search(name, scoring, position)


def test_a_search_of_the_empty_board_visits_the_golden_number_of_nodes(
    name: Algorithm, scoring: Scoring
) -> None:
    """The search finds that the empty board is a draw, with cell 0 as the first best move."""
    line, nodes = search(name, scoring, Position.parse("." * 9))
    assert nodes == golden.NODES.get((name, scoring)), "Update `NODES` in golden.py."
    assert (line.score, line.moves[0]) == (0, 0)


@pytest.mark.skipif(not COMPILED, reason="uncompiled, only some positions are searched")
def test_searches_of_all_positions_visit_the_golden_numbers_of_nodes(
    name: Algorithm, scoring: Scoring
) -> None:
    """The nodes of all searches to each depth add up to those in nodes.txt."""
    sums = []
    for limit in range(1, 10):
        nodes = 0
        for position in POSITIONS:
            depth = limit if limit < position.board.count(".") else 9
            nodes += search(name, scoring, position, depth)[1]
        sums.append(f"{nodes:,}")
    rows = [line.split() for line in NODES.read_text(encoding="utf-8").splitlines()]
    (golden_sums,) = (row[2:] for row in rows if row[:2] == [name, scoring])
    assert sums == golden_sums, "Update nodes.txt."
