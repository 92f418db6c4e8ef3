"""Failures: killed workers, stops, overload and invalid requests do not affect other clients."""

import os
import pty
import shutil
import signal
import socket
import struct
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import pytest

from tests.load import MOVES, assert_that_it_serves, mixed, send, under_load
from tests.processes import SECONDS_TO_WAIT, open_files, process_status, wait_until
from tests.raw_requests import (
    ASK,
    BODY,
    EXPECT,
    GET,
    LARGE,
    TO_MINIMAX,
    UNFINISHED,
    batch_of,
    posted,
)
from tests.server import SERVE, reply_on, running, serve_after, starting

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(
        not Path(f"/proc/self/task/{os.getpid()}/children").exists(),
        reason="processes are looked up in Linux's /proc",
    ),
]

MAX_GROWTH = 4096  # KiB per worker over a run of any length


def test_a_killed_worker_loses_at_most_its_current_request() -> None:
    """Each client loses at most one request; the worker is replaced, and no count is lost."""
    with running() as server:
        server.wait_for_workers()
        with under_load(server.port, MOVES) as load:
            load.wait_for(200)
            seen = [server.samples()]
            killed = max(server.workers(), key=open_files)
            os.kill(killed, signal.SIGKILL)
            for _ in range(10):
                load.wait_for(20)
                seen.append(server.samples())
            server.log.wait_for("Booting worker", times=3)
            server.wait_for_workers()
            load.wait_for(200)
        seen.append(server.samples())
        counted = {
            method: server.counted(method=method, route="/best-move", status="200")
            for method in ("GET", "POST")
        }
        workers = server.workers()
        entries = server.stop()

    assert len(workers) == 2
    assert killed not in workers
    for results in load.results:
        assert {result.status for result in results} <= {200, None}
        assert len([result for result in results if result.error]) <= 1
    for earlier, later in pairwise(seen):
        counts = {(name, *labels.items()): value for name, labels, value, *_ in later}
        for name, labels, value, *_ in earlier:
            assert counts[name, *labels.items()] >= value - 1e-9, name  # sums of times are rounded
    for method, count in counted.items():
        sent = [result for result in load.all_results() if result.request.method == method]
        answered = [result for result in sent if result.status]
        assert len(answered) <= count <= len(sent)
    errors = [entry["message"] for entry in entries if entry["level"] == "ERROR"]
    assert errors == [f"Worker (pid:{killed}) was sent SIGKILL! Perhaps out of memory?"]


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
        assert_that_it_serves(server.port)
        assert server.total("best_move_searches_total") == 100
        assert {entry["level"] for entry in server.stop()} == {"INFO"}


def test_a_stop_under_load_lets_requests_in_flight_finish() -> None:
    """On SIGTERM each request in progress gets its response before the server exits."""
    batch = batch_of(BODY, 10)
    headers = posted(batch, EXPECT, path=b"/best-moves").removesuffix(batch)
    with running() as server:
        server.wait_for_workers()
        with under_load(server.port, MOVES) as load:
            load.wait_for(200)
            with server.holding([headers] * 10) as in_flight:
                for connection in in_flight:
                    assert connection.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
                server.process.send_signal(signal.SIGTERM)
                server.log.wait_for("Handling signal: term")
                for connection in in_flight:
                    connection.sendall(batch)
                    reply = reply_on(connection)
                    assert (reply.status, reply.body.count(b'"move":1,')) == (200, 10)
                    assert reply.headers["Connection"] == "close"
            assert server.process.wait(SECONDS_TO_WAIT) == 0
        with pytest.raises(ConnectionRefusedError):
            server.open()

    for result in load.all_results():
        assert result.status == 200 or (result.status is None and result.is_first), (
            "a request on an open connection was lost"
        )
    assert {entry["level"] for entry in server.log.entries()} == {"INFO"}


#  Each worker pauses after the fork, before it has signal handlers of its own.
WITH_SLOW_FORKS = serve_after(
    "import os, time; os.register_at_fork(after_in_child=lambda: time.sleep(0.5))"
)


@pytest.mark.parametrize("number", [1, 3])
def test_a_stop_while_workers_start_ends_all_of_them(number: int) -> None:
    """A server that is stopped while it forks need not kill a worker, and leaves none behind."""

    def forked() -> set[int] | None:
        workers = server.workers()
        return workers if len(workers) >= number else None

    with starting(WITH_SLOW_FORKS, WEB_CONCURRENCY="4") as server:
        workers = wait_until(forked, f"{number} workers are forked", 0.001)
        entries = server.stop()
    assert server.process.returncode == 0
    assert [entry for entry in entries if entry["level"] != "INFO"] == []
    assert [pid for pid in workers if Path(f"/proc/{pid}").exists()] == []


