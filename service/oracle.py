"""The one door to the engine: a question about a position in, the best move and what it cost out."""

from dataclasses import dataclass
from time import perf_counter

from service.engine import ALGORITHMS
from service.engine.position import CELLS, Position
from service.engine.score import Outcome, Scoring, distance, is_decided, outcome, value
from service.engine.search import Line, Search, best_line, every_line


@dataclass(frozen=True, slots=True)
class Question:
    """A position, and how to search it: `algorithm` is a name of the registry, `max_depth` is in plies."""

    position: Position
    algorithm: str = "alphabeta"
    scoring: Scoring = "distance"
    max_depth: int = CELLS
    analysis: bool = False


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
    """The best move, of equal ones the lowest cell, None on a finished board; and the line of play that it begins.

    `nodes` are the nodes visited, the root included, and `elapsed_ms` the milliseconds that this took. `moves`
    assesses every legal move, best first, where the question asked for an analysis.
    """

    question: Question
    move: int | None
    assessment: Assessment
    principal_variation: tuple[int, ...]
    nodes: int
    elapsed_ms: float
    moves: dict[int, Assessment] | None


def consult(question: Question) -> Answer:
    """Search for the best move. The same question has the same answer and the same nodes, always."""
    position = question.position
    algorithm = ALGORITHMS[question.algorithm]
    search = Search(question.scoring)
    lines: list[Line] = []
    start = perf_counter()
    if question.analysis and position.legal_moves:
        lines = every_line(algorithm, search, position, question.max_depth)
    best = lines[0] if lines else best_line(algorithm, search, position, question.max_depth)
    elapsed_ms = (perf_counter() - start) * 1000
    return Answer(
        question=question,
        move=best.moves[0] if best.moves else None,
        assessment=_assess(best, question),
        principal_variation=best.moves,
        nodes=search.nodes,
        elapsed_ms=round(elapsed_ms, 3),
        moves={line.moves[0]: _assess(line, question) for line in lines} if question.analysis else None,
    )


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
