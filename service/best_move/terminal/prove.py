"""The command that prints a proof that a program is unbeatable, or a game that beats it."""

import json
import signal
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from time import monotonic
from typing import Any, get_args

import click

from best_move.engine.position import CELLS, Cells, Mark, Position
from best_move.oracle import Game, review
from best_move.player import Mistake, Verdict, review_player
from best_move.terminal.program import Program, ProgramError
from best_move.terminal.screen import (
    colored,
    disable_unwanted_colors,
    drawing,
    is_terminal,
    mistakes_text,
    say,
)

MAX_MISTAKES = 10  # printed per side
#  With this many samples per board, both moves must be the same. With more, they may differ, and
#  their frequencies are reviewed.
CHECK_SAMPLES = 2
DAY = 86_400
SECONDS = click.IntRange(1, DAY)
_SAME_MOVE = (
    "Its move must depend on the board alone. If it chooses at random, seed it by the board, as "
    "with random.seed(board), or add --samples 100 to review its frequencies."
)


@click.command(context_settings={"allow_interspersed_args": False, "show_default": True})
@click.option(
    "--side",
    type=click.Choice(get_args(Mark), case_sensitive=False),
    help="The side that the program plays. Default: both, one after the other.",
)
@click.option(
    "--starts",
    type=click.Choice(get_args(Mark), case_sensitive=False),
    default="X",
    help="The side that moves first.",
)
@click.option(
    "--samples",
    type=click.IntRange(CHECK_SAMPLES),
    metavar="NUMBER",
    default=CHECK_SAMPLES,
    help="How often to ask each board.",
)
@click.option(
    "--timeout", type=SECONDS, metavar="SECONDS", default=60, help="How long to wait for each move."
)
@click.option(
    "--limit", type=SECONDS, metavar="SECONDS", default=DAY, help="How long to wait for all moves."
)
@click.option(
    "--json", "as_json", is_flag=True, help="Print the reviews by side, or the error, as JSON."
)
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
def main(
    *,
    side: Mark | None,
    starts: Mark,
    samples: int,
    timeout: int,
    limit: int,
    as_json: bool,
    command: tuple[str, ...],
) -> None:
    """Prove that a program is unbeatable at tic-tac-toe, or print a game that beats it.

    For example: best-move prove python3 player.py

    COMMAND starts the program: its name, followed by its own options and arguments. The program
    reads boards, one per line: nine cells, row by row, each X, O or '.'. For each board it prints
    the cell that it plays, from 0 to 8. On boards with as many X as O, it plays the side that moves
    first. It gets only boards that it can meet, each twice, and must always play the same move on
    the same board. If it chooses at random, add --samples 100: then its frequencies are reviewed.

    The exit status is 0 if the program is unbeatable, 1 if it can be beaten, and 2 if it fails.
    """
    disable_unwanted_colors()
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        if signal.getsignal(number) != signal.SIG_IGN:  # as nohup does
            signal.signal(number, _exit)
    sides = get_args(Mark) if side is None else (side,)
    program = Program(command, timeout, limit)
    sys.exit(prove(program, sides, starts, samples, as_json=as_json))


def prove(
    program: Program, sides: Iterable[Mark], starts: Mark, samples: int, *, as_json: bool
) -> int:
    """Print a verdict on each side, or as JSON the verdicts and any error; return the exit status.

    Without JSON, raises ProgramError if the program fails.
    """
    started = monotonic()
    report: dict[str, Any] = {}
    status = 0
    try:
        with program:
            for side in sides:
                verdict = review_program(program, side, starts, samples)
                report[side] = asdict(verdict)
                if not verdict.unbeatable:
                    status = 1
                if not as_json:
                    _print(side, starts, verdict, samples)
    except ProgramError as error:
        if not as_json:
            raise
        report["error"] = {"code": error.code, "board": error.board, "detail": error.message}
        status = error.exit_code
    if as_json:
        report["starts"] = starts
        report["samples"] = samples
        report["seconds"] = round(monotonic() - started, 3)
        click.echo(json.dumps(report))
    return status


def _exit(number: int, _: object) -> None:
    """Exit on a signal; leaving the program's context then kills the program."""
    sys.exit(128 + number)


def review_program(program: Program, side: Mark, starts: Mark, samples: int) -> Verdict:
    """Return the review of a program that is asked for its move on each board `samples` times.

    It is asked only boards that it can meet. Raises ProgramError if the program fails, or if
    `samples` is CHECK_SAMPLES and its moves on a board differ.
    """
    frequencies: dict[str, list[int]] = {}
    first_moves: dict[str, int] = {}
    while True:
        found = review_player(side, {}, frequencies, starts)
        if found.review is not None:
            return found.review
        frequencies |= {board: [0] * CELLS for board in found.boards}
        # Ask all boards, then all again, so that a program that repeats its last move is found out.
        with click.progressbar(
            found.boards * samples,
            label=f"Moves of {side}",
            show_pos=True,
            file=sys.stderr,
            hidden=not is_terminal(sys.stderr),
        ) as boards:
            for board in boards:
                cell = program.move(board)
                first = first_moves.setdefault(board, cell)
                if samples == CHECK_SAMPLES and cell != first:
                    text = f"played {first}, then {cell}. {_SAME_MOVE}"
                    raise ProgramError("different_moves", text, board)
                frequencies[board][cell] += 1


def _print(side: Mark, starts: Mark, verdict: Verdict, samples: int) -> None:
    """Print a verdict as text."""
    turn = "first" if side == starts else "second"
    found = click.style("unbeatable" if verdict.unbeatable else "beatable", bold=True)
    if samples > CHECK_SAMPLES:
        found += f" in {samples} samples per board"
    games = verdict.games
    say(
        f"As {colored(side)}, moving {turn}: {found}. Of all possible games it wins "
        f"{games.won}, draws {games.drawn} and loses {games.lost}."
    )
    if verdict.lost_game is not None:
        _print_lost(starts, verdict.lost_game)
    if samples > CHECK_SAMPLES:
        say(
            f"An opponent that knows these samples can win {verdict.worst_loss:.2%} of games, and "
            f"expect a payoff of {verdict.exploitability:.3f} per game. Both are too high if the "
            "samples are few."
        )
    odds = verdict.against_random
    say(
        f"Against random moves it wins {odds.win:.2%}, draws {odds.draw:.2%} and loses "
        f"{odds.loss:.2%} of games. Safe play can win at most {odds.limit:.2%}."
    )
    _print_mistakes(starts, verdict.mistakes, samples)


def _print_lost(starts: Mark, moves: Cells) -> None:
    """Print a game that the program loses, its final board and the mistakes of both sides."""
    game = Game(Position(0, 0, starts), moves)
    cells = ", ".join(map(str, moves))
    say(f"This game beats it: {cells}.")
    click.echo(drawing(game.start.play(moves)))
    say(mistakes_text(game))


def _print_mistakes(starts: Mark, mistakes: Sequence[Mistake], samples: int) -> None:
    """Print the number of mistakes, and what the first of them change."""
    say(f"Mistakes: {len(mistakes)}.")
    for mistake in mistakes[:MAX_MISTAKES]:
        place = mistake.board
        if mistake.chance < 1:
            times = round(mistake.chance * samples)
            place += f" ({times} of {samples} times)"
        position = Position.parse(mistake.board).started_by(starts)
        game = Game(position, [mistake.move], numbered=True)
        [judged] = review(game).moves
        say(f"On {place}: {judged.text}")
    hidden = len(mistakes) - MAX_MISTAKES
    if hidden > 0:
        say(f"More mistakes: {hidden}. Add --json to list all.")
    click.echo()
