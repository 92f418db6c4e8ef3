"""Problem responses (RFC 9457) for exceptions."""

import logging
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from typing import Any, Final, NotRequired, TypedDict, get_args

from flask import current_app, request
from werkzeug.exceptions import MethodNotAllowed, NotFound

from best_move.engine.position import Cause, IllegalMoveError, IllegalPositionError, MoveCause
from best_move.engine.search_tree import InvalidWindowError
from best_move.player import InvalidPlayerError
from best_move.web.api.reading import RejectedRequestError
from best_move.web.api.strict_json import DuplicateFieldError
from best_move.web.api.validation import (
    MAX_ERRORS,
    MAX_QUOTED,
    FieldError,
    InvalidRequestError,
    describe_errors,
    letters,
    pointer,
    quoted,
)
from best_move.web.middleware.logs import REQUEST_ID

log = logging.getLogger(__name__)

#  code -> status, title. Titles are the service's own: those of the standard library differ between
#  its versions.
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

    `request_at` is the JSON Pointer to the request in the body; the pointers of errors start with
    it.
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
    return make_problem("invalid_request", detail, errors)


def _repeated_field(error: DuplicateFieldError) -> Problem:
    detail = f"{quoted(error.name)} is repeated. Send it once."
    found = FieldError(pointer=error.pointer, code="repeated_field", detail=detail)
    return make_problem("invalid_request", detail, [found])


def _invalid_player(error: InvalidPlayerError) -> Problem:
    """Return an `invalid_request` problem if any entry does not match the schema.

    Otherwise it is an `illegal_position`.
    """
    found = []
    for entry in error.entries[:MAX_ERRORS]:
        detail = f"On {quoted(entry.board)}: {entry.text}"
        found.append(_error((entry.table, entry.board), entry.cause, detail))
    sentences = [each["detail"] for each in found]
    hidden = len(error.entries) - len(found)
    if hidden:
        sentences.append(f"And {hidden} more.")
    is_valid = all(entry.cause in _RULES for entry in error.entries)
    code = "illegal_position" if is_valid else "invalid_request"
    return make_problem(code, " ".join(sentences), found)


#  The causes of errors in the entries of a player that match the schema.
_RULES: Final = {*get_args(Cause), *get_args(MoveCause), "no_move", "repeated_board"}


def _breach(code: str, error: Any, *path: int | str) -> Problem:
    return make_problem(code, str(error), [_error(path, error.cause, str(error))])


def _not_found(_: NotFound) -> Problem:
    path = request.environ["PATH_INFO"]
    rules = {rule.rule.rstrip("/") or "/" for rule in current_app.url_map.iter_rules()}
    paths = sorted(rules - {"/favicon.ico"})
    meant = _path_meant(path, paths)
    advice = f"Did you mean {meant}?" if meant else f"The paths are {', '.join(paths)}."
    return make_problem("not_found", f"No such path: {quoted(path)}. {advice}")


def _path_meant(path: str, paths: Iterable[str]) -> str | None:
    """Return the path with the letters of the last segments or of one, or with similar letters."""
    by_letters = {letters(each): each for each in paths if each != "/"}
    segments = path.strip("/").split("/")[-3:]
    for part in ("/".join(segments), "/".join(segments[1:]), *reversed(segments)):
        without_type = part.partition(".")[0]
        for name in (part, without_type):
            if letters(name) in by_letters:
                return by_letters[letters(name)]
    return _nearest(segments[-1], by_letters)


def _nearest(name: str, by_letters: dict[str, str]) -> str | None:
    """Return the path that has the most similar letters; None if none is similar.

    Also None for a long name, because comparing takes long.
    """
    if len(name) > MAX_QUOTED:
        return None
    cutoff = 0.6 if len(name) > 3 else 0.8  # because a short name is similar by chance
    close = get_close_matches(letters(name), by_letters, 1, cutoff)
    return by_letters[close[0]] if close else None


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
        "The service failed on this request. This is a bug in the service; it has been logged "
        "under this X-Request-ID.",
    )


def _error(path: Iterable[int | str], code: str, detail: str) -> FieldError:
    return {"pointer": pointer(path), "code": code, "detail": detail}


#  The problem of each kind of exception; a kind that is not listed has that of its base class.
_PROBLEMS: Final[dict[type[BaseException], Callable[[Any], Problem]]] = {
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
