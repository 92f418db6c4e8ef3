"""The game in a terminal: a user against the oracle."""

import sys
from io import TextIOWrapper
from typing import Any, get_args

import click

from best_move.engine import ALGORITHMS
from best_move.engine.choice import Difficulty
from best_move.engine.position import CELLS, Mark, Position, other
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
def main(*, board: str, side: Mark, **options: Any) -> None:
    """Play tic-tac-toe against the oracle.

    Cells are numbered row by row, from 0 to 8. X moves first. To start from another position, give
    its BOARD: nine cells, row by row, each X, O or '.'.
    """
    if sys.stdout is None or not isinstance(sys.stdin, TextIOWrapper):  # one of them is closed
        sys.exit(1)
    sys.stdin.reconfigure(errors="replace")
    disable_unwanted_colors()
    try:
        start = Position.parse(board.upper())
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="'BOARD'") from None
    sides = f"You are {colored(side)}, the oracle is {colored(other(side))}."
    say(f"{sides} Type the number of a cell, h for a hint, u to undo your last move, or q to quit.")
    try:
        play(start, side, DEFAULTS._replace(**options))
    except (click.Abort, KeyboardInterrupt):
        click.echo("\nGoodbye.")


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
            say(move_text(position, move, numbered=True))
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
    choice = click.Choice([*map(str, position.legal_moves), "h", "u", "q"], case_sensitive=False)
    return click.prompt(
        f"Your move, {colored(position.to_move)}",
        value_proc=lambda typed: choice.convert(typed.strip(), None, None),
    )
