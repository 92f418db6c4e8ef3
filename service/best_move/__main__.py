"""The `best-move` command: serve the API, play, print trees and the tablebase, answer chat clients."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click
from typing_extensions import override

from best_move import __version__


@contextmanager
def reported_in_one_line() -> Iterator[None]:
    """Report an OSError, such as a full disk, in one line; click handles broken pipes."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        #  Otherwise Python would try to write again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise click.ClickException(f"Cannot read or write: {error.strerror}.") from None


class Command(click.Command):
    """A command that reports in one line if its help cannot be printed."""

    @override
    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the command line, and print the help if it is requested."""
        with reported_in_one_line():
            return super().parse_args(ctx, args)


class Commands(Command, click.Group):
    """The group of all commands."""

    command_class = Command


class Serve(Command):
    """The command `serve`, whose help lists the environment variables."""

    @override
    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the variables with their meanings."""
        from best_move.web.settings import VARIABLES

        with formatter.section("Environment variables"):
            formatter.write_dl([(variable.name, variable.meaning) for variable in VARIABLES.values()])


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="Best Move")
def main() -> None:
    """Best Move, a move oracle for tic-tac-toe."""


@main.command(cls=Serve)
def serve() -> None:
    """Serve the API and the pages, configured by environment variables."""
    from best_move.web.settings import SettingError, Settings, unset_empty_variables

    unset_empty_variables()
    try:
        settings = Settings.from_environment()
    except SettingError as error:
        sys.exit(str(error))
    from best_move.web.serving import server  # gunicorn reads the environment as soon as it is imported

    server.serve(settings)


@main.command(context_settings={"ignore_unknown_options": True, "help_option_names": []})
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
def play(options: tuple[str, ...]) -> None:
    """Play in the terminal; see --help."""
    from best_move.terminal import play

    with reported_in_one_line():
        play.main(options, prog_name="best-move play")


@main.command(context_settings={"ignore_unknown_options": True, "help_option_names": []})
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
def tree(options: tuple[str, ...]) -> None:
    """Print the search of a position as a tree; see --help."""
    from best_move.terminal import tree

    with reported_in_one_line():
        tree.main(options, prog_name="best-move tree")


@main.command()
def tablebase() -> None:
    """Print every position with its outcome and best moves, as CSV."""
    from best_move.tablebase import as_csv

    with reported_in_one_line():
        click.echo(as_csv(), nl=False)


@main.command()
def mcp() -> None:
    """Answer a chat client (MCP) over standard input and output."""
    from best_move.web.chatbots import stdio

    with reported_in_one_line():
        stdio.main()


if __name__ == "__main__":
    main(prog_name="best-move")
