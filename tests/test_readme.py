"""The README: its commands run, its answers are what comes back, its tables are what the code says."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from service.web.openapi import document
from service.web.problems import KINDS
from service.web.settings import Settings
from tests import golden
from tests.server import Server, running

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
BLOCKS: list[tuple[str, str]] = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
CALLS = [
    (command.strip(), answer)
    for (language, command), (_, answer) in pairwise(BLOCKS)
    if language == "sh" and command.startswith("curl ")
]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """Run a server for the commands of the README."""
    with running() as server:
        yield server


def block(language: str, number: int) -> str:
    """Return a block of a language, by its number."""
    return [text for name, text in BLOCKS if name == language][number]


def run(server: Server, command: list[str], text: str) -> str:
    """Run a command with a text of the README, pointed at the server; return what it prints."""
    here = text.replace("localhost:8000", f"127.0.0.1:{server.port}")
    return subprocess.run([*command, here], capture_output=True, text=True, timeout=30, check=True).stdout


def rows(heading: str) -> list[list[str]]:
    """Return the cells of the first table after a line that begins with a text."""
    after = README[README.index(f"\n{heading}") :]
    table = after[after.index("\n| ") :].strip().split("\n\n", 1)[0]
    lines = [line.strip("| ") for line in table.splitlines()[2:]]
    return [[cell.strip() for cell in re.split(r"\s*\|\s*", line)] for line in lines]


def timeless(answer: Any) -> Any:
    """Return an answer, or those of a batch, without the time that they took."""
    if isinstance(answer, list):
        return [timeless(each) for each in answer]
    if isinstance(answer, dict):
        return {name: timeless(value) for name, value in answer.items() if name != "elapsed_ms"}
    return answer


@pytest.mark.parametrize(("command", "answer"), CALLS, ids=[command for command, _ in CALLS])
def test_every_curl_line_gets_the_answer_printed_below_it(server: Server, command: str, answer: str) -> None:
    """A curl line, run as printed, gets the JSON printed below it; only the time differs."""
    assert timeless(json.loads(run(server, ["bash", "-c"], f"{command} --silent"))) == timeless(json.loads(answer))


def test_there_are_curl_lines_to_run() -> None:
    """The README shows a query, a body and an error."""
    assert len(CALLS) >= 4


def test_the_python_example_plays_a_game(server: Server) -> None:
    """The Python example runs as printed, and plays the published game."""
    printed = run(server, [sys.executable, "-c"], block("python", 0)).splitlines()
    assert [line.split()[1] for line in printed] == [*map(str, golden.PUBLISHED_GAME), "None"]


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
def test_the_javascript_example_gets_a_move(server: Server) -> None:
    """The JavaScript example runs as printed."""
    assert run(server, ["node", "--input-type=module", "--eval"], block("js", 0)) == "play 1\n"


def test_the_back_end_gets_a_move_and_an_error_in_words(server: Server) -> None:
    """The back end's example prints a legal move, and the service's own words for an illegal position."""
    move, error = run(server, [sys.executable, "-c"], block("python", 1)).splitlines()
    assert int(move) in (1, 2, 3, 5, 6, 7, 8)
    assert error.startswith("X has 2 and O has 0 marks")


def test_the_chatbot_is_told_the_move_and_why(server: Server) -> None:
    """The chatbot's example answers a call with the cell and the sentence; its tool takes fields of the contract."""
    code = block("python", 2)
    said = run(server, [sys.executable, "-c"], code)
    assert said.startswith("Cell 1 (cells are 0 to 8, row by row). O plays the top side, where X would have completed")
    schema = document()["components"]["schemas"]["BestMoveRequest"]
    assert all(name in schema["properties"] for name in re.findall(r'^ {12}"(\w+)": ', code, re.MULTILINE))


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
def test_the_front_end_plays_a_game_to_its_end(server: Server) -> None:
    """The front end's example plays from the empty board until the game is over."""
    lines = run(server, ["node", "--input-type=module", "--eval"], block("js", 1)).splitlines()
    assert [9 - line.split()[0].count(".") for line in lines] == list(range(1, len(lines) + 1))
    assert "The game is over: " in lines[-1]


def test_the_node_table_is_golden() -> None:
    """The table of nodes has every algorithm with its golden numbers."""
    table = {
        (name.strip("`"), scoring): int(count.replace(",", ""))
        for name, *counts, _ in rows("## How it searches")
        for scoring, count in zip(("distance", "outcome"), counts, strict=True)
    }
    assert table == golden.NODES


def test_the_fields_of_the_question_are_the_schemas() -> None:
    """The table of the question's fields has every field of the schema with its default."""
    properties = document()["components"]["schemas"]["BestMoveRequest"]["properties"]
    defaults = {name.strip("`"): default.strip("`") for name, _, default, _ in rows("### Fields of the question")}
    assert list(defaults) == list(properties)
    for name, schema in properties.items():
        if "default" in schema:
            assert defaults[name] == json.dumps(schema["default"]).strip('"')


def test_the_fields_of_the_answer_are_the_schemas() -> None:
    """The table of the answer's fields has every field of the schema."""
    named = {name for row in rows("### Fields of the answer") for name in re.findall(r"`(\w+)`", row[0])}
    assert named == set(document()["components"]["schemas"]["BestMove"]["properties"])


def test_the_variables_are_the_settings() -> None:
    """The table of variables has every setting, as its docstring in the code names it, with its default."""
    source = (ROOT / "service/web/settings.py").read_text(encoding="utf-8")
    named = re.findall(r'^    """([A-Z_]+): ', source, re.MULTILINE)
    defaults = {variable.strip("`"): default for variable, default, _ in rows("| variable")}
    assert list(defaults) == named
    assert f"`{Settings.port}`" in defaults["PORT"]
    assert f"`{Settings.threads}`" in defaults["THREADS"]
    assert f"`{Settings.log_level}`" in defaults["LOG_LEVEL"]


def test_the_errors_are_the_kinds_of_problems() -> None:
    """The table of errors has every kind of problem with its status, and every cause in the contract."""
    table = rows("### Errors")
    assert {(int(status), code.strip("`")) for status, code, *_ in table} == {
        (status, code) for code, (status, _) in KINDS.items()
    }
    causes = {code for row in table for code in re.findall(r"`(\w+)`", row[3] if len(row) > 3 else "")}
    shown = re.findall(r"'pointer': '[^']*', 'code': '(\w+)'", str(document()))
    assert set(shown) <= causes


def test_every_command_of_make_is_there() -> None:
    """Each `make` command that the README names is a target of the Makefile."""
    named = set(re.findall(r"(?:^|`)make ([a-z]+)", README, re.MULTILINE))
    assert named <= set(re.findall(r"^([a-z]+):", MAKEFILE, re.MULTILINE))
    assert {"run", "test", "check"} <= named


def test_every_link_leads_somewhere() -> None:
    """Each file that the README links to is in the project."""
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert links
    assert all((ROOT / link).exists() for link in links)
