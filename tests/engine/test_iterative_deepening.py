"""Iterative deepening: its result, its nodes, and the depth at which it stops."""

import pytest

from best_move.engine.iterative_deepening import best_of, is_settled, iterative_deepening
from best_move.engine.position import Position
from best_move.engine.score import Scoring
from best_move.engine.search import Search, best_line
from best_move.engine.transposition_table import Table, transposition_table
from tests.engine.positions import ALIKE, POSITIONS
from tests.truth import golden


def nodes(board: str, scoring: Scoring, depth: int = 9) -> int:
    """Return the number of nodes that iterative deepening visits."""
    search = Search(scoring)
    best_line(iterative_deepening, search, Position.parse(board), depth)
    return int(search.nodes)


def test_iterative_deepening_visits_fewer_nodes_than_separate_searches() -> None:
    """On the empty board, deepening to d > 1 visits fewer nodes than searches to 1 … d."""
    separate = Search("distance")
    transposition_table(separate, 0, 0, 1)
    assert nodes("." * 9, "distance", 1) == separate.nodes
    for depth in range(2, 10):
        transposition_table(separate, 0, 0, depth)
        assert nodes("." * 9, "distance", depth) < separate.nodes


def test_iterative_deepening_saves_nodes_on_the_known_number_of_positions() -> None:
    """Deepening visits fewer nodes than one search on 4,356 positions, and more on 4,020."""
    fewer = more = 0
    for position in POSITIONS:
        if position.status == "in_progress":
            at_once, deepening = Search("distance"), Search("distance")
            best_line(transposition_table, at_once, position, 9)
            best_line(iterative_deepening, deepening, position, 9)
            fewer += deepening.nodes < at_once.nodes
            more += deepening.nodes > at_once.nodes
    assert (ALIKE * fewer, ALIKE * more) == (
        golden.FEWER_NODES_BY_DEEPENING,
        golden.MORE_NODES_BY_DEEPENING,
    )


@pytest.mark.parametrize("scoring", ["distance", "outcome"])
def test_the_move_tried_first_changes_neither_score_nor_best_move(scoring: Scoring) -> None:
    """Whichever move the root tries first, the search finds the same score and lowest best move."""
    for position in POSITIONS[::5]:
        own, opponent = position.own, position.opponent
        expected = best_line(transposition_table, Search(scoring), position, 9)
        for first in position.legal_moves:
            score, move = best_of(Table(Search(scoring)), own, opponent, 9, 1 << first)
            assert (score, int(move).bit_length() - 1) == (expected.score, expected.moves[0])


def test_iterative_deepening_stops_at_the_first_win() -> None:
    """A win in one move is found at depth 1: only the root and its five moves are visited."""
    assert nodes("XX.OO....", "distance") == 1 + 5


@pytest.mark.parametrize(
    ("score", "scoring", "settled"),
    [
        (91, "distance", True),
        (-91, "distance", True),
        (100, "outcome", False),
        (-100, "outcome", True),
        (0, "distance", False),
        (32, "distance", False),
    ],
    ids=["win", "loss", "win of any length", "loss of any length", "draw", "estimate"],
)
def test_a_result_is_settled_if_no_deeper_search_can_change_it(
    score: int,
    scoring: Scoring,
    settled: bool,  # noqa: FBT001, a column of the table
) -> None:
    """A decided score is settled, except a win if plies do not count."""
    assert is_settled(Search(scoring), score) is settled
