"""HTTP messages: a request read as a question, an answer written as a response."""

import json
import re
from collections import Counter
from collections.abc import Iterable
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, Self
from urllib.parse import parse_qsl

from flask import Response, request
from werkzeug.exceptions import PreconditionFailed, RequestEntityTooLarge, UnsupportedMediaType

from service.oracle import Answer, Question
from service.web.metrics import count_search
from service.web.problems import MAX_BYTES, MalformedBodyError, RepeatedFieldError, problem_of
from service.web.schemas import (
    BestMove,
    BestMoveRequest,
    BestMovesRequest,
    Health,
    LastingAnswer,
    Problem,
    describe_answer,
    describe_lasting,
    write_json,
)

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIEnvironment

    from werkzeug import Request

_INTEGER: Final = re.compile("-?[0-9]{1,4300}")  # as many digits as Python reads

NOT_STORED = ("Cache-Control", "no-store")


class WholeResponse(Response):
    """A response that is sent whole, since no client needs a part of it. A condition that it fails is an exception."""

    def make_conditional(self, request_or_environ: "WSGIEnvironment | Request", *_: object, **__: object) -> Self:
        """Answer a condition in the request; raise PreconditionFailed where it asks for another version."""
        super().make_conditional(request_or_environ)
        if self.status_code == 412:
            if not request.if_match.star_tag:
                self.close()
                raise PreconditionFailed
            self.status_code = 200  # any version will do, and there is one
        return self


class _AsMade(WholeResponse):
    """A 200 that goes out with the headers that it was made with; Werkzeug would check and copy each of them twice."""

    default_mimetype = None  # it is among the headers

    def __init__(self, body: bytes, headers: list[tuple[str, str]]) -> None:
        super().__init__(body)
        self._body = body
        self._headers = headers

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        """Answer a request."""
        start_response("200 OK", self._headers)
        return [] if environ["REQUEST_METHOD"] == "HEAD" else [self._body]


def parse_query() -> Question:
    """Read the question in the query string, each of whose parameters stands once."""
    pairs = parse_qsl(request.environ["QUERY_STRING"], keep_blank_values=True, errors="replace")
    fields = {name: _typed(name, text) for name, text in pairs}
    if len(fields) < len(pairs):
        raise RepeatedFieldError(_repeated(pairs))
    return BestMoveRequest.model_validate(fields).question()


def parse_body() -> Question:
    """Read the question in a JSON body, each of whose names stands once."""
    body = _read_json()
    asked = BestMoveRequest.model_validate_json(body)
    question = asked.question()
    if _has_more_names(body, len(asked.model_fields_set)):
        raise RepeatedFieldError(json.loads(body, object_pairs_hook=_Names).repeated)
    return question


def parse_batch() -> list[Question | Problem]:
    """Read the questions in a JSON body, each by itself: one that is wrong is a problem in its place."""
    body = _read_json()
    names = 1
    items: list[Question | Problem] = []
    for fields in BestMovesRequest.model_validate_json(body).requests:
        try:
            asked = BestMoveRequest.model_validate(fields)
            items.append(asked.question())
            names += len(asked.model_fields_set)
        except ValueError as error:
            items.append(problem_of(error))
    if _has_more_names(body, names):
        found = json.loads(body, object_pairs_hook=_Names)
        if found.repeated:
            raise RepeatedFieldError(found.repeated)
        for index, item in enumerate(found["requests"]):
            if isinstance(item, _Names) and item.repeated:
                items[index] = problem_of(RepeatedFieldError(item.repeated))
    return items


class _Names(dict[str, Any]):
    """A JSON object that remembers which of its names stood more than once."""

    def __init__(self, pairs: list[tuple[str, object]]) -> None:
        super().__init__(pairs)
        self.repeated = _repeated(pairs)


def _repeated(pairs: Iterable[tuple[str, object]]) -> list[str]:
    """Return the names that stand more than once."""
    return [name for name, count in Counter(name for name, _ in pairs).items() if count > 1]


def _has_more_names(body: bytes, names: int) -> bool:
    """Return whether a body may have more names than its valid requests show.

    Readers of JSON let the last of a repeated name win. Nothing in a valid request has a colon in it, so a colon too
    many betrays the name, at a fraction of the cost of a second parse.
    """
    return body.count(b":") != names


def present(answer: Answer, *, by_query: bool) -> Response:
    """Write an answer, and count its search.

    By query, an answer that would be the same the next time may be cached; its ETag leaves out the time taken.
    """
    count_search(answer)
    lasting = describe_lasting(answer)
    body = write_json({**lasting, "elapsed_ms": answer.elapsed_ms})
    headers = [
        ("Content-Type", "application/json"),
        ("Content-Length", str(len(body))),
        ("Server-Timing", f"search;dur={answer.elapsed_ms}"),
    ]
    if not (by_query and answer.repeatable):
        return _AsMade(body, [*headers, NOT_STORED])
    headers += [("Cache-Control", "public, max-age=86400"), ("ETag", _etag(lasting))]
    if "HTTP_IF_NONE_MATCH" in request.environ or "HTTP_IF_MATCH" in request.environ:
        response = WholeResponse(body, headers=headers)
        response.make_conditional(request)
        return response
    return _AsMade(body, headers)


def _etag(answer: LastingAnswer) -> str:
    """Return the weak tag of an answer, which the time taken does not change."""
    return f'W/"{blake2b(write_json(answer), digest_size=8).hexdigest()}"'


def present_batch(items: list[Answer | Problem]) -> Response:
    """Write the answers and problems of a batch, and count its searches."""
    described: list[BestMove | Problem] = []
    elapsed_ms = 0.0
    for item in items:
        if isinstance(item, Answer):
            count_search(item)
            elapsed_ms += item.elapsed_ms
            described.append(describe_answer(item))
        else:
            described.append(item)
    headers = [("Content-Type", "application/json"), ("Server-Timing", f"search;dur={elapsed_ms:.3f}"), NOT_STORED]
    return Response(write_json({"answers": described}), headers=headers)


def present_health(health: Health) -> Response:
    """Write the state of the service."""
    return Response(write_json(health), headers=[("Content-Type", "application/json"), NOT_STORED])


def _typed(name: str, text: str) -> object:
    """Return a parameter's text as the number or boolean that it spells, where the field is one; else the text."""
    field = BestMoveRequest.model_fields.get(name)
    form = field.annotation if field else str
    if form is bool:
        return {"true": True, "false": False}.get(text, text)
    if form is int and _INTEGER.fullmatch(text):
        return int(text)
    return text


def _read_json() -> bytes:
    """Return the whole body, if it is said to be JSON."""
    environ = request.environ
    if environ.get("CONTENT_TYPE") != "application/json" and request.mimetype != "application/json":
        raise UnsupportedMediaType
    length = environ.get("CONTENT_LENGTH", "")
    if length.isdecimal():
        if int(length) > MAX_BYTES:
            raise RequestEntityTooLarge
        body = _read(int(length))
        if len(body) < int(length):
            raise MalformedBodyError
    else:
        body = _read(MAX_BYTES + 1) if environ.get("wsgi.input_terminated") else b""
        if len(body) > MAX_BYTES:
            raise RequestEntityTooLarge
    return body


def _read(size: int) -> bytes:
    """Return the body up to a size; the server ends it where its last chunk does."""
    try:
        body: bytes = request.environ["wsgi.input"].read(size)
    except Exception as error:  # the server's parser of chunks raises what it likes
        raise MalformedBodyError from error
    return body
