"""The parts that all algorithms share: the state of a search, and the lines that it finds."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, final

from mypy_extensions import i64

from best_move.engine.position import COUNT, FULL, Cells, Position
from best_move.engine.score import WIN, Scoring

#  A search returns its line as an integer that packs each move into four bits: cell + 1, with the
#  first move in the lowest bits; 0 ends the line. During the search a move is the bit of its cell,
#  so cell + 1 is the move's bit length.

_BIT_LENGTH: Final = bytes(marks.bit_length() for marks in range(FULL + 1))
_PLY_WEIGHT: Final = {"distance": 1, "outcome": 0}


@final
class Search:
    """The state of a search: its number of nodes so far, and the line of the latest call."""

    def __init__(self, scoring: Scoring) -> None:
        self.nodes: i64 = 0
        self.line: i64 = 0
        self.ply_weight: i64 = _PLY_WEIGHT[scoring]

    def loss(self, marks: i64) -> i64:
        """Return the score of a position that the side to move has lost, given all marks."""
        return self.ply_weight * COUNT[marks] - WIN

    def line_after(self, move: i64) -> i64:
        """Return `move` followed by the line found after it."""
        return self.line << 4 | _BIT_LENGTH[move]


Algorithm = Literal[
    "minimax", "alphabeta", "ordered_alphabeta", "transposition_table", "iterative_deepening"
]

#  (search, own marks, opponent's marks, depth in plies) -> score for the side to move. The line is
#  in `search.line`.
SearchFunction = Callable[[Search, i64, i64, i64], i64]


@final
@dataclass(frozen=True)
class Line:
    """Moves from a position to the end of the game or the depth limit, and their score.

    The score is for the position's side to move.
    """

    score: int
    moves: Cells


def best_line(algorithm: SearchFunction, search: Search, position: Position, depth: int) -> Line:
    """Return the line of the best move, to depth `depth`; on a finished board it is empty."""
    score = algorithm(search, position.own, position.opponent, depth)
    return Line(score, _cells(search.line))


def every_line(
    algorithm: SearchFunction, search: Search, position: Position, depth: int
) -> list[Line]:
    """Return the line of each legal move, to depth `depth`: best first, equal scores by cell."""
    search.nodes += 1  # the root, which none of the searches below visits
    lines = []
    for move in position.legal_moves:
        line = best_line(algorithm, search, position.after(move), depth - 1)
        lines.append(Line(-line.score, (move, *line.moves)))
    return sorted(lines, key=lambda line: -line.score)


def _cells(line: i64) -> Cells:
    moves = []
    while line:
        moves.append(int(line & 15) - 1)
        line >>= 4
    return tuple(moves)