def test_a_client_that_disconnects_causes_no_failure() -> None:
    """Clients disconnect by a close or a reset, during a request or a response."""
    requests = [(sent, 0) for sent in UNFINISHED.values()]
    responses = [(sent, 1) for sent in (ASK, LARGE, LARGE * 100)]
    reset = struct.pack("ii", 1, 0)  # as after a crash
    with running() as server:
        server.wait_for_workers()
        for is_polite in (True, False) * 5:
            for sent, received in requests + responses:
                with server.open(sent) as connection:
                    assert len(connection.recv(received)) == received
                    if not is_polite:
                        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, reset)
        assert_that_it_serves(server.port)
        statuses = {sample.labels.get("status", "") for sample in server.samples()}
        entries = server.stop()
    assert [status for status in statuses if status.startswith("5")] == []
    assert [entry for entry in entries if entry["level"] != "INFO"] == []


def test_what_clients_have_left_behind_is_dropped() -> None:
    """Of 900 batches whose clients disconnect at once, most are rejected."""
    batch = posted(batch_of(TO_MINIMAX, 10), path=b"/best-moves")
    with running() as server:
        server.wait_for_workers()
        for _ in range(900):
            server.open(batch).close()
        assert_that_it_serves(server.port)
        wait_until(lambda: server.counted(route="/best-moves") == 900, "all batches are counted")
        executed = server.counted(route="/best-moves", status="200")
        rejected = server.counted(route="/best-moves", status="503")
    assert executed + rejected == 900
    assert executed < 450  # 100 per worker, and as many as it executes while the others arrive


@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize("is_terminal", [False, True], ids=["pipe", "terminal"])
def test_a_log_that_nobody_reads_stops_nothing(
    tmp_path: Path, workers: str, *, is_terminal: bool
) -> None:
    """With a full pipe or terminal as its log, the server responds, counts lines, and stops."""
    if is_terminal:
        reader, terminal = pty.openpty()
        log = os.ttyname(terminal)
    else:
        log = str(tmp_path / "log")
        os.mkfifo(log)
        reader = os.open(log, os.O_RDONLY | os.O_NONBLOCK)
    command = ["sh", "-c", f'exec "$@" > {log}', "sh", *SERVE]
    with running(command, WEB_CONCURRENCY=workers) as server:
        results = send(server.port, MOVES, 1_000)
        assert {result.status for result in results} == {200}
        assert server.total("best_move_dropped_log_lines_total") > 500
        old = server.workers()
        server.process.send_signal(signal.SIGHUP)
        server.wait_for_others(old, int(workers))
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(SECONDS_TO_WAIT) == 0
    os.close(reader)


def test_mixed_requests_cause_no_failure_and_leak_no_memory() -> None:
    """Each of 3,000 mixed requests gets its status, and the worker grows by at most 4 MiB.

    SOAK_REQUESTS is the number of requests, if it is set. Half as many come before, because the
    memory of a worker grows by some MiB until its threads and caches have what they need.
    """
    requests = int(os.environ.get("SOAK_REQUESTS", "3000"))
    #  One worker, because another might get no request before the first measurement.
    with running(WEB_CONCURRENCY="1") as server:
        send(server.port, mixed(), requests // 2)
        (worker,) = server.workers()
        before = int(process_status(worker, "VmRSS"))
        results = send(server.port, mixed(), requests)
        assert int(process_status(worker, "VmRSS")) <= before + MAX_GROWTH
    assert len(results) == requests
    assert [result for result in results if result.status != result.request.status] == []


#  Two requests with long lines in the log: one by the service, and one by gunicorn.
LOGGED_AT_LENGTH = [
    b"GET /" + b"%01" * 600 + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    b"\x01" * 1_500 + b"\r\n\r\n",
]


def test_the_log_has_one_line_of_json_per_request() -> None:
    """Each request has one line with its ID, even if both workers write at once."""
    with running() as server:
        server.wait_for_workers()
        send(server.port, mixed(), 300)
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(server.send, LOGGED_AT_LENGTH * 200))
        server.send(GET + b"X-Request-ID: this-one\r\n\r\n")
        counted = [s for s in server.samples() if s.name == "best_move_requests_total"]
        entries = server.stop()
    *access, last = [entry for entry in entries if entry["logger"] == "best_move.access"]
    others = [entry for entry in entries if entry["logger"] != "best_move.access"]
    assert last["path"] == "/metrics"
    by_status: Counter[str] = Counter()
    for sample in counted:
        by_status[sample.labels["status"]] += int(sample.value)
    assert Counter(str(entry["status"]) for entry in access) == by_status
    paths = {entry["request_id"]: entry["path"] for entry in access}
    assert len(paths) == len(access)
    assert paths["this-one"] == "/best-move"
    assert {entry["logger"] for entry in others} == {"gunicorn.error"}
    assert Counter(entry["level"] for entry in others)["WARNING"] == 200
