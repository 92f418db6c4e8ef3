"""The settings of the service. In its web code, only this module uses environment variables."""

import os
import re
from dataclasses import dataclass, field
from functools import partial
from typing import Self

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


@dataclass(frozen=True)
class Settings:
    """The settings; `OPTIONS` describes them."""

    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = field(default_factory=default_workers)
    log_level: str = "info"
    cors_origins: tuple[str, ...] = ANY_ORIGIN
    keep_alive: int = 15

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


_option = partial(click.Option, show_envvar=True, show_default=True)

#  The options of the command that serves; each has the name of its setting.
OPTIONS = [
    _option(
        ["--host"],
        envvar="HOST",
        metavar="ADDRESS",
        default=Settings.host,
        callback=_host,
        help="Address to listen on.",
    ),
    _option(
        ["--port"],
        envvar="PORT",
        metavar="NUMBER",
        type=_number(MAX_PORT),
        default=Settings.port,
        help="Port to listen on.",
    ),
    _option(
        ["--workers"],
        envvar="WEB_CONCURRENCY",
        metavar="NUMBER",
        type=_number(MAX_WORKERS),
        default=default_workers,
        show_default="one per available CPU, within container limits",
        help="Worker processes.",
    ),
    _option(
        ["--log-level"],
        envvar="LOG_LEVEL",
        type=click.Choice(LOG_LEVELS, case_sensitive=False),
        default=Settings.log_level,
        help="Lowest severity that is logged. Requests are logged at info.",
    ),
    _option(
        ["--cors-origins"],
        envvar="CORS_ORIGINS",
        metavar="ORIGINS",
        default=ANY_ORIGIN[0],
        callback=_origins,
        help="Origins whose pages may read responses, separated by commas; * for any origin.",
    ),
    _option(
        ["--keep-alive"],
        envvar="KEEP_ALIVE",
        metavar="SECONDS",
        type=_number(MAX_KEEP_ALIVE),
        default=Settings.keep_alive,
        help="Seconds after which an idle connection is closed.",
    ),
]
