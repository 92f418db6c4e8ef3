"""The command `prove`: it reviews real programs, and ends them even if they ignore signals."""

import json
import re
import shlex
import signal
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from unittest.mock import patch

import pytest
from click import unstyle
from click.testing import CliRunner, Result

from best_move.__main__ import main
from best_move.engine.position import Mark, Position
from best_move.terminal.program import ProgramError
from best_move.terminal.prove import prove, review_program
from best_move.terminal.screen import drawing
from tests.processes import completed, process_status, wait_until
from tests.tables import table
from tests.terminal.players import Repeating, Table
from tests.terminal.terminals import CTRL_C, ENVIRONMENT, PYTHON, in_terminal
from tests.truth import referee
from tests.truth.players import (
    SIDES,
    perfect,
    random_player,
    review_of,
    rule_follower,
    swapped,
    to_move,
)

Playing = Callable[[Mapping[str, object]], list[str]]

#  A program that plays the moves in a file, several in turn, and creates another file when its
#  input ends.
PLAYER = """
import json, pathlib, sys
moves = json.loads(pathlib.Path(sys.argv[1]).read_text())
for board in map(str.strip, sys.stdin):
    cells = moves[board] if isinstance(moves[board], list) else [moves[board]]
    print(cells[0])
    cells.append(cells.pop(0))
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


UNBEATABLE = """\
As X, moving first: unbeatable. Of all possible games it wins 71, draws 2 and loses 0.
Against random moves it wins 99.48%, draws 0.52% and loses 0.00% of games. Safe play can win \
at most 99.48%.
Mistakes: 0.

As O, moving second: unbeatable. Of all possible games it wins 386, draws 183 and loses 0.
Against random moves it wins 80.63%, draws 19.37% and loses 0.00% of games. Safe play can win \
at most 91.64%.
Mistakes: 0.

