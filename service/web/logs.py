"""Logs: one JSON object a line, on standard output."""

from typing import Any, Final

from pydantic_core import PydanticSerializationError, to_json
from pythonjsonlogger.json import JsonFormatter

ACCESS: Final = "best_move.access"

REQUEST_ID: Final = "best_move.request_id"  # the key of a request's id in its WSGI environment

MAX_LOGGED: Final = 500  # of a message or path, six bytes each if they are escaped


class Formatter(JsonFormatter):
    """Writes a record as JSON, whatever a client put in it no longer than a pipe takes in one piece.

    A longer line would be torn by the lines of other workers. A pipe takes at least 4,096 bytes on Linux.
    """

    def process_log_record(self, log_data: dict[str, Any]) -> dict[str, Any]:
        """Return the fields, the message and the path cut to size."""
        for name in ("message", "path"):
            text = log_data.get(name, "")
            if len(text) > MAX_LOGGED:
                log_data[name] = f"{text[:MAX_LOGGED]}…"
        return log_data

    def jsonify_log_record(self, log_data: dict[str, Any]) -> str:
        """Return the fields as JSON; Python's writer, which takes several times as long, has what is no Unicode."""
        try:
            return to_json(log_data, fallback=str).decode()
        except PydanticSerializationError:
            return super().jsonify_log_record(log_data)


def configuration(level: str) -> dict[str, Any]:
    """Return the configuration of the standard library's logging, for the service and for gunicorn alike."""
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
        "handlers": {"stdout": {"class": "logging.StreamHandler", "formatter": "json", "stream": "ext://sys.stdout"}},
        "root": {"level": level.upper(), "handlers": ["stdout"]},
        # gunicorn gives its logger a handler of its own, which would say everything twice, and not in JSON.
        "loggers": {"gunicorn.error": {"level": level.upper(), "handlers": ["stdout"], "propagate": False}},
    }
