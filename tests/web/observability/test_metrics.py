"""The text of the metrics: sorted, and in the format that Prometheus reads."""

import pytest
from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families

from best_move import __version__
from best_move.engine import COMPILED
from best_move.web import counted_oracle
from best_move.web.observability import counts, metrics
from best_move.web.observability.counts import count_request
from best_move.web.observability.shared_counts import Key, SharedCounts
from tests.web.chatbots.messages import message
from tests.web.conftest import QUERY, Count


def test_the_version_and_the_engine_are_shown(count: Count) -> None:
    """The labels of `best_move_info` are the version and whether the engine is compiled."""
    assert (
        count(
            "best_move_info", version=__version__, engine="compiled" if COMPILED else "uncompiled"
        )
        == 1
    )


@pytest.mark.parametrize(
    ("name", "labels"),
    [
        ("best_move_requests_total", ["route", "method", "status"]),
        ("best_move_problems_total", ["route", "code"]),
        ("best_move_request_seconds_count", ["route"]),
    ],
)
def test_the_series_of_a_metric_are_sorted(
    client: FlaskClient, name: str, labels: list[str]
) -> None:
    """The series are in the order of their labels, so that two scrapes can be compared."""
    for path in ("/search-tree?board=bad", "/best-move?board=bad", "/nowhere", "/docs"):
        client.get(path)
    families = text_string_to_metric_families(client.get("/metrics").text)
    samples = [
        sample.labels for family in families for sample in family.samples if sample.name == name
    ]
    series = [[found[label] for label in labels] for found in samples]
    assert len(series) > 2
    assert series == sorted(series)


BOUNDS = [
    "0.0005",
    "0.001",
    "0.0025",
    "0.005",
    "0.01",
    "0.025",
    "0.05",
    "0.1",
    "0.25",
    "1.0",
    "+Inf",
]


@pytest.mark.parametrize(
    ("seconds", "bounds"),
    [(0.0001, BOUNDS), (0.01, BOUNDS[4:]), (0.9, BOUNDS[9:]), (1.1, BOUNDS[10:])],
)
def test_a_bucket_counts_requests_up_to_its_bound(
    count: Count, seconds: float, bounds: list[str]
) -> None:
    """A request counts in exactly those buckets whose bound is at least its duration."""
    before = {le: count("best_move_request_seconds_bucket", route="other", le=le) for le in BOUNDS}
    count_request("other", "GET", "200", seconds, {})
    after = {le: count("best_move_request_seconds_bucket", route="other", le=le) for le in BOUNDS}
    assert {le: after[le] - before[le] for le in BOUNDS} == {
        le: 1 if le in bounds else 0 for le in BOUNDS
    }
    assert after["+Inf"] == count("best_move_request_seconds_count", route="other")


def test_metrics_can_be_read_while_a_request_is_counted(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process may read the counts when another has added only some counts of its request."""

    class ReadAfterEachCount(SharedCounts):
        def add(self, *amounts: tuple[Key, float]) -> None:
            for amount in amounts:
                super().add(amount)
                content, _ = metrics.render()
                assert list(text_string_to_metric_families(content.decode()))

    seen = ReadAfterEachCount()
    for module in (counts, metrics, counted_oracle):
        monkeypatch.setattr(module, "COUNTS", seen)
    client.get(QUERY)
    client.get("/nowhere")
    client.post("/mcp", json=message("tools/call", {"name": "best_move", "arguments": {}}))
    counted = {name for name, *_ in seen.sums()}
    assert {"best_move_nodes", "best_move_problems", "best_move_tool_calls"} <= counted
