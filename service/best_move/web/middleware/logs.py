"""Logs: one JSON object per line, on standard output."""

import logging
import os
import sys
from contextlib import suppress
from typing import Any, Final, TextIO

from pydantic_core import PydanticSerializationError, to_json
from pythonjsonlogger.json import JsonFormatter
from typing_extensions import override

ACCESS: Final = "best_move.access"

#  Keys in the WSGI environment of a request: its ID, and the fields that the application adds to its log line.
REQUEST_ID: Final = "best_move.request_id"
NOTES: Final = "best_move.notes"

MAX_LOGGED: Final = 500  # characters of a message or path, each six bytes if escaped


class Formatter(JsonFormatter):
    """Writes a record as JSON, in one piece whatever a client sent.

    Lines of other workers would tear apart a line that is longer than a pipe accepts at once: 4,096 bytes or more on
    Linux.
    """

    @override
    def process_log_record(self, log_data: dict[str, Any]) -> dict[str, Any]:
        """Return the fields with the message and the path truncated."""
        for name in ("message", "path"):
            text = log_data.get(name, "")
            if len(text) > MAX_LOGGED:
                log_data[name] = f"{text[:MAX_LOGGED]}…"
        return log_data

    @override
    def jsonify_log_record(self, log_data: dict[str, Any]) -> str:
        """Return the fields as JSON, written by Python's slower encoder if they are not valid Unicode."""
        try:
            return to_json(log_data, fallback=str).decode()
        except PydanticSerializationError:
            return super().jsonify_log_record(log_data)


class Handler(logging.StreamHandler[TextIO]):
    """Writes lines, and reports once per process if nothing can be written, such as when a pipe has no reader."""

    _has_reported = False

    @override
    def handleError(self, record: logging.LogRecord) -> None:
        """Report in one line on standard error what the system refuses; a bug is reported as usual."""
        error = sys.exception()
        if not isinstance(error, OSError):
            super().handleError(record)
            return
        if isinstance(error, BrokenPipeError):  # for good, so write nowhere, also when Python flushes at its exit
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.stream.fileno())
        if not self._has_reported:
            self._has_reported = True
            with suppress(OSError):
                sys.stderr.write(f"Cannot write the log: {error.strerror}.\n")
                sys.stderr.flush()


def configuration(level: str) -> dict[str, Any]:
    """Return the configuration of the standard library's logging, for the service and for gunicorn."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "json": {
                "()": Formatter,
                "fmt": "{levelname}{name}{message}",
                "style": "{",
                "rename_fields": {"levelname": "level", "name": "logger", "exc_info": "exception"},
                "timestamp": "time",
            }
        },
        "handlers": {"stdout": {"()": Handler, "formatter": "json", "stream": "ext://sys.stdout"}},
        "root": {"level": level.upper(), "handlers": ["stdout"]},
        # gunicorn's logger would add a handler of its own, which repeats each message and is not JSON.
        "loggers": {"gunicorn.error": {"level": level.upper(), "handlers": ["stdout"], "propagate": False}},
    }


def note(environ: dict[str, Any], **fields: str | bool) -> None:
    """Add fields to the log line of a request; the metrics count those that they know."""
    environ.setdefault(NOTES, {}).update(fields)
