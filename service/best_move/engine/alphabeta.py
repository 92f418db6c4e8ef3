"""Alpha-beta: minimax that prunes the rest of a position once the opponent would avoid it."""

from mypy_extensions import i64

from best_move.engine.evaluation import estimate
from best_move.engine.position import FULL, WON
from best_move.engine.score import DRAW, INFINITY
from best_move.engine.search import Search


def alphabeta(
    search: Search,
    own: i64,
    opponent: i64,
    depth: i64,
    alpha: i64 = -INFINITY,
    beta: i64 = INFINITY,
) -> i64:
    """Search to depth `depth` within the window, and return the score for the side to move.

    A score between alpha and beta is exact, and the line leads to it. A score at or below alpha is
    an upper bound, and a score at or above beta is a lower bound; in both cases the line is
    meaningless.
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
        score = -alphabeta(search, opponent, own | move, depth - 1, -beta, -alpha)
        if score > best:
            best = score
            line = search.line_after(move)
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        free ^= move
    search.line = line
    return best
