"""Stoplight's prism, a proxy that compares requests and responses with the OpenAPI document."""

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.client import HTTPConnection

from tests.clients.tools import CONTRACT, installed
from tests.load import Request, mixed
from tests.processes import SECONDS_TO_WAIT, wait_until
from tests.server import Server, free_port, listens


def test_prism_and_the_service_find_the_same_requests_invalid(server: Server) -> None:
    """The service rejects them with a 400 or 415, and prism finds every response valid."""
    with proxy_of(server) as port:
        for request in filter(can_be_sent, mixed()):
            status, objections = ask(port, request)
            assert status == request.status, request
            assert [place for place in objections if place[0] == "response"] == [], request
            is_broken = status in {400, 415} and can_be_seen(request)
            assert bool(objections) == is_broken, (request, objections)


def can_be_sent(request: Request) -> bool:
    """Return whether prism forwards a request: no HEAD, no OPTIONS and no invalid JSON."""
    if request.body and request.headers["Content-Type"] == "application/json":
        try:
            json.loads(request.body)
        except ValueError:
            return False
    return request.method not in {"HEAD", "OPTIONS"}


def can_be_seen(request: Request) -> bool:
    """Return whether prism can find the error of a request: it ignores unknown parameters."""
    return "algoritm=" not in request.path


def ask(port: int, request: Request) -> tuple[int, list[list[str]]]:
    """Send a request through prism; return the status, and the places of errors it finds."""
    connection = HTTPConnection("127.0.0.1", port, timeout=SECONDS_TO_WAIT)
    connection.request(request.method, request.path, request.body, dict(request.headers))
    response = connection.getresponse()
    connection.close()
    violations = json.loads(response.headers.get("sl-violations", "[]"))
    return response.status, [
        error["location"] for error in violations if error["severity"] == "Error"
    ]


@contextmanager
def proxy_of(server: Server) -> Iterator[int]:
    """Run prism in front of a server; yield its port once it listens."""
    port = free_port()
    service = f"http://127.0.0.1:{server.port}"
    options = ["--port", str(port), "--verboseLevel", "fatal"]
    command = [str(installed("prism")), "proxy", str(CONTRACT), service, *options]
    with subprocess.Popen(command, start_new_session=True) as process:  # prism starts processes
        try:
            wait_until(partial(listens, port), "prism listens")
            yield port
        finally:
            os.killpg(process.pid, signal.SIGTERM)
