"""The console game: played through a real terminal, through pipes, and by every line a person can choose."""

import os
import pty
import re
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import get_args

import pytest
from click import unstyle
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from service import __version__, console
from service.engine import ALGORITHMS
from service.engine.choice import TIE_BREAKS, Difficulty
from service.engine.position import Position
from service.oracle import Question, consult
from tests import golden

SECONDS = 20
CTRL_C = b"\x03"
CTRL_D = b"\x04"
QUICKEST = ("--algorithm", "transposition_table")

# The package under test, installed or not, whatever folder the tests run in.
PYTHON = [sys.executable, "-P"]
ENVIRONMENT = {"PATH": os.defpath, "PYTHONPATH": str(Path(console.__file__).parents[1]), "TERM": "xterm-256color"}

# A new session whose terminal is standard input: that is what makes Ctrl-C a signal, unless the tests were started
# with that signal ignored, as a shell does in the background.
IN_A_SESSION = """
import os, signal, sys
os.login_tty(0)
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])
"""


class Terminal:
    """A pseudo-terminal with the console game in it, from the person's side."""

    def __init__(self, process: subprocess.Popen[bytes], keyboard_and_screen: int) -> None:
        self._process = process
        self._end = keyboard_and_screen
        self._read = 0
        self.screen = ""
        """Everything printed so far, colours included."""

    @property
    def text(self) -> str:
        """Everything printed so far, without colours."""
        return unstyle(self.screen).replace("\r\n", "\n")

    def until(self, expected: str) -> str:
        """Wait for a text that was not waited for before; return all that was printed up to its end."""
        while (found := self.text.find(expected, self._read)) < 0:
            assert self._receive(), f"{expected!r} was not printed after:\n{self.text[self._read :]}"
        new, self._read = self.text[self._read : found + len(expected)], found + len(expected)
        return new

    def type(self, keys: str | bytes) -> None:
        """Press keys: a text and Enter, or bytes as they are."""
        os.write(self._end, f"{keys}\n".encode() if isinstance(keys, str) else keys)

    def ends(self) -> int:
        """Wait for the end of the game; return the exit status."""
        while self._receive():
            pass
        return self._process.wait(SECONDS)

    def _receive(self) -> bool:
        """Read what has been printed since; return whether there was anything before the end."""
        ready, _, _ = select.select([self._end], [], [], SECONDS)
        assert ready, f"nothing happened for {SECONDS} s after:\n{self.text}"
        try:
            received = os.read(self._end, 65_536)
        except OSError:  # how Linux says that nobody holds the other end any more
            return False
        self.screen += received.decode()
        return bool(received)


@contextmanager
def terminal(*options: str, **variables: str) -> Iterator[Terminal]:
    """Start the console game in a terminal; end it with the block."""
    ours, theirs = pty.openpty()
    command = [*PYTHON, "-c", IN_A_SESSION, *PYTHON, "-m", "service.console", *options]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=ENVIRONMENT | variables) as process:
        os.close(theirs)
        try:
            yield Terminal(process, ours)
        finally:
            process.kill()
            os.close(ours)


def piped(*options: str, typed: bytes = b"") -> subprocess.CompletedProcess[str]:
    """Run the console game with pipes for its input and outputs."""
    command = [*PYTHON, "-m", "service.console", *options]
    process = subprocess.run(command, input=typed, capture_output=True, env=ENVIRONMENT, timeout=SECONDS, check=False)
    return subprocess.CompletedProcess(command, process.returncode, process.stdout.decode(), process.stderr.decode())


def played(*options: str, moves: str = "") -> str:
    """Play in this process, a move for each character; return what is printed."""
    result = CliRunner().invoke(console.main, options, input="".join(f"{move}\n" for move in moves))
    assert result.exit_code == 0, result.output
    return result.output


def moves_in(text: str) -> tuple[int, ...]:
    """Return the moves that a game's text shows, typed and announced."""
    return tuple(map(int, re.findall(r"^(?:Your move, [XO]:|The oracle, [XO], plays) (\d)", text, re.MULTILINE)))


def watched(*options: str) -> tuple[int, ...]:
    """Return the moves of a game that the oracle plays against itself."""
    return moves_in(played("--side", "none", *QUICKEST, *options))


