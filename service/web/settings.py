"""How the service is set up; the only place of it that reads the environment."""

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Self

from service.web.processors import usable_processors

ANY_ORIGIN: Final = ("*",)
LOG_LEVELS: Final = ("debug", "info", "warning", "error", "critical")


class SettingError(ValueError):
    """Raised for an environment variable that cannot be used; its message says what to set."""


@dataclass(frozen=True)
class Settings:
    """The settings, each from one environment variable."""

    host: str = "127.0.0.1"
    """HOST: the address to listen on, or a name of it."""
    port: int = 8000
    """PORT: the port to listen on."""
    workers: int = field(default_factory=usable_processors)
    """WEB_CONCURRENCY: the worker processes. Left out, one a processor that may be used."""
    log_level: str = "info"
    """LOG_LEVEL: the least level that is logged. Requests are logged at info."""
    cors_origins: tuple[str, ...] = ANY_ORIGIN
    """CORS_ORIGINS: the origins whose pages may read answers, with commas between them, or * for any."""

    @property
    def bind(self) -> str:
        """The address and port, as gunicorn takes them."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Self:
        """Read the settings that are given, and take the defaults of the others; raise SettingError for a bad one."""
        return cls(
            **{
                name: read(variable, environment[variable])
                for name, (variable, read) in _READERS.items()
                if variable in environment
            }
        )


def _host(name: str, text: str) -> str:
    if not re.fullmatch(r"[\w.-]+|[0-9A-Fa-f:.]+(%\w+)?", text, re.ASCII):
        raise _refusal(
            name, text, "an address of this machine, such as 127.0.0.1 or ::1, or to 0.0.0.0 for all of them"
        )
    return text


def _whole_number(name: str, text: str, *, most: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10 and 1 <= int(text) <= most):
        raise _refusal(name, text, f"a whole number from 1 to {most}")
    return int(text)


def _level(name: str, text: str) -> str:
    if text.lower() not in LOG_LEVELS:
        raise _refusal(name, text, f"one of {', '.join(LOG_LEVELS)}")
    return text.lower()


def _origins(name: str, text: str) -> tuple[str, ...]:
    origins = tuple(origin.strip() for origin in text.split(","))
    if origins != ANY_ORIGIN and not all(re.fullmatch(r"https?://[^\s/*,]+", origin) for origin in origins):
        raise _refusal(name, text, "* or to origins such as https://example.org, with commas between them")
    return origins


def _refusal(name: str, text: str, expected: str) -> SettingError:
    shown = text if len(text) <= 20 else f"{text[:20]}…"
    return SettingError(f"{name}={shown!r} cannot be used: set it to {expected}.")


#  setting -> its variable, and how that is read.
_READERS: Final[dict[str, tuple[str, Callable[[str, str], Any]]]] = {
    "host": ("HOST", _host),
    "port": ("PORT", partial(_whole_number, most=65_535)),
    "workers": ("WEB_CONCURRENCY", partial(_whole_number, most=256)),
    "log_level": ("LOG_LEVEL", _level),
    "cors_origins": ("CORS_ORIGINS", _origins),
}
