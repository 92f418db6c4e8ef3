"""The tool wrk: it sends the requests of a benchmark from 127.0.0.1, and reports their rate."""

import re
import subprocess
import tempfile

SECONDS = 3


def wrk(url: str, script: str, *options: str) -> tuple[float, int]:
    """Send requests by a Lua script; return their number per second and in all.

    Raise RuntimeError if not every response is a success.
    """
    with tempfile.NamedTemporaryFile("w", suffix=".lua", encoding="utf-8") as file:
        file.write(script)
        file.flush()
        command = ["wrk", f"-d{SECONDS}s", "-s", file.name, *options, url]
        printed = subprocess.check_output(command, text=True, timeout=SECONDS + 30)
    rate = re.search(r"Requests/sec:\s+([\d.]+)", printed)
    requests = re.search(r"(\d+) requests in", printed)
    if "Non-2xx" in printed or not (rate and requests):
        raise RuntimeError(f"{url} has no results:\n{printed}")
    return float(rate[1]), int(requests[1])
