"""Importers of OpenAPI documents that read no later version than 3.0, or no recursive schema."""

import json
import shutil
from pathlib import Path
from urllib.request import urlopen

import pytest

from best_move.web.api.requests import BestMoveRequest
from tests.clients.test_generators import (
    CALLED,
    CALLED_LATER,
    TYPESCRIPT,
    compile_programs,
    generate,
)
from tests.clients.tools import DOCUMENT, installed, lack, run
from tests.programs.openapi import operations

pytestmark = pytest.mark.thorough

PROGRAMS = Path(__file__).parent

#  Reads a document as Semantic Kernel does; prints the parameters of GET /best-move.
RESOLVED = """\
import json, sys
from prance import ResolvingParser
parameters = ResolvingParser(sys.argv[1]).specification["paths"]["/best-move"]["get"]["parameters"]
print(json.dumps([parameter["name"] for parameter in parameters]))
"""


@pytest.fixture
def document(origin: str, tmp_path: Path) -> Path:
    """Return the path of the document in version 3.0 as it is served."""
    path = tmp_path / "openapi-3.0.json"
    with urlopen(f"{origin}/openapi-3.0.json") as response:  # noqa: S310, the service
        path.write_bytes(response.read())
    return path


def test_microsoft_365_copilot_takes_all_operations(document: Path, tmp_path: Path) -> None:
    """The parser of its agents has no objection, and an action for each operation."""
    packages = installed("esbuild").parents[1]
    if not (packages / "@microsoft/m365-spec-parser").exists():
        lack("@microsoft/m365-spec-parser")
    (tmp_path / "node_modules").symlink_to(packages)
    shutil.copy(PROGRAMS / "m365.mjs", tmp_path)
    found = json.loads(run(installed("node"), "m365.mjs", document, folder=tmp_path))
    assert found["problems"] == []
    assert found["operations"] == [
        operation["operationId"]
        for _, _, operation in operations(json.loads(document.read_text(encoding="utf-8")))
    ]


def test_semantic_kernel_s_resolver_replaces_all_references(document: Path, tmp_path: Path) -> None:
    """It follows no schema into itself, and finds each parameter of a request."""
    python = installed("prance").with_name("python3")
    found = run(python, "-c", RESOLVED, document, folder=tmp_path)
    assert json.loads(found) == [*BestMoveRequest.model_fields]


def test_a_client_generated_from_version_3_0_calls_the_service(
    origin: str, later: str, document: Path, tmp_path: Path
) -> None:
    """It passes a strict type check, and parses the responses of this and the next version."""
    command = TYPESCRIPT["openapi_fetch"].replace(str(DOCUMENT), str(document))
    generate({"openapi_fetch": command}, tmp_path)
    compile_programs(["openapi_fetch"], tmp_path)
    for url, expected in ((origin, CALLED), (later, CALLED_LATER)):
        printed = run(installed("node"), "compiled/openapi_fetch.js", url, folder=tmp_path)
        assert json.loads(printed) == expected
