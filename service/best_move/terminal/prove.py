"""The command that prints a proof that a program is unbeatable, or a game that beats it."""

import json
import signal
import sys
from dataclasses import asdict
from time import monotonic
from typing import Any, Final, get_args

import click

from best_move.engine.position import CELLS, Mark, Position
from best_move.oracle import Game, review
from best_move.player import Verdict, review_player
from best_move.terminal.options import choice_option
from best_move.terminal.program import Program, ProgramError
from best_move.terminal.screen import (
    choose_colors,
    colored,
    drawing,
    is_terminal,
    mistakes_text,
    say,
)

MAX_MISTAKES: Final = 10  # printed per side
TWICE: Final = 2  # samples per board that check whether a program always makes the same move
DAY: Final = 86_400
SECONDS: Final = click.IntRange(1, DAY)
_ALONE: Final = (
    "Its move must depend on the board alone. If it chooses at random, seed it by the board, as with "
    "random.seed(board), or add --samples 100 to review its frequencies."
)


@click.command(context_settings={"allow_interspersed_args": False, "show_default": True})
@choice_option(
    "--side",
    get_args(Mark),
    None,
    "The side that the program plays. Default: both, one after the other.",
)
@click.option(
    "--samples",
    type=click.IntRange(1),
    metavar="NUMBER",
    default=TWICE,
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
    samples: int,
    timeout: int,
    limit: int,
    as_json: bool,
    command: tuple[str, ...],
) -> None:
    """Prove that a program is unbeatable at tic-tac-toe, or print a game that beats it.

    For example: best-move prove python3 player.py

    COMMAND starts the program: its name, followed by its own options and arguments. The program reads boards, one per
    line: nine cells, row by row, each X, O or '.'. For each board it prints the cell that it plays, from 0 to 8.
    X moves first, so on boards with as many X as O the program plays X. It gets only boards that it can meet, each
    twice, and must always play the same move on the same board. If it chooses at random, add --samples 100: then its
    frequencies are reviewed.

    The exit status is 0 if the program is unbeatable, 1 if it can be beaten, and 2 if it fails.
    """
    choose_colors()
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, _exit)
    started = monotonic()
    verdicts: dict[str, Verdict] = {}
    failure: ProgramError | None = None
    try:
        with Program(command, timeout, limit) as program:
            for each in get_args(Mark) if side is None else (side,):
                verdicts[each] = review_program(program, each, samples)
                if not as_json:
                    _print(each, verdicts[each], samples)
    except ProgramError as error:
        if not as_json:
            raise
        failure = error
    if as_json:
        found: dict[str, Any] = {each: asdict(verdict) for each, verdict in verdicts.items()}
        if failure:
            found["error"] = {
                "code": failure.code,
                "board": failure.board,
                "detail": failure.message,
            }
        click.echo(
            json.dumps(found | {"samples": samples, "seconds": round(monotonic() - started, 3)})
        )
    sys.exit(
        failure.exit_code
        if failure
        else not all(verdict.unbeatable for verdict in verdicts.values())
    )


def _exit(number: int, _: object) -> None:
    """Exit on a signal; leaving the program's context then kills the program."""
    sys.exit(128 + number)


def review_program(program: Program, side: Mark, samples: int) -> Verdict:
    """Return the review of a program that is asked for its move on each board that it can meet, so many times.

    All boards of a ply are asked before any is asked again. Raises ProgramError if the program fails, or if it is asked
    twice and its moves differ.
    """
    frequencies: dict[str, list[int]] = {}
    with click.progressbar(
        length=1,
        label=f"Moves of {side}",
        show_eta=False,
        show_percent=False,
        show_pos=True,
        file=sys.stderr,
        hidden=not is_terminal(sys.stderr),
    ) as bar:
        while (found := review_player(side, {}, frequencies)).review is None:
            frequencies |= {board: [0] * CELLS for board in found.boards}
            bar.length, bar.finished = samples * len(frequencies), False
            for board in found.boards * samples:
                cell = program.move(board)
                counts = frequencies[board]
                if samples == TWICE and 1 in counts and not counts[cell]:
                    raise ProgramError(
                        "different_moves", f"played {counts.index(1)}, then {cell}. {_ALONE}", board
                    )
                counts[cell] += 1
                bar.update(1)
    return found.review


def _print(side: Mark, verdict: Verdict, samples: int) -> None:
    found = click.style("unbeatable" if verdict.unbeatable else "beatable", bold=True)
    sampled = f" in {samples} samples per board" if samples > TWICE else ""
    games, odds = verdict.games, verdict.against_random
    say(
        f"As {colored(side)}, moving {'first' if side == 'X' else 'second'}: {found}{sampled}. "
        f"Of all possible games it wins {games.won}, draws {games.drawn} and loses {games.lost}."
    )
    if verdict.lost_game:
        lost = Game(Position(0, 0, "X"), verdict.lost_game)
        say(f"This game beats it: {', '.join(map(str, lost.played))}.")
        click.echo(drawing(lost.start.play(lost.played)))
        say(mistakes_text(lost))
    if sampled:
        say(
            f"An opponent that knows these samples can win {verdict.worst_loss:.2%} of games, and expect a payoff of "
            f"{verdict.exploitability:.3f} per game. Both are too high if the samples are few."
        )
    say(
        f"Against random moves it wins {odds.win:.2%}, draws {odds.draw:.2%} and loses {odds.loss:.2%} of games. "
        f"Safe play can win at most {odds.limit:.2%}."
    )
    say(f"Mistakes: {len(verdict.mistakes)}.")
    for mistake in verdict.mistakes[:MAX_MISTAKES]:
        chance = "" if mistake.chance == 1 else f" ({mistake.chance:.0%} of the time)"
        game = Game(Position.parse(mistake.board), [mistake.move], numbered=True)
        say(f"On {mistake.board}{chance}: {review(game).moves[0].text}")
    if len(verdict.mistakes) > MAX_MISTAKES:
        say(f"And {len(verdict.mistakes) - MAX_MISTAKES} more mistakes, which --json lists.")
    click.echo()
