"""Expectimax: how often a move wins against random replies."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from best_move.engine.position import CELLS, COUNT, FULL, WON
from best_move.engine.search import Search

#  Indexed by the number n of empty cells: the ways to play the remaining replies, n * (n - 2) * …,
#  because every second move is a reply. A win takes at least five marks, so n is at most 4. It ends
#  the game early, but counts as a win in all sequences that could have followed.
_SEQUENCES: Final = vec[i64]([1, 1, 2, 3, 8])


def winning_sequences(
    search: Search, own: i64, opponent: i64, depth: i64, *, reply_is_next: bool
) -> i64:
    """Return the highest number of reply sequences against which one side can win.

    The other side replies at random, and all sequences of its replies are equally likely.
    `reply_is_next` says whether the other side is to move. Only wins within `depth` plies count.
    The winning side plays for the most wins, even where that risks a loss.
    """
    search.nodes += 1
    marks = own | opponent
    if WON[opponent]:
        return _SEQUENCES[CELLS - COUNT[marks]] if reply_is_next else 0
    if marks == FULL or depth == 0:
        return 0
    most: i64 = 0
    total: i64 = 0
    free = FULL & ~marks
    while free:
        move = free & -free
        wins = winning_sequences(
            search, opponent, own | move, depth - 1, reply_is_next=not reply_is_next
        )
        most = max(most, wins)
        total += wins
        free ^= move
    return total if reply_is_next else most
