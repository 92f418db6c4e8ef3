"""The `best-move` command. Each of its commands imports only what it needs."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click


@contextmanager
def told_in_a_line() -> Iterator[None]:
    """Say in one line what the system refuses, such as to write to a full disk; a pipe that ends, click sees to."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as fault:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python, at its end, would try once more
        raise click.ClickException(f"Cannot read or write: {fault.strerror}.") from None


class Command(click.Command):
    """A command whose help may not find the room to be printed."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the command line, and print the help that it asks for."""
        with told_in_a_line():
            return super().parse_args(ctx, args)


class Commands(Command, click.Group):
    """The commands."""

    command_class = Command


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Best Move, a move oracle for tic-tac-toe."""


@main.command()
def serve() -> None:
    """Serve the API and the pages; environment variables set it up."""
    from service.web.settings import SettingError, Settings

    try:
        settings = Settings.from_environment()
    except SettingError as error:
        sys.exit(str(error))
    from service.web.serving import server  # gunicorn reads the environment too, as soon as it is imported

    server.serve(settings)


@main.command(context_settings={"ignore_unknown_options": True, "help_option_names": []})
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
def play(options: tuple[str, ...]) -> None:
    """Play in the terminal; --help says how."""
    from service import console

    with told_in_a_line():
        console.main(options, prog_name="best-move play")


@main.command(context_settings={"ignore_unknown_options": True, "help_option_names": []})
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
def tree(options: tuple[str, ...]) -> None:
    """Print the search of a position as a tree; --help says how."""
    from service import tree

    with told_in_a_line():
        tree.main(options, prog_name="best-move tree")


@main.command()
def tablebase() -> None:
    """Print every position with its outcome and best moves, as CSV."""
    from service.tablebase import as_csv

    with told_in_a_line():
        click.echo(as_csv(), nl=False)


@main.command()
def mcp() -> None:
    """Answer a chat client (MCP) over standard input and output."""
    from service.web.chatbots import stdio

    with told_in_a_line():
        stdio.main()


if __name__ == "__main__":
    main(prog_name="best-move")
