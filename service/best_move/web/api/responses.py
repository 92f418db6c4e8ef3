"""JSON responses. The OpenAPI document has their schemas; tests compare the responses with them."""

from collections.abc import Iterable
from hashlib import blake2b
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Response, request
from pydantic_core import to_json
from werkzeug.exceptions import MethodNotAllowed

from best_move.engine.number_tree import NumberNode, NumberTree
from best_move.engine.position import Position
from best_move.engine.search_tree import Node, TreeQuestion
from best_move.engine.search_tree_text import cut_text, number_cut_text
from best_move.oracle import Answer, Review
from best_move.web.api.number_text import as_json
from best_move.web.api.problem_types import ProblemType
from best_move.web.api.problems import allowed, problem_of
from best_move.web.api.strict_json import Json
from best_move.web.header_fields import HeaderFields
from best_move.web.observability.logs import note

JSON = ("Content-Type", "application/json")
NOT_STORED = ("Cache-Control", "no-store")
#  A value of Cache-Control: after a day, caches may serve a response for another week while they
#  revalidate it, or if the service fails.
FOR_A_DAY = "public, max-age=86400, stale-while-revalidate=604800, stale-if-error=604800"


class JsonResponse:
    """A JSON response with the status 200, as a WSGI application, like Flask's own."""

    def __init__(self, body: bytes, headers: HeaderFields) -> None:
        self._body = body
        self._headers = [JSON, *headers, ("Content-Length", str(len(body)))]

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Send the response; to a HEAD request, without its body."""
        start_response("200 OK", self._headers)
        return [] if environ["REQUEST_METHOD"] == "HEAD" else [self._body]


def write_answer(answer: Answer, environ: WSGIEnvironment) -> WSGIApplication:
    """Return the response for the answer to a request.

    It is cacheable if the request is in the query and the answer is repeatable.
    """
    body = write_json(_describe_answer(answer))
    timing = ("Server-Timing", f"search;dur={answer.elapsed_ms}")
    if answer.repeatable and environ["REQUEST_METHOD"] != "POST":
        elapsed = f'"elapsed_ms":{answer.elapsed_ms}'  # differs each time
        lasting = body.replace(elapsed.encode(), b"")
        headers = [timing, *_caching(lasting)]
        if "HTTP_IF_NONE_MATCH" in environ:
            return conditional(Response(body, headers=[JSON, *headers]), environ)
        return JsonResponse(body, headers)
    return JsonResponse(body, [timing, NOT_STORED])


def write_review(review: Review, environ: WSGIEnvironment) -> Response:
    """Return the response with a game's review, which is cacheable if the game is in the query."""
    described = {**vars(review), "position": _describe_position(review.position)}
    if environ["REQUEST_METHOD"] == "POST":
        return write_unstored(described)
    return _cacheable(write_json(described), environ)


def write_tree(root: Node, environ: WSGIEnvironment) -> Response:
    """Return the response for a tree, which is cacheable."""
    return _cacheable(write_json(_describe_tree(root)), environ)


def write_number_tree(tree: NumberTree, environ: WSGIEnvironment) -> Response:
    """Return the response for a tree of numbers, which is cacheable."""
    return _cacheable(write_json(_describe_number_tree(tree)), environ)


def write_batch(items: Iterable[Answer | Exception]) -> Response:
    """Return the response for a batch; each exception becomes a problem.

    The pointers of a problem start with `#/requests/` and the index of its request.
    """
    results: list[Json] = []
    elapsed_ms = 0.0
    for index, item in enumerate(items):
        if isinstance(item, Answer):
            results.append({"answer": _describe_answer(item), "problem": None})
            elapsed_ms += item.elapsed_ms
        else:
            results.append({"answer": None, "problem": problem_of(item, f"#/requests/{index}")})
    body = write_json({"results": results})
    timing = ("Server-Timing", f"search;dur={elapsed_ms:.3f}")
    return Response(body, headers=[JSON, timing, NOT_STORED])


def write_unstored(content: object) -> Response:
    """Return the content as a JSON response that must not be cached."""
    return Response(write_json(content), headers=[JSON, NOT_STORED])


def write_problem(error: Exception) -> Response:
    """Return the problem response for an exception, with the headers that its status requires.

    The log line gets the problem's code.
    """
    problem = problem_of(error)
    #  The traceback of an unknown path's error leads to the request: both would stay in memory.
    request.routing_exception = None
    note(request.environ, problem=problem["code"])
    headers = [("Content-Type", "application/problem+json"), NOT_STORED]
    if isinstance(error, MethodNotAllowed):
        headers.append(("Allow", allowed(error)))
    if problem["code"] == ProblemType.OVERLOADED.code:
        headers.append(("Retry-After", "1"))  # in seconds
    return Response(write_json(problem), problem["status"], headers)


