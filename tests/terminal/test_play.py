"""The game in a terminal, played in a pseudo-terminal, through pipes, and in process."""

import re
import subprocess
from functools import cache, partial
from unittest.mock import Mock

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from best_move.engine import ALGORITHMS
from best_move.engine.position import Position, other
from best_move.oracle import Question, consult
from best_move.terminal import play
from tests.processes import SECONDS_TO_WAIT, completed
from tests.tables import table
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


def test_after_an_invalid_move_the_prompt_is_repeated() -> None:
    """After an invalid move the game lists what can be typed and repeats the prompt."""
    with terminal("XOX.OXO..") as screen:
        screen.until("Your move, X: ")
        for typed in ("4", "9", "-1", "centre", "1.5"):
            screen.type(typed)
            screen.until(f"Error: '{typed}' is not one of '3', '7', '8', 'h', 'u', 'q'.\n")
            screen.until("Your move, X: ")
        screen.type("")
        screen.until("Your move, X: ")
        screen.type(" 3 ")
        screen.until("O plays 7, ")


@pytest.mark.parametrize("typed", ["1 0", "1,0", " 1, 0 "])
def test_a_cell_may_be_typed_as_its_row_and_column(typed: str) -> None:
    """They count from 0; an error shows what was typed."""
    results = [
        CliRunner().invoke(play.main, ["XOX.OXO.."], input=f"0 0\n0 3\n1 0 0\n{cell}\n")
        for cell in (typed, "3")
    ]
    assert results[0].output.replace(f": {typed}\n", ": 3\n") == results[1].output
    wrong = re.findall("Error: '(.*?)' is not one of '3', '7', '8', ", results[0].output)
    assert wrong == ["0 0", "0 3", "1 0 0"]


def first_to_move(*options: str) -> str:
    """Return the side that moves first in a game."""
    found = re.search("^(?:Your move, )?([XO])(?:: | plays )", played(*options), re.MULTILINE)
    assert found
    return found[1]


@pytest.mark.parametrize("side", ["X", "O"])
def test_either_side_may_start(side: str) -> None:
    """Drawn by lot, it is each side now and then; the marks on a board may show who started."""
    for starts in ("X", "O"):
        assert first_to_move("--side", side, "--starts", starts) == starts
        assert first_to_move("X...O....", "--side", side, "--starts", starts) == starts
    drawn = {first_to_move("--side", side, "--starts", "random") for _ in range(40)}
    assert drawn == {"X", "O"}
    shown = {first_to_move("O........", "--side", side, "--starts", "random") for _ in range(40)}
    assert shown == {"X"}


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


BOARD_WON_BY_X = """
    [X]|[X]|[X]
    ---+---+---
     O | O |
    ---+---+---
       |   |
"""


@pytest.mark.parametrize(
    ("options", "moves"),
    [(("XX.OO....",), "2"), (("XX.OO....", "--side", "O"), ""), (("xxxoo....",), "")],
    ids=["the user", "the oracle", "before the first move"],
)
def test_the_winner_is_named_and_the_winning_line_is_marked(
    options: tuple[str, ...], moves: str
) -> None:
    """The last line names the winner; the final board marks the line, and has no numbers."""
    text = re.sub(" +$", "", played(*options, moves=moves), flags=re.MULTILINE)
    _, board, end = text.rpartition(BOARD_WON_BY_X)
    assert board
    assert end.endswith("\nThe game is over: X has won.\n")
    assert "---" not in end


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


@pytest.mark.parametrize(
    ("arguments", "error"),
    table("""
--side Z  Invalid value for '--side': 'Z' is not one of 'x', 'o'.
--algorithm best  Invalid value for '--algorithm': 'best' is not one of 'minimax',
XO  Invalid value for 'BOARD': The board must have 9 cells, not 2.
XX.......  Invalid value for 'BOARD': X has 2 and O has 0 marks,
X........ --starts O  Invalid value for 'BOARD': X has 1 and O has 0 marks, so X started, not O.
X........ X  Got unexpected extra argument (X)
"""),
)
def test_an_invalid_argument_is_rejected(arguments: str, error: str) -> None:
    """The command ends with status 2, and its last line says why."""
    result = CliRunner().invoke(play.main, arguments.split())
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.splitlines()[-1].startswith(f"Error: {error}")


