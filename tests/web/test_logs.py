"""Logs: a line is one JSON object, an exception included."""

import json
import logging
import logging.config
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from service.web import logs


@contextmanager
def configured() -> Iterator[None]:
    """Configure logging as the server does, and put it back as it was."""
    root = logging.getLogger()
    level, handlers = root.level, root.handlers[:]
    logging.config.dictConfig(logs.configuration("warning"))
    yield
    root.setLevel(level)
    root.handlers = handlers


def test_a_line_is_one_json_object(capsys: pytest.CaptureFixture[str]) -> None:
    """A message with an exception and fields is one line on standard output, with time, level and logger."""
    error = RuntimeError("two\nlines")
    with configured():
        logging.getLogger("some.where").error("it\nfailed", extra={"request_id": "abc"}, exc_info=error)
    (line,) = capsys.readouterr().out.splitlines()
    said = json.loads(line)
    assert (said["level"], said["logger"], said["message"]) == ("ERROR", "some.where", "it\nfailed")
    assert said["request_id"] == "abc"
    assert "RuntimeError: two\nlines" in said["exception"]
    assert datetime.fromisoformat(said["time"]).utcoffset() == timedelta(0)


def test_whatever_is_logged_is_json(capsys: pytest.CaptureFixture[str]) -> None:
    """Half a surrogate pair and an object leave a line that can be read too."""
    with configured():
        for value in ("\ud800", Path("there"), RuntimeError):
            logging.getLogger("some.where").error("look", extra={"value": value})
    lines = capsys.readouterr().out.splitlines()
    assert [json.loads(line)["value"] for line in lines] == ["\ud800", "there", str(RuntimeError)]


def test_below_the_level_nothing_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    """A message below the level leaves no line."""
    with configured():
        logging.getLogger("some.where").info("nothing to see")
    assert capsys.readouterr().out == ""


def test_what_a_client_sent_does_not_make_a_line_longer_than_a_pipe_takes(capsys: pytest.CaptureFixture[str]) -> None:
    """A line with a long message or path stays one piece of at most 4,096 bytes, so no other can come in between."""
    with configured():
        logging.getLogger("some.where").error("\1" * 9_000)
        logging.getLogger("some.where").error("request", extra={"path": "\1" * 9_000, "request_id": "i" * 64})
    for line in capsys.readouterr().out.splitlines():
        assert len(line) < 4_096
        assert any(len(value) == logs.MAX_LOGGED + 1 for value in json.loads(line).values())
