"""The `best-move` command with its subcommands: serve, play, prove, tablebase and mcp."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import click
from typing_extensions import override

from best_move import __version__


@contextmanager
def reported_in_one_line() -> Iterator[None]:
    """Report an OSError of a subcommand, such as that of a full disk, in one line, and exit with 2.

    A closed pipe has the same exit status, but no report.
    """
    try:
        yield
    except OSError as error:
        #  Discard the unwritten output: otherwise Python would try to write it at exit, and fail
        #  again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            click.echo(f"Error: Cannot read or write: {error.strerror or error}.", err=True)
        sys.exit(2)


class Deferred(click.Command):
    """A command whose module is imported only when the command is called."""

    def __init__(self, module: str, meaning: str) -> None:
        super().__init__(None, help=meaning)
        self._module = module

    @override
    def make_context(
        self, info_name: str | None, args: list[str], *more: Any, **extra: Any
    ) -> click.Context:
        """Return a context of the imported command, so that click invokes that command."""
        command: click.Command = import_module(self._module).main
        return command.make_context(info_name, args, *more, **extra)


@click.group("best-move", context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="Best Move")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Best Move, a move oracle for tic-tac-toe."""
    #  click passes the exceptions of subcommands to it, too.
    ctx.with_resource(reported_in_one_line())


main.add_command(Deferred("best_move.web.serving.command", "Serve the API and the pages."), "serve")
main.add_command(Deferred("best_move.terminal.play", "Play in the terminal."), "play")
main.add_command(
    Deferred("best_move.terminal.prove", "Prove that a program is unbeatable."), "prove"
)


@main.command()
def tablebase() -> None:
    """Print every position with its outcome and best moves, as CSV."""
    from best_move.tablebase import as_csv

    #  Line by line: if the output is unbuffered, a write that a full disk cuts raises no error, but
    #  the next one does.
    for line in as_csv().splitlines():
        click.echo(line)


@main.command()
def mcp() -> None:
    """Answer a chat client (MCP) over standard input and output."""
    from best_move.web.chatbots import stdio

    stdio.main()


if __name__ == "__main__":
    main(prog_name="best-move")
