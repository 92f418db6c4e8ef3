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
from best_move.engine.search_tree import MAX_NODES, Node, TreeQuestion
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
Value = Annotated[
    float,
    Field(
        ge=-1,
        le=1,
        description="For the side to move: 1 a win, 0 a draw, -1 a loss. An estimate is strictly between 1 and -1, and "
        "may be 0.",
    ),
]
Distance = Annotated[
    int | None,
    Field(
        ge=0,
        le=9,
        description="Plies to the end of the game with best play; 0 if it is over; null if the outcome is "
        "`unknown`, and with `scoring=outcome`.",
    ),
]

Probability = Annotated[float, Field(ge=0, le=1)]
Limit = Annotated[int | None, Field(ge=-100, le=100)]

#  Responses are typed dictionaries, because they need a schema and fast serialization, but no validation.


class Position(TypedDict):
    """A position of the game."""

    board: Board
    to_move: Annotated[Mark, Field(description="The side to move; on a finished board, the side that would be.")]
    status: Annotated[Status, Field(description="Whether the game goes on, and if not how it ended.")]
    winning_line: Annotated[
        Sequence[Cell], Field(max_length=3, description="The three cells of the line that won; empty if none has.")
    ]


class ScoredMove(TypedDict):
    """A legal move, and what it leads to for the side that makes it."""

    move: Annotated[Cell, Field(description="The move.")]
    value: Value
    outcome: Annotated[Outcome, Field(description="The value as a word; `unknown` for an estimate.")]
    distance: Distance


class BestMove(TypedDict):
    """The move, what it leads to for the side to move, and the cost of the search."""

    move: Annotated[
        Cell | None,
        Field(
            description="The best move, on ties the lowest cell, unless the request says otherwise; null if the game "
            "is over."
        ),
    ]
    value: Value
    outcome: Annotated[
        Outcome, Field(description="The value as a word; `unknown` if the depth limit could have changed it.")
    ]
    distance: Distance
    optimal: Annotated[bool, Field(description="False if the search found a better move than the one returned.")]
    reason: Annotated[
        Reason | None,
        Field(description="What the move does: the first of Newell and Simon's rules (1972) that applies."),
    ]
    text: Annotated[str, Field(description="What the move does, and how the game ended if it is over.")]
    outlook: Annotated[
        str,
        Field(
            description="What best play leads to after the move, and whether there was a better one; empty if the game "
            "is over. An opponent at a weak level shows `text` alone."
        ),
    ]
    principal_variation: Annotated[Cells, Field(description="The line of best play found; it starts with the move.")]
    nodes: Annotated[
        int, Field(ge=1, description="Nodes visited, including the root: calls of the recursive function.")
    ]
    algorithm: Annotated[Algorithm, Field(description="The value used.")]
    scoring: Annotated[Scoring, Field(description="The value used.")]
    max_depth: Annotated[int, Field(ge=1, le=9, description="The value used.")]
    difficulty: Annotated[Difficulty, Field(description="The value used.")]
    tie_break: Annotated[TieBreak, Field(description="The value used.")]
    position: Annotated[Position, Field(description="The position that was searched.")]
    after: Annotated[
        Position, Field(description="The position to go on from: after the move, or `position` if the game is over.")
    ]
    elapsed_ms: Annotated[float, Field(ge=0, description="Search time in milliseconds.")]
    moves: NotRequired[
        Annotated[
            list[ScoredMove],
            Field(
                max_length=position.CELLS,
                description="With `analysis`: every legal move, the best first, equal ones by cell.",
            ),
        ]
    ]


class BatchResult(TypedDict):
    """The answer to a request of a batch, or the problem with it; the other is null."""

    answer: Annotated[BestMove | None, Field(description="The answer; null if there is a problem.")]
    problem: Annotated[Problem | None, Field(description="The problem; null if there is an answer.")]


class BestMoves(TypedDict):
    """The results of many requests, in their order."""

    results: Annotated[list[BatchResult], Field(max_length=MAX_REQUESTS)]


class ReviewedMove(TypedDict):
    """A move of a game, and what it changed."""

    move: Annotated[Cell, Field(description="The move.")]
    player: Annotated[Mark, Field(description="The side that made it.")]
    mistake: Annotated[bool, Field(description="True if its outcome is worse than that of the best move.")]
    outcome: Annotated[Outcome, Field(description="What best play leads to after the move, for the player.")]
    best_outcome: Annotated[Outcome, Field(description="What the best move would have led to, for the player.")]
    best_moves: Annotated[Cells, Field(description="The moves with the best score, by cell.")]
    missed: Annotated[
        Reason | None, Field(description="What the best move would have done, if this one is a mistake; else null.")
    ]
    text: Annotated[str, Field(description="What the move does and what it changed.")]


class Mistakes(TypedDict):
    """The number of mistakes of each side."""

    X: Annotated[int, Field(ge=0, le=5, description="Mistakes of X.")]
    O: Annotated[int, Field(ge=0, le=5, description="Mistakes of O.")]  # noqa: E741, the mark


class GameReview(TypedDict):
    """A game, move by move."""

    moves: Annotated[list[ReviewedMove], Field(max_length=position.CELLS, description="The moves played, in order.")]
    position: Annotated[Position, Field(description="The position after the last move.")]
    mistakes: Mistakes
    first_mistake: Annotated[
        int | None,
        Field(ge=0, le=8, description="Index in `moves` of the first mistake, which changed the outcome; else null."),
    ]


