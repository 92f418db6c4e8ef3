"""The defaults, limits and variables in the texts are those of the service."""

import json
import re

import pytest
import yaml

from best_move.engine.search_tree import DEFAULT_NODES, MAX_NODES
from best_move.web.api.handling import (
    MAX_BYTES,
    MAX_MESSAGE_BYTES,
    MAX_PLAYER_BYTES,
    MAX_QUICK_BYTES,
    MAX_WAITING,
)
from best_move.web.api.requests import MAX_REQUESTS
from best_move.web.api.validation_errors import MAX_ERRORS
from best_move.web.serving.connection import MAX_READ
from best_move.web.serving.server import configuration
from best_move.web.serving.timeouts import Timeouts
from best_move.web.serving.worker import RESERVED_FILES
from best_move.web.settings import MAX_KEEP_ALIVE, MAX_WORKERS, OPTIONS, Settings
from tests.programs.benchmarks.requests import MOVE, REQUESTS
from tests.readme import ROOT, rows, section

GUNICORN = configuration(Settings())
HEADER, BODY, PLAYER, MESSAGE = (
    f"{number // 1024} KiB"
    for number in (
        GUNICORN["limit_request_field_size"],
        MAX_BYTES,
        MAX_PLAYER_BYTES,
        MAX_MESSAGE_BYTES,
    )
)
BATCH = REQUESTS["the most expensive batch"][0]["data"]
MANIFESTS = yaml.safe_load_all((ROOT / "service/deploy/kubernetes.yaml").read_text("utf-8"))
POD = next(each for each in MANIFESTS if each["kind"] == "Deployment")["spec"]["template"]["spec"]
SECONDS_TO_LEAVE = POD["containers"][0]["lifecycle"]["preStop"]["sleep"]["seconds"]

#  heading -> phrases of its section, each with a number
LIMITS = {
    "Endpoints": [f"up to {MAX_REQUESTS} best moves"],
    "A batch": [f"up to {MAX_REQUESTS} requests", f"the first {MAX_ERRORS} errors"],
    "Player reviews": [f"the first {MAX_ERRORS} are in `errors`"],
    "The search as a tree": [f"more than {MAX_NODES:,} nodes", f"fit in {DEFAULT_NODES} nodes"],
    "Settings": [f"at most {MAX_WORKERS};", f"up to {MAX_KEEP_ALIVE} |"],
    "Limits and timeouts": [
        f"get up to {Timeouts.grace:g} seconds",
        f"{Timeouts.headers:g} seconds for the headers",
        f"{Timeouts.body:g} for a body",
        f"{Timeouts.reading:g} for a client that reads nothing",
        f"has {Timeouts.closing:g} seconds to read the response",
        f"accepts {GUNICORN['worker_connections']:,} connections, or {RESERVED_FILES} fewer",
        f"reads at most {MAX_READ // 1024} KiB of a client",
        f"path, query and body have more than {MAX_QUICK_BYTES // 1024} KiB",
        f"{MAX_WAITING} requests may wait, each for {Timeouts.thread:g} seconds",
        f"A body and a request line may have {BODY} each",
        f"the body of `/player-review` {PLAYER}, that of `/mcp` {MESSAGE}",
        f"a batch of {MAX_REQUESTS} times `{json.dumps(MOVE)}`",
        f"sends {len(BATCH) / 1000:.0f} kB",
        f"a header line {HEADER}, and a request {GUNICORN['limit_request_fields']} headers",
    ],
    "Error codes": [
        f"longer than {BODY}, that of a player review than {PLAYER}",
        f"that of a chat message than {MESSAGE}",
    ],
    "A chatbot": [f"messages of more than {MESSAGE}"],
    "Kubernetes": [f"waits {SECONDS_TO_LEAVE} seconds, in which it leaves rotation"],
}


@pytest.mark.parametrize("heading", LIMITS)
def test_a_limit_is_the_one_in_force(heading: str) -> None:
    """Each number of the section is the one with which the service works."""
    text = re.sub(r"\s+", " ", section(heading).text)
    for phrase in LIMITS[heading]:
        assert phrase in text


def test_the_table_of_settings_has_all_options() -> None:
    """The table has each option with its variable and its default."""
    in_image = re.findall(r"\bHOST=(\S+)", (ROOT / "Dockerfile").read_text(encoding="utf-8"))
    others = {"HOST": f" (the image: `{in_image[0]}`)", "WEB_CONCURRENCY": "one per available CPU"}
    expected = []
    for option in OPTIONS:
        default = "" if callable(option.default) else f"`{option.default}`"
        variable = str(option.envvar)
        expected.append(
            [f"`{option.opts[0]}`", f"`{variable}`", default + others.get(variable, "")]
        )
    listed = [row[:3] for row in rows("Settings")]
    assert listed == expected, "Update the table of settings in the deployment guide."


def test_the_texts_name_no_variable_that_the_service_ignores() -> None:
    """The guides, and the comments of the configurations, name the variables as they are read."""
    files = [ROOT / "README.md", ROOT / "Dockerfile", *ROOT.glob("service/deploy/*")]
    variables = {option.envvar for option in OPTIONS}
    others = {"AF_INET", "AF_UNIX", "BOOLEAN_FORMAT_STRING", "MAX_ILLEGAL"}
    unknown = {
        f"{file.relative_to(ROOT)}: {name}"
        for file in {*files, *ROOT.glob("service/**/*.md")}
        for name in re.findall(r"\b[A-Z]+(?:_[A-Z]+)+\b", file.read_text(encoding="utf-8"))
        if name not in variables | others
    }
    assert not unknown, "The service reads none of them."
