"""How the service is set up; the only place of it that reads the environment."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Self

ANY_ORIGIN: Final = ("*",)
LOG_LEVELS: Final = ("debug", "info", "warning", "error", "critical")


class SettingError(ValueError):
    """Raised for an environment variable that cannot be used; its message says what to set."""


@dataclass(frozen=True)
class Settings:
    """The settings, each from one environment variable."""

    host: str = "127.0.0.1"
    """HOST: the address to listen on."""
    port: int = 8000
    """PORT: the port to listen on."""
    workers: int = os.cpu_count() or 1
    """WEB_CONCURRENCY: the worker processes. Left out, one a core."""
    threads: int = 64
    """THREADS: the connections that a worker attends to at once; the next wait their turn."""
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
        """Read the settings; raise SettingError for one that cannot be used."""
        return cls(
            host=environment.get("HOST", cls.host),
            port=_whole_number(environment, "PORT", cls.port, most=65_535),
            workers=_whole_number(environment, "WEB_CONCURRENCY", cls.workers, most=256),
            threads=_whole_number(environment, "THREADS", cls.threads, most=1024),
            log_level=_level(environment, "LOG_LEVEL", cls.log_level),
            cors_origins=_origins(environment, "CORS_ORIGINS", cls.cors_origins),
        )


def keep_metrics_in(folder: str) -> None:
    """Have the processes that start from here on share their metrics through files in a folder."""
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder  # prometheus-client looks there, and nowhere else


def metrics_folder() -> str | None:
    """Return the folder that the processes share their metrics through, if they do."""
    return os.environ.get("PROMETHEUS_MULTIPROC_DIR")


def _whole_number(environment: Mapping[str, str], name: str, default: int, *, most: int) -> int:
    text = environment.get(name, str(default))
    if not (text.isascii() and text.isdigit() and len(text) < 10 and 1 <= int(text) <= most):
        raise _refusal(name, text, f"a whole number from 1 to {most}")
    return int(text)


def _level(environment: Mapping[str, str], name: str, default: str) -> str:
    text = environment.get(name, default)
    if text.lower() not in LOG_LEVELS:
        raise _refusal(name, text, f"one of {', '.join(LOG_LEVELS)}")
    return text.lower()


def _origins(environment: Mapping[str, str], name: str, default: tuple[str, ...]) -> tuple[str, ...]:
    text = environment.get(name, ",".join(default))
    origins = tuple(origin.strip() for origin in text.split(","))
    if origins != ANY_ORIGIN and not all(re.fullmatch(r"https?://[^\s/*,]+", origin) for origin in origins):
        raise _refusal(name, text, "* or to origins such as https://example.org, with commas between them")
    return origins


def _refusal(name: str, text: str, expected: str) -> SettingError:
    shown = text if len(text) <= 20 else f"{text[:20]}…"
    return SettingError(f"{name}={shown!r} cannot be used: set it to {expected}.")
