"""The configuration of nginx: as it is shipped, variants of it, and what it caches."""

import re
from itertools import permutations

from tests.raw_requests import READS
from tests.readme import ROOT, block, section

CONFIGURATION = (ROOT / "service/deploy/nginx.conf").read_text(encoding="utf-8")
PREFIXED = CONFIGURATION.replace("server {", f"server {{\n{block('A path prefix', 'nginx')}")

#  The paths in the location of the cache, each with a query.
[_NAMES] = re.findall(r"location ~ \^/\((.*)\)\$ \{", CONFIGURATION)
CACHED = {f"/{name}": READS[f"/{name}"] for name in _NAMES.replace("\\", "").split("|")}

#  The largest trees are those after two moves.
LARGE_TREES = [
    f"/search-tree?board=.........&played={x}&played={o}&algorithm=minimax&levels=9"
    for x, o in permutations(range(9), 2)
]

#  The guide's command that empties the cache.
[PURGE] = set(re.findall(r"`(find /dev/shm[^`]+)`", section("Update and go back").text))


def two_replicas(other: int) -> str:
    """Return nginx's configuration with a second replica, which listens on another port."""
    (lines,) = re.findall("(?:^ *server 127.*\n)+", CONFIGURATION, re.MULTILINE)
    return CONFIGURATION.replace(lines, lines + lines.replace("8000", str(other)))


def with_low_rates(text: str) -> str:
    """Return nginx's configuration with a rate per minute, so that only bursts are accepted.

    However slowly a machine sends more requests than a burst, they are rejected then.
    """
    return re.sub(r"rate=\d+r/s", "rate=1r/m", text)
