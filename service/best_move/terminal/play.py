"""The game in a terminal: a user against the oracle."""

import sys
from contextlib import suppress
from io import TextIOWrapper
from random import choice
from typing import Any, get_args

import click

from best_move.engine import ALGORITHMS
from best_move.engine.position import CELLS, IllegalPositionError, Mark, Position, other
from best_move.engine.question import Difficulty
from best_move.engine.reason import reason_of
from best_move.engine.text import move_text, over_text
from best_move.oracle import Game, Question, consult
from best_move.terminal.screen import colored, disable_unwanted_colors, drawing, mistakes_text, say

DEFAULTS = Question(Position(0, 0, "X"))


@click.command(context_settings={"show_default": True})
@click.argument("board", default="." * CELLS)
@click.option(
    "--side",
    type=click.Choice(get_args(Mark), case_sensitive=False),
    default="X",
    help="The side that you play.",
)
@click.option(
    "--starts",
    type=click.Choice([*get_args(Mark), "random"], case_sensitive=False),
    help="The side that moves first. Default: the one that the marks on BOARD show, or X.",
)
@click.option(
    "--algorithm",
    type=click.Choice([*ALGORITHMS]),
    default=DEFAULTS.algorithm,
    help="The search to run.",
)
@click.option(
    "--difficulty",
    type=click.Choice(get_args(Difficulty)),
    default=DEFAULTS.difficulty,
    help="How well the oracle plays. Hints always show its best move.",
)
def main(*, board: str, side: Mark, starts: str | None, **options: Any) -> None:
    """Play tic-tac-toe against the oracle.

    Cells are numbered row by row, from 0 to 8. A cell may also be typed as its row and its column,
    from 0 to 2. To start from another position, give its BOARD: nine cells, row by row, each X, O
    or '.'.
    """
    if sys.stdout is None or not isinstance(sys.stdin, TextIOWrapper):  # one of them is closed
        sys.exit(1)
    sys.stdin.reconfigure(errors="replace")
    disable_unwanted_colors()
    try:
        start = _started_by(starts, Position.parse(board.upper()))
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'BOARD'") from None
    sides = f"You are {colored(side)}, the oracle is {colored(other(side))}."
    cells = "Type the number of a cell, or its row and column, such as 0 2."
    say(f"{sides} {cells} Type h for a hint, u to undo your last move, or q to quit.")
    try:
        play(start, side, DEFAULTS._replace(**options))
    except (click.Abort, KeyboardInterrupt):
        click.echo("\nGoodbye.")


def _started_by(side: str | None, position: Position) -> Position:
    """Return a position that a side has started; `random` draws a side if either can have.

    Raises IllegalPositionError if the marks show that the other side started.
    """
    match side:
        case "X" | "O":
            return position.started_by(side)
        case "random":
            with suppress(IllegalPositionError):
                return position.started_by(choice(get_args(Mark)))  # noqa: S311, a game
    return position


def play(start: Position, side: Mark, question: Question) -> None:
    """Play until the game is over; raise click.Abort if the user quits or the input ends.

    `question` has the options of the search for the oracle's moves and for hints; hints ignore its
    difficulty.
    """
    moves: list[int] = []
    while (position := start.play(moves)).status == "in_progress":
        asked = question._replace(position=position)
        if position.to_move != side:
            # The line begins with the answer's `move`, whose type includes None.
            move = consult(asked).principal_variation[0]
            moves.append(move)
            # No outlook: it would give the oracle's mistakes away.
            say(move_text(position, move, reason_of(position, move), numbered=True))
            continue
        click.echo(drawing(position))
        match _ask(position):
            case "h":
                _hint(asked)
            case "u" if len(moves) > 1:  # the user's move and the reply
                del moves[-2:]
            case "u":
                say("Nothing to undo.")
            case "q":
                raise click.Abort
            case cell:
                moves.append(int(cell))
    click.echo(drawing(position))
    if moves:
        say(mistakes_text(Game(start, moves)))
    say(over_text(position))


def _hint(question: Question) -> None:
    """Print the best move."""
    hint = consult(question._replace(difficulty="perfect", numbered=True))
    say(f"Hint: {hint.text} {hint.outlook}".rstrip())
    cost = f"Search time: {hint.elapsed_ms} ms for {hint.nodes:,} nodes."
    say(click.style(cost, dim=True))


def _ask(position: Position) -> str:
    """Return the cell or the command that the user types."""
    by_place = {f"{cell // 3} {cell % 3}": str(cell) for cell in position.legal_moves}
    choices = click.Choice([*by_place.values(), "h", "u", "q"], case_sensitive=False)

    def read(typed: str) -> str:
        place = " ".join(typed.replace(",", " ").split())
        return by_place.get(place) or choices.convert(typed.strip(), None, None)

    return click.prompt(f"Your move, {colored(position.to_move)}", value_proc=read)
