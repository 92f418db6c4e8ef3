"""The settings of the service. In its web code, only this module uses environment variables."""

import os
import re
from dataclasses import dataclass, field, fields
from typing import Any, Self

import click

from best_move.web.cpus import usable_cpus

ANY_ORIGIN = ("*",)
LOG_LEVELS = ("debug", "info", "warning", "error", "critical")
MAX_PORT = 65_535
MAX_WORKERS = 256
MAX_KEEP_ALIVE = 3600  # seconds

_ORIGIN = re.compile(r"(https?)://(?:[a-z0-9._-]+|\[[0-9a-f:]+\])(?::([1-9][0-9]{0,4}))?")
_DEFAULT_PORTS = {"http": "80", "https": "443"}


def default_workers() -> int:
    """Return one worker per available CPU, but no more than may be set."""
    return min(usable_cpus(), MAX_WORKERS)


def _number(most: int) -> click.IntRange:
    """Return the type of an integer from 1 to `most`.

    Its name completes click's error "'x' is not a valid ...".
    """
    number = click.IntRange(1, most)
    number.name = f"integer from 1 to {most}"
    return number


def _host(_context: click.Context, _option: click.Parameter, text: str) -> str:
    if not text:  # would mean all addresses
        raise click.BadParameter("'' is not an address. Set one, such as 127.0.0.1.")
    return text


def _origins(_context: click.Context, _option: click.Parameter, text: str) -> tuple[str, ...]:
    if text.strip() == "*":
        return ANY_ORIGIN
    origins = tuple(part.strip() for part in text.split(","))
    for origin in origins:
        if not _is_origin(origin):
            raise click.BadParameter(
                f"{origin!r} is not an origin as browsers send it, such as https://example.org or "
                "http://localhost:8080: a scheme, a host in lower case and ASCII, and a port only "
                "if it is not the default one. Set origins, separated by commas, or * for any."
            )
    return origins


def _is_origin(text: str) -> bool:
    """Return whether this is an origin in the form in which browsers send it.

    Any other form would never be equal to the origin of a request.
    """
    match = _ORIGIN.fullmatch(text)
    if match is None:
        return False
    scheme, port = match.groups()
    return port != _DEFAULT_PORTS[scheme] and int(port or 0) <= MAX_PORT


def _setting(value: Any, variable: str, meaning: str, **option: Any) -> Any:
    """Return a field of `Settings`: its default value, which may be a function that returns it.

    The rest describes the option that has the field's name. Its `default` is the value, unless the
    option has another form.
    """
    metadata = {
        "default": value,
        "envvar": variable,
        "help": meaning,
        "show_default": True,
        "show_envvar": True,
        **option,
    }
    if callable(value):
        return field(default_factory=value, metadata=metadata)
    return field(default=value, metadata=metadata)


@dataclass(frozen=True)
class Settings:
    """The settings, each with its option and its environment variable."""

    host: str = _setting(
        "127.0.0.1", "HOST", "Address to listen on.", metavar="ADDRESS", callback=_host
    )
    port: int = _setting(
        8000, "PORT", "Port to listen on.", metavar="NUMBER", type=_number(MAX_PORT)
    )
    workers: int = _setting(
        default_workers,
        "WEB_CONCURRENCY",
        "Worker processes.",
        metavar="NUMBER",
        type=_number(MAX_WORKERS),
        show_default="one per available CPU, within container limits",
    )
    log_level: str = _setting(
        "info",
        "LOG_LEVEL",
        "Lowest severity that is logged. Requests are logged at info.",
        type=click.Choice(LOG_LEVELS, case_sensitive=False),
    )
    cors_origins: tuple[str, ...] = _setting(
        ANY_ORIGIN,
        "CORS_ORIGINS",
        "Origins whose pages may read responses, separated by commas; * for any origin.",
        metavar="ORIGINS",
        default="*",
        callback=_origins,
    )
    keep_alive: int = _setting(
        15,
        "KEEP_ALIVE",
        "Seconds after which an idle connection is closed.",
        metavar="SECONDS",
        type=_number(MAX_KEEP_ALIVE),
    )

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
    def from_environment(cls) -> Self:
        """Return the settings from environment variables; raise ValueError if one is invalid."""
        command = click.Command("serve", params=[*OPTIONS])
        try:
            return cls(**command.make_context("serve", []).params)
        except click.BadParameter as error:
            raise ValueError(error.format_message()) from None


def _authority(host: str, port: int) -> str:
    if ":" in host:
        host = f"[{host}]"
    return f"{host}:{port}"


def set_gunicorns_variables(settings: Settings) -> None:
    """Set the variables that gunicorn reads when it is imported.

    gunicorn fails if one is invalid. click does not check a WEB_CONCURRENCY that --workers
    overrides, so this replaces it.
    """
    os.environ["WEB_CONCURRENCY"] = str(settings.workers)
    #  gunicorn trusts no proxy, because the pages read X-Forwarded-Proto themselves.
    os.environ["FORWARDED_ALLOW_IPS"] = ""


#  The options of the command that serves; each has the name of its setting.
OPTIONS = [
    click.Option([f"--{each.name.replace('_', '-')}"], **each.metadata) for each in fields(Settings)
]
