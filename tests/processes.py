"""Other processes: run them to their end, or wait for what they do."""

import select
import subprocess
import time
from collections.abc import Callable, Sequence
from typing import Any, AnyStr, TypeVar

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
