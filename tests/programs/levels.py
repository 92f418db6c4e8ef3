"""The exact strength of levels and tie-breaks: `make levels` prints the README's tables.

A player gives each move a probability, by the rates in choice.py and by tie-breaks that are
restated here. No game is played: results are expectations over all random choices. X always moves
first, because no rule depends on the mark.
"""

import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache, partial

from best_move.engine.choice import RATES
from best_move.engine.question import Difficulty
from tests.truth import referee

EMPTY = "." * 9

Moves = Callable[[str, str], list[int]]
"""A function that gets a board and the side to move and returns some of the legal moves."""

Player = Callable[[str, str], dict[int, Fraction]]
"""A function that gets a board and the side to move and returns the probability of each move."""

Shares = tuple[Fraction, Fraction, Fraction]
"""The shares of games won, drawn and lost."""

Payoffs = tuple[int, int, int]
"""The payoffs of games that the player wins, draws and loses."""

Expectation = Callable[[str, str], Fraction]
"""A function that gets a board and the side to move and returns the expected payoff."""

WIN: Payoffs = (1, 0, 0)
DRAW: Payoffs = (0, 1, 0)
LOSS: Payoffs = (0, 0, 1)


def legal_moves(board: str, to_move: str) -> list[int]:  # noqa: ARG001, a function of moves
    """Return the legal moves."""
    return referee.moves(board)


@cache
def best_moves(board: str, to_move: str) -> list[int]:
    """Return the moves with the highest score."""
    grades = referee.grade_of_moves(board, to_move, 9, counts_plies=True)
    return [move for move in grades if grades[move] == max(grades.values())]


def safe_moves(board: str, to_move: str) -> list[int]:
    """Return the moves after which best play does not lose."""
    grades = referee.grade_of_moves(board, to_move, 9, counts_plies=False)
    return [move for move, (outcome, _) in grades.items() if outcome >= 0]


def mistakes(board: str, to_move: str, move: int) -> int:
    """Return how many replies to a move have a worse outcome than the best reply."""
    after = referee.play(board, to_move, move)
    grades = referee.grade_of_moves(after, referee.opponent(to_move), 9, counts_plies=False)
    outcomes = [outcome for outcome, _ in grades.values()]
    return sum(outcome < max(outcomes) for outcome in outcomes)


def expectation(
    player: Moves | Player, opponent: Moves | Player, mark: str, payoffs: Payoffs
) -> Expectation:
    """Return the expected payoff for each board and side to move; the player is `mark`.

    A side with probabilities plays by them; a side with a list of moves maximizes the payoff.
    """

    @cache
    def expected(board: str, to_move: str) -> Fraction:
        if referee.is_over(board):
            return Fraction(payoffs[result(board, mark)])
        choices = (player if to_move == mark else opponent)(board, to_move)
        after = {
            move: expected(referee.play(board, to_move, move), referee.opponent(to_move))
            for move in choices
        }
        if isinstance(choices, list):
            return max(after.values())
        return sum((choices[move] * after[move] for move in after), Fraction(0))

    return expected


@cache
def chance(moves: Moves, mark: str) -> Expectation:
    """Return the highest chance to win against random moves by moves that `moves` allows."""
    return expectation(moves, random_moves, mark, WIN)


def trap(board: str, to_move: str) -> list[int]:
    """Return a list with one move: the best move after which the most replies are mistakes."""
    return [max(best_moves(board, to_move), key=partial(mistakes, board, to_move))]


def best_odds(board: str, to_move: str) -> list[int]:
    """Return a list with the best move that has the best chance against random replies."""
    chance_of = chance(best_moves, to_move)
    chances = {
        move: chance_of(referee.play(board, to_move, move), referee.opponent(to_move))
        for move in best_moves(board, to_move)
    }
    return [max(chances, key=chances.__getitem__)]


#  For each tie-break, a function that returns its moves, which are equally likely.
TIE_BREAKS: dict[str, Moves] = {
    "first": lambda board, to_move: best_moves(board, to_move)[:1],
    "random": best_moves,
    "trap": trap,
    "best_odds": best_odds,
}


