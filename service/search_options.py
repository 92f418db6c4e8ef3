"""Search options of the terminal commands."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar, get_args

import click

from service.engine.position import CELLS
from service.engine.score import Scoring
from service.engine.search_tree import TreeQuestion
from service.oracle import Question

Function = TypeVar("Function", bound=Callable[..., Any])


def search_options(algorithms: Iterable[str], defaults: Question | TreeQuestion) -> Callable[[Function], Function]:
    """Return a decorator that adds --algorithm with these choices, --scoring and --depth to a command."""
    algorithm = click.option(
        "--algorithm",
        type=click.Choice(tuple(algorithms), case_sensitive=False),
        default=defaults.algorithm,
        show_default=True,
        help="The search to run.",
    )
    scoring = click.option(
        "--scoring",
        type=click.Choice(get_args(Scoring), case_sensitive=False),
        default=defaults.scoring,
        show_default=True,
        help="Prefer the quickest win and the slowest loss, or ignore the length of the game.",
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
