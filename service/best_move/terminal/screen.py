"""The output of the terminal commands: text, boards and mistakes, in color if possible."""

import os
import sys
from shutil import get_terminal_size
from typing import TextIO

import click

from best_move.engine.position import CELLS, Position
from best_move.oracle import Game, review

COLORS = {"X": "cyan", "O": "magenta"}


def disable_unwanted_colors() -> None:
    """Disable colors if NO_COLOR is set or the terminal is dumb.

    If there is no terminal, click disables them.
    """
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        click.get_current_context().color = False


def environment_without_colors() -> dict[str, str]:
    """Return the environment variables for a program whose runtime must print no colors."""
    variables = os.environ | {"NO_COLOR": "1", "TERM": "dumb"}
    variables.pop("FORCE_COLOR", None)
    return variables


def say(text: str) -> None:
    """Print lines of text, wrapped to the width of the terminal if the output is a terminal."""
    if is_terminal(sys.stdout):
        width = get_terminal_size().columns
        lines = [click.wrap_text(line, width) for line in text.splitlines()]
        text = "\n".join(lines)
    click.echo(text)


def drawing(position: Position) -> str:
    """Return the board as text: marks, in brackets if they win, and the numbers of free cells."""
    rows = []
    for start in range(0, CELLS, 3):
        cells = range(start, start + 3)
        squares = [_square(position, cell) for cell in cells]
        rows.append("|".join(squares))
    board = "\n    ---+---+---\n    ".join(rows)
    return f"\n    {board}\n"


def mistakes_text(game: Game) -> str:
    """Return the mistakes of both sides in a game, one per line, or that there are none."""
    mistakes = []
    for number, move in enumerate(review(game).moves, 1):
        if move.mistake:
            mistakes.append(f"Move {number}: {move.text}")
    return "\n".join(mistakes) or "No side made a mistake."


def colored(mark: str, text: str = "") -> str:
    """Return a text, or else the mark itself, in the color of the mark."""
    return click.style(text or mark, fg=COLORS[mark])


def _square(position: Position, cell: int) -> str:
    mark = position.board[cell]
    if cell in position.legal_moves:
        return click.style(f" {cell} ", dim=True)
    if mark == ".":  # the game is over
        return "   "
    if cell in position.winning_line:
        return colored(mark, f"[{mark}]")
    return colored(mark, f" {mark} ")


def is_terminal(stream: TextIO | None) -> bool:
    """Return whether a stream is open and is a terminal."""
    return stream is not None and stream.isatty()