def test_a_game_is_played_to_its_end() -> None:
    """The recommended moves, typed in a terminal, make the published game."""
    with terminal() as screen:
        for _ in range(5):
            screen.until("Recommended move: ")
            move = screen.until(".")[0]
            screen.until("Your move, X: ")
            screen.type(move)
        assert screen.ends() == 0
        assert moves_in(screen.text) == golden.PUBLISHED_GAME
        assert screen.text.endswith("\nA draw.\n")


def test_a_bad_move_is_asked_again() -> None:
    """A move that cannot be played costs a sentence that says why, not the turn."""
    with terminal("--side", "both") as screen:
        screen.until("Your move, X: ")
        screen.type("4")
        for typed, fault in [
            ("4", "Cell 4 is taken by X."),
            ("9", "There is no cell 9."),
            ("-1", "There is no cell -1."),
            ("centre", "That is not a number."),
            ("", "That is not a number."),
            ("1.5", "That is not a number."),
        ]:
            screen.until("Your move, O: ")
            screen.type(typed)
            screen.until(f"{fault} Type one of 0, 1, 2, 3, 5, 6, 7, 8, or q to leave.\n")
        screen.until("Your move, O: ")
        screen.type("0")
        screen.until("Your move, X: ")


@pytest.mark.parametrize(
    ("keys", "status"),
    [("q", 0), (" QUIT ", 0), (CTRL_D, 0), (b"1" + CTRL_D * 3, 0), (CTRL_C, 130)],
    ids=["q", "quit", "end of input", "end of input in a line", "Ctrl-C"],
)
def test_a_person_leaves(keys: str | bytes, status: int) -> None:
    """Whoever leaves gets a farewell on a line of its own, and no traceback."""
    with terminal() as screen:
        screen.until("Your move, X: ")
        screen.type(keys)
        assert screen.ends() == status
        assert screen.text.endswith("\nGoodbye.\n")
        assert "Traceback" not in screen.text


def test_a_watcher_leaves() -> None:
    """Ctrl-C ends the game that the oracle plays against itself."""
    with terminal("--side", "none") as screen:
        screen.until("The oracle plays itself.")
        screen.type(CTRL_C)
        assert screen.ends() == 130
        assert screen.text.endswith("\nGoodbye.\n")


def test_a_pipe_that_ends_is_left() -> None:
    """A game whose moves come through a pipe is left where they end, in plain text and without a complaint."""
    process = piped(typed=b"4\n\xff\n")
    assert (process.returncode, process.stderr) == (0, "")
    assert "That is not a number." in process.stdout
    assert process.stdout.endswith("\nYour move, X: \nGoodbye.\n")


@given(typed=st.lists(st.one_of(st.binary(max_size=9), st.sampled_from([b"%d" % cell for cell in range(10)]))))
def test_whatever_is_typed_is_answered(typed: list[bytes]) -> None:
    """No bytes break the game: it is played to its end, or left where the input ends."""
    options = ["--side", "both", "--no-hints"]
    result = CliRunner().invoke(console.main, options, input=b"".join(line + b"\n" for line in typed))
    assert result.exit_code == 0
    assert re.search(r"\n(Goodbye|A draw|[XO] wins with \d, \d, \d)\.\n$", result.output)


@pytest.mark.parametrize(
    ("variables", "coloured"),
    [({}, True), ({"NO_COLOR": ""}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)],
    ids=["a terminal", "an empty NO_COLOR", "NO_COLOR", "a dumb terminal"],
)
def test_colours_are_for_terminals_that_want_them(variables: dict[str, str], *, coloured: bool) -> None:
    """Marks have colours and free cells are faint in a terminal, unless NO_COLOR or its kind says otherwise."""
    with terminal("--board", "XO.......", **variables) as screen:
        screen.until("Your move, X: ")
        row = "\x1b[36m\x1b[1m X \x1b[0m|\x1b[35m\x1b[1m O \x1b[0m|\x1b[2m 2 \x1b[0m"
        assert (row in screen.screen) is coloured
        assert ("\x1b" in screen.screen) is coloured


def test_a_pipe_has_no_colours() -> None:
    """What goes through a pipe is plain text."""
    process = piped("--side", "none")
    assert process.returncode == 0
    assert "\x1b" not in process.stdout


def test_the_oracle_plays_itself() -> None:
    """The oracle against itself plays the published game, and shows every position of it."""
    text = played("--side", "none")
    assert moves_in(text) == golden.PUBLISHED_GAME
    assert text.count("---+---+---\n") == 2 * 10
    assert text.endswith("\nA draw.\n")


