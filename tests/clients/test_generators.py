"""What the generators of clients make of the contract passes a strict check of types, and understands the answers."""

import json
import shutil
from pathlib import Path

import pytest

from tests.clients.tools import CONTRACT, installed, run

PROGRAMS = Path(__file__).parent
UNDERSTOOD = {
    "by query": 2,
    "after": "XXXOO....",
    "by string": 1,
    "by array": 8,
    "illegal": "illegal_position",
    "refused": "invalid_request",
    "batch": [2, "illegal_position", "invalid_request"],
}


@pytest.mark.parametrize("literal_enums", [False, True], ids=["enumerations", "literals"])
def test_openapi_python_client(origin: str, tmp_path: Path, literal_enums: bool) -> None:  # noqa: FBT001, a parameter
    """openapi-python-client makes a package that mypy passes, with a program of ours, and that asks the service."""
    generator = installed("openapi-python-client")
    python = generator.with_name("python")
    settings = tmp_path / "settings.yaml"
    settings.write_text(json.dumps({"literal_enums": literal_enums, "post_hooks": []}))
    package = tmp_path / "best_move_client"
    run(
        generator, "generate", "--path", CONTRACT, "--config", settings, "--meta", "none", "--output-path", package,
        folder=tmp_path,
    )  # fmt: skip
    program = shutil.copy(PROGRAMS / "python_client.py", tmp_path)
    run(python, "-m", "mypy", "--strict", package, program, folder=tmp_path)
    assert json.loads(run(python, program, origin, folder=tmp_path)) == UNDERSTOOD


def test_openapi_generator(origin: str, tmp_path: Path) -> None:
    """OpenAPI Generator makes modules for `fetch` that TypeScript passes, with a program of ours, and that ask."""
    generator = installed("openapi-generator-cli")
    run(
        generator, "generate", "--input-spec", CONTRACT, "--generator-name", "typescript-fetch", "--output", "client",
        "--additional-properties", "importFileExtension=.js",
        folder=tmp_path,
    )  # fmt: skip
    assert json.loads(run_typescript("typescript_fetch", origin, tmp_path)) == UNDERSTOOD


def test_openapi_typescript(origin: str, tmp_path: Path) -> None:
    """openapi-typescript makes types with which TypeScript passes a program of ours, which asks by openapi-fetch."""
    generator = installed("openapi-typescript")
    run(generator, CONTRACT, "--default-non-nullable=false", "--output", "contract.d.ts", folder=tmp_path)
    assert json.loads(run_typescript("openapi_fetch", origin, tmp_path)) == UNDERSTOOD


def run_typescript(program: str, origin: str, folder: Path) -> str:
    """Compile a program and what it imports, with nothing left unchecked; run it and return what it prints."""
    compiler = installed("tsc")
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "node_modules").symlink_to(compiler.parents[1])
    shutil.copy(PROGRAMS / f"{program}.ts", folder)
    run(
        compiler, "--strict", "--target", "es2022", "--module", "nodenext", "--types", "node", "--outDir", "compiled",
        f"{program}.ts",
        folder=folder,
    )  # fmt: skip
    return run(installed("node"), f"compiled/{program}.js", origin, folder=folder)
