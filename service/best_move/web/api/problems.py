"""Problem responses (RFC 9457) for exceptions."""

import json
import logging
from collections.abc import Iterable
from difflib import get_close_matches
from functools import singledispatch
from typing import Annotated, Final, NotRequired

from flask import current_app, request
from pydantic import BaseModel, Field
from pydantic_core import ErrorDetails
from typing_extensions import TypedDict
from werkzeug.exceptions import (
    Forbidden,
    MethodNotAllowed,
    NotFound,
    PreconditionFailed,
    RequestEntityTooLarge,
    RequestTimeout,
    UnsupportedMediaType,
)

from best_move.engine.position import CELLS, IllegalMoveError, IllegalPositionError, InvalidBoardError
from best_move.engine.search_tree import InvalidWindowError
from best_move.web.api.requests import (
    MAX_BYTES,
    BestMoveRequest,
    BestMovesRequest,
    InvalidRequestError,
    MalformedBodyError,
    fields_of,
)
from best_move.web.api.strict_json import DuplicateFieldError, MalformedJsonError
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
    "precondition_failed": (412, "Precondition failed"),
    "body_too_large": (413, "Request body too large"),
    "unsupported_media_type": (415, "Unsupported media type"),
    "illegal_position": (422, "Illegal position"),
    "invalid_window": (422, "Invalid window"),
    "internal_error": (500, "Internal error"),
}

MAX_ERRORS: Final = 20  # that are described; beyond, only their number
MAX_QUOTED: Final = 40  # characters of a name or a value
MAX_SUGGESTIONS: Final = 3  # to find one costs as much as a search

_BOARD_HINT: Final = (
    'Send nine cells, row by row: a string such as "X...O....", or an array with "X", "O" and "" or null.'
)
_PLAYED_HINT: Final = "Send cells in the order of the moves: [0, 4, 1], or 0,4,1 in a query."


class FieldError(TypedDict):
    """An error of a request."""

    pointer: Annotated[str, Field(description="A JSON Pointer to the error, in the body or among the parameters.")]
    code: Annotated[str, Field(pattern="^[a-z_]+$", description="The kind of error, for programs. Stable.")]
    detail: Annotated[str, Field(description="The error and what to change, in words.")]


class Problem(TypedDict):
    """What went wrong (RFC 9457)."""

    type: Annotated[str, Field(description="A URI that identifies the kind of problem: a name, not an address.")]
    title: Annotated[str, Field(description="The kind of problem, in words.")]
    status: Annotated[int, Field(ge=400, le=599, description="The HTTP status.")]
    detail: Annotated[str, Field(description="This problem and what to change, in words.")]
    code: Annotated[
        str,
        Field(
            pattern="^[a-z_]+$",
            description="The kind of problem, for programs. Stable; a later version may add some.",
            examples=[*PROBLEM_TYPES],
        ),
    ]
    errors: NotRequired[
        Annotated[list[FieldError], Field(max_length=MAX_ERRORS, description="The individual errors, if any.")]
    ]


def describe(code: str, detail: str, errors: Iterable[FieldError] = ()) -> Problem:
    """Return a problem of a known type."""
    status, title = PROBLEM_TYPES[code]
    problem: Problem = {
        "type": f"urn:best-move:problem:{code}",
        "title": title,
        "status": status,
        "detail": detail,
        "code": code,
    }
    found = list(errors)
    if found:
        problem["errors"] = found
    return problem


INTERNAL_ERROR: Final = describe(
    "internal_error", "The service failed on this request. This is a bug in the service; it has been logged."
)


def problem_of(error: Exception) -> Problem:
    """Return the problem for an exception, or an internal error."""
    try:
        return _problem(error)
    except Exception as bug:  # noqa: BLE001, whatever it is, the client gets a problem
        return _internal_error(bug)


def allowed(error: MethodNotAllowed) -> str:
    """Return the methods that a path supports, as in the header Allow."""
    return ", ".join(sorted(error.valid_methods or ()))


