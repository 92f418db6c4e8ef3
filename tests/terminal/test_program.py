"""Programs that play: they are reviewed in many languages, and one that fails gets a remedy."""

import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from math import inf
from pathlib import Path

import pytest

from best_move.terminal.program import Program, ProgramError
from best_move.terminal.prove import review_program
from tests.processes import SECONDS_TO_WAIT, completed, open_files, process_status, wait_until
from tests.server import BIN
from tests.truth.players import SIDES, review_of, table

#  language -> the file of a program that plays the first free cell, and its text
PLAYERS = {
    "awk": ("player.awk", '{ print index($0, ".") - 1; fflush() }'),
    "bash": ("player.sh", 'while read -r board; do taken=${board%%.*}; echo "${#taken}"; done'),
    "C": (
        "player.c",
        """
        #include <stdio.h>
        #include <string.h>
        int main(void) {
            char board[80];
            while (fgets(board, sizeof board, stdin))
                printf("%d\\n", (int)strcspn(board, "."));
        }
        """,
    ),
    "Java": (
        "Player.java",
        """
        public class Player {
            public static void main(String[] arguments) {
                var boards = new java.util.Scanner(System.in);
                while (boards.hasNextLine())
                    System.out.println(boards.nextLine().indexOf('.'));
            }
        }
        """,
    ),
    "Lua": ("player.lua", 'for board in io.lines() do print(board:find(".", 1, true) - 1) end'),
    "Node.js": (
        "player.js",
        """
        const boards = require("node:readline").createInterface({ input: process.stdin });
        boards.on("line", (board) => console.log(board.indexOf(".")));
        """,
    ),
    "Perl": ("player.pl", 'while (<STDIN>) { print index($_, "."), "\\n" }'),
    "PHP": (
        "player.php",
        '<?php while (($board = fgets(STDIN)) !== false) { echo strpos($board, "."), PHP_EOL; }',
    ),
    "Python": ("player.py", 'import sys\nfor board in sys.stdin:\n    print(board.index("."))'),
    "Ruby": ("player.rb", 'STDIN.each_line { |board| puts board.index(".") }'),
}
#  The commands that run them.
COMMANDS = {
    "awk": ["awk", "-W", "interactive", "-f"],  # otherwise mawk reads ahead
    "bash": ["bash"],
    "C": ["cc", "-o"],
    "Java": ["java"],
    "Lua": ["lua"],
    "Node.js": ["node"],
    "Perl": ["perl"],
    "PHP": ["php"],
    "Python": [sys.executable],
    "Ruby": ["ruby"],
}


def require(language: str) -> None:
    """Skip the test or, if PLAYERS_REQUIRED is set, fail if a language is not installed."""
    if not shutil.which("javac" if language == "Java" else COMMANDS[language][0]):
        if os.environ.get("PLAYERS_REQUIRED") and language != "Java":
            pytest.fail(f"PLAYERS_REQUIRED is set, but {language} is not installed")
        pytest.skip(f"{language} is not installed")


def written(language: str, folder: Path) -> list[str]:
    """Write, and compile if it is C, the program in a language; return the command to run it."""
    name, text = PLAYERS[language]
    file = folder / name
    file.write_text(text)
    command = [*COMMANDS[language], str(file)]
    if language == "C":
        completed([*COMMANDS[language], folder / "player", file], check=True)
        return [str(folder / "player")]
    return command