"""


def test_a_perfect_program_is_proved_unbeatable(playing: Playing, tmp_path: Path) -> None:
    """The program is proved unbeatable on both sides, and gets time to end by itself."""
    ended = proved(*playing(perfect()))
    assert (ended.exit_code, ended.stdout, ended.stderr) == (0, UNBEATABLE, "")
    assert (tmp_path / "moves.ended").exists()


@pytest.mark.parametrize("order", [(0, 2, 6, 8), (8, 2, 6, 0)], ids=str)
def test_a_game_that_beats_a_program_is_printed(playing: Playing, order: tuple[int, ...]) -> None:
    """The command prints a game that the program loses, and the final board."""
    moves = rule_follower(order)
    ended = proved("--side", "O", *playing(moves))
    assert (ended.exit_code, ended.stderr) == (1, "")
    assert ended.stdout.startswith("As O, moving second: beatable. ")
    game = re.search("This game beats it: (.*)\\.\n", ended.stdout)
    assert game
    check_lost_game(game[1], moves, ended.stdout)
    for mistake in review_of("O", moves).mistakes:
        results = f"a {mistake.best_outcome} into a {mistake.outcome}"
        changed = f"This is a mistake: it turns {results}. O could have "
        played = f"On {re.escape(mistake.board)}: O plays {mistake.move}, "
        assert re.search(rf"\n{played}.*\. {changed}", ended.stdout)


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


def check_lost_game(game: str, moves: Mapping[str, int], printed: str) -> None:
    """Assert that O plays its moves in a game and loses, and that the final board is printed."""
    board = "." * 9
    for cell in map(int, game.split(", ")):
        assert to_move(board) == "X" or cell == moves[board]
        assert cell in referee.moves(board)
        board = referee.play(board, to_move(board), cell)
    assert referee.has_won(board, "X")
    assert unstyle(drawing(Position.parse(board))) in printed


def test_only_the_first_of_many_mistakes_are_printed(playing: Playing) -> None:
    """The command prints the first ten mistakes, and the number of all mistakes."""
    moves = random_player(0)
    ended = proved("--side", "X", *playing(moves))
    count = len(review_of("X", moves).mistakes)
    assert f"Mistakes: {count}.\n" in ended.stdout
    assert ended.stdout.count("\nOn ") == 10
    assert f"\nMore mistakes: {count - 10}. Add --json to list all.\n" in ended.stdout


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


def test_a_failure_is_reported_after_the_verdict_on_the_other_side(playing: Playing) -> None:
    """A program that fails as O gets its verdict as X, then the error, also with --json."""
    command = playing(perfect() | {"........X": 9})
    ended = proved(*command)
    assert (ended.exit_code, ended.stdout) == (2, UNBEATABLE.partition("As O")[0])
    error = re.fullmatch(
        r"Error: (On the board \.{8}X the program printed '9', not a cell from 0 to 8\. .*)\n",
        ended.stderr,
    )
    assert error
    ended = proved("--json", *command)
    found = json.loads(ended.stdout)
    assert (ended.exit_code, ended.stderr, {*found}) == (
        2,
        "",
        {"X", "error", "starts", "samples", "seconds"},
    )
    assert found["X"]["unbeatable"]
    assert found["error"] == {"code": "not_a_cell", "board": "........X", "detail": error[1]}


def test_a_program_whose_moves_differ_gets_a_remedy(playing: Playing) -> None:
    """The message has both moves, and two ways to go on."""
    command = playing(perfect() | {"XO.......": [4, 6]})
    ended = proved("--side", "X", *command)
    assert (ended.exit_code, ended.stdout) == (2, "")
    assert ended.stderr == (
        "Error: On the board XO....... the program played 4, then 6. Its move must depend on the "
        "board alone. If it "
        "chooses at random, seed it by the board, as with random.seed(board), or add --samples "
        "100 to review its "
        "frequencies.\n"
    )


def test_the_frequencies_of_a_program_are_reviewed(playing: Playing) -> None:
    """Asked twenty times, a program that misses a block three times is beatable in 15% of games."""
    moves = {
        board: cell for board, cell in rule_follower((0, 2, 6, 8)).items() if board != "X...X.O.O"
    }
    command = [
        "--side",
        "X",
        "--samples",
        "20",
        *playing(moves | {"X...X.O.O": [2] * 3 + [7] * 17}),
    ]
    ended = proved(*command)
    assert (ended.exit_code, ended.stderr) == (1, "")
    assert ended.stdout.startswith(
        "As X, moving first: beatable in 20 samples per board. Of all possible games "
    )
    assert (
        "knows these samples can win 15.00% of games, and expect a payoff of 0.150 per game."
        in ended.stdout
    )
    assert (
        "\nOn X...X.O.O (3 of 20 times): X plays 2, the top-right corner, opposite a corner of "
        "O's. " in ended.stdout
    )
    found = json.loads(proved("--json", *command).stdout)
    review = review_of("X", moves, {"X...X.O.O": [0, 0, 3, 0, 0, 0, 0, 17, 0]})
    assert (found["X"], found["samples"]) == (json.loads(json.dumps(asdict(review))), 20)


def test_a_program_that_repeats_its_last_move_is_found_out() -> None:
    """No board is asked twice in a row, so a program that may play two moves on it plays both."""
    moves = {board: [cell, cell] for board, cell in perfect().items()} | {"XO.......": [4, 6]}
    with pytest.raises(ProgramError, match="played 4, then 6"):
        review_program(Repeating(moves), "X", "X", 2)


@pytest.mark.parametrize("samples", [3, 20, 201, 1_000])
@pytest.mark.parametrize("is_rare", [True, False], ids=["rare", "frequent"])
def test_it_is_printed_how_often_a_mistake_is_made(
    samples: int, capsys: pytest.CaptureFixture[str], *, is_rare: bool
) -> None:
    """However rare or frequent a mistake is, the command prints the exact number of times."""
    times = 1 if is_rare else samples - 1
    moves = {board: [cell] * samples for board, cell in perfect().items()}
    moves["XO......."][:times] = [8] * times
    prove(Table(moves), ["X"], "X", samples, as_json=False)
    assert f"\nOn XO....... ({times} of {samples} times): " in capsys.readouterr().out


@pytest.mark.parametrize("options", [[], ["--json"]], ids=["text", "JSON"])
@pytest.mark.parametrize(
    ("output", "status", "error"),
    [
        ("> /dev/full", 2, "Error: Cannot read or write: No space left on device.\n"),
        ("| true", 2, ""),
        (">&-", 0, ""),
    ],
    ids=["a full disk", "a closed pipe", "none"],
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


@pytest.mark.parametrize(
    ("arguments", "error"),
    table("""
no-such-program  as in: best-move prove python3 player.py
--json  Error: Missing argument 'COMMAND...'.
--samples 1 cat  Error: Invalid value for '--samples': 1 is not in the range x>=2.
--timeout 0 cat  Error: Invalid value for '--timeout': 0 is not in the range 1<=x<=86400.
--limit nan cat  Error: Invalid value for '--limit': 'nan' is not a valid integer range.
"""),
)
def test_a_program_that_cannot_start_is_reported(arguments: str, error: str) -> None:
    """The last line says why the program cannot start, and the exit status is 2."""
    ended = proved(*arguments.split())
    assert ended.exit_code == 2
    assert ended.stderr.endswith(f"{error}\n")


def test_options_after_the_program_are_the_programs(playing: Playing) -> None:
    """The command gets only the options before the program; no shell expands its arguments."""
    ended = proved("--side", "X", *playing(perfect()), "--side", "O")
    assert (ended.exit_code, ended.stdout) == (0, UNBEATABLE.partition("As O")[0])
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
            screen.send(number)
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
    assert (ended.returncode, ended.stdout) == (0, UNBEATABLE.partition("As O")[0])


def is_running(pid: int) -> bool:
    """Return whether a process exists and is not a zombie."""
    try:
        return process_status(pid, "State") not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False
