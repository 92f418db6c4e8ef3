"""JSON responses. The OpenAPI document has their schemas, and tests compare the responses with them."""

from collections.abc import Iterable
from dataclasses import fields
from hashlib import blake2b
from typing import Final
from wsgiref.types import WSGIEnvironment

from flask import Response
from pydantic_core import to_json
from werkzeug.datastructures import Headers
from werkzeug.exceptions import MethodNotAllowed

from best_move.engine.position import Position
from best_move.engine.search_tree import Node, TreeQuestion
from best_move.engine.search_tree_text import cut_text
from best_move.oracle import Answer, Review
from best_move.web.api.problems import allowed, problem_of
from best_move.web.api.reading import current_request
from best_move.web.api.strict_json import Json
from best_move.web.middleware.logs import note

NOT_STORED: Final = ("Cache-Control", "no-store")
#  After a day, caches may serve a response for another week while they revalidate it, or if the service fails.
CACHEABLE: Final = "public, max-age=86400, stale-while-revalidate=604800, stale-if-error=604800"
JSON: Final = ("Content-Type", "application/json")


class JsonResponse(Response):
    """A JSON response; if its status is 200, its headers are sent without Werkzeug's checks for other statuses."""

    default_mimetype = None  # Content-Type is among the headers

    def __init__(self, body: bytes, headers: Iterable[tuple[str, str]], status: int = 200) -> None:
        prepared = Headers()
        for name, value in (("Content-Length", str(len(body))), *headers):
            prepared.add(name, value)  # twice as fast as the constructor with all headers
        super().__init__([body], status, prepared, direct_passthrough=True)

    def get_wsgi_headers(self, environ: WSGIEnvironment) -> Headers:
        """Return the headers to send."""
        return self.headers if self.status_code == 200 else super().get_wsgi_headers(environ)


def write_answer(answer: Answer) -> Response:
    """Return the response for an answer; it is cacheable if the request is in the query and the answer repeatable."""
    return _write_search(
        describe_answer(answer), answer.elapsed_ms, is_repeatable=answer.repeatable
    )


def write_review(review: Review) -> Response:
    """Return the response with the review of a game; it is cacheable if the game is in the query."""
    return _write_search(describe_review(review), review.elapsed_ms)


def write_tree(root: Node) -> Response:
    """Return the response for a tree, which is cacheable."""
    body = write_json(describe_tree(root))
    return _cacheable(body, [], body)


def write_batch(items: Iterable[Answer | Exception]) -> Response:
    """Return the response for a batch; each exception becomes a problem, whose pointers start at the whole body."""
    results: list[Json] = []
    elapsed_ms = 0.0
    for index, item in enumerate(items):
        if isinstance(item, Answer):
            results.append({"answer": describe_answer(item), "problem": None})
            elapsed_ms += item.elapsed_ms
        else:
            results.append({"answer": None, "problem": problem_of(item, f"#/requests/{index}")})
    body = write_json({"results": results})
    return JsonResponse(body, [JSON, ("Server-Timing", f"search;dur={elapsed_ms:.3f}"), NOT_STORED])


def write_unstored(content: object) -> Response:
    """Return the content as a JSON response that must not be cached."""
    return JsonResponse(write_json(content), [JSON, NOT_STORED])


def write_problem(error: Exception) -> Response:
    """Return the problem response for an exception, with the headers that its status requires."""
    problem = problem_of(error)
    note(current_request().environ, problem=problem["code"])
    headers = [("Content-Type", "application/problem+json"), NOT_STORED]
    if isinstance(error, MethodNotAllowed) and problem["status"] == error.code:
        headers.append(("Allow", allowed(error)))
    return JsonResponse(write_json(problem), headers, problem["status"])


def write_json(answer: object) -> bytes:
    """Return an object as JSON that ends with a newline, for terminals."""
    return to_json(answer) + b"\n"


def conditional(response: Response) -> Response:
    """Return the response, as a 304 if the client already has it."""
    request = current_request()
    if "HTTP_IF_NONE_MATCH" in request.environ and request.if_none_match.contains_weak(
        response.get_etag()[0] or ""
    ):
        response.status_code = 304
    return response


def _write_search(described: Json, elapsed_ms: float, *, is_repeatable: bool = True) -> Response:
    body = write_json(described)
    timing = ("Server-Timing", f"search;dur={elapsed_ms}")
    if is_repeatable and current_request().method != "POST":
        return _cacheable(body, [timing], body.replace(f'"elapsed_ms":{elapsed_ms}'.encode(), b""))
    return JsonResponse(body, [JSON, timing, NOT_STORED])


def _cacheable(body: bytes, headers: list[tuple[str, str]], covered: bytes) -> Response:
    """Return a cacheable response, as a 304 if the client already has it; its weak ETag is a digest of `covered`."""
    etag = f'W/"{blake2b(covered, digest_size=8).hexdigest()}"'
    return conditional(
        JsonResponse(body, [JSON, *headers, ("Cache-Control", CACHEABLE), ("ETag", etag)])
    )


def describe_answer(answer: Answer) -> Json:
    """Return an answer of the oracle as the OpenAPI document describes it."""
    question = answer.question
    described: Json = {
        "move": answer.move,
        **answer.assessment._asdict(),
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
        described["moves"] = [
            {"move": move, **assessed._asdict()} for move, assessed in answer.moves.items()
        ]
    return described


def describe_review(review: Review) -> Json:
    """Return the review of a game as the OpenAPI document describes it."""
    return {
        "moves": [judged._asdict() for judged in review.moves],
        "position": _describe_position(review.position),
        **_attributes(review, "mistakes", "first_mistake"),
    }


def describe_tree(root: Node) -> Json:
    """Return a tree of the engine as the OpenAPI document describes it."""
    question = root.question
    return {
        **_attributes(question, "algorithm", "scoring", "max_depth", "order"),
        "levels": question.kept_levels,
        "maximizer": question.mark("max"),
        **_attributes(question, "alpha", "beta"),
        "nodes": root.nodes,
        "tree": _describe_node(root),
    }


def _describe_node(node: Node) -> Json:
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
        "cut": {"by": node.cut_by, "pruned": node.pruned, "text": cut_text(node)}
        if node.pruned
        else None,
        "best": None if best is None else best.move,
        "href": _href(node.subtree_question()) if node.is_collapsed else None,
        "children": [_describe_node(child) for child in node.children],
    }


_TREE_OPTIONS: Final = [field.name for field in fields(TreeQuestion) if field.name != "position"]


def _href(question: TreeQuestion) -> str:
    """Return the URL of a question, relative to the URL of a request, because the service may have a path prefix."""
    given = _attributes(question.position, "board", "to_move") | _attributes(
        question, *_TREE_OPTIONS
    )
    return "search-tree?" + "&".join(
        f"{name}={value}" for name, value in given.items() if value is not None
    )


def _describe_position(position: Position) -> Json:
    return {
        "board": position.board,
        "to_move": position.to_move,
        "status": position.status,
        "winning_line": position.winning_line,
    }


def _attributes(described: object, *names: str) -> Json:
    return {name: getattr(described, name) for name in names}