def write_json(content: object) -> bytes:
    """Return content as JSON that ends with a newline, for terminals.

    The fields of a dataclass keep their names and their order.
    """
    return to_json(content) + b"\n"


def weak_etag(lasting: bytes) -> str:
    """Return a weak ETag, which is a digest of the bytes that last."""
    digest = blake2b(lasting, digest_size=8).hexdigest()
    return f'W/"{digest}"'


def conditional(response: Response, environ: WSGIEnvironment) -> Response:
    """Return the response, as a 304 if the client already has it."""
    if "HTTP_IF_NONE_MATCH" in environ:
        response.make_conditional(environ)
    return response


def _cacheable(body: bytes, environ: WSGIEnvironment) -> Response:
    """Return a cacheable JSON response, as a 304 if the client already has it."""
    return conditional(Response(body, headers=[JSON, *_caching(body)]), environ)


def _caching(lasting: bytes) -> HeaderFields:
    """Return the headers of a cacheable response.

    The ETag is a digest of the bytes that last: those that are the same for the same request.
    """
    return [("Cache-Control", FOR_A_DAY), ("ETag", weak_etag(lasting))]


def _describe_answer(answer: Answer) -> Json:
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
            {"move": move, **assessment._asdict()} for move, assessment in answer.moves.items()
        ]
    return described


def _describe_position(position: Position) -> Json:
    return {
        "board": position.board,
        "starts": position.starts,
        "to_move": position.to_move,
        "status": position.status,
        "winning_line": position.winning_line,
    }


def _describe_tree(root: Node) -> Json:
    """Return a tree of the engine as the OpenAPI document describes it."""
    question = root.question
    return {
        "algorithm": question.algorithm,
        "scoring": question.scoring,
        "max_depth": question.max_depth,
        "order": question.order,
        "plies": question.kept_plies,
        "maximizer": question.mark("max"),
        "alpha": question.alpha,
        "beta": question.beta,
        "nodes": root.nodes,
        "tree": _describe_node(root),
    }


def _describe_node(node: Node) -> Json:
    return {
        "board": node.position.board,
        **_describe_search(node),
        "depth": node.depth,
        **node.assessment._asdict(),
        "cut": _describe_cut(node, cut_text(node)),
        "href": _href(node.subtree_question()) if node.is_collapsed else None,
        "children": [_describe_node(child) for child in node.children],
    }


def _describe_number_tree(tree: NumberTree) -> Json:
    """Return a tree of numbers as the OpenAPI document describes it."""
    question = tree.question
    return {
        "algorithm": question.algorithm,
        "root": question.root,
        "cut": question.cut,
        "order": question.order,
        "alpha": question.alpha,
        "beta": question.beta,
        "numbers": as_json(question.tree),
        "nodes": tree.root.nodes,
        "evaluated": [_describe_leaf(leaf) for leaf in tree.evaluated],
        "never_evaluated": [_describe_leaf(leaf) for leaf in tree.never_evaluated],
        "tree": _describe_number_node(tree.root),
    }


def _describe_leaf(leaf: NumberNode) -> Json:
    return {"name": leaf.name, "path": leaf.path, "score": leaf.value}


def _describe_number_node(node: NumberNode) -> Json:
    return {
        "name": node.name,
        **_describe_search(node),
        "cut": _describe_cut(node, number_cut_text(node)),
        "children": [_describe_number_node(child) for child in node.children],
    }


def _describe_search(node: Node | NumberNode) -> Json:
    """Return what every search tree has at a node."""
    best = node.best_child
    return {
        "move": node.move,
        "side": node.side,
        "visit": node.visit,
        "alpha": node.alpha,
        "beta": node.beta,
        "score": node.score,
        "bound": node.bound,
        "nodes": node.nodes,
        "best": None if best is None else best.move,
    }


def _describe_cut(node: Node | NumberNode, text: str) -> Json | None:
    if not node.pruned:  # a collapsed node has neither pruned moves nor children
        return None
    return {"by": node.children[-1].move, "pruned": node.pruned, "text": text}


def _href(question: TreeQuestion) -> str:
    """Return the URL of a question.

    It is relative to the URL of a request, because the service may have a path prefix.
    """
    fields = {
        "board": question.position.board,
        "starts": question.position.starts,
        "algorithm": question.algorithm,
        "scoring": question.scoring,
        "max_depth": question.max_depth,
        "plies": question.plies,
        "maximizer": question.maximizer,
        "alpha": question.alpha,
        "beta": question.beta,
        "order": question.order,
    }
    given = [f"{name}={value}" for name, value in fields.items() if value is not None]
    return "search-tree?" + "&".join(given)
