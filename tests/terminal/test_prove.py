"""The command `prove`: it runs real programs, reviews their moves, and ends them even if they ignore signals."""

import json
import re
import shlex
import signal
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest
from click import unstyle

from best_move.engine.position import Mark, Position
from best_move.terminal.screen import drawing
from tests import golden, referee
from tests.players import SIDES, Moves, perfect, random_player, review_of, rule_follower, to_move
from tests.processes import completed, wait_until
from tests.server import process_status
from tests.terminal.terminals import CTRL_C, ENVIRONMENT, PYTHON, in_terminal

#  A program that plays the moves in a file, and creates another file when its input ends.
PLAYER = """
import json, pathlib, sys
moves = json.loads(pathlib.Path(sys.argv[1]).read_text())
for board in sys.stdin:
    print(moves[board.strip()])
pathlib.Path(sys.argv[1]).with_suffix(".ended").touch()
"""
#  A program that writes the process IDs of itself and of a child, then hangs and ignores signals.
HANGING = """
import os, pathlib, signal, sys, time
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
child = os.fork()
if child:
    sys.stdin.readline()
    pathlib.Path(sys.argv[1]).write_text(f"{os.getpid()} {child}\\n")
time.sleep(600)
"""


def proved(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command with pipes for its outputs; return the ended process."""
    command = [*PYTHON, "-m", "best_move", "prove", *arguments]
    return completed(command, env=ENVIRONMENT)


@pytest.fixture
def program(tmp_path: Path) -> "Program":
    """Return a program whose moves are in a temporary folder."""
    return Program(tmp_path)


class Program:
    """A program that plays the moves in a file."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "moves.json"

    def playing(self, moves: Moves) -> list[str]:
        """Write these moves to the file; return the command that plays them."""
        self.file.write_text(json.dumps(moves))
        return [sys.executable, "-c", PLAYER, str(self.file)]


UNBEATABLE = """\
As X, moving first: unbeatable. Of all possible games it wins 71, draws 2 and loses 0.
Against random moves it wins 99.48%, draws 0.52% and loses 0.00% of games. Without risking a loss, 99.48% can be won.
Mistakes: 0.

As O, moving second: unbeatable. Of all possible games it wins 386, draws 183 and loses 0.
Against random moves it wins 80.63%, draws 19.37% and loses 0.00% of games. Without risking a loss, 91.64% can be won.
Mistakes: 0.

"""


def test_a_perfect_program_is_proved_unbeatable(program: Program) -> None:
    """The program is proved unbeatable on both sides, and gets time to end by itself."""
    ended = proved(*program.playing(perfect()))
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, UNBEATABLE, "")
    assert program.file.with_suffix(".ended").exists()


@pytest.mark.parametrize("order", [(0, 2, 6, 8), (8, 2, 6, 0)], ids=str)
def test_a_game_that_beats_a_program_is_printed(program: Program, order: tuple[int, ...]) -> None:
    """The command prints a game that the program loses, and the final board."""
    moves = rule_follower(order)
    ended = proved("--side", "O", *program.playing(moves))
    assert (ended.returncode, ended.stderr) == (1, "")
    assert ended.stdout.startswith("As O, moving second: beatable. ")
    game = re.search("This game beats it: (.*)\\.\n", ended.stdout)
    assert game
    board = "." * 9
    for cell in map(int, game[1].split(", ")):
        assert to_move(board) == "X" or cell == moves[board]
        assert cell in referee.moves(board)
        board = referee.play(board, to_move(board), cell)
    assert referee.has_won(board, "X")
    assert unstyle(drawing(Position.parse(board))) in ended.stdout
    review = review_of("O", moves)
    for mistake in review.mistakes:
        assert f"On {mistake.board} it plays {mistake.move}, a {mistake.outcome}. Best: " in ended.stdout


def test_only_the_first_of_many_mistakes_are_printed(program: Program) -> None:
    """The command prints the first ten mistakes, and the number of all mistakes."""
    moves = random_player(0)
    ended = proved("--side", "X", *program.playing(moves))
    count = len(review_of("X", moves).mistakes)
    assert f"Mistakes: {count}.\n" in ended.stdout
    assert ended.stdout.count(" it plays ") == 10
    assert f"And {count - 10} more mistakes, which --json lists.\n" in ended.stdout


@pytest.mark.parametrize("sides", [("X",), ("O",), SIDES], ids="".join)
def test_reviews_are_printed_as_json(program: Program, sides: tuple[Mark, ...]) -> None:
    """With --json the output is the review of each side, with the same fields as in the API."""
    moves = rule_follower((0, 2, 6, 8))
    side = ["--side", sides[0].lower()] if len(sides) == 1 else []
    ended = proved(*side, "--json", *program.playing(moves))
    assert json.loads(ended.stdout) == json.loads(json.dumps({each: asdict(review_of(each, moves)) for each in sides}))
    assert ended.returncode == ("O" in sides)


