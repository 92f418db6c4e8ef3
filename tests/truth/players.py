"""Players to review, each a mapping from boards to moves, and a walk through their games."""

import random
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import prod
from typing import TypeVar

from best_move.engine.position import Mark
from best_move.player import Verdict, review_player
from tests.programs import levels
from tests.truth import referee

Moves = dict[str, int]
"""The move of a player on each board."""

Frequencies = Mapping[str, Sequence[float]]
"""How often a player that chooses at random plays each of the nine cells, on each board."""

Entry = TypeVar("Entry")

SIDES: tuple[Mark, ...] = ("X", "O")


@cache
def to_move(board: str) -> Mark:
    """Return the side to move in a game that X starts."""
    return "X" if board.count("X") == board.count("O") else "O"


@cache
def after(board: str) -> dict[int, str]:
    """Return the board after each move, by cell; empty if the game is over."""
    return {cell: referee.play(board, to_move(board), cell) for cell in referee.moves(board)}


@cache
def boards() -> dict[str, list[int]]:
    """Return the unfinished boards of games that X starts, with their free cells."""
    boards = sorted(board for board, mark in referee.reachable() if mark == to_move(board))
    return {board: referee.moves(board) for board in boards if referee.moves(board)}


def table(choose: Callable[[str], int]) -> Moves:
    """Return the moves that a function chooses on all boards."""
    return {board: choose(board) for board in boards()}


@cache
def perfect(tie_break: str = "first") -> Moves:
    """Return the moves of the perfect player with a tie-break."""
    return table(lambda board: levels.TIE_BREAKS[tie_break](board, to_move(board))[0])


def rule_follower(corners: Iterable[int]) -> Moves:
    """Return the moves of a player that wins, blocks, takes the center, a corner or a side."""

    def choose(board: str) -> int:
        mark = to_move(board)
        wins = sorted(referee.wins(board, mark))
        blocks = sorted(referee.wins(board, referee.opponent(mark)))
        wanted = (*wins, *blocks, 4, *corners, 1, 3, 5, 7)
        return next(cell for cell in wanted if board[cell] == ".")

    return table(choose)


def random_player(seed: int) -> Moves:
    """Return the moves of a player that chooses at random; a seed always gives the same moves."""
    rng = random.Random(seed)  # noqa: S311, a game
    return {board: cells[int(rng.random() * len(cells))] for board, cells in boards().items()}


def frequencies_of(player: levels.Player) -> Frequencies:
    """Return the probabilities of a player of `levels` as frequencies."""
    frequencies = {}
    for board in boards():
        chances = player(board, to_move(board))
        frequencies[board] = [float(chances.get(cell, 0)) for cell in range(9)]
    return frequencies


def random_frequencies(seed: int, rate: float) -> Frequencies:
    """Return the frequencies of a player that chooses at random, but not on some boards."""
    rng = random.Random(seed)  # noqa: S311, a game
    frequencies = {}
    for board, cells in boards().items():
        count = 1 if rng.random() < rate else rng.randint(1, len(cells))
        chosen = rng.sample(cells, count)
        frequencies[board] = [rng.randint(1, 20) * (cell in chosen) for cell in range(9)]
    return frequencies


def player_of(frequencies: Frequencies) -> levels.Player:
    """Return a player for `levels` with these frequencies; X moves first."""

    @cache
    def player(board: str, _: str) -> dict[int, Fraction]:
        numbers = [Fraction(number) for number in frequencies[board]]
        total = sum(numbers)
        return {cell: number / total for cell, number in enumerate(numbers) if number}

    return player


def own(side: Mark, table: Mapping[str, Entry]) -> dict[str, Entry]:
    """Return the entries of the boards on which a side is to move."""
    return {board: entry for board, entry in table.items() if to_move(board) == side}


def review_of(side: Mark, moves: Moves, frequencies: Frequencies | None = None) -> Verdict:
    """Return the review of a player with complete entries; those for the other side are ignored."""
    found = review_player(side, own(side, moves), own(side, frequencies or {})).review
    assert found
    return found


def swapped(text: str) -> str:
    """Return a text with the letters of the sides swapped, but not those that begin a word."""
    return re.sub("[XO](?![a-z])", lambda mark: referee.opponent(mark[0]), text)


class Walk:
    """All games of a player, followed move by move from the rules alone."""

    def __init__(self, side: Mark, moves: Moves) -> None:
        self.side = side
        self.moves = moves
        self.met: set[str] = set()
        self.lost: set[str] = set()
        self._results: dict[str, tuple[int, ...]] = {}
        won, drawn, lost, *shares = self._follow("." * 9)
        self.games = (won, drawn, lost)
        self.odds = tuple(Fraction(share, self._sequences("." * 9)) for share in shares)

    def _follow(self, board: str) -> tuple[int, ...]:
        """Return how many games from a board, and how many reply sequences, have each result."""
        if board not in self._results:
            self._results[board] = self._counts(board)
        return self._results[board]

    def _counts(self, board: str) -> tuple[int, ...]:
        following = after(board)
        if not following:
            is_won = referee.has_won(board, self.side)
            is_lost = referee.has_won(board, referee.opponent(self.side))
            if is_lost:
                self.lost.add(board)
            games = (is_won, not is_won and not is_lost, is_lost)
            shares = [self._sequences(board) * one for one in games]
            return (*games, *shares)
        if to_move(board) == self.side:
            self.met.add(board)
            return self._follow(following[self.moves[board]])
        counts = [self._follow(each) for each in following.values()]
        return tuple(map(sum, zip(*counts, strict=True)))

    def _sequences(self, board: str) -> int:
        """Return how many sequences of replies fill the board, as if no game ended earlier."""
        cells = board.count(".")
        if to_move(board) == self.side:
            cells -= 1
        return prod(range(cells, 0, -2))


def worst_against_perfect(side: Mark, moves: Moves) -> int:
    """Return a player's worst result against a perfect opponent: 1 a win, 0 a draw, -1 a loss."""

    @cache
    def worst(board: str) -> int:
        if referee.is_over(board):
            return referee.has_won(board, side) - referee.has_won(board, referee.opponent(side))
        if to_move(board) == side:
            return worst(after(board)[moves[board]])
        grades = referee.grade_of_moves(board, to_move(board), 9, counts_plies=False)
        best = max(result for result, _ in grades.values())
        replies = [cell for cell, (result, _) in grades.items() if result == best]
        return min(worst(after(board)[cell]) for cell in replies)

    return worst("." * 9)
