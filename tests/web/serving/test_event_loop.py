"""The event loop: no search of more than a millisecond runs in it, and nothing that is long."""

import asyncio
import json
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from typing import Any, get_args
from urllib.parse import urlencode
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import pytest

from best_move import oracle
from best_move.engine import ALGORITHMS
from best_move.engine.question import Difficulty, TieBreak
from best_move.engine.score import Scoring
from best_move.oracle import Answer, Question
from best_move.web.api.handling import Thread, handling_of
from best_move.web.api.openapi import document
from best_move.web.app import create_app
from best_move.web.serving.asgi import WsgiAdapter
from best_move.web.serving.bounded_executor import BoundedExecutor
from best_move.web.serving.connection import MAX_READ
from tests.raw_requests import BODY, IN_CHUNKS, chunked
from tests.web.chatbots.messages import message
from tests.web.serving.asgi import call
from tests.web.serving.virtual import VirtualWorker, receive

Request = tuple[list[bytes], dict[str, Any]]

LONG = 1_200  # bytes
MAX_NODES = 100_000  # as many as a compiled search visits in about a millisecond

SEARCHES = [
    {"board": ".........", "algorithm": algorithm, "scoring": scoring, "tie_break": tie_break}
    for algorithm, scoring, tie_break in product(ALGORITHMS, get_args(Scoring), get_args(TieBreak))
]
CALLS = [
    {"name": "best_move", "arguments": {"played": [], "starts": "X", "difficulty": difficulty}}
    for difficulty in get_args(Difficulty)
]


def percent_encoded(text: str) -> str:
    """Return a text with each character percent-encoded."""
    return "".join(f"%{ord(character):02x}" for character in text)


def escaped(text: str) -> str:
    """Return a text with its letters as escapes of JSON."""
    return "".join(f"\\u{ord(letter):04x}" if letter.isalpha() else letter for letter in text)


def get(query: str) -> Request:
    """Return a GET request for a move: the parts of its body, and its scope."""
    return [], {"method": "GET", "raw_path": b"/best-move", "query_string": query.encode()}


def post(path: bytes, body: str) -> Request:
    """Return a POST request: the parts of its body, and its scope."""
    headers = [(b"content-type", b"application/json"), (b"transfer-encoding", b"chunked")]
    return [body.encode(), b""], {"raw_path": path, "query_string": b"", "headers": headers}


def requests() -> Iterator[Request]:
    """Yield requests for expensive searches, in many spellings."""
    for search in SEARCHES:
        query = urlencode(search)
        encoded = "&".join(f"{name}={percent_encoded(text)}" for name, text in search.items())
        for spelling in (query, query.upper().replace("BOARD", "board"), encoded):
            yield get(spelling)
        body = json.dumps(search)
        hidden = json.dumps({name: escaped(text) for name, text in search.items()})
        for spelling in (body, hidden.replace("\\\\u", "\\u")):
            yield post(b"/best-move", spelling)
        yield post(b"/best-moves", json.dumps({"requests": [search]}))
    for each in CALLS:
        yield post(b"/mcp", json.dumps(message("tools/call", each)))


def call_with(application: WSGIApplication, sent: Iterable[Request]) -> None:
    """Call an application with requests: in the event loop, or in a thread named `slow_0`."""
    with ThreadPoolExecutor(1, "slow") as slow:
        threads = dict.fromkeys(get_args(Thread), BoundedExecutor(slow, 10, 100))
        adapter = WsgiAdapter(application, handling_of, body_timeout=10, threads=threads)
        for body, scope in sent:
            call(adapter, *body, **scope)


def test_no_search_of_more_than_a_millisecond_runs_in_the_event_loop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However a search is spelled, one that visits many nodes is called in a thread."""
    consult = oracle.consult
    found: list[tuple[str, int]] = []

    def noting(question: Question) -> Answer:
        answer = consult(question)
        found.append((threading.current_thread().name, answer.nodes))
        return answer

    monkeypatch.setattr(oracle, "consult", noting)
    call_with(create_app(), requests())
    assert len(found) > 5 * len(SEARCHES)
    assert {name for name, nodes in found if nodes > MAX_NODES} == {"slow_0"}
    assert "loop_0" in {name for name, _ in found}


def long_requests() -> Iterator[Request]:
    """Yield a long request to each path: the path, the query, the body or all parts are long."""
    for path in [*document()["paths"], "/", "/search", "/docs", "/mcp", "/nowhere", "/static/x"]:
        yield [], {"method": "GET", "raw_path": path.encode() + b"e" * LONG, "query_string": b""}
        yield [], {"method": "GET", "raw_path": path.encode(), "query_string": b"a" * LONG}
        yield post(path.encode(), " " * LONG)
        third = LONG // 3 * b"e"
        request, scope = post(path.encode() + third, " " * (LONG // 3))
        yield request, {**scope, "query_string": third}


def test_no_long_request_is_read_in_the_event_loop() -> None:
    """Reading one can take longer than a search: the application is called in a thread."""
    names = set()

    def application(_: WSGIEnvironment, start_response: StartResponse) -> list[bytes]:
        names.add(threading.current_thread().name)
        start_response("200 OK", [])
        return []

    call_with(application, long_requests())
    assert names == {"slow_0"}


def test_little_of_a_client_is_read_per_turn(virtual: VirtualWorker) -> None:
    """However short the chunks of a body are, the event loop soon turns to others."""
    chunks = chunked(*[BODY[index : index + 1] for index in range(len(BODY))], *[b" "] * 20_000)

    async def turns() -> int:
        client = await virtual.connect()
        before = virtual.time.turns
        await asyncio.get_running_loop().sock_sendall(client, IN_CHUNKS + chunks)
        assert (await receive(client)).startswith(b"HTTP/1.1 200 ")
        return virtual.time.turns - before

    assert virtual.run(turns) >= len(chunks) / MAX_READ
