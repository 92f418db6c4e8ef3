"""The options of a search, for all terminal commands."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar, get_args

import click
from typing_extensions import override

from best_move.engine.position import CELLS
from best_move.engine.score import Scoring
from best_move.engine.search_tree import TreeQuestion
from best_move.oracle import Question

Function = TypeVar("Function", bound=Callable[..., Any])


class Choice(click.Choice[str]):
    """Choices that are accepted in upper or lower case; help and errors show them as they are listed."""

    @override
    def normalize_choice(self, choice: object, ctx: click.Context | None) -> str:
        text = str(choice)
        return next((listed for listed in self.choices if listed.lower() == text.lower()), text)


def choice_option(
    name: str, choices: Iterable[str], default: str | None, meaning: str
) -> Callable[[Function], Function]:
    """Return a decorator that adds an option with these choices, in upper or lower case, to a command."""
    return click.option(name, type=Choice(choices), default=default, show_default=True, help=meaning)


def search_options(algorithms: Iterable[str], defaults: Question | TreeQuestion) -> Callable[[Function], Function]:
    """Return a decorator that adds --algorithm with these choices, --scoring and --depth to a command."""
    algorithm = choice_option("--algorithm", algorithms, defaults.algorithm, "The search to run.")
    scoring = choice_option(
        "--scoring",
        get_args(Scoring),
        defaults.scoring,
        "Prefer the quickest win and the slowest loss, or ignore the length of the game.",
    )
    depth = click.option(
        "--depth",
        "max_depth",
        type=click.IntRange(1, CELLS),
        metavar="PLIES",
        default=defaults.max_depth,
        show_default=True,
        help="Search depth in plies.",
    )
    return lambda function: algorithm(scoring(depth(function)))
