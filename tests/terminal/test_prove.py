"""The command `prove`: it reviews real programs, and ends them even if they ignore signals."""

import json
import re
import shlex
import signal
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import cache
from pathlib import Path
from unittest.mock import MagicMock, patch

import pytest
from click.testing import CliRunner, Result

from best_move.__main__ import main
from best_move.engine.position import Mark
from best_move.terminal.program import Program, ProgramError
from best_move.terminal.prove import prove, review_program
from tests.plays import Shown, check_play
from tests.processes import completed, process_status, wait_until
from tests.terminal.terminals import CTRL_C, ENVIRONMENT, PYTHON, in_terminal
from tests.truth.players import SIDES, perfect, random_player, review_of, rule_follower, swapped

Playing = Callable[[Mapping[str, object]], list[str]]

#  A program that plays the moves in a file, several in turn.
PLAYER = """
import json, pathlib, sys
moves = json.loads(pathlib.Path(sys.argv[1]).read_text())
for board in map(str.strip, sys.stdin):
    cells = moves[board] if isinstance(moves[board], list) else [moves[board]]
    print(cells[0])
    cells.append(cells.pop(0))
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


def proved(*arguments: str) -> Result:
    """Run the command in this process, without its handlers of signals; return what it prints."""
    with patch("signal.signal"):
        return CliRunner().invoke(main, ["prove", *arguments], env={"COLUMNS": None})


@pytest.fixture
def playing(tmp_path: Path) -> Playing:
    """Return a function that writes moves to a file and returns the command that plays them."""
    file = tmp_path / "moves.json"

    def command(moves: Mapping[str, object]) -> list[str]:
        file.write_text(json.dumps(moves))
        return [sys.executable, "-c", PLAYER, str(file)]

    return command


@cache
def programs() -> dict[str, Mapping[str, object]]:
    """Return the moves of programs, by their names in prove.txt."""
    rules = rule_follower((0, 2, 6, 8))
    return {
        "perfect": perfect(),
        "follows-rules": rules,
        "random": random_player(0),
        "overlooks-a-block": rules | {"X...X.O.O": [2] * 3 + [7] * 17},
        "wrong-as-O": perfect() | {"........X": 9},
        "alternates": perfect() | {"XO.......": [4, 6]},
    }


def test_verdicts_and_failures_are_printed_as_approved(playing: Playing) -> None:
    """Each command prints what is below it, about the program that its last word names."""

    def do(lines: list[str]) -> Shown:
        (line,) = lines
        _, *options, name = line.split()
        ended = proved(*options, *(playing(programs()[name]) if name in programs() else [name]))
        text = "\n".join(each.rstrip() for each in ended.output.splitlines())
        return Shown([], {}, {f"status {ended.exit_code}": text})

    check_play(Path(__file__).with_name("prove.txt"), do)


def test_the_player_of_games_that_o_starts_is_proved(playing: Playing) -> None:
    """The output is that for X's games with swapped letters."""
    moves = rule_follower((0, 2, 6, 8))
    expected = proved(*playing(moves))
    commands = playing({swapped(board): cell for board, cell in moves.items()})
    ended = proved("--starts", "o", *commands)
    assert (ended.exit_code, ended.stderr) == (1, "")
    as_x, as_o = re.findall(r"As [XO], (?s:.)*?\n\n(?=As|$)", ended.stdout)
    assert swapped(as_o + as_x) == expected.stdout


def test_a_program_that_ends_in_a_game_that_o_starts_is_reported(playing: Playing) -> None:
    """The error has the board as the program has read it."""
    command = playing({".........": 4})
    found = json.loads(proved("--starts", "O", "--side", "O", "--json", *command).stdout)
    assert (found["error"]["code"], found["error"]["board"]) == ("ended", "....O...X")


@pytest.mark.parametrize("sides", [("X",), ("O",), SIDES], ids="".join)
def test_reviews_are_printed_as_json(playing: Playing, sides: tuple[Mark, ...]) -> None:
    """With --json the output is the review of each side, with the same fields as in the API."""
    moves = rule_follower((0, 2, 6, 8))
    side = ["--side", sides[0].lower()] if len(sides) == 1 else []
    ended = proved(*side, "--json", *playing(moves))
    found = json.loads(ended.stdout)
    assert (found.pop("starts"), found.pop("samples")) == ("X", 2)
    assert found.pop("seconds") > 0
    assert found == json.loads(json.dumps({each: asdict(review_of(each, moves)) for each in sides}))
    assert ended.exit_code == ("O" in sides)


def test_a_failure_is_reported_as_json_beside_the_verdict_on_the_other_side(
    playing: Playing,
) -> None:
    """A program that fails as O gets its review as X, and the code and the text of the error."""
    ended = proved("--json", *playing(programs()["wrong-as-O"]))
    found = json.loads(ended.stdout)
    assert (ended.exit_code, ended.stderr) == (2, "")
    assert {*found} == {"X", "error", "starts", "samples", "seconds"}
    assert found["X"]["unbeatable"]
    detail = found["error"].pop("detail")
    assert detail.startswith("On the board ........X the program printed '9', not a cell from ")
    assert found["error"] == {"code": "not_a_cell", "board": "........X"}


