"""Answers: what the oracle says, or the problem that there is instead, written as JSON with its headers."""

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Annotated, Any, Final, Literal, NotRequired
from wsgiref.types import StartResponse, WSGIEnvironment

from flask import Response
from pydantic import Field
from pydantic_core import to_json
from typing_extensions import TypeAliasType, TypedDict
from werkzeug.datastructures import Headers
from werkzeug.exceptions import MethodNotAllowed

from service.engine import position
from service.engine.search_tree import MAX_NODES, Node, TreeQuestion
from service.engine.search_tree_text import cut_text
from service.oracle import Answer, Assessment
from service.web.api.enums import (
    Algorithm,
    Bound,
    Cell,
    Difficulty,
    Mark,
    Outcome,
    Reason,
    Scoring,
    Side,
    Status,
    TieBreak,
    TracedAlgorithm,
)
from service.web.api.problems import Problem, allowed, problem_of
from service.web.lean_flask import WholeResponse, current_request

NOT_STORED: Final = ("Cache-Control", "no-store")
JSON: Final = ("Content-Type", "application/json")

Cells = Sequence[Cell]
Value = Annotated[
    float,
    Field(ge=-1, le=1, description="For the mover: 1 a win, 0 a draw, -1 a loss; strictly between for an estimate."),
]
Distance = Annotated[
    int | None,
    Field(
        ge=0,
        le=9,
        description="Plies to the end of the game with best play; 0 if it is over; null if not exact, and with "
        "`scoring=outcome`.",
    ),
]

Limit = Annotated[int | None, Field(ge=-100, le=100)]

#  Answers are typed dictionaries: what the oracle says needs a schema and the quickest way to JSON, no validation.


class Position(TypedDict):
    """A position of the game."""

    board: Annotated[str, Field(pattern="^[XO.]{9}$", description="Nine characters, row by row; '.' is empty.")]
    to_move: Annotated[Mark, Field(description="The side to move; on a finished board, the side that would be.")]
    status: Annotated[Status, Field(description="Whether the game goes on, and if not how it ended.")]
    winning_line: Annotated[Cells, Field(description="The three cells of the line that won; empty if none has.")]


class ScoredMove(TypedDict):
    """A legal move, and what it leads to for the side that makes it."""

    move: Annotated[Cell, Field(description="The move.")]
    value: Value
    outcome: Annotated[Outcome, Field(description="The value as a word; `unknown` for an estimate.")]
    distance: Distance


class LastingAnswer(TypedDict):
    """What the same question is answered again, which is all but the time taken."""

    move: Annotated[Cell | None, Field(description="The move; null if the game is over.")]
    value: Value
    outcome: Annotated[Outcome, Field(description="The value as a word; `unknown` if not exact.")]
    distance: Distance
    exact: Annotated[bool, Field(description="False where the horizon could have changed the value.")]
    optimal: Annotated[bool, Field(description="False if the search knew a better move than the one returned.")]
    reason: Annotated[
        Reason | None,
        Field(description="Why, as a fact of the board: the first rule of Newell and Simon (1972) that fits."),
    ]
    text: Annotated[str, Field(description="What the move does and what follows from it, in plain English.")]
    principal_variation: Annotated[Cells, Field(description="The line of best play found; it starts with the move.")]
    nodes: Annotated[int, Field(ge=1, description="Nodes visited, the root included: calls of the recursive function.")]
    algorithm: Annotated[Algorithm, Field(description="As used.")]
    scoring: Annotated[Scoring, Field(description="As used.")]
    max_depth: Annotated[int, Field(ge=1, le=9, description="As used.")]
    difficulty: Annotated[Difficulty, Field(description="As used.")]
    tie_break: Annotated[TieBreak, Field(description="As used.")]
    position: Annotated[Position, Field(description="The position that was searched.")]
    after: Annotated[Position | None, Field(description="The position after the move, to play on from; null without.")]
    moves: NotRequired[
        Annotated[
            list[ScoredMove],
            Field(description="With `analysis`: every legal move, the best first, equal ones by cell."),
        ]
    ]


class BestMove(LastingAnswer):
    """The move, what it leads to for the side to move, and what it took to find it."""

    elapsed_ms: Annotated[float, Field(ge=0, description="Milliseconds that the search alone took.")]


def _one_of(schema: dict[str, Any]) -> None:
    """Make alternatives exclusive: of `anyOf`, some generators make one type that has the fields of all."""
    schema["oneOf"] = schema.pop("anyOf")


BestMoveOrProblem = TypeAliasType("BestMoveOrProblem", Annotated[BestMove | Problem, Field(json_schema_extra=_one_of)])


class BestMoves(TypedDict):
    """The answers to many questions, in their order."""

    answers: list[BestMoveOrProblem]


class Cut(TypedDict):
    """A cut of alpha-beta: the moves that it left off, and why."""

    by: Annotated[Cell, Field(description="The move that made the cut.")]
    pruned: Annotated[Cells, Field(description="The moves never tried.")]
    text: Annotated[str, Field(description="What the opponent already has, and what it would get here, in English.")]


