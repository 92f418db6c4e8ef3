"""A real server that runs on a free port of the loopback interface during a test."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from email.message import Message
from http.client import HTTPConnection, HTTPException, HTTPResponse
from pathlib import Path
from typing import Any

from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample

from tests.processes import SECONDS_TO_WAIT, process_status, wait_until

BIN = Path(sys.executable).parent
SERVE = (str(BIN / "best-move"), "serve")

_INTERFACES = Path("/proc/net/if_inet6")
HAS_IPV6 = _INTERFACES.exists() and " lo\n" in _INTERFACES.read_text(encoding="ascii")


def serve_after(change: str) -> tuple[str, ...]:
    """Return the command that serves after Python statements have changed the service.

    With -P, Python imports the installed service, not the folder of its sources.
    """
    program = f"{change}\nfrom best_move.__main__ import main\nmain(['serve'])\n"
    return (sys.executable, "-P", "-c", program)


class Log:
    """The lines that a server prints, read immediately, because a full pipe would block it."""

    def __init__(self, stream: Iterable[str] = ()) -> None:
        self._lines: list[str] = []
        self._reader = threading.Thread(target=self._read, args=(stream,), daemon=True)
        self._reader.start()

    def _read(self, stream: Iterable[str]) -> None:
        for line in stream:
            self._lines.append(line.removesuffix("\n"))

    def wait_for(self, text: str, times: int = 1) -> None:
        """Wait until `times` lines contain the text."""
        wait_until(
            lambda: sum(text in line for line in [*self._lines]) >= times,
            f"the server printed {text!r} {times} times",
        )

    def read(self) -> list[str]:
        """Wait until the server has ended; return all lines."""
        self._reader.join(SECONDS_TO_WAIT)
        return self._lines

    def entries(self) -> list[dict[str, Any]]:
        """Wait until the server has ended; return its lines, each of which is a JSON object."""
        return [dict(json.loads(line)) for line in self.read()]


@dataclass(frozen=True)
class Reply:
    """A response that was read to its end."""

    status: int
    headers: Message
    body: bytes

    @property
    def cache(self) -> str | None:
        """The cache status that nginx reports, or None."""
        return self.headers["X-Cache-Status"]


@dataclass(frozen=True)
class Server:
    """A running server."""

    port: int
    process: subprocess.Popen[str]
    log: Log

    def connect(self) -> HTTPConnection:
        """Return a connection to the server."""
        return HTTPConnection("127.0.0.1", self.port, timeout=SECONDS_TO_WAIT)

    def open(self, sent: bytes = b"", source: str = "127.0.0.1") -> socket.socket:
        """Return a new connection from a loopback address, on which bytes were sent."""
        address = ("127.0.0.1", self.port)
        connection = socket.create_connection(address, SECONDS_TO_WAIT, (source, 0))
        connection.sendall(sent)
        return connection

    @contextmanager
    def holding(
        self, parts: Iterable[bytes], source: str = "127.0.0.1"
    ) -> Iterator[list[socket.socket]]:
        """Hold a connection for each part of a request; its client reads little of the response."""
        with ExitStack() as stack:
            connections = [stack.enter_context(self.open(part, source)) for part in parts]
            for connection in connections:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            yield connections

    def send(self, request: bytes, source: str = "127.0.0.1") -> Reply:
        """Send bytes that need not be valid HTTP over a new connection; return the response."""
        with self.open(request, source) as connection:
            return reply_on(connection)

    def samples(self) -> list[Sample]:
        """Return the metrics of the service."""
        families = text_string_to_metric_families(ask(self, "/metrics").body.decode())
        return [sample for family in families for sample in family.samples]

    def counted(self, **labels: str) -> float:
        """Return how many requests with these labels the service has counted."""
        return self.total("best_move_requests_total", **labels)

    def total(self, name: str, **labels: str) -> float:
        """Return the sum of the samples that have this name and these labels."""
        return sum(
            sample.value
            for sample in self.samples()
            if sample.name == name and labels.items() <= sample.labels.items()
        )

    def workers(self) -> set[int]:
        """Return the process IDs of the workers."""
        pid = self.process.pid
        listed = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
        return set(map(int, listed.split()))

    def wait_for_workers(self, number: int = 2) -> None:
        """Wait until `number` workers handle signals, which a worker that starts may ignore."""
        wait_until(
            lambda: sum(map(_handles_signals, self.workers())) >= number,
            f"{number} workers handle signals",
        )

    def wait_for_others(self, old: set[int], number: int = 2) -> None:
        """Wait until all old workers have ended and `number` new workers handle signals."""
        wait_until(lambda: not old & self.workers(), "the old workers have ended")
        self.wait_for_workers(number)

    def stop(self) -> list[dict[str, Any]]:
        """Send SIGTERM to the server, as an orchestrator does; return the entries of its log."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(SECONDS_TO_WAIT)
        return self.log.entries()


def ask(
    server: Server, path: str, method: str = "GET", body: bytes | None = None, **headers: str
) -> Reply:
    """Send a request over a new connection; return the response.

    An underscore in a header's name means a hyphen.
    """
    fields = {name.replace("_", "-"): text for name, text in headers.items()}
    with closing(server.connect()) as connection:
        connection.request(method, path, body, fields)
        response = connection.getresponse()
        return Reply(response.status, response.headers, response.read())


def reply_on(connection: socket.socket) -> Reply:
    """Return the response that comes on a connection."""
    with HTTPResponse(connection) as response:
        response.begin()
        return Reply(response.status, response.headers, response.read())


def _handles_signals(pid: int) -> bool:
    caught = int(process_status(pid, "SigCgt"), 16)
    #  A worker catches SIGABRT, and the master does not.
    return bool(caught >> (signal.SIGABRT - 1) & 1)


def free_port() -> int:
    """Return an unused port of the loopback interface.

    For a minute the system gives it to nobody who asks for any port, because a connection to it was
    closed, which does not keep a server from listening there.
    """
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)):
            probe.accept()[0].close()
    return port


def listens(port: int) -> bool:
    """Return whether a port of the loopback interface accepts connections."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def running(
    command: Sequence[str] = SERVE, *, port: int | None = None, **variables: str
) -> Iterator[Server]:
    """Run a server with these environment variables; yield it once it responds."""
    with starting(command, port=port, **variables) as server:
        wait_until_it_responds(server)
        yield server


@contextmanager
def starting(
    command: Sequence[str] = SERVE, *, port: int | None = None, **variables: str
) -> Iterator[Server]:
    """Run a server, on a free port if none is given; yield it before it responds."""
    port = port or free_port()
    environment = os.environ | {"PORT": str(port), "WEB_CONCURRENCY": "2"} | variables
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout
        server = Server(port, process, Log(process.stdout))
        try:
            yield server
        finally:
            try:
                process.terminate()
                process.wait(SECONDS_TO_WAIT)
            except subprocess.TimeoutExpired:
                process.kill()
                raise


def wait_until_it_responds(server: Server) -> None:
    """Wait until a server responds; raise RuntimeError if it ends, TimeoutError if it is late."""

    def responds() -> bool:
        if server.process.poll() is not None:
            raise RuntimeError("\n".join(["the server ended:", *server.log.read()]))
        with suppress(OSError, HTTPException):
            return ask(server, "/health").status == 200
        return False

    wait_until(responds, "the server responds")
