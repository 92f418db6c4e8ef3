"""The game in a terminal, played in a pseudo-terminal, through pipes, and in process."""

import re
import subprocess
from functools import cache, partial
from typing import get_args

import pytest
from click import unstyle
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from best_move.engine import ALGORITHMS
from best_move.engine.choice import Difficulty, TieBreak
from best_move.engine.position import Position
from best_move.oracle import Question, consult
from best_move.terminal import play
from tests import golden
from tests.processes import SECONDS_TO_WAIT, completed
from tests.terminal.terminals import CTRL_C, ENVIRONMENT, PYTHON, in_terminal

CTRL_D = b"\x04"
QUICKEST = ("--algorithm", "transposition_table")


terminal = partial(in_terminal, "play")


def piped(*options: str, typed: bytes = b"") -> subprocess.CompletedProcess[str]:
    """Run the console game with pipes for its input and outputs."""
    command = [*PYTHON, "-m", "best_move", "play", *options]
    process = subprocess.run(
        command, input=typed, capture_output=True, env=ENVIRONMENT, timeout=SECONDS_TO_WAIT, check=False
    )
    return subprocess.CompletedProcess(command, process.returncode, process.stdout.decode(), process.stderr.decode())


def played(*options: str, moves: str = "") -> str:
    """Play in this process, one move per character; return the output."""
    result = CliRunner().invoke(play.main, options, input="".join(f"{move}\n" for move in moves))
    assert result.exit_code == 0, result.output
    return result.output


def moves_in(text: str) -> tuple[int, ...]:
    """Return the moves that a game's text shows: those typed by the user and those announced by the oracle."""
    return tuple(map(int, re.findall(r"^(?:Your move, [XO]:|The oracle \([XO]\) plays) (\d)", text, re.MULTILINE)))


def watched(*options: str) -> tuple[int, ...]:
    """Return the moves of a game that the oracle plays against itself."""
    return moves_in(played("--side", "none", *QUICKEST, *options))


def test_a_game_is_played_to_its_end() -> None:
    """A user who types the hints in a terminal plays the published game."""
    with terminal("--hints") as screen:
        for _ in range(5):
            screen.until("Hint: ")
            move = screen.until(",")[0]
            screen.until("Your move, X: ")
            screen.type(move)
        screen.until("\nA draw.\n")
        assert moves_in(screen.text) == golden.PUBLISHED_GAME
        screen.until("q to quit: ")
        screen.type("q")
        assert screen.ends() == 0
        assert screen.text.endswith("\nGoodbye.\n")


def test_after_an_invalid_move_the_prompt_is_repeated() -> None:
    """After an invalid move the game gives the reason and repeats the same player's prompt."""
    with terminal("--side", "both") as screen:
        screen.until("Your move, X: ")
        screen.type("4")
        for typed, error in [
            ("4", "Cell 4 is taken by X."),
            ("9", "9 is not a cell."),
            ("-1", "-1 is not a cell."),
            ("centre", "That is not a number."),
            ("", "That is not a number."),
            ("1.5", "That is not a number."),
        ]:
            screen.until("Your move, O: ")
            screen.type(typed)
            screen.until(f"{error} Type one of 0, 1, 2, 3, 5, 6, 7, 8, or ? for help.\n")
        screen.until("Your move, O: ")
        screen.type("0")
        screen.until("Your move, X: ")


def test_an_error_names_the_only_free_cell_alone() -> None:
    """The error names the cell without `one of`."""
    assert "\nCell 0 is taken by X. Type 8, or ? for help.\n" in played("--board", "XOXXOOOX.", moves="0")


@pytest.mark.parametrize(
    ("keys", "status"),
    [("q", 0), (" QUIT ", 0), (CTRL_D, 0), (b"1" + CTRL_D * 3, 0), (CTRL_C, 130)],
    ids=["q", "quit", "end of input", "end of input in a line", "Ctrl-C"],
)
def test_quitting_prints_a_goodbye(keys: str | bytes, status: int) -> None:
    """Quitting prints a goodbye on a line of its own, and no traceback."""
    with terminal() as screen:
        screen.until("Your move, X: ")
        screen.type(keys)
        assert screen.ends() == status
        assert screen.text.endswith("\nGoodbye.\n")
        assert "Traceback" not in screen.text


