"""The settings of the service. In the web service, only this module reads environment variables."""

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Self

from best_move.web.cpus import usable_cpus

ANY_ORIGIN = ("*",)
LOG_LEVELS = ("debug", "info", "warning", "error", "critical")

_ORIGIN = re.compile(r"https?://[^\s/*,]+")


class SettingError(ValueError):
    """Raised for an invalid environment variable; the message says how to set it."""


@dataclass(frozen=True)
class Settings:
    """The settings; `VARIABLES` describes them."""

    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = field(default_factory=usable_cpus)
    log_level: str = "info"
    cors_origins: tuple[str, ...] = ANY_ORIGIN

    @property
    def bind(self) -> str:
        """The address and port, in the form that gunicorn accepts."""
        return _authority(self.host, self.port)

    @property
    def url(self) -> str:
        """The URL of the service for a browser on this machine."""
        local = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104, nothing listens on it here
        host = local.get(self.host, self.host)
        return f"http://{_authority(host, self.port)}"

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Self:
        """Return the settings that an environment has; raise SettingError for an invalid value."""
        given = {}
        for setting, variable in VARIABLES.items():
            text = environment.get(variable.name)
            if text:  # Compose files pass unset variables on as empty variables
                given[setting] = variable.setting(text)
        return cls(**given)


def _authority(host: str, port: int) -> str:
    if ":" in host:
        host = f"[{host}]"
    return f"{host}:{port}"


def _integer(text: str, *, most: int) -> int:
    if re.fullmatch("[0-9]{1,5}", text):
        number = int(text)
        if 1 <= number <= most:
            return number
    raise ValueError(f"an integer from 1 to {most}")


def _level(text: str) -> str:
    level = text.lower()
    if level not in LOG_LEVELS:
        raise ValueError(f"one of {', '.join(LOG_LEVELS)}")
    return level


def _origins(text: str) -> tuple[str, ...]:
    if text.strip() == "*":
        return ANY_ORIGIN
    origins = []
    for part in text.split(","):
        origin = part.strip()
        if not _ORIGIN.fullmatch(origin):
            raise ValueError("* or to origins such as https://example.org, separated by commas")
        origins.append(origin)
    return tuple(origins)


def unset_empty_variables() -> None:
    """Remove empty variables of the service: gunicorn fails on an empty WEB_CONCURRENCY."""
    for variable in VARIABLES.values():
        if os.environ.get(variable.name) == "":
            del os.environ[variable.name]


@dataclass(frozen=True)
class Variable:
    """An environment variable.

    `read` returns the setting for a text; it raises ValueError with what is expected.
    """

    name: str
    read: Callable[[str], Any]
    meaning: str

    def setting(self, text: str) -> Any:
        """Return the setting for a text; raise SettingError if it is invalid."""
        try:
            return self.read(text)
        except ValueError as expected:
            problem = f"{self.name}={text!r} is invalid: set it to {expected}."
            raise SettingError(problem) from None


#  setting -> its variable.
VARIABLES = {
    "host": Variable("HOST", str, f"Address to listen on. Default: {Settings.host}."),
    "port": Variable(
        "PORT", partial(_integer, most=65_535), f"Port to listen on. Default: {Settings.port}."
    ),
    "workers": Variable(
        "WEB_CONCURRENCY",
        partial(_integer, most=256),
        "Worker processes. Default: one per available CPU; container CPU limits apply.",
    ),
    "log_level": Variable(
        "LOG_LEVEL",
        _level,
        f"Lowest severity that is logged: {', '.join(LOG_LEVELS)}. Requests are logged at info. "
        f"Default: {Settings.log_level}.",
    ),
    "cors_origins": Variable(
        "CORS_ORIGINS",
        _origins,
        "Origins whose pages may read responses, separated by commas. "
        f"Default: {ANY_ORIGIN[0]}, any origin.",
    ),
}
