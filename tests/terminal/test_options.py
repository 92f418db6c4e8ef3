"""The search options of `play` and `tree`: the same help, and the question's defaults."""

import click
import pytest
from click.testing import CliRunner

from best_move.__main__ import main
from best_move.engine.position import Position
from best_move.engine.search_tree import TreeQuestion
from best_move.oracle import Question
from best_move.terminal import play, tree
from tests.processes import completed
from tests.server import SERVE
from tests.tables import table
from tests.terminal.terminals import ENVIRONMENT

START = Position(0, 0, "X")


def options(command: click.Command) -> dict[str, click.Option]:
    """Return the options of a command by their names."""
    return {each.opts[0]: each for each in command.params if isinstance(each, click.Option)}


@pytest.mark.parametrize("name", ["--algorithm", "--scoring", "--depth"])
def test_play_and_tree_have_the_same_help_for_a_search_option(name: str) -> None:
    """The option has the same name and help in both commands, and its values are limited."""
    one, other = options(play.main)[name], options(tree.main)[name]
    assert one.help
    assert one.help == other.help
    assert one.name == other.name
    assert isinstance(one.type, click.Choice | click.IntRange)


@pytest.mark.parametrize(
    ("command", "question"),
    [(play.main, Question(START)), (tree.main, TreeQuestion(START))],
    ids=["play", "tree"],
)
def test_options_have_the_defaults_of_the_question(
    command: click.Command, question: Question | TreeQuestion
) -> None:
    """An omitted option has the default of the question's field."""
    defaults = {name: option.default for name, option in options(command).items()}
    assert defaults["--algorithm"] == question.algorithm
    assert defaults["--scoring"] == question.scoring
    assert defaults["--depth"] == question.max_depth


@pytest.mark.parametrize(
    ("arguments", "usage", "command"),
    [
        ("play -h", "play [OPTIONS] [BOARD]", play.main),
        ("tree --help", "tree [OPTIONS] BOARD", tree.main),
    ],
    ids=["play", "tree"],
)
def test_help_names_every_choice(arguments: str, usage: str, command: click.Command) -> None:
    """The help shows how to call the command, each option and its choices."""
    text = completed([*SERVE[:1], *arguments.split()], env=ENVIRONMENT).stdout
    assert text.startswith(f"Usage: best-move {usage}\n")
    for each in options(command).values():
        choices = each.type.choices if isinstance(each.type, click.Choice) else []
        for word in (*each.opts, *choices):
            assert word.lower() in text.lower(), word


@pytest.mark.parametrize(
    ("options", "error"),
    table("""
play --side Z  Invalid value for '--side': 'Z' is not one of 'x', 'o'.
play --depth 0  Invalid value for '--depth': 0 is not in the range 1<=x<=9.
play XO  Invalid value for 'BOARD': The board must have 9 cells, not 2.
play XX.......  Invalid value for 'BOARD': X has 2 and O has 0 marks,
play X........ X  Got unexpected extra argument (X)
tree --levels 1  Missing argument 'BOARD'.
tree X........ --starts O  Invalid value for 'BOARD': X has 1 and O has 0 marks, so X started, not
tree ......... --algorithm iterative_deepening  Invalid value for '--algorithm':
tree ......... --levels 10  Invalid value for '--levels': 10 is not in the range 0<=x<=9.
"""),
)
def test_an_invalid_option_is_rejected(options: str, error: str) -> None:
    """The command ends with status 2, and its last line says why."""
    result = CliRunner().invoke(main, options.split())
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.splitlines()[-1].startswith(f"Error: {error}")
