"""The counts of searches, by algorithm."""

import pytest
from flask.testing import FlaskClient

from tests.web.conftest import Count


def test_a_search_is_counted(client: FlaskClient, count: Count) -> None:
    """A search is counted under its algorithm, with its nodes and its time."""
    names = ("best_move_searches_total", "best_move_nodes_total", "best_move_search_seconds_total")
    before = [count(name, algorithm="minimax") for name in names]
    found = client.get("/best-move?board=XX.OO....&algorithm=minimax").get_json()
    searches, nodes, seconds = (
        count(n, algorithm="minimax") - b for n, b in zip(names, before, strict=True)
    )
    assert (searches, nodes) == (1, found["nodes"])
    assert seconds == pytest.approx(found["elapsed_ms"] / 1000)


def test_the_searches_of_a_batch_are_counted(client: FlaskClient, count: Count) -> None:
    """Each request of a batch counts as a search, unless its result is a problem."""
    names = ("best_move_searches_total", "best_move_nodes_total")
    before = [count(name, algorithm="alphabeta") for name in names]
    requests = [{"board": "X...O...."}, {"board": "XXX......"}, {"board": "XX.OO...."}]
    results = client.post("/best-moves", json={"requests": requests}).get_json()["results"]
    searches, nodes = (
        count(name, algorithm="alphabeta") - b for name, b in zip(names, before, strict=True)
    )
    assert (searches, nodes) == (2, results[0]["answer"]["nodes"] + results[2]["answer"]["nodes"])