class GameCounts(TypedDict):
    """The number of distinct games of a player, over all replies of its opponent, by their result for the player."""

    won: Annotated[int, Field(ge=0, description="Games won.")]
    drawn: Annotated[int, Field(ge=0, description="Games drawn.")]
    lost: Annotated[int, Field(ge=0, description="Games lost.")]


class PlayerMistake(TypedDict):
    """A move of a player whose outcome is worse than that of the best move; both outcomes are the player's."""

    board: Board
    move: Annotated[Cell, Field(description="The player's move.")]
    outcome: Annotated[Outcome, Field(description="What best play leads to after the move.")]
    best_outcome: Annotated[Outcome, Field(description="What the best move would have led to.")]
    best_moves: Annotated[Cells, Field(description="The moves with the best score, by cell.")]
    missed: Annotated[Reason, Field(description="What the first of the best moves does.")]


class Odds(TypedDict):
    """The exact probabilities of the results of a player against random moves."""

    win: Probability
    draw: Probability
    loss: Probability
    limit: Annotated[
        float,
        Field(ge=0, le=1, description="The highest probability of a win that is possible without risking a loss."),
    ]


class Verdict(TypedDict):
    """What all games of a player show."""

    unbeatable: Annotated[bool, Field(description="True if the player loses no game.")]
    lost_game: Annotated[
        Cells | None, Field(description="The moves of a shortest game that the player loses; null if it loses none.")
    ]
    games: GameCounts
    mistakes: Annotated[
        list[PlayerMistake], Field(description="The mistakes on all boards that the player can meet, by ply.")
    ]
    against_random: Odds
    against_perfect: Annotated[
        Outcome,
        Field(
            description="The worst outcome against an opponent that makes no mistakes. It can be a draw though the "
            "player is beatable: by an opponent that sets a trap by a mistake of its own."
        ),
    ]


class PlayerReview(TypedDict):
    """The verdict on a player, or the boards that it can meet and that have no move yet."""

    complete: Annotated[bool, Field(description="True if every board that the player can meet has a move.")]
    boards: Annotated[
        list[Board],
        Field(description="The boards to send moves for, in addition to those sent; by ply, then sorted."),
    ]
    review: Annotated[Verdict | None, Field(description="The verdict; null until the moves are complete.")]


class Cut(TypedDict):
    """A cutoff of alpha-beta: the moves that it pruned, and why."""

    by: Annotated[Cell, Field(description="The move that caused the cutoff.")]
    pruned: Annotated[Cells, Field(description="The moves that were not tried.")]
    text: Annotated[str, Field(description="What the opponent already has, and what it would get here, in words.")]


class SearchTreeNode(TypedDict):
    """A position that the search visited, and its score, from MAX's point of view."""

    move: Annotated[Cell | None, Field(description="The move that led here; null at the root.")]
    board: Board
    side: Annotated[Side, Field(description="Whether MAX or MIN is to move.")]
    visit: Annotated[int, Field(ge=1, description="Its number in the order of visits.")]
    depth: Annotated[int, Field(ge=0, le=9, description="Plies still to search.")]
    alpha: Annotated[Limit, Field(description="Lower bound on entry; null without one.")]
    beta: Annotated[Limit, Field(description="Upper bound on entry; null without one.")]
    score: Annotated[int, Field(ge=-100, le=100, description="The integer that the search compares.")]
    bound: Annotated[Bound, Field(description="Whether the score is exact, a lower bound or an upper bound.")]
    value: Annotated[float, Field(ge=-1, le=1, description="For MAX: 1 a win, 0 a draw, -1 a loss; else an estimate.")]
    outcome: Annotated[Outcome, Field(description="The value as a word; `unknown` for an estimate.")]
    distance: Distance
    nodes: Annotated[int, Field(ge=1, description="The size of the subtree, including this node.")]
    cut: Annotated[Cut | None, Field(description="Why some moves were pruned; null if none were.")]
    best: Annotated[Cell | None, Field(description="The best move; null if no child is included.")]
    href: Annotated[
        str | None, Field(description="URL of the omitted children, relative to that of the tree; else null.")
    ]
    children: Annotated[
        list["SearchTreeNode"], Field(max_length=position.CELLS, description="In the order of the search.")
    ]


class SearchTree(TypedDict):
    """A search as a textbook draws it: all scores are from MAX's point of view, the side `maximizer`."""

    algorithm: Annotated[TracedAlgorithm, Field(description="The value used.")]
    scoring: Annotated[Scoring, Field(description="The value used.")]
    max_depth: Annotated[int, Field(ge=1, le=9, description="The value used.")]
    order: Annotated[MoveOrder, Field(description="The value used.")]
    levels: Annotated[int, Field(ge=0, le=9, description="The value used: plies below the root.")]
    maximizer: Annotated[Mark, Field(description="The side that is MAX; the other is MIN.")]
    alpha: Annotated[Limit, Field(description="The value used.")]
    beta: Annotated[Limit, Field(description="The value used.")]
    nodes: Annotated[int, Field(ge=1, description="Nodes visited, including the omitted ones.")]
    tree: Annotated[SearchTreeNode, Field(description=f"The root, with at most {MAX_NODES:,} nodes in all.")]


class Health(TypedDict):
    """The state of the service."""

    status: Literal["ok"]
    version: str
    engine: Annotated[Literal["compiled", "interpreted"], Field(description="Whether the engine is compiled.")]


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
