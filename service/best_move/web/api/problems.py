"""Problem responses (RFC 9457) for exceptions."""

import logging
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from functools import singledispatch
from typing import Any

from flask import current_app, request
from werkzeug.exceptions import BadHost, MethodNotAllowed, NotFound, SecurityError
from werkzeug.routing import WebsocketMismatch
from werkzeug.wsgi import get_path_info

from best_move.engine.position import CauseError, IllegalMoveError, IllegalPositionError
from best_move.engine.tree_node import InvalidWindowError
from best_move.player import InvalidPlayerError
from best_move.quoting import MAX_QUOTED, quoted
from best_move.web.api.number_text import InvalidTreeError
from best_move.web.api.problem_types import ProblemType, RejectedRequestError
from best_move.web.api.request_model import InvalidRequestError
from best_move.web.api.strict_json import DuplicateFieldError, Json
from best_move.web.api.validation_errors import (
    MAX_ERRORS,
    describe_errors,
    field_error,
    letters,
    summary,
)
from best_move.web.observability.logs import REQUEST_ID

log = logging.getLogger(__name__)


def make_problem(kind: ProblemType, detail: str, errors: Sequence[Json] = ()) -> Json:
    """Return the content of a problem response; without errors, it has no field `errors`."""
    problem: Json = {
        "type": f"urn:best-move:problem:{kind.code}",
        "title": kind.title,
        "status": kind.status,
        "detail": detail,
        "code": kind.code,
    }
    if errors:
        problem["errors"] = errors
    return problem


def problem_of(error: Exception, request_at: str = "#") -> Json:
    """Return the problem for an exception; an unexpected exception is an internal error.

    `request_at` is the JSON Pointer to the request in the body; the pointers of errors start with
    it.
    """
    try:
        problem = _problem(error)
    except Exception as bug:  # noqa: BLE001, whatever it is, the client gets a problem
        problem = _internal_error(bug)
    for each in problem.get("errors", ()):
        each["pointer"] = each["pointer"].replace("#", request_at, 1)
    return problem


def allowed(error: MethodNotAllowed) -> str:
    """Return the methods that a path supports, in the form of the header Allow."""
    return ", ".join(sorted(error.valid_methods or ()))


def _internal_error(error: Exception) -> Json:
    environ = request.environ
    fields = {
        "method": environ["REQUEST_METHOD"],
        "path": environ["PATH_INFO"],
        "request_id": environ.get(REQUEST_ID),
    }
    log.error("unhandled exception", extra=fields, exc_info=error)
    return make_problem(
        ProblemType.INTERNAL_ERROR,
        "The service failed on this request. This is a bug in the service; it has been logged "
        "under this X-Request-ID.",
    )


#  Exceptions of the other kinds are internal errors.
_problem = singledispatch(_internal_error)


@_problem.register
def _rejected_request(error: RejectedRequestError) -> Json:
    return make_problem(error.kind, str(error))


@_problem.register
def _invalid_request(error: InvalidRequestError) -> Json:
    detail, errors = describe_errors(error)
    return make_problem(ProblemType.INVALID_REQUEST, detail, errors)


@_problem.register
def _repeated_field(error: DuplicateFieldError) -> Json:
    detail = f"{quoted(error.name)} is repeated. Send it once."
    found = {"pointer": error.pointer, "code": "repeated_field", "detail": detail}
    return make_problem(ProblemType.INVALID_REQUEST, detail, [found])


@_problem.register
def _illegal_position(error: IllegalPositionError) -> Json:
    field = "starts" if error.cause == "wrong_starting_side" else "board"
    return _problem_with_cause(ProblemType.ILLEGAL_POSITION, error, field)


@_problem.register
def _illegal_move(error: IllegalMoveError) -> Json:
    return _problem_with_cause(ProblemType.ILLEGAL_POSITION, error, "played", error.index)


@_problem.register
def _invalid_window(error: InvalidWindowError) -> Json:
    field = "algorithm" if error.cause == "unused_window" else "alpha"
    return _problem_with_cause(ProblemType.INVALID_WINDOW, error, field)


@_problem.register
def _invalid_tree(error: InvalidTreeError) -> Json:
    return _problem_with_cause(ProblemType.INVALID_TREE, error, "tree")


