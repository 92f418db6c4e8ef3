"""Logs: one JSON object per line, on standard output.

A line that cannot be written at once is dropped, so that a log that nobody reads stops nothing.
"""

import json
import logging
import os
import select
import stat
import sys
from contextlib import suppress
from datetime import UTC, datetime
from time import time
from typing import Any
from wsgiref.types import WSGIEnvironment

from pydantic_core import PydanticSerializationError, to_json
from typing_extensions import override

from best_move.quoting import cut
from best_move.web.observability.counts import COUNTS, DROPPED_LINES

ACCESS = "best_move.access"

#  Keys in the WSGI environment of a request: its ID, and the fields that the application adds to
#  its log line.
REQUEST_ID = "best_move.request_id"
NOTES = "best_move.notes"

#  Characters of a message or path. This keeps a line under 4,096 bytes (see Formatter): a character
#  takes at most six bytes, and a record with a path has a short message.
MAX_LOGGED = 500

_access = logging.getLogger(ACCESS)

#  The attributes of every record; the others are the fields that the caller adds.
_STANDARD = vars(logging.makeLogRecord({})).keys() | {"message", "asctime"}


class Formatter(logging.Formatter):
    """Writes a record as one line of JSON.

    The message and the path are truncated so that the line is written in one piece: a pipe accepts
    at least 4,096 bytes at once on Linux; a longer line, such as one with a traceback, could be
    torn apart by lines of other workers.
    """

    @override
    def format(self, record: logging.LogRecord) -> str:
        fields: dict[str, Any] = {
            "level": record.levelname,
            "logger": record.name,
            "message": cut(record.getMessage(), MAX_LOGGED),
        }
        if record.exc_info:
            fields["exception"] = self.formatException(record.exc_info)
        for name, value in vars(record).items():
            if name == "path":
                fields[name] = cut(value, MAX_LOGGED)
            elif name not in _STANDARD:
                fields[name] = value
        return _line(fields, record.created)


def _line(fields: dict[str, Any], seconds: float) -> str:
    """Return fields as JSON, with a time in seconds since the epoch."""
    fields["time"] = datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")
    try:
        return to_json(fields, fallback=str).decode()
    except PydanticSerializationError:  # half a surrogate pair, which encode() escapes for JSON
        text = json.dumps(fields, default=str, ensure_ascii=False)
        return text.encode(errors="backslashreplace").decode()


class LineHandler(logging.Handler):
    """Writes lines to standard output, and counts those that it drops."""

    def __init__(self) -> None:
        super().__init__()
        self._file = _open_standard_output()
        self._writable = select.poll()
        self._writable.register(self._file, select.POLLOUT)
        self._is_cut_off = False  # whether only a part of the last line was written

    @override
    def emit(self, record: logging.LogRecord) -> None:
        """Write a record."""
        try:
            self.write(self.format(record))
        except Exception:  # noqa: BLE001, as handlers of the standard library do
            self.handleError(record)

    def write(self, line: str) -> None:
        """Write a line, unless that would block or fails."""
        self.acquire()  # because only one thread may poll
        try:
            #  A line that was cut off ends first, so that it spoils no other.
            text = f"{line}\n".encode()
            rest = b"\n" + text if self._is_cut_off else text
            with suppress(OSError):
                #  A pipe that can be written accepts at least PIPE_BUF bytes at once.
                while rest and self._writable.poll(0):
                    rest = rest[os.write(self._file, rest[: select.PIPE_BUF]) :]
                    self._is_cut_off = bool(rest)
        finally:
            self.release()
        if rest:
            COUNTS.add((DROPPED_LINES, 1))

    @override
    def close(self) -> None:
        """Close the file descriptor; lines are dropped from then on."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
        super().close()


def _open_standard_output() -> int:
    """Return a new file descriptor of standard output, or of the null device if it is closed.

    A pipe or a terminal is opened again, if possible, so that a write never blocks: another process
    may have filled it since it was found writable, or it may have room for a part of a line. Other
    processes share the flags of the old descriptor, so that these cannot be changed.
    """
    if sys.stdout is None:
        return os.open(os.devnull, os.O_WRONLY)
    number = sys.stdout.fileno()
    mode = os.fstat(number).st_mode
    if stat.S_ISFIFO(mode) or stat.S_ISCHR(mode):
        with suppress(OSError):
            return os.open(f"/dev/fd/{number}", os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)
    return os.dup(number)


def log_request(fields: dict[str, Any]) -> None:
    """Log a request on the level `INFO`.

    The line is written without a LogRecord, which takes half of the time, unless logging has
    another configuration than the one below.
    """
    handlers = logging.getLogger().handlers
    if len(handlers) == 1 and isinstance(handlers[0], LineHandler) and not _access.handlers:
        first = {"level": "INFO", "logger": ACCESS, "message": "request"}
        path = cut(fields["path"], MAX_LOGGED)
        handlers[0].write(_line({**first, **fields, "path": path}, time()))
    else:
        _access.info("request", extra=fields)


def configuration(level: str) -> dict[str, Any]:
    """Return the configuration of the standard library's logging, for the service and gunicorn."""
    stdout = {"()": LineHandler, "formatter": "json"}
    logger = {"level": level.upper(), "handlers": ["stdout"]}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": Formatter}},
        "handlers": {"stdout": stdout},
        "root": logger,
        # Otherwise gunicorn's logger would keep its own handler, which writes plain text.
        "loggers": {"gunicorn.error": {**logger, "propagate": False}},
    }


def note(environ: WSGIEnvironment, **fields: str | bool) -> None:
    """Add fields to the log line of a request; the metrics count its problem and its tool call."""
    environ.setdefault(NOTES, {}).update(fields)
