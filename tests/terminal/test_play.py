"""The game in a terminal, played in a pseudo-terminal, through pipes, and in process."""

import re
import subprocess
from functools import cache, partial
from pathlib import Path
from unittest.mock import Mock

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from best_move.__main__ import main
from best_move.engine import ALGORITHMS
from best_move.oracle import consult
from best_move.terminal import play
from tests.plays import Shown, check_play
from tests.processes import SECONDS_TO_WAIT, completed
from tests.terminal.terminals import CTRL_C, ENVIRONMENT, PYTHON, in_terminal
from tests.truth import golden

CTRL_D = b"\x04"


terminal = partial(in_terminal, "play")


def played(*options: str, moves: str = "") -> str:
    """Play in this process, one move per character; return the output."""
    result = CliRunner().invoke(play.main, options, input="".join(f"{move}\n" for move in moves))
    assert result.exit_code == 0, result.output
    return result.output


def moves_in(text: str) -> tuple[int, ...]:
    """Return the moves that a game's text shows: those typed and those announced."""
    return tuple(map(int, re.findall(r"^(?:Your move, [XO]:|[XO] plays) (\d)", text, re.MULTILINE)))


def test_games_and_hints_are_printed_as_approved() -> None:
    """Each command and each typed line prints what is below it; times are left out."""

    def do(lines: list[str]) -> Shown:
        command, *typed = lines
        ended = CliRunner().invoke(main, command.split(), "".join(f"{line}\n" for line in typed))
        printed = re.sub(r"[\d.]+ ms", "… ms", ended.output)
        text = "\n".join(line.rstrip() for line in printed.splitlines())
        return Shown([], {}, {f"status {ended.exit_code}": text})

    check_play(Path(__file__).with_name("play.txt"), do)


def test_a_game_is_played_to_its_end() -> None:
    """A user who types the hints in a terminal plays the published game."""
    with terminal() as screen:
        for _ in range(5):
            screen.until("Your move, X: ")
            screen.type("h")
            screen.until("Hint: X plays ")
            move = screen.until(",")[0]
            screen.until("Your move, X: ")
            screen.type(move)
        screen.until("\nNo side made a mistake.\nThe game is over: it is a draw.\n")
        assert moves_in(screen.text) == golden.PUBLISHED_GAME
        assert screen.ends() == 0


@pytest.mark.parametrize("side", ["X", "O"])
def test_either_side_may_start(side: str) -> None:
    """Drawn by lot, it is each side now and then; the marks on a board may show who started."""

    def first(board: str, starts: str) -> str:
        text = played(board, "--side", side, "--starts", starts)
        mover: str = re.findall("^(?:Your move, )?([XO])(?:: | plays )", text, re.MULTILINE)[0]
        return mover

    for starts in ("X", "O"):
        assert first(".........", starts) == starts
        assert first("X...O....", starts) == starts
    assert {first(".........", "random") for _ in range(40)} == {"X", "O"}
    assert {first("O........", "random") for _ in range(40)} == {"X"}


@pytest.mark.parametrize(
    "keys", ["q", " Q ", CTRL_D, CTRL_C], ids=["q", "Q", "end of input", "Ctrl-C"]
)
def test_quitting_prints_a_goodbye(keys: str | bytes) -> None:
    """Quitting prints a goodbye on a line of its own, and no traceback."""
    with terminal() as screen:
        screen.until("Your move, X: ")
        screen.waits()
        screen.type(keys)
        assert screen.ends() == 0
        assert screen.text.endswith("\nGoodbye.\n")
        assert "Traceback" not in screen.text


@pytest.mark.parametrize("redirection", ["<&-", ">&-", "<&- >&-"], ids=["input", "output", "both"])
def test_a_closed_stream_ends_the_game_without_an_error_message(redirection: str) -> None:
    """Without an input or an output the game exits with status 1 and no message."""
    command = [
        "/bin/sh",
        "-c",
        f'exec "$@" {redirection}',
        "sh",
        *PYTHON,
        "-m",
        "best_move",
        "play",
    ]
    process = completed(command, env=ENVIRONMENT)
    assert (process.returncode, process.stdout, process.stderr) == (1, "", "")


def test_the_end_of_a_pipe_ends_the_game() -> None:
    """The game says goodbye and exits with status 0, without colors or wrapped lines."""
    command = [*PYTHON, "-m", "best_move", "play"]
    output = subprocess.check_output(
        command,
        input=b"4\n\xff\n",
        stderr=subprocess.STDOUT,
        env=ENVIRONMENT,
        timeout=SECONDS_TO_WAIT,
    ).decode()
    assert "Error: '\ufffd' is not one of " in output
    assert output.endswith("\nYour move, X: \nGoodbye.\n")
    assert "\x1b" not in output
    assert max(map(len, output.splitlines())) > 100


@given(
    typed=st.lists(
        st.one_of(st.binary(max_size=9), st.sampled_from([b"%d" % cell for cell in range(10)]))
    )
)
def test_the_game_ends_normally_with_any_input(typed: list[bytes]) -> None:
    """With any bytes as input, the game ends with a result, or when the input ends."""
    result = CliRunner().invoke(play.main, input=b"".join(line + b"\n" for line in typed))
    assert result.exit_code == 0
    assert re.search(
        r"\n(Goodbye|The game is over: (it is a draw|[XO] has won))\.\n$", result.output
    )


@pytest.mark.parametrize("side", ["X", "O"])
def test_no_line_of_play_beats_the_oracle(monkeypatch: pytest.MonkeyPatch, side: str) -> None:
    """Against every line of play, first or second, the oracle wins or draws."""
    monkeypatch.setattr("best_move.terminal.play.consult", cache(consult))
    lines = [""]
    ends = set()
    while lines:
        line = lines.pop()
        text = played("--side", side, moves=line)
        if text.endswith("Goodbye.\n"):
            taken = {*map(int, line), *moves_in(text)}
            lines += [f"{line}{cell}" for cell in range(9) if cell not in taken]
        else:
            ends.add(text.splitlines()[-1])
    loss = f"The game is over: {'O' if side == 'X' else 'X'} has won."
    assert ends == {loss, "The game is over: it is a draw."}


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_search_uses_the_algorithm(algorithm: str) -> None:
    """The first hint's number of nodes is that of the chosen algorithm."""
    text = played("--algorithm", algorithm, moves="h")
    nodes = golden.NODES[algorithm, "distance"]
    assert re.search(rf"^Search time: [\d.]+ ms for {nodes:,} nodes\.$", text, re.MULTILINE)


def test_the_difficulty_weakens_only_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """The difficulty weakens the oracle's moves, not its hints."""
    oracle = Mock(side_effect=consult)
    monkeypatch.setattr(play, "consult", oracle)
    played("--difficulty", "easy", moves="h8")
    asked = [call.args[0].difficulty for call in oracle.call_args_list]
    assert asked == ["perfect", "easy"]


def test_the_outlook_is_hidden_from_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    """The game does not say what the oracle's move leads to, which could reveal a mistake."""
    monkeypatch.setattr(play, "consult", lambda question: consult(question._replace(seed=2)))
    text = played("X........", "--difficulty", "easy")
    assert "\nO plays 6, the bottom-left corner.\n" in text
    assert "better move" not in text
