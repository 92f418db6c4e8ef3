"""Requests, each over a new connection, and complete responses."""

import json
import re
import socket
from contextlib import closing
from dataclasses import dataclass
from email.message import Message
from http.client import HTTPResponse
from typing import Any

from best_move.web.api.openapi import document
from tests.processes import SECONDS_TO_WAIT
from tests.server import Server


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

    def problem(self) -> dict[str, Any]:
        """Return the problem in the body.

        Assert that it is valid and that caches must not store it.
        """
        assert self.headers["Content-Type"] == "application/problem+json"
        assert self.headers["Cache-Control"] == "no-store"
        assert self.headers["Access-Control-Allow-Origin"] == "*"
        assert self.headers["X-Request-ID"]
        problem: dict[str, Any] = json.loads(self.body)
        schema = document()["components"]["schemas"]["Problem"]
        assert set(schema["required"]) <= set(problem) <= set(schema["properties"])
        assert problem["status"] == self.status
        assert re.fullmatch(schema["properties"]["code"]["pattern"], problem["code"])
        assert problem["type"] == f"urn:best-move:problem:{problem['code']}"
        return problem


def ask(
    server: Server, path: str, method: str = "GET", body: bytes | None = None, **headers: str
) -> Reply:
    """Send a request over a new connection; return the response.

    An underscore in a header's name means a hyphen.
    """
    with closing(server.connect()) as connection:
        connection.request(
            method, path, body, {name.replace("_", "-"): text for name, text in headers.items()}
        )
        response = connection.getresponse()
        return Reply(response.status, response.headers, response.read())


def send(server: Server, request: bytes, source: str = "127.0.0.1") -> Reply:
    """Send bytes that need not be valid HTTP, from a loopback address; return the response."""
    with socket.create_connection(
        ("127.0.0.1", server.port), SECONDS_TO_WAIT, (source, 0)
    ) as connection:
        connection.sendall(request)
        response = HTTPResponse(connection)
        response.begin()
        return Reply(response.status, response.headers, response.read())


def counted(service: Server, method: str, route: str = "/best-move") -> int:
    """Return the number of requests to a route that reached the service."""
    counts = re.findall(
        rf'^best_move_requests_total{{method="{method}",route="{re.escape(route)}",.*}} (\S+)$',
        ask(service, "/metrics").body.decode(),
        re.MULTILINE,
    )
    return sum(int(float(count)) for count in counts)
