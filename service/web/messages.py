"""HTTP messages: a request read as a question, an answer written as a response."""

import json
from collections import Counter
from hashlib import blake2b

from flask import Response, request
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge, UnsupportedMediaType

from service.oracle import Answer, Question
from service.web.problems import MOST_BYTES, MalformedBodyError, RepeatedFieldError
from service.web.schemas import BestMove, BestMoveRequest, Schema

ONE_DAY = "public, max-age=86400"


def parse_query() -> Question:
    """Read the question in a query string, each of whose parameters stands once."""
    repeated = [name for name, values in request.args.lists() if len(values) > 1]
    if repeated:
        raise RepeatedFieldError(repeated)
    return BestMoveRequest.model_validate({name: _typed(name, text) for name, text in request.args.items()}).question()


def parse_body() -> Question:
    """Read the question in a JSON body, each of whose names stands once."""
    body = _read_json()
    asked = BestMoveRequest.model_validate_json(body)
    question = asked.question()
    # JSON readers let the last of a repeated name win. No name or value of a valid request has a colon in it, so a
    # colon too many betrays the name without a second parse.
    if body.count(b":") != len(asked.model_fields_set):
        pairs = json.loads(body, object_pairs_hook=list)
        raise RepeatedFieldError([name for name, count in Counter(name for name, _ in pairs).items() if count > 1])
    return question


def present(answer: Answer, *, cacheable: bool) -> Response:
    """Write an answer. A cacheable one has an ETag, made without the time that the search took."""
    described = BestMove.of(answer)
    response = json_response(described)
    response.headers["Server-Timing"] = f"search;dur={answer.elapsed_ms}"
    if cacheable:
        lasting = described.as_json(without="elapsed_ms").encode()
        response.set_etag(blake2b(lasting, digest_size=8).hexdigest(), weak=True)
        response.headers["Cache-Control"] = ONE_DAY
        response.make_conditional(request)
    return response


def json_response(model: Schema) -> Response:
    """Write a model as JSON that ends with a newline, and is not to be cached."""
    return Response(
        model.as_json(),
        content_type="application/json",
        headers={"Cache-Control": "no-store"},
    )


def _typed(name: str, text: str) -> object:
    """Return a parameter's text as the number or boolean that it spells, where the field is one; else the text."""
    field = BestMoveRequest.model_fields.get(name)
    form = field.annotation if field else str
    if form is bool:
        return {"true": True, "false": False}.get(text, text)
    if form is int and text.isascii() and text.isdigit() and len(text) < 20:
        return int(text)
    return text


def _read_json() -> bytes:
    """Return the whole body, if it is said to be JSON."""
    if request.mimetype != "application/json":
        raise UnsupportedMediaType
    try:
        body = request.get_data(cache=False)
    except HTTPException:
        raise
    except Exception as error:  # the server's parser of chunks raises what it likes
        raise MalformedBodyError from error
    if request.content_length is None:
        if len(body) >= MOST_BYTES:  # a chunked body is cut at the limit without a word
            raise RequestEntityTooLarge
    elif len(body) < request.content_length:
        raise MalformedBodyError
    return body
