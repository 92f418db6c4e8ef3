"""All searches: each finds the referee's score and move, in a fixed number of nodes."""

from functools import cache
from pathlib import Path
from typing import Final

import pytest

from best_move.engine import ALGORITHMS, COMPILED
from best_move.engine.position import Position
from best_move.engine.score import Scoring
from best_move.engine.search import Algorithm, Line, Search, best_line, every_line
from tests.engine.positions import ALIKE, POSITIONS, SAMPLE, grade, swapped
from tests.truth import golden, referee

NODES: Final = Path(__file__).with_name("nodes.txt")

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


def check_line(
    position: Position, line: Line, depth: int, expected: referee.Grade, scoring: Scoring
) -> None:
    """Assert that all moves of the line are legal, and that it leads to the expected grade."""
    end = position
    for move in line.moves:
        assert move in end.legal_moves
        end = end.after(move)
    assert len(line.moves) == depth or not end.legal_moves
    at_the_end = referee.grade(end.board, end.to_move, depth - len(line.moves), counts_plies=False)
    sign = 1 if end.to_move == position.to_move else -1
    result, fine = expected
    assert sign * at_the_end[0] == result
    if result == 0:
        assert sign * at_the_end[1] == fine
    elif scoring == "distance":
        assert len(line.moves) == abs(fine)


def test_every_result_agrees_with_the_referee(name: Algorithm, scoring: Scoring) -> None:
    """On every position, at every depth, the score and the lowest best move are the referee's."""
    counts_plies = scoring == "distance"
    limited = [
        (position, depth) for position in SAMPLE for depth in range(1, position.board.count("."))
    ]
    for position, depth in [*limited, *((position, 9) for position in POSITIONS)]:
        board, to_move = position.board, position.to_move
        line, _ = search(name, scoring, position, depth)
        best = referee.grade(board, to_move, depth, counts_plies=counts_plies)
        assert grade(line.score, position, scoring) == best
        grades = referee.grade_of_moves(board, to_move, depth, counts_plies=counts_plies)
        assert line.moves[:1] == tuple(move for move in grades if grades[move] == best)[:1]
        check_line(position, line, depth, best, scoring)


def test_every_move_has_the_referees_score(name: Algorithm, scoring: Scoring) -> None:
    """On every position the moves are listed best first, and equal moves by cell."""
    for position in SAMPLE:
        grades = referee.grade_of_moves(
            position.board, position.to_move, 9, counts_plies=scoring == "distance"
        )
        scores = scores_of_moves(name, scoring, position)
        assert {move: grade(score, position, scoring) for move, score in scores.items()} == grades
        assert list(scores) == sorted(scores, key=lambda move: (-scores[move], move))


@pytest.mark.skipif(not COMPILED, reason="uncompiled, only positions that X started are searched")
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


def test_searches_of_all_positions_visit_the_golden_numbers_of_nodes(
    name: Algorithm, scoring: Scoring
) -> None:
    """The nodes of all searches add up to those in nodes.txt, compiled also to each depth."""
    sums = []
    for limit in range(1, 10) if COMPILED else [9]:
        nodes = 0
        for position in POSITIONS:
            depth = limit if limit < position.board.count(".") else 9
            nodes += search(name, scoring, position, depth)[1]
        sums.append(f"{ALIKE * nodes:,}")
    rows = [line.split() for line in NODES.read_text(encoding="utf-8").splitlines()]
    (golden_sums,) = (row[2:] for row in rows if row[:2] == [name, scoring])
    assert sums == golden_sums[-len(sums) :], "Update nodes.txt."
