"""The options and the board that terminal commands share."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar, get_args

import click

from best_move.engine.position import CELLS, Mark, Position
from best_move.engine.score import Scoring
from best_move.engine.search_tree import TreeQuestion
from best_move.oracle import Question

Function = TypeVar("Function", bound=Callable[..., Any])


def choice_option(
    name: str, choices: Iterable[str], default: str | None, meaning: str
) -> Callable[[Function], Function]:
    """Return a decorator that adds an option with these choices, in either case, to a command."""
    choice = click.Choice(choices, case_sensitive=False)
    return click.option(name, type=choice, default=default, show_default=True, help=meaning)


def search_options(
    algorithms: Iterable[str], defaults: Question | TreeQuestion
) -> Callable[[Function], Function]:
    """Return a decorator that adds --algorithm with these choices, --scoring and --depth."""
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


def read_board(board: str, starts: Mark | None = None) -> Position:
    """Return the position of the argument BOARD, in either case; raise click.BadParameter."""
    try:
        position = Position.parse(board.upper())
        return position.started_by(starts or position.starts)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'BOARD'") from None
