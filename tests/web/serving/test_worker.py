"""The worker: no client, however slow, takes from the others what they need, nor keeps a stop from ending."""

import json
import os
import signal
import socket
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from service.engine import COMPILED
from tests.load import get, post, send, under_load
from tests.server import SECONDS_TO_STOP, SERVE, Server, children, running

GET = b"GET /best-move?board=X...O.... HTTP/1.1\r\nHost: localhost\r\n"
LARGE = b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
POST = b"POST /best-move HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
HALF_BODY = POST + b"Content-Length: 100\r\n\r\n{"
QUESTIONS = [get(200, board="X...O...."), post(200, board="X...O....")]
SLOW = "........." if COMPILED else "X...O...."  # milliseconds of search
MAX_SECONDS = 10  # for an answer while others misbehave; on an idle machine it takes milliseconds


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """Run one server for the tests that leave it as it was."""
    with running() as server:
        server.wait_for_workers()
        yield server


@contextmanager
def held(server: Server, *parts: bytes) -> Iterator[list[socket.socket]]:
    """Hold connections on which a part of a request was sent, with little room for answers that are not read."""
    with ExitStack() as stack:
        connections = []
        for part in parts:
            connection = stack.enter_context(socket.socket())
            connection.settimeout(30)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.connect(("127.0.0.1", server.port))
            connection.sendall(part)
            connections.append(connection)
        yield connections


def received(connection: socket.socket) -> bytes:
    """Return all that comes back until the server closes the connection."""
    answer = b""
    while chunk := connection.recv(65_536):
        answer += chunk
    return answer


def assert_that_others_are_served(server: Server) -> None:
    """Ask some times; all must be answered."""
    results = send(server, QUESTIONS, 200)
    assert Counter(result.status for result in results) == {200: 200}
    assert max(result.seconds for result in results) < MAX_SECONDS


def test_slow_clients_hold_nobody_up_and_are_let_go(server: Server) -> None:
    """Beside 900 that are silent or stop within a request the others are served; each of the 900 gets its end."""
    silent, half_heads, half_bodies = [b""] * 300, [GET] * 300, [HALF_BODY] * 300
    with held(server, *silent, *half_heads, *half_bodies) as connections:
        assert_that_others_are_served(server)
        answers = [received(connection) for connection in connections]
    assert set(answers[:300]) == {b""}
    assert {answer.partition(b"\r\n")[0] for answer in answers[300:600]} == {b"HTTP/1.1 408 Request Timeout"}
    for answer in answers[600:]:
        head, _, body = answer.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 408 ")
        assert b"\r\nConnection: close" in head
        assert json.loads(body)["code"] == "request_timeout"


def test_connections_are_shared_out() -> None:
    """Of many connections at once each worker takes its share, or one processor would do all the work."""
    with running() as server:
        server.wait_for_workers()
        before = {pid: files(pid) for pid in server.workers()}
        with held(server, *[GET + b"\r\n"] * 100) as connections:
            for connection in connections:
                assert connection.recv(1)
            taken = [files(pid) - count for pid, count in before.items()]
    assert min(taken) >= 20


def files(pid: int) -> int:
    """Return how many files a process has open."""
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


def test_clients_that_never_read_hold_nobody_up(server: Server) -> None:
    """Beside 200 that ask for a hundred large answers each and read none of them, the others are served."""
    with held(server, *[LARGE * 100] * 200):
        assert_that_others_are_served(server)
    assert_that_others_are_served(server)


def test_batches_leave_single_questions_their_turn(server: Server) -> None:
    """While every worker has batches of the slowest search without a pause, single questions are answered."""
    batch = post(200, "/best-moves", requests=[{"board": SLOW, "algorithm": "minimax"}] * 10)
    with under_load(server, [batch]) as load:
        load.wait_for(1)
        results = [result for _ in range(3) for result in send(server, QUESTIONS, 20)]
    assert {result.status for result in results} == {200}
    assert {result.status for results in load.results for result in results} == {200}


def test_a_client_that_sends_no_more_gets_its_answers(server: Server) -> None:
    """Who closes its sending side after some requests is answered each of them, and then let go."""
    answer = server.send((GET + b"\r\n") * 20)
    assert answer.count(b"HTTP/1.1 200 OK") == 20
    assert answer.endswith(b"}\n")


def test_a_client_that_sends_no_more_than_half_a_body_is_told(server: Server) -> None:
    """A body that breaks off is a 400, and not waited for."""
    assert server.send(HALF_BODY).startswith(b"HTTP/1.1 400 ")


@pytest.mark.parametrize("size", [65_537, 1_048_576, 10_737_418_240])
def test_a_body_beyond_the_limit_is_not_asked_for(server: Server, size: int) -> None:
    """A client that asks before it sends gets the 413 at once, and no word that it may go on."""
    with held(server, POST + b"Content-Length: %d\r\nExpect: 100-continue\r\n\r\n" % size) as (connection,):
        assert received(connection).startswith(b"HTTP/1.1 413 ")


def test_a_client_that_sends_too_much_gets_to_read_why(server: Server) -> None:
    """The 413 is there to be read, though a megabyte more was sent than anybody wants."""
    with held(server, POST + b"Content-Length: 1048576\r\n\r\n" + b" " * 1_048_576) as (connection,):
        answer = received(connection)
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert json.loads(answer.partition(b"\r\n\r\n")[2])["code"] == "body_too_large"


def test_no_upgrade_is_offered(server: Server) -> None:
    """A client that would rather speak another protocol is answered by the application, in HTTP/1.1."""
    for protocol in (b"websocket", b"h2c"):
        head = b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: %b\r\nHTTP2-Settings: AAMAAABk\r\n" % protocol
        answer = server.send(GET + head + b"\r\n")
        assert answer.startswith(b"HTTP/1.1 ")
        assert b"\r\nX-Request-ID: " in answer


