"""Response models and serialization."""

from collections.abc import Iterable, Sequence
from dataclasses import fields
from hashlib import blake2b
from typing import Annotated, Final, Literal, NotRequired, cast
from wsgiref.types import WSGIEnvironment

from flask import Response
from pydantic import Field
from pydantic_core import to_json
from typing_extensions import TypedDict
from werkzeug.datastructures import Headers
from werkzeug.exceptions import MethodNotAllowed

from best_move import player
from best_move.engine import position
from best_move.engine.search_tree import Node, TreeQuestion
from best_move.engine.search_tree_text import cut_text
from best_move.oracle import Answer, Assessment, Review
from best_move.web.api.enums import (
    Algorithm,
    Board,
    Bound,
    Cell,
    Difficulty,
    Mark,
    MoveOrder,
    Outcome,
    Reason,
    Scoring,
    Side,
    Status,
    TieBreak,
    TracedAlgorithm,
)
from best_move.web.api.problems import Problem, allowed, problem_of
from best_move.web.api.reading import current_request
from best_move.web.api.requests import MAX_REQUESTS
from best_move.web.middleware.logs import note

NOT_STORED: Final = ("Cache-Control", "no-store")
FOR_A_DAY: Final = "public, max-age=86400"
JSON: Final = ("Content-Type", "application/json")

Cells = Annotated[Sequence[Cell], Field(max_length=position.CELLS)]
Value = Annotated[float, Field(ge=-1, le=1)]
Distance = Annotated[int | None, Field(ge=0, le=9)]

Probability = Annotated[float, Field(ge=0, le=1)]
Limit = Annotated[int | None, Field(ge=-100, le=100)]

#  Responses are typed dictionaries, because they need a schema and fast serialization, but no validation.


class Position(TypedDict):
    """A position of the game."""

    board: Board
    to_move: Mark
    status: Status
    winning_line: Annotated[Sequence[Cell], Field(max_length=3)]


class ScoredMove(TypedDict):
    """A legal move, and what it leads to for the side that makes it."""

    move: Cell
    value: Value
    outcome: Outcome
    distance: Distance


class BestMove(TypedDict):
    """The move, what it leads to for the side to move, and the cost of the search."""

    move: Cell | None
    value: Value
    outcome: Outcome
    distance: Distance
    optimal: bool
    reason: Reason | None
    text: str
    outlook: str
    principal_variation: Cells
    nodes: Annotated[int, Field(ge=1)]
    algorithm: Algorithm
    scoring: Scoring
    max_depth: Annotated[int, Field(ge=1, le=9)]
    difficulty: Difficulty
    tie_break: TieBreak
    position: Position
    after: Position
    elapsed_ms: Annotated[float, Field(ge=0)]
    moves: NotRequired[Annotated[list[ScoredMove], Field(max_length=position.CELLS)]]


class BatchResult(TypedDict):
    """The answer to a request of a batch, or the problem with it; the other is null."""

    answer: BestMove | None
    problem: Problem | None


class BestMoves(TypedDict):
    """The results of many requests, in their order."""

    results: Annotated[list[BatchResult], Field(max_length=MAX_REQUESTS)]


class ReviewedMove(TypedDict):
    """A move of a game, and what it changed."""

    move: Cell
    player: Mark
    mistake: bool
    outcome: Outcome
    best_outcome: Outcome
    best_moves: Cells
    missed: Reason | None
    text: str


class Mistakes(TypedDict):
    """The number of mistakes of each side."""

    X: Annotated[int, Field(ge=0, le=5)]
    O: Annotated[int, Field(ge=0, le=5)]  # noqa: E741, the mark


class GameReview(TypedDict):
    """A game, move by move."""

    moves: Annotated[list[ReviewedMove], Field(max_length=position.CELLS)]
    position: Position
    mistakes: Mistakes
    first_mistake: Annotated[int | None, Field(ge=0, le=8)]


class GameCounts(TypedDict):
    """The number of distinct games of a player, over all replies of its opponent, by their result for the player."""

    won: Annotated[int, Field(ge=0)]
    drawn: Annotated[int, Field(ge=0)]
    lost: Annotated[int, Field(ge=0)]


class PlayerMistake(TypedDict):
    """A move of a player whose outcome is worse than that of the best move; both outcomes are the player's."""

    board: Board
    move: Cell
    outcome: Outcome
    best_outcome: Outcome
    best_moves: Cells
    missed: Reason


