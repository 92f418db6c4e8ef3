"""Iterative deepening goes no deeper than the answer needs."""

import pytest

from service.engine.iterative_deepening import is_settled, iterative_deepening
from service.engine.position import Position
from service.engine.score import Scoring
from service.engine.search import Search, best_line
from service.engine.transposition_table import transposition_table


def nodes(board: str, scoring: Scoring, depth: int = 9) -> int:
    """Return the nodes that iterative deepening visits."""
    search = Search(scoring)
    best_line(iterative_deepening, search, Position.parse(board), depth)
    return int(search.nodes)


@pytest.mark.parametrize("depth", range(1, 10))
def test_its_nodes_are_those_of_every_horizon(depth: int) -> None:
    """Where no horizon settles the answer, the nodes are those of a search to each depth in turn."""
    search = Search("distance")
    for horizon in range(1, depth + 1):
        transposition_table(search, 0, 0, horizon)
    assert nodes("." * 9, "distance", depth) == search.nodes


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
