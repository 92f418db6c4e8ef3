"""Equivalence classes of positions under rotation and reflection."""

from itertools import product
from operator import itemgetter
from typing import Final

from librt.vecs import vec
from mypy_extensions import i16, i64

from best_move.engine.position import CELLS, FULL

#  A board is represented by a number of nine digits in base 3, one per cell: 0 is empty, 1 a mark
#  of the side to move, and 2 a mark of the opponent.


def _base_3(marks: int) -> int:
    """Return the number that has a 1 for each mark of a bitboard."""
    number = 0
    for cell in range(CELLS):
        digit = marks >> cell & 1
        number = 3 * number + digit
    return number


#  `_base_3` of each bitboard.
_BASE_3: Final = vec[i64]([_base_3(marks) for marks in range(FULL + 1)])

#  Functions that rotate a board by 90° or reflect it. Each lists, for every cell, the cell that its
#  digit comes from.
_rotated: Final = itemgetter(6, 3, 0, 7, 4, 1, 8, 5, 2)
_reflected: Final = itemgetter(2, 1, 0, 5, 4, 3, 8, 7, 6)


def _classes() -> list[int]:
    """Return the class of each board by its number, or -1 if its mark counts cannot occur.

    Symmetric boards have the same class.
    """
    classes = [-1] * 3**CELLS
    count = 0
    for number, board in enumerate(product("012", repeat=CELLS)):  # in the order of their numbers
        lead = board.count("2") - board.count("1")
        if classes[number] >= 0 or lead not in (0, 1):
            continue
        image: tuple[str, ...] = board
        for _ in range(4):
            image = _rotated(image)
            for same in (image, _reflected(image)):
                classes[int("".join(same), 3)] = count
        count += 1
    return classes


_CLASS: Final = vec[i16](_classes())
CLASSES: Final = int(max(_CLASS)) + 1


def class_of(own: i64, opponent: i64) -> i64:
    """Return a position's class, a number below CLASSES that only symmetric positions share."""
    return i64(_CLASS[_BASE_3[own] + 2 * _BASE_3[opponent]])
