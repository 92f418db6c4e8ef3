"""The output of the terminal commands in a pseudo-terminal: colors and wrapped lines."""

from functools import partial

import pytest

from best_move.engine.position import Position
from best_move.oracle import Question, consult
from tests.terminal.terminals import in_terminal

terminal = partial(in_terminal, "play")


@pytest.mark.parametrize(
    ("variables", "colored"),
    [({}, True), ({"NO_COLOR": ""}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)],
    ids=["a terminal", "an empty NO_COLOR", "NO_COLOR", "a dumb terminal"],
)
def test_a_terminal_gets_colors_unless_they_are_disabled(
    variables: dict[str, str], *, colored: bool
) -> None:
    """In a terminal marks have colors, unless NO_COLOR has a value or TERM is dumb."""
    with terminal("XO.......", variables=variables) as screen:
        screen.until("Your move, X: ")
        row = "\x1b[36m X \x1b[0m|\x1b[35m O \x1b[0m|\x1b[2m 2 \x1b[0m"
        assert (row in screen.screen) is colored
        assert ("\x1b" in screen.screen) is colored


@pytest.mark.parametrize("columns", [30, 80])
def test_lines_are_wrapped_between_words(columns: int) -> None:
    """No line is longer than the terminal is wide, and none breaks within a word."""
    answer = consult(Question(Position.parse("XX.O....."), numbered=True))
    with terminal("XX.O.....", "--side", "O", columns=columns) as screen:
        screen.until("Your move, O: ")
        screen.type("h")
        screen.until("Your move, O: ")
        assert max(map(len, screen.text.splitlines())) <= columns
        hint = f"Hint: {answer.text} {answer.outlook} Search time: "
        assert hint in " ".join(screen.text.split())
