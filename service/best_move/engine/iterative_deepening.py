"""Iterative deepening: search to depth 1, 2, … until the depth limit or a final result."""

from mypy_extensions import i64

from best_move.engine.position import CELLS, COUNT, FULL
from best_move.engine.score import INFINITY, is_decided
from best_move.engine.search import Search
from best_move.engine.transposition_table import Table, known_score, recall_line, search_with_table


def iterative_deepening(search: Search, own: i64, opponent: i64, depth: i64) -> i64:
    """Return the score for the side to move, to depth `depth`.

    The line in `search` leads to this score. If several moves are best, the line starts with the
    lowest cell. `search.nodes` counts the nodes of all depths.
    """
    table = Table(search)
    deepest = min(depth, CELLS - COUNT[own | opponent])
    limit = min(1, deepest)
    best_move: i64 = 0
    while True:
        score, best_move = search_root(table, own, opponent, limit, best_move)
        if limit == deepest or is_settled(search, score):
            recall_line(table, own, opponent, limit, score)
            return score
        limit += 1


def search_root(table: Table, own: i64, opponent: i64, depth: i64, first: i64) -> tuple[i64, i64]:
    """Return the score and the bit of the best move; the move `first`, unless 0, is tried first.

    Of equal moves, the lowest cell is the best; at a leaf the bit is 0.
    """
    table.search.nodes += 1
    known = known_score(table, own, opponent, depth, -INFINITY, INFINITY)
    if known != INFINITY:  # a leaf: this function does not store the root
        return known, 0
    best: i64 = -INFINITY
    best_move: i64 = 0
    free = FULL & ~(own | opponent)
    while free:
        move = first if first & free else free & -free
        # If scores are equal, the lower cell is better. So a move on a lower cell than the best
        # move only has to reach its score; any other move has to exceed it.
        alpha = best - 1 if move < best_move else best
        score = -search_with_table(table, opponent, own | move, depth - 1, -INFINITY, -alpha)
        if score > alpha:
            best = score
            best_move = move
        free ^= move
    return best, best_move


def is_settled(search: Search, score: i64) -> bool:
    """Return whether a deeper search must find the same score and the same move."""
    if score > 0 and search.ply_weight == 0:
        return False  # a longer win has the same score, and may start on a lower cell
    return is_decided(score)
