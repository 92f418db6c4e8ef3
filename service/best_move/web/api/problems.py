"""Problem responses (RFC 9457) for exceptions."""

import logging
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NotRequired, TypedDict, get_args

from flask import current_app, request
from werkzeug.exceptions import MethodNotAllowed, NotFound

from best_move.engine.position import Cause, IllegalMoveError, IllegalPositionError, MoveCause
from best_move.engine.search_tree import InvalidWindowError
from best_move.player import InvalidPlayerError
from best_move.web.api.reading import RejectedRequestError
from best_move.web.api.strict_json import DuplicateFieldError, MalformedJsonError
from best_move.web.api.validation import (
    MAX_ERRORS,
    FieldError,
    InvalidRequestError,
    describe_errors,
    letters,
    nearest,
    pointer,
    quoted,
    respelled,
)
from best_move.web.middleware.logs import REQUEST_ID

log = logging.getLogger(__name__)

#  code -> status, title. Titles are the service's own: those of the standard library differ between its versions.
PROBLEM_TYPES: Final = {
    "malformed_json": (400, "Malformed JSON"),
    "malformed_body": (400, "Malformed request body"),
    "invalid_request": (400, "Invalid request"),
    "origin_not_allowed": (403, "Origin not allowed"),
    "not_found": (404, "No such path"),
    "method_not_allowed": (405, "Method not allowed"),
    "request_timeout": (408, "Request timeout"),
    "body_too_large": (413, "Request body too large"),
    "unsupported_media_type": (415, "Unsupported media type"),
    "illegal_position": (422, "Illegal position"),
    "invalid_window": (422, "Invalid window"),
    "internal_error": (500, "Internal error"),
}