#  A shell script that fails to play -> the end of the error message of `prove`.
FAILURES = {
    "exit 3": "exited with status 3 instead of printing a cell",
    "kill -9 $$": "was killed by signal 9 instead of printing a cell",
    "exec >&-; sleep 600": "closed its output instead of printing a cell",
    "sleep 600": "printed no line within 0.2 s",
    "printf 4; sleep 600": "printed no line within 0.2 s",
    "echo e4": "printed 'e4', not a cell from 0 to 8",
    "echo 9": "printed '9', not a cell from 0 to 8",
    "echo": "printed '', not a cell from 0 to 8",
    "yes x | tr -d '\\n'": f"printed '{'x' * 40}', not a cell from 0 to 8",
    "echo 4; echo 5": "printed more than one line",
}


@pytest.mark.parametrize("script", FAILURES)
def test_a_program_that_does_not_play_is_reported(script: str) -> None:
    """One sentence names the board and what the program did, and the exit status is 2."""
    ended = proved("--timeout", "0.2", "sh", "-c", script)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == f"Error: On the board ......... the program {FAILURES[script]}.\n"


def test_a_taken_cell_is_reported() -> None:
    """The error names the board, the cell and the side that has taken it."""
    ended = proved("sh", "-c", "while read board; do echo 4; done")
    assert ended.returncode == 2
    assert ended.stderr == "Error: On the board ....X...O the program played cell 4, which X has taken.\n"


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["no-such-program"], "Error: Cannot start no-such-program: No such file or directory.\n"),
        (["/dev/null"], "Error: Cannot start /dev/null: Permission denied.\n"),
        (["sh 'x"], "Error: Invalid value for 'COMMAND': No closing quotation.\n"),
        ([" "], "Error: Invalid value for 'COMMAND': Name a program.\n"),
        ([], "Error: Missing argument 'COMMAND...'.\n"),
        (["--timeout", "0", "cat"], "Error: Invalid value for '--timeout': 0.0 is not in the range x>0.\n"),
    ],
    ids=["unknown", "not executable", "quotation", "blank", "missing", "timeout"],
)
def test_a_program_that_cannot_start_is_reported(arguments: list[str], error: str) -> None:
    """The last line says why the program cannot start, and the exit status is 2."""
    ended = proved(*arguments)
    assert ended.returncode == 2
    assert ended.stderr.endswith(error)


def test_a_command_may_be_quoted_and_runs_without_a_shell(program: Program) -> None:
    """A single argument is split as in a shell, but no shell runs it; options after the program are the program's."""
    command = program.playing(perfect())
    quoted, whole = proved("--side", "X", shlex.join(command)), proved("--side", "X", "--", *command, "--side", "O")
    assert (
        (quoted.returncode, quoted.stdout) == (whole.returncode, whole.stdout) == (0, UNBEATABLE.partition("As O")[0])
    )
    ended = proved("echo $HOME; exit")
    assert ended.stderr == "Error: On the board ......... the program printed '$HOME; exit', not a cell from 0 to 8.\n"


def test_the_progress_is_shown_in_a_terminal(program: Program) -> None:
    """In a terminal a progress bar counts the boards of each side; the verdict is below it."""
    with in_terminal("prove", *program.playing(perfect())) as screen:
        screen.until(f"Moves of X  [####################################]  {golden.MET_BY_PERFECT['X']}/")
        screen.until(f"Moves of O  [####################################]  {golden.MET_BY_PERFECT['O']}/")
        screen.until("As O, moving second: unbeatable.")
        assert screen.ends() == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
def test_no_process_survives_the_command(tmp_path: Path, number: signal.Signals) -> None:
    """A signal to the command also ends the program and its child, even if they ignore signals."""
    pids = tmp_path / "pids"
    with in_terminal("prove", sys.executable, "-c", HANGING, str(pids)) as screen:
        wait_until(lambda: pids.exists() and pids.read_text().endswith("\n"), "the program and its child run")
        if number == signal.SIGINT:
            screen.type(CTRL_C)
        else:
            screen.send(number)
        assert screen.ends() == 128 + number
        assert "Traceback" not in screen.text
        assert "Aborted" not in screen.text
    started = [int(pid) for pid in pids.read_text().split()]
    wait_until(lambda: not any(map(is_running, started)), "the program and its child have ended")


def is_running(pid: int) -> bool:
    """Return whether a process exists and is not a zombie."""
    try:
        return process_status(pid, "State") not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False
