"""Load: requests, concurrent clients that send them, and the result of each request."""

import asyncio
import json
import random
import re
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from itertools import cycle, islice, product, takewhile
from urllib.parse import urlencode

from best_move.engine import ALGORITHMS
from tests.processes import SECONDS_TO_WAIT, wait_until
from tests.raw_requests import READS

CLIENTS = 8

BOARDS = (
    *("X...O....", "XO.......", "OX..X..O.", "XX.OO....", "XOXOX.O..", "XOXXOOOX."),
    *("XXXOO....", "XOXXOOOXX"),
)
IMPOSSIBLE = ("XXX......", "XXXOOO...", "OOOOOOOOO")
INVALID = ("", "X", "X...O....X", "Z........", "\N{SNOWMAN}........")
JSON = {"Content-Type": "application/json"}


@dataclass(frozen=True)
class Request:
    """A request, and the status that its response should have."""

    method: str
    path: str
    status: int
    body: bytes | None = None
    headers: dict[str, str] = field(default_factory=dict)


def get(status: int, headers: dict[str, str] | None = None, /, **query: str) -> Request:
    """Return a GET request for a move, with the status that its response should have."""
    return Request("GET", f"/best-move?{urlencode(query)}", status, headers=headers or {})


def post(status: int, path: str = "/best-move", **fields: object) -> Request:
    """Return a POST request with these fields, and the status that its response should have."""
    return Request("POST", path, status, json.dumps(fields).encode(), JSON)


MOVES = [
    ask_for(200, board=board, algorithm=algorithm)
    for algorithm, board in product(ALGORITHMS, BOARDS)
    for ask_for in (get, post)
]


def mixed() -> list[Request]:
    """Return requests of many kinds, always in the same shuffled order."""
    requests = [
        *MOVES,
        *(Request("GET", path, 200) for path in READS.values()),
        Request("HEAD", "/health", 200),
        Request("GET", "/game-review?board=.........&played=0,0", 422),
        Request("OPTIONS", "/best-move", 200),
        Request("GET", "/nowhere", 404),
        Request("DELETE", "/best-move", 405),
        Request("POST", "/health", 405),
        Request("POST", "/best-move", 415, b"board=X", {"Content-Type": "text/plain"}),
        Request("POST", "/best-move", 400, b'{"board"', JSON),
        Request("POST", "/best-move", 413, b" " * 65_537, {**JSON, "Connection": "close"}),
        get(200, board=".........", algorithm="transposition_table"),
        get(400, board="X........", algoritm="minimax"),
        post(400, board="X........", max_depth=10),
    ]
    for algorithm, board in product(ALGORITHMS, BOARDS):
        search = {"board": board, "algorithm": algorithm}
        requests += [
            get(304, {"If-None-Match": "*"}, **search),
            get(200, {"If-None-Match": 'W/"another"'}, **search, scoring="outcome"),
            get(200, **search, tie_break="trap"),
            post(200, **search, difficulty="medium", seed=1),
            post(200, **search, max_depth=3),
            post(200, **search, analysis=True),
        ]
    for status, of_a_batch, wrong in ((422, 200, IMPOSSIBLE), (400, 400, INVALID)):
        requests += [ask_for(status, board=board) for board in wrong for ask_for in (get, post)]
        batch = [{"board": board} for board in BOARDS + wrong]
        requests.append(post(of_a_batch, "/best-moves", requests=batch))
    random.Random(0).shuffle(requests)  # noqa: S311, an order need not be secret
    return requests


@dataclass(frozen=True)
class Result:
    """The result of a request: the response's status, or an error if the connection ended first."""

    request: Request
    is_first: bool
    """Whether it was the first request on its connection."""
    status: int | None = None
    error: Exception | None = None


def ask(connection: HTTPConnection, request: Request) -> Result:
    """Send a request over a connection, which opens if it is closed; return the result."""
    is_first = connection.sock is None
    try:
        connection.request(request.method, request.path, request.body, request.headers)
        response = connection.getresponse()
        content = response.read()
    except (ConnectionError, HTTPException) as error:
        connection.close()
        return Result(request, is_first, error=error)
    if content and "json" in response.headers["Content-Type"]:
        json.loads(content)
    return Result(request, is_first, response.status)


def run_client(port: int, requests: Iterable[Request], results: list[Result]) -> None:
    """Send requests over one connection until the server refuses it; append the results."""
    with closing(HTTPConnection("127.0.0.1", port, timeout=SECONDS_TO_WAIT)) as connection:
        for request in requests:
            result = ask(connection, request)
            results.append(result)
            if isinstance(result.error, ConnectionRefusedError):
                return


def send(port: int, requests: Sequence[Request], times: int) -> list[Result]:
    """Let clients send `times` requests in total; return the results."""
    results: list[Result] = []
    shares = [islice(cycle(requests), number, times, CLIENTS) for number in range(CLIENTS)]
    with ThreadPoolExecutor(CLIENTS) as pool:
        list(pool.map(lambda share: run_client(port, share, results), shares))
    return results


class Load:
    """For each client, the results of its requests in the order in which it sent them."""

    def __init__(self) -> None:
        self.results: list[list[Result]] = [[] for _ in range(CLIENTS)]

    def all_results(self) -> list[Result]:
        """Return the results of all clients."""
        return [result for results in self.results for result in results]

    def wait_for(self, more: int) -> None:
        """Wait until `more` requests have ended."""
        end = len(self.all_results()) + more
        wait_until(lambda: len(self.all_results()) >= end, f"{more} requests have ended")


@contextmanager
def under_load(port: int, requests: Sequence[Request]) -> Iterator[Load]:
    """Let clients send requests to a server while the block runs; yield the load."""
    load = Load()
    is_over = threading.Event()
    with ThreadPoolExecutor(CLIENTS) as pool:
        clients = []
        for number, results in enumerate(load.results):
            start = number * len(requests) // CLIENTS
            endless = islice(cycle(requests), start, None)
            until_the_end = takewhile(lambda _: not is_over.is_set(), endless)
            clients.append(pool.submit(run_client, port, until_the_end, results))
        try:
            yield load
        finally:
            is_over.set()
    for client in clients:
        client.result()


async def run_kept_client(port: int, request: bytes, is_over: threading.Event) -> None:
    """Send a request, and again after each response, until the event is set."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    while not is_over.is_set():
        writer.write(request)
        headers = await reader.readuntil(b"\r\n\r\n")
        [length] = re.findall(rb"Content-Length: (\d+)", headers)
        await reader.readexactly(int(length))
    writer.close()


@contextmanager
def crowd(port: int, clients: Mapping[bytes, int]) -> Iterator[None]:
    """Let so many clients send each request, again after each response, while the block runs."""
    is_over = threading.Event()

    async def run() -> None:
        requests = [request for request, number in clients.items() for _ in range(number)]
        await asyncio.gather(*(run_kept_client(port, request, is_over) for request in requests))

    with ThreadPoolExecutor(1) as thread:
        running = thread.submit(asyncio.run, run())
        try:
            yield
        finally:
            is_over.set()
    running.result()


def assert_that_it_serves(port: int) -> None:
    """Request a hundred moves; assert that all arrive."""
    assert Counter(result.status for result in send(port, MOVES, 100)) == {200: 100}