def test_the_frequencies_of_a_program_are_reviewed(playing: Playing) -> None:
    """A program that misses a block in three of twenty games gets the review of these rates."""
    options = ["--json", "--side", "X", "--samples", "20"]
    found = json.loads(proved(*options, *playing(programs()["overlooks-a-block"])).stdout)
    moves = rule_follower((0, 2, 6, 8))
    del moves["X...X.O.O"]
    review = review_of("X", moves, {"X...X.O.O": [0, 0, 3, 0, 0, 0, 0, 17, 0]})
    assert (found["X"], found["samples"]) == (json.loads(json.dumps(asdict(review))), 20)


def test_a_program_that_repeats_its_last_move_is_found_out() -> None:
    """No board is asked twice in a row, so a program that may play two moves on it plays both."""
    moves = {board: iter([cell, cell]) for board, cell in perfect().items()}
    moves["XO......."] = iter([4, 6])
    last = ("", 0)

    def move(board: str) -> int:
        nonlocal last
        if last[0] != board:
            last = (board, next(moves[board]))
        return last[1]

    with pytest.raises(ProgramError, match="played 4, then 6"):
        review_program(MagicMock(Program, move=move), "X", "X", 2)


@pytest.mark.parametrize("samples", [3, 20, 201, 1_000])
@pytest.mark.parametrize("is_rare", [True, False], ids=["rare", "frequent"])
def test_it_is_printed_how_often_a_mistake_is_made(
    samples: int, capsys: pytest.CaptureFixture[str], *, is_rare: bool
) -> None:
    """However rare or frequent a mistake is, the command prints the exact number of times."""
    times = 1 if is_rare else samples - 1
    cells = {board: [cell] * samples for board, cell in perfect().items()}
    cells["XO......."][:times] = [8] * times
    program = MagicMock(Program, move=lambda board: cells[board].pop())
    prove(program, ["X"], "X", samples, as_json=False)
    assert f"\nOn XO....... ({times} of {samples} times): " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "output", "status", "error"),
    [
        ([], "> /dev/full", 2, "Error: Cannot read or write: No space left on device.\n"),
        (["--json"], "> /dev/full", 2, "Error: Cannot read or write: No space left on device.\n"),
        (["--json"], "| true", 2, ""),
        ([], ">&-", 0, ""),
    ],
    ids=["a full disk", "a full disk, JSON", "a closed pipe", "none"],
)
def test_a_verdict_that_cannot_be_written_is_no_defeat(
    playing: Playing, options: list[str], output: str, status: int, error: str
) -> None:
    """The exit status is never 1; without standard output it is that of the verdict."""
    command = shlex.join(
        [*PYTHON, "-m", "best_move", "prove", "--side", "X", *options, *playing(perfect())]
    )
    ended = completed(
        ["bash", "-c", f"{command} {output}; exit ${{PIPESTATUS[0]}}"], env=ENVIRONMENT
    )
    assert (ended.returncode, ended.stderr) == (status, error)


def test_options_after_the_program_are_the_programs(playing: Playing) -> None:
    """The command gets only the options before the program; no shell expands its arguments."""
    ended = proved("--side", "X", *playing(perfect()), "--side", "O")
    assert (ended.exit_code, re.findall("As (.),", ended.stdout)) == (0, ["X"])
    ended = proved("echo", "$HOME; exit")
    assert ended.stderr.startswith(
        "Error: On the board ......... the program printed '$HOME; exit', not a cell from "
    )


def test_the_progress_is_shown_in_a_terminal(playing: Playing) -> None:
    """In a terminal a progress bar counts the moves of each ply; the verdict is below it."""
    with in_terminal("prove", *playing(perfect())) as screen:
        screen.until("Moves of X  [####################################]  2/2")
        screen.until("Moves of O  [####################################]  18/18")
        screen.until("As O, moving second: unbeatable.")
        assert screen.ends() == 0


@pytest.mark.parametrize(
    "number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name
)
def test_no_process_survives_the_command(tmp_path: Path, number: signal.Signals) -> None:
    """A signal to the command also ends the program and its child, even if they ignore signals."""
    pids = tmp_path / "pids"
    with in_terminal("prove", sys.executable, "-c", HANGING, str(pids)) as screen:
        wait_until(
            lambda: pids.exists() and pids.read_text().endswith("\n"),
            "the program and its child run",
        )
        if number == signal.SIGINT:
            screen.type(CTRL_C)
        else:
            screen.process.send_signal(number)
        assert screen.ends() == 128 + number
        assert "Traceback" not in screen.text
        assert "Aborted" not in screen.text
    started = [int(pid) for pid in pids.read_text().split()]
    wait_until(lambda: not any(map(is_running, started)), "the program and its child have ended")


SIGNALING = """
import os, signal
for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
    os.kill(os.getppid(), number)
"""


def test_signals_that_are_ignored_do_not_end_the_command(playing: Playing) -> None:
    """Under nohup, the command goes on after the terminal is closed, and prints its verdict."""
    python, option, player, moves = playing(perfect())
    program = shlex.join([python, option, SIGNALING + player, moves])
    command = f"{shlex.join(PYTHON)} -m best_move prove --side X {program}"
    ended = completed(["bash", "-c", f"trap '' HUP INT TERM; exec {command}"], env=ENVIRONMENT)
    assert ended.returncode == 0
    assert ended.stdout.startswith("As X, moving first: unbeatable. ")


def is_running(pid: int) -> bool:
    """Return whether a process exists and is not a zombie."""
    try:
        return process_status(pid, "State") not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False
