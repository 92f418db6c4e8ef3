"""Benchmark of the pages' load times, on this machine and on a simulated phone with slow 4G."""

import sys
from dataclasses import dataclass
from statistics import median
from typing import Any, Final

from playwright.sync_api import Browser

from tests.browser.chromium import browsing, installed
from tests.server import running

ROUNDS: Final = 5


@dataclass(frozen=True)
class Setup:
    """A connection and a CPU: ms round trip, bits per second (0: no limit), the CPU's slowdown."""

    name: str
    latency: int
    bits: int
    slowdown: int


SETUPS: Final = [
    Setup("this machine", 0, 0, 1),
    Setup("slow 4G, CPU 4 times slower", 150, 1_600_000, 4),
]

#  For each page, a selector of an element that exists once the page shows its first content from
#  the service.
READY: Final = {
    "/": "#game[aria-busy=false]",
    "/?view=explain": "#explanation a",
    "/search": "#drawing svg",
    "/docs": ".call textarea",
}


def load(browser: Browser, origin: str, path: str, setup: Setup) -> tuple[float, int, int]:
    """Load a page without a cache; return the milliseconds it takes, its bytes and requests."""
    page = browser.new_page(viewport={"width": 390, "height": 844})
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Emulation.setCPUThrottlingRate", {"rate": setup.slowdown})
    if setup.bits:
        throughput = setup.bits / 8
        limits = {
            "latency": setup.latency,
            "downloadThroughput": throughput,
            "uploadThroughput": throughput,
        }
        session.send("Network.emulateNetworkConditions", {"offline": False, **limits})
    sizes: list[int] = []

    def count(event: dict[str, Any]) -> None:
        sizes.append(int(event["encodedDataLength"]))

    session.on("Network.loadingFinished", count)
    page.goto(origin + path, wait_until="commit")
    page.locator(READY[path]).first.wait_for(state="attached")
    elapsed: float = page.evaluate("performance.now()")
    page.wait_for_load_state("networkidle")
    page.close()
    return elapsed, sum(sizes), len(sizes)


def main() -> None:
    """Print the median time until the page is ready, its bytes and requests, by setup and page."""
    if not installed():
        sys.stdout.write("No Chromium is installed, so the pages are not measured.\n")
        return
    sys.stdout.write(f"\nThe pages, loaded for the first time; median of {ROUNDS}.\n\n")
    with running(WEB_CONCURRENCY="1", LOG_LEVEL="warning") as server, browsing() as browser:
        for setup in SETUPS:
            for path in READY:
                rounds = [
                    load(browser, f"http://127.0.0.1:{server.port}", path, setup)
                    for _ in range(ROUNDS)
                ]
                milliseconds, (_, size, requests) = median(time for time, *_ in rounds), rounds[0]
                sys.stdout.write(
                    f"{setup.name:34} {path:16} {milliseconds:6.0f} ms {size:8,} bytes "
                    f"{requests:3} requests\n"
                )


if __name__ == "__main__":
    main()
