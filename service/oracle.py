"""The one door to the engine: a question about a position in, the best move and what it cost out."""

from dataclasses import dataclass
from time import perf_counter

from service.engine import ALGORITHMS
from service.engine.choice import RATES, Difficulty, TieBreak, dice, mistakes, tied
from service.engine.position import CELLS, Position, other
from service.engine.reason import Reason, reason
from service.engine.score import Outcome, Scoring, distance, is_decided, outcome, value
from service.engine.search import Line, Search, best_line, every_line
from service.engine.text import move_text, outcome_text, over_text, trap_text


@dataclass(frozen=True, slots=True)
class Question:
    """A position, how to search it, and how to choose among what is found.

    `algorithm` is a name of the registry, `max_depth` is in plies. Chance comes in by `difficulty` and by
    `tie_break`; a `seed` makes it repeatable.
    """

    position: Position
    algorithm: str = "alphabeta"
    scoring: Scoring = "distance"
    max_depth: int = CELLS
    analysis: bool = False
    difficulty: Difficulty = "perfect"
    tie_break: TieBreak = "first"
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class Assessment:
    """What a move leads to, for the side that makes it.

    `exact` is false where the horizon could have changed the value; the outcome is then unknown. `distance` is the
    plies from the question's position to the end of the game, None where the search did not count them.
    """

    value: float
    outcome: Outcome
    distance: int | None
    exact: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """The move, None on a finished board, what it leads to, and the line of play that it begins.

    `optimal` is false where the search knew a better move, and `repeatable` where chance could answer the same
    question otherwise. `reason` is the move's, in a word, and `text` tells it with what follows. `nodes` are the
    nodes visited, the root included, and `elapsed_ms` the milliseconds that this took. `moves` assesses every legal
    move, best first, where the question asked for an analysis.
    """

    question: Question
    move: int | None
    after: Position | None
    assessment: Assessment
    optimal: bool
    repeatable: bool
    reason: Reason | None
    text: str
    principal_variation: tuple[int, ...]
    nodes: int
    elapsed_ms: float
    moves: dict[int, Assessment] | None


@dataclass(frozen=True, slots=True)
class _Choice:
    """The lines that were searched, best first, the one chosen, and how many replies to it are mistakes."""

    lines: list[Line]
    chosen: Line
    repeatable: bool = True
    mistakes: int = 0
    replies: int = 0


def consult(question: Question) -> Answer:
    """Search, and choose a move. Without chance, the same question has the same answer and the same nodes, always."""
    position = question.position
    search = Search(question.scoring)
    start = perf_counter()
    choice = _choose(question, search)
    elapsed_ms = round((perf_counter() - start) * 1000, 3)
    line = choice.chosen
    assessment = _assess(line, question)
    optimal = line.score == choice.lines[0].score
    move: int | None = None
    after: Position | None = None
    why: Reason | None = None
    text = over_text(position)
    if line.moves:
        move = line.moves[0]
        after = position.after(move)
        why = reason(position.own, position.opponent, move)
        does = move_text(position, move, why, optimal=optimal)
        text = f"{does} {_follows(choice, assessment, after, question.max_depth)}"
    return Answer(
        question=question,
        move=move,
        after=after,
        assessment=assessment,
        optimal=optimal,
        repeatable=choice.repeatable,
        reason=why,
        text=text,
        principal_variation=line.moves,
        nodes=search.nodes,
        elapsed_ms=elapsed_ms,
        moves={each.moves[0]: _assess(each, question) for each in choice.lines if each.moves}
        if question.analysis
        else None,
    )


def _choose(question: Question, search: Search) -> _Choice:
    position, depth, tie_break = question.position, question.max_depth, question.tie_break
    algorithm = ALGORITHMS[question.algorithm]
    moves = len(position.legal_moves)
    rate = RATES[question.difficulty] if moves > 1 else 0.0
    chance = dice(position, question.seed) if rate or tie_break == "random" else None
    drawn = chance is not None and chance.random() < rate
    repeatable = not rate or question.seed is not None
    if not moves or not (drawn or question.analysis or tie_break != "first"):
        line = best_line(algorithm, search, position, depth)
        return _Choice([line], line, repeatable)
    lines = every_line(algorithm, search, position, depth)
    if drawn and chance:
        return _Choice(lines, chance.choice(lines), repeatable)
    best = tied(lines)
    if tie_break == "random" and chance:
        return _Choice(lines, chance.choice(best), repeatable and (len(best) == 1 or question.seed is not None))
    if tie_break == "trap":
        traps = [mistakes(algorithm, search, position.after(line.moves[0]), depth - 1) for line in best]
        most = max(traps)
        return _Choice(lines, best[traps.index(most)], repeatable, *most)
    return _Choice(lines, lines[0], repeatable)


def _follows(choice: _Choice, assessment: Assessment, after: Position, depth: int) -> str:
    if after.status != "in_progress":
        return over_text(after)
    mover = other(after.to_move)
    trap = trap_text(mover, assessment.outcome, choice.mistakes, choice.replies)
    return outcome_text(mover, assessment.outcome, assessment.distance, depth, trap)


def _assess(line: Line, question: Question) -> Assessment:
    ply = question.position.ply
    # A draw fills the board, so a search that stops short of that finds only decided scores and estimates.
    exact = is_decided(line.score) or question.max_depth >= CELLS - ply
    return Assessment(
        value=value(line.score),
        outcome=outcome(line.score, exact=exact),
        distance=_distance(line, question) if exact else None,
        exact=exact,
    )


def _distance(line: Line, question: Question) -> int | None:
    if not line.moves:
        return 0
    return distance(line.score, question.position.ply) if question.scoring == "distance" else None
