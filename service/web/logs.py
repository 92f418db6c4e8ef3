"""Logs: one JSON object a line, on standard output."""

from typing import Any, Final

ACCESS: Final = "best_move.access"


def settings(level: str) -> dict[str, Any]:
    """Return the configuration of the standard library's logging, for the service and for gunicorn alike."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "json": {
                "()": "pythonjsonlogger.json.JsonFormatter",
                "fmt": "{levelname}{name}{message}",
                "style": "{",
                "rename_fields": {"levelname": "level", "name": "logger", "exc_info": "exception"},
                "timestamp": "time",
            }
        },
        "handlers": {"stdout": {"class": "logging.StreamHandler", "formatter": "json", "stream": "ext://sys.stdout"}},
        "root": {"level": level.upper(), "handlers": ["stdout"]},
        # gunicorn gives its loggers handlers of its own; theirs would say everything twice, and not in JSON.
        "loggers": {
            name: {"level": level.upper(), "handlers": ["stdout"], "propagate": False}
            for name in ("gunicorn.error", "gunicorn.access")
        },
    }
