"""How many processors this process may use: those it is bound to, or fewer where a control group limits their time."""

import math
import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath


def usable_processors(root: Path = Path("/")) -> int:
    """Return the least of the processors bound to and every quota around this process, rounded up; at least 1."""
    bound = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min([bound, *(math.ceil(quota) for quota in _quotas(root))]))


def _quotas(root: Path) -> Iterator[float]:
    """Yield each quota of a control group around this process, in processors; of both versions of control groups."""
    for folder in _groups(root):
        texts = [
            _read(folder / "cpu.max"),
            f"{_read(folder / 'cpu.cfs_quota_us')} {_read(folder / 'cpu.cfs_period_us')}",
        ]
        for text in texts:
            match text.split():
                case [quota, period] if quota.isdecimal():  # without a limit it is "max", or -1
                    yield int(quota) / int(period)


def _groups(root: Path) -> Iterator[Path]:
    """Yield the folders of the control groups that this process is in, each with those around it."""
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