def test_ctrl_c_ends_a_watched_game() -> None:
    """Ctrl-C ends the game that the oracle plays against itself."""
    with terminal("--side", "none") as screen:
        screen.until("The oracle plays itself.")
        screen.type(CTRL_C)
        assert screen.ends() == 130
        assert screen.text.endswith("\nGoodbye.\n")


@pytest.mark.parametrize(
    ("redirection", "options", "status", "end"),
    [
        ("<&-", (), 0, "\nYour move, X: \nGoodbye.\n"),
        (">&-", (), 1, ""),
        (">&-", ("--side", "none"), 1, ""),
        ("<&- >&-", (), 1, ""),
    ],
    ids=["input", "output", "output, watched", "both"],
)
def test_a_closed_stream_ends_the_game_without_an_error_message(
    redirection: str, options: tuple[str, ...], status: int, end: str
) -> None:
    """A closed input ends the game; with a closed output the game exits with status 1 and no message."""
    command = ["/bin/sh", "-c", f'exec "$@" {redirection}', "sh", *PYTHON, "-m", "best_move", "play", *options]
    process = completed(command, env=ENVIRONMENT)
    assert (process.returncode, process.stderr) == (status, "")
    assert process.stdout.endswith(end)
    assert bool(process.stdout) is bool(end)


def test_the_end_of_a_pipe_ends_the_game() -> None:
    """At the end of its input the game says goodbye and exits with status 0."""
    process = piped(typed=b"4\n\xff\n")
    assert (process.returncode, process.stderr) == (0, "")
    assert "That is not a number." in process.stdout
    assert process.stdout.endswith("\nYour move, X: \nGoodbye.\n")


@given(typed=st.lists(st.one_of(st.binary(max_size=9), st.sampled_from([b"%d" % cell for cell in range(10)]))))
def test_the_game_ends_normally_with_any_input(typed: list[bytes]) -> None:
    """With any bytes as input, the game ends with a result, or when the input ends."""
    options = ["--side", "both"]
    result = CliRunner().invoke(play.main, options, input=b"".join(line + b"\n" for line in typed))
    assert result.exit_code == 0
    assert re.search(r"\n(Goodbye|A draw|[XO] wins with \d, \d, \d)\.\n$", result.output)


def test_output_to_a_pipe_has_no_colors() -> None:
    """The output has no escape sequences, and its lines are not wrapped."""
    process = piped("--side", "none")
    assert process.returncode == 0
    assert "\x1b" not in process.stdout
    assert max(map(len, process.stdout.splitlines())) > 100


