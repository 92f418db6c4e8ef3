"""MCP over standard input and output: a response per request or malformed line, a clean exit."""

import json
import logging
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from best_move.web.chatbots import stdio
from tests.processes import SECONDS_TO_WAIT, next_line
from tests.server import BIN
from tests.web.chatbots.messages import INITIALIZE, message

COMMAND = [str(BIN / "best-move"), "mcp"]

PING = json.dumps(message("ping")).encode()
PONG = {"jsonrpc": "2.0", "id": 7, "result": {}}


def responses(*lines: bytes) -> list[dict[str, Any]]:
    """Return the responses to these lines."""
    written: list[bytes] = []
    stdio.serve([line + b"\n" for line in lines], written.append)
    assert all(line.endswith(b"}\n") and line.count(b"\n") == 1 for line in written)
    return [json.loads(line) for line in written]


def test_each_request_gets_a_response_in_one_line() -> None:
    """A notification and an empty line get no response."""
    notification = b'{"jsonrpc": "2.0", "method": "notifications/initialized"}'
    assert responses(PING, notification, b"", b"\r", PING) == [PONG, PONG]


def test_tools_can_be_called_after_a_handshake() -> None:
    """A call needs only the handshake before it."""
    call = message("tools/call", {"name": "best_move", "arguments": {"played": [0], "starts": "X"}})
    messages = [message("initialize", INITIALIZE), call]
    agreed, called = responses(*[json.dumps(each).encode() for each in messages])
    assert agreed["result"]["protocolVersion"] == INITIALIZE["protocolVersion"]
    assert called["result"]["structuredContent"]["move"] == 4


def test_malformed_lines_get_errors_and_the_next_line_gets_its_response() -> None:
    """The errors are those of JSON-RPC, with null as the id."""
    found = responses(b"{", b"\xff", b"[1]", b"null", b'"hello"', b"[" * 50_000, PING)
    assert found.pop() == PONG
    assert [response["id"] for response in found] == [None] * 6
    codes = [response["error"]["code"] for response in found]
    assert codes == [-32700, -32700, -32600, -32600, -32600, -32700]


def test_an_unexpected_exception_gets_an_error_with_the_id_of_the_request(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The exception is logged with its traceback, and the client gets an error with the id."""

    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(stdio, "exchange", fail)
    (found,) = responses(PING)
    assert (found["id"], found["error"]["code"]) == (7, -32603)
    (record,) = caplog.records
    assert record.levelno == logging.ERROR
    assert record.exc_info


@contextmanager
def started() -> Iterator[subprocess.Popen[bytes]]:
    """Start the command; yield its process after the first response.

    Then assert that it exits with status 0, and that standard error is empty.
    """
    pipe = subprocess.PIPE
    with subprocess.Popen(COMMAND, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdin
        assert process.stderr
        try:
            process.stdin.write(PING + b"\n")
            process.stdin.flush()
            assert json.loads(next_line(process)) == PONG
            yield process
            assert process.wait(SECONDS_TO_WAIT) == 0
            assert process.stderr.read() == b""
        finally:
            process.kill()


def test_the_command_ends_at_the_end_of_its_input() -> None:
    """Standard output has only responses, standard error is empty, and the exit code is 0."""
    done = subprocess.run(
        COMMAND, input=b"{\n" + PING, capture_output=True, timeout=SECONDS_TO_WAIT, check=False
    )
    error, pong = map(json.loads, done.stdout.splitlines())
    assert error["error"]["code"] == -32700
    assert pong == PONG
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_command_ends_on_a_signal(number: signal.Signals) -> None:
    """On SIGTERM or SIGINT, from a client or from Ctrl-C, the command exits without a traceback."""
    with started() as process:
        process.send_signal(number)


def test_a_user_at_a_terminal_gets_a_hint() -> None:
    """At a terminal, standard error has a hint, and Ctrl-D ends the command."""
    keyboard, terminal = os.openpty()
    with subprocess.Popen(
        COMMAND, stdin=terminal, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        os.close(terminal)
        os.write(keyboard, PING + b"\n\x04")
        out, err = process.communicate(timeout=SECONDS_TO_WAIT)
    os.close(keyboard)
    assert (json.loads(out), process.returncode) == (PONG, 0)
    assert err.startswith(b"A chat client starts this command")
    assert b"best-move serve" in err
    assert err.count(b"\n") == 1


@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_a_closed_stream_is_reported_in_one_line(closed: str) -> None:
    """The command exits with status 1, and standard error has only this line."""
    shell = ["sh", "-c", f"exec {' '.join(COMMAND)} {closed}"]
    done = subprocess.run(shell, capture_output=True, timeout=SECONDS_TO_WAIT, check=False)
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (1, b"", 1)
    assert done.stderr.startswith(b"Standard input or output is closed.")


def test_the_command_ends_if_its_output_is_closed() -> None:
    """If the reader closes standard output, the command exits without a traceback."""
    with started() as process:
        assert process.stdin
        assert process.stdout
        process.stdout.close()
        process.stdin.write(PING + b"\n")
        process.stdin.flush()
