"""The command that prints a proof that a program is unbeatable, or a game that beats it."""

import json
import os
import pty
import select
import shlex
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from time import monotonic
from typing import IO, Final, Self, cast, get_args

import click

from best_move.engine.position import CELLS, Mark, Position
from best_move.oracle import Game
from best_move.player import Verdict, review_player
from best_move.terminal.options import choice_option
from best_move.terminal.screen import INTERRUPTED, choose_colors, colored, drawing, mistakes_text, say

MAX_MISTAKES: Final = 10  # printed per side
MAX_LINE: Final = 1_000  # bytes; a longer line cannot be a cell
SECONDS_TO_END: Final = 1


class ProgramError(click.ClickException):
    """Raised if the program cannot be started, or does not print exactly one legal move."""

    exit_code = 2


def _error(board: str, what: str) -> ProgramError:
    return ProgramError(f"On the board {board} the program {what}.")


class Program:
    """A running program that reads boards and prints cells.

    Its output is a pseudo-terminal, so that its runtime does not buffer lines. The program has a session of its own,
    so that Ctrl-C ends only this process, which then kills the program's process group.
    """

    def __init__(self, command: Sequence[str], timeout: float) -> None:
        self._timeout = timeout
        self._received = b""
        self._output, theirs = pty.openpty()
        try:
            self._process = subprocess.Popen(  # noqa: S603, the user's own program
                command, bufsize=0, stdin=subprocess.PIPE, stdout=theirs, start_new_session=True
            )
        except OSError as error:
            raise ProgramError(f"Cannot start {command[0]}: {error.strerror}.") from None
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
        with suppress(BrokenPipeError):  # the program has ended: reading its output reports that
            self._input.write(f"{board}\n".encode())
        line = self._line(board)
        if line not in map(str, range(CELLS)):
            raise _error(board, f"printed {line[:40]!r}, not a cell from 0 to 8")
        if board[int(line)] != ".":
            raise _error(board, f"played cell {line}, which {board[int(line)]} has taken")
        if self._received:
            raise _error(board, "printed more than one line")
        return int(line)

    def _line(self, board: str) -> str:
        deadline = monotonic() + self._timeout
        while b"\n" not in self._received and len(self._received) < MAX_LINE:
            if not select.select([self._output], [], [], max(0, deadline - monotonic()))[0]:
                raise _error(board, f"printed no line within {self._timeout:g} s")
            try:
                received = os.read(self._output, MAX_LINE)
            except OSError:  # on Linux, if no process has the other end open
                received = b""
            if not received:
                raise _error(board, f"{self._end()} instead of printing a cell")
            self._received += received
        line, _, self._received = self._received.partition(b"\n")
        return line.decode(errors="replace").strip()

    def _end(self) -> str:
        """Return a phrase that says how the program has ended."""
        try:
            status = self._process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            return "closed its output"
        return f"was killed by signal {-status}" if status < 0 else f"exited with status {status}"


@click.command(context_settings={"allow_interspersed_args": False})
@choice_option("--side", get_args(Mark), None, "The side that the program plays. Default: both, one after the other.")
@click.option(
    "--timeout",
    type=click.FloatRange(0, min_open=True),
    metavar="SECONDS",
    default=60,
    show_default=True,
    help="How long to wait for each move.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the reviews as JSON, by side.")
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
def main(*, side: Mark | None, timeout: float, as_json: bool, command: tuple[str, ...]) -> None:
    """Prove that a program is unbeatable at tic-tac-toe, or print a game that beats it.

    For example: best-move prove python3 player.py

    COMMAND starts the program: its name and arguments, or both as one quoted argument. The program reads boards, one
    per line: nine cells, row by row, each X, O or '.'. For each board it prints the cell that it plays, from 0 to 8.
    X moves first, so on boards with as many X as O the program plays X. It gets only boards that it can meet, each
    once, and must always play the same move on the same board.

    The exit status is 0 if the program is unbeatable, 1 if it can be beaten, and 2 if it fails.
    """
    choose_colors()
    for number in (signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, _exit)
    sides = get_args(Mark) if side is None else (side,)
    try:
        with Program(_split(command), timeout) as program:
            reviews = {each: _review(program, each) for each in sides}
        if as_json:
            click.echo(json.dumps({each: asdict(review) for each, review in reviews.items()}))
        else:
            for each, review in reviews.items():
                _print(each, review)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    sys.exit(not all(review.unbeatable for review in reviews.values()))


def _exit(number: int, _: object) -> None:
    """Exit on a signal; leaving the program's context then kills the program."""
    sys.exit(128 + number)


def _split(command: tuple[str, ...]) -> list[str]:
    """Return the program's name and its arguments; if they are quoted as one argument, split it as a shell does."""
    try:
        parts = shlex.split(command[0]) if len(command) == 1 else [*command]
    except ValueError as error:
        raise click.BadParameter(f"{error}.", param_hint="'COMMAND'") from None
    if not parts:
        raise click.BadParameter("Name a program.", param_hint="'COMMAND'")
    return parts


def _review(program: Program, side: Mark) -> Verdict:
    moves: dict[str, int] = {}
    with click.progressbar(
        length=1,
        label=f"Moves of {side}",
        show_eta=False,
        show_percent=False,
        show_pos=True,
        file=sys.stderr,
        hidden=sys.stderr is None or not sys.stderr.isatty(),
    ) as bar:
        while (found := review_player(side, moves)).review is None:
            bar.length, bar.finished = len(moves) + len(found.boards), False
            for board in found.boards:
                moves[board] = program.move(board)
                bar.update(1)
    return found.review


def _print(side: Mark, review: Verdict) -> None:
    verdict = click.style("unbeatable" if review.unbeatable else "beatable", bold=True)
    games, odds = review.games, review.against_random
    say(
        f"As {colored(side)}, moving {'first' if side == 'X' else 'second'}: {verdict}. "
        f"Of all possible games it wins {games.won}, draws {games.drawn} and loses {games.lost}."
    )
    if review.lost_game:
        lost = Game(Position(0, 0, "X"), review.lost_game)
        say(f"This game beats it: {', '.join(map(str, lost.played))}.")
        click.echo(drawing(lost.start.play(lost.played)))
        say(mistakes_text(lost))
    say(
        f"Against random moves it wins {odds.win:.2%}, draws {odds.draw:.2%} and loses {odds.loss:.2%} of games. "
        f"Without risking a loss, {odds.limit:.2%} can be won."
    )
    say(f"Mistakes: {len(review.mistakes)}.")
    for mistake in review.mistakes[:MAX_MISTAKES]:
        best = ", ".join(map(str, mistake.best_moves))
        say(f"On {mistake.board} it plays {mistake.move}, a {mistake.outcome}. Best: {best}, a {mistake.best_outcome}.")
    if len(review.mistakes) > MAX_MISTAKES:
        say(f"And {len(review.mistakes) - MAX_MISTAKES} more mistakes, which --json lists.")
    click.echo()
