"""Which move is played: sometimes any, by difficulty; else a best one, by how ties are broken."""

from random import Random
from typing import Final, Literal

from service.engine.position import Position
from service.engine.score import is_decided
from service.engine.search import Algorithm, Line, Search, every_line

Difficulty = Literal["perfect", "hard", "medium", "easy"]
TieBreak = Literal["first", "random", "trap"]

#  How often a move is drawn at random from all legal ones. Measured, not guessed: `make levels` plays the levels.
RATES: Final[dict[Difficulty, float]] = {"perfect": 0.0, "hard": 0.05, "medium": 0.35, "easy": 1.0}


def dice(position: Position, seed: int | None) -> Random:
    """Return a source of chance: with a seed the same for the same position, and another for every other."""
    return Random() if seed is None else Random(f"{seed} {position.board} {position.to_move}")  # noqa: S311, a game


def tied(lines: list[Line]) -> list[Line]:
    """Return the lines as good as the first, by cell, of lines in order of their scores."""
    return [line for line in lines if line.score == lines[0].score]


def mistakes(algorithm: Algorithm, search: Search, after: Position, depth: int) -> tuple[int, int]:
    """Return how many replies to a move throw something away, and how many replies there are.

    A reply throws something away if another has a better result: a win for a draw or a loss, or a draw for a loss.
    What lies beyond the horizon, `depth` plies from the reply's position, counts as neither won nor lost.
    """
    if depth == 0 or not after.legal_moves:
        return 0, len(after.legal_moves)
    results = [_result(line) for line in every_line(algorithm, search, after, depth)]
    return sum(result < results[0] for result in results), len(results)


def _result(line: Line) -> int:
    if not is_decided(line.score):
        return 0
    return 1 if line.score > 0 else -1
