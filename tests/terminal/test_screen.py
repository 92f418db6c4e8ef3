"""The output of the terminal commands in a pseudo-terminal: colors, wrapped lines and cleared screens."""

from functools import partial

import pytest
from click import unstyle

from best_move.engine.position import Position
from best_move.oracle import Question, consult
from tests.terminal.terminals import in_terminal

CLEARED = "\x1b[2J\x1b[1;1H"

terminal = partial(in_terminal, "play")


@pytest.mark.parametrize(
    ("variables", "colored"),
    [({}, True), ({"NO_COLOR": ""}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)],
    ids=["a terminal", "an empty NO_COLOR", "NO_COLOR", "a dumb terminal"],
)
def test_a_terminal_gets_colors_unless_they_are_disabled(variables: dict[str, str], *, colored: bool) -> None:
    """In a terminal marks have colors and free cells are faint, unless NO_COLOR has a value or TERM is dumb."""
    with terminal("--board", "XO.......", variables=variables) as screen:
        screen.until("Your move, X: ")
        row = "\x1b[36m\x1b[1m X \x1b[0m|\x1b[35m\x1b[1m O \x1b[0m|\x1b[2m 2 \x1b[0m"
        assert (row in screen.screen) is colored
        assert ("\x1b" in screen.screen) is colored


@pytest.mark.parametrize("columns", [30, 80])
def test_lines_are_wrapped_between_words(columns: int) -> None:
    """No line is longer than the terminal is wide, and none breaks within a word."""
    answer = consult(Question(Position.parse("XX.O.....")))
    with terminal("--played", "0,3,1", "--side", "both", "--hints", columns=columns) as screen:
        screen.until("Your move, O: ")
        screen.type("nothing")
        screen.until("That is not a number.")
        screen.until("Your move, O: ")
        assert max(map(len, screen.text.splitlines())) <= columns
        hint = f"Hint: 2, {answer.text.removeprefix('O plays ')} {answer.outlook} Search time: "
        assert hint in " ".join(screen.text.split())


def test_a_terminal_shows_each_turn_on_a_cleared_screen() -> None:
    """In a terminal each turn clears the screen and repeats the title."""
    with terminal() as screen:
        for move in "80":
            screen.until("Your move, X: ")
            screen.type(move)
        screen.until("Your move, X: ")
        assert screen.screen.startswith(CLEARED)
        assert [unstyle(shown)[:8] for shown in screen.screen.split(CLEARED)[1:]] == ["You are "] * 3


def test_the_winning_line_is_highlighted() -> None:
    """In a terminal the winning line is shown in reverse video."""
    with terminal("--board", "XX.OO....", "--side", "O") as screen:
        screen.until("The oracle wins with 0, 1, 2.")
        assert screen.screen.count("\x1b[36m\x1b[1m\x1b[7m[X]\x1b[0m") == 3
