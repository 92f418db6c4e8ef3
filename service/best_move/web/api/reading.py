"""Read the query or the body of the current request."""

import re
from collections.abc import Callable
from functools import cache
from typing import Any, Final
from urllib.parse import parse_qsl
from wsgiref.types import WSGIEnvironment

import flask
from flask import request
from werkzeug.exceptions import RequestEntityTooLarge, RequestTimeout, UnsupportedMediaType

from best_move.web.api.strict_json import DuplicateFieldError, decode
from best_move.web.api.validation import Form, Request, fields_of, read

MAX_BYTES: Final = 64 * 1024  # in a body
MAX_PLAYER_BYTES: Final = 320 * 1024  # in a body with a player: 2,423 boards with nine numbers each, in full precision


class MalformedBodyError(ValueError):
    """Raised for a body that cannot be read to its end."""


def max_bytes(path: str) -> int:
    """Return how many bytes a body that is sent to a path may have."""
    return MAX_PLAYER_BYTES if path == "/player-review" else MAX_BYTES


def current_request() -> flask.Request:
    """Return the request behind Flask's slow proxy."""
    found: flask.Request = request._get_current_object()  # type: ignore[attr-defined]  # noqa: SLF001, Flask documents it
    return found


class _QueryBesideBody(Request):
    """The query of a request that has a body: the query must be empty."""

    unknown = "is not read from the query of a POST"
    no_fields = "It belongs in the body."


def read_request(form: type[Form]) -> Form:
    """Read the query or, if the method is POST, the body as a request; raise an error if it is invalid."""
    return read_body(form) if current_request().method == "POST" else read_query(form)


def read_query(form: type[Form]) -> Form:
    """Read the query as a request; raise InvalidRequestError or DuplicateFieldError if it is not valid.

    Numbers and booleans are written as in JSON. The items of a list are separated by commas, or its name is repeated.
    An optional field with an empty value counts as omitted, because HTML forms send such a field for each empty input.
    """
    query = parse_qsl(current_request().environ.get("QUERY_STRING", ""), keep_blank_values=True, errors="replace")
    parsers = _parsers(form)
    fields: dict[str, Any] = {}
    for name, text in query:
        value: Any = parsers[name](text) if name in parsers else text
        if not text and name in form.model_fields and not form.model_fields[name].is_required():
            value = None
        if name in fields and name in form.model_fields:
            if parsers.get(name) is not _integers:
                raise DuplicateFieldError(name)
            value = (fields[name] or []) + (value or [])
        fields[name] = value
    return read(form, fields, in_query=True)


def read_body(form: type[Form]) -> Form:
    """Read the JSON body as a request; raise an error if the body is invalid, or if the URL also has a query."""
    if current_request().environ.get("QUERY_STRING"):
        read_query(_QueryBesideBody)
    return read(form, decode(read_bytes()))


def _integer(text: str) -> int | str:
    return int(text) if re.fullmatch("-?[0-9]{1,4300}", text) else text  # Python reads at most 4,300 digits


def _integers(text: str) -> list[int | str]:
    return [_integer(part.strip(" ")) for part in text.split(",")] if text else []


def _boolean(text: str) -> bool | str:
    return {"true": True, "false": False}.get(text, text)


@cache
def _parsers(form: type[Request]) -> dict[str, Callable[[str], object]]:
    """Return the parsers of the query parameters that are not strings; text that is invalid stays a string."""
    parsers: dict[object, Callable[[str], object]] = {"integer": _integer, "boolean": _boolean, "array": _integers}
    types = {name: schema.get("type") for name, schema in fields_of(form).items()}
    return {name: parsers[type_] for name, type_ in types.items() if type_ in parsers}


def read_bytes() -> bytes:
    """Return the body; raise an exception if its Content-Type is not JSON, or if it is encoded, too long or incomplete.

    Flask's own method takes several times as long.
    """
    environ = current_request().environ
    is_json = environ.get("CONTENT_TYPE") == "application/json" or current_request().mimetype == "application/json"
    if not is_json or environ.get("HTTP_CONTENT_ENCODING", "identity") != "identity":
        raise UnsupportedMediaType
    length, limit = environ.get("CONTENT_LENGTH", ""), max_bytes(environ["PATH_INFO"])
    if length.isdecimal():
        if int(length) > limit:
            raise RequestEntityTooLarge
        body = _read(environ, int(length))
        if len(body) < int(length):
            raise MalformedBodyError
    else:
        body = _read(environ, limit + 1) if environ.get("wsgi.input_terminated") else b""
        if len(body) > limit:
            raise RequestEntityTooLarge
    return body


def _read(environ: WSGIEnvironment, size: int) -> bytes:
    try:
        body: bytes = environ["wsgi.input"].read(size)
    except TimeoutError as error:
        raise RequestTimeout from error
    except Exception as error:  # the server's parser of chunks may raise any exception
        raise MalformedBodyError from error
    return body
