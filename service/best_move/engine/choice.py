"""Choose a move: at the difficulty's rate a random one, else the best that the tie-break picks."""

from dataclasses import dataclass
from random import Random
from typing import Final, final

from best_move.engine import ALGORITHMS
from best_move.engine.odds import winning_sequences
from best_move.engine.question import Difficulty, Question
from best_move.engine.score import Assessment, assess, is_decided, value
from best_move.engine.search import Line, Search, best_line, every_line

#  The rate at which a level plays a random legal move.
RATES: Final[dict[Difficulty, float]] = {"perfect": 0.0, "hard": 0.05, "medium": 0.35, "easy": 1.0}


@final
class Rng:
    """Random numbers for a question; with a seed, they depend only on the seed and the position."""

    def __init__(self, question: Question) -> None:
        # Derived from the seed and the position, so that one seed serves a whole game.
        self._seed: str | None = None
        if question.seed is not None:
            position = question.position
            self._seed = f"{question.seed} {position.board} {position.to_move}"
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


def choose(question: Question, search: Search, rng: Rng) -> Choice:
    """Search, and return a choice; the line of a finished board is empty."""
    algorithm = ALGORITHMS[question.algorithm]
    moves = len(question.position.legal_moves)
    at_random = moves > 1 and rng.happens(RATES[question.difficulty])
    needs_all = question.analysis or at_random or question.tie_break != "first"
    if not moves or not needs_all:
        line = best_line(algorithm, search, question.position, question.max_depth)
        return Choice(line, [line])
    lines = every_line(algorithm, search, question.position, question.max_depth)
    if at_random:
        return Choice(rng.choice(lines), lines)
    return break_tie(question, search, rng, lines)


def break_tie(question: Question, search: Search, rng: Rng, lines: list[Line]) -> Choice:
    """Return the choice among the best of the lines, which are those of all moves, best first."""
    best = best_lines(lines)
    match question.tie_break:
        case "first":
            return Choice(best[0], lines)
        case "random":
            return Choice(rng.choice(best), lines)
        case "trap":
            counts = [count_mistakes(question, search, line.moves[0]) for line in best]
            most = max(counts)
            return Choice(best[counts.index(most)], lines, most)
        case _:  # best_odds; consult has checked the word
            counts = [count_wins(question, search, line.moves[0]) for line in best]
            return Choice(best[counts.index(max(counts))], lines)


def best_lines(lines: list[Line]) -> list[Line]:
    """Return the lines whose score equals that of the first."""
    return [line for line in lines if line.score == lines[0].score]


def count_mistakes(question: Question, search: Search, move: int) -> int:
    """Return how many replies to a move have a worse outcome than the best reply.

    An estimate counts as a draw.
    """
    after = question.position.after(move)
    depth = question.max_depth - 1
    if depth == 0 or not after.legal_moves:
        return 0
    lines = every_line(ALGORITHMS[question.algorithm], search, after, depth)
    results = [value(line.score) if is_decided(line.score) else 0.0 for line in lines]
    return len(results) - results.count(results[0])


def count_wins(question: Question, search: Search, move: int) -> int:
    """Return the number of sequences of random replies against which a move wins.

    Its side then plays for the most wins. Only wins within the depth limit count.
    """
    after = question.position.after(move)
    depth = question.max_depth - 1
    return int(winning_sequences(search, after.own, after.opponent, depth, reply_is_next=True))


def assess_line(question: Question, line: Line) -> Assessment:
    """Return what a line of the search leads to."""
    return assess(
        line.score,
        question.position.ply,
        question.max_depth,
        question.scoring,
        is_over=not line.moves,
    )
