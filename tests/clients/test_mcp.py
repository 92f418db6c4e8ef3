"""Hosts of chatbots: the protocol's own client plays a game, and its own suite finds what it asks for."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.clients.tools import SECONDS_TO_RUN, installed, run
from tests.server import free_port, running

GAME = Path(__file__).with_name("mcp_game.py")

#  Scenario of the suite, revision -> the checks that fail: they call tools that only a server made for the suite has,
#  or ask for prompts and resources, which this server neither has nor says to have. All other checks pass.
SCENARIOS: dict[tuple[str, str], set[str]] = {
    ("server-initialize", "2025-11-25"): set(),
    ("ping", "2025-11-25"): set(),
    ("tools-list", "2025-11-25"): set(),
    ("tools-list", "2026-07-28"): set(),
    ("dns-rebinding-protection", "2025-11-25"): set(),
    ("dns-rebinding-protection", "2026-07-28"): set(),
    ("http-header-validation", "2026-07-28"): set(),
    ("caching", "2026-07-28"): {
        "sep-2549-prompts-list-caching-hints",
        "sep-2549-resources-list-caching-hints",
        "sep-2549-resources-templates-list-caching-hints",
    },
    ("server-stateless", "2026-07-28"): {
        "sep-2575-server-rejects-undeclared-capability",
        "sep-2575-missing-capability-http-400",
        "sep-2575-http-server-no-independent-requests-on-stream",
        "sep-2575-server-no-log-without-loglevel",
    },
}


@pytest.mark.parametrize("mode", ["legacy", "auto", "2026-07-28"])
def test_the_official_client_plays_a_whole_game(origin: str, tmp_path: Path, mode: str) -> None:
    """In each of its modes the client lists the tools, plays to the end, and is told what is wrong with a move."""
    python = installed("mcp").with_name("python3")
    said = json.loads(run(python, GAME, f"{origin}/mcp", mode, folder=tmp_path))
    assert said["tools"] == ["best_move", "judge_move"]
    assert (said["played"], said["status"]) == ([0, 4, 1, 2, 6, 3, 5, 7, 8], "draw")
    assert said["mistake"] is True
    assert "X took it at move 1" in said["told"]


@pytest.mark.parametrize(("scenario", "revision"), SCENARIOS, ids=" ".join)
def test_the_suite_of_the_protocol_passes(tmp_path: Path, scenario: str, revision: str) -> None:
    """Each check of the scenario passes, but for those listed; a page of another origin is refused."""
    suite = installed("conformance")
    port = free_port()
    with running(port=port, WEB_CONCURRENCY="1", CORS_ORIGINS=f"http://localhost:{port}", LOG_LEVEL="warning"):
        url = f"http://localhost:{port}/mcp"
        options = ["--scenario", scenario, "--spec-version", revision, "--output-dir", str(tmp_path)]
        subprocess.run(
            [suite, "server", "--url", url, *options], capture_output=True, timeout=SECONDS_TO_RUN, check=False
        )
    (found,) = tmp_path.rglob("checks.json")
    checks = json.loads(found.read_text(encoding="utf-8"))
    assert len(checks) > 0
    assert {check["id"] for check in checks if check["status"] == "FAILURE"} == SCENARIOS[scenario, revision]
