"""Static evaluation: estimate a position from its lines alone.

Source: S. Russell and P. Norvig, Artificial Intelligence: A Modern Approach, the exercise on
tic-tac-toe.
"""

from typing import Final

from mypy_extensions import i64

from best_move.engine.position import COUNT, FULL, LINES

#  ONE, TWO and SOME are tables indexed by a bitboard. An entry has a bit for each of the eight
#  lines. In ONE, the bit is set if the line holds exactly one mark; in TWO, if it holds exactly two
#  marks; in SOME, if it holds any mark. COUNT counts these bits as it counts marks.


def _lines_holding(*counts: int) -> bytes:
    return bytes(
        sum(
            1 << index
            for index, line in enumerate(LINES)
            if sum(marks >> cell & 1 for cell in line) in counts
        )
        for marks in range(FULL + 1)
    )


ONE: Final = _lines_holding(1)
TWO: Final = _lines_holding(2)
SOME: Final = _lines_holding(1, 2, 3)


def estimate(own: i64, opponent: i64) -> i64:
    """Return 3·X₂ + X₁ - (3·O₂ + O₁), where X is the side to move.

    Xₙ is the number of lines with n marks of X and none of O. Exchanging the sides changes only the
    sign.
    """
    own_open = ~SOME[opponent]
    opponent_open = ~SOME[own]
    return (
        3 * COUNT[TWO[own] & own_open]
        + COUNT[ONE[own] & own_open]
        - 3 * COUNT[TWO[opponent] & opponent_open]
        - COUNT[ONE[opponent] & opponent_open]
    )