@pytest.mark.parametrize("name", [b"SCRIPT_NAME", b"SCRIPT-NAME", b"PATH_INFO", b"REMOTE_USER", b"X-Forwarded-Prefix"])
def test_no_header_says_where_the_application_stands(server: Server, name: bytes) -> None:
    """A client of this machine is no proxy: its headers move nothing."""
    answer = server.send(GET + name + b": /elsewhere\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 200 OK\r\n")
    assert b"elsewhere" not in answer


def test_connections_are_fewer_than_files() -> None:
    """With few files to open, who comes too late waits: no worker dies of it, and the log says so once."""
    with running(["sh", "-c", 'ulimit -n 128 && exec "$@"', "sh", *SERVE]) as server:
        server.wait_for_workers()
        workers = server.workers()
        with held(server, *[b""] * 400):
            time.sleep(1)
        assert_that_others_are_served(server)
        assert server.workers() == workers
        said = [json.loads(line) for line in server.stop()]
    warnings = [line["message"] for line in said if line["level"] == "WARNING"]
    assert [warning.partition(":")[0] for warning in warnings] == ["New connections have to wait"] * len(warnings)
    assert 1 <= len(warnings) <= 2  # one a worker
    assert not [line for line in said if line["level"] in {"ERROR", "CRITICAL"}]


def test_requests_that_come_at_once_let_others_have_their_turn() -> None:
    """Between requests that a client sends without waiting for the answers, others are answered."""
    path = f"/best-move?board={SLOW}&algorithm=minimax"
    first = f"HEAD {path} HTTP/1.1\r\nHost: localhost\r\nX-Request-ID: first\r\n\r\n".encode()
    with running(WEB_CONCURRENCY="1") as server:
        with held(server, first * 100) as (connection,):
            send(server, [get(200, {"X-Request-ID": "other"}, board="X...O....")], 1)
            connection.shutdown(socket.SHUT_WR)
            assert received(connection).count(b"HTTP/1.1 200 ") == 100
        ids = [json.loads(line).get("request_id") for line in server.stop()]
    assert ids.count("first") == 100
    assert "first" in ids[ids.index("other") :]


def test_a_connection_is_kept_from_its_last_answer_on(server: Server) -> None:
    """A client may take fifteen seconds over its next request, counted from the last one; then it is let go."""
    with held(server, GET + b"\r\n") as (connection,):
        time.sleep(3)
        connection.sendall(GET + b"\r\n")
        start = time.monotonic()
        assert received(connection).count(b"HTTP/1.1 200 ") == 2
        assert time.monotonic() - start > 14


UNFINISHED = {
    "silent": b"",
    "half a head": GET,
    "half a body": HALF_BODY,
    "half a chunk": POST + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{",
    "never reads": LARGE * 100,
}


def test_a_stop_ends_whatever_clients_do() -> None:
    """Ten clients that go no further, of whatever sort, do not keep their server from ending of itself."""
    with ExitStack() as stack:
        servers = {sort: stack.enter_context(running()) for sort in UNFINISHED}
        for sort, server in servers.items():
            server.wait_for_workers()
            stack.enter_context(held(server, *[UNFINISHED[sort]] * 10))
        for server in servers.values():  # all at once, since each takes its time of grace
            server.process.send_signal(signal.SIGTERM)
        for sort, server in servers.items():
            assert server.process.wait(SECONDS_TO_STOP) == 0, sort
            assert {json.loads(line)["level"] for line in server.log.read()} == {"INFO"}, f"{sort}: a worker was killed"


def test_a_stop_lets_a_batch_finish() -> None:
    """A batch that a worker has begun is answered whole, with the last answer of its connection."""
    requests = [{"board": SLOW, "algorithm": "minimax"}] * 100
    body = json.dumps({"requests": requests}).encode()
    head = POST.replace(b"/best-move", b"/best-moves") + b"Content-Length: %d\r\n\r\n" % len(body)
    with running(WEB_CONCURRENCY="1") as server:
        server.wait_for_workers(1)
        with held(server, head + body) as (connection,):
            send(server, QUESTIONS, 1)
            server.process.send_signal(signal.SIGTERM)
            answer = received(connection)
        assert server.process.wait(SECONDS_TO_STOP) == 0
    assert b"\r\nConnection: close\r\n" in answer
    assert len(json.loads(answer.partition(b"\r\n\r\n")[2])["answers"]) == 100


def test_a_reload_under_load_loses_no_request() -> None:
    """Whoever keeps a connection busy is told before it is closed, so that each request is answered."""
    with running() as server:
        server.wait_for_workers()
        with under_load(server, QUESTIONS) as load:
            for _ in range(3):
                load.wait_for(200)
                old = server.workers()
                server.process.send_signal(signal.SIGHUP)
                server.wait_for_others(old)
            load.wait_for(200)
    assert {(result.status, str(result.error)) for results in load.results for result in results} == {(200, "None")}


def test_a_second_server_takes_over_the_port() -> None:
    """After SIGUSR2 another master serves beside the first, and goes on when that has ended."""
    with running() as server:
        server.wait_for_workers()
        server.process.send_signal(signal.SIGUSR2)
        server.log.wait_for("Booting worker", times=4)
        second = next(pid for pid in server.workers() if children(pid))
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(SECONDS_TO_STOP) == 0
        try:
            server.log.wait_for("Master has been promoted")
            assert_that_others_are_served(server)
        finally:
            os.kill(second, signal.SIGTERM)
            server.log.read()
        with pytest.raises(ConnectionRefusedError):
            server.connect().connect()
