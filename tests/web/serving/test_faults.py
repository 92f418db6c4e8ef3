"""Failures: killed workers, stops, overload and invalid requests do not affect other clients."""

import json
import os
import re
import shutil
import signal
import socket
import struct
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from http.client import HTTPResponse
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.load import (
    BODY,
    GET,
    LARGE,
    MAX_GROWTH,
    MOVES,
    POST,
    Request,
    Result,
    assert_that_it_serves,
    mixed,
    send,
    under_load,
)
from tests.processes import SECONDS_TO_WAIT, wait_until
from tests.server import SERVE, Server, open_files, running, starting

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(
        not Path(f"/proc/self/task/{os.getpid()}/children").exists(),
        reason="processes are looked up in Linux's /proc",
    ),
]

HEALTH = [Request("GET", "/health", 200)]

CHUNK = b"Transfer-Encoding: chunked\r\n\r\n5\r\n{"
WITH_LENGTH = POST + b"Content-Length: %d\r\n" % len(BODY)


@contextmanager
def serving(**variables: str) -> Iterator[Server]:
    """Run a server; yield it once both of its workers serve."""
    with running(port=None, **variables) as server:
        server.wait_for_workers()
        yield server


def counts(server: Server) -> dict[tuple[str, ...], float]:
    """Return the metrics of the server, by name and labels."""
    connection = server.connect()
    connection.request("GET", "/metrics")
    families = text_string_to_metric_families(connection.getresponse().read().decode())
    connection.close()
    return {
        (sample.name, *sorted(sample.labels.values())): sample.value
        for f in families
        for sample in f.samples
    }


def by_status(counted: Mapping[tuple[str, ...], float]) -> Counter[str]:
    """Return how many requests were counted with each status."""
    statuses: Counter[str] = Counter()
    for (name, *labels), count in counted.items():
        if name == "best_move_requests_total":
            statuses.update({next(filter(str.isdigit, labels)): int(count)})
    return statuses


def parsed(lines: list[str]) -> list[dict[str, Any]]:
    """Return the log of a server; assert that each line is one JSON object."""
    entries = [json.loads(line) for line in lines]
    assert all(isinstance(line, dict) for line in entries)
    return entries


def test_a_killed_worker_loses_at_most_its_current_request() -> None:
    """Each client loses at most one request; the worker is replaced, and no count is lost."""
    with serving() as server:
        with under_load(server, MOVES) as load:
            load.wait_for(200)
            seen = [counts(server)]
            killed = max(server.workers(), key=open_files)
            os.kill(killed, signal.SIGKILL)
            for _ in range(10):
                load.wait_for(20)
                seen.append(counts(server))
            server.log.wait_for("Booting worker", times=3)
            server.wait_for_workers()
            load.wait_for(200)
        seen.append(counts(server))
        workers = server.workers()
        lines = server.stop()

    assert len(workers) == 2
    assert killed not in workers
    for results in load.results:
        check_that_at_most_one_is_lost(results)
    check_that_no_count_falls(seen)
    check_counts(seen[-1], [*chain(*load.results)])
    errors = [line["message"] for line in parsed(lines) if line["level"] == "ERROR"]
    assert errors == [f"Worker (pid:{killed}) was sent SIGKILL! Perhaps out of memory?"]


def check_that_at_most_one_is_lost(results: list[Result]) -> None:
    """Assert that all requests of a client but one have succeeded."""
    lost = [result for result in results if result.error]
    assert len(lost) <= 1
    assert {result.status for result in results} <= {200, None}


def check_that_no_count_falls(seen: list[dict[tuple[str, ...], float]]) -> None:
    """Assert that no metric is lower than it was before, except by rounding."""
    for earlier, later in pairwise(seen):
        for name, count in earlier.items():
            assert later[name] >= count - 1e-9, name


def check_counts(counted: Mapping[tuple[str, ...], float], results: list[Result]) -> None:
    """Assert that each successful request is counted, and each lost one at most once."""
    sent = Counter(result.request.method for result in results)
    successful = Counter(result.request.method for result in results if result.status)
    for method in ("GET", "POST"):
        requests = counted["best_move_requests_total", *sorted((method, "/best-move", "200"))]
        assert successful[method] <= requests <= sent[method]


#  Mounts its own /dev/shm, fills it completely, and becomes the server.
WITH_FULL_MEMORY = """\
mount -t tmpfs -o size=4k tmpfs /dev/shm || exit
echo the disk is full > /dev/shm/full
exec "$@"
"""


def test_a_full_shared_memory_affects_no_request() -> None:
    """With a full /dev/shm every request gets its response and is counted."""
    if os.geteuid() != 0 or shutil.which("unshare") is None:
        pytest.skip("mounting another /dev/shm requires root")
    with running(["unshare", "--mount", "sh", "-c", WITH_FULL_MEMORY, "sh", *SERVE]) as server:
        assert_that_it_serves(server)
        searches = [
            count
            for (name, *_), count in counts(server).items()
            if name == "best_move_searches_total"
        ]
        assert sum(searches) == 100
        assert not [line for line in parsed(server.stop()) if line["level"] != "INFO"]