def _problem_with_cause(kind: ProblemType, error: CauseError[Any], *path: int | str) -> Json:
    detail = str(error)
    found = field_error(path, error.cause, detail)
    return make_problem(kind, detail, [found])


#  The causes of errors in the entries of a player that do not match the schema.
_AGAINST_SCHEMA = {"wrong_character", "wrong_length", "wrong_type", "wrong_value"}


@_problem.register
def _invalid_player(error: InvalidPlayerError) -> Json:
    """Return an `invalid_request` problem if any entry does not match the schema.

    Otherwise it is an `illegal_position`.
    """
    errors = []
    sentences = []
    for entry in error.entries[:MAX_ERRORS]:
        sentence = f"On {quoted(entry.board)}: {entry.text}"
        sentences.append(sentence)
        errors.append(field_error([entry.table, entry.board], entry.cause, sentence))
    detail = summary(sentences, len(error.entries))
    causes = {entry.cause for entry in error.entries}
    if causes.isdisjoint(_AGAINST_SCHEMA):
        return make_problem(ProblemType.ILLEGAL_POSITION, detail, errors)
    return make_problem(ProblemType.INVALID_REQUEST, detail, errors)


@_problem.register(BadHost)
@_problem.register(SecurityError)
def _invalid_host(_: BadHost | SecurityError) -> Json:
    host = quoted(request.headers.get("Host", ""))
    detail = f"The header Host is {host}, which is not a valid name. Send the name of the service."
    return make_problem(ProblemType.BAD_REQUEST, detail)


@_problem.register
def _websocket(_: WebsocketMismatch) -> Json:
    detail = "The header Upgrade asks for a WebSocket, which no path accepts. Omit the header."
    return make_problem(ProblemType.BAD_REQUEST, detail)


_UNLISTED = {"/favicon.ico", "/mcp/"}  # clients do not mean these paths


@_problem.register
def _not_found(_: NotFound) -> Json:
    path = get_path_info(request.environ)
    rules = {rule.rule for rule in current_app.url_map.iter_rules() if not rule.arguments}
    paths = sorted(rules - _UNLISTED)
    meant = _path_meant(path, paths)
    advice = f"The paths are {', '.join(paths)}."
    if meant:
        advice = f"Did you mean {meant}?"
    return make_problem(ProblemType.NOT_FOUND, f"No such path: {quoted(path)}. {advice}")


def _path_meant(path: str, paths: Iterable[str]) -> str | None:
    """Return the path that a client probably meant.

    It has the letters of one of the names in the last three segments (see `_names_in`), or else the
    letters most similar to those of the last segment. A long segment is not compared, because that
    takes long.
    """
    by_letters = {letters(each): each for each in paths}
    del by_letters[""]  # the path "/": a name without letters, such as "...", does not mean it
    segments = path.strip("/").split("/")[-3:]
    for name in _names_in(segments):
        found = by_letters.get(letters(name))
        if found:
            return found
    last = segments[-1]
    if len(last) > MAX_QUOTED:
        return None
    close = get_close_matches(letters(last), by_letters, 1)
    return by_letters[close[0]] if close else None


def _names_in(segments: list[str]) -> Iterator[str]:
    """Yield the likely names of a path, the likeliest first.

    For a/b/c.json they are abc.json, bc.json, c.json, b and a; then each up to its first dot. So
    both best/move and v1/best-move.json find /best-move.
    """
    names = ["".join(segments), "".join(segments[1:]), *reversed(segments)]
    yield from names
    for name in names:
        stem, _, _ = name.partition(".")
        yield stem


@_problem.register
def _method_not_allowed(error: MethodNotAllowed) -> Json:
    method = request.method
    advice = f"Use {allowed(error)}."
    if request.path.startswith("/mcp") and method == "GET":
        #  The view raises this error unless the client is a browser.
        statement = "The path supports GET only from a browser."
    else:
        statement = f"The path does not support {method}."
    if request.path == "/" and method == "POST":
        advice += " Chat clients post their messages to /mcp."
    return make_problem(ProblemType.METHOD_NOT_ALLOWED, f"{statement} {advice}")
