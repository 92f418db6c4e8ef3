"""Every legal position, and its mirror images."""

from functools import cache

from service.engine.position import Mark, Position
from tests import referee

MARKS: tuple[Mark, Mark] = ("X", "O")

EVERY_POSITION = [
    Position.parse(board, mark)
    for board in sorted({board for board, _ in referee.reachable()})
    for mark in MARKS
    if (board, mark) in referee.reachable()
]

_TURN = [6, 3, 0, 7, 4, 1, 8, 5, 2]  # the cell that each cell's mark comes from
_MIRROR = [2, 1, 0, 5, 4, 3, 8, 7, 6]


def _symmetries() -> list[tuple[int, ...]]:
    found = []
    cells = tuple(range(9))
    for _ in range(4):
        cells = tuple(cells[cell] for cell in _TURN)
        found += [cells, tuple(cells[cell] for cell in _MIRROR)]
    return found


SYMMETRIES = _symmetries()


@cache
def mirrored(position: Position, symmetry: tuple[int, ...]) -> Position:
    """Return the position after one of the 8 symmetries of the board; cell i shows what `symmetry[i]` held."""
    return Position.parse("".join(position.board[cell] for cell in symmetry), position.to_move)


def recoloured(position: Position) -> Position:
    """Return the position with the colours swapped, the side to move too."""
    return Position(x=position.o, o=position.x, to_move="O" if position.to_move == "X" else "X")
