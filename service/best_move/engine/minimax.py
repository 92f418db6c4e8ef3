"""Minimax as negamax: a position's score is the highest of the negated scores after its moves."""

from mypy_extensions import i64

from best_move.engine.evaluation import estimate
from best_move.engine.position import FULL, WON
from best_move.engine.score import DRAW, INFINITY
from best_move.engine.search import Search


def minimax(search: Search, own: i64, opponent: i64, depth: i64) -> i64:
    """Return the score for the side to move, to depth `depth`.

    The line in `search` leads to this score. If several moves are best at a ply, the line has the
    one with the lowest cell.
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
        move = free & -free
        score = -minimax(search, opponent, own | move, depth - 1)
        if score > best:
            best = score
            line = search.line_after(move)
        free ^= move
    search.line = line
    return best
