"""The protection by nginx: its errors, and slow clients."""

import re
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from best_move.web.api.problem_types import ProblemType
from best_move.web.api.problems import make_problem
from best_move.web.api.reading import MAX_BYTES, MAX_PLAYER_BYTES, max_bytes
from tests.deploy.nginx import CONFIGURATION, incomplete, nginx
from tests.deploy.reply import ask, counted, send
from tests.processes import wait_until
from tests.readme import section
from tests.server import Server

GOOD = b'{"board":"X...O...."}'


@pytest.mark.parametrize(
    ("path", "limit", "fields"),
    [("/best-move", MAX_BYTES, GOOD), ("/player-review", MAX_PLAYER_BYTES, b'{"side":"X"}')],
    ids=["others", "a player"],
)
@pytest.mark.parametrize(
    "framed",
    [
        lambda size: b"Content-Length: %d\r\n\r\n" % size,
        lambda size: (
            b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n" % (size, b" " * size)
        ),
    ],
    ids=["by its length", "in chunks"],
)
def test_nginx_rejects_too_large_a_body_with_the_problem_of_the_service(
    service: Server,
    front: Server,
    framed: Callable[[int], bytes],
    path: str,
    limit: int,
    fields: bytes,
) -> None:
    """A body at the limit of its path reaches the service."""
    before = counted(service, "POST")
    start = b"POST %s HTTP/1.1\r\nHost: localhost\r\n" % path.encode()
    problem = send(front, start + framed(limit + 1)).problem()
    known = make_problem(ProblemType.BODY_TOO_LARGE, "")
    assert {name: problem[name] for name in ("type", "title", "status", "code")} == {
        name: text for name, text in known.items() if name != "detail"
    }
    assert str(limit) in problem["detail"]
    assert counted(service, "POST") == before
    assert (
        ask(front, path, "POST", fields.ljust(limit), Content_Type="application/json").status == 200
    )


@pytest.mark.parametrize("path", ["/mcp", "/mcp/", "/best-moves", "/player-review"])
def test_the_limit_that_nginx_states_is_that_of_the_service(front: Server, path: str) -> None:
    """The service accepts shorter messages at `/mcp` than nginx forwards."""
    problem = ask(front, path, "POST", bytes(400_000)).problem()
    assert problem["detail"] == f"Send at most {max_bytes(path)} bytes."


@pytest.mark.parametrize(
    ("request_line", "headers", "status", "code"),
    [
        (b"nonsense", b"", 400, "bad_request"),
        (b"GET /metrics HTTP/1.1", b"", 404, "not_found"),
        (b"GET /problem HTTP/1.1", b"", 404, "not_found"),
        (b"GET /failure HTTP/1.1", b"", 404, "not_found"),
        (b"TRACE /health HTTP/1.1", b"", 405, "not_served"),
        (b"GET /best-move?board=" + b"." * 3000 + b" HTTP/1.1", b"", 414, "request_line_too_long"),
        (b"GET /health HTTP/1.1", b"X-Long: " + b"." * 3000 + b"\r\n", 431, "headers_too_large"),
        (b"POST /best-move HTTP/1.1", b"Transfer-Encoding: smoke\r\n", 501, "not_served"),
    ],
    ids=[
        "no HTTP",
        "metrics",
        "the problem's own place",
        "the page's own place",
        "TRACE",
        "a long line",
        "a long header",
        "an odd encoding",
    ],
)
def test_each_error_of_nginx_is_a_problem(
    front: Server, request_line: bytes, headers: bytes, status: int, code: str
) -> None:
    """Each problem has the status and the code of its error."""
    lines = request_line + b"\r\nHost: localhost\r\nConnection: close\r\n" + headers + b"\r\n"
    reply = send(front, lines)
    assert (reply.status, reply.problem()["code"]) == (status, code)


def test_slow_clients_do_not_delay_other_clients(service: Server, front: Server) -> None:
    """While a hundred requests are incomplete, others succeed.

    Then nginx closes the connections of slow clients.
    """
    headers, body = (
        b"GET /health HTTP/1.1\r\nHost: ",
        b"POST /best-move HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{",
    )
    with incomplete(front.port, 50, headers) as first, incomplete(front.port, 50, body) as second:
        before = counted(service, "POST")
        for _ in range(30):
            assert ask(front, "/health").status == 200
            assert (
                ask(front, "/best-move", "POST", GOOD, Content_Type="application/json").status
                == 200
            )
        assert counted(service, "POST") == before + 30
        for connection in (*first, *second):
            assert connection.recv(1) == b"", "closed, once their time is over"


