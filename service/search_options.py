"""What the terminal commands share: the options of a search, and the colors of the sides."""

import os
from collections.abc import Callable, Iterable
from typing import Any, Final, TypeVar, get_args

import click

from service.engine.position import CELLS
from service.engine.score import Scoring
from service.engine.search_tree import TreeQuestion
from service.oracle import Question

COLORS: Final = {"X": "cyan", "O": "magenta"}

Function = TypeVar("Function", bound=Callable[..., Any])


def choose_colors() -> None:
    """Print no colors if NO_COLOR is set or the terminal is dumb. click prints none unless there is a terminal."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        click.get_current_context().color = False


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
