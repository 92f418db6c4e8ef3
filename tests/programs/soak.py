"""A long run of mixed requests; it fails on a wrong status, or a worker's end or growth."""

import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from statistics import quantiles

from tests.load import CLIENTS, MAX_GROWTH, Result, mixed, send
from tests.server import running

REQUESTS = 50_000
WARM_UP = 2_000


def main() -> int:
    """Send the requests and print the result; return 1 if anything failed, and 0 otherwise."""
    with running() as server:
        requests = mixed(server)
        sent = f"{REQUESTS:,} requests of {len(requests)} kinds from {CLIENTS} clients"
        print(f"{sent}, after {WARM_UP:,} to warm up")
        server.wait_for_workers()
        send(server, requests, WARM_UP)
        before = server.memory()
        start = time.monotonic()
        results = send(server, requests, REQUESTS)
        seconds = time.monotonic() - start
        after = server.memory()

    statuses = Counter(str(result.status or type(result.error).__name__) for result in results)
    print("statuses:", ", ".join(f"{statuses[each]:,} x {each}" for each in sorted(statuses)))
    milliseconds = quantiles([result.seconds * 1_000 for result in results], n=100)
    rate = len(results) / seconds
    print(f"{rate:,.0f} requests/s, p50 {milliseconds[49]:.1f} ms, p99 {milliseconds[98]:.1f} ms")
    for pid in sorted(before | after):
        print(f"worker {pid}: {before.get(pid, 0):,} KiB before, {after.get(pid, 0):,} KiB after")
    failures = [*islice(wrong_statuses(results), 10), *failed_workers(before, after)]
    print(*failures or ["No failures."], sep="\n")
    return 1 if failures else 0


def wrong_statuses(results: Iterable[Result]) -> Iterator[str]:
    """Yield a line for each response whose status is not the expected one."""
    for result in results:
        request = result.request
        if result.status != request.status:
            found = result.error or result.status
            yield f"{request.method} {request.path}: {found}, not {request.status}"


def failed_workers(before: dict[int, int], after: dict[int, int]) -> Iterator[str]:
    """Yield a line for each worker that has ended, started or grown, given the memory in KiB."""
    for pid in sorted(before | after):
        if pid not in before or pid not in after:
            yield f"worker {pid} did not survive"
        elif after[pid] - before[pid] > MAX_GROWTH:
            yield f"worker {pid} has grown by more than {MAX_GROWTH:,} KiB"


if __name__ == "__main__":
    sys.exit(main())
