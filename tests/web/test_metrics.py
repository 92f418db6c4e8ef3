"""The metrics: what happened is counted, under labels that no client can multiply."""

from time import perf_counter

import pytest
from flask.testing import FlaskClient

from service.web.metrics import count_request
from tests.web.conftest import Count


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


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
def test_each_method_is_counted_by_its_name(client: FlaskClient, count: Count, method: str) -> None:
    """The methods of HTTP have a label each."""
    status = {"GET": "200", "HEAD": "200", "OPTIONS": "204"}.get(method, "405")
    labels = {"route": "/health", "method": method, "status": status}
    before = count("best_move_requests_total", **labels)
    client.open("/health", method=method)
    assert count("best_move_requests_total", **labels) == before + 1


def test_the_searches_of_a_batch_are_counted(client: FlaskClient, count: Count) -> None:
    """Each question of a batch is a search, unless it is a problem."""
    names = ("best_move_searches_total", "best_move_nodes_total")
    before = [count(name, algorithm="alphabeta") for name in names]
    asked = [{"board": "X...O...."}, {"board": "XXX......"}, {"board": "XX.OO...."}]
    answers = client.post("/best-moves", json={"requests": asked}).get_json()["answers"]
    searches, nodes = (count(name, algorithm="alphabeta") - b for name, b in zip(names, before, strict=True))
    assert (searches, nodes) == (2, answers[0]["nodes"] + answers[2]["nodes"])


def test_the_time_of_a_request_is_counted(client: FlaskClient, count: Count) -> None:
    """The sum grows by the seconds that a request took: more than its search, less than the clock around it."""
    before = count("best_move_request_seconds_sum", route="/best-move")
    start = perf_counter()
    answer = client.get("/best-move?board=.........&algorithm=minimax").get_json()
    most = perf_counter() - start
    assert answer["elapsed_ms"] / 1000 < count("best_move_request_seconds_sum", route="/best-move") - before < most


BOUNDS = ["0.0005", "0.001", "0.0025", "0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "1.0", "+Inf"]


@pytest.mark.parametrize(
    ("seconds", "bounds"),
    [
        (0.0001, BOUNDS),
        (0.01, BOUNDS[4:]),
        (0.9, BOUNDS[9:]),
        (1.1, BOUNDS[10:]),
    ],
)
def test_a_bucket_holds_what_took_no_longer(count: Count, seconds: float, bounds: list[str]) -> None:
    """A request is in the bucket whose bound it just keeps to, in all above that, and in none below."""
    before = {le: count("best_move_request_seconds_bucket", route="other", le=le) for le in BOUNDS}
    count_request("other", "GET", "200", seconds)
    after = {le: count("best_move_request_seconds_bucket", route="other", le=le) for le in BOUNDS}
    assert [le for le in BOUNDS if after[le] > before[le]] == bounds
    assert after["+Inf"] == count("best_move_request_seconds_count", route="other")
