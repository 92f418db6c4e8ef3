"""The odds of a move: the exact chance of a win against random replies."""

from fractions import Fraction
from functools import cache
from math import prod

import pytest

from best_move.engine.odds import winning_sequences
from best_move.engine.position import Position
from best_move.engine.search import Search
from tests.engine.positions import TENTH
from tests.truth import referee


def odds(position: Position, depth: int = 9) -> Fraction:
    """Return the chance that the last mover wins within `depth` plies against random replies."""
    wins = winning_sequences(
        Search("distance"), position.own, position.opponent, depth, reply_is_next=True
    )
    return Fraction(wins, prod(range(9 - position.ply, 0, -2)))


@cache
def chance(board: str, to_move: str, mark: str, depth: int) -> Fraction:
    """Return the highest chance of a mark to win within `depth` plies against random moves."""
    moves = referee.moves(board) if depth else []
    if not moves:
        return Fraction(referee.has_won(board, mark))
    opponent = referee.opponent(to_move)
    chances = [
        chance(referee.play(board, to_move, move), opponent, mark, depth - 1) for move in moves
    ]
    return max(chances) if to_move == mark else sum(chances, Fraction(0)) / len(chances)


@pytest.mark.parametrize("depth", [0, 1, 3, 9])
def test_the_odds_are_the_chance_against_random_replies(depth: int) -> None:
    """After every move, the share of winning reply sequences is the chance by the rules."""
    for position in TENTH:
        if position.ply:
            last = referee.opponent(position.to_move)
            assert odds(position, depth) == chance(position.board, position.to_move, last, depth)
