"""The levels, played: `make levels` prints how often each wins, draws and loses.

Every pairing plays from both sides, with either side starting, the same number of seeded games, so that the table comes
out the same every time.
"""

import random
import sys
from collections import Counter
from dataclasses import dataclass
from itertools import product
from typing import Protocol, get_args

from service.engine.choice import TIE_BREAKS, Difficulty
from service.engine.position import Position
from service.oracle import Question, consult

GAMES = 250  # for each side and each starter


class Player(Protocol):
    """Somebody who chooses a move; `game` is the number of the game, which seeds all chance."""

    def move(self, position: Position, game: int) -> int:
        """Return a legal move."""
        ...


@dataclass(frozen=True)
class Oracle:
    """The oracle at a level."""

    difficulty: Difficulty = "perfect"
    tie_break: str = "first"

    def move(self, position: Position, game: int) -> int:
        """Return the oracle's move."""
        question = Question(
            position, "transposition_table", difficulty=self.difficulty, tie_break=self.tie_break, seed=game
        )
        move = consult(question).move
        assert move is not None
        return move


class AnyMove:
    """Somebody who plays any legal move."""

    def move(self, position: Position, game: int) -> int:
        """Return a random legal move."""
        return random.Random(f"{game} any {position.board}").choice(position.legal_moves)  # noqa: S311, a game


def play(first: Player, second: Player, games: int) -> tuple[float, float, float]:
    """Return the shares of games that the first player wins, draws and loses."""
    results: Counter[str] = Counter()
    for game, side, starter in product(range(games), ("X", "O"), ("X", "O")):
        position = Position.parse(".........", "X" if starter == "X" else "O")
        while position.legal_moves:
            player = first if position.to_move == side else second
            position = position.after(player.move(position, game))
        won = {"x_won": "X", "o_won": "O"}.get(position.status)
        results["drawn" if won is None else "won" if won == side else "lost"] += 1
    total = sum(results.values())
    return results["won"] / total, results["drawn"] / total, results["lost"] / total


#  Those who are compared, and whom they play: a perfect opponent, who is random among equal moves, and random moves.
PLAYERS: dict[str, Player] = {
    **{f"`difficulty={level}`": Oracle(level) for level in get_args(Difficulty)},
    **{f"`tie_break={tie_break}`": Oracle(tie_break=tie_break) for tie_break in TIE_BREAKS if tie_break != "first"},
}
OPPONENTS: dict[str, Player] = {"a perfect opponent": Oracle(tie_break="random"), "random moves": AnyMove()}


def table(games: int) -> str:
    """Return the results of every pairing as a Markdown table."""
    rows = ["| player | against | won | drawn | lost |", "| --- | --- | ---: | ---: | ---: |"]
    for player, opponent in product(PLAYERS, OPPONENTS):
        shares = " | ".join(f"{share:.0%}" for share in play(PLAYERS[player], OPPONENTS[opponent], games))
        rows.append(f"| {player} | {opponent} | {shares} |")
    return "\n".join(rows)


if __name__ == "__main__":
    sys.stdout.write(table(GAMES) + "\n")