def test_one_address_cannot_use_every_connection(front: Server) -> None:
    """Of 120 requests from one address, twenty are rejected.

    A request from another address succeeds.
    """
    part = b"GET /best-move HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{"
    with incomplete(front.port, 120, part, source="127.0.0.3") as connections:
        assert ask(front, "/best-move?board=.X.......").status == 200
        wait_until(lambda: sum(map(_has_answer, connections)) == 20, "twenty requests are rejected")
        answer = next(filter(_has_answer, connections)).recv(65_536)
        assert answer.startswith(b"HTTP/1.1 429 ")
        assert b"\r\nRetry-After: 1\r\n" in answer


BATCH = b'{"requests":[%s]}' % GOOD


@pytest.mark.parametrize(
    ("path", "body", "burst", "source"),
    [("/best-move", GOOD, 50, "127.0.0.4"), ("/best-moves", BATCH, 3, "127.0.0.5")],
    ids=["single requests", "batches"],
)
def test_posts_from_one_address_are_limited(
    front: Server, path: str, body: bytes, burst: int, source: str
) -> None:
    """After a burst, a POST gets a problem.

    A GET from this address, and a POST from another one, succeed.
    """
    headers = "Host: x\r\nConnection: close\r\nContent-Type: application/json\r\n"
    post = f"POST {path} HTTP/1.1\r\n{headers}Content-Length: {len(body)}\r\n\r\n".encode() + body
    with ThreadPoolExecutor(20) as pool:
        replies = list(pool.map(lambda _: send(front, post, source), range(burst + 100)))
    rejected = [reply for reply in replies if reply.status != 200]
    assert 0 < len(rejected) < 100
    for reply in rejected:
        assert (reply.status, reply.problem()["code"], reply.headers["Retry-After"]) == (
            429,
            "too_many_requests",
            "1",
        )
    get = f"GET /best-move?board=X...O.... HTTP/1.1\r\n{headers}\r\n".encode()
    assert send(front, get, source).status == send(front, post, "127.0.0.6").status == 200


def test_a_network_of_ipv6_counts_as_one_address(folder: Path, service: Server) -> None:
    """Of 200 POSTs from different addresses of a /64, most are rejected; others are not."""
    place = folder / "networks"
    place.mkdir()
    behind = "set_real_ip_from 127.0.0.1;\nreal_ip_header X-Real-IP;\n"

    def status(front: Server, address: str) -> int:
        headers = {"Content_Type": "application/json", "X_Real_IP": address}
        return ask(front, "/best-move", "POST", GOOD, **headers).status

    with nginx(place, service.port, behind + CONFIGURATION) as front, ThreadPoolExecutor(8) as pool:
        homes = [f"2001:db8:1:2::{number:x}" for number in range(200)]
        statuses = [*pool.map(partial(status, front), homes)]
        assert statuses.count(429) > 100
        for other in ("2001:db8:1:3::1", "2001:db8::1", "::1", "192.0.2.1", "192.0.2.2"):
            assert status(front, other) == 200


def test_the_limits_per_address_are_those_of_the_error() -> None:
    """The detail of the problem and the guide have the numbers of the configuration."""
    (at_once,) = re.findall(r"limit_conn addresses (\d+);", CONFIGURATION)
    rates = dict(re.findall(r"zone=(\w+):10m rate=(\d+)r/s;", CONFIGURATION))
    bursts = dict(re.findall(r"zone=(\w+) burst=(\d+) nodelay;", CONFIGURATION))
    assert (
        f"at most {at_once} requests at once and, per second, {rates['posts']} POSTs, "
        f"{rates['trees']} trees or PNGs, one batch and one table" in CONFIGURATION
    )
    assert rates["batches"] == rates["tables"] == "1"
    guide = " ".join(section("nginx").text.split())
    assert f"{at_once} pending requests" in guide
    assert (
        f"{rates['posts']} POSTs, of which one may be a batch, {rates['trees']} requests for trees "
        "or PNGs, and one for the tablebase; at first it may exceed these by "
        f"{bursts['posts']}, {bursts['batches']}, {bursts['trees']} and {bursts['tables']}."
        in guide
    )


def _has_answer(connection: socket.socket) -> bool:
    connection.setblocking(False)  # noqa: FBT003, the socket's own signature
    try:
        return bool(connection.recv(1, socket.MSG_PEEK))
    except BlockingIOError:
        return False
