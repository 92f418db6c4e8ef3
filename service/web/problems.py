"""Problems after RFC 9457: one table from exception to problem."""

import logging
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import Final

from flask import Flask, Response, current_app, request
from pydantic import ValidationError
from pydantic_core import ErrorDetails
from werkzeug.exceptions import (
    MethodNotAllowed,
    NotFound,
    PreconditionFailed,
    RequestEntityTooLarge,
    UnsupportedMediaType,
)

from service.engine.position import IllegalPositionError, InvalidBoardError
from service.web.middleware import REQUEST_ID
from service.web.schemas import BOARD_FORMS, FIELDS, MAX_REQUESTS, RANGES, FieldError, Problem, write_json

log = logging.getLogger(__name__)

#  code -> status, title. Titles are the service's own: those of the standard library differ between its versions.
KINDS: Final = {
    "malformed_json": (400, "Malformed JSON"),
    "malformed_body": (400, "Malformed request body"),
    "invalid_request": (400, "Invalid request"),
    "not_found": (404, "No such path"),
    "method_not_allowed": (405, "Method not allowed"),
    "precondition_failed": (412, "Precondition failed"),
    "body_too_large": (413, "Request body too large"),
    "unsupported_media_type": (415, "Unsupported media type"),
    "illegal_position": (422, "Illegal position"),
    "internal_error": (500, "Internal error"),
}

MAX_BYTES: Final = 64 * 1024  # of a request's body
MAX_ERRORS: Final = 20
MAX_SUGGESTIONS: Final = 3  # to find one costs as much as a search
MAX_QUOTED: Final = 40

_CODES: Final = {
    "missing": "missing_field",
    "extra_forbidden": "unknown_field",
    "literal_error": "wrong_value",
    "greater_than_equal": "wrong_value",
    "less_than_equal": "wrong_value",
    "too_short": "wrong_length",
    "too_long": "wrong_length",
}
_BOARD_HINT: Final = (
    'Send nine cells, row by row: a string such as "X...O....", or an array with "X", "O" and "" or null.'
)


class MalformedBodyError(Exception):
    """Raised for a body that cannot be read to its end."""


class RepeatedFieldError(ValueError):
    """Raised where a name stands more than once, so that one of its values would be ignored."""

    def __init__(self, names: list[str]) -> None:
        super().__init__(names)
        self.names: Final = names


def describe(code: str, detail: str, errors: Iterable[FieldError] = ()) -> Problem:
    """Return a problem of a known kind."""
    status, title = KINDS[code]
    problem: Problem = {
        "type": f"urn:best-move:problem:{code}",
        "title": title,
        "status": status,
        "detail": detail,
        "code": code,
    }
    faults = list(errors)
    if faults:
        problem["errors"] = faults
    return problem


INTERNAL_ERROR: Final = describe(
    "internal_error", "The service failed on this request. The fault is its own, and has been logged."
)


def _invalid(faults: list[FieldError], more: int = 0) -> Problem:
    """Return the problem of a request that breaks the schema: its faults, and how many more there are."""
    detail = " ".join(fault["detail"] for fault in faults) + (f" And {more} more." if more > 0 else "")
    return describe("invalid_request", detail, faults)


def _of_validation(error: ValidationError) -> Problem:
    details = error.errors(include_input=False, include_context=False, include_url=False)
    if details[0]["type"] == "json_invalid":
        reason = details[0]["msg"].removeprefix("Invalid JSON: ")
        return describe("malformed_json", f"The body is not JSON: {reason}. Send one JSON object.")
    fields = list(FIELDS[error.title])
    faults = [
        _fault(detail, fields, may_suggest=index < MAX_SUGGESTIONS) for index, detail in enumerate(details[:MAX_ERRORS])
    ]
    return _invalid(faults, more=len(details) - MAX_ERRORS)


def _fault(error: ErrorDetails, fields: list[str], *, may_suggest: bool) -> FieldError:
    kind = error["type"]
    path = list(error["loc"])
    if path[:1] == ["board"] and len(path) > 1 and path[1] in BOARD_FORMS:
        del path[1]  # Pydantic's name for the form of the board, which no request has
    name = _quoted(".".join(map(str, path))) if path else "The request"
    if kind == "missing":
        detail = f"{name} is missing."
    elif kind == "extra_forbidden":
        detail = f"{name} is not a field of this request. {_advice(str(path[-1]), fields, may_suggest=may_suggest)}"
    elif kind in ("too_short", "too_long"):
        count = "9 cells" if path[0] == "board" else f"from 1 to {MAX_REQUESTS} entries"
        detail = f"{name} should have {count}."
    elif kind == "model_type":
        detail = f"{name} should be a JSON object."
    elif path and path[0] in RANGES:
        least, most = RANGES[str(path[0])]
        detail = f"{name} should be a whole number from {least} to {most}."
    elif kind == "bool_type":
        detail = f"{name} should be true or false."
    else:
        detail = f"{name} should be {error['msg'].removeprefix('Input should be ')}."
    if path == ["board"]:
        detail = f"{detail} {_BOARD_HINT}"
    return FieldError(pointer=_pointer(path), code=_CODES.get(kind, "wrong_type"), detail=detail)


