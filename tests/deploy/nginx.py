"""A real nginx with the shipped configuration, and slow clients."""

import grp
import os
import pwd
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.deploy.configuration import CONFIGURATION
from tests.processes import SECONDS_TO_WAIT, wait_until
from tests.server import HAS_IPV6, Log, Server, free_port, listens

NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin")

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


def access_log(folder: Path) -> Path:
    """Return the access log of the nginx that runs in a folder."""
    return folder / "log/best-move.log"


def moved(text: str, folder: Path, port: int, service: int) -> str:
    """Return the configuration for another folder, port of nginx and port of the service."""
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


def configure(folder: Path, service: int, text: str = CONFIGURATION) -> int:
    """Write the configuration into an empty or new folder, for a service on a port.

    Return the port of nginx.
    """
    port = free_port()
    for name in ("log", "memory", "temporary"):
        (folder / name).mkdir(parents=True)
    user = pwd.getpwuid(os.geteuid()).pw_name
    around = AROUND.format(user=user, group=grp.getgrgid(os.getegid()).gr_name)
    (folder / "nginx.conf").write_text(around, encoding="utf-8")
    configuration = moved(text, folder, port, service)
    (folder / "best-move.conf").write_text(configuration, encoding="utf-8")
    return port


def command(folder: Path, *options: str) -> list[str]:
    """Return the command that runs nginx in a configured folder."""
    assert NGINX
    return [NGINX, "-p", str(folder), "-c", str(folder / "nginx.conf"), *options]


@contextmanager
def nginx(
    folder: Path, service: int, text: str = CONFIGURATION, within: Sequence[str] = ()
) -> Iterator[Server]:
    """Run nginx in an empty or new folder, in front of a service, by a command that executes it.

    Yield nginx once it listens.
    """
    port = configure(folder, service, text)
    start = [*within, *command(folder, "-g", "daemon off;")]
    with (
        (folder / "log/error.log").open("w", encoding="utf-8") as log,
        subprocess.Popen(start, stderr=log, text=True) as process,
    ):
        try:
            wait_until(lambda: listens(port) or process.poll() is not None, "nginx listens")
            assert process.poll() is None, (folder / "log/error.log").read_text(encoding="utf-8")
            yield Server(port, process, Log(()))  # nginx logs to files
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(SECONDS_TO_WAIT)


@contextmanager
def incomplete(
    port: int, count: int, part: bytes, source: str = "127.0.0.2"
) -> Iterator[list[socket.socket]]:
    """Yield open connections from a loopback address, each with an incomplete request."""
    with ExitStack() as stack:
        connections = []
        for _ in range(count):
            connection = socket.create_connection(("127.0.0.1", port), SECONDS_TO_WAIT, (source, 0))
            connections.append(stack.enter_context(connection))
            connection.sendall(part)
        yield connections
