"""Problems after RFC 9457: what an exception tells the client."""

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

from service.engine.position import CELLS, IllegalMoveError, IllegalPositionError, InvalidBoardError
from service.engine.search_tree import InvalidWindowError
from service.web.api.questions import (
    MAX_BYTES,
    MAX_ERRORS,
    InvalidRequestError,
    MalformedBodyError,
    fields_of,
)
from service.web.logs import REQUEST_ID
from service.web.strict_json import DuplicateFieldError, MalformedJsonError

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

MAX_QUOTED: Final = 40  # characters of a name
MAX_SUGGESTIONS: Final = 3  # to find one costs as much as a search

_BOARD_HINT: Final = (
    'Send nine cells, row by row: a string such as "X...O....", or an array with "X", "O" and "" or null.'
)
_PLAYED_HINT: Final = "Send cells in the order of the moves: [0, 4, 1], or 0,4,1 in a query."


class FieldError(TypedDict):
    """One fault of a request."""

    pointer: Annotated[str, Field(description="A JSON Pointer to the fault, in the body or among the parameters.")]
    code: Annotated[str, Field(pattern="^[a-z_]+$", description="The kind of fault, for programs. Stable.")]
    detail: Annotated[str, Field(description="The fault and what to change, for people.")]


class Problem(TypedDict):
    """What went wrong, after RFC 9457."""

    type: Annotated[str, Field(description="A URI that identifies the kind of problem: a name, not an address.")]
    title: Annotated[str, Field(description="The kind of problem, in words.")]
    status: Annotated[int, Field(ge=400, le=599, description="The HTTP status.")]
    detail: Annotated[str, Field(description="This problem and what to change, for people.")]
    code: Annotated[
        str,
        Field(
            pattern="^[a-z_]+$",
            description="The kind of problem, for programs. Stable; a later version may add some.",
            examples=[*PROBLEM_TYPES],
        ),
    ]
    errors: NotRequired[Annotated[list[FieldError], Field(description="Each fault by itself, where that helps.")]]


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
    faults = list(errors)
    if faults:
        problem["errors"] = faults
    return problem


INTERNAL_ERROR: Final = describe(
    "internal_error", "The service failed on this request. The fault is its own, and has been logged."
)


def problem_of(error: Exception) -> Problem:
    """Return the problem that an exception stands for; where that fails, it is the service that has failed."""
    try:
        return _problem(error)
    except Exception as fault:  # noqa: BLE001, whatever it is, the client gets an answer of the contract
        return _internal_error(fault)


def allowed(error: MethodNotAllowed) -> str:
    """Return the methods that a path takes, as the header Allow has them."""
    return ", ".join(sorted(error.valid_methods or ()))


#  The most specific exception that fits decides. One that is not foreseen here is a fault of the service.


@singledispatch
def _problem(error: Exception) -> Problem:
    return _internal_error(error)


@_problem.register
def _(error: MalformedJsonError) -> Problem:
    return describe("malformed_json", f"The body is not JSON: {error}. Send one JSON object.")


@_problem.register
def _(_: MalformedBodyError) -> Problem:
    return describe(
        "malformed_body", "The body broke off or its chunks are malformed. Send it whole, with its Content-Length."
    )


@_problem.register
def _(_: RequestTimeout) -> Problem:
    return describe("request_timeout", "The body did not arrive in time. Send it whole, and at once.")


@_problem.register
def _(_: RequestEntityTooLarge) -> Problem:
    return describe("body_too_large", f"The body is longer than the limit of {MAX_BYTES} bytes. Send less.")


@_problem.register
def _(_: UnsupportedMediaType) -> Problem:
    return describe("unsupported_media_type", "The body must be JSON. Send the header Content-Type: application/json.")


@_problem.register
def _(error: InvalidRequestError) -> Problem:
    faults = [
        _fault(fault, error.form, may_suggest=index < MAX_SUGGESTIONS) for index, fault in enumerate(error.faults)
    ]
    return _invalid(faults, error.more)


@_problem.register
def _(error: DuplicateFieldError) -> Problem:
    faults = [
        FieldError(
            pointer=_pointer([name]),
            code="repeated_field",
            detail=f"{_quoted(name)} stands more than once. Send it once.",
        )
        for name in error.names[:MAX_ERRORS]
    ]
    return _invalid(faults, len(error.names) - MAX_ERRORS)


@_problem.register
def _(error: InvalidBoardError) -> Problem:
    return _invalid([FieldError(pointer="#/board", code=error.fault, detail=f"{error} {_BOARD_HINT}")])


@_problem.register
def _(error: IllegalPositionError) -> Problem:
    pointer = "#/to_move" if error.cause == "wrong_side_to_move" else "#/board"
    fault = FieldError(pointer=pointer, code=error.cause, detail=str(error))
    return describe("illegal_position", fault["detail"], [fault])


