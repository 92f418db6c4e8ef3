"""Read the query or the body of the current request."""

import re
from typing import Any, Final
from urllib.parse import parse_qsl

import flask
from flask import request

from best_move.web.api.strict_json import DuplicateFieldError, decode
from best_move.web.api.validation import Form, Request, fields_of, read

MAX_BYTES: Final = 64 * 1024  # in a body
MAX_PLAYER_BYTES: Final = (
    320 * 1024
)  # in a body with a player: 2,423 boards with nine numbers each, in full precision
MAX_MESSAGE_BYTES: Final = (
    16 * 1024
)  # in a chat client's message, because a mean one costs as much as many calls

_INCOMPLETE: Final = "The body is incomplete. Send all of it, with its Content-Length."


class RejectedRequestError(ValueError):
    """Raised for a request that is rejected unread; `code` is that of the problem, and the message is its detail."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code: Final = code


def max_bytes(path: str) -> int:
    """Return how many bytes a body that is sent to a path may have."""
    return {"/player-review": MAX_PLAYER_BYTES, "/mcp": MAX_MESSAGE_BYTES}.get(
        path.rstrip("/"), MAX_BYTES
    )


def current_request() -> flask.Request:
    """Return the request behind Flask's slow proxy."""
    found: flask.Request = request._get_current_object()  # type: ignore[attr-defined]  # noqa: SLF001, Flask documents it
    return found


class _QueryBesideBody(Request):
    """The query of a request that has a body: the query must be empty."""

    unknown = "is not read from the query of a POST"
    known = "It belongs in the body."


def read_request(form: type[Form]) -> Form:
    """Read the query or, for a POST, the JSON body; raise an error if it is invalid, or if there are both."""
    if current_request().method != "POST":
        return read_query(form)
    if current_request().environ.get("QUERY_STRING"):
        read_query(_QueryBesideBody)
    return read(form, decode(read_bytes()))


def read_query(form: type[Form]) -> Form:
    """Read the query as a request; raise InvalidRequestError or DuplicateFieldError if it is not valid.

    Numbers and booleans are written as in JSON. The items of a list are separated by commas, or its name is repeated.
    A field with an empty value counts as omitted, because HTML forms send such a field for each empty input.
    """
    query = parse_qsl(
        current_request().environ.get("QUERY_STRING", ""), keep_blank_values=True, errors="replace"
    )
    schemas = fields_of(form)
    fields: dict[str, Any] = {}
    for name, text in query:
        kind = schemas.get(name, {}).get("type")
        value = None if name in schemas and not text else _parsed(text, kind)
        if name in fields and name in schemas:
            if kind != "array":
                raise DuplicateFieldError(name)
            value = (fields[name] or []) + (value or [])
        fields[name] = value
    return read(form, fields, in_query=True)


def _parsed(text: str, kind: str | None) -> Any:
    """Return a text as a value of a type of JSON Schema, or the text itself if it is invalid."""
    if kind == "array":
        return [_parsed(part.strip(" "), "integer") for part in text.split(",")]
    if kind == "boolean":
        return {"true": True, "false": False}.get(text, text)
    is_integer = kind == "integer" and re.fullmatch(
        "-?[0-9]{1,4300}", text
    )  # Python reads at most 4,300 digits
    return int(text) if is_integer else text


def read_bytes() -> bytes:
    """Return the body; raise RejectedRequestError if it is not JSON, encoded, too long, incomplete or late.

    Flask's own method takes several times as long.
    """
    environ = current_request().environ
    is_json = (
        environ.get("CONTENT_TYPE") == "application/json"
        or current_request().mimetype == "application/json"
    )
    if not is_json or environ.get("HTTP_CONTENT_ENCODING", "identity") != "identity":
        advice = "Send the header Content-Type: application/json, and no Content-Encoding."
        raise RejectedRequestError(
            "unsupported_media_type", f"The body must be uncompressed JSON. {advice}"
        )
    declared, limit = environ.get("CONTENT_LENGTH", ""), max_bytes(environ["PATH_INFO"])
    length = int(declared) if declared.isdecimal() else 0
    size = length or (limit + 1 if environ.get("wsgi.input_terminated") else 0)
    try:
        body: bytes = environ["wsgi.input"].read(size) if length <= limit else b""
    except TimeoutError as error:
        late = "The body did not arrive in time. Send it without pauses."
        raise RejectedRequestError("request_timeout", late) from error
    except Exception as error:  # the server's parser of chunks may raise any exception
        raise RejectedRequestError("malformed_body", _INCOMPLETE) from error
    if max(length, len(body)) > limit:
        raise RejectedRequestError(
            "body_too_large", f"The body is longer than {limit} bytes. Send less."
        )
    if len(body) < length:
        raise RejectedRequestError("malformed_body", _INCOMPLETE)
    return body
