"""The number of CPUs that this process may use: its CPU affinity, or fewer if a control group has a quota."""

import math
import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath


def usable_cpus(root: Path = Path("/")) -> int:
    """Return the minimum of the CPU affinity and of the control groups' quotas, rounded up, but at least 1."""
    bound = (
        len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    )
    return max(1, min([bound, *(math.ceil(quota) for quota in _quotas(root))]))


def _quotas(root: Path) -> Iterator[float]:
    """Yield the quotas of this process's control groups in CPUs."""
    for folder in _groups(root):
        match _read(folder / "cpu.max").split():
            case [quota, period] if quota.isdecimal():  # without a quota, the first word is "max"
                yield int(quota) / int(period)


def _groups(root: Path) -> Iterator[Path]:
    """Yield the folder of the control group (version 2) of this process, and those of its parents."""
    for line in _read(root / "proc/self/cgroup").splitlines():
        _, controllers, path = line.split(":", 2)
        if not controllers:
            for group in [PurePosixPath(path), *PurePosixPath(path).parents]:
                yield root / "sys/fs/cgroup" / group.relative_to("/")


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii")
    except OSError:
        return ""
