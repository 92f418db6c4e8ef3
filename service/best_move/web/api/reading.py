"""Read the query or the body of a request."""

import re
from typing import Any, BinaryIO, ClassVar
from urllib.parse import parse_qsl
from wsgiref.types import WSGIEnvironment

from best_move.quoting import beginning, quoted
from best_move.web.api.handling import handling_of
from best_move.web.api.problem_types import ProblemType, RejectedRequestError
from best_move.web.api.request_model import Form, Request, fields_of, read
from best_move.web.api.strict_json import DuplicateFieldError, Json, MalformedJsonError, decode

#  An integer as JSON writes it, with at most as many digits as Python reads.
_INTEGER = re.compile("-?(0|[1-9][0-9]{0,4299})")


class _QueryBesideBody(Request):
    """The query of a request that has a body: the query must be empty."""

    unknown_statement: ClassVar = "is not read from the query of a POST"
    unknown_advice: ClassVar = "It belongs in the body."


def read_request(form: type[Form], environ: WSGIEnvironment) -> Form:
    """Read the query or, for a POST, the JSON body.

    Raises an error if it is invalid, if there is a body without a POST, or if a POST has fields in
    the query.
    """
    method = environ["REQUEST_METHOD"]
    if method == "POST":
        if environ.get("QUERY_STRING"):
            _read_query(_QueryBesideBody, environ)  # raises an error for any field
        return _read_body(form, environ)
    if environ.get("CONTENT_LENGTH", "") not in ("", "0") or "HTTP_TRANSFER_ENCODING" in environ:
        advice = "Send the fields in the query, or by POST if the path supports it."
        raise RejectedRequestError(
            ProblemType.MALFORMED_BODY, f"The body of a {method} is not read. {advice}"
        )
    return _read_query(form, environ)


def _read_body(form: type[Form], environ: WSGIEnvironment) -> Form:
    body = read_bytes(environ)
    try:
        fields = decode(body)
    except MalformedJsonError as error:
        sent = f"begins with {beginning(body)}" if body else "is empty"
        detail = f"The body is not JSON: {error}. The body {sent}. {form.shape()}"
        raise RejectedRequestError(ProblemType.MALFORMED_JSON, detail) from None
    return read(form, fields)


def _read_query(form: type[Form], environ: WSGIEnvironment) -> Form:
    """Read the query as a request.

    Booleans are true or false in any case, and integers have no fraction. The items of a list are
    separated by commas, with or without brackets around them, or its name is repeated, with or
    without brackets behind it. An empty value is a value, and no field accepts it: if it counted as
    omitted, an unset variable could turn the sides around.

    Raises InvalidRequestError or DuplicateFieldError if the query is invalid.
    """
    query = environ.get("QUERY_STRING", "")
    schemas = fields_of(form)
    fields: Json = {}
    for sent_name, text in parse_qsl(query, keep_blank_values=True, errors="replace"):
        name = _without_brackets(sent_name, schemas, fields)
        kind = schemas.get(name, {}).get("type")
        value = _parsed(text, kind)
        #  read() rejects unknown names, whether they are repeated or not.
        if name not in fields or name not in schemas:
            fields[name] = value
        elif kind == "array":
            fields[name] += value
        else:
            raise DuplicateFieldError(name, f"#/{name}")
    return read(form, fields, in_query=True)


def _without_brackets(name: str, schemas: dict[str, Json], fields: Json) -> str:
    """Return `played` for `played[]` and `played[0]`, as HTTP libraries name the items of a list.

    A number must be the index of the next item, so that no item is missing or moved. Any other name
    is returned unchanged.
    """
    field, _, rest = name.partition("[")
    if schemas.get(field, {}).get("type") != "array":
        return name
    next_index = len(fields.get(field, ()))
    return field if rest in ("]", f"{next_index}]") else name


def _parsed(text: str, kind: str | None) -> Any:
    """Return a text as a value of a type of JSON Schema.

    An invalid text, or an invalid item of a list, stays a text.
    """
    if kind == "boolean":
        return {"true": True, "false": False}.get(text.lower(), text)
    if kind == "array":
        in_brackets = re.fullmatch(r"\[(.+)\]", text)
        items = in_brackets[1] if in_brackets else text
        return [_integer(item.strip(" ")) for item in items.split(",")]
    if kind == "integer":
        return _integer(text)
    return text


def _integer(text: str) -> int | str:
    if _INTEGER.fullmatch(text):
        return int(text)
    return text


def read_bytes(environ: WSGIEnvironment) -> bytes:
    """Return the body of a request; Flask's own method takes several times as long.

    Raises RejectedRequestError if its media type is not JSON, or if it is compressed, too long,
    incomplete or late.
    """
    _check_media_type(environ)
    limit = handling_of(environ["PATH_INFO"]).max_bytes
    stream = environ["wsgi.input"]
    header = environ.get("CONTENT_LENGTH", "")
    length = int(header) if header.isdecimal() else 0
    if length > limit:
        raise _too_large(limit)
    if length:
        return _read_up_to(length, stream, length)
    if not environ.get("wsgi.input_terminated"):  # the stream may have no end
        return b""
    body = _read_up_to(limit + 1, stream)  # chunks, or nothing
    if len(body) > limit:
        raise _too_large(limit)
    return body


def _too_large(limit: int) -> RejectedRequestError:
    return RejectedRequestError(
        ProblemType.BODY_TOO_LARGE, f"The body is longer than {limit} bytes. Send less."
    )


def _read_up_to(size: int, stream: BinaryIO, length: int = 0) -> bytes:
    """Return up to `size` bytes, at least `length`, which is 0 for chunks.

    Raises RejectedRequestError if fewer arrive, or if they arrive too late.
    """
    body = b""
    try:
        while len(body) < size and (part := stream.read(size - len(body))):
            body += part
    except TimeoutError:
        text = f"The body did not arrive in time.{_arrived(body, length)} Send it without pauses."
        raise RejectedRequestError(ProblemType.REQUEST_TIMEOUT, text) from None
    except Exception:  # noqa: BLE001, the server's parser of chunks may raise any exception
        raise _incomplete(body, length) from None
    if len(body) < length:
        raise _incomplete(body, length)
    return body


def _incomplete(body: bytes, length: int) -> RejectedRequestError:
    advice = "Send all of it, with its Content-Length."
    text = f"The body is incomplete.{_arrived(body, length)} {advice}"
    return RejectedRequestError(ProblemType.MALFORMED_BODY, text)


def _arrived(body: bytes, length: int) -> str:
    """Return how many of the bytes of Content-Length arrived, as a sentence after another one."""
    if not length:
        return ""
    return f" Only {len(body)} of the {length} bytes of Content-Length arrived."


def _check_media_type(environ: WSGIEnvironment) -> None:
    header = environ.get("CONTENT_TYPE", "")
    media_type = header.partition(";")[0].strip().lower()
    encoding = environ.get("HTTP_CONTENT_ENCODING", "identity").lower()
    if media_type != "application/json" or encoding != "identity":
        sent = f"Content-Type {quoted(header)}" if header else "no Content-Type"
        if encoding != "identity":
            sent += f" and Content-Encoding {quoted(encoding)}"
        advice = "Send the header Content-Type: application/json, and no Content-Encoding."
        detail = f"The body must be uncompressed JSON, but it has {sent}. {advice}"
        raise RejectedRequestError(ProblemType.UNSUPPORTED_MEDIA_TYPE, detail)