BOARD_WON_BY_X = """
    [X]|[X]|[X]
    ---+---+---
     O | O |
    ---+---+---
       |   |
"""


@pytest.mark.parametrize(
    ("options", "moves", "verdict"),
    [
        (("--board", "XX.OO...."), "2", "You win with 0, 1, 2."),
        (("--board", "XX.OO....", "--side", "O"), "", "The oracle wins with 0, 1, 2."),
        (("--board", "XX.OO....", "--side", "none"), "", "X wins with 0, 1, 2."),
        (("--side", "both"), "03142", "X wins with 0, 1, 2."),
        (("--board", "xxxoo----"), "", "You win with 0, 1, 2."),
    ],
    ids=["a person", "the oracle", "the oracle against itself", "one of two people", "before the first move"],
)
def test_the_winner_is_named_and_the_line_marked(options: tuple[str, ...], moves: str, verdict: str) -> None:
    """The end shows who won, with which line, and no number of a cell that can no longer be played."""
    text = re.sub(" +$", "", played(*options, moves=moves), flags=re.MULTILINE)
    assert text.endswith(f"\n{BOARD_WON_BY_X}\n{verdict}\n")


def test_the_winning_line_stands_out_in_colour() -> None:
    """In a terminal the winning line is shown in reverse."""
    with terminal("--board", "XX.OO....", "--side", "O") as screen:
        assert screen.ends() == 0
        assert screen.screen.count("\x1b[36m\x1b[1m\x1b[7m[X]\x1b[0m") == 3


@pytest.mark.parametrize("side", ["X", "O"])
@pytest.mark.parametrize("starts", ["X", "O"])
def test_no_line_of_play_beats_the_oracle(monkeypatch: pytest.MonkeyPatch, side: str, starts: str) -> None:
    """Whatever a person plays, on either side, first or second, the oracle wins or draws; both happen."""
    monkeypatch.setattr("service.console.consult", cache(consult))
    lines = [""]
    verdicts = set()
    while lines:
        line = lines.pop()
        text = played("--side", side, "--starts", starts, "--no-hints", moves=line)
        if text.endswith("Goodbye.\n"):
            taken = {*map(int, line), *moves_in(text)}
            lines += [f"{line}{cell}" for cell in range(9) if cell not in taken]
        else:
            verdicts.add(text.splitlines()[-1].partition(" with ")[0])
    assert verdicts == {"The oracle wins", "A draw."}


@pytest.mark.parametrize(
    ("options", "mover"),
    [
        ((), "You"),
        (("--side", "O"), "The oracle"),
        (("--starts", "O"), "The oracle"),
        (("--side", "o", "--starts", "o"), "You"),
        (("--board", "X........"), "The oracle"),
        (("--board", "X........", "--starts", "X"), "The oracle"),
        (("--board", "XO.......", "--starts", "O", "--side", "O"), "You"),
    ],
    ids=" ".join,
)
def test_either_side_is_a_persons_and_either_starts(options: tuple[str, ...], mover: str) -> None:
    """The one to move is who the side, the start and the board say."""
    assert played(*options).partition("\n")[2].lstrip().startswith("The oracle, ") is (mover == "The oracle")


@pytest.mark.parametrize("scoring", ["distance", "outcome"])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_search_is_the_one_asked_for(algorithm: str, scoring: str) -> None:
    """The evaluation of the first move is that of the named algorithm and scoring, by its nodes."""
    text = played("--algorithm", algorithm, "--scoring", scoring)
    nodes = golden.NODES[algorithm, scoring]
    assert re.search(rf"^Evaluation time: [\d.]+ ms for {nodes:,} nodes\.$", text, re.MULTILINE)


def test_the_depth_is_the_one_asked_for() -> None:
    """A search of one ply visits the empty board and its nine successors."""
    assert "ms for 10 nodes." in played("--depth", "1")


@pytest.mark.parametrize("board", [".........", "XX.OO....", "XO.......", "X.O...X.O"])
def test_every_move_is_explained(board: str) -> None:
    """A move is recommended, or announced, with the oracle's own reason."""
    answer = consult(Question(Position.parse(board)))
    mark = answer.question.position.to_move
    assert f"\nRecommended move: {answer.move}. {answer.text}\n" in played("--board", board, "--side", "both")
    assert f"\nThe oracle, {mark}, plays {answer.move}. {answer.text}\n" in played("--board", board, "--side", "none")