class Odds(TypedDict):
    """The exact probabilities of the results of a player against random moves."""

    win: Probability
    draw: Probability
    loss: Probability
    limit: Annotated[float, Field(ge=0, le=1)]


class Verdict(TypedDict):
    """What all games of a player show."""

    unbeatable: bool
    lost_game: Cells | None
    games: GameCounts
    mistakes: list[PlayerMistake]
    against_random: Odds
    against_perfect: Outcome


class PlayerReview(TypedDict):
    """The verdict on a player, or the boards that it can meet and that have no move yet."""

    complete: bool
    boards: list[Board]
    review: Verdict | None


class Cut(TypedDict):
    """A cutoff of alpha-beta: the moves that it pruned, and why."""

    by: Cell
    pruned: Cells
    text: str


class SearchTreeNode(TypedDict):
    """A position that the search visited, and its score, from MAX's point of view."""

    move: Cell | None
    board: Board
    side: Side
    visit: Annotated[int, Field(ge=1)]
    depth: Annotated[int, Field(ge=0, le=9)]
    alpha: Limit
    beta: Limit
    score: Annotated[int, Field(ge=-100, le=100)]
    bound: Bound
    value: Annotated[float, Field(ge=-1, le=1)]
    outcome: Outcome
    distance: Distance
    nodes: Annotated[int, Field(ge=1)]
    cut: Cut | None
    best: Cell | None
    href: str | None
    children: Annotated[list["SearchTreeNode"], Field(max_length=position.CELLS)]


class SearchTree(TypedDict):
    """A search as a textbook draws it: all scores are from MAX's point of view, the side `maximizer`."""

    algorithm: TracedAlgorithm
    scoring: Scoring
    max_depth: Annotated[int, Field(ge=1, le=9)]
    order: MoveOrder
    levels: Annotated[int, Field(ge=0, le=9)]
    maximizer: Mark
    alpha: Limit
    beta: Limit
    nodes: Annotated[int, Field(ge=1)]
    tree: SearchTreeNode


class Health(TypedDict):
    """The state of the service."""

    status: Literal["ok"]
    version: str
    engine: Literal["compiled", "interpreted"]


class JsonResponse(Response):
    """A JSON response; if its status is 200, its headers are sent without Werkzeug's checks for other statuses."""

    default_mimetype = None  # it is among the headers

    def __init__(self, body: bytes, headers: Iterable[tuple[str, str]], status: int = 200) -> None:
        prepared = Headers()
        for name, value in (("Content-Length", str(len(body))), *headers):
            prepared.add(name, value)  # twice as fast as the constructor with all headers
        super().__init__([body], status, prepared, direct_passthrough=True)

    def get_wsgi_headers(self, environ: WSGIEnvironment) -> Headers:
        """Return the headers to send."""
        return self.headers if self.status_code == 200 else super().get_wsgi_headers(environ)


def write_answer(answer: Answer, *, by_query: bool) -> Response:
    """Return the response for a move; it is cacheable if requested in the query and repeatable.

    Its ETag excludes the search time.
    """
    body = write_json(describe_answer(answer))
    timing = ("Server-Timing", f"search;dur={answer.elapsed_ms}")
    if by_query and answer.repeatable:
        return _cacheable(body, [timing], body.replace(f'"elapsed_ms":{answer.elapsed_ms}'.encode(), b""))
    return JsonResponse(body, [JSON, timing, NOT_STORED])


def write_tree(root: Node) -> Response:
    """Return the response for a tree, which is cacheable."""
    body = write_json(describe_tree(root))
    return _cacheable(body, [], body)


def write_review(review: Review, *, by_query: bool) -> Response:
    """Return the response for the review of a game; it is cacheable if requested in the query."""
    body = write_json(describe_review(review))
    timing = ("Server-Timing", f"search;dur={review.elapsed_ms}")
    return _cacheable(body, [timing], body) if by_query else JsonResponse(body, [JSON, timing, NOT_STORED])


def write_player_review(review: player.PlayerReview) -> Response:
    """Return the response for the review of a player, whose fields are those of the OpenAPI document."""
    return JsonResponse(write_json(review), [JSON, NOT_STORED])


