"""The metrics: what happened is counted, under labels that no client can multiply."""

from collections.abc import Callable

import pytest
from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families

Count = Callable[..., float]


@pytest.fixture
def count(client: FlaskClient) -> Count:
    """Return a function that reads one number of the metrics."""

    def read(name: str, **labels: str) -> float:
        families = text_string_to_metric_families(client.get("/metrics").text)
        samples = (sample for family in families for sample in family.samples)
        return next((s.value for s in samples if s.name == name and s.labels == labels), 0)

    return read


def test_a_request_is_counted(client: FlaskClient, count: Count) -> None:
    """A request is counted under its route, method and status, and its time under its route."""
    labels = {"route": "/best-move", "method": "GET", "status": "400"}
    before = count("best_move_requests_total", **labels), count("best_move_request_seconds_count", route="/best-move")
    client.get("/best-move?board=bad")
    after = count("best_move_requests_total", **labels), count("best_move_request_seconds_count", route="/best-move")
    assert after == (before[0] + 1, before[1] + 1)


def test_a_search_is_counted(client: FlaskClient, count: Count) -> None:
    """A search is counted under its algorithm, with its nodes and its time."""
    names = ("best_move_searches_total", "best_move_nodes_total", "best_move_search_seconds_total")
    before = [count(name, algorithm="minimax") for name in names]
    answer = client.get("/best-move?board=XX.OO....&algorithm=minimax").get_json()
    searches, nodes, seconds = (count(n, algorithm="minimax") - b for n, b in zip(names, before, strict=True))
    assert (searches, nodes) == (1, answer["nodes"])
    assert seconds == pytest.approx(answer["elapsed_ms"] / 1000)


def test_what_a_client_makes_up_is_counted_as_other(client: FlaskClient, count: Count) -> None:
    """Unknown paths and methods share one label each."""
    before = count("best_move_requests_total", route="other", method="other", status="404")
    for n in range(5):
        client.open(f"/nowhere/{n}", method=f"BREW{n}")
    assert count("best_move_requests_total", route="other", method="other", status="404") == before + 5