def test_a_tie_is_broken_as_asked() -> None:
    """Every first move draws: at random each is played with one seed or another, otherwise the lowest corner."""
    assert {watched("--tie-break", "random", "--seed", str(seed))[0] for seed in range(40)} == set(range(9))
    assert watched("--tie-break", "trap")[0] == watched("--tie-break", "first")[0] == 0


@pytest.mark.parametrize("difficulty", ["hard", "medium", "easy"])
def test_a_seed_repeats_a_game(difficulty: str) -> None:
    """The same seed makes the same game, another seed another one."""
    games, again = ([watched("--difficulty", difficulty, "--seed", str(seed)) for seed in range(20)] for _ in range(2))
    assert games == again
    assert len(set(games)) > 1


def test_each_move_has_its_own_chance() -> None:
    """Within a game some moves are drawn at random and others searched, whatever the seed."""
    drawn = set()
    for seed in range(40):
        game = watched("--difficulty", "medium", "--seed", str(seed))
        drawn |= {(game[0] == 0, game[1] == consult(Question(after(game[:1]))).move)}
    assert drawn == {(True, True), (True, False), (False, True), (False, False)}


def after(moves: tuple[int, ...]) -> Position:
    """Return the position after moves from the empty board."""
    position = Position.parse("." * 9)
    for move in moves:
        position = position.after(move)
    return position


def test_an_easy_oracle_recommends_the_best() -> None:
    """The difficulty weakens the oracle's moves, not its advice: whoever follows it never loses and often wins."""
    verdicts = []
    for seed in range(20):
        line = ""
        options = [*QUICKEST, "--difficulty", "easy", "--seed", str(seed)]
        while (text := played(*options, moves=line)).endswith("Goodbye.\n"):
            line += re.findall(r"Recommended move: (\d)", text)[-1]
        verdicts.append(text.splitlines()[-1].partition(" with ")[0])
    assert set(verdicts) <= {"You win", "A draw."}
    assert verdicts.count("You win") > 10


def test_hints_can_be_left_out() -> None:
    """Without hints nothing is recommended and nothing evaluated on a person's turn."""
    text = played("--no-hints")
    assert "Your move, X: " in text
    assert "Recommended" not in text
    assert "Evaluation" not in text


@pytest.mark.parametrize("option", ["--help", "-h"])
def test_help_names_every_choice(option: str) -> None:
    """The help shows each option and what can be chosen."""
    text = piped(option).stdout
    options = {name for parameter in console.main.params for name in parameter.opts}
    for word in {*options, *ALGORITHMS, *get_args(Difficulty), *TIE_BREAKS, "X", "O", "both", "none"}:
        assert word in text, word


def test_the_version_is_told() -> None:
    """The console game has the version of the service."""
    assert played("--version") == f"Best Move, version {__version__}\n"


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (("--side", "Z"), "Invalid value for '--side': 'Z' is not one of "),
        (("--algorithm", "magic"), "Invalid value for '--algorithm': 'magic' is not one of "),
        (("--depth", "0"), "Invalid value for '--depth': 0 is not in the range 1<=x<=9."),
        (("--difficulty", "hardest"), "Invalid value for '--difficulty': 'hardest' is not one of "),
        (("--tie-break", "last"), "Invalid value for '--tie-break': 'last' is not one of "),
        (("--seed", "-1"), "Invalid value for '--seed': -1 is not in the range x>=0."),
        (("--board", "XO"), "Invalid value for '--board': A board has 9 cells, row by row; this one has 2."),
        (("--board", "XX......."), "Invalid value for '--board': X has 2 and O has 0 marks, "),
        (("--board", "X........", "--starts", "O"), "Invalid value for '--starts': On this board X started."),
        (("--board", "XXXOOO..."), "Invalid value for '--board': Both X and O have three in a row, "),
        (("--sides", "X"), "No such option '--sides'"),
        (("X",), "Got unexpected extra argument (X)"),
    ],
    ids=" ".join,
)
def test_a_bad_option_is_refused(options: tuple[str, ...], fault: str) -> None:
    """An option that cannot be used ends the game before it begins, with one line that says why."""
    result = CliRunner().invoke(console.main, options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.splitlines()[-1].startswith(f"Error: {fault}")
