"""Iterative deepening: search one ply deep, then two, and so on, until nothing deeper can change the answer."""

from mypy_extensions import i64

from service.engine.position import CELLS, COUNT
from service.engine.score import is_decided
from service.engine.search import Search
from service.engine.transposition_table import transposition_table


def iterative_deepening(search: Search, own: i64, opponent: i64, depth: i64) -> i64:
    """Return the score for the side to move, `depth` plies deep; the line leads to it.

    The score is exact. Of equal moves the lowest cell is taken. The nodes are those of all horizons together.
    """
    deepest = min(depth, CELLS - COUNT[own | opponent])
    horizon = min(1, deepest)
    while True:
        score = transposition_table(search, own, opponent, horizon)
        if horizon == deepest or is_settled(search, score):
            return score
        horizon += 1


def is_settled(search: Search, score: i64) -> bool:
    """Return whether a deeper search would answer the same score and the same move."""
    if score > 0 and search.ply_weight == 0:
        return False  # a win as good, only longer, may begin on a lower cell
    return is_decided(score)
