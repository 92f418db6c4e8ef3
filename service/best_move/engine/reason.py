"""Classify a move by what it does.

Source: the rules of A. Newell and H. A. Simon, Human Problem Solving (1972), in their order.
"""

from collections.abc import Iterable
from typing import Final, Literal, get_args

from mypy_extensions import i64

from best_move.engine.position import COMPLETING, COUNT, FULL, Position

Reason = Literal[
    "win", "block", "fork", "block_fork", "center", "opposite_corner", "corner", "side"
]

_CENTER: Final = 4
_CORNERS: Final = (0, 2, 6, 8)


def reason_of(position: Position, move: int) -> Reason:
    """Return the first of the rules that a legal move follows.

    A threat is an empty cell that would complete a side's line. A fork is a move after which its
    side has at least two threats.

    - win: the move completes a line.
    - block: the cell was a threat of the opponent.
    - fork: the move is a fork.
    - block_fork: the opponent had no threat but could have forked, and now cannot: its forced reply
      is no fork or, if no reply is forced, no fork is left.
    - center, opposite_corner (opposite a corner that the opponent holds), corner, side: where the
      cell is.
    """
    own: i64 = position.own
    opponent: i64 = position.opponent
    bit: i64 = 1 << move
    free = FULL & ~(own | opponent)
    if threats(own, free) & bit:
        return "win"
    opponent_threats = threats(opponent, free)
    if opponent_threats & bit:
        return "block"
    left = free & ~bit
    own_threats = threats(own | bit, left)
    if COUNT[own_threats] > 1:
        return "fork"
    if not opponent_threats and forks(opponent, free):
        replies = own_threats or left  # the opponent must reply to a threat
        if not forks(opponent, left) & replies:
            return "block_fork"
    return _place(opponent, move)


def first_reason(reasons: Iterable[Reason]) -> Reason:
    """Return the reason that is first in the order of the rules."""
    return min(reasons, key=get_args(Reason).index)


def threats(marks: i64, free: i64) -> i64:
    """Return the free cells, as a bitboard, that would complete a line of one side's marks."""
    return COMPLETING[marks] & free


def forks(marks: i64, free: i64) -> i64:
    """Return the free cells, as a bitboard, where a move would threaten two cells or more."""
    found: i64 = 0
    rest = free
    while rest:
        move = rest & -rest
        if COUNT[threats(marks | move, free & ~move)] > 1:
            found |= move
        rest ^= move
    return found


def _place(opponent: i64, move: i64) -> Reason:
    if move == _CENTER:
        return "center"
    if move not in _CORNERS:
        return "side"
    if opponent >> (8 - move) & 1:
        return "opposite_corner"
    return "corner"
