"""What Prometheus is told: requests and their latency, searches, their nodes and their time."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector

from service.engine import ALGORITHMS
from service.oracle import Answer
from service.web.settings import metrics_folder

#  Every label has a bound: what a client makes up is counted as "other".
OTHER: Final = "other"
METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

_REQUESTS: Final = Counter(
    "best_move_requests", "Requests, by route, method and status.", ["route", "method", "status"]
)
_LATENCY: Final = Histogram(
    "best_move_request_seconds",
    "Seconds from a request's last header to the first byte of its answer, by route.",
    ["route"],
    buckets=(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0),
)
_SEARCHES: Final = Counter("best_move_searches", "Searches, by algorithm.", ["algorithm"])
_NODES: Final = Counter("best_move_nodes", "Nodes visited, by algorithm.", ["algorithm"])
_SECONDS: Final = Counter("best_move_search_seconds", "Seconds spent in searches, by algorithm.", ["algorithm"])

#  To look up labels costs as much as to count, so each combination is looked up once.
_BY_ALGORITHM: Final = {
    name: (_SEARCHES.labels(name), _NODES.labels(name), _SECONDS.labels(name)) for name in ALGORITHMS
}


class _Workers(MultiProcessCollector):
    """What the workers have counted, but for one that has only opened its file: an empty file is read as an error."""

    def collect(self) -> Iterable[Metric]:
        """Return the sums over all workers."""
        files = [str(path) for path in Path(self._path).glob("*.db") if path.stat().st_size]
        sums: Iterable[Metric] = self.merge(files)  # type: ignore[no-untyped-call]
        return sums


@cache
def _by_request(route: str, method: str, status: str) -> tuple[Counter, Histogram]:
    return _REQUESTS.labels(route, method, status), _LATENCY.labels(route)


def count_search(answer: Answer) -> None:
    """Count one search."""
    searches, nodes, seconds = _BY_ALGORITHM[answer.question.algorithm]
    searches.inc()
    nodes.inc(answer.nodes)
    seconds.inc(answer.elapsed_ms / 1000)


def count_request(route: str, method: str, status: str, seconds: float) -> None:
    """Count one request."""
    count, latency = _by_request(route, method if method in METHODS else OTHER, status)
    count.inc()
    latency.observe(seconds)


def render() -> tuple[bytes, str]:
    """Return the metrics of all workers, dead ones included, and their media type."""
    if metrics_folder() is None:
        return generate_latest(REGISTRY), CONTENT_TYPE_LATEST
    registry = CollectorRegistry()
    _Workers(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry), CONTENT_TYPE_LATEST
