"""The counts as metrics for Prometheus."""

from collections.abc import Iterator, Mapping

from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, InfoMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from best_move import __version__
from best_move.engine import COMPILED
from best_move.web.observability.counts import BUCKETS, COUNTS, DROPPED_LINES, LATENCY
from best_move.web.observability.shared_counts import Key

#  counter -> its meaning and its labels.
_COUNTERS = {
    "best_move_requests": ("Requests, by route, method and status.", ("route", "method", "status")),
    "best_move_problems": (
        "Requests answered with a problem, by route and code.",
        ("route", "code"),
    ),
    "best_move_tool_calls": ("Tool calls of chat clients, by tool and result.", ("tool", "result")),
    "best_move_dropped_log_lines": ("Lines of the log that could not be written.", ()),
    "best_move_searches": ("Searches, by algorithm.", ("algorithm",)),
    "best_move_nodes": ("Nodes visited, by algorithm.", ("algorithm",)),
    "best_move_search_seconds": ("Seconds spent in searches, by algorithm.", ("algorithm",)),
}
_LATENCY_MEANING = "Seconds spent in the application per request, by route."


def render() -> tuple[bytes, str]:
    """Return the metrics of all workers, including dead ones, and their media type."""
    return generate_latest(_Sums()), CONTENT_TYPE_LATEST


class _Sums(Collector):
    def collect(self) -> Iterator[Metric]:
        engine = "compiled" if COMPILED else "uncompiled"
        service = {"version": __version__, "engine": engine}
        yield InfoMetricFamily("best_move", "The service.", service)
        sums = {DROPPED_LINES: 0.0, **COUNTS.sums()}
        for name, (meaning, labels) in _COUNTERS.items():
            counter = CounterMetricFamily(name, meaning, labels=labels)
            for key in sorted(sums):
                if key[0] == name:
                    counter.add_metric(key[1:], sums[key])
            yield counter
        yield _latency(sums)


def _latency(sums: Mapping[Key, float]) -> Metric:
    histogram = HistogramMetricFamily(LATENCY, _LATENCY_MEANING, labels=["route"])
    routes = {key[1] for key in sums if key[0] == LATENCY}
    for route in sorted(routes):
        count = 0.0
        buckets = []
        for bucket in BUCKETS:
            count += sums.get((LATENCY, route, bucket), 0)
            buckets.append((bucket, count))
        total = sums.get((LATENCY, route, "sum"), 0)  # another worker may not have added it yet
        histogram.add_metric([route], buckets, total)
    return histogram