#  The most specific handler applies. An exception without one is a bug in the service.


@singledispatch
def _problem(error: Exception) -> Problem:
    return _internal_error(error)


@_problem.register
def _(error: MalformedJsonError) -> Problem:
    return describe("malformed_json", f"The body is not JSON: {error}. Send one JSON object.")


@_problem.register
def _(_: MalformedBodyError) -> Problem:
    return describe(
        "malformed_body",
        "The body is incomplete or its chunked encoding is invalid. Send all of it, with its Content-Length.",
    )


@_problem.register
def _(_: RequestTimeout) -> Problem:
    return describe("request_timeout", "The body did not arrive in time. Send it without pauses.")


@_problem.register
def _(_: RequestEntityTooLarge) -> Problem:
    return describe("body_too_large", f"The body is longer than {MAX_BYTES} bytes. Send less.")


@_problem.register
def _(_: UnsupportedMediaType) -> Problem:
    return describe("unsupported_media_type", "The body must be JSON. Send the header Content-Type: application/json.")


@_problem.register
def _(error: InvalidRequestError) -> Problem:
    errors = [
        _described(details, error.form, may_suggest=index < MAX_SUGGESTIONS)
        for index, details in enumerate(error.errors[:MAX_ERRORS])
    ]
    more = f" And {len(error.errors) - MAX_ERRORS} more." if len(error.errors) > MAX_ERRORS else ""
    return describe("invalid_request", " ".join(each["detail"] for each in errors) + more, errors)


@_problem.register
def _(error: DuplicateFieldError) -> Problem:
    detail = f"{_quoted(error.name)} is repeated. Send it once."
    return describe("invalid_request", detail, [FieldError(pointer="#", code="repeated_field", detail=detail)])


@_problem.register
def _(error: IllegalPositionError) -> Problem:
    pointer = "#/to_move" if error.cause == "wrong_side_to_move" else "#/board"
    return describe("illegal_position", str(error), [_field_error(pointer, error.cause, error)])


@_problem.register
def _(error: IllegalMoveError) -> Problem:
    return describe("illegal_position", str(error), [_field_error(f"#/played/{error.index}", error.cause, error)])


@_problem.register
def _(error: InvalidWindowError) -> Problem:
    pointer = "#/algorithm" if error.cause == "unused_window" else "#/alpha"
    return describe("invalid_window", str(error), [_field_error(pointer, error.cause, error)])


@_problem.register
def _(_: Forbidden) -> Problem:
    return describe(
        "origin_not_allowed", "This origin is not allowed. Add it to CORS_ORIGINS, or send no Origin header."
    )


@_problem.register
def _(_: NotFound) -> Problem:
    path = _quoted(request.environ["PATH_INFO"])
    paths = sorted({rule.rule.rstrip("/") or "/" for rule in current_app.url_map.iter_rules() if not rule.arguments})
    return describe("not_found", f"No such path: {path}. The paths are {', '.join(paths)}.")


@_problem.register
def _(error: MethodNotAllowed) -> Problem:
    detail = f"The path does not support {request.method}. Use {allowed(error)}."
    if request.path == "/" and request.method == "POST":
        detail += " Chat clients post their messages to /mcp."
    return describe("method_not_allowed", detail)


@_problem.register
def _(_: PreconditionFailed) -> Problem:
    return describe("precondition_failed", "The ETag does not match If-Match. Send the request without If-Match.")


def _field_error(pointer: str, code: str, error: Exception) -> FieldError:
    return {"pointer": pointer, "code": code, "detail": str(error)}


def _internal_error(error: Exception) -> Problem:
    environ = request.environ
    fields = {"method": environ["REQUEST_METHOD"], "path": environ["PATH_INFO"], "request_id": environ.get(REQUEST_ID)}
    log.error("unhandled exception", extra=fields, exc_info=error)
    return INTERNAL_ERROR


