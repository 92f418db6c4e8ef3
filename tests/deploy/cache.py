"""What nginx caches: paths, large responses, the command that empties the cache, and a wait."""

import re
from collections.abc import Callable
from itertools import permutations

from tests.deploy.nginx import CONFIGURATION
from tests.load import READS
from tests.processes import wait_until
from tests.readme import section
from tests.server import Reply

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


def eventually(reply: Callable[[], Reply], cache: str) -> Reply:
    """Repeat a request until nginx reports a cache status; return the last response."""
    return wait_until(
        lambda: last if (last := reply()).cache == cache else None,
        f"the cache status is {cache}",
        0.1,
    )
