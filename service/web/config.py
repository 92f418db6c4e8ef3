"""How the service is set up; the only place that reads the environment."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self


class SettingError(ValueError):
    """Raised for an environment variable that cannot be used; its message says what to set."""


@dataclass(frozen=True)
class Config:
    """The settings, each from one environment variable."""

    host: str = "127.0.0.1"
    """HOST: the address to listen on."""
    port: int = 8000
    """PORT: the port to listen on."""
    workers: int = 2
    """WEB_CONCURRENCY: the worker processes. Left out, one a core."""

    @property
    def bind(self) -> str:
        """The address and port, as gunicorn takes them."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Self:
        """Read the settings; raise SettingError for one that cannot be used."""
        return cls(
            host=environment.get("HOST", cls.host),
            port=_whole_number(environment, "PORT", cls.port, most=65_535),
            workers=_whole_number(environment, "WEB_CONCURRENCY", os.cpu_count() or cls.workers, most=256),
        )


def _whole_number(environment: Mapping[str, str], name: str, default: int, *, most: int) -> int:
    text = environment.get(name, str(default))
    if not (text.isascii() and text.isdigit() and len(text) < 10 and 1 <= int(text) <= most):
        raise SettingError(f"{name}={_short(text)!r} cannot be used: set it to a whole number from 1 to {most}.")
    return int(text)


def _short(text: str) -> str:
    return text if len(text) <= 20 else f"{text[:20]}…"
