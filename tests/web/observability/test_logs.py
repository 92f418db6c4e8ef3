"""Logs: each line is one JSON object."""

import fcntl
import json
import logging
import logging.config
import os
import pty
import select
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from best_move.web.observability import logs
from best_move.web.observability.counts import COUNTS, DROPPED_LINES
from tests.processes import open_files


@contextmanager
def configured() -> Iterator[None]:
    """Configure logging as the server does; restore the previous configuration at the end."""
    root = logging.getLogger()
    level = root.level
    handlers = root.handlers[:]
    logging.config.dictConfig(logs.configuration("warning"))
    yield
    root.setLevel(level)
    root.handlers = handlers


def test_a_line_is_one_json_object(capfd: pytest.CaptureFixture[str]) -> None:
    """A message with an exception and fields is one line, with time, level and logger."""
    error = RuntimeError("two\nlines")
    with configured():
        logging.getLogger("some.where").error(
            "it\nfailed", extra={"request_id": "abc"}, exc_info=error
        )
    (line,) = capfd.readouterr().out.splitlines()
    entry = json.loads(line)
    assert (entry["level"], entry["logger"], entry["message"]) == (
        "ERROR",
        "some.where",
        "it\nfailed",
    )
    assert entry["request_id"] == "abc"
    assert "RuntimeError: two\nlines" in entry["exception"]
    assert datetime.fromisoformat(entry["time"]).utcoffset() == timedelta(0)


def test_messages_of_gunicorn_are_json_lines(capfd: pytest.CaptureFixture[str]) -> None:
    """A message of gunicorn's logger is one JSON line, which is not repeated."""
    with configured():
        logging.getLogger("gunicorn.error").warning("a worker ended")
    (line,) = capfd.readouterr().out.splitlines()
    assert json.loads(line)["message"] == "a worker ended"


def test_any_logged_value_becomes_json(capfd: pytest.CaptureFixture[str]) -> None:
    """An unpaired surrogate and an arbitrary object can be logged too, with the time in UTC."""
    with configured():
        for value in ("\ud800", Path("there"), RuntimeError):
            logging.getLogger("some.where").error("look", extra={"value": value})
    entries = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    assert [entry["value"] for entry in entries] == ["\ud800", "there", str(RuntimeError)]
    assert all(entry["time"].endswith("Z") for entry in entries)


def test_messages_below_the_level_are_not_logged(capfd: pytest.CaptureFixture[str]) -> None:
    """The log has no line for a message below the level."""
    with configured():
        logging.getLogger("some.where").info("nothing to see")
    assert capfd.readouterr().out == ""


#  Characters that JSON may escape, half a surrogate pair, and characters of two to four bytes.
CHARACTERS = '\0\x7f"\\\ud800é☃😀'


@given(st.text(CHARACTERS, min_size=1, max_size=5), st.sampled_from(["msg", "path"]))
def test_a_line_is_short_enough_for_one_write_to_a_pipe(part: str, long: str) -> None:
    """A line with a long message or path has at most 4,096 bytes, so that no lines mix."""
    fields = {"levelname": "WARNING", "name": "gunicorn.error", "request_id": "i" * 64}
    record = logging.makeLogRecord({**fields, long: part * 9_000})
    line = logs.Formatter().format(record)
    assert len(line.encode()) <= 4_096
    assert json.loads(line)["request_id"] == "i" * 64


@pytest.mark.parametrize(("length", "last"), [(500, "x"), (501, "…")])
def test_a_long_text_is_truncated(
    capfd: pytest.CaptureFixture[str], length: int, last: str
) -> None:
    """Up to 500 characters of a message or a path are logged; an ellipsis ends a longer text."""
    with configured():
        logging.getLogger("some.where").error("x" * length, extra={"path": "x" * length})
    entry = json.loads(capfd.readouterr().out)
    assert entry["message"] == entry["path"] == "x" * 499 + last


@contextmanager
def logging_to(
    monkeypatch: pytest.MonkeyPatch, kind: Callable[[], tuple[int, int]]
) -> Iterator[BinaryIO]:
    """Log to a pipe or a terminal; yield its other end, from which a read does not block."""
    read, write = kind()
    os.set_blocking(read, False)
    with os.fdopen(read, "rb") as reader, os.fdopen(write, "w") as stdout:
        monkeypatch.setattr("sys.stdout", stdout)
        with configured():
            yield reader


