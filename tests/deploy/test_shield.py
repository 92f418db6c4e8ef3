"""The protection by nginx: its errors, and slow clients."""

import re
import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from best_move.web.api.handling import MAX_BYTES, MAX_PLAYER_BYTES, handling_of
from best_move.web.api.openapi import document
from best_move.web.api.problem_types import ProblemType
from best_move.web.api.problems import make_problem
from tests.deploy.nginx import CONFIGURATION, Nginx, nginx, with_low_rates
from tests.deploy.reply import problem_of
from tests.processes import wait_until
from tests.programs.openapi import operations
from tests.raw_requests import BATCH, BODY, GET, HALF_BODY, chunked
from tests.readme import section
from tests.server import Server, ask


@pytest.mark.parametrize(
    ("path", "limit", "fields"),
    [("/best-move", MAX_BYTES, BODY), ("/player-review", MAX_PLAYER_BYTES, b'{"side":"X"}')],
    ids=["others", "a player"],
)
@pytest.mark.parametrize(
    "framed",
    [
        lambda size: b"Content-Length: %d\r\n\r\n" % size,
        lambda size: b"Transfer-Encoding: chunked\r\n\r\n" + chunked(b" " * size),
    ],
    ids=["by its length", "in chunks"],
)
def test_nginx_rejects_too_large_a_body_with_the_problem_of_the_service(
    service: Server,
    front: Nginx,
    framed: Callable[[int], bytes],
    path: str,
    limit: int,
    fields: bytes,
) -> None:
    """A body at the limit of its path reaches the service."""
    before = service.counted(method="POST", route=path)
    start = b"POST %s HTTP/1.1\r\nHost: localhost\r\n" % path.encode()
    problem = problem_of(front.send(start + framed(limit + 1)))
    known = make_problem(ProblemType.BODY_TOO_LARGE, "")
    assert {name: problem[name] for name in ("type", "title", "status", "code")} == {
        name: text for name, text in known.items() if name != "detail"
    }
    assert str(limit) in problem["detail"]
    assert service.counted(method="POST", route=path) == before
    accepted = ask(front, path, "POST", fields.ljust(limit), Content_Type="application/json")
    assert accepted.status == 200


@pytest.mark.parametrize("path", ["/mcp", "/mcp/", "/best-moves", "/player-review"])
def test_the_limit_that_nginx_states_is_that_of_the_service(front: Nginx, path: str) -> None:
    """The service accepts shorter messages at `/mcp` than nginx forwards."""
    problem = problem_of(ask(front, path, "POST", bytes(400_000)))
    assert problem["detail"] == f"Send at most {handling_of(path).max_bytes} bytes."


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
    front: Nginx, request_line: bytes, headers: bytes, status: int, code: str
) -> None:
    """Each problem has the status and the code of its error."""
    lines = request_line + b"\r\nHost: localhost\r\nConnection: close\r\n" + headers + b"\r\n"
    reply = front.send(lines)
    assert (reply.status, problem_of(reply)["code"]) == (status, code)


def test_slow_clients_do_not_delay_other_clients(service: Server, front: Nginx) -> None:
    """While a hundred requests are incomplete, others succeed.

    Then nginx closes the connections of slow clients.
    """
    with front.holding([GET, HALF_BODY] * 50, "127.0.0.2") as slow:
        before = service.counted(method="POST", route="/best-move")
        for _ in range(30):
            assert ask(front, "/health").status == 200
            posted = ask(front, "/best-move", "POST", BODY, Content_Type="application/json")
            assert posted.status == 200
        assert service.counted(method="POST", route="/best-move") == before + 30
        for connection in slow:
            assert connection.recv(1) == b"", "closed, once their time is over"


@pytest.fixture(scope="module")
def strict(service: Server) -> Iterator[Nginx]:
    """Run nginx with low rates, patience, and clients whose addresses come from a header."""
    believing = "set_real_ip_from 127.0.0.1;\nreal_ip_header X-Real-IP;\n"
    patient = CONFIGURATION.replace("client_body_timeout 5s", "client_body_timeout 1h")
    with nginx(service.port, with_low_rates(believing + patient)) as front:
        yield front


