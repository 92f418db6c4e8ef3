"""The rules of the game: the board as two bitboards, legal positions and legal moves."""

from collections.abc import Sequence
from typing import Any, Final, Generic, Literal, TypeVar, final

from librt.vecs import vec
from mypy_extensions import i64

Mark = Literal["X", "O"]
Status = Literal["in_progress", "x_won", "o_won", "draw"]
BoardCause = Literal["wrong_length", "wrong_character"]
PositionCause = Literal[
    "mark_counts", "two_winners", "played_after_win", "wrong_side_to_move", "wrong_starting_side"
]
MoveCause = Literal["cell_taken", "played_after_end"]
AnyCause = TypeVar("AnyCause", bound=str)
Cells = tuple[int, ...]

#  The numbers of the cells. In a bitboard, the bit `1 << number` represents a cell.
#
#     0 | 1 | 2
#    ---+---+---
#     3 | 4 | 5
#    ---+---+---
#     6 | 7 | 8

CELLS: Final = 9
FULL: Final = 0b111_111_111
LINES: Final = (
    (0, 1, 2),
    (3, 4, 5),
    (6, 7, 8),
    (0, 3, 6),
    (1, 4, 7),
    (2, 5, 8),
    (0, 4, 8),
    (2, 4, 6),
)

_LINE_BITS: Final = tuple(sum(1 << cell for cell in line) for line in LINES)

# Tables indexed by a bitboard: whether it holds a line, how many marks it has, which cells would
# complete a line (none if it holds one; the cells may be occupied by the other side).
WON: Final = bytes(any(marks & line == line for line in _LINE_BITS) for marks in range(FULL + 1))
COUNT: Final = bytes(marks.bit_count() for marks in range(FULL + 1))
COMPLETING: Final = vec[i64](
    [
        sum(1 << cell for cell in range(CELLS) if WON[marks | 1 << cell] > WON[marks])
        for marks in range(FULL + 1)
    ]
)


class CauseError(ValueError, Generic[AnyCause]):
    """The base of errors with a `cause`, a word for programs."""

    def __init__(self, cause: AnyCause, message: str) -> None:
        super().__init__(message)
        self.cause: Final = cause

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.cause, str(self))  # for pickles


class InvalidBoardError(CauseError[BoardCause]):
    """Raised for a text that is not nine cells."""


class IllegalPositionError(CauseError[PositionCause]):
    """Raised if no game leads to a board, or none with the given starter or side to move."""


class IllegalMoveError(CauseError[MoveCause]):
    """Raised for an illegal move; `index` is its index among the moves."""

    def __init__(self, cause: MoveCause, index: int, message: str) -> None:
        super().__init__(cause, message)
        self.index: Final = index

    def __reduce__(self) -> tuple[Any, ...]:
        return IllegalMoveError, (self.cause, self.index, str(self))


def other(mark: Mark) -> Mark:
    """Return the opponent's mark."""
    return "O" if mark == "X" else "X"


