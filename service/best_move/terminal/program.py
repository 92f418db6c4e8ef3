"""A program that plays: it reads boards, one per line, and prints a cell for each."""

import os
import pty
import select
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import IO, Self, cast
from uuid import uuid4

import click

from best_move.engine.position import CELLS
from best_move.terminal.screen import environment_without_colors

MAX_LINE = 1_000  # bytes; a longer line cannot be a cell
SECONDS_TO_END = 1
MARK = "BEST_MOVE_PROGRAM"  # a variable that the processes inherit which a program starts
_PRINT_ONE_CELL = (
    "For each board it must print one line with the number of a free cell and nothing else. Cells "
    "count from 0 to 8, row by row: 3 * row + column, both from 0. Print anything else to standard "
    "error."
)
_SCRIPT = (
    "Start a script with its interpreter, and pass arguments as words of their own, as in: "
    "best-move prove python3 player.py"
)
_NO_LINE = (
    "It must end and flush its line for each board before it reads the next one, and must not wait "
    "for the end of its input; mawk needs `-W interactive`."
)
_SLOW = "It answered other boards, so on this one it is slow or does not end."
_EARLY_END = (
    "It must read boards until its input ends. To see why it ends, start it by hand and type {}."
)


class ProgramError(click.ClickException):
    """Raised if the program cannot start, or fails to print one legal move for a board in time.

    Also raised if its moves on a board differ.
    """

    exit_code = 2

    def __init__(self, code: str, message: str, board: str | None = None) -> None:
        if board:
            message = f"On the board {board} the program {message}"
        super().__init__(message)
        self.code = code
        self.board = board


class Program:
    """A program that reads boards and prints cells; it runs in a `with` statement.

    It has `timeout` seconds for each cell, and `limit` seconds for all. Its output is a
    pseudo-terminal, so that its runtime does not buffer lines. The program has a session of its
    own, so that Ctrl-C ends only this process, which then kills the program and all processes that
    it has started, also those in sessions of their own. On a system without /proc, it kills only
    those in the program's process group.
    """

    def __init__(self, command: Sequence[str], timeout: float, limit: float) -> None:
        self._command = command
        self._timeout = timeout
        self._limit = limit
        self._board = ""
        self._has_answered = False
        self._received = b""
        self._mark = uuid4().hex

    def __enter__(self) -> Self:
        """Start the program; raise ProgramError if it cannot start."""
        self._end = monotonic() + self._limit
        self._output, theirs = pty.openpty()
        try:
            self._process = subprocess.Popen(  # noqa: S603, the user's own program
                self._command,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=theirs,
                start_new_session=True,
                env=environment_without_colors() | {MARK: self._mark},
            )
        except OSError as error:
            os.close(self._output)
            text = f"Cannot start {self._command[0]}: {error.strerror}. {_SCRIPT}"
            raise ProgramError("cannot_start", text) from None
        finally:
            os.close(theirs)
        self._input = cast(IO[bytes], self._process.stdin)
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._input.close()
        if kind is None:  # after a success, it may end by itself before it is killed
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(SECONDS_TO_END)
        with suppress(ProcessLookupError, PermissionError):  # it has ended; the latter on macOS
            os.killpg(self._process.pid, signal.SIGKILL)
        _kill_marked(f"{MARK}={self._mark}".encode())
        self._process.wait()
        os.close(self._output)

    def move(self, board: str) -> int:
        """Return the program's move on a board.

        Raises ProgramError if it prints no legal move in time, or if more has arrived after its
        last one.
        """
        if self._board and self._has_more():  # self._board is still the previous board
            text = f"printed {_text(self._received)!r} after the cell. {_PRINT_ONE_CELL}"
            raise ProgramError("several_lines", text, self._board)
        self._board = board
        with suppress(BrokenPipeError):  # the program has ended: reading its output reports that
            self._input.write(f"{board}\n".encode())
        cell = self._line()
        if cell not in map(str, range(CELLS)):
            text = f"printed {cell!r}, not a cell from 0 to 8. {_PRINT_ONE_CELL}"
            raise ProgramError("not_a_cell", text, self._board)
        move = int(cell)
        if board[move] != ".":
            text = f"played cell {cell}, which {board[move]} has taken. {_PRINT_ONE_CELL}"
            raise ProgramError("cell_taken", text, self._board)
        self._has_answered = True
        return move

    def _has_more(self) -> bool:
        """Return whether output follows the last cell."""
        return bool(self._received or self._receive(0))

    def _line(self) -> str:
        """Return the next line of the output; raise ProgramError if it does not come in time."""
        deadline = min(monotonic() + self._timeout, self._end)
        while b"\n" not in self._received and len(self._received) < MAX_LINE:
            received = self._receive(deadline - monotonic())
            if received is None:
                raise self._late()
            if not received:
                raise self._ended()
        line, _, self._received = self._received.partition(b"\n")
        return _text(line)

    def _receive(self, seconds: float) -> bytes | None:
        """Append the output that comes within some seconds to `_received`, and return it.

        It is None if there is none, and b"" if the output is closed.
        """
        if not select.select([self._output], [], [], max(0, seconds))[0]:
            return None
        try:
            received = os.read(self._output, MAX_LINE)
        except OSError:  # on Linux, if no process has the other end open
            received = b""
        self._received += received
        return received

    def _late(self) -> ProgramError:
        if monotonic() >= self._end:
            text = (
                f"exceeded the limit of {self._limit:g} s for all boards. "
                "If it is only slow, raise --limit."
            )
            return ProgramError("limit", text, self._board)
        printed = "no line"
        if self._received:
            printed = f"{_text(self._received)!r}, but no end of the line"
        cause = _SLOW if self._has_answered else _NO_LINE
        text = (
            f"printed {printed} within {self._timeout:g} s. {cause} "
            "If it is only slow, raise --timeout."
        )
        return ProgramError("timeout", text, self._board)

    def _ended(self) -> ProgramError:
        try:
            status = self._process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            ended = "closed its output"
        else:
            ended = f"exited with status {status}"
            if status < 0:
                ended = f"was killed by signal {-status}"
        boards = "the boards up to this one" if self._has_answered else "this board"
        text = f"{ended}. {_EARLY_END.format(boards)}"
        return ProgramError("ended", text, self._board)


def _kill_marked(mark: bytes) -> None:
    """Kill all processes that have a mark in their environment, until there are no more of them."""
    killed: set[int] = set()
    while found := _marked(mark) - killed:
        for pid in found:
            with suppress(
                ProcessLookupError, PermissionError
            ):  # it has ended, or is another user's
                os.kill(pid, signal.SIGKILL)
        killed |= found


def _marked(mark: bytes) -> set[int]:
    """Return the IDs of the processes that have a mark in their environment."""
    found = set()
    for file in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):  # it has ended, or is another user's
            if mark in file.read_bytes():
                found.add(int(file.parent.name))
    return found


def _text(received: bytes) -> str:
    """Return the start of the first line that was received."""
    return received.partition(b"\n")[0].decode(errors="replace").strip()[:40]
