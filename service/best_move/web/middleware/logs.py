"""Logs: one JSON object per line, on standard output."""

from typing import Any, Final

from pydantic_core import PydanticSerializationError, to_json
from pythonjsonlogger.json import JsonFormatter
from typing_extensions import override

ACCESS: Final = "best_move.access"

#  Keys in the WSGI environment of a request: its ID, and the fields that the application adds to its log line.
REQUEST_ID: Final = "best_move.request_id"
NOTES: Final = "best_move.notes"

MAX_LOGGED: Final = 500  # characters of a message or path; each takes at most six bytes


class Formatter(JsonFormatter):
    """Writes a record as one line of JSON, with message and path truncated so that the line is written in one piece.

    A pipe accepts at least 4,096 bytes at once on Linux; a longer line, such as one with a traceback, could be torn
    apart by lines of other workers.
    """

    @override
    def process_log_record(self, log_data: dict[str, Any]) -> dict[str, Any]:
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
        "handlers": {
            "stdout": {
                "class": "logging.StreamHandler",
                "formatter": "json",
                "stream": "ext://sys.stdout",
            }
        },
        "root": {"level": level.upper(), "handlers": ["stdout"]},
        # Otherwise gunicorn's logger would add its own handler, which would repeat each message, but not as JSON.
        "loggers": {
            "gunicorn.error": {"level": level.upper(), "handlers": ["stdout"], "propagate": False}
        },
    }


def note(environ: dict[str, Any], **fields: str | bool) -> None:
    """Add fields to the log line of a request; of these fields, the metrics count the problem and the tool call."""
    environ.setdefault(NOTES, {}).update(fields)
