"""Responses of nginx: problems, and responses whose cache status changes in time."""

import json
import re
from typing import Any

from best_move.web.api.openapi import document
from tests.processes import wait_until
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


def eventually(front: Server, path: str, cache: str) -> Reply:
    """Repeat a request until nginx reports a cache status; return the last response."""
    return wait_until(
        lambda: last if (last := ask(front, path)).cache == cache else None,
        f"the cache status is {cache}",
        0.1,
    )
