"""MCP clients of several SDKs, and MCP's conformance suite."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from best_move.engine.choice import RATES
from tests.clients.tools import QUICKLY, installed, lack, run
from tests.processes import SECONDS_TO_WAIT
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


@pytest.fixture(params=["HTTP", "stdio"])
def target(request: pytest.FixtureRequest, origin: str) -> str:
    """Return the server's URL for HTTP, and the path of its command for stdio."""
    return f"{origin}/mcp" if request.param == "HTTP" else str(COMMAND)


@pytest.mark.parametrize(
    ("target", "modes"),
    [("HTTP", ["legacy", "auto", "2026-07-28"]), ("stdio", ["auto"])],
    indirect=["target"],
    ids=["HTTP", "stdio"],
)
def test_the_python_sdk_plays_a_game(target: str, tmp_path: Path, modes: list[str]) -> None:
    """In each mode the client sends every argument, and reads an error and the board."""
    python = installed("mcp").with_name("python3")
    printed = run(python, PROGRAMS / "mcp_game.py", target, *modes, folder=tmp_path)
    assert json.loads(printed) == [GAME] * len(modes)


def test_version_1_of_the_python_sdk_plays_a_game(
    target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many MCP clients still use version 1."""
    python = installed("mcp").with_name("python3")
    first = python.parents[1] / "mcp1"
    if not first.exists():
        lack("the first version of mcp")
    monkeypatch.setenv("PYTHONPATH", str(first))
    printed = run(python, PROGRAMS / "mcp_game.py", target, "only", folder=tmp_path)
    assert json.loads(printed) == [GAME]


@pytest.mark.parametrize("version", ["1", "2"])
def test_the_typescript_sdk_plays_a_game(target: str, tmp_path: Path, version: str) -> None:
    """Versions 1 and 2 of the TypeScript SDK play the same game."""
    modules = installed("esbuild").parents[1]
    (tmp_path / "node_modules").symlink_to(modules)
    shutil.copy(PROGRAMS / "mcp_game.mjs", tmp_path)
    printed = run(installed("node"), "mcp_game.mjs", version, target, folder=tmp_path)
    assert json.loads(printed) == GAME


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


@pytest.fixture(scope="module")
def own_origin() -> Iterator[str]:
    """Run a server that allows only its own origin; return this origin."""
    port = free_port()
    origin = f"http://localhost:{port}"
    with running(port=port, WEB_CONCURRENCY="1", CORS_ORIGINS=origin, LOG_LEVEL="warning"):
        yield origin


@pytest.mark.parametrize("revision", SCENARIOS)
def test_the_conformance_suite_passes(own_origin: str, tmp_path: Path, revision: str) -> None:
    """Only the checks in FAILING fail."""
    options = ["--requirements", revision, "--output-dir", str(tmp_path)]
    command = [str(installed("conformance")), "server", "--url", f"{own_origin}/mcp", *options]
    subprocess.run(
        command, env=os.environ | QUICKLY, capture_output=True, timeout=SECONDS_TO_WAIT, check=False
    )
    failed = set()
    for scenario in SCENARIOS[revision]:
        (found,) = tmp_path.glob(f"server-{scenario}-20*/checks.json")
        checks = json.loads(found.read_text(encoding="utf-8"))
        assert len(checks) > 0, scenario
        failed |= {check["id"] for check in checks if check["status"] == "FAILURE"}
    assert failed == FAILING.get(revision, set())
