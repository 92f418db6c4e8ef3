"""Players to review, each a mapping from boards to moves or frequencies, and their games.

Only `review_of` needs the service: it returns the service's own review.
"""

import random
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import TypeVar

from best_move.engine.position import Mark
from best_move.player import Verdict, review_player
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
def perfect() -> Moves:
    """Return the moves of the perfect player: the first best one on each board."""
    return table(lambda board: referee.best_moves(board, to_move(board))[0])


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


def random_frequencies(seed: int, rate: float) -> Frequencies:
    """Return the frequencies of a player that chooses at random, but not on some boards."""
    rng = random.Random(seed)  # noqa: S311, a game
    frequencies = {}
    for board, cells in boards().items():
        count = 1 if rng.random() < rate else rng.randint(1, len(cells))
        chosen = rng.sample(cells, count)
        frequencies[board] = [rng.randint(1, 20) * (cell in chosen) for cell in range(9)]
    return frequencies


def may_play(entry: int | Sequence[float], cell: int) -> bool:
    """Return whether a player may play a cell on the board of an entry."""
    return entry == cell if isinstance(entry, int) else bool(entry[cell])


def possible_games(side: Mark, player: Moves | Frequencies) -> dict[str, int]:
    """Return how many games lead to each board that a player can meet or end at."""
    games = {"." * 9: 1}
    for ply in range(9):
        for board in [board for board in games if board.count(".") == 9 - ply]:
            for cell, following in after(board).items():
                if to_move(board) != side or may_play(player[board], cell):
                    games[following] = games.get(following, 0) + games[board]
    return games


def met(side: Mark, player: Moves | Frequencies) -> set[str]:
    """Return the boards on which a player can have to move."""
    return own(side, possible_games(side, player)).keys() & boards().keys()


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