def test_one_address_cannot_use_every_connection(strict: Nginx) -> None:
    """Of 120 requests from one address, twenty are rejected.

    A request from another address succeeds.
    """
    part = GET + b"Content-Length: 9\r\n\r\n{"
    with strict.holding([part] * 120, "127.0.0.3") as connections:
        assert ask(strict, "/best-move?board=.X.......").status == 200
        wait_until(lambda: sum(map(_has_answer, connections)) == 20, "twenty requests are rejected")
        answer = next(filter(_has_answer, connections)).recv(65_536)
        assert answer.startswith(b"HTTP/1.1 429 ")
        assert b"\r\nRetry-After: 1\r\n" in answer


def status_of_a_post(front: Nginx, address: str, path: str = "/best-move") -> int:
    """Return the status of a POST from an address; assert that one that is rejected says why."""
    body = BATCH if path == "/best-moves" else BODY
    reply = ask(front, path, "POST", body, Content_Type="application/json", X_Real_IP=address)
    if reply.status == 429:
        assert problem_of(reply)["code"] == "too_many_requests"
        assert reply.headers["Retry-After"] == "1"
    return reply.status


@pytest.mark.parametrize(
    ("path", "burst", "address"),
    [("/best-move", 50, "192.0.2.1"), ("/best-moves", 3, "192.0.2.2")],
    ids=["single requests", "batches"],
)
def test_posts_from_one_address_are_limited(
    strict: Nginx, path: str, burst: int, address: str
) -> None:
    """After a burst, POSTs get a problem; a GET, and a POST from another address, succeed."""
    statuses = [status_of_a_post(strict, address, path) for _ in range(burst + 10)]
    assert statuses[: burst + 1] == [200] * (burst + 1)
    assert statuses.count(429) > 0
    assert status_of_a_post(strict, "192.0.2.3", path) == 200
    assert ask(strict, "/best-move?board=X...O....", X_Real_IP=address).status == 200


def test_a_network_of_ipv6_counts_as_one_address(strict: Nginx) -> None:
    """Of POSTs from different addresses of a /64, those after a burst are rejected; others not."""
    homes = [status_of_a_post(strict, f"2001:db8:1:2::{number:x}") for number in range(60)]
    assert homes[:51] == [200] * 51
    assert homes.count(429) > 0
    for other in ("2001:db8:1:3::1", "2001:db8::1", "::1", "192.0.2.4", "192.0.2.5"):
        assert status_of_a_post(strict, other) == 200


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
        f"{rates['posts']} POSTs, of which one may be a batch. It may also send {rates['trees']} "
        "GETs for trees or PNGs per second, and one for the tablebase. At first it may exceed "
        f"these rates by {bursts['posts']} POSTs, {bursts['batches']} batches, {bursts['trees']} "
        f"trees or PNGs, and {bursts['tables']} tablebases." in guide
    )


def media_types(operation: dict[str, Any]) -> set[str]:
    """Return the media types of an operation's successful responses."""
    return set(operation["responses"]["200"].get("content", {}))


@pytest.mark.parametrize(
    ("senders", "is_limited"),
    [
        ("batch_sender", lambda path, _: handling_of(path).thread == "batches"),
        ("tree_reader", lambda path, found: path.endswith("-tree") or "image/png" in found),
        ("table_reader", lambda _, found: "text/csv" in found),
    ],
    ids=["batches", "trees and PNGs", "tables"],
)
def test_a_rate_is_that_of_all_operations_of_its_kind(
    senders: str, is_limited: Callable[[str, set[str]], bool]
) -> None:
    """The document has the operations, so a new one is found."""
    (listed,) = re.findall(rf"map \$uri \${senders} {{(.*?)}}", CONFIGURATION, re.DOTALL)
    limited = re.findall(r"(/\S+) +\$client;", listed)
    expected = [
        path
        for path, _, operation in operations(document())
        if is_limited(path, media_types(operation))
    ]
    assert sorted(limited) == sorted(expected)


def _has_answer(connection: socket.socket) -> bool:
    connection.setblocking(False)  # noqa: FBT003, the socket's own signature
    try:
        return bool(connection.recv(1, socket.MSG_PEEK))
    except BlockingIOError:
        return False
