"""The tool wrk: it sends the requests of a benchmark from 127.0.0.1, and reports their rate."""

import json
import re
import subprocess
import tempfile
from collections.abc import Sequence

SECONDS = 3

# Each thread of wrk draws paths at random; with a body, it sends POST requests.
SCRIPT = """\
local paths, body = {{{paths}}}, {body}
local headers = {{}}
if body then headers["Content-Type"] = "application/json" end
local threads = 0
function setup(thread) threads = threads + 1; thread:set("seed", threads) end
function init() math.randomseed(seed) end
function request()
  return wrk.format(body and "POST" or "GET", paths[math.random(#paths)], headers, body)
end
"""


def wrk(port: int, paths: Sequence[str], *options: str, body: object = None) -> tuple[float, int]:
    """GET random paths, or POST a body as JSON; return the requests per second and in all.

    Raise RuntimeError if not every response is a success.
    """
    paths_in_lua = ", ".join(map(repr, paths))
    body_in_lua = "nil" if body is None else f"[==[{json.dumps(body)}]==]"
    with tempfile.NamedTemporaryFile("w", suffix=".lua", encoding="utf-8") as file:
        file.write(SCRIPT.format(paths=paths_in_lua, body=body_in_lua))
        file.flush()
        command = ["wrk", f"-d{SECONDS}s", "-s", file.name, *options, f"http://127.0.0.1:{port}"]
        printed = subprocess.check_output(command, text=True, timeout=SECONDS + 30)
    rate = re.search(r"Requests/sec:\s+([\d.]+)", printed)
    requests = re.search(r"(\d+) requests in", printed)
    if "Non-2xx" in printed or not (rate and requests):
        raise RuntimeError(f"Port {port} has no results:\n{printed}")
    return float(rate[1]), int(requests[1])
