"""A long run of mixed requests; it fails on a wrong status, or a worker's end or growth."""

import sys
import time
from collections import Counter
from statistics import quantiles

from tests.load import CLIENTS, MAX_GROWTH, mixed, send
from tests.server import running

REQUESTS = 50_000
WARM_UP = 2_000


def main() -> int:
    """Send the requests and print the result; return 1 if anything failed, and 0 otherwise."""
    with running() as server:
        requests = mixed(server)
        print(
            f"{REQUESTS:,} requests of {len(requests)} kinds from {CLIENTS} clients, after "
            f"{WARM_UP:,} to warm up"
        )
        server.wait_for_workers()
        send(server, requests, WARM_UP)
        before = server.memory()
        start = time.monotonic()
        results = send(server, requests, REQUESTS)
        seconds = time.monotonic() - start
        after = server.memory()

    statuses = Counter(result.status or type(result.error).__name__ for result in results)
    wrong = [result for result in results if result.status != result.request.status]
    milliseconds = quantiles([result.seconds * 1_000 for result in results], n=100)
    print(
        "statuses:",
        ", ".join(f"{count:,} x {status}" for status, count in sorted(statuses.items(), key=str)),
    )
    print(
        f"rate: {len(results) / seconds:,.0f} requests/s, p50 {milliseconds[49]:.1f} ms, p99 "
        f"{milliseconds[98]:.1f} ms"
    )
    for pid in sorted(before | after):
        print(f"worker {pid}: {before.get(pid, 0):,} KiB before, {after.get(pid, 0):,} KiB after")
    failures = [
        *(
            f"{r.request.method} {r.request.path}: {r.error or r.status}, not {r.request.status}"
            for r in wrong[:10]
        ),
        *(f"worker {pid} did not survive" for pid in sorted(before.keys() ^ after.keys())),
        *(
            f"worker {pid} has grown by more than {MAX_GROWTH:,} KiB"
            for pid in sorted(before.keys() & after.keys())
            if after[pid] - before[pid] > MAX_GROWTH
        ),
    ]
    print(*failures or ["No failures."], sep="\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
