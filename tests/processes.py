"""Other processes: run them, wait for what they do, or look into them."""

import os
import select
import shutil
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, AnyStr, TypeVar

import pytest

SECONDS_TO_WAIT = 120  # until a process that hangs fails the test, even on a busy machine
SECONDS_TO_BUILD = 300

Found = TypeVar("Found")


def wait_until(find: Callable[[], Found | None], what: str, pause: float = 0.01) -> Found:
    """Call a function until its result is true; return it, or raise TimeoutError."""
    deadline = time.monotonic() + SECONDS_TO_WAIT
    while not (found := find()):
        if time.monotonic() > deadline:
            raise TimeoutError(f"waited {SECONDS_TO_WAIT} s until {what}")
        time.sleep(pause)
    return found


def program(name: str, required: str) -> str:
    """Return the path of a program; without it skip the test, or fail it if a variable is set."""
    path = shutil.which(name, path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin")
    if path is None:
        give_up = pytest.fail if os.environ.get(required) == "1" else pytest.skip
        give_up(f"{name} is not installed")
    return path


def next_line(process: subprocess.Popen[AnyStr]) -> AnyStr:
    """Return the next line of a process that prints one at a time, or raise TimeoutError."""
    assert process.stdout
    ready, _, _ = select.select([process.stdout], [], [], SECONDS_TO_WAIT)
    if not ready:
        raise TimeoutError(f"waited {SECONDS_TO_WAIT} s for a line of {process.args!r}")
    return process.stdout.readline()


def completed(
    command: Sequence[object], *, check: bool = False, **options: Any
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end; return its status and its outputs as text."""
    arguments = [*map(str, command)]
    return subprocess.run(
        arguments, capture_output=True, text=True, timeout=SECONDS_TO_WAIT, check=check, **options
    )


def open_files(pid: int) -> int:
    """Return how many files a process has open."""
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


def process_status(pid: int, field: str) -> str:
    """Return the first word of a field in /proc/PID/status."""
    content = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return content.partition(f"{field}:")[2].split()[0]