@pytest.mark.parametrize("language", PLAYERS)
def test_programs_in_ten_languages_are_reviewed(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that plays the first free cell gets this player's review in each language.

    Even if the user's terminal forces colors, the program prints none. A language that is not
    installed is skipped or, if PLAYERS_REQUIRED is set, fails, except Java.
    """
    require(language)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("FORCE_COLOR", "1")
    with Program(written(language, tmp_path), SECONDS_TO_WAIT, inf) as program:
        reviews = {side: review_program(program, side, "X", 2) for side in SIDES}
    first_free = table(lambda board: board.index("."))
    assert reviews == {side: review_of(side, first_free) for side in SIDES}


def ask_twice(command: list[str], timeout: float, limit: float) -> None:
    """Ask a program for its moves on two boards."""
    with Program(command, timeout, limit) as program:
        program.move(".........")
        program.move("....X...O")


def failure(
    command: list[str], timeout: float = SECONDS_TO_WAIT, limit: float = inf
) -> ProgramError:
    """Return the error of a program that fails on one of two boards."""
    with pytest.raises(ProgramError) as raised:
        ask_twice(command, timeout, limit)
    return raised.value


@pytest.mark.parametrize(
    "command",
    [
        ["sh", "-c", "read board; echo 4; read board; echo 0"],
        ["sh", "-c", "while read board; do echo 4; done"],
        ["sh", "-c", "exit 3"],
        ["no-such-program"],
    ],
    ids=["plays", "takes a cell twice", "ends", "cannot start"],
)
def test_no_file_of_a_program_stays_open(command: list[str]) -> None:
    """After the program has played or failed, this process has as many open files as before."""
    before = open_files(os.getpid())
    program = Program(command, SECONDS_TO_WAIT, inf)
    with suppress(ProgramError), program:
        program.move(".........")
        program.move("....X...O")
    assert open_files(os.getpid()) == before


#  Starts processes that stay in the program's group, leave its session, or become daemons, and
#  writes their IDs; then plays the first free cell, unless it is to fail.
WITH_CHILDREN = """
import subprocess, sys, time
pids, how = sys.argv[1:]
for before in ("", "setsid ", "setsid setsid --fork "):
    command = f"{before}sh -c 'echo $$ >> {pids}; exec sleep 600' &"
    subprocess.run(command, shell=True, stdout=subprocess.DEVNULL)
while len(open(pids).readlines()) < 3:
    time.sleep(0.01)
for board in sys.stdin:
    if how == "hangs":
        time.sleep(600)
    print(board.index(".") if how == "plays" else "nothing", flush=True)
"""


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="there is no /proc")
@pytest.mark.parametrize("how", ["plays", "fails", "hangs"])
def test_no_process_of_a_program_is_left(tmp_path: Path, how: str) -> None:
    """After a verdict, a failure or a signal, each process that the program started has ended."""
    pids = tmp_path / "pids"
    pids.touch()

    def started() -> list[int]:
        return [int(line) for line in pids.read_text().split()]

    program = [sys.executable, "-c", WITH_CHILDREN, str(pids), how]
    command = [str(BIN / "best-move"), "prove", *program]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as prove:
        if how == "hangs":
            wait_until(lambda: len(started()) == 3, "the program has started its processes")
            prove.terminate()
        status = prove.wait(SECONDS_TO_WAIT)
    assert status == {"plays": 1, "fails": 2, "hangs": 128 + signal.SIGTERM}[how]
    assert len(started()) == 3
    wait_until(lambda: not any(map(is_running, started())), "the processes have ended")


def is_running(pid: int) -> bool:
    """Return whether a process runs, and is no zombie."""
    try:
        return process_status(pid, "State") != "Z"
    except FileNotFoundError:
        return False


def test_a_program_gets_time_to_end_by_itself(tmp_path: Path) -> None:
    """At the end of its input a program may still write a file."""
    file = tmp_path / "ended"
    script = f"read board; echo 4; read board; sleep 0.2; touch {file}"
    with Program(["sh", "-c", script], SECONDS_TO_WAIT, inf) as program:
        program.move(".........")
    assert file.exists()


END = "It must read boards until its input ends. To see why it ends, start it by hand and type "
GO_ON = f"{END}this board."
CELL = (
    "For each board it must print one line with the number of a free cell and nothing else. Cells "
    "count from 0 to 8, "
    "row by row: 3 * row + column, both from 0. Print anything else to standard error."
)
IN_TURN = (
    "It must end and flush its line for each board before it reads the next one, and must not wait "
    "for the end of its input; mawk needs `-W interactive`. "
    "If it is only slow, raise --timeout."
)
SLOW = (
    "It answered other boards, so on this one it is slow or does not end. "
    "If it is only slow, raise --timeout."
)
SCRIPT = (
    "Start a script with its interpreter, and pass arguments as words of their own, as in: "
    "best-move prove python3 "
    "player.py"
)

#  A shell script that fails to play -> the code of its error, the boards that it answered before,
#  and the message.
FAILURES = {
    "read board; echo 4": ("ended", 1, f"exited with status 0. {END}the boards up to this one."),
    "exit 3": ("ended", 0, f"exited with status 3. {GO_ON}"),
    "kill -9 $$": ("ended", 0, f"was killed by signal 9. {GO_ON}"),
    "exec >&-; sleep 600": ("ended", 0, f"closed its output. {GO_ON}"),
    "while read board; do echo 4; done": (
        "cell_taken",
        1,
        f"played cell 4, which X has taken. {CELL}",
    ),
    "printf '4\\nBest of 9\\n'": (
        "several_lines",
        0,
        f"printed 'Best of 9' after the cell. {CELL}",
    ),
}
#  A shell script that prints no cell -> the line as the message quotes it.
NOT_CELLS = {
    "read board; echo e4": "'e4'",
    "read board; echo": "''",
    "read board; echo 9": "'9'",
    "yes x | tr -d '\\n'": f"'{'x' * 40}'",
}
FAILURES |= {
    script: ("not_a_cell", 0, f"printed {line}, not a cell from 0 to 8. {CELL}")
    for script, line in NOT_CELLS.items()
}


@pytest.mark.parametrize("script", FAILURES)
def test_a_program_that_does_not_play_gets_a_remedy(script: str) -> None:
    """The message has the board, what the program did, and what to change."""
    code, answered, message = FAILURES[script]
    board = [".........", "....X...O"][answered]
    error = failure(["sh", "-c", script])
    assert (error.code, error.board, error.message) == (
        code,
        board,
        f"On the board {board} the program {message}",
    )


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("cat >&2", f"printed no line within 1 s. {IN_TURN}"),
        (
            "read board; printf 4; cat >&2",
            f"printed '4', but no end of the line within 1 s. {IN_TURN}",
        ),
        ("read board; echo 4; cat >&2", f"printed no line within 1 s. {SLOW}"),
    ],
    ids=["nothing", "no end", "one cell"],
)
def test_a_program_that_prints_no_line_gets_a_remedy(script: str, message: str) -> None:
    """A program that has answered is slow or loops; another one reads ahead or does not flush."""
    error = failure(["sh", "-c", script], timeout=1)
    board = "....X...O" if SLOW in message else "........."
    assert (error.code, error.message) == ("timeout", f"On the board {board} the program {message}")


def test_a_program_that_is_too_slow_in_all_is_stopped() -> None:
    """The limit for all boards holds, even if each answer is in time."""
    error = failure(["sh", "-c", "sleep 600"], limit=0.1)
    message = "exceeded the limit of 0.1 s for all boards. If it is only slow, raise --limit."
    assert (error.code, error.message) == ("limit", f"On the board ......... the program {message}")


@pytest.mark.parametrize(
    ("mode", "reason"),
    [(0o644, "Permission denied"), (0o755, "Exec format error")],
    ids=["no command", "no format"],
)
def test_a_file_without_its_interpreter_gets_a_remedy(
    tmp_path: Path, mode: int, reason: str
) -> None:
    """The message says to start the file with its interpreter, executable or not."""
    file = tmp_path / "player.py"
    file.write_text("print(4)")
    file.chmod(mode)
    error = failure([str(file)])
    assert (error.code, error.board, error.message) == (
        "cannot_start",
        None,
        f"Cannot start {file}: {reason}. {SCRIPT}",
    )


@pytest.mark.parametrize("command", ["no-such-program", "python3 player.py"])
def test_an_unknown_command_is_reported(command: str) -> None:
    """The message says that there is no such command, and how to write one."""
    assert (
        failure([command]).message == f"Cannot start {command}: No such file or directory. {SCRIPT}"
    )
