"""The levels and tie-breaks by their rules, and what players win on average, computed exactly.

No game is played: results are expectations over all random choices. X moves first, because no rule
depends on the mark. Only the rates of random moves are the engine's.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache

from best_move.engine.choice import RATES
from best_move.engine.question import Difficulty
from tests.truth import referee
from tests.truth.players import after, to_move

Moves = Callable[[str], list[int]]
"""A function from a board to some of the legal moves."""

Player = Callable[[str], Mapping[int, Fraction]]
"""A function from a board to the probability of each move."""

Payoffs = tuple[int, int, int]
"""The payoffs of games that a side wins, draws and loses."""

WIN: Payoffs = (1, 0, 0)
DRAW: Payoffs = (0, 1, 0)
LOSS: Payoffs = (0, 0, 1)


def expectation(
    side: str, player: Moves | Player, opponent: Moves | Player, payoffs: Payoffs
) -> Callable[[str], Fraction]:
    """Return a function from a board to the payoff that a side expects.

    Whoever has several moves without probabilities maximizes that payoff.
    """

    @cache
    def expected(board: str) -> Fraction:
        if referee.is_over(board):
            won = referee.has_won(board, side)
            lost = referee.has_won(board, referee.opponent(side))
            return Fraction(payoffs[1 + lost - won])
        choices = (player if to_move(board) == side else opponent)(board)
        payoff = {move: expected(after(board)[move]) for move in choices}
        if isinstance(choices, Mapping):
            return sum((choices[move] * payoff[move] for move in payoff), Fraction(0))
        return max(payoff.values())

    return expected


@cache
def results(side: str, player: Player, opponent: Player) -> tuple[Fraction, ...]:
    """Return the shares of games that a player wins, draws and loses as a side."""
    won, drawn = (expectation(side, player, opponent, each)("." * 9) for each in (WIN, DRAW))
    return won, drawn, 1 - won - drawn


def best_response(side: str, player: Player, payoffs: Payoffs) -> Fraction:
    """Return the highest payoff that an opponent who knows the player can expect."""
    return expectation(side, player, referee.moves, payoffs)("." * 9)


def outcomes(board: str) -> dict[int, int]:
    """Return the result of best play after each move, for its side."""
    grades = referee.grade_of_moves(board, to_move(board), 9, counts_plies=False)
    return {move: result for move, (result, _) in grades.items()}


def best_moves(board: str) -> list[int]:
    """Return the moves with the highest score."""
    return referee.best_moves(board, to_move(board))


def safe_moves(board: str) -> list[int]:
    """Return the moves after which best play does not lose."""
    return [move for move, outcome in outcomes(board).items() if outcome >= 0]


def trap(board: str) -> list[int]:
    """Return the first of the best moves after which the most replies are mistakes."""

    def mistakes(move: int) -> int:
        replies = [*outcomes(after(board)[move]).values()]
        return sum(outcome < max(replies) for outcome in replies)

    return [max(best_moves(board), key=mistakes)]


@cache
def random_moves(board: str) -> dict[int, Fraction]:
    """Return each legal move with the same probability."""
    moves = referee.moves(board)
    return dict.fromkeys(moves, Fraction(1, len(moves)))


CHANCES = {side: expectation(side, best_moves, random_moves, WIN) for side in "XO"}


def best_odds(board: str) -> list[int]:
    """Return the first of the best moves with the highest chance to win against random replies."""
    chance = CHANCES[to_move(board)]
    return [max(best_moves(board), key=lambda move: chance(after(board)[move]))]


#  The moves that each tie-break allows, which are equally likely.
TIE_BREAKS: dict[str, Moves] = {
    "first": lambda board: best_moves(board)[:1],
    "random": best_moves,
    "trap": trap,
    "best_odds": best_odds,
}


@cache
def oracle(difficulty: Difficulty = "perfect", tie_break: str = "first") -> Player:
    """Return the player that plays like the service with these options."""
    rate = Fraction(str(RATES[difficulty]))

    @cache
    def player(board: str) -> dict[int, Fraction]:
        chosen = TIE_BREAKS[tie_break](board)
        chances = {move: rate * chance for move, chance in random_moves(board).items()}
        for move in chosen:
            chances[move] += (1 - rate) / len(chosen)
        return {move: chance for move, chance in chances.items() if chance}

    return player
