"""Load: requests, concurrent clients that send them, and the result of each request."""

import json
import random
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from itertools import count
from urllib.parse import urlencode

from best_move.engine import ALGORITHMS
from tests.processes import SECONDS_TO_WAIT
from tests.raw_requests import READS

CLIENTS = 8

BOARDS = (
    *("X...O....", "XO.......", "OX..X..O.", "XX.OO....", "XOXOX.O..", "XOXXOOOX."),
    *("XXXOO....", "XOXXOOOXX"),
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


def connect(port: int) -> HTTPConnection:
    """Return a connection to a port of the loopback interface."""
    return HTTPConnection("127.0.0.1", port, timeout=SECONDS_TO_WAIT)


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
    body = json.dumps(fields).encode()
    return Request("POST", path, status, body, {"Content-Type": "application/json"})


MOVES = [
    ask_for(200, board=board, algorithm=algorithm)
    for algorithm in ALGORITHMS
    for board in BOARDS
    for ask_for in (get, post)
]

_JSON = {"Content-Type": "application/json"}
OTHERS = [
    *(Request("GET", path, 200) for path in READS.values()),
    Request("HEAD", "/health", 200),
    Request("GET", "/game-review?board=.........&played=0,0", 422),
    Request("OPTIONS", "/best-move", 200),
    Request("GET", "/nowhere", 404),
    Request("DELETE", "/best-move", 405),
    Request("POST", "/health", 405),
    Request("POST", "/best-move", 415, b"board=X", {"Content-Type": "text/plain"}),
    Request("POST", "/best-move", 400, b'{"board"', _JSON),
    Request("POST", "/best-move", 413, b" " * 65_537, {**_JSON, "Connection": "close"}),
    get(200, board=".........", algorithm="transposition_table"),
    get(400, board="X........", algoritm="minimax"),
    post(400, board="X........", max_depth=10),
]


def mixed(port: int) -> list[Request]:
    """Return requests of many kinds for a server, always in the same shuffled order."""
    requests = [*OTHERS, *MOVES]
    another = {"If-None-Match": 'W/"another"'}
    for algorithm in ALGORITHMS:
        requests += [
            get(200, board=BOARDS[0], algorithm=algorithm, difficulty="easy"),
            post(200, board=BOARDS[1], algorithm=algorithm, difficulty="medium", seed=1),
            get(200, board=BOARDS[2], algorithm=algorithm, tie_break="trap"),
        ]
        for board in BOARDS:
            known = {"If-None-Match": _etag(port, get(200, board=board, algorithm=algorithm))}
            requests += [
                get(304, known, board=board, algorithm=algorithm),
                get(200, another, board=board, algorithm=algorithm, scoring="outcome"),
                post(200, board=board, algorithm=algorithm, max_depth=3),
                post(200, board=board, algorithm=algorithm, analysis=True),
            ]
        for status, of_a_batch, wrong in ((422, 200, IMPOSSIBLE), (400, 400, INVALID)):
            for board in wrong:
                requests.append(get(status, board=board, algorithm=algorithm))
                requests.append(post(status, board=board, algorithm=algorithm))
            batch = [{"board": board, "algorithm": algorithm} for board in BOARDS + wrong]
            requests.append(post(of_a_batch, "/best-moves", requests=batch))
    random.Random(0).shuffle(requests)  # noqa: S311, an order need not be secret
    return requests


def _etag(port: int, request: Request) -> str:
    with closing(connect(port)) as connection:
        connection.request(request.method, request.path)
        return connection.getresponse().headers["ETag"]


class Load:
    """Concurrent clients; each one reuses its connection and cycles through the same requests."""

    def __init__(self, port: int, requests: Sequence[Request], most: int | None = None) -> None:
        self.results: list[list[Result]] = [[] for _ in range(CLIENTS)]
        """For each client, the results of its requests in the order in which it sent them."""
        self._port = port
        self._requests = requests
        self._left = most
        self._progress = threading.Condition()

    def ask(self, client: int) -> None:
        """Run one of the clients until no request is left or the server refuses connections."""
        connection = connect(self._port)
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

    def all_results(self) -> list[Result]:
        """Return the results of all clients."""
        return [result for results in self.results for result in results]

    def wait_for(self, more: int) -> None:
        """Wait until `more` requests have ended; raise TimeoutError if it takes too long."""
        with self._progress:
            end = len(self.all_results()) + more
            if not self._progress.wait_for(lambda: len(self.all_results()) >= end, SECONDS_TO_WAIT):
                raise TimeoutError(f"{more} requests did not end within {SECONDS_TO_WAIT} s")


@contextmanager
def under_load(port: int, requests: Sequence[Request]) -> Iterator[Load]:
    """Let clients send requests to a server while the block runs; yield the load."""
    load = Load(port, requests)
    with ThreadPoolExecutor(CLIENTS) as pool:
        clients = [pool.submit(load.ask, n) for n in range(CLIENTS)]
        try:
            yield load
        finally:
            load.stop()
    for client in clients:
        client.result()


def send(port: int, requests: Sequence[Request], times: int) -> list[Result]:
    """Let clients send `times` requests in total; return the results."""
    load = Load(port, requests, most=times)
    with ThreadPoolExecutor(CLIENTS) as pool:
        list(pool.map(load.ask, range(CLIENTS)))
    return load.all_results()


def assert_that_it_serves(port: int) -> None:
    """Request a hundred moves; assert that all arrive."""
    assert Counter(result.status for result in send(port, MOVES, 100)) == {200: 100}
