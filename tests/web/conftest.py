"""Functions that send requests and check responses, shared by the tests of the web layer."""

import gc
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families
from werkzeug.test import TestResponse

Post = Callable[..., TestResponse]
Count = Callable[..., float]

GOOD = {"board": "X...O...."}
QUERY = "/best-move?board=X...O...."

#  Path -> a valid query; that of all others is `GAME`.
GAME = {"board": "X...O....", "played": "8"}
VALID_QUERIES = {path: {"tree": "[3,[5,2]]"} for path in ("/number-tree", "/tree.png")}


@pytest.fixture
def post(client: FlaskClient) -> Post:
    """Return a function that sends a body: bytes unchanged, any other object as JSON."""

    def send(body: object, path: str = "/best-move") -> TestResponse:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        return client.post(path, data=data, content_type="application/json")

    return send


@pytest.fixture
def no_collection() -> Iterator[None]:
    """Run a test without garbage collections."""
    gc.disable()
    yield
    gc.enable()


@pytest.fixture
def count(client: FlaskClient) -> Count:
    """Return a function that returns the value of a metric for given labels, by default 0."""

    def read(name: str, **labels: str) -> float:
        families = text_string_to_metric_families(client.get("/metrics").text)
        samples = (sample for family in families for sample in family.samples)
        return next((s.value for s in samples if s.name == name and s.labels == labels), 0)

    return read


def timeless(response: dict[str, Any]) -> dict[str, Any]:
    """Return the JSON of a response, but without `elapsed_ms`."""
    return {name: value for name, value in response.items() if name != "elapsed_ms"}


def problem(response: TestResponse, status: int, code: str) -> dict[str, Any]:
    """Assert that a response is a complete, uncached problem, and return the problem."""
    assert response.status_code == status
    assert response.mimetype == "application/problem+json"
    assert response.headers["Cache-Control"] == "no-store"
    assert response.text.endswith("}\n")
    found: dict[str, Any] = response.get_json()
    assert found["status"] == status
    assert found["code"] == code
    assert found["detail"]
    assert found["title"]
    assert found["type"] == f"urn:best-move:problem:{code}"
    return found
