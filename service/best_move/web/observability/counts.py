"""The counts of the service: requests, their latency and problems, and tool calls.

`counted_oracle.py` adds the searches.
"""

from bisect import bisect_left
from collections.abc import Mapping

from best_move.web.observability.shared_counts import SharedCounts

#  Every label has a limited set of values: unknown values from clients count as "other".
OTHER = "other"
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

DROPPED_LINES = ("best_move_dropped_log_lines",)  # a key without labels

LATENCY = "best_move_request_seconds"
_BOUNDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0)
BUCKETS = (*map(str, _BOUNDS), "+Inf")

COUNTS = SharedCounts()


def count_request(
    route: str, method: str, status: str, seconds: float, notes: Mapping[str, str | bool]
) -> None:
    """Count a request, and the problem or the tool call that the application noted about it."""
    if method not in METHODS:
        method = OTHER
    bucket = BUCKETS[bisect_left(_BOUNDS, seconds)]
    COUNTS.add(
        (("best_move_requests", route, method, status), 1),
        ((LATENCY, route, bucket), 1),
        ((LATENCY, route, "sum"), seconds),
    )
    if "problem" in notes:
        COUNTS.add((("best_move_problems", route, str(notes["problem"])), 1))
    if "tool" in notes:
        result = "error" if notes["tool_error"] else "ok"
        COUNTS.add((("best_move_tool_calls", str(notes["tool"]), result), 1))