def begin(server: Server) -> socket.socket:
    """Send the headers of a request; return the connection once a worker waits for the body."""
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=SECONDS_TO_WAIT)
    connection.sendall(WITH_LENGTH + b"Expect: 100-continue\r\n\r\n")
    assert connection.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
    return connection


def finish(connection: socket.socket) -> tuple[int, Any]:
    """Send the body of a request; return the status and the body of the response."""
    connection.sendall(BODY)
    with connection, HTTPResponse(connection) as response:
        response.begin()
        return response.status, json.loads(response.read())


def test_a_stop_under_load_lets_requests_in_flight_finish() -> None:
    """On SIGTERM each request in progress gets its response before the server exits."""
    with serving() as server:
        with under_load(server, MOVES) as load:
            load.wait_for(200)
            in_flight = [begin(server) for _ in range(10)]
            server.process.send_signal(signal.SIGTERM)
            server.log.wait_for("Handling signal: term")
            responses = [finish(connection) for connection in in_flight]
            status = server.process.wait(SECONDS_TO_WAIT)
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", server.port))

    assert [(status, body["move"]) for status, body in responses] == [(200, 1)] * 10
    for results in load.results:
        assert {result.status for result in results} <= {200, None}
        assert all(result.is_first for result in results if result.error), (
            "a request on an open connection was lost"
        )
    assert status == 0
    assert {line["level"] for line in parsed(server.log.read())} == {"INFO"}


@pytest.mark.parametrize("number", [1, 3])
def test_a_stop_while_workers_start_ends_all_of_them(number: int) -> None:
    """A server that is stopped while it forks exits by itself, and leaves no worker behind."""

    def forked() -> set[int] | None:
        workers = server.workers()
        return workers if len(workers) >= number else None

    with starting(WEB_CONCURRENCY="4") as server:
        workers = wait_until(forked, f"{number} workers are forked", 0.001)
        lines = server.stop()
    assert server.process.returncode == 0
    assert [line for line in parsed(lines) if line["level"] != "INFO"] == []
    assert [pid for pid in workers if Path(f"/proc/{pid}").exists()] == []


@pytest.mark.parametrize(
    "last",
    [GET + b"Connection: close\r\n\r\n", b"GET /health HTTP/1.0\r\n\r\n", b"no HTTP\r\n\r\n"],
    ids=["Connection: close", "HTTP/1.0", "not HTTP"],
)
def test_clients_that_leave_connections_open_do_not_delay_other_clients(
    server: Server, last: bytes
) -> None:
    """While 30 clients leave their side open after their last response, others get responses."""
    with ExitStack() as held:
        for _ in range(30):
            held.enter_context(socket.create_connection(("127.0.0.1", server.port))).sendall(last)
        assert_that_it_serves(server)


TOO_LONG = {
    "a line of 66,000": (b"GET /" + b"a" * 66_000 + b" HTTP/1.1\r\n\r\n", 414),
    "a long query": (
        b"GET /best-move?board=" + b"." * 60_000 + b" HTTP/1.1\r\nConnection: close\r\n\r\n",
        400,
    ),
    "a header of 5,000": (GET + b"X: " + b"a" * 5_000 + b"\r\n\r\n", 431),
    "a header without end": (GET + b"X: " + b"a" * 300_000, 431),
    "60 headers": (GET + b"X: 1\r\n" * 60 + b"\r\n", 431),
    "a length of ten gigabytes": (POST + b"Content-Length: 10737418240\r\n\r\n", 413),
    "a length of 4,000 digits": (POST + b"Content-Length: " + b"9" * 4_000 + b"\r\n\r\n", 413),
    "a megabyte": (POST + b"Content-Length: 1048576\r\n\r\n" + b" " * 1_048_576, 413),
}


@pytest.mark.parametrize(("request_", "status"), TOO_LONG.values(), ids=TOO_LONG)
def test_a_request_that_is_too_long_is_rejected(
    server: Server, request_: bytes, status: int
) -> None:
    """The client gets an error or a closed connection, and the next client is served."""
    try:
        response = server.send(request_)
    except ConnectionError:
        assert len(request_) > 65_536, "only a client that keeps sending may be cut off"
    else:
        assert response.startswith(b"HTTP/1.1 %d " % status)
    assert send(server, HEALTH, 1)[0].status == 200


def test_pipelined_requests_get_their_responses_in_order(server: Server) -> None:
    """Responses are in the order of the requests, up to the one that closes the connection."""
    last = b"GET /nowhere HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    requests = [(GET, b""), (WITH_LENGTH, BODY), (b"HEAD /health HTTP/1.1\r\n", b"")] * 5 + [
        (last, b""),
        (GET, b""),
    ]
    sent = [
        b"%bX-Request-ID: %d\r\n\r\n%b" % (head, n, body) for n, (head, body) in enumerate(requests)
    ]
    responses = server.send(b"".join(sent))
    assert [int(status) for status in re.findall(rb"HTTP/1.1 (\d+) ", responses)] == [200] * 15 + [
        404
    ]
    assert [int(name) for name in re.findall(rb"X-Request-ID: (\d+)\r\n", responses)] == list(
        range(16)
    )
    assert responses.endswith(b"}\n")