@pytest.mark.parametrize("board", [".........", "XX.OO....", "XO.......", "X.O...X.O"])
def test_hints_and_the_moves_of_the_oracle_are_explained(board: str) -> None:
    """A hint says what the move does and leads to; the oracle says only what its move does."""
    answer = consult(Question(Position.parse(board), numbered=True))
    mark = answer.question.position.to_move
    does = answer.text
    assert f"\nHint: {f'{does} {answer.outlook}'.strip()}\n" in played(
        board, "--side", mark, moves="h"
    )
    assert f"\n{does.partition(' The game is over')[0]}\n" in played(board, "--side", other(mark))


def test_the_outlook_is_hidden_from_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    """The game does not say what the oracle's move leads to, which could reveal a mistake."""
    monkeypatch.setattr(play, "consult", lambda question: consult(question._replace(seed=2)))
    text = played("X........", "--difficulty", "easy")
    assert "\nO plays 6, the bottom-left corner.\n" in text
    assert "better move" not in text


def test_hints_are_given_only_on_request() -> None:
    """By default no turn of a game has a hint or its cost."""
    text = played(moves="0")
    assert text.count("Your move, X: ") == 2
    assert "Hint" not in text
    assert "Search time" not in text


def boards_in(text: str) -> list[str]:
    """Return the boards in the text of a game, in order."""
    rows = re.findall(r"^    [ \[](.)[ \]]\|[ \[](.)[ \]]\|[ \[](.)[ \]]$", text, re.MULTILINE)
    cells = re.sub("[ 0-8]", ".", "".join(cell for row in rows for cell in row))
    return [cells[start : start + 9] for start in range(0, len(cells), 9)]


@pytest.mark.parametrize(
    ("options", "moves", "boards"),
    table("""
.........  80uu  ......... ....O...X XO..O...X ....O...X .........
--side O  4u  X........ XX..O.... X........
X...O....  8u  X...O.... XO..O...X X...O....
"""),
)
def test_the_command_u_undoes_the_last_move(options: str, moves: str, boards: str) -> None:
    """The command u undoes the user's last move and the oracle's reply."""
    assert boards_in(played(*options.split(), moves=moves)) == boards.split()


@pytest.mark.parametrize("options", ["--side O", "X........ --side O"])
def test_there_is_nothing_to_undo_at_the_start(options: str) -> None:
    """Before the user's first move, u says that there is nothing to undo and changes nothing."""
    text = played(*options.split(), moves="u")
    first, second = boards_in(text)
    assert first == second
    assert text.count("\nNothing to undo.\n") == 1


def test_the_mistakes_are_listed_at_the_end() -> None:
    """After the last move each mistake is listed above the result, with the best moves."""
    *mistakes, result = played("XOX...O..", moves="45").splitlines()[-3:]
    assert result == "The game is over: O has won."
    assert mistakes == [
        (
            "Move 1: X plays the center and keeps O from threatening two lines at once. This is a "
            "mistake: it turns a "
            "win into a draw. X could have threatened two lines at once with 8."
        ),
        (
            "Move 3: X plays the right side. This is a mistake: it turns a draw into a loss. X "
            "could have blocked at 7."
        ),
    ]


@pytest.mark.parametrize(
    ("options", "moves", "end"),
    [
        (["--side", "O"], "4237", ["No side made a mistake.", "The game is over: it is a draw."]),
        (["XXXOO...."], "", ["", "The game is over: X has won."]),
    ],
    ids=["a game without mistakes", "no moves"],
)
def test_the_end_of_a_game_states_that_no_side_made_a_mistake(
    options: list[str], moves: str, end: list[str]
) -> None:
    """After a game without mistakes the text says so; without moves it does not."""
    assert played(*options, moves=moves).splitlines()[-2:] == end
