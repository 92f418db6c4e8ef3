"""Iterative deepening goes no deeper than the answer needs, and finds nothing twice."""

import pytest

from service.engine.iterative_deepening import best_of, is_settled, iterative_deepening
from service.engine.position import Position
from service.engine.score import Scoring
from service.engine.search import Search, best_line
from service.engine.transposition_table import Table, transposition_table
from tests import golden
from tests.engine.positions import EVERY_POSITION


def nodes(board: str, scoring: Scoring, depth: int = 9) -> int:
    """Return the nodes that iterative deepening visits."""
    search = Search(scoring)
    best_line(iterative_deepening, search, Position.parse(board), depth)
    return int(search.nodes)


def test_what_one_horizon_found_spares_the_next_ones_nodes() -> None:
    """One ply deep it visits what a single search does; from there on less than a search to each depth in turn."""
    separate = Search("distance")
    transposition_table(separate, 0, 0, 1)
    assert nodes("." * 9, "distance", 1) == separate.nodes
    for depth in range(2, 10):
        transposition_table(separate, 0, 0, depth)
        assert nodes("." * 9, "distance", depth) < separate.nodes


def test_it_pays_where_a_short_line_decides() -> None:
    """On the golden numbers of unfinished positions it visits fewer nodes than the table search, and more."""
    fewer = more = 0
    for position in EVERY_POSITION:
        if position.status == "in_progress":
            at_once, deepening = Search("distance"), Search("distance")
            best_line(transposition_table, at_once, position, 9)
            best_line(iterative_deepening, deepening, position, 9)
            fewer += deepening.nodes < at_once.nodes
            more += deepening.nodes > at_once.nodes
    assert (fewer, more) == (golden.FEWER_NODES_BY_DEEPENING, golden.MORE_NODES_BY_DEEPENING)


@pytest.mark.parametrize("scoring", ["distance", "outcome"])
def test_the_move_tried_first_changes_nothing_but_the_nodes(scoring: Scoring) -> None:
    """Whichever move the root tries first, it finds the same score and the lowest best move."""
    for position in EVERY_POSITION[::5]:
        own, opponent = position.own, position.opponent
        expected = best_line(transposition_table, Search(scoring), position, 9)
        for first in position.legal_moves:
            score, move = best_of(Table(Search(scoring)), own, opponent, 9, 1 << first)
            assert (score, int(move).bit_length() - 1) == (expected.score, expected.moves[0])


def test_it_stops_at_the_first_win() -> None:
    """A win in one is found one ply deep: the root and its moves up to the win are all it visits."""
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
    ids=["win", "loss", "win of any length", "loss of any length", "balance", "estimate"],
)
def test_only_what_no_deeper_search_can_change_is_settled(score: int, scoring: Scoring, settled: bool) -> None:  # noqa: FBT001, a column of the table
    """A decided score is settled, save a win that counts no plies: another may begin on a lower cell."""
    assert is_settled(Search(scoring), score) is settled
