"""The metrics for Prometheus: requests, their latency and problems, tool calls, searches and their cost."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import Final

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, InfoMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString

from best_move import __version__, oracle
from best_move.engine import COMPILED
from best_move.oracle import Answer, Game, Question, Review
from best_move.web.middleware.shared_counts import SharedCounts

#  The values of every label are bounded: those that a client makes up count as "other".
OTHER: Final = "other"
METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

#  counter -> its meaning and its labels.
_COUNTERS: Final = {
    "best_move_requests": ("Requests, by route, method and status.", ("route", "method", "status")),
    "best_move_problems": ("Requests answered with a problem, by route and code.", ("route", "code")),
    "best_move_tool_calls": ("Tool calls of chat clients, by tool and result.", ("tool", "result")),
    "best_move_searches": ("Searches, by algorithm.", ("algorithm",)),
    "best_move_nodes": ("Nodes visited, by algorithm.", ("algorithm",)),
    "best_move_search_seconds": ("Seconds spent in searches, by algorithm.", ("algorithm",)),
}
_LATENCY: Final = "best_move_request_seconds"
_LATENCY_MEANING: Final = "Seconds spent in the application per request, by route."
_BOUNDS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, float("inf"))
_BUCKETS: Final = tuple(map(floatToGoString, _BOUNDS))

COUNTS: Final = SharedCounts()


def consult_and_count(question: Question) -> Answer:
    """Consult the oracle, and count the search."""
    answer = oracle.consult(question)
    _count_searches(answer.question.algorithm, 1, answer.nodes, answer.elapsed_ms)
    return answer


def review_and_count(game: Game) -> Review:
    """Review a game, and count a search for each of its moves."""
    review = oracle.review(game)
    _count_searches(oracle.REVIEW_ALGORITHM, len(review.moves), review.nodes, review.elapsed_ms)
    return review


def _count_searches(algorithm: str, searches: int, nodes: int, elapsed_ms: float) -> None:
    COUNTS.add(
        (("best_move_searches", algorithm), searches),
        (("best_move_nodes", algorithm), nodes),
        (("best_move_search_seconds", algorithm), elapsed_ms / 1000),
    )


def count_request(route: str, method: str, status: str, seconds: float, notes: Mapping[str, str | bool]) -> None:
    """Count a request, and the problem or the tool call that the application noted about it."""
    COUNTS.add(
        (("best_move_requests", route, method if method in METHODS else OTHER, status), 1),
        ((_LATENCY, route, _BUCKETS[bisect_left(_BOUNDS, seconds)]), 1),
        ((_LATENCY, route, "sum"), seconds),
    )
    if "problem" in notes:
        COUNTS.add((("best_move_problems", route, str(notes["problem"])), 1))
    if "tool" in notes:
        COUNTS.add((("best_move_tool_calls", str(notes["tool"]), "error" if notes["tool_error"] else "ok"), 1))


def render() -> tuple[bytes, str]:
    """Return the metrics of all workers, including dead ones, and their media type."""
    registry = CollectorRegistry()
    registry.register(_Sums())
    return generate_latest(registry), CONTENT_TYPE_LATEST


class _Sums(Collector):
    """The counts of all workers as Prometheus metrics."""

    def collect(self) -> Iterator[Metric]:
        """Yield the version, each counter, and the histogram of the latency."""
        engine = "compiled" if COMPILED else "interpreted"
        yield InfoMetricFamily("best_move", "The service.", {"version": __version__, "engine": engine})
        sums = COUNTS.sums()
        for name, (meaning, labels) in _COUNTERS.items():
            counter = CounterMetricFamily(name, meaning, labels=labels)
            for key in sorted(sums):
                if key[0] == name:
                    counter.add_metric(key[1:], sums[key])
            yield counter
        histogram = HistogramMetricFamily(_LATENCY, _LATENCY_MEANING, labels=["route"])
        for route in sorted({key[1] for key in sums if key[0] == _LATENCY}):
            counts = accumulate(sums.get((_LATENCY, route, bucket), 0) for bucket in _BUCKETS)
            total = sums.get((_LATENCY, route, "sum"), 0)
            histogram.add_metric([route], list(zip(_BUCKETS, counts, strict=True)), total)
        yield histogram