@_problem.register
def _(error: IllegalMoveError) -> Problem:
    fault = FieldError(pointer=f"#/played/{error.index}", code=error.cause, detail=str(error))
    return describe("illegal_position", fault["detail"], [fault])


@_problem.register
def _(error: InvalidWindowError) -> Problem:
    pointer = "#/algorithm" if error.cause == "unused_window" else "#/alpha"
    fault = FieldError(pointer=pointer, code=error.cause, detail=str(error))
    return describe("invalid_window", fault["detail"], [fault])


@_problem.register
def _(_: Forbidden) -> Problem:
    return describe(
        "origin_not_allowed", "Pages of this origin may not call. Add the origin to CORS_ORIGINS, or send none."
    )


@_problem.register
def _(_: NotFound) -> Problem:
    path = _quoted(request.environ["PATH_INFO"])
    paths = sorted({rule.rule.rstrip("/") or "/" for rule in current_app.url_map.iter_rules() if not rule.arguments})
    return describe("not_found", f"There is nothing at {path}. The paths are {', '.join(paths)}.")


@_problem.register
def _(error: MethodNotAllowed) -> Problem:
    detail = f"The path does not take {request.method}. Use {allowed(error)}."
    if request.path == "/" and request.method == "POST":
        detail += " Chat clients post their messages to /mcp."
    return describe("method_not_allowed", detail)


@_problem.register
def _(_: PreconditionFailed) -> Problem:
    return describe(
        "precondition_failed", "The answer is not the one that If-Match names. Send the request without it."
    )


def _internal_error(error: Exception) -> Problem:
    environ = request.environ
    fields = {"method": environ["REQUEST_METHOD"], "path": environ["PATH_INFO"], "request_id": environ.get(REQUEST_ID)}
    log.error("the service failed on a request", extra=fields, exc_info=error)
    return INTERNAL_ERROR


def _invalid(faults: list[FieldError], more: int = 0) -> Problem:
    """Return the problem of a request that breaks the schema: its faults, and how many more there are."""
    detail = " ".join(fault["detail"] for fault in faults) + (f" And {more} more." if more > 0 else "")
    return describe("invalid_request", detail, faults)


_CODES: Final = {
    "missing": "missing_field",
    "extra_forbidden": "unknown_field",
    "literal_error": "wrong_value",
    "greater_than_equal": "wrong_value",
    "less_than_equal": "wrong_value",
    "too_short": "wrong_length",
    "too_long": "wrong_length",
}


def _fault(error: ErrorDetails, form: type[BaseModel], *, may_suggest: bool) -> FieldError:
    """Return what Pydantic finds wrong with a field, in the service's own words."""
    kind, path = error["type"], error["loc"]
    name = _quoted(".".join(map(str, path))) if path else "The request"
    if kind == "missing":
        detail = f"{name} is missing."
    elif kind == "extra_forbidden":
        detail = f"{name} is not a field of this request. {_advice(str(path[-1]), form, may_suggest=may_suggest)}"
    else:
        detail = f"{name} should {_demand(error, form)}."
    if path in {("board",), ("played",)}:
        detail = f"{detail} {_BOARD_HINT if path == ('board',) else _PLAYED_HINT}"
    return FieldError(pointer=_pointer(path), code=_CODES.get(kind, "wrong_type"), detail=detail)


def _demand(error: ErrorDetails, form: type[BaseModel]) -> str:
    """Return what a field should be."""
    path = error["loc"]
    field = fields_of(form)[str(path[0])] if path else {}
    if len(path) > 1:
        field = field.get("items", field)
    match error["type"]:
        case "literal_error":
            return f"be {error['ctx']['expected']}"
        case "int_type" | "greater_than_equal" | "less_than_equal":
            return f"be a whole number from {field['minimum']} to {field['maximum']}"
        case "too_short" | "too_long":
            return (
                f"have {CELLS} cells"
                if path == ("board",)
                else f"have from {field.get('minItems', 0)} to {field['maxItems']} entries"
            )
        case "list_type":
            return "be a string or an array" if path == ("board",) else "be an array"
        case kind:
            return {"bool_type": "be true or false", "model_type": "be a JSON object"}[kind]


def _advice(name: str, form: type[BaseModel], *, may_suggest: bool) -> str:
    """Return what to send for a name that is no field: the field most like it, unless that is dear to find."""
    fields = list(form.model_fields)
    close = get_close_matches(name, fields, n=1) if may_suggest and len(name) <= MAX_QUOTED else ()
    return f"Did you mean `{close[0]}`?" if close else f"The fields are {', '.join(fields)}."


def _pointer(path: Iterable[int | str]) -> str:
    escaped = (str(part).replace("~", "~0").replace("/", "~1") for part in path)
    return "#" + "".join(f"/{part}" for part in escaped)


def _quoted(text: str) -> str:
    short = text if len(text) <= MAX_QUOTED else text[: MAX_QUOTED - 1] + "…"
    return f"`{short}`"