def _advice(name: str, fields: list[str], *, may_suggest: bool) -> str:
    """Return what to send for a name that is no field: the field most like it, unless that is dear to find."""
    close = get_close_matches(name, fields, n=1) if may_suggest and len(name) <= MAX_QUOTED else ()
    return f"Did you mean `{close[0]}`?" if close else f"The fields are {', '.join(fields)}."


def _of_invalid_board(error: InvalidBoardError) -> Problem:
    return _invalid([FieldError(pointer="#/board", code=error.fault, detail=f"{error} {_BOARD_HINT}")])


def _of_illegal_position(error: IllegalPositionError) -> Problem:
    pointer = "#/to_move" if error.cause == "wrong_side_to_move" else "#/board"
    fault = FieldError(pointer=pointer, code=error.cause, detail=str(error))
    return describe("illegal_position", fault["detail"], [fault])


def _of_repeated_field(error: RepeatedFieldError) -> Problem:
    return _invalid(
        [
            FieldError(
                pointer=_pointer([name]),
                code="repeated_field",
                detail=f"{_quoted(name)} stands more than once. Send it once.",
            )
            for name in error.names
        ]
    )


def _of_malformed_body(_: MalformedBodyError) -> Problem:
    return describe(
        "malformed_body", "The body broke off or its chunks are malformed. Send it whole, with its Content-Length."
    )


def _of_not_found(_: NotFound) -> Problem:
    paths = sorted({rule.rule for rule in current_app.url_map.iter_rules() if not rule.arguments})
    return describe(
        "not_found", f"There is nothing at {_quoted(request.environ['PATH_INFO'])}. The paths are {', '.join(paths)}."
    )


def _of_method_not_allowed(error: MethodNotAllowed) -> Problem:
    return describe("method_not_allowed", f"The path does not take {request.method}. Use {_allowed(error)}.")


def _of_too_large(_: RequestEntityTooLarge) -> Problem:
    return describe("body_too_large", f"The body is longer than the limit of {MAX_BYTES} bytes. Send less.")


def _of_media_type(_: UnsupportedMediaType) -> Problem:
    return describe("unsupported_media_type", "The body must be JSON. Send the header Content-Type: application/json.")


def _of_precondition(_: PreconditionFailed) -> Problem:
    return describe(
        "precondition_failed", "The answer is not the one that If-Match names. Send the request without it."
    )


def _of_anything_else(error: Exception) -> Problem:
    environ = request.environ
    fields = {
        "method": environ["REQUEST_METHOD"],
        "path": environ["PATH_INFO"],
        "request_id": environ.get(REQUEST_ID),
    }
    log.error("the service failed on a request", extra=fields, exc_info=error)
    return INTERNAL_ERROR


#  The most specific exception that fits decides, whatever the order here.
PROBLEMS: Final[dict[type[Exception], Callable[..., Problem]]] = {
    ValidationError: _of_validation,
    InvalidBoardError: _of_invalid_board,
    IllegalPositionError: _of_illegal_position,
    RepeatedFieldError: _of_repeated_field,
    MalformedBodyError: _of_malformed_body,
    NotFound: _of_not_found,
    MethodNotAllowed: _of_method_not_allowed,
    PreconditionFailed: _of_precondition,
    RequestEntityTooLarge: _of_too_large,
    UnsupportedMediaType: _of_media_type,
    Exception: _of_anything_else,
}


def problem_of(error: Exception) -> Problem:
    """Return the problem that an exception stands for; where this table fails, it is the service that has failed."""
    kind = next(kind for kind in type(error).__mro__ if kind in PROBLEMS)
    try:
        return PROBLEMS[kind](error)
    except Exception as fault:  # noqa: BLE001, whatever it is, the client gets an answer of the contract
        return _of_anything_else(fault)


def respond(error: Exception) -> Response:
    """Return the response to an exception: its problem, never to be cached, with the headers that it calls for."""
    problem = problem_of(error)
    response = Response(
        write_json(problem),
        status=problem["status"],
        content_type="application/problem+json",
        headers={"Cache-Control": "no-store"},
    )
    if isinstance(error, MethodNotAllowed):
        response.headers["Allow"] = _allowed(error)
    return response


def register(app: Flask) -> None:
    """Answer every exception of the app with its problem."""
    app.register_error_handler(Exception, respond)


def _allowed(error: MethodNotAllowed) -> str:
    return ", ".join(sorted(error.valid_methods or ()))


def _pointer(path: list[int | str]) -> str:
    escaped = (str(part).replace("~", "~0").replace("/", "~1") for part in path)
    return "#" + "".join(f"/{part}" for part in escaped)


def _quoted(text: str) -> str:
    short = text if len(text) <= MAX_QUOTED else text[: MAX_QUOTED - 1] + "…"
    return f"`{short}`"