def test_clients_that_pipeline_without_end_fill_no_memory() -> None:
    """Twelve of them, for four seconds, let no worker grow by more than 40 MiB."""
    with serving(LOG_LEVEL="warning") as server, ThreadPoolExecutor(24) as threads:
        assert_that_it_serves(server)
        before = server.memory()
        end = time.monotonic() + 4
        with ExitStack() as stack:
            for _ in range(12):
                address = ("127.0.0.1", server.port)
                client = stack.enter_context(socket.create_connection(address, SECONDS_TO_WAIT))
                stack.callback(client.shutdown, socket.SHUT_RDWR)  # ends a blocked sendall
                threads.submit(pipeline, client, end)
                threads.submit(read, client, end)
            while time.monotonic() < end:
                assert [result.status for result in send(server, HEALTH, 1)] == [200]
            after = server.memory()
    assert {pid: memory for pid, memory in after.items() if memory - before[pid] > 40 * 1024} == {}


def pipeline(client: socket.socket, end: float) -> None:
    """Send requests without waiting for responses, until a time."""
    with suppress(OSError):  # the connection is closed
        while time.monotonic() < end:
            client.sendall((GET + b"\r\n") * 8_000)


def read(client: socket.socket, end: float) -> None:
    """Read responses until a time."""
    with suppress(OSError):  # the connection is closed
        while time.monotonic() < end and client.recv(65_536):
            pass


def test_a_client_that_disconnects_causes_no_failure() -> None:
    """Clients disconnect by a close or a reset, during a request or a response."""
    in_requests = [
        b"",
        b"GET /best-mo",
        GET,
        GET + b"\r\n",
        WITH_LENGTH + b"\r\n" + BODY[:5],
        POST + CHUNK,
        LARGE,
    ]
    in_responses = [GET + b"\r\n", LARGE, LARGE * 100]
    with serving() as server:
        for is_polite in (True, False) * 5:
            for sent in in_requests:
                hang_up(server, sent, is_polite=is_polite)
            for sent in in_responses:
                hang_up(server, sent, is_polite=is_polite, received=1)
        assert_that_it_serves(server)
        counted = counts(server)
        lines = parsed(server.stop())
    assert not [status for status in by_status(counted) if status.startswith("5")]
    assert [line for line in lines if line["level"] != "INFO"] == []


def hang_up(server: Server, sent: bytes, *, is_polite: bool, received: int = 0) -> None:
    """Send bytes, receive some, and disconnect: by a close, or by a reset as after a crash."""
    with socket.create_connection(
        ("127.0.0.1", server.port), timeout=SECONDS_TO_WAIT
    ) as connection:
        connection.sendall(sent)
        assert len(connection.recv(received)) == received
        if not is_polite:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def test_mixed_requests_cause_no_failure_and_leak_no_memory() -> None:
    """Each of 3,000 mixed requests gets its status, and the worker grows by at most 4 MiB.

    SOAK_REQUESTS is the number of requests, if it is set. Half as many come before, because the
    memory of a worker grows by some MiB until its threads and caches have what they need.
    """
    requests = int(os.environ.get("SOAK_REQUESTS", "3000"))
    #  One worker, because another might get no request before the first measurement.
    with running(WEB_CONCURRENCY="1") as server:
        kinds = mixed(server)
        send(server, kinds, requests // 2)
        before = server.memory()
        results = send(server, kinds, requests)
        after = server.memory()
    assert len(results) == requests
    assert [result for result in results if result.status != result.request.status] == []
    assert {pid: memory for pid, memory in after.items() if memory > before[pid] + MAX_GROWTH} == {}


#  Two requests with long lines in the log: one by the service, and one by gunicorn.
LOGGED_AT_LENGTH = [
    b"GET /" + b"%01" * 600 + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    b"\x01" * 1_500 + b"\r\n\r\n",
]


def test_the_log_has_one_line_of_json_per_request() -> None:
    """Each request has one line with its ID, even if both workers write at once."""
    with serving() as server:
        send(server, mixed(server), 300)
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(server.send, LOGGED_AT_LENGTH * 200))
        server.send(GET + b"X-Request-ID: this-one\r\nConnection: close\r\n\r\n")
        counted = counts(server)
        lines = parsed(server.stop())
    *access, last = [line for line in lines if line["logger"] == "best_move.access"]
    others = [line for line in lines if line["logger"] != "best_move.access"]
    assert last["path"] == "/metrics"
    assert Counter(str(line["status"]) for line in access) == by_status(counted)
    paths = {line["request_id"]: line["path"] for line in access}
    assert len(paths) == len(access)
    assert paths["this-one"] == "/best-move"
    assert {line["logger"] for line in others} == {"gunicorn.error"}
    assert Counter(line["level"] for line in others)["WARNING"] == 200
