"""A real server, started on a free port of the loopback and stopped again."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path

import service.web

GUNICORN = Path(sys.executable).with_name("gunicorn")
SETTINGS = Path(service.web.__file__).with_name("gunicorn.conf.py")
SECONDS_TO_START = 20
SECONDS_TO_STOP = 20


@dataclass(frozen=True)
class Server:
    """A running server."""

    port: int
    process: subprocess.Popen[str]

    def connect(self) -> HTTPConnection:
        """Return a connection to the server."""
        return HTTPConnection("127.0.0.1", self.port, timeout=10)

    def send(self, *parts: bytes, pause: float = 0) -> bytes:
        """Send bytes over a new connection, with a pause between the parts; return all that comes back."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as connection:
            for part in parts:
                connection.sendall(part)
                time.sleep(pause)
            connection.shutdown(socket.SHUT_WR)
            received = b""
            while chunk := connection.recv(65_536):
                received += chunk
            return received


def free_port() -> int:
    """Return a port of the loopback that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def command() -> list[str]:
    """Return the command that serves, as `make run` has it."""
    return [str(GUNICORN), "--config", str(SETTINGS)]


@contextmanager
def running(*arguments: str, **variables: str) -> Iterator[Server]:
    """Run a server with arguments and environment variables of its own; yield it once it answers."""
    port = free_port()
    environment: Mapping[str, str] = os.environ | {"PORT": str(port), "WEB_CONCURRENCY": "2"} | variables
    with subprocess.Popen(
        [*command(), *arguments], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        server = Server(port, process)
        try:
            _wait_until_it_answers(server)
            yield server
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
            try:
                process.communicate(timeout=SECONDS_TO_STOP)
            except subprocess.TimeoutExpired:
                process.kill()
                raise


def _wait_until_it_answers(server: Server) -> None:
    deadline = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < deadline:
        if server.process.poll() is not None:
            output = server.process.stdout.read() if server.process.stdout else ""
            raise RuntimeError(f"the server ended: {output}")
        connection = server.connect()
        try:
            connection.request("GET", "/health")
            if connection.getresponse().status == 200:
                return
        except (OSError, HTTPException):
            time.sleep(0.05)
        finally:
            connection.close()
    raise TimeoutError(f"the server did not answer within {SECONDS_TO_START} s")
