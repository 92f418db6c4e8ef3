"""The symmetry of the board: positions that are turned or mirrored images of each other are of one class."""

from itertools import product
from operator import itemgetter
from typing import Final

from librt.vecs import vec
from mypy_extensions import i16, i64

from service.engine.position import CELLS, FULL

#  A board is a number of nine digits in base 3, one for each cell: 0 if it is empty, 1 if it holds a mark of the side
#  to move, 2 if one of the opponent's. A bitboard by itself is the number with a 1 for each of its marks.
_BASE_3: Final = vec[i64](
    [sum(3 ** (CELLS - 1 - cell) for cell in range(CELLS) if marks >> cell & 1) for marks in range(FULL + 1)]
)

#  The board turned by a quarter, and mirrored: the cell that each cell's digit comes from.
_turned: Final = itemgetter(6, 3, 0, 7, 4, 1, 8, 5, 2)
_mirrored: Final = itemgetter(2, 1, 0, 5, 4, 3, 8, 7, 6)


def _classes() -> list[int]:
    classes = [-1] * 3**CELLS
    count = 0
    for number, board in enumerate(product("012", repeat=CELLS)):
        if classes[number] < 0 and board.count("2") - board.count("1") in (0, 1):
            image: tuple[str, ...] = board
            for _ in range(4):
                image = _turned(image)
                for same in (image, _mirrored(image)):
                    classes[int("".join(same), 3)] = count
            count += 1
    return classes


#  The class of each board that has as many marks as a game can lead to: equal ones are of one class.
_CLASS: Final = vec[i16](_classes())
CLASSES: Final = int(max(_CLASS)) + 1


def class_of(own: i64, opponent: i64) -> i64:
    """Return the number, below CLASSES, that a position shares with its mirror images alone."""
    return i64(_CLASS[_BASE_3[own] + 2 * _BASE_3[opponent]])