@pytest.mark.parametrize(
    ("kind", "can_open"),
    [(os.pipe, True), (os.pipe, False), (pty.openpty, True)],
    ids=["pipe", "pipe that cannot be opened again", "terminal"],
)
def test_a_log_that_nobody_reads_blocks_nothing(
    monkeypatch: pytest.MonkeyPatch, kind: Callable[[], tuple[int, int]], *, can_open: bool
) -> None:
    """Lines that a pipe or a terminal does not accept are dropped and counted."""

    def refuse(*_: object) -> None:
        raise PermissionError

    if not can_open:
        monkeypatch.setattr(os, "open", refuse)
    before = COUNTS.sums().get(DROPPED_LINES, 0)
    with logging_to(monkeypatch, kind) as reader:
        for _ in range(2_000):
            logging.getLogger("some.where").error("line")
        dropped = COUNTS.sums()[DROPPED_LINES] - before
        written = reader.read().count(b"\n")
    assert written > 10
    assert written + dropped in {2_000, 2_001}  # a terminal accepts a part of a line


def test_a_line_that_is_cut_off_spoils_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """When the pipe has room again, the next line is one of its own."""
    with logging_to(monkeypatch, os.pipe) as reader:
        for message in ("first", "second"):
            error = RuntimeError("long " * 50_000)
            logging.getLogger("some.where").error(message, exc_info=error)
            assert reader.read(1_000_000)
            logging.getLogger("some.where").error("next")
            _, whole, _ = reader.read(1_000_000).split(b"\n")
            assert json.loads(whole)["message"] == "next"


#  Lengths of lines. A pipe never cuts off only the line feed of one: the handler would count such a
#  line, which the line feed before the next one completes.
LENGTHS = st.integers(1, 9_000).filter(lambda length: (length + 1) % select.PIPE_BUF > 1)
#  The length of a line, and how many bytes are then read.
STEPS = st.lists(st.tuples(LENGTHS, st.integers(0, 9_000)), min_size=1, max_size=9)


@given(STEPS)
def test_a_line_is_written_whole_or_counted(steps: list[tuple[int, int]]) -> None:
    """A pipe has all lines but those that are counted, and of these at most the first part."""
    before = COUNTS.sums().get(DROPPED_LINES, 0)
    sent = [f"{number} ".ljust(length, "x") for number, (length, _) in enumerate(steps)]
    received = b""
    with pytest.MonkeyPatch.context() as patch, logging_to(patch, os.pipe) as reader:
        fcntl.fcntl(reader, fcntl.F_SETPIPE_SZ, 8_192)  # the pipe has room for few lines
        (handler,) = logging.getLogger().handlers
        assert isinstance(handler, logs.LineHandler)
        for line, (_, read) in zip(sent, steps, strict=True):
            handler.write(line)
            received += reader.read(read) or b""
        received += reader.read() or b""
    dropped = COUNTS.sums().get(DROPPED_LINES, 0) - before
    *lines, rest = received.decode().split("\n")
    whole = [line for line in lines if line in sent]
    assert whole == [line for line in sent if line in lines]
    assert len(whole) + dropped == len(sent)
    for part in {*lines, rest} - {*whole}:
        assert any(line.startswith(part) for line in sent)


def test_another_configuration_closes_the_file_of_the_one_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each reload of a server configures logging again."""
    with logging_to(monkeypatch, os.pipe):
        before = open_files(os.getpid())
        for _ in range(3):
            logging.config.dictConfig(logs.configuration("warning"))
        assert open_files(os.getpid()) == before


def test_a_log_that_is_closed_causes_no_error(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Without standard output, a line goes nowhere."""
    monkeypatch.setattr("sys.stdout", None)
    with configured():
        logging.getLogger("some.where").error("line")
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("is_configured", [True, False], ids=["configured", "otherwise"])
def test_a_request_is_logged_under_any_configuration(
    capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture, *, is_configured: bool
) -> None:
    """The line is written at once, as that of a record, or a record reaches other handlers."""
    fields = {"method": "GET", "path": "x" * 501, "status": 200}
    if not is_configured:
        with caplog.at_level(logging.INFO, logs.ACCESS):
            logs.log_request(fields)
        (record,) = caplog.records
        assert vars(record).items() >= fields.items()
        return
    with configured():
        logs.log_request(fields)
        logging.getLogger(logs.ACCESS).warning("request", extra=fields)
    at_once, as_record = (json.loads(line) for line in capfd.readouterr().out.splitlines())
    assert [*at_once] == [*as_record]
    for entry in (at_once, as_record):
        assert datetime.fromisoformat(entry.pop("time")).utcoffset() == timedelta(0)
    assert at_once == as_record | {"level": "INFO"}


def test_notes_about_a_request_accumulate() -> None:
    """Each note about a request is added to the earlier notes."""
    environ: dict[str, Any] = {}
    logs.note(environ, problem="not_found")
    logs.note(environ, tool="best_move", tool_error=True)
    assert environ == {
        logs.NOTES: {"problem": "not_found", "tool": "best_move", "tool_error": True}
    }
