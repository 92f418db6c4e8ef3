"""The game in a terminal: a person against the oracle, two people, or the oracle against itself."""

import os
import sys
from dataclasses import replace
from time import sleep
from typing import Any, Final, Literal, get_args

import click

from service import __version__
from service.engine import ALGORITHMS
from service.engine.choice import TIE_BREAKS, Difficulty
from service.engine.position import (
    CELLS,
    IllegalPositionError,
    InvalidBoardError,
    Mark,
    Position,
    other,
)
from service.engine.score import Scoring
from service.oracle import Answer, Question, consult

People = Literal["X", "O", "both", "none"]

COLOURS: Final = {"X": "cyan", "O": "magenta"}
RULE: Final = "    ---+---+---"
SECONDS_TO_WATCH: Final = 1.0
INTERRUPTED: Final = 130  # the exit status that a shell gives to a command ended by Ctrl-C
DEFAULTS: Final = Question(Position(0, 0, "X"))


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--side",
    type=click.Choice(get_args(People), case_sensitive=False),
    metavar="[X|O|both|none]",
    default="X",
    show_default=True,
    help="The side that you play; 'both' for two people, 'none' to watch the oracle play itself.",
)
@click.option(
    "--starts",
    type=click.Choice(get_args(Mark), case_sensitive=False),
    metavar="[X|O]",
    show_default="X, or as the board shows",
    help="The side that starts.",
)
@click.option(
    "--board",
    default="." * CELLS,
    metavar="CELLS",
    help="The position to start from: nine cells, row by row, each X, O or '.'.",
)
@click.option("--hints/--no-hints", default=True, show_default=True, help="Recommend a move on your turn.")
@click.option(
    "--algorithm",
    type=click.Choice(tuple(ALGORITHMS), case_sensitive=False),
    default=DEFAULTS.algorithm,
    show_default=True,
    help="The search.",
)
@click.option(
    "--scoring",
    type=click.Choice(get_args(Scoring), case_sensitive=False),
    default=DEFAULTS.scoring,
    show_default=True,
    help="Prefer the quickest win and the slowest loss, or look at the outcome alone.",
)
@click.option(
    "--depth",
    "max_depth",
    type=click.IntRange(1, CELLS),
    default=DEFAULTS.max_depth,
    show_default=True,
    help="How many plies the search looks ahead.",
)
@click.option(
    "--difficulty",
    type=click.Choice(get_args(Difficulty), case_sensitive=False),
    default=DEFAULTS.difficulty,
    show_default=True,
    help="How well the oracle plays. What it recommends is always its best.",
)
@click.option(
    "--tie-break",
    type=click.Choice(tuple(TIE_BREAKS), case_sensitive=False),
    default=DEFAULTS.tie_break,
    show_default=True,
    help="Among equally good moves: the lowest cell, one at random, or the one that is hardest to answer.",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    metavar="NUMBER",
    help="Make the same random choices in every game with this number.",
)
@click.version_option(__version__, prog_name="Best Move")
def main(*, side: People, starts: Mark | None, board: str, hints: bool, **search: Any) -> None:
    """Play tic-tac-toe against the oracle.

    Type the number of a cell to play it, q to leave. Cells are numbered row by row, from 0 to 8.
    """
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        click.get_current_context().color = False
    question = Question(_starting_position(board, starts), **search)
    try:
        play(question, side, hints=hints)
    except KeyboardInterrupt:
        click.echo("\nGoodbye.")
        sys.exit(INTERRUPTED)


def play(question: Question, people: People, *, hints: bool) -> None:
    """Play from the question's position to the end of the game, or until a person leaves it.

    The other fields of the question say how the oracle chooses its moves, and but for the difficulty also how it
    chooses those that it recommends.
    """
    position = question.position
    click.echo(_welcome(people))
    while position.status == "in_progress":
        asked = replace(question, position=position)
        if people in ("both", position.to_move):
            click.echo(drawing(position))
            if hints:
                click.echo(_recommendation(consult(replace(asked, difficulty="perfect"))))
            move = _ask(position)
            if move is None:
                click.echo("Goodbye.")
                return
        else:
            if people == "none":
                click.echo(drawing(position))
                sleep(SECONDS_TO_WATCH if sys.stdout.isatty() else 0)
            answer = consult(asked)
            move = answer.principal_variation[0]
            click.echo(_announcement(answer))
        position = position.after(move)
    click.echo(drawing(position))
    click.echo(_verdict(position, people))


