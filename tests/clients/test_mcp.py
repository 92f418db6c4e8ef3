"""MCP clients of several SDKs, and MCP's conformance suite."""

import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from best_move.engine.choice import RATES
from tests.clients.tools import QUICKLY, installed, lack, run
from tests.processes import completed
from tests.server import BIN, free_port, running
from tests.web.chatbots.messages import called

PROGRAMS = Path(__file__).parent
COMMAND = BIN / "best-move"

#  Revision -> the scenarios that are checked. Other scenarios need tools of the suite's own server.
SCENARIOS = {
    "2025-11-25": [
        *("server-initialize", "ping", "tools-list", "resources-list", "prompts-list"),
        "dns-rebinding-protection",
    ],
    "2026-07-28": [
        *("server-stateless", "caching", "tools-list", "resources-list", "prompts-list"),
        *("dns-rebinding-protection", "http-header-validation", "sep-2164-resource-not-found"),
    ],
}

#  Revision -> the checks that fail because they call tools of the suite's own server.
FAILING = {
    "2026-07-28": {
        "sep-2575-server-rejects-undeclared-capability",
        "sep-2575-missing-capability-http-400",
        "sep-2575-http-server-no-independent-requests-on-stream",
        "sep-2575-server-no-log-without-loglevel",
    }
}

PLAYED = [0, 4, 1, 2, 6, 3, 5, 7, 8]
GAME = {
    "tools": ["best_move", "judge_move"],
    "played": PLAYED,
    "status": "draw",
    "text": f"Played so far: {PLAYED}, starts: X",
    "mistake": True,
    "error": called("best_move", played=[4, 4], starts="X")["content"][0]["text"],
    "board": "<!doctype html>",
}


@pytest.mark.parametrize(("version", "games"), [("1", 2), ("2", 4)])
def test_the_python_sdk_plays_games(
    origin: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, games: int
) -> None:
    """Over HTTP, by version 2 in each mode, and standard input, a client plays and reads the board.

    Many clients still use version 1.
    """
    python = installed("mcp").with_name("python3")
    if version == "1":
        first = python.parents[1] / "mcp1"
        if not first.exists():
            lack("the first version of mcp")
        monkeypatch.setenv("PYTHONPATH", str(first))
    printed = run(python, PROGRAMS / "mcp_game.py", f"{origin}/mcp", COMMAND, folder=tmp_path)
    assert json.loads(printed) == [GAME] * games


@pytest.mark.parametrize("version", ["1", "2"])
def test_the_typescript_sdk_plays_games(origin: str, tmp_path: Path, version: str) -> None:
    """Over HTTP and standard input, a client plays the same game."""
    (tmp_path / "node_modules").symlink_to(installed("esbuild").parents[1])
    shutil.copy(PROGRAMS / "mcp_game.mjs", tmp_path)
    arguments = ("mcp_game.mjs", version, f"{origin}/mcp", COMMAND)
    assert json.loads(run(installed("node"), *arguments, folder=tmp_path)) == [GAME] * 2


@pytest.mark.thorough
def test_the_sdks_of_model_providers_convert_the_tools(tmp_path: Path) -> None:
    """Calls of the converted tools get the right moves."""
    python = installed("mcp").with_name("python3")
    for package in ("agents", "anthropic", "google/genai"):
        if not list(python.parents[1].glob(f"lib/*/site-packages/{package}")):
            lack(package)
    converted = run(python, PROGRAMS / "mcp_converters.py", COMMAND, folder=tmp_path)
    found: dict[str, Any] = json.loads(converted)
    assert list(found) == list(TEXTS)
    for name, tool in found.items():
        assert tool["is strict"]
        shown = [re.findall("[XO] plays [0-8]", text)[0] for text in tool["texts"]]
        assert shown == TEXTS[name]
        arguments = CHOICES[name]
        assert tool["strict"]["required"] == ["played", *arguments]
        assert list(tool["google"]["properties"]) == ["played", *arguments]
        for library in ("strict", "anthropic", "google"):
            fields = tool[library]["properties"]
            assert {each: fields[each]["enum"] for each in arguments} == arguments


#  The move that each of the two results is about, and the choices of each argument except `played`.
TEXTS: dict[str, list[str]] = {
    "best_move": ["O plays 4", "X plays 4"],
    "judge_move": ["X plays 2", "X plays 1"],
}
SIDES = ["X", "O"]
CHOICES: dict[str, dict[str, list[str]]] = {
    "best_move": {"starts": SIDES, "you": SIDES, "difficulty": [*RATES]},
    "judge_move": {"starts": SIDES, "player": SIDES},
}


def test_the_conformance_suite_passes(tmp_path: Path) -> None:
    """Only the checks in FAILING fail, if the server allows no origin but its own."""
    port = free_port()
    origin = f"http://localhost:{port}"
    suite = (installed("conformance"), "server", "--url", f"{origin}/mcp")
    with running(port=port, WEB_CONCURRENCY="1", CORS_ORIGINS=origin, LOG_LEVEL="warning"):
        for revision in SCENARIOS:
            options = ("--requirements", revision, "--output-dir", tmp_path / revision)
            completed([*suite, *options], env=os.environ | QUICKLY)
    for revision, scenarios in SCENARIOS.items():
        failed = set()
        for scenario in scenarios:
            (found,) = tmp_path.glob(f"{revision}/server-{scenario}-20*/checks.json")
            checks = json.loads(found.read_text(encoding="utf-8"))
            assert len(checks) > 0, scenario
            failed |= {check["id"] for check in checks if check["status"] == "FAILURE"}
        assert failed == FAILING.get(revision, set())