@cache
def oracle(difficulty: Difficulty = "perfect", tie_break: str = "first") -> Player:
    """Return the player that plays like the service with these options."""
    rate = Fraction(str(RATES[difficulty]))

    @cache
    def player(board: str, to_move: str) -> dict[int, Fraction]:
        legal, chosen = referee.moves(board), TIE_BREAKS[tie_break](board, to_move)
        rates = {
            move: rate / len(legal) + (1 - rate) * Fraction(move in chosen, len(chosen))
            for move in legal
        }
        return {move: probability for move, probability in rates.items() if probability}

    return player


@cache
def random_moves(board: str, to_move: str) -> dict[int, Fraction]:  # noqa: ARG001, a player
    """Return each legal move with the same probability."""
    moves = referee.moves(board)
    return dict.fromkeys(moves, Fraction(1, len(moves)))


OPPONENTS: dict[str, Player] = {"perfect": oracle(tie_break="random"), "random moves": random_moves}


def result(board: str, mark: str) -> int:
    """Return 0 if a side has won on a finished board, 1 if it is a draw, and 2 if it has lost."""
    won, lost = (referee.has_won(board, side) for side in (mark, referee.opponent(mark)))
    return 1 + lost - won


@cache
def results(player: Player, opponent: Player, mark: str) -> Shares:
    """Return the shares of games that a player wins, draws and loses as `mark`; X moves first."""
    won = expectation(player, opponent, mark, WIN)(EMPTY, "X")
    drawn = expectation(player, opponent, mark, DRAW)(EMPTY, "X")
    return won, drawn, 1 - won - drawn


def best_response(player: Player, mark: str, payoffs: Payoffs) -> Expectation:
    """Return the highest payoff that an opponent who knows the player can expect."""
    return expectation(player, legal_moves, mark, payoffs)


def limit(mark: str) -> Fraction:
    """Return the highest share of wins against random moves without ever risking a loss."""
    return chance(safe_moves, mark)(EMPTY, "X")


def levels_table() -> list[list[str]]:
    """Return the shares of games that each level wins, draws and loses, by opponent.

    They are those for moving first, for moving second, and their averages.
    """
    rows = []
    for difficulty in RATES:
        for name, opponent in OPPONENTS.items():
            shares = with_average(
                *(results(oracle(difficulty), opponent, mark) for mark in ("X", "O"))
            )
            rows.append(
                [f"`{difficulty}`", name, *(" / ".join(map(percent, each)) for each in shares)]
            )
        losses = with_average(*((worst_loss(oracle(difficulty), mark),) for mark in ("X", "O")))
        rows.append(
            [f"`{difficulty}`", "who knows it", *(f"{percent(loss)} lost" for (loss,) in losses)]
        )
    return rows


def worst_loss(player: Player, mark: str) -> Fraction:
    """Return the highest share of games that a player loses to an opponent who knows it."""
    return best_response(player, mark, LOSS)(EMPTY, "X")


def with_average(first: Sequence[Fraction], second: Sequence[Fraction]) -> list[Sequence[Fraction]]:
    """Return two rows of shares, and their averages."""
    return [first, second, [(one + other) / 2 for one, other in zip(first, second, strict=True)]]


def tie_breaks_table() -> list[list[str]]:
    """Return the share of games against random moves that each tie-break wins, and the limit."""
    wins = {
        f"`{name}`": [results(oracle(tie_break=name), random_moves, mark)[0] for mark in ("X", "O")]
        for name in TIE_BREAKS
    }
    wins["the limit"] = [limit(mark) for mark in ("X", "O")]
    return [
        [name, *(f"{share} = {percent(share)}%" for share in shares)]
        for name, shares in wins.items()
    ]


def percent(share: Fraction) -> str:
    """Return a share in percent with two decimals, or without decimals if it is exactly 0 or 1."""
    return f"{float(100 * share):.2f}" if 0 < share < 1 else f"{100 * share}"


def main() -> None:
    """Print both tables as Markdown."""
    for header, rows in (
        (["level", "opponent", "moving first", "moving second", "both"], levels_table()),
        (["tie-break", "moving first", "moving second"], tie_breaks_table()),
    ):
        lines = [header, ["---"] * len(header), *rows]
        sys.stdout.write("".join(f"| {' | '.join(line)} |\n" for line in lines) + "\n")


if __name__ == "__main__":
    main()
