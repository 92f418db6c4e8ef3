"""Load: requests, concurrent clients that send them, and the result of each request."""

import json
import random
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from itertools import count
from urllib.parse import urlencode

from best_move.engine import ALGORITHMS
from best_move.web.api.openapi import document
from best_move.web.serving.timeouts import Timeouts
from tests.processes import SECONDS_TO_WAIT
from tests.server import Server

CLIENTS = 8
MAX_GROWTH = 4096  # KiB per worker over a run of any length

#  Parts of requests as bytes; GET and POST lack the empty line after their headers.
GET = b"GET /best-move?board=X...O.... HTTP/1.1\r\nHost: localhost\r\n"
POST = b"POST /best-move HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
BODY = b'{"board":"X...O...."}'
HALF_BODY = POST + b"Content-Length: 100\r\n\r\n{"
HALF_CHUNK = POST + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{"
HEAD = b"HEAD /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
LARGE = b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"

BOARDS = (
    "X...O....",
    "XO.......",
    "OX..X..O.",
    "XX.OO....",
    "XOXOX.O..",
    "XOXXOOOX.",
    "XXXOO....",
    "XOXXOOOXX",
)
IMPOSSIBLE = ("XXX......", "XXXOOO...", "OOOOOOOOO")
INVALID = ("", "X", "X...O....X", "Z........", "\N{SNOWMAN}........")


@dataclass(frozen=True)
class Request:
    """A request, and the status that its response should have."""

    method: str
    path: str
    status: int
    body: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Result:
    """The result of a request: the response's status, or an error if the connection ended first."""

    request: Request
    seconds: float
    status: int | None = None
    error: Exception | None = None
    is_first: bool = False
    """Whether it was the first request on its connection."""


def ask(connection: HTTPConnection, request: Request) -> Result:
    """Send a request over a connection, which opens if it is closed; return the result."""
    is_first = connection.sock is None
    start = time.monotonic()
    try:
        connection.request(request.method, request.path, request.body, dict(request.headers))
        response = connection.getresponse()
        content = response.read()
    except (ConnectionError, HTTPException) as error:
        connection.close()
        return Result(request, time.monotonic() - start, error=error, is_first=is_first)
    if content and "json" in response.headers["Content-Type"]:
        json.loads(content)
    return Result(request, time.monotonic() - start, status=response.status, is_first=is_first)


def get(status: int, headers: Mapping[str, str] | None = None, **query: str) -> Request:
    """Return a GET request for a move, with the status that its response should have."""
    return Request("GET", f"/best-move?{urlencode(query)}", status, headers=headers or {})


def post(status: int, path: str = "/best-move", **fields: object) -> Request:
    """Return a POST request with these fields, and the status that its response should have."""
    return Request(
        "POST", path, status, json.dumps(fields).encode(), {"Content-Type": "application/json"}
    )


#  Path -> the path with a query, for each operation with the method GET.
READS = {
    path: f"{path}?board=X...O....&played=1" if "parameters" in methods["get"] else path
    for path, methods in document()["paths"].items()
    if "get" in methods
}

MOVES = [
    request
    for algorithm in ALGORITHMS
    for board in BOARDS
    for request in (
        get(200, board=board, algorithm=algorithm),
        post(200, board=board, algorithm=algorithm),
    )
]


def mixed(server: Server) -> list[Request]:
    """Return requests of many kinds, always in the same shuffled order."""
    requests = plain()
    for algorithm in ALGORITHMS:
        requests += moves_by(algorithm)
        requests += errors_by(algorithm)
        for board in BOARDS:
            found = get(200, board=board, algorithm=algorithm)
            known = {"If-None-Match": _etag(server, found)}
            requests += [found, get(304, known, board=board, algorithm=algorithm)]
    random.Random(0).shuffle(requests)  # noqa: S311, an order need not be secret
    return requests


def plain() -> list[Request]:
    """Return a request of each kind, valid or not, except those for moves by each algorithm."""
    as_json = {"Content-Type": "application/json"}
    as_form = {"Content-Type": "application/x-www-form-urlencoded"}
    too_long = b" " * 65_537
    return [
        *(Request("GET", path, 200) for path in READS.values()),
        Request("HEAD", "/health", 200),
        Request("GET", "/game-review?board=.........&played=0,0", 422),
        Request("OPTIONS", "/best-move", 200),
        Request("GET", "/nowhere", 404),
        Request("DELETE", "/best-move", 405),
        Request("POST", "/health", 405),
        Request("POST", "/best-move", 415, b"board=X", as_form),
        Request("POST", "/best-move", 400, b'{"board"', as_json),
        Request("POST", "/best-move", 413, too_long, as_json | {"Connection": "close"}),
        get(200, board=".........", algorithm="transposition_table"),
        get(400, board="X........", algoritm="minimax"),
        post(400, board="X........", max_depth=10),
    ]


def moves_by(algorithm: str) -> list[Request]:
    """Return requests for moves by an algorithm."""
    another = {"If-None-Match": 'W/"another"'}
    requests = [
        get(200, board=BOARDS[0], algorithm=algorithm, difficulty="easy"),
        post(200, board=BOARDS[1], algorithm=algorithm, difficulty="medium", seed=1),
        get(200, board=BOARDS[2], algorithm=algorithm, tie_break="trap"),
    ]
    for board in BOARDS:
        requests += [
            get(200, another, board=board, algorithm=algorithm, scoring="outcome"),
            post(200, board=board, algorithm=algorithm, max_depth=3),
            post(200, board=board, algorithm=algorithm, analysis=True),
        ]
    return requests


def errors_by(algorithm: str) -> list[Request]:
    """Return requests for moves on boards of which some are impossible or invalid."""
    requests = []
    for status, wrong in ((422, IMPOSSIBLE), (400, INVALID)):
        for board in wrong:
            requests += [
                get(status, board=board, algorithm=algorithm),
                post(status, board=board, algorithm=algorithm),
            ]
    for status, wrong in ((200, IMPOSSIBLE), (400, INVALID)):
        batch = [{"board": board, "algorithm": algorithm} for board in BOARDS + wrong]
        requests.append(post(status, "/best-moves", requests=batch))
    return requests


def _etag(server: Server, request: Request) -> str:
    connection = server.connect()
    connection.request(request.method, request.path)
    etag = connection.getresponse().headers["ETag"]
    connection.close()
    return etag


class Load:
    """Concurrent clients; each one reuses its connection and cycles through the same requests."""

    def __init__(
        self, server: Server, requests: Sequence[Request], most: int | None = None
    ) -> None:
        self.results: list[list[Result]] = [[] for _ in range(CLIENTS)]
        """For each client, the results of its requests in the order in which it sent them."""
        self._server = server
        self._requests = requests
        self._left = most
        self._progress = threading.Condition()

    def ask(self, client: int) -> None:
        """Run one of the clients until no request is left or the server refuses connections."""
        connection = self._server.connect()
        first = client * len(self._requests) // CLIENTS
        for n in count(first):
            with self._progress:
                if self._left == 0:
                    break
                if self._left:
                    self._left -= 1
            result = ask(connection, self._requests[n % len(self._requests)])
            self.results[client].append(result)
            with self._progress:
                self._progress.notify_all()
            if isinstance(result.error, ConnectionRefusedError):
                break
        connection.close()

    def stop(self) -> None:
        """Make each client end after its current request."""
        with self._progress:
            self._left = 0

    def wait_for(self, more: int) -> None:
        """Wait until `more` requests have ended; raise TimeoutError if it takes too long."""
        with self._progress:
            end = sum(map(len, self.results)) + more
            if not self._progress.wait_for(
                lambda: sum(map(len, self.results)) >= end, SECONDS_TO_WAIT
            ):
                raise TimeoutError(f"{more} requests did not end within {SECONDS_TO_WAIT} s")


@contextmanager
def under_load(server: Server, requests: Sequence[Request]) -> Iterator[Load]:
    """Let clients send requests while the block runs; yield the load."""
    load = Load(server, requests)
    with ThreadPoolExecutor(CLIENTS) as pool:
        clients = [pool.submit(load.ask, n) for n in range(CLIENTS)]
        try:
            yield load
        finally:
            load.stop()
    for client in clients:
        client.result()


def send(server: Server, requests: Sequence[Request], times: int) -> list[Result]:
    """Let clients send `times` requests in total; return the results."""
    load = Load(server, requests, most=times)
    with ThreadPoolExecutor(CLIENTS) as pool:
        list(pool.map(load.ask, range(CLIENTS)))
    return [result for results in load.results for result in results]


def assert_that_it_serves(server: Server) -> None:
    """Request a hundred moves; assert that they arrive before slow clients are disconnected."""
    results = send(server, MOVES, 100)
    assert Counter(result.status for result in results) == {200: 100}
    assert max(result.seconds for result in results) < Timeouts.headers