@final
class Position:
    """A legal position: a bitboard of each side's marks, and the side to move.

    Either side may have started.
    """

    def __init__(self, x: int, o: int, to_move: Mark) -> None:
        """Raise ValueError for an invalid argument, or IllegalPositionError."""
        if not 0 <= x <= FULL or not 0 <= o <= FULL or x & o:
            raise ValueError(
                f"`x` and `o` must be bitboards of nine cells that share no cell, not {x} and {o}."
            )
        if to_move not in ("X", "O"):
            raise ValueError(f"`to_move` must be X or O, not {to_move!r}.")
        if to_move not in _sides_to_move(x, o):
            # With equal marks, the given side is rejected only because it has won, and so has moved
            # last.
            moved = "made the winning move" if COUNT[x] == COUNT[o] else "has one more mark"
            text = f"{other(to_move)} is to move on this board, because {to_move} {moved}."
            raise IllegalPositionError("wrong_side_to_move", text)
        self.x: Final = x
        self.o: Final = o
        self.to_move: Final = to_move

    def __eq__(self, position: object) -> bool:
        return isinstance(position, Position) and self._key == position._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __reduce__(self) -> tuple[Any, ...]:
        return Position, self._key  # for copies and pickles

    def __repr__(self) -> str:
        return f"Position.parse({self.board!r}, {self.to_move!r})"

    @staticmethod
    def parse(board: str, to_move: Mark | None = None) -> "Position":
        """Read nine cells, row by row: X, O, or `.` for an empty cell.

        Without `to_move`, the side with fewer marks is to move; with equal marks it is X, unless X
        has just won. Raises InvalidBoardError if the text is not nine cells, and
        IllegalPositionError if the cells with the side to move cannot occur in a game.
        """
        if len(board) != CELLS:
            text = f"The board must have {CELLS} cells, not {len(board)}."
            raise InvalidBoardError("wrong_length", text)
        x = 0
        o = 0
        for cell, character in enumerate(board):
            if character == "X":
                x |= 1 << cell
            elif character == "O":
                o |= 1 << cell
            elif character != ".":
                text = f"Cell {cell} holds {character!a}. A cell is X, O, or '.' if it is empty."
                raise InvalidBoardError("wrong_character", text)
        if to_move is None:
            to_move = _sides_to_move(x, o)[0]
        return Position(x, o, to_move)

    @property
    def _key(self) -> tuple[int, int, Mark]:
        return self.x, self.o, self.to_move

    @property
    def own(self) -> int:
        """The marks of the side to move, as a bitboard."""
        return self.x if self.to_move == "X" else self.o

    @property
    def opponent(self) -> int:
        """The marks of the opponent of the side to move, as a bitboard."""
        return self.o if self.to_move == "X" else self.x

    @property
    def ply(self) -> int:
        """The number of plies played so far, 0 to 9."""
        return (self.x | self.o).bit_count()

    @property
    def starts(self) -> Mark:
        """The side that made the first move of the game, or will make it."""
        return self.to_move if self.ply % 2 == 0 else other(self.to_move)

    @property
    def board(self) -> str:
        """The canonical text: `X`, `O` and `.`, row by row."""
        cells = ["."] * CELLS
        for cell in range(CELLS):
            if self.x >> cell & 1:
                cells[cell] = "X"
            elif self.o >> cell & 1:
                cells[cell] = "O"
        return "".join(cells)

    @property
    def status(self) -> Status:
        """Whether the game is in progress or, if it is over, its result."""
        if WON[self.x]:
            return "x_won"
        if WON[self.o]:
            return "o_won"
        if self.x | self.o == FULL:
            return "draw"
        return "in_progress"

    @property
    def winning_line(self) -> Cells:
        """The cells of the winning line; empty if no side has won.

        If the last move completed two lines, it is the first of them in LINES.
        """
        winner = self.x if WON[self.x] else self.o
        if WON[winner]:
            for line, bits in zip(LINES, _LINE_BITS, strict=True):
                if winner & bits == bits:
                    return line
        return ()

    @property
    def legal_moves(self) -> Cells:
        """The cells that may be played, lowest first; empty if the game is over."""
        if self.status != "in_progress":
            return ()
        return tuple(cell for cell in range(CELLS) if not (self.x | self.o) >> cell & 1)

    def started_by(self, side: Mark) -> "Position":
        """Return the position with these marks in a game that a side started.

        Raises IllegalPositionError if the marks show that the other side started.
        """
        if side == self.starts:
            return self
        if len(_sides_to_move(self.x, self.o)) > 1:
            return Position(self.x, self.o, side)  # marks are equal, so the starter is to move
        # With equal marks, the given side is rejected only because it has won: it moved last, so
        # the other side started.
        won = f", and {side} has won" if COUNT[self.x] == COUNT[self.o] else ""
        text = f"{_marks_text(self.x, self.o)}{won}, so {self.starts} started, not {side}."
        raise IllegalPositionError("wrong_starting_side", text)

    def after(self, move: int) -> "Position":
        """Return the position after a move; raise the errors of `play`."""
        return self.play([move])

    def play(self, moves: Sequence[int]) -> "Position":
        """Return the position after the moves, in this order.

        Raises IllegalMoveError for the first move that is illegal; TypeError or ValueError if it is
        not a cell.
        """
        position = self
        for index, move in enumerate(moves):
            if move not in position.legal_moves:
                raise _move_error(position, moves, index)
            if position.to_move == "X":
                position = Position(position.x | 1 << move, position.o, "O")
            else:
                position = Position(position.x, position.o | 1 << move, "X")
        return position


def _move_error(position: Position, moves: Sequence[int], index: int) -> ValueError:
    """Return the error of an illegal move, given all moves, and the position before it."""
    move = moves[index]
    number = index + 1
    if move not in range(CELLS):
        return ValueError(f"Move {number} must be an integer from 0 to {CELLS - 1}, not {move!r}.")
    if position.status != "in_progress":
        result = "it was a draw"
        if position.status != "draw":
            result = f"{other(position.to_move)} had won"
        place = f" before move {number}" if len(moves) > 1 else ""
        detail = f"The game was over{place}: {result}. No move may follow."
        return IllegalMoveError("played_after_end", index, detail)
    mark = position.board[move]
    if move in moves[:index]:
        earlier = moves.index(move) + 1
        problem = f"Move {number} plays cell {move}, but {mark} took it at move {earlier}."
    elif len(moves) == 1:
        problem = f"Cell {move} is taken by {mark}."
    else:
        problem = f"Move {number} plays cell {move}, but {mark} has it on the board."
    free = ", ".join(map(str, position.legal_moves))
    return IllegalMoveError("cell_taken", index, f"{problem} Free cells: {free}.")


def _marks_text(x: int, o: int) -> str:
    return f"X has {COUNT[x]} and O has {COUNT[o]} marks"


def _sides_to_move(x: int, o: int) -> tuple[Mark, ...]:
    """Return the sides that may be to move on a board with these marks, X before O.

    Raises IllegalPositionError if no game leads to these marks.
    """
    x_marks = COUNT[x]
    o_marks = COUNT[o]
    fewer: Mark = "X" if x_marks < o_marks else "O"  # not used if the counts are equal
    more = other(fewer)
    if abs(x_marks - o_marks) > 1:
        text = (
            f"{_marks_text(x, o)}, but the sides alternate, so the counts may differ by at most "
            f"one. Add {fewer} marks or remove {more} marks."
        )
        raise IllegalPositionError("mark_counts", text)
    if WON[x] and WON[o]:
        text = (
            "Both X and O have three in a row, but the game ends at the first. Break one of the "
            "two lines."
        )
        raise IllegalPositionError("two_winners", text)
    if x_marks != o_marks and WON[x if fewer == "X" else o]:
        text = (
            f"{fewer} has three in a row, but {more} has one more mark, so {more} moved after the "
            f"game ended. Remove an {more} mark or break {fewer}'s line."
        )
        raise IllegalPositionError("played_after_win", text)
    if x_marks != o_marks:
        return (fewer,)
    if WON[x]:
        return ("O",)
    if WON[o]:
        return ("X",)
    return ("X", "O")