class SearchTreeNode(TypedDict):
    """A position that the search visited, and what it found there, all for MAX."""

    move: Annotated[Cell | None, Field(description="The move that led here; null at the root.")]
    board: Annotated[str, Field(pattern="^[XO.]{9}$", description="Nine characters, row by row; '.' is empty.")]
    side: Annotated[Side, Field(description="Whether MAX or MIN is to move.")]
    visit: Annotated[int, Field(ge=1, description="Its place in the order of visits.")]
    depth: Annotated[int, Field(ge=0, le=9, description="Plies still to search.")]
    alpha: Annotated[Limit, Field(description="On entry, what MAX is sure of elsewhere; null for nothing.")]
    beta: Annotated[Limit, Field(description="On entry, what MIN is sure of elsewhere; null for nothing.")]
    score: Annotated[int, Field(ge=-100, le=100, description="The integer that the search compares.")]
    bound: Annotated[Bound, Field(description="Whether the score is exact, or the true one at least or at most that.")]
    value: Annotated[float, Field(ge=-1, le=1, description="For MAX: 1 a win, 0 a draw, -1 a loss; else an estimate.")]
    outcome: Annotated[Outcome, Field(description="The value as a word; `unknown` for an estimate.")]
    distance: Distance
    nodes: Annotated[int, Field(ge=1, description="Nodes visited from here on down, this one included.")]
    cut: Annotated[Cut | None, Field(description="Why some moves were not tried; null if all were.")]
    best: Annotated[Cell | None, Field(description="The move that has the score; null where no child is answered.")]
    href: Annotated[str | None, Field(description="Where to get what lies below, if that was left out; else null.")]
    children: Annotated[list["SearchTreeNode"], Field(description="In the order of the search.")]


class SearchTree(TypedDict):
    """A search as the tree that textbooks draw: unlike all else here, seen from MAX, the side `maximizer`."""

    algorithm: Annotated[TracedAlgorithm, Field(description="As used.")]
    scoring: Annotated[Scoring, Field(description="As used.")]
    max_depth: Annotated[int, Field(ge=1, le=9, description="As used.")]
    levels: Annotated[int, Field(ge=0, le=9, description="As used: the plies below the root that are answered.")]
    maximizer: Annotated[Mark, Field(description="The side that is MAX; the other is MIN.")]
    alpha: Annotated[Limit, Field(description="As used.")]
    beta: Annotated[Limit, Field(description="As used.")]
    nodes: Annotated[int, Field(ge=1, description="Nodes visited, those that are left out included.")]
    tree: Annotated[SearchTreeNode, Field(description=f"The root. It and all below are {MAX_NODES:,} nodes at most.")]


class Health(TypedDict):
    """The state of the service."""

    status: Literal["ok"]
    version: str
    engine: Annotated[Literal["compiled", "interpreted"], Field(description="The form in which the engine runs.")]


class PreparedResponse(WholeResponse):
    """An answer as JSON that goes out with the status and the headers that it has, hooks' included.

    Werkzeug would look through the headers twice for what an answer never has: a Location, a status without content.
    Nor are functions called that were to be called on its close.
    """

    default_mimetype = None  # it is among the headers

    def __init__(self, body: bytes, headers: Iterable[tuple[str, str]]) -> None:
        prepared = Headers()
        for name, value in (JSON, ("Content-Length", str(len(body))), *headers):
            prepared.add(name, value)  # to make it of all at once costs twice as much
        super().__init__([body], headers=prepared)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        start_response(self.status, self.headers.to_wsgi_list())
        return () if environ["REQUEST_METHOD"] == "HEAD" else self.iter_encoded()


def write_answer(answer: Answer, *, by_query: bool) -> Response:
    """Write an answer.

    By query, an answer that would be the same the next time may be cached; its ETag leaves out the time taken.
    """
    lasting = to_json(_describe_lasting(answer))
    body = b'%b,"elapsed_ms":%a}\n' % (lasting[:-1], answer.elapsed_ms)
    timing = ("Server-Timing", f"search;dur={answer.elapsed_ms}")
    if by_query and answer.repeatable:
        return _cacheable(body, [timing], lasting)
    return PreparedResponse(body, [timing, NOT_STORED])


def write_tree(root: Node) -> Response:
    """Write a tree, which the same question has again, whole."""
    body = write_json(describe_tree(root))
    return _cacheable(body, [], body)


def write_batch(items: Iterable[Answer | Exception]) -> Response:
    """Write the answers of a batch, with a problem in the place of each exception."""
    answers = [item if isinstance(item, Answer) else problem_of(item) for item in items]
    elapsed_ms = sum(answer.elapsed_ms for answer in answers if isinstance(answer, Answer))
    body = write_json({"answers": [describe(each) if isinstance(each, Answer) else each for each in answers]})
    return Response(body, headers=[JSON, ("Server-Timing", f"search;dur={elapsed_ms:.3f}"), NOT_STORED])