def test_the_oracle_waits_a_second_before_each_watched_move(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a terminal the oracle waits a second before each move that it plays against itself."""
    waits: list[float] = []
    monkeypatch.setattr(play, "sleep", waits.append)
    monkeypatch.setattr(play, "is_terminal", lambda _: True)
    assert moves_in(unstyle(played("--side", "none", "--played", "0,4,1,2,6,3"))) == golden.PUBLISHED_GAME[6:]
    assert waits == [1, 1, 1]


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
        (("--board", "xxxoo...."), "", "You win with 0, 1, 2."),
    ],
    ids=["the user", "the oracle", "the oracle against itself", "one of two users", "before the first move"],
)
def test_the_winner_is_named_and_the_winning_line_is_marked(options: tuple[str, ...], moves: str, verdict: str) -> None:
    """The verdict names the winner and the cells of the line; the final board has no numbers in its free cells."""
    text = re.sub(" +$", "", played(*options, moves=moves), flags=re.MULTILINE)
    _, board, end = text.rpartition(BOARD_WON_BY_X)
    assert board
    assert end.endswith(f"\n{verdict}\n")
    assert "---" not in end


@pytest.mark.parametrize("side", ["X", "O"])
@pytest.mark.parametrize("starts", ["X", "O"])
def test_no_line_of_play_beats_the_oracle(monkeypatch: pytest.MonkeyPatch, side: str, starts: str) -> None:
    """Against every line of play, on either side, first or second, the oracle wins or draws."""
    monkeypatch.setattr("best_move.terminal.play.consult", cache(consult))
    lines = [""]
    verdicts = set()
    while lines:
        line = lines.pop()
        text = played("--side", side, "--starts", starts, moves=line)
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
        (("--board", "X........", "--starts", "random", "--side", "O"), "You"),
    ],
    ids=" ".join,
)
def test_the_user_may_play_either_side_and_either_side_may_start(options: tuple[str, ...], mover: str) -> None:
    """Whether the user or the oracle moves first follows from the options for side, start and board."""
    assert ("The oracle (" in played(*options).partition("Your move")[0]) is (mover == "The oracle")


@pytest.mark.parametrize("scoring", ["distance", "outcome"])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_search_uses_the_options(algorithm: str, scoring: str) -> None:
    """The first hint's number of nodes is that of the chosen algorithm and scoring."""
    text = played("--algorithm", algorithm, "--scoring", scoring, "--hints")
    nodes = golden.NODES[algorithm, scoring]
    assert re.search(rf"^Search time: [\d.]+ ms for {nodes:,} nodes\.$", text, re.MULTILINE)


def test_the_search_uses_the_depth_of_the_option() -> None:
    """A search of one ply visits the empty board and its nine successors."""
    assert "ms for 10 nodes." in played("--depth", "1", "--hints")


@pytest.mark.parametrize("board", [".........", "XX.OO....", "XO.......", "X.O...X.O"])
def test_hints_and_the_moves_of_the_oracle_are_explained(board: str) -> None:
    """A hint says what the move does and what it leads to; so does the oracle when it plays itself."""
    answer = consult(Question(Position.parse(board)))
    mark = answer.question.position.to_move
    explanation = f"{answer.move}, {answer.text.removeprefix(f'{mark} plays ')} {answer.outlook}".strip()
    assert f"\nHint: {explanation}\n" in played("--board", board, "--side", "both", "--hints")
    assert f"\nThe oracle ({mark}) plays {explanation.partition(' The game is over')[0]}\n" in played(
        "--board", board, "--side", "none"
    )


@pytest.mark.parametrize(
    ("board", "explanation"),
    [
        ("XO..O..X.", "6, the bottom-left corner, and threatens to win in two places."),
        ("X...O...X", "1, the top side, and keeps X from threatening two lines at once."),
    ],
    ids=["a fork", "no fork left"],
)
def test_the_cell_of_a_numbered_move_is_between_commas(board: str, explanation: str) -> None:
    """The name of the cell follows its number, between commas even if the sentence continues with `and`."""
    assert f"\nHint: {explanation} " in played("--board", board, "--side", "both", "--hints")


@pytest.mark.parametrize("hints", [(), ("--hints",)], ids=["without hints", "with hints"])
def test_the_outlook_is_hidden_from_players(hints: tuple[str, ...]) -> None:
    """The game does not say what the oracle's move leads to, because that could reveal a mistake."""
    text = played("--board", "X........", "--side", "X", "--difficulty", "easy", "--seed", "2", *hints)
    assert "\nThe oracle (O) plays 6, the bottom-left corner.\n" in text
    assert "better move" not in text.partition("The oracle (O) plays")[2]


def test_the_option_tie_break_chooses_among_equal_moves() -> None:
    """All first moves are equal: `random` plays each of them with some seed, and `trap` and `first` play cell 0."""
    assert {watched("--tie-break", "random", "--seed", str(seed))[0] for seed in range(40)} == set(range(9))
    assert watched("--tie-break", "trap")[0] == watched("--tie-break", "first")[0] == 0


@pytest.mark.parametrize("difficulty", ["hard", "medium", "easy"])
def test_a_seed_repeats_a_game(difficulty: str) -> None:
    """The same seed always gives the same game, and twenty seeds give more than one game."""
    games, again = ([watched("--difficulty", difficulty, "--seed", str(seed)) for seed in range(20)] for _ in range(2))
    assert games == again
    assert len(set(games)) > 1


def test_each_move_is_random_or_best_independently() -> None:
    """Over many seeds, each of the first two moves is the perfect level's or not, in all four combinations."""
    drawn = set()
    for seed in range(40):
        game = watched("--difficulty", "medium", "--seed", str(seed))
        drawn |= {(game[0] == 0, game[1] == consult(Question(Position(0, 0, "X").play(game[:1]))).move)}
    assert drawn == {(True, True), (True, False), (False, True), (False, False)}


def test_hints_suggest_best_moves_at_the_easy_level() -> None:
    """The difficulty weakens the oracle's moves, not its hints: a user who follows the hints never loses."""
    verdicts = []
    for seed in range(20):
        line = ""
        options = [*QUICKEST, "--difficulty", "easy", "--seed", str(seed), "--hints"]
        while (text := played(*options, moves=line)).endswith("Goodbye.\n"):
            line += re.findall(r"Hint: (\d)", text)[-1]
        verdicts.append(text.splitlines()[-1].partition(" with ")[0])
    assert set(verdicts) <= {"You win", "A draw."}
    assert verdicts.count("You win") > 10


def test_hints_are_given_only_on_request() -> None:
    """By default no turn of a game has a hint or its cost."""
    text = played(moves="0")
    assert text.count("Your move, X: ") == 2
    assert "Hint" not in text
    assert "Evaluation" not in text


@pytest.mark.parametrize(("hints", "count"), [((), 1), (("--hints",), 2)], ids=["once", "on each turn"])
def test_the_command_h_gives_a_hint(hints: tuple[str, ...], count: int) -> None:
    """The command h shows the best move and its cost, also with --hints, and the turn continues."""
    answer = consult(Question(Position.parse("XX.OO....")))
    text = played("--board", "XX.OO....", "--difficulty", "easy", *hints, moves="h")
    assert text.count(f"\nHint: 2, {answer.text.removeprefix('X plays ')}\nSearch time: ") == count
    assert text.count("Your move, X: ") == 2


def test_a_question_mark_lists_the_commands() -> None:
    """The command ? lists all commands, and the turn continues."""
    text = played(moves="?")
    assert re.findall(r"^  (0 to 8|\S) ", text, re.MULTILINE) == ["0 to 8", "u", "h", "?", "q"]
    assert text.count("Your move, X: ") == 2


def boards_in(text: str) -> list[str]:
    """Return the boards in the text of a game, in order."""
    rows = re.findall(r"^    [ \[](.)[ \]]\|[ \[](.)[ \]]\|[ \[](.)[ \]]$", text, re.MULTILINE)
    cells = re.sub("[ 0-8]", ".", "".join(cell for row in rows for cell in row))
    return [cells[start : start + 9] for start in range(0, len(cells), 9)]


@pytest.mark.parametrize(
    ("options", "moves", "boards"),
    [
        ((), "8u", [".........", "....O...X", "........."]),
        ((), "80uu", [".........", "....O...X", "XO..O...X", "....O...X", "........."]),
        (("--side", "both"), "04uu", [".........", "X........", "X...O....", "X........", "........."]),
        (("--side", "O"), "4u", ["X........", "XX..O....", "X........"]),
        (("--played", "0,4,8,1"), "uu", ["XO..O...X", "X...O....", "........."]),
        (("--board", "X...O....", "--played", "8,1"), "uu", ["XO..O...X", "X...O....", "X...O...."]),
    ],
    ids=["a move", "two moves", "of two users", "after the oracle's first", "the moves given", "back to the board"],
)
def test_the_command_u_undoes_the_last_move(options: tuple[str, ...], moves: str, boards: list[str]) -> None:
    """The command u undoes the user's last move and the oracle's reply; without the oracle, only the last move."""
    assert boards_in(played(*options, moves=moves)) == boards


@pytest.mark.parametrize(
    "options",
    [(), ("--side", "both"), ("--side", "O"), ("--board", "X........", "--side", "O")],
    ids=["one user", "two users", "after the oracle's first", "a board without its moves"],
)
def test_there_is_nothing_to_undo_at_the_start(options: tuple[str, ...]) -> None:
    """Before the user's first move, u says that there is nothing to undo, and the board does not change."""
    text = played(*options, moves="u")
    first, second = boards_in(text)
    assert first == second
    assert text.count("\nNothing to undo.\n") == 1


def test_the_last_move_of_a_finished_game_can_be_undone() -> None:
    """In a terminal, u undoes the last move after the end of a game; an unknown command repeats the prompt."""
    with terminal("--board", "XX.OO....") as screen:
        screen.until("Your move, X: ")
        screen.type("2")
        screen.until("You win with 0, 1, 2.\n")
        for typed in ("7", "u"):
            screen.until("Enter to play again, u to undo, q to quit: ")
            screen.type(typed)
        screen.until("Your move, X: ")
        assert boards_in(screen.text)[-1] == "XX.OO...."


def test_enter_starts_another_game() -> None:
    """In a terminal, Enter after the end of a game starts another game from the same position."""
    with terminal("--board", "XX.OO....") as screen:
        for _ in range(2):
            screen.until("Your move, X: ")
            screen.type("2")
            screen.until("Enter to play again, ")
            screen.type("")
        screen.until("Your move, X: ")
        assert boards_in(screen.text)[-1] == "XX.OO...."


def test_the_starting_side_is_chosen_at_random_for_each_game() -> None:
    """With `--starts random` either side may start each game."""
    with terminal("--board", "XX.OO....", "--side", "both", "--starts", "random", "--seed", "4") as screen:
        for side, winning in (("X", "2"), ("O", "5")):
            screen.until(f"Your move, {side}: ")
            screen.type(winning)
            screen.until("Enter to play again, ")
            screen.type("")


@pytest.mark.parametrize("option", ["--help", "-h"])
def test_help_names_every_choice(option: str) -> None:
    """The help shows each option and its choices."""
    text = piped(option).stdout
    options = {name for parameter in play.main.params for name in parameter.opts}
    for word in {*options, *ALGORITHMS, *get_args(Difficulty), *get_args(TieBreak), "X", "O", "both", "none"}:
        assert word in text, word


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (("--side", "Z"), "Invalid value for '--side': 'Z' is not one of 'X', 'O', 'both', 'none'."),
        (("--starts", "Z"), "Invalid value for '--starts': 'Z' is not one of 'X', 'O', 'random'."),
        (("--algorithm", "magic"), "Invalid value for '--algorithm': 'magic' is not one of "),
        (("--depth", "0"), "Invalid value for '--depth': 0 is not in the range 1<=x<=9."),
        (("--difficulty", "hardest"), "Invalid value for '--difficulty': 'hardest' is not one of "),
        (("--tie-break", "last"), "Invalid value for '--tie-break': 'last' is not one of "),
        (("--seed", "-1"), "Invalid value for '--seed': -1 is not in the range 0<=x<=9007199254740991."),
        (("--seed", "9007199254740992"), "Invalid value for '--seed': 9007199254740992 is not in the range "),
        (("--played", "0,4,0"), "Invalid value for '--played': Move 3 plays cell 0, but X took it at move 1. "),
        (("--played", "0,3,1,4,2,5"), "Invalid value for '--played': The game was over before move 6: X had won. "),
        (("--played", "0,,4"), "Invalid value for '--played': '' is not a cell. Cells are numbered 0 to 8."),
        (("--played", "9"), "Invalid value for '--played': '9' is not a cell. Cells are numbered 0 to 8."),
        (("--played", "0", "--board", "X........"), "Invalid value for '--played': Move 1 plays cell 0, but X has it "),
        (("--board", "XO"), "Invalid value for '--board': The board must have 9 cells, not 2."),
        (("--board", "XX......."), "Invalid value for '--board': X has 2 and O has 0 marks, "),
        (("--board", "X........", "--starts", "O"), "Invalid value for '--starts': On this board X started."),
        (("--board", "XXXOOO..."), "Invalid value for '--board': Both X and O have three in a row, "),
        (("--sides", "X"), "No such option '--sides'"),
        (("X",), "Got unexpected extra argument (X)"),
    ],
    ids=" ".join,
)
def test_an_invalid_option_is_rejected(options: tuple[str, ...], error: str) -> None:
    """The command ends with status 2, and its last line says why."""
    result = CliRunner().invoke(play.main, options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.splitlines()[-1].startswith(f"Error: {error}")


def test_the_mistakes_are_listed_at_the_end() -> None:
    """After the last move each mistake is listed above the result, with its move number and the best moves."""
    text = played("--played", "0,1,2", "--side", "both", moves="4356")
    *mistakes, result = text.splitlines()[-5:]
    assert result == "X wins with 0, 3, 6."
    assert mistakes == [
        "Move 2: O plays the top side. This is a mistake: it turns a draw into a loss. O could have played 4.",
        (
            "Move 3: X plays the top-right corner. This is a mistake: it turns a win into a draw. "
            "X could have played 3, 4 or 6."
        ),
        "Move 5: X plays the left side. This is a mistake: it turns a draw into a loss. X could have blocked at 7.",
        "Move 6: O plays the right side. This is a mistake: it turns a win into a loss. O could have won at 7.",
    ]


@pytest.mark.parametrize(
    ("options", "end"),
    [([], ["No side made a mistake.", "A draw."]), (["--board", "XXXOO...."], ["", "X wins with 0, 1, 2."])],
    ids=["a game without mistakes", "no moves"],
)
def test_the_end_of_a_game_states_that_no_side_made_a_mistake(options: list[str], end: list[str]) -> None:
    """After a game without mistakes the text says that no side made a mistake; without moves it does not say so."""
    assert played("--side", "none", *QUICKEST, *options).splitlines()[-2:] == end
