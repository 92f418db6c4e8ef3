"""The options of a search: each command that searches has them, in the same words."""

import click
import pytest

from service import console, tree
from service.engine.position import Position
from service.engine.search_tree import TreeQuestion
from service.oracle import Question

START = Position(0, 0, "X")


def options(command: click.Command) -> dict[str, click.Option]:
    """Return the options of a command by their names."""
    return {each.opts[0]: each for each in command.params if isinstance(each, click.Option)}


@pytest.mark.parametrize("name", ["--algorithm", "--scoring", "--depth"])
def test_the_commands_say_the_same(name: str) -> None:
    """What an option of a search means is told in the same words by each command."""
    one, other = options(console.main)[name], options(tree.main)[name]
    assert one.help
    assert one.help == other.help
    assert one.name == other.name
    assert isinstance(one.type, click.Choice | click.IntRange)


@pytest.mark.parametrize(
    ("command", "question"),
    [(console.main, Question(START)), (tree.main, TreeQuestion(START))],
    ids=["play", "tree"],
)
def test_what_is_left_out_is_as_in_the_question(command: click.Command, question: Question | TreeQuestion) -> None:
    """An option that is not given is what a question has by itself."""
    defaults = {name: option.default for name, option in options(command).items()}
    assert defaults["--algorithm"] == question.algorithm
    assert defaults["--scoring"] == question.scoring
    assert defaults["--depth"] == question.max_depth
