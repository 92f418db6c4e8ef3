"""The number of available CPUs: it follows from simulated affinity and quotas."""

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from best_move.web.cpus import usable_cpus


@pytest.fixture(autouse=True)
def sixteen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulate an affinity of sixteen CPUs."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(16)), raising=False)


@pytest.mark.parametrize(
    ("groups", "quotas", "expected"),
    [
        ("", {}, 16),
        ("0::/", {"": "max 100000"}, 16),
        ("0::/", {"": "100000 100000"}, 1),
        ("0::/", {"": "10000 100000"}, 1),
        ("0::/", {"": "250000 100000"}, 3),
        ("0::/", {"": "6400000 100000"}, 16),
        ("0::/pod/box", {"pod/": "200000 100000", "pod/box/": "max 100000"}, 2),
        (
            "0::/system.slice/containerd.service:cri:box",
            {"system.slice/containerd.service:cri:box/": "200000 100000"},
            2,
        ),
        ("4:cpu,cpuacct:/", {"": "100000 100000"}, 16),
        ("0::/", {"": ""}, 16),
    ],
    ids=[
        "no control groups",
        "no limit",
        "one",
        "a tenth",
        "two and a half",
        "a quota above the affinity",
        "a limit of a parent",
        "a colon in the path",
        "a control group of version 1",
        "nothing to read",
    ],
)
def test_a_quota_limits_the_number_of_cpus(
    tmp_path: Path, groups: str, quotas: Mapping[str, str], expected: int
) -> None:
    """The number of CPUs is that of the affinity or, if less, the lowest quota, rounded up."""
    files = {f"sys/fs/cgroup/{folder}cpu.max": quota for folder, quota in quotas.items()}
    for name, text in {"proc/self/cgroup": groups, **files}.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{text}\n" if text else "", encoding="ascii")
    assert usable_cpus(tmp_path) == expected


@given(st.binary(min_size=1, max_size=30).filter(lambda name: not set(name) & set(b"/\n\0.")))
def test_a_control_group_may_have_any_name(name: bytes) -> None:
    """Names are bytes: they need not be UTF-8, and may hold what Python takes for line breaks."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        groups = root / "proc/self/cgroup"
        limit = root / "sys/fs/cgroup" / os.fsdecode(name) / "cpu.max"
        for path, content in ((groups, b"0::/" + name), (limit, b"200000 100000")):
            path.parent.mkdir(parents=True)
            path.write_bytes(content + b"\n")
        assert usable_cpus(root) == 2


def test_without_affinity_every_cpu_counts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """On a system without CPU affinity, all CPUs are used."""
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 5)
    assert usable_cpus(tmp_path) == 5
