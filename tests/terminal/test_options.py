"""The search options of `play` and `tree`: the same help, and the question's defaults."""

import click
import pytest

from best_move.engine.position import Position
from best_move.engine.search_tree import TreeQuestion
from best_move.oracle import Question
from best_move.terminal import play, tree

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