def write_health(health: Health) -> Response:
    """Write the state of the service."""
    return Response(write_json(health), headers=[JSON, NOT_STORED])


def write_problem(error: Exception) -> Response:
    """Write the problem that an exception stands for, with the headers that it calls for."""
    problem = problem_of(error)
    headers = [("Content-Type", "application/problem+json"), NOT_STORED]
    if isinstance(error, MethodNotAllowed) and problem["status"] == error.code:
        headers.append(("Allow", allowed(error)))
    return Response(write_json(problem), problem["status"], headers)


def write_json(answer: BestMove | BestMoves | SearchTree | Problem | Health) -> bytes:
    """Return an answer as JSON that ends with a newline, for terminals."""
    return to_json(answer) + b"\n"


def _cacheable(body: bytes, headers: list[tuple[str, str]], lasting: bytes) -> Response:
    """Return an answer that may be cached; its weak ETag covers what of it lasts. Or say that it is still the same."""
    etag = f'W/"{blake2b(lasting, digest_size=8).hexdigest()}"'
    headers = [*headers, ("Cache-Control", "public, max-age=86400"), ("ETag", etag)]
    environ = current_request().environ
    if "HTTP_IF_NONE_MATCH" in environ or "HTTP_IF_MATCH" in environ:
        return WholeResponse(body, headers=[JSON, *headers]).make_conditional(environ)
    return PreparedResponse(body, headers)


def describe(answer: Answer) -> BestMove:
    """Return an answer of the oracle's as the contract has it."""
    return {**_describe_lasting(answer), "elapsed_ms": answer.elapsed_ms}


def _describe_lasting(answer: Answer) -> LastingAnswer:
    """Return an answer of the oracle's as the contract has it, but for the time taken."""
    question, assessment = answer.question, answer.assessment
    described: LastingAnswer = {
        "move": answer.move,
        "value": assessment.value,
        "outcome": assessment.outcome,
        "distance": assessment.distance,
        "exact": assessment.exact,
        "optimal": answer.optimal,
        "reason": answer.reason,
        "text": answer.text,
        "principal_variation": answer.principal_variation,
        "nodes": answer.nodes,
        "algorithm": question.algorithm,
        "scoring": question.scoring,
        "max_depth": question.max_depth,
        "difficulty": question.difficulty,
        "tie_break": question.tie_break,
        "position": _describe_position(question.position),
        "after": None if answer.after is None else _describe_position(answer.after),
    }
    if answer.moves is not None:
        described["moves"] = [_describe_move(move, assessed) for move, assessed in answer.moves.items()]
    return described


def _describe_position(described: position.Position) -> Position:
    return {
        "board": described.board,
        "to_move": described.to_move,
        "status": described.status,
        "winning_line": described.winning_line,
    }


def _describe_move(move: int, assessment: Assessment) -> ScoredMove:
    return {
        "move": move,
        "value": assessment.value,
        "outcome": assessment.outcome,
        "distance": assessment.distance,
    }


def describe_tree(root: Node) -> SearchTree:
    """Return a tree of the engine's as the contract has it."""
    question = root.question
    return {
        "algorithm": question.algorithm,
        "scoring": question.scoring,
        "max_depth": question.max_depth,
        "levels": question.kept_levels,
        "maximizer": question.mark("max"),
        "alpha": question.alpha,
        "beta": question.beta,
        "nodes": root.nodes,
        "tree": _describe_node(root),
    }


def _describe_node(node: Node) -> SearchTreeNode:
    best = node.best_child
    return {
        "move": node.move,
        "board": node.position.board,
        "side": node.side,
        "visit": node.visit,
        "depth": node.depth,
        "alpha": node.alpha,
        "beta": node.beta,
        "score": node.score,
        "bound": node.bound,
        "value": node.value,
        "outcome": node.outcome,
        "distance": node.distance,
        "nodes": node.nodes,
        "cut": _describe_cut(node),
        "best": None if best is None else best.move,
        "href": _href(node.asked_again()) if node.is_collapsed else None,
        "children": [_describe_node(child) for child in node.children],
    }


def _describe_cut(node: Node) -> Cut | None:
    by = node.cut_by
    return None if by is None else {"by": by, "pruned": node.pruned, "text": cut_text(node)}


def _href(question: TreeQuestion) -> str:
    """Return where a question is asked by query."""
    fields = {
        "board": question.position.board,
        "to_move": question.position.to_move,
        "algorithm": question.algorithm,
        "scoring": question.scoring,
        "max_depth": question.max_depth,
        "levels": question.levels,
        "maximizer": question.maximizer,
        "alpha": question.alpha,
        "beta": question.beta,
    }
    return "/search-tree?" + "&".join(f"{name}={value}" for name, value in fields.items() if value is not None)
