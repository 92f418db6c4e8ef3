"""The number of CPUs that this process may use.

That is its CPU affinity, or fewer if a control group has a quota.
"""

import math
import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath


def usable_cpus(root: Path = Path("/")) -> int:
    """Return the number of CPUs in the affinity or, if lower, the lowest control-group quota.

    The quota is rounded up.
    """
    affinity = os.cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        affinity = len(os.sched_getaffinity(0))
    quota = min(_quotas(root), default=affinity)
    return max(1, min(affinity, math.ceil(quota)))


def _quotas(root: Path) -> Iterator[float]:
    """Yield the quotas of this process's control group (version 2) and of its parents, in CPUs."""
    for line in _read(root / "proc/self/cgroup").split("\n"):  # names may hold other line breaks
        if not line.startswith("0::/"):
            continue
        group = PurePosixPath(line.removeprefix("0::/"))
        for folder in (group, *group.parents):  # the last parent is the root
            limit = _read(root / "sys/fs/cgroup" / folder / "cpu.max")
            quota, _, period = limit.partition(" ")
            if quota.isdecimal():  # otherwise it is "max"
                yield int(quota) / int(period)


def _read(path: Path) -> str:
    try:
        return os.fsdecode(path.read_bytes())
    except OSError:
        return ""
