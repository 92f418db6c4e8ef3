"""Run a command in a pseudo-terminal: type its input and read its output."""

import os
import pty
import select
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from click import unstyle

import best_move
from tests.processes import SECONDS_TO_WAIT, process_status, wait_until

CTRL_C = b"\x03"

# Python and the environment with which a command runs the package under test, installed or not,
# from any folder.
PYTHON = [sys.executable, "-P"]
ENVIRONMENT = {
    "PATH": os.defpath,
    "PYTHONPATH": str(Path(best_move.__file__).parents[1]),
    "TERM": "xterm-256color",
}

# Starts a session whose terminal is standard input, so that Ctrl-C sends SIGINT. Resets the
# handling of signals, because commands that a shell starts in the background ignore SIGINT, and
# those under nohup SIGHUP.
IN_A_SESSION = """
import os, signal, sys
os.login_tty(0)
for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
    signal.signal(number, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])
"""


class Terminal:
    """The user's end of a pseudo-terminal in which a command runs."""

    def __init__(self, process: subprocess.Popen[bytes], keyboard_and_screen: int) -> None:
        self.process = process
        self._end = keyboard_and_screen
        self._read = 0
        self.screen = ""
        """Everything printed so far, colors included."""

    @property
    def text(self) -> str:
        """Everything printed so far, without colors."""
        return unstyle(self.screen).replace("\r\n", "\n")

    def until(self, expected: str) -> str:
        """Wait until a text is printed; return the new output up to the end of the text."""
        while (found := self.text.find(expected, self._read)) < 0:
            assert self._receive(), (
                f"{expected!r} was not printed after:\n{self.text[self._read :]}"
            )
        new, self._read = self.text[self._read : found + len(expected)], found + len(expected)
        return new

    def waits(self) -> None:
        """Wait until the process sleeps, as it does while it waits for keys."""
        wait_until(lambda: process_status(self.process.pid, "State") == "S", "the process sleeps")

    def type(self, keys: str | bytes) -> None:
        """Type a text and Enter, or raw bytes."""
        os.write(self._end, f"{keys}\n".encode() if isinstance(keys, str) else keys)

    def hangs_up(self) -> int:
        """Close the terminal, as its window does, and wait for the process; return its status."""
        with Path(os.devnull).open("rb") as nothing:
            os.dup2(nothing.fileno(), self._end)
        return self.process.wait(SECONDS_TO_WAIT)

    def ends(self) -> int:
        """Wait until the process ends; return its exit status."""
        while self._receive():
            pass
        return self.process.wait(SECONDS_TO_WAIT)

    def _receive(self) -> bool:
        """Read new output; return False at its end."""
        ready, _, _ = select.select([self._end], [], [], SECONDS_TO_WAIT)
        assert ready, f"nothing happened for {SECONDS_TO_WAIT} s after:\n{self.text}"
        try:
            received = os.read(self._end, 65_536)
        except OSError:  # Linux raises this error if the other end is closed
            return False
        self.screen += received.decode()
        return bool(received)


@contextmanager
def in_terminal(
    name: str, *options: str, columns: int = 200, variables: dict[str, str] | None = None
) -> Iterator[Terminal]:
    """Start a command of `best-move` in a terminal; yield the terminal, then kill the command."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (50, columns))
    command = [*PYTHON, "-c", IN_A_SESSION, *PYTHON, "-m", "best_move", name, *options]
    with subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, env=ENVIRONMENT | (variables or {})
    ) as process:
        os.close(theirs)
        try:
            yield Terminal(process, ours)
        finally:
            process.kill()
            os.close(ours)