_CODES: Final = {
    "missing": "missing_field",
    "extra_forbidden": "unknown_field",
    "literal_error": "wrong_value",
    "greater_than_equal": "wrong_value",
    "less_than_equal": "wrong_value",
    "too_short": "wrong_length",
    "too_long": "wrong_length",
}
_HINTS: Final = {"board": _BOARD_HINT, "played": _PLAYED_HINT}

#  Names that callers and models guess -> the field that they mean.
_ALIASES: Final = {
    "level": "difficulty",
    "moves": "played",
    "player": "to_move",
    "position": "board",
    "state": "board",
    "turn": "to_move",
}


def _described(details: ErrorDetails, form: type[BaseModel], *, may_suggest: bool) -> FieldError:
    """Return an error of Pydantic's in the service's own words."""
    kind, path = details["type"], details["loc"]
    code = _CODES.get(kind, "wrong_type")
    name = _quoted(".".join(map(str, path))) if path else "The request"
    if form is BestMovesRequest and len(path) > 1:
        form, path = BestMoveRequest, path[2:]
    hint = _HINTS.get(str(path[-1])) if path else None
    match kind:
        case "missing":
            detail = f"{name} is missing."
        case "extra_forbidden":
            detail = f"{name} is not a field of this request. {_advice(str(path[-1]), form, may_suggest=may_suggest)}"
            hint = None
        case "value_error":
            board: InvalidBoardError = details["ctx"]["error"]
            code, detail = board.fault, str(board)
        case _:
            detail = f"{name} must {_demand(details, form, path)}."
    return FieldError(pointer=_pointer(details["loc"]), code=code, detail=f"{detail} {hint}" if hint else detail)


def _demand(details: ErrorDetails, form: type[BaseModel], path: tuple[int | str, ...]) -> str:
    """Return what a field must be, and what was sent instead."""
    field = fields_of(form)[str(path[0])] if path else {}
    if len(path) > 1:
        field = field.get("items", field)
    is_board = path == ("board",)
    sent = _sent(details["input"])
    match details["type"]:
        case "literal_error":
            demand = f"be {details['ctx']['expected']}".replace("None", "null").replace("'", '"')
        case "int_type" | "greater_than_equal" | "less_than_equal":
            demand = f"be an integer from {field['minimum']} to {field['maximum']}"
        case "too_short" | "too_long":
            size = f"{CELLS} cells" if is_board else f"{field.get('minItems', 0)} to {field['maxItems']} items"
            demand = f"have {size}"
            sent = str(len(details["input"]))
        case "list_type":
            demand = "be a string or an array" if is_board else "be an array"
        case "bool_type":
            demand = "be true or false, in lower case and without quotes"
        case _:
            demand = "be a JSON object"
    return f"{demand}, not {sent}"


def _sent(value: object) -> str:
    """Return a value as JSON, cut if it is long; of an array or an object only what it is."""
    if isinstance(value, list):
        return "an array"
    return _cut(json.dumps(value, ensure_ascii=False)) if isinstance(value, str | int | float | None) else "an object"


def _advice(name: str, form: type[BaseModel], *, may_suggest: bool) -> str:
    """Return what to send for an unknown name: the field that it means, unless it takes long to find."""
    fields = list(form.model_fields)
    if _ALIASES.get(name) in fields:
        return f"Did you mean `{_ALIASES[name]}`?"
    close = get_close_matches(name, fields, n=1) if may_suggest and len(name) <= MAX_QUOTED else ()
    return f"Did you mean `{close[0]}`?" if close else f"The fields are {', '.join(fields)}."


def _pointer(path: Iterable[int | str]) -> str:
    escaped = (str(part).replace("~", "~0").replace("/", "~1") for part in path)
    return "#" + "".join(f"/{part}" for part in escaped)


def _quoted(text: str) -> str:
    return f"`{_cut(text)}`"


def _cut(text: str) -> str:
    return text if len(text) <= MAX_QUOTED else text[: MAX_QUOTED - 1] + "…"
