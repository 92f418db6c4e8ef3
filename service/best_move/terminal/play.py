"""The game in a terminal: a user against the oracle, two users, or the oracle against itself."""

import sys
from collections.abc import Callable
from random import Random
from time import sleep
from typing import Any, Final, Literal, get_args

import click

from best_move.engine import ALGORITHMS
from best_move.engine.choice import MAX_SEED, Difficulty, TieBreak
from best_move.engine.position import (
    CELLS,
    IllegalMoveError,
    IllegalPositionError,
    InvalidBoardError,
    Mark,
    Position,
    other,
)
from best_move.engine.text import with_number
from best_move.oracle import Answer, Game, Question, consult
from best_move.terminal.options import choice_option, search_options
from best_move.terminal.screen import (
    INTERRUPTED,
    Screen,
    choose_colors,
    colored,
    is_interactive,
    is_terminal,
    mistakes_text,
    say,
)

People = Literal["X", "O", "both", "none"]
Starts = Literal["X", "O", "random"]
Command = Literal["undo", "again", "leave"]

SECONDS_TO_WATCH: Final = 1.0
DEFAULTS: Final = Question(Position(0, 0, "X"))
HELP: Final = """\
  0 to 8  play that cell; cells are numbered row by row
  u       undo your last move
  h       suggest a move
  ?       show these commands
  q       quit"""


@click.command
@choice_option(
    "--side",
    get_args(People),
    "X",
    "The side that you play; 'both' for two people, 'none' to watch the oracle play itself.",
)
@choice_option(
    "--starts",
    (*get_args(Mark), "random"),
    None,
    "The side that starts, 'random' to pick one for each game. Default: X, unless the board shows otherwise.",
)
@click.option(
    "--board",
    metavar="CELLS",
    default="." * CELLS,
    help="The position to start from: nine cells, row by row, each X, O or '.'. Default: empty.",
)
@click.option(
    "--played",
    metavar="MOVES",
    default="",
    help="The moves played from that position, separated by commas, such as 0,4,1.",
)
@click.option("--hints", is_flag=True, help="Suggest a move on each of your turns.")
@search_options(ALGORITHMS, DEFAULTS)
@choice_option(
    "--difficulty",
    get_args(Difficulty),
    DEFAULTS.difficulty,
    "How well the oracle plays. Hints always show its best move.",
)
@choice_option(
    "--tie-break",
    get_args(TieBreak),
    DEFAULTS.tie_break,
    "Among equal moves, 'first' picks the lowest cell, 'random' any of them, 'trap' the one after which the opponent "
    "has the most mistaken replies, and 'best_odds' the one with the highest chance of a win against random replies.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, MAX_SEED),
    metavar="NUMBER",
    help="Make random choices repeatable: the same number repeats the same choices.",
)
def main(*, side: People, starts: Starts | None, board: str, played: str, hints: bool, **search: Any) -> None:
    """Play tic-tac-toe against the oracle.

    Type the number of a cell to play it, or ? for other commands. Cells are numbered row by row, from 0 to 8.
    """
    if sys.stdout is None:  # standard output is closed
        sys.exit(1)
    choose_colors()
    lots = Random(search["seed"])  # noqa: S311, a game needs no secret
    try:
        play(lambda: _game(board, played, starts, lots), DEFAULTS._replace(**search), side, hints=hints)
    except KeyboardInterrupt:
        click.echo("\nGoodbye.")
        sys.exit(INTERRUPTED)


def play(begin: Callable[[], Game], question: Question, people: People, *, hints: bool) -> None:
    """Play until the user quits or, without a user or without a terminal, until the game is over.

    `question` has the options of the search for the oracle's moves and for hints; hints ignore its difficulty.
    """
    game = begin()
    screen = Screen(_welcome(people))
    moves = list(game.played)
    said = ""
    while True:
        position = game.start.play(moves)
        asked = question._replace(position=position)
        command: Command | int
        if position.status != "in_progress":
            screen.draw(position, said, mistakes_text(Game(game.start, moves)), _verdict(position, people))
            if people == "none" or not is_interactive():
                return
            command = _ask_for_another()
        elif people in ("both", position.to_move):
            screen.draw(position, said, _hint(asked) if hints else "")
            command = _ask(asked)
            said = ""
        else:
            if people == "none":
                screen.draw(position, said)
                sleep(SECONDS_TO_WATCH if is_terminal(sys.stdout) else 0)
            answer = consult(asked)
            command = answer.principal_variation[0]
            # The outlook would show a user that the oracle has made a mistake, before the user replies.
            said = _announcement(answer, has_outlook=people == "none")
        match command:
            case "leave":
                click.echo("Goodbye.")
                return
            case "again":
                game = begin()
                moves, said = list(game.played), ""
            case "undo":
                said = "" if _undo(moves, game.start, people) else "Nothing to undo."
            case move:
                moves.append(move)


