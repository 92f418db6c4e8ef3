"""Every legal position, its symmetric positions, and what the referee says of it."""

from best_move.engine import COMPILED
from best_move.engine.position import Mark, Position
from best_move.engine.score import Scoring
from tests.truth import referee

MARKS: tuple[Mark, Mark] = ("X", "O")

EVERY_POSITION = [
    Position.parse(board, mark)
    for board in sorted({board for board, _ in referee.reachable()})
    for mark in MARKS
    if (board, mark) in referee.reachable()
]

#  The positions whose searches are tested. The uncompiled engine is about fifty times slower.
POSITIONS = EVERY_POSITION if COMPILED else EVERY_POSITION[::20]

#  The positions for tests of the code that uses the searches, such as the oracle.
TENTH = POSITIONS[::10] if COMPILED else POSITIONS

_ROTATED = [6, 3, 0, 7, 4, 1, 8, 5, 2]  # for each cell, the cell that its mark comes from
_REFLECTED = [2, 1, 0, 5, 4, 3, 8, 7, 6]


def _symmetries() -> list[tuple[int, ...]]:
    found = []
    cells = tuple(range(9))
    for _ in range(4):
        cells = tuple(cells[cell] for cell in _ROTATED)
        found += [cells, tuple(cells[cell] for cell in _REFLECTED)]
    return found


SYMMETRIES = _symmetries()


def swapped(position: Position) -> Position:
    """Return the position with X and O swapped, on the board and as the side to move."""
    return Position(x=position.o, o=position.x, to_move="O" if position.to_move == "X" else "X")


def grade(score: int, position: Position, scoring: Scoring) -> referee.Grade:
    """Return a score as the referee's grade."""
    if abs(score) <= 32:
        return (0, score)
    sign = 1 if score > 0 else -1
    if scoring == "outcome":
        assert abs(score) == 100
        return (sign, 0)
    return (sign, -sign * (100 - abs(score) - position.ply))


def worse_replies(position: Position, depth: int) -> int:
    """Return how many moves have a worse result than the best one, by the referee."""
    grades = referee.grade_of_moves(position.board, position.to_move, depth, counts_plies=False)
    results = [result for result, _ in grades.values()]
    return sum(result < max(results) for result in results)
