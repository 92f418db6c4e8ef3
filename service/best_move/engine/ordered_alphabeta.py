"""Alpha-beta with move ordering."""

from typing import Final

from mypy_extensions import i64

from best_move.engine.evaluation import estimate
from best_move.engine.position import COMPLETING, FULL, WON
from best_move.engine.score import DRAW, INFINITY
from best_move.engine.search import Search

_CENTER: Final = 0b000_010_000
_CORNERS: Final = 0b101_000_101


def ordered_alphabeta(
    search: Search,
    own: i64,
    opponent: i64,
    depth: i64,
    alpha: i64 = -INFINITY,
    beta: i64 = INFINITY,
    *,
    is_root: bool = True,
) -> i64:
    """Search to depth `depth` within the window, and return the score, as `alphabeta` does.

    Only the root tries its moves by cell, so that it finds the best move with the lowest cell.
    """
    search.nodes += 1
    search.line = 0
    marks = own | opponent
    if WON[opponent]:
        return search.loss(marks)
    if marks == FULL:
        return DRAW
    if depth == 0:
        return estimate(own, opponent)
    best: i64 = -INFINITY
    line: i64 = 0
    free = FULL & ~marks
    while free:
        move = free & -free if is_root else first_to_try(own, opponent, free)
        score = -ordered_alphabeta(
            search, opponent, own | move, depth - 1, -beta, -alpha, is_root=False
        )
        if score > best:
            best = score
            line = search.line_after(move)
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        free ^= move
    search.line = line
    return best


def first_to_try(own: i64, opponent: i64, free: i64) -> i64:
    """Return the bit of the cell to try first: a win, else a block, center, corner or side."""
    first = (
        COMPLETING[own] & free
        or COMPLETING[opponent] & free
        or free & _CENTER
        or free & _CORNERS
        or free
    )
    return first & -first
