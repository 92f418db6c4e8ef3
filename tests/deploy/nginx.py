"""nginx with the shipped configuration, or a variant of it."""

import grp
import os
import pwd
import re
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.processes import SECONDS_TO_WAIT, completed, program, wait_until
from tests.raw_requests import READS
from tests.readme import ROOT, block, section
from tests.server import HAS_IPV6, Log, Server, free_port, listens

CONFIGURATION = (ROOT / "service/deploy/nginx.conf").read_text(encoding="utf-8")
PREFIXED = CONFIGURATION.replace("server {", f"server {{\n{block('A path prefix', 'nginx')}")

#  The paths in the location of the cache, each with a query.
[_NAMES] = re.findall(r"location ~ \^/\((.*)\)\$ \{", CONFIGURATION)
CACHED = {f"/{name}": READS[f"/{name}"] for name in _NAMES.replace("\\", "").split("|")}

#  The guide's command that empties the cache.
[PURGE] = set(re.findall(r"`(find /dev/shm[^`]+)`", section("Update and go back").text))

# The part of Debian's nginx.conf that includes the files in conf.d; all folders are inside the
# test's folder.
AROUND = """\
user {user} {group};
worker_processes auto;
pid nginx.pid;
error_log stderr;
events {{
    worker_connections 768;
}}
http {{
    client_body_temp_path temporary/body;
    fastcgi_temp_path temporary/fastcgi;
    proxy_temp_path temporary/proxy;
    scgi_temp_path temporary/scgi;
    uwsgi_temp_path temporary/uwsgi;
    include best-move.conf;
}}
"""


def two_replicas(other: int) -> str:
    """Return the configuration with a second replica, which listens on another port."""
    (lines,) = re.findall("(?:^ *server 127.*\n)+", CONFIGURATION, re.MULTILINE)
    return CONFIGURATION.replace(lines, lines + lines.replace("8000", str(other)))


def with_low_rates(text: str) -> str:
    """Return a configuration with a rate per minute, so that only bursts are accepted.

    However slowly a machine sends more requests than a burst, they are rejected then.
    """
    return re.sub(r"rate=\d+r/s", "rate=1r/m", text)


def moved(text: str, folder: Path, port: int, service: int) -> str:
    """Return a configuration for another folder, port of nginx and port of the service."""
    places = {
        "listen 80 ": f"listen 127.0.0.1:{port} ",
        "listen [::]:80 default_server;": f"listen [::1]:{port};" if HAS_IPV6 else "",
        "127.0.0.1:8000": f"127.0.0.1:{service}",
        "/dev/shm/best-move": f"{folder}/memory/best-move",  # noqa: S108, no temporary folder
        "/run/nginx-best-move": f"{folder}/temporary/best-move",
        "/var/log/nginx/": f"{folder}/log/",
    }
    for shipped, here in places.items():
        assert shipped in CONFIGURATION, shipped
        text = text.replace(shipped, here)
    return text


@dataclass(frozen=True)
class Nginx(Server):
    """A running nginx."""

    folder: Path
    """The folder of its files: `log`, `memory`, `temporary` and `best-move.conf`."""
    command: Sequence[str]
    """The command that checks it or signals it, given an option."""

    def purge(self, command: str = PURGE) -> None:
        """Run a command that empties the cache."""
        here = command.replace("/dev/shm", f"{self.folder}/memory")  # noqa: S108, the guide's
        completed(["sh", "-c", here], check=True)


@contextmanager
def nginx(
    service: int, text: str = CONFIGURATION, within: Sequence[str] = (), parent: str | None = None
) -> Iterator[Nginx]:
    """Run nginx in front of a service on a port, by a command that executes it in its folder.

    Yield nginx once it listens. Without nginx skip the test.
    """
    path = program("nginx", "NGINX_REQUIRED")
    port = free_port()
    with TemporaryDirectory(dir=parent) as name:
        folder = Path(name)
        for each in ("log", "memory", "temporary"):
            (folder / each).mkdir()
        user = pwd.getpwuid(os.geteuid()).pw_name
        around = AROUND.format(user=user, group=grp.getgrgid(os.getegid()).gr_name)
        (folder / "nginx.conf").write_text(around, encoding="utf-8")
        (folder / "best-move.conf").write_text(moved(text, folder, port, service), encoding="utf-8")
        command = (path, "-p", name, "-c", f"{name}/nginx.conf")
        start = [*within, *command, "-g", "daemon off;"]
        errors = folder / "log/error.log"
        with (
            errors.open("w", encoding="utf-8") as log,
            subprocess.Popen(start, cwd=folder, stderr=log, text=True) as process,
        ):
            try:
                wait_until(lambda: listens(port) or process.poll() is not None, "nginx listens")
                assert process.poll() is None, errors.read_text(encoding="utf-8")
                yield Nginx(port, process, Log(), folder, command)
            finally:
                process.terminate()
                process.wait(SECONDS_TO_WAIT)
