"""The `best-move` command: each of its commands works and imports only what it needs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from best_move import __version__
from best_move.__main__ import main
from best_move.web.settings import OPTIONS
from tests.processes import SECONDS_TO_WAIT, completed
from tests.server import SERVE
from tests.tables import table

COMMAND = SERVE[0]

#  Runs a command, then prints the modules that it has imported.
IMPORTED = """
import sys
from contextlib import suppress
from best_move.__main__ import main
with suppress(SystemExit):
    main(sys.argv[1:])
print(*sys.modules)
"""


def test_the_help_lists_the_commands() -> None:
    """The help lists each command with a complete sentence."""
    text = completed([COMMAND, "--help"], check=True).stdout
    sentences = dict(
        line.split(maxsplit=1) for line in text.partition("Commands:")[2].splitlines() if line
    )
    assert list(sentences) == ["mcp", "play", "prove", "serve", "tablebase"]
    assert sentences["prove"] == "Prove that a program is unbeatable."
    assert sentences["serve"] == "Serve the API and the pages."
    assert sentences["play"] == "Play in the terminal."
    assert [sentence for sentence in sentences.values() if sentence.endswith("...")] == []


def test_the_version_is_printed() -> None:
    """The command prints the version of the service."""
    assert CliRunner().invoke(main, ["--version"]).stdout == f"Best Move, version {__version__}\n"


def test_the_help_of_serve_describes_the_variables() -> None:
    """The help of `serve` lists each option with its meaning, its variable and its default."""
    text = " ".join(CliRunner().invoke(main, ["serve", "--help"]).stdout.split())
    for option in OPTIONS:
        assert f" {option.opts[0]} " in text
        assert f" {option.help} [env var: {option.envvar}; default: " in text
    for default in ("127.0.0.1", "8000", "(one per available CPU, within container limits)", "*"):
        assert f"; default: {default}" in text


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize(
    "arguments", [["play"], ["play", "--help"], ["serve", "--help"], ["tablebase"]], ids=" ".join
)
def test_a_full_disk_is_reported_in_one_line(arguments: list[str]) -> None:
    """If the output cannot be written, one line says so, and the exit status is 2."""
    with Path("/dev/full").open("wb") as full:
        ended = subprocess.run(
            [COMMAND, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=SECONDS_TO_WAIT,
            check=False,
        )
    assert (ended.returncode, ended.stderr) == (
        2,
        "Error: Cannot read or write: No space left on device.\n",
    )


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_truncated_tablebase_is_reported(tmp_path: Path, unbuffered: str) -> None:
    """If only a part of the output can be written, one line says so, and the exit status is 2."""
    limited = f"ulimit -f 100; exec {COMMAND} tablebase > tablebase.csv"
    ended = completed(
        ["bash", "-c", limited],
        cwd=tmp_path,
        env=os.environ | {"PYTHONUNBUFFERED": unbuffered},
        stdin=subprocess.DEVNULL,
    )
    assert (ended.returncode, ended.stderr) == (2, "Error: Cannot read or write: File too large.\n")


#  A command, and what it does not import. Chat clients wait until `mcp` has started.
NOT_IMPORTED = table("""
--help  flask gunicorn pydantic best_move.terminal best_move.web
play --help  flask gunicorn pydantic best_move.web
serve --help  best_move.terminal
prove --help  flask gunicorn pydantic best_move.web
tablebase  flask gunicorn pydantic best_move.terminal best_move.web
mcp  gunicorn jinja2 prometheus_client werkzeug yaml best_move.terminal best_move.web.api.requests
""")


@pytest.mark.parametrize(("arguments", "modules"), NOT_IMPORTED)
def test_a_command_imports_only_the_modules_that_it_needs(arguments: str, modules: str) -> None:
    """The terminal commands import no web service, `serve` no terminal, and `mcp` no Flask."""
    command = [sys.executable, "-P", "-c", IMPORTED, *arguments.split()]
    ended = completed(command, stdin=subprocess.DEVNULL, check=True)
    imported = ended.stdout.splitlines()[-1].split()
    assert "click" in imported
    assert not {*modules.split()} & {*imported}
