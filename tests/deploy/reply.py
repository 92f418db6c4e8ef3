"""Responses of nginx: problems, responses to any bytes, and how caches and counts change."""

import json
import re
import socket
from collections.abc import Callable
from http.client import HTTPResponse
from typing import Any

from best_move.web.api.openapi import document
from tests.processes import SECONDS_TO_WAIT, wait_until
from tests.server import Reply, Server, ask


def problem_of(reply: Reply) -> dict[str, Any]:
    """Return the problem in the body of a response.

    Assert that it is valid and that caches must not store it.
    """
    assert reply.headers["Content-Type"] == "application/problem+json"
    assert reply.headers["Cache-Control"] == "no-store"
    assert reply.headers["Access-Control-Allow-Origin"] == "*"
    assert reply.headers["X-Request-ID"]
    problem: dict[str, Any] = json.loads(reply.body)
    schema = document()["components"]["schemas"]["Problem"]
    assert set(schema["required"]) <= set(problem) <= set(schema["properties"])
    assert problem["status"] == reply.status
    assert re.fullmatch(schema["properties"]["code"]["pattern"], problem["code"])
    assert problem["type"] == f"urn:best-move:problem:{problem['code']}"
    return problem


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


def eventually(reply: Callable[[], Reply], cache: str) -> Reply:
    """Repeat a request until nginx reports a cache status; return the last response."""
    return wait_until(
        lambda: last if (last := reply()).cache == cache else None,
        f"the cache status is {cache}",
        0.1,
    )
