"""Programs that play in the process of the test."""

from collections.abc import Iterable, Mapping
from typing import Self

from best_move.terminal.program import Program


class Table(Program):
    """A program that plays the moves of a table, those on a board in turn."""

    def __init__(self, moves: Mapping[str, Iterable[int]]) -> None:
        super().__init__([], 0, 0)
        self._moves = {board: iter(cells) for board, cells in moves.items()}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def move(self, board: str) -> int:
        """Return the next move on a board."""
        return next(self._moves[board])


class Repeating(Table):
    """A program that repeats its move for as long as the board stays the same."""

    _played = ("", 0)

    def move(self, board: str) -> int:
        """Return the last move if the board is the last one, or else the next move on it."""
        if self._played[0] != board:
            self._played = board, super().move(board)
        return self._played[1]
