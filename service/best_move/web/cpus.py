"""The number of CPUs that this process may use: its CPU affinity, or fewer if a control group has a quota."""

import math
import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath


def usable_cpus(root: Path = Path("/")) -> int:
    """Return the minimum of the CPU affinity and of the control groups' quotas, rounded up, but at least 1."""
    bound = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min([bound, *(math.ceil(quota) for quota in _quotas(root))]))


def _quotas(root: Path) -> Iterator[float]:
    """Yield the quotas of this process's control groups, of version 1 or 2, in CPUs."""
    for folder in _groups(root):
        of_version_1 = f"{_read(folder / 'cpu.cfs_quota_us')} {_read(folder / 'cpu.cfs_period_us')}"
        for text in (of_version_1, _read(folder / "cpu.max")):
            match text.split():
                case [quota, period] if quota.isdecimal():  # without a quota, the first word is "max" or -1
                    yield int(quota) / int(period)


def _groups(root: Path) -> Iterator[Path]:
    """Yield the folders of the control groups of this process and of their parents."""
    for line in _read(root / "proc/self/cgroup").splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers and "cpu" not in controllers.split(","):
            continue
        for group in [PurePosixPath(path), *PurePosixPath(path).parents]:
            yield root / "sys/fs/cgroup" / ("cpu" if controllers else "") / group.relative_to("/")


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii")
    except OSError:
        return ""