class Problem(TypedDict):
    """The content of a problem response (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    errors: NotRequired[list[FieldError]]


def make_problem(code: str, detail: str, errors: Sequence[FieldError] = ()) -> Problem:
    """Return the problem with a code of PROBLEM_TYPES; without errors, it has no field `errors`."""
    status, title = PROBLEM_TYPES[code]
    problem = Problem(
        type=f"urn:best-move:problem:{code}", title=title, status=status, detail=detail, code=code
    )
    if errors:
        problem["errors"] = [*errors]
    return problem


def problem_of(error: Exception, request_at: str = "#") -> Problem:
    """Return the problem for an exception; an unexpected exception is an internal error.

    `request_at` is the JSON Pointer to the request in the body; the pointers of errors start with it.
    """
    try:
        problem = next(_PROBLEMS[kind] for kind in type(error).__mro__ if kind in _PROBLEMS)(error)
    except Exception as bug:  # noqa: BLE001, whatever it is, the client gets a problem
        problem = _internal_error(bug)
    if request_at != "#":
        for each in problem.get("errors", ()):
            each["pointer"] = request_at + each["pointer"][1:]
    return problem


def allowed(error: MethodNotAllowed) -> str:
    """Return the methods that a path supports, in the form of the header Allow."""
    return ", ".join(sorted(error.valid_methods or ()))


def _invalid_request(error: InvalidRequestError) -> Problem:
    detail, errors = describe_errors(error)
    if request.method == "GET" and request.content_length:
        detail += " The body of a GET is not read. Send the fields in the query, or by POST if the path supports it."
    return make_problem("invalid_request", detail, errors)


def _repeated_field(error: DuplicateFieldError) -> Problem:
    detail = f"{quoted(error.args[-1])} is repeated. Send it once."
    if error.args == ("board",) and (board := respelled(request.args.getlist("board"))):
        detail = f"`board` is repeated. Send `{board}` once."
    return make_problem("invalid_request", detail, [_error(error.args, "repeated_field", detail)])


def _invalid_player(error: InvalidPlayerError) -> Problem:
    """Return an `invalid_request` problem if any entry does not match the schema, otherwise `illegal_position`."""
    rules = {*get_args(Cause), *get_args(MoveCause), "no_move", "repeated_board"}
    is_valid = all(entry.cause in rules for entry in error.entries)
    found = []
    for entry in error.entries[:MAX_ERRORS]:
        spelled = respelled(entry.board)
        advice = f' Send the board as "{spelled}".' if spelled not in (None, entry.board) else ""
        found.append(
            _error(
                (entry.table, entry.board),
                entry.cause,
                f"On {quoted(entry.board)}: {entry.text}{advice}",
            )
        )
    more = (
        f" And {len(error.entries) - MAX_ERRORS} more." if len(error.entries) > MAX_ERRORS else ""
    )
    detail = " ".join(each["detail"] for each in found) + more
    return make_problem("illegal_position" if is_valid else "invalid_request", detail, found)


def _breach(code: str, error: Any, *path: int | str) -> Problem:
    return make_problem(code, str(error), [_error(path, error.cause, str(error))])


def _not_found(_: NotFound) -> Problem:
    """Return a problem that suggests a path: by its letters after a prefix, by those of a segment, or by similarity."""
    path = request.environ["PATH_INFO"]
    paths = sorted(
        {rule.rule.rstrip("/") or "/" for rule in current_app.url_map.iter_rules()}
        - {"/favicon.ico"}
    )
    by_letters = {letters(each): each for each in paths if each != "/"}
    segments = path.strip("/").split("/")[-3:]
    parts = ("/".join(segments), "/".join(segments[1:]), *segments[::-1])
    known = (
        by_letters.get(letters(name)) for part in parts for name in (part, part.partition(".")[0])
    )
    meant = next(filter(None, known), None) or nearest(segments[-1], by_letters.values())
    advice = f"Did you mean {meant}?" if meant else f"The paths are {', '.join(paths)}."
    return make_problem("not_found", f"No such path: {quoted(path)}. {advice}")


def _method_not_allowed(error: MethodNotAllowed) -> Problem:
    detail = f"The path does not support {request.method}. Use {allowed(error)}."
    if request.path == "/" and request.method == "POST":
        detail += " Chat clients post their messages to /mcp."
    if request.path.startswith("/mcp") and request.method == "GET":
        detail = f"The path supports GET only from a browser. Use {allowed(error)}."
    return make_problem("method_not_allowed", detail)


def _internal_error(error: Exception) -> Problem:
    environ = request.environ
    fields = {
        "method": environ["REQUEST_METHOD"],
        "path": environ["PATH_INFO"],
        "request_id": environ.get(REQUEST_ID),
    }
    log.error("unhandled exception", extra=fields, exc_info=error)
    return make_problem(
        "internal_error",
        "The service failed on this request. This is a bug in the service; it has been logged under this X-Request-ID.",
    )


def _error(path: Iterable[int | str], code: str, detail: str) -> FieldError:
    return {"pointer": pointer(path), "code": code, "detail": detail}


#  The problem of each kind of exception; a kind that is not listed has the problem of its base class.
_PROBLEMS: Final[dict[type[BaseException], Callable[[Any], Problem]]] = {
    MalformedJsonError: lambda error: make_problem(
        "malformed_json", f"The body is not JSON: {error}. Send one JSON object."
    ),
    RejectedRequestError: lambda error: make_problem(error.code, str(error)),
    InvalidRequestError: _invalid_request,
    DuplicateFieldError: _repeated_field,
    NotFound: _not_found,
    MethodNotAllowed: _method_not_allowed,
    IllegalPositionError: lambda error: _breach(
        "illegal_position", error, "to_move" if error.cause == "wrong_side_to_move" else "board"
    ),
    IllegalMoveError: lambda error: _breach("illegal_position", error, "played", error.index),
    InvalidWindowError: lambda error: _breach(
        "invalid_window", error, "algorithm" if error.cause == "unused_window" else "alpha"
    ),
    InvalidPlayerError: _invalid_player,
    Exception: _internal_error,
}