def drawing(position: Position) -> str:
    """Return the board: marks, the numbers of the cells that can be played, and brackets around a winning line."""
    squares = [_square(position, cell) for cell in range(CELLS)]
    rows = ["    " + "|".join(squares[start : start + 3]) for start in range(0, CELLS, 3)]
    return "\n" + f"\n{RULE}\n".join(rows) + "\n"


def _square(position: Position, cell: int) -> str:
    mark = position.board[cell]
    if mark == ".":
        return click.style(f" {cell} ", dim=True) if cell in position.legal_moves else "   "
    won = cell in position.winning_line
    return click.style(f"[{mark}]" if won else f" {mark} ", fg=COLOURS[mark], bold=True, reverse=won or None)


def _ask(position: Position) -> int | None:
    """Ask for a move until it is a legal one; return None for a person who leaves."""
    while True:
        click.echo(f"Your move, {_name(position.to_move)}: ", nl=False)
        line = sys.stdin.buffer.readline()
        # What ends the line on the screen is the Enter key, if one was pressed.
        if not (line.endswith(b"\n") and sys.stdin.isatty()):
            click.echo()
        text = line.decode(errors="replace").strip().lower()
        if not line or text in {"q", "quit"}:
            return None
        try:
            return _legal_move(text, position)
        except ValueError as fault:
            free = ", ".join(map(str, position.legal_moves))
            click.echo(f"{fault} Type one of {free}, or q to leave.")


def _legal_move(text: str, position: Position) -> int:
    """Read a legal move; raise ValueError with a sentence that says what is wrong with any other text."""
    try:
        cell = int(text)
    except ValueError:
        raise ValueError("That is not a number.") from None
    if cell not in range(CELLS):
        raise ValueError(f"There is no cell {cell}.")
    if cell not in position.legal_moves:
        raise ValueError(f"Cell {cell} is taken by {position.board[cell]}.")
    return cell


def _starting_position(board: str, starts: Mark | None) -> Position:
    """Return the position of the options, or refuse one of them."""
    try:
        position = Position.parse(board)
    except (InvalidBoardError, IllegalPositionError) as fault:
        raise click.BadParameter(str(fault), param_hint="'--board'") from None
    if starts is None:
        return position
    try:
        return Position.parse(board, starts if position.ply % 2 == 0 else other(starts))
    except IllegalPositionError:
        raise click.BadParameter(f"On this board {other(starts)} started.", param_hint="'--starts'") from None


def _welcome(people: People) -> str:
    match people:
        case "both":
            return "Two people play. Type the number of a cell, or q to leave."
        case "none":
            return "The oracle plays itself. Ctrl-C leaves."
        case mark:
            return (
                f"You are {_name(mark)}, the oracle is {_name(other(mark))}. Type the number of a cell, or q to leave."
            )


def _recommendation(answer: Answer) -> str:
    return f"Recommended move: {click.style(str(answer.move), bold=True)}. {answer.text}\n{_cost(answer)}"


def _announcement(answer: Answer) -> str:
    mark = answer.question.position.to_move
    return (
        f"The oracle, {_name(mark)}, plays {click.style(str(answer.move), bold=True)}. {answer.text}\n{_cost(answer)}"
    )


def _cost(answer: Answer) -> str:
    return click.style(f"Evaluation time: {answer.elapsed_ms} ms for {answer.nodes:,} nodes.", dim=True)


def _verdict(position: Position, people: People) -> str:
    if position.status == "draw":
        return "A draw."
    winner: Mark = "X" if position.status == "x_won" else "O"
    line = ", ".join(map(str, position.winning_line))
    match people:
        case "X" | "O":
            return f"You win with {line}." if winner == people else f"The oracle wins with {line}."
        case _:
            return f"{_name(winner)} wins with {line}."


def _name(mark: Mark) -> str:
    return click.style(mark, fg=COLOURS[mark], bold=True)


if __name__ == "__main__":
    main()
