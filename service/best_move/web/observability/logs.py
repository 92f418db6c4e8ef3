"""Logs: one JSON object per line, on standard output."""

import json
import logging
from datetime import UTC, datetime
from typing import Any
from wsgiref.types import WSGIEnvironment

from pydantic_core import PydanticSerializationError, to_json
from typing_extensions import override

from best_move.quoting import cut

ACCESS = "best_move.access"

#  Keys in the WSGI environment of a request: its ID, and the fields that the application adds to
#  its log line.
REQUEST_ID = "best_move.request_id"
NOTES = "best_move.notes"

#  Characters of a message or path. This keeps a line under 4,096 bytes (see Formatter): a character
#  takes at most six bytes, and a record with a path has a short message.
MAX_LOGGED = 500

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
        time = datetime.fromtimestamp(record.created, UTC)
        fields["time"] = time.isoformat().replace("+00:00", "Z")
        try:
            return to_json(fields, fallback=str).decode()
        except PydanticSerializationError:  # half a surrogate pair, which encode() escapes for JSON
            text = json.dumps(fields, default=str, ensure_ascii=False)
            return text.encode(errors="backslashreplace").decode()


def configuration(level: str) -> dict[str, Any]:
    """Return the configuration of the standard library's logging, for the service and gunicorn."""
    stdout = {"class": "logging.StreamHandler", "formatter": "json", "stream": "ext://sys.stdout"}
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