def _ask(question: Question) -> Command | int:
    position = question.position
    while True:
        match _read(f"Your move, {colored(position.to_move)}: "):
            case None | "q" | "quit":
                return "leave"
            case "u" | "undo":
                return "undo"
            case "h" | "hint":
                say(_hint(question))
            case "?" | "help":
                click.echo(HELP)
            case text:
                try:
                    return _legal_move(text, position)
                except ValueError as error:
                    free = ", ".join(map(str, position.legal_moves))
                    choice = f"one of {free}" if len(position.legal_moves) > 1 else free
                    say(f"{error} Type {choice}, or ? for help.")


def _ask_for_another() -> Command:
    while True:
        match _read("Enter to play again, u to undo, q to quit: "):
            case None | "q" | "quit":
                return "leave"
            case "u" | "undo":
                return "undo"
            case "":
                return "again"


def _read(prompt: str) -> str | None:
    """Return the line that the user types, in lower case; None at the end of the input."""
    click.echo(prompt, nl=False)
    line = sys.stdin.buffer.readline() if sys.stdin else b""
    # If the user pressed Enter in a terminal, the terminal has already started a new line.
    if not (line.endswith(b"\n") and is_terminal(sys.stdin)):
        click.echo()
    return line.decode(errors="replace").strip().lower() if line else None


def _undo(moves: list[int], start: Position, people: People) -> bool:
    """Take back the user's last move and all later moves; return false if the user has made no move."""
    for count in reversed(range(len(moves))):
        if people in ("both", start.play(moves[:count]).to_move):
            del moves[count:]
            return True
    return False


def _legal_move(text: str, position: Position) -> int:
    try:
        cell = int(text)
    except ValueError:
        raise ValueError("That is not a number.") from None
    if cell not in range(CELLS):
        raise ValueError(f"{cell} is not a cell.")
    if cell not in position.legal_moves:
        raise ValueError(f"Cell {cell} is taken by {position.board[cell]}.")
    return cell


def _game(board: str, played: str, starts: Starts | None, lots: Random) -> Game:
    try:
        start = Position.parse(board.upper())
    except (InvalidBoardError, IllegalPositionError) as error:
        raise click.BadParameter(str(error), param_hint="'--board'") from None
    first: Mark | None
    if starts == "random":  # draw lots, unless the board shows which side started
        first = lots.choice(get_args(Mark)) if start.ply % 2 == 0 and start.status == "in_progress" else None
    else:
        first = starts
    if first is not None:
        try:
            start = Position.parse(start.board, first if start.ply % 2 == 0 else other(first))
        except IllegalPositionError:
            raise click.BadParameter(f"On this board {other(first)} started.", param_hint="'--starts'") from None
    game = Game(start, _moves(played))
    try:
        game.start.play(game.played)
    except IllegalMoveError as error:
        raise click.BadParameter(str(error), param_hint="'--played'") from None
    return game


def _moves(played: str) -> list[int]:
    cells = [cell.strip() for cell in played.split(",")] if played.strip() else []
    for cell in cells:
        if cell not in {str(number) for number in range(CELLS)}:
            raise click.BadParameter(f"{cell!r} is not a cell. Cells are numbered 0 to 8.", param_hint="'--played'")
    return [int(cell) for cell in cells]


def _welcome(people: People) -> str:
    match people:
        case "both":
            return "Two players. Type the number of a cell, or ? for help."
        case "none":
            return "The oracle plays itself. Press Ctrl-C to quit."
        case mark:
            sides = f"You are {colored(mark)}, the oracle is {colored(other(mark))}."
            return f"{sides} Type the number of a cell, or ? for help."


def _hint(question: Question) -> str:
    answer = consult(question._replace(difficulty="perfect"))
    cost = click.style(f"Search time: {answer.elapsed_ms} ms for {answer.nodes:,} nodes.", dim=True)
    return f"Hint: {_described(answer, has_outlook=True)}\n{cost}"


def _announcement(answer: Answer, *, has_outlook: bool) -> str:
    """Return the oracle's move and what it does, without the end of the game, which is reported below the board."""
    does = _described(answer, has_outlook=has_outlook).partition(" The game is over")[0]
    return f"The oracle ({colored(answer.question.position.to_move)}) plays {does}"


def _described(answer: Answer, *, has_outlook: bool) -> str:
    """Return the cell of the move and the oracle's text for the move, without the name of the side."""
    move = answer.principal_variation[0]
    does = with_number(answer.text, move).partition(f" plays {move}")[2]
    outlook = f" {answer.outlook}" if has_outlook and answer.outlook else ""
    return f"{click.style(str(move), bold=True)}{does}{outlook}"


def _verdict(position: Position, people: People) -> str:
    if position.status == "draw":
        return "A draw."
    winner: Mark = "X" if position.status == "x_won" else "O"
    line = ", ".join(map(str, position.winning_line))
    match people:
        case "X" | "O":
            return f"You win with {line}." if winner == people else f"The oracle wins with {line}."
        case _:
            return f"{colored(winner)} wins with {line}."