def write_batch(items: Iterable[Answer | Exception]) -> Response:
    """Return the response for a batch, with the problem of each exception, whose pointers count from the body."""
    results: list[BatchResult] = []
    elapsed_ms = 0.0
    for index, item in enumerate(items):
        if isinstance(item, Answer):
            results.append({"answer": describe_answer(item), "problem": None})
            elapsed_ms += item.elapsed_ms
        else:
            results.append({"answer": None, "problem": problem_of(item, f"#/requests/{index}")})
    body = write_json({"results": results})
    return JsonResponse(body, [JSON, ("Server-Timing", f"search;dur={elapsed_ms:.3f}"), NOT_STORED])


def write_health(health: Health) -> Response:
    """Return the response for a health check."""
    return JsonResponse(write_json(health), [JSON, NOT_STORED])


def write_problem(error: Exception) -> Response:
    """Return the problem response for an exception, with the headers that its status requires."""
    problem = problem_of(error)
    note(current_request().environ, problem=problem["code"])
    headers = [("Content-Type", "application/problem+json"), NOT_STORED]
    if isinstance(error, MethodNotAllowed) and problem["status"] == error.code:
        headers.append(("Allow", allowed(error)))
    return JsonResponse(write_json(problem), headers, problem["status"])


def write_json(
    answer: BestMove | BestMoves | GameReview | player.PlayerReview | SearchTree | Problem | Health,
) -> bytes:
    """Return an object as JSON that ends with a newline, for terminals."""
    return to_json(answer) + b"\n"


def answer_conditions(response: Response) -> Response:
    """Return the response, or a 304 if the client has it."""
    request = current_request()
    if "HTTP_IF_NONE_MATCH" in request.environ and request.if_none_match.contains_weak(response.get_etag()[0] or ""):
        response.status_code = 304
    return response


def _cacheable(body: bytes, headers: list[tuple[str, str]], covered: bytes) -> Response:
    """Return a cacheable response whose weak ETag covers these bytes, or a 304."""
    etag = f'W/"{blake2b(covered, digest_size=8).hexdigest()}"'
    return answer_conditions(JsonResponse(body, [JSON, *headers, ("Cache-Control", FOR_A_DAY), ("ETag", etag)]))


def describe_answer(answer: Answer) -> BestMove:
    """Return an answer of the oracle as the OpenAPI document describes it."""
    question, assessment = answer.question, answer.assessment
    described: BestMove = {
        "move": answer.move,
        "value": assessment.value,
        "outcome": assessment.outcome,
        "distance": assessment.distance,
        "optimal": answer.optimal,
        "reason": answer.reason,
        "text": answer.text,
        "outlook": answer.outlook,
        "principal_variation": answer.principal_variation,
        "nodes": answer.nodes,
        "algorithm": question.algorithm,
        "scoring": question.scoring,
        "max_depth": question.max_depth,
        "difficulty": question.difficulty,
        "tie_break": question.tie_break,
        "position": _describe_position(question.position),
        "after": _describe_position(answer.after),
        "elapsed_ms": answer.elapsed_ms,
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


def describe_review(review: Review) -> GameReview:
    """Return the review of a game as the OpenAPI document describes it."""
    return {
        "moves": [cast("ReviewedMove", judged._asdict()) for judged in review.moves],
        "position": _describe_position(review.position),
        "mistakes": {"X": review.mistakes["X"], "O": review.mistakes["O"]},
        "first_mistake": review.first_mistake,
    }


def describe_tree(root: Node) -> SearchTree:
    """Return a tree of the engine as the OpenAPI document describes it."""
    question = root.question
    return {
        "algorithm": question.algorithm,
        "scoring": question.scoring,
        "max_depth": question.max_depth,
        "order": question.order,
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
        "href": _href(node.subtree_question()) if node.is_collapsed else None,
        "children": [_describe_node(child) for child in node.children],
    }


def _describe_cut(node: Node) -> Cut | None:
    by = node.cut_by
    return None if by is None else {"by": by, "pruned": node.pruned, "text": cut_text(node)}


def _href(question: TreeQuestion) -> str:
    """Return the URL of a question, relative to that of any request, since the service may have a path prefix."""
    position = question.position
    given = {"board": position.board, "to_move": position.to_move} | {
        name: getattr(question, name) for name in _TREE_OPTIONS
    }
    return "search-tree?" + "&".join(f"{name}={value}" for name, value in given.items() if value is not None)


_TREE_OPTIONS: Final = [field.name for field in fields(TreeQuestion) if field.name != "position"]
