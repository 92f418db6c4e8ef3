"""The real server: what only a socket can send is answered like everything else, and a bad start ends in a line."""

import gc
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from service.engine import COMPILED
from service.web.api.questions import MAX_BYTES
from service.web.serving.server import configuration
from service.web.serving.worker import Worker
from service.web.settings import Settings
from tests.server import SERVE, Server, free_port, running

JSON = b"Host: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n"
GOOD = b'{"board":"X...O...."}'


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """Run one server for all the tests of this module."""
    with running() as server:
        yield server


def post(server: Server, headers: bytes, body: bytes) -> tuple[int, bytes]:
    """Send a POST with a body as it is; return the status and the body of the answer."""
    answer = server.send(b"POST /best-move HTTP/1.1\r\n" + JSON + headers + b"\r\n" + body)
    head, _, content = answer.partition(b"\r\n\r\n")
    return int(head.split()[1]), content


def chunked(*chunks: bytes) -> bytes:
    """Return chunks as HTTP sends them."""
    return b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in (*chunks, b""))


def test_a_body_with_its_length_is_answered(server: Server) -> None:
    """The ordinary case."""
    status, content = post(server, b"Content-Length: %d\r\n" % len(GOOD), GOOD)
    assert status == 200
    assert json.loads(content)["move"] == 1


def test_a_chunked_body_is_answered(server: Server) -> None:
    """A body in chunks is as good as one with its length."""
    status, content = post(server, b"Transfer-Encoding: chunked\r\n", chunked(GOOD[:5], GOOD[5:]))
    assert status == 200
    assert json.loads(content)["move"] == 1


def test_a_chunked_body_larger_than_the_limit_is_refused(server: Server) -> None:
    """A chunked body at the limit is read, one byte more is a 413, though its beginning would be good JSON."""
    status, _ = post(server, b"Transfer-Encoding: chunked\r\n", chunked(GOOD.ljust(MAX_BYTES)))
    assert status == 200
    status, content = post(server, b"Transfer-Encoding: chunked\r\n", chunked(GOOD.ljust(MAX_BYTES), b" "))
    assert (status, json.loads(content)["code"]) == (413, "body_too_large")


@pytest.mark.parametrize(
    "body",
    [b"zz\r\n{}\r\n0\r\n\r\n", b"5\r\n{}", b"-1\r\n{}\r\n0\r\n\r\n", b"2\r\n{}XX0\r\n\r\n"],
    ids=["no number", "broken off", "negative", "no line end"],
)
def test_broken_chunks_are_refused(server: Server, body: bytes) -> None:
    """Chunks that are malformed are a 400, not a fault of the service."""
    status, _ = post(server, b"Transfer-Encoding: chunked\r\n", body)
    assert status == 400


def test_a_body_that_breaks_off_is_refused(server: Server) -> None:
    """A body shorter than its Content-Length is a 400."""
    status, _ = post(server, b"Content-Length: 500\r\n", GOOD)
    assert status == 400


def test_a_body_without_length_is_no_json(server: Server) -> None:
    """Without Content-Length and chunks there is no body, which is not JSON."""
    status, content = post(server, b"", GOOD)
    assert (status, json.loads(content)["code"]) == (400, "malformed_json")


def test_what_is_served_is_what_is_installed(server: Server) -> None:
    """The server runs the form of the engine that is installed, though it starts beside the sources."""
    assert (Path.cwd() / "service").is_dir()
    connection = server.connect()
    connection.request("GET", "/health")
    assert json.load(connection.getresponse())["engine"] == ("compiled" if COMPILED else "interpreted")
    connection.close()


def start(**variables: str) -> tuple[int, str]:
    """Start a server that cannot start; return its exit status and what it says, but for gunicorn's log."""
    process = subprocess.run(SERVE, env=variables, capture_output=True, text=True, timeout=20, check=False)
    assert {json.loads(line)["logger"] for line in process.stdout.splitlines()} <= {"gunicorn.error"}
    return process.returncode, process.stderr


@pytest.mark.parametrize("value", ["", "two", "-1", "2.0", "0", "257"])
def test_a_bad_number_of_workers_ends_the_start_in_one_line(value: str) -> None:
    """The service refuses what gunicorn, which reads this variable as soon as it is imported, would fail on."""
    expected = f"WEB_CONCURRENCY='{value}' cannot be used: set it to a whole number from 1 to 256.\n"
    assert start(WEB_CONCURRENCY=value) == (1, expected)


def test_an_empty_host_ends_the_start_in_one_line() -> None:
    """It would have listened on every interface."""
    status, said = start(HOST="")
    assert status == 1
    assert said.startswith("HOST='' cannot be used: ")
    assert said.count("\n") == 1


def test_a_bad_setting_ends_the_start_in_one_line() -> None:
    """A variable that cannot be used ends the start with one line that names it."""
    assert start(PORT="http") == (1, "PORT='http' cannot be used: set it to a whole number from 1 to 65535.\n")


def test_a_taken_port_ends_the_start_in_one_line(server: Server) -> None:
    """A port already taken ends the start at once, with one line that says what to do."""
    expected = f"Cannot listen on 127.0.0.1:{server.port}: Address already in use. Set HOST or PORT, as in: make run"
    status, said = start(PORT=str(server.port))
    assert status == 1
    assert said.startswith(expected)
    assert said.count("\n") == 1


def test_an_address_of_another_machine_ends_the_start_in_one_line() -> None:
    """An address that is not this machine's does too."""
    status, said = start(HOST="192.0.2.1", PORT=str(free_port()))
    assert status == 1
    assert said.startswith("Cannot listen on 192.0.2.1:")


def test_workers_look_for_no_garbage_in_what_they_share() -> None:
    """What there is before a fork is out of the collector's sight, so that it often looks through what comes after."""
    pre_fork = configuration(Settings())["pre_fork"]
    try:
        pre_fork(SimpleNamespace(WORKERS={}), Worker.__new__(Worker))
        assert gc.get_freeze_count() > 10_000
        assert len(gc.get_objects()) < 1_000
    finally:
        gc.unfreeze()
