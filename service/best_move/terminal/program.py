"""A program that plays: it reads boards, one per line, and prints a cell for each."""

import os
import pty
import re
import select
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import IO, Final, Self, cast

import click

from best_move.engine.position import CELLS
from best_move.terminal.screen import environment_without_colors

MAX_LINE: Final = 1_000  # bytes; a longer line cannot be a cell
SECONDS_TO_END: Final = 1
INTERPRETERS: Final = {
    ".js": "node",
    ".lua": "lua",
    ".php": "php",
    ".pl": "perl",
    ".py": "python3",
    ".rb": "ruby",
    ".sh": "bash",
}


class ProgramError(click.ClickException):
    """Raised if the program cannot be started, or does not print exactly one legal move for a board in time."""

    exit_code = 2

    def __init__(self, code: str, message: str, board: str | None = None) -> None:
        super().__init__(message if board is None else f"On the board {board} the program {message}")
        self.code: Final = code
        self.board: Final = board


class Program:
    """A running program that reads boards and prints cells, each within `timeout` seconds, and all within `limit`.

    Its output is a pseudo-terminal, so that its runtime does not buffer lines. The program has a session of its own,
    so that Ctrl-C ends only this process, which then kills the program's process group.
    """

    def __init__(self, command: Sequence[str], timeout: float, limit: float) -> None:
        self._timeout = timeout
        self._limit = limit
        self._end = monotonic() + limit
        self._board = ""
        self._received = b""
        self._output, theirs = pty.openpty()
        try:
            self._process = subprocess.Popen(  # noqa: S603, the user's own program
                command,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=theirs,
                start_new_session=True,
                env=environment_without_colors(),
            )
        except OSError as error:
            raise ProgramError("cannot_start", _cannot_start(command[0], error)) from None
        finally:
            os.close(theirs)
        self._input = cast(IO[bytes], self._process.stdin)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._input.close()
        if kind is None:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(SECONDS_TO_END)
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        os.close(self._output)

    def move(self, board: str) -> int:
        """Return the program's move on a board; raise ProgramError if it does not print exactly one legal move."""
        if self._board:
            self._require_one_line()
        self._board = board
        with suppress(BrokenPipeError):  # the program has ended: reading its output reports that
            self._input.write(f"{board}\n".encode())
        line = self._line()
        if line not in map(str, range(CELLS)):
            raise self._error("not_a_cell", f"printed {line[:40]!r}, not a cell from 0 to 8. {_advice(line)}")
        if board[int(line)] != ".":
            has_taken = f"which {board[int(line)]} has taken. Cells count from 0 to 8, row by row."
            raise self._error("cell_taken", f"played cell {line}, {has_taken}")
        self._require_one_line()
        return int(line)

    def _line(self) -> str:
        deadline = monotonic() + self._timeout
        while b"\n" not in self._received and len(self._received) < MAX_LINE:
            if not self._has_output(min(deadline, self._end) - monotonic()):
                raise self._late(is_over=self._end < deadline)
            if not self._receive():
                raise self._ended()
        line, _, self._received = self._received.partition(b"\n")
        return _text(line)

    def _require_one_line(self) -> None:
        if self._received or (self._has_output(0) and self._receive()):
            more = _text(self._received.partition(b"\n")[0])
            advice = "Print one line per board; anything else belongs on standard error."
            raise self._error("several_lines", f"printed {more!r} after the cell. {advice}")

    def _has_output(self, seconds: float) -> bool:
        """Return whether the program prints something or closes its output within some seconds."""
        return bool(select.select([self._output], [], [], max(0, seconds))[0])

    def _receive(self) -> bytes:
        """Receive what the program has printed; return it, or nothing if the program has closed its output."""
        try:
            received = os.read(self._output, MAX_LINE)
        except OSError:  # on Linux, if no process has the other end open
            received = b""
        self._received += received
        return received

    def _error(self, code: str, what: str) -> ProgramError:
        return ProgramError(code, what, self._board)

    def _late(self, *, is_over: bool) -> ProgramError:
        if is_over:
            return self._error("limit", f"exceeded the limit of {self._limit:g} s for all boards.")
        if self._received:
            text = f"printed {_text(self._received)!r}, but no end of the line within {self._timeout:g} s."
            return self._error("timeout", f"{text} End each line, and flush it.")
        text = (
            f"printed no line within {self._timeout:g} s. It must answer each board before it reads the next one, and"
        )
        return self._error("timeout", f"{text} flush its output. If it is only slow, raise --timeout.")

    def _ended(self) -> ProgramError:
        try:
            status = self._process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            status = 0
            ended = "closed its output"
        else:
            ended = f"was killed by signal {-status}" if status < 0 else f"exited with status {status}"
        advice = "To see why, start it by hand and type this board."
        if status == 0:
            advice = "It must read boards and print a cell for each until its input ends, not only for one board."
        return self._error("ended", f"{ended} instead of printing a cell. {advice}")


def _text(line: bytes) -> str:
    return line.decode(errors="replace").strip()[:40]


def _advice(line: str) -> str:
    """Return what to print instead of a line that is not a cell."""
    if line.isdecimal():
        return "Cells count from 0, row by row."
    if re.fullmatch(r"\D*[0-2]\D+[0-2]\D*", line):
        return "For a row and a column, print 3 * row + column, with both counted from 0."
    return "Print the cell alone; anything else belongs on standard error."


def _cannot_start(name: str, error: OSError) -> str:
    if not Path(name).is_file():
        return f"Cannot start {name}: {error.strerror}."
    interpreter = INTERPRETERS.get(Path(name).suffix, "INTERPRETER")
    return f"{name} is a file, not a command. Start it as in: best-move prove {interpreter} {name}"
