"""Alpha-beta with a transposition table; symmetric positions share an entry."""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i16, i64

from best_move.engine.evaluation import estimate
from best_move.engine.ordered_alphabeta import first_to_try
from best_move.engine.position import FULL, WON
from best_move.engine.score import DRAW, INFINITY, is_decided
from best_move.engine.search import Search
from best_move.engine.symmetry import CLASSES, class_of

#  An entry is an integer that packs a score, its depth and its kind; an empty entry is 0:
#
#    score + INFINITY | depth  | kind
#    8 bits           | 4 bits | 2 bits
#
#  The kinds: 0 for an empty entry, which no window accepts; otherwise the score is exact, a lower
#  bound or an upper bound.
_EXACT: Final = 1
_LOWER: Final = 2
_UPPER: Final = 3


def transposition_table(search: Search, own: i64, opponent: i64, depth: i64) -> i64:
    """Return the score for the side to move, to depth `depth`.

    The line in `search` leads to this score. If several moves are best, the line starts with the
    lowest cell.
    """
    table = Table(search)
    score = search_with_table(table, own, opponent, depth, -INFINITY, INFINITY, is_root=True)
    recall_line(table, own, opponent, depth, score)
    return score


@final
class Table:
    """The scores that one search has found, each valid for its depth.

    A win or a loss is valid for a greater depth, too. No search asks for a smaller one: the depth
    follows from the ply, and iterative deepening only raises it.
    """

    def __init__(self, search: Search) -> None:
        self.search = search
        self._entries = vec[i16]([0] * CLASSES)

    def score(self, own: i64, opponent: i64, depth: i64, alpha: i64, beta: i64) -> i64:
        """Return the stored score if it is valid for the depth and the window, else INFINITY."""
        entry = i64(self._entries[class_of(own, opponent)])
        score = (entry >> 6) - INFINITY
        stored_depth = entry >> 2 & 15
        kind = entry & 3
        if stored_depth != depth and not is_decided(score):
            return INFINITY
        if kind == _EXACT:
            return score
        if kind == _LOWER and score >= beta:
            return score
        if kind == _UPPER and score <= alpha:
            return score
        return INFINITY

    def store(self, own: i64, opponent: i64, depth: i64, score: i64, alpha: i64, beta: i64) -> None:
        """Store the score that a search to depth `depth` and within the window has found."""
        kind: i64 = _EXACT
        if score <= alpha:
            kind = _UPPER
        elif score >= beta:
            kind = _LOWER
        entry = (score + INFINITY) << 6 | depth << 2 | kind
        self._entries[class_of(own, opponent)] = i16(entry)


def search_with_table(
    table: Table,
    own: i64,
    opponent: i64,
    depth: i64,
    alpha: i64,
    beta: i64,
    *,
    is_root: bool = False,
) -> i64:
    """Return the score for the side to move, as `ordered_alphabeta` does, and store it."""
    table.search.nodes += 1
    known = known_score(table, own, opponent, depth, alpha, beta)
    if known != INFINITY:
        return known
    best: i64 = -INFINITY
    lower = alpha
    free = FULL & ~(own | opponent)
    while free:
        move = free & -free if is_root else first_to_try(own, opponent, free)
        score = -search_with_table(table, opponent, own | move, depth - 1, -beta, -lower)
        if score > best:
            best = score
            lower = max(lower, best)
            if lower >= beta:
                break
        free ^= move
    table.store(own, opponent, depth, best, alpha, beta)
    return best


def known_score(table: Table, own: i64, opponent: i64, depth: i64, alpha: i64, beta: i64) -> i64:
    """Return the score of a leaf or from the table; INFINITY if the position has to be searched."""
    marks = own | opponent
    if WON[opponent]:
        return table.search.loss(marks)
    if marks == FULL:
        return DRAW
    if depth == 0:
        return estimate(own, opponent)
    return table.score(own, opponent, depth, alpha, beta)


def recall_line(table: Table, own: i64, opponent: i64, depth: i64, score: i64) -> None:
    """Set `search.line` to a line of best play that leads to a position's exact score.

    Each move is the lowest cell that is known to be best. After the first move, a lower cell may be
    as good, but pruned; so the line may differ from that of minimax.
    """
    # A child with an exact -score is a best move. There is one: the child that the score came from.
    # Its entry is not replaced: a later search of it to this depth takes the exact score from the
    # table, and stores nothing. The first move is the lowest best cell, because the root always
    # finds that cell's exact score. The line is packed from its end, so the recursion comes first.
    search = table.search
    search.line = 0
    if depth == 0 or WON[opponent]:
        return
    free = FULL & ~(own | opponent)
    while free:
        move = free & -free
        known = known_score(table, opponent, own | move, depth - 1, -INFINITY, INFINITY)
        if known == -score:
            recall_line(table, opponent, own | move, depth - 1, -score)
            search.line = search.line_after(move)
            return
        free ^= move
