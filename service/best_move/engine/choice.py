"""Choose a move: at the difficulty's rate a random one, else the best that the tie-break picks."""

from dataclasses import dataclass
from random import Random
from typing import Final, Literal, final

from best_move.engine.odds import winning_sequences
from best_move.engine.position import Position
from best_move.engine.score import is_decided, value
from best_move.engine.search import Line, Search, SearchFunction, best_line, every_line

Difficulty = Literal["perfect", "hard", "medium", "easy"]
TieBreak = Literal["first", "random", "trap", "best_odds"]

#  The rate at which a level plays a random legal move. `make levels` prints how often each level
#  wins.
RATES: Final[dict[Difficulty, float]] = {"perfect": 0.0, "hard": 0.05, "medium": 0.35, "easy": 1.0}

MAX_SEED: Final = 2**53 - 1  # the largest integer that every JSON parser reads exactly


@final
class Rng:
    """Random numbers for a question; with a seed, they depend only on the seed and the position."""

    def __init__(self, position: Position, seed: int | None) -> None:
        # Derived from the seed and the position, so that one seed serves a whole game.
        self._seed: str | None = None
        if seed is not None:
            self._seed = f"{seed} {position.board} {position.to_move}"
        self._random: Random | None = None

    @property
    def repeatable(self) -> bool:
        """Whether the question would get this choice again: no number was drawn without a seed."""
        return self._seed is not None or self._random is None

    def happens(self, rate: float) -> bool:
        """Return true with probability `rate`. A rate of 0 draws no number."""
        return rate > 0 and self._numbers().random() < rate

    def choice(self, lines: list[Line]) -> Line:
        """Return one of the lines, all equally likely. A single line draws no number."""
        if len(lines) == 1:
            return lines[0]
        return self._numbers().choice(lines)

    def _numbers(self) -> Random:
        if self._random is None:
            self._random = Random(self._seed)  # noqa: S311, a game
        return self._random


@final
class PositionSearch:
    """A position, and the search that scores its moves to depth `max_depth`."""

    def __init__(
        self, algorithm: SearchFunction, search: Search, position: Position, max_depth: int
    ) -> None:
        self.algorithm = algorithm
        self.search = search
        self.position = position
        self.max_depth = max_depth

    def mistakes(self, move: int) -> int:
        """Return how many replies to a move have a worse outcome than the best reply.

        An estimate counts as a draw.
        """
        after = self.position.after(move)
        depth = self.max_depth - 1
        if depth == 0 or not after.legal_moves:
            return 0
        lines = every_line(self.algorithm, self.search, after, depth)
        results = [value(line.score) if is_decided(line.score) else 0.0 for line in lines]
        return len(results) - results.count(results[0])

    def wins(self, move: int) -> int:
        """Return the number of sequences of random replies against which a move wins.

        Its side then plays for the most wins. Only wins within the depth limit count.
        """
        after = self.position.after(move)
        wins = winning_sequences(
            self.search, after.own, after.opponent, self.max_depth - 1, reply_is_next=True
        )
        return int(wins)


@final
@dataclass(frozen=True)
class Choice:
    """The line chosen, and the lines searched.

    `lines` has the line of every move, best first, or only that of the best move. `mistakes` is how
    many replies to the chosen move are mistakes; it is 0 unless the tie-break counted them.
    """

    line: Line
    lines: list[Line]
    mistakes: int = 0

    @property
    def optimal(self) -> bool:
        """Whether no line that was searched is better."""
        return self.line.score == self.lines[0].score


def choose(
    position_search: PositionSearch,
    rng: Rng,
    difficulty: Difficulty,
    tie_break: TieBreak,
    *,
    analysis: bool,
) -> Choice:
    """Search, and return a choice; if `analysis` is true, score all legal moves.

    The line of a finished board is empty.
    """
    algorithm = position_search.algorithm
    search = position_search.search
    position = position_search.position
    max_depth = position_search.max_depth
    moves = len(position.legal_moves)
    at_random = moves > 1 and rng.happens(RATES[difficulty])
    needs_all = analysis or at_random or tie_break != "first"
    if not moves or not needs_all:
        line = best_line(algorithm, search, position, max_depth)
        return Choice(line, [line])
    lines = every_line(algorithm, search, position, max_depth)
    if at_random:
        return Choice(rng.choice(lines), lines)
    return break_tie(tie_break, lines, rng, position_search)


def break_tie(
    tie_break: TieBreak, lines: list[Line], rng: Rng, position_search: PositionSearch
) -> Choice:
    """Return the choice among the best of the lines, which are those of all moves, best first."""
    best = best_lines(lines)
    match tie_break:
        case "first":
            return Choice(best[0], lines)
        case "random":
            return Choice(rng.choice(best), lines)
        case "trap":
            counts = [position_search.mistakes(line.moves[0]) for line in best]
            most = max(counts)
            return Choice(best[counts.index(most)], lines, most)
        case _:  # best_odds; consult has checked the word
            line = max(best, key=lambda line: position_search.wins(line.moves[0]))
            return Choice(line, lines)


def best_lines(lines: list[Line]) -> list[Line]:
    """Return the lines whose score equals that of the first."""
    return [line for line in lines if line.score == lines[0].score]
