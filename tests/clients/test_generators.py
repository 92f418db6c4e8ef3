"""Generated clients: each passes a strict type check, and parses this and the next version."""

import json
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from tests.clients.tools import DOCUMENT, installed, run
from tests.next_version import WORD

pytestmark = pytest.mark.thorough

PROGRAMS = Path(__file__).parent / "programs"

#  The values that each program prints: moves, codes of problems, nodes of a tree, and the type of a
#  picture.
CALLED = {
    "board": 1,
    "played": 1,
    "illegal": "illegal_position",
    "invalid": "invalid_request",
    "batch": [2, "illegal_position"],
    "tree": 42,
    "picture": "PNG",
}
CALLED_LATER = CALLED | {"illegal": WORD, "invalid": WORD, "batch": [2, WORD]}

#  Program -> the command that generates its client.
PYTHON = {
    "openapi_python_client": (
        f"openapi-python-client generate --path {DOCUMENT} --config enumerations.json --meta none"
        " --output-path best_move_client"
    ),
    "literals": (
        f"openapi-python-client generate --path {DOCUMENT} --config literals.json --meta none"
        " --output-path literal_client"
    ),
    "openapi_generator": (
        f"openapi-generator-cli generate --input-spec {DOCUMENT} --generator-name python --output ."
    ),
    "datamodel": (
        f"datamodel-codegen --input {DOCUMENT} --input-file-type openapi --output models.py"
        " --output-model-type pydantic_v2.BaseModel --set-default-enum-member --formatters builtin"
    ),
}
TYPESCRIPT = {
    "openapi_fetch": (
        f"openapi-typescript {DOCUMENT} --default-non-nullable=false --output schema.ts"
    ),
    "typescript_fetch": (
        f"openapi-generator-cli generate --input-spec {DOCUMENT} --generator-name typescript-fetch"
        " --output openapi_generator --additional-properties importFileExtension=.js"
    ),
    "hey_api": "openapi-ts --file hey_api.config.mjs --silent --no-log-file",
    "orval": f"orval --input {DOCUMENT} --output orval_client.ts --client fetch",
}


def generate(commands: Mapping[str, str], folder: Path) -> None:
    """Generate clients; no generator may report an error."""
    for command in commands.values():
        name, *arguments = command.split()
        assert "ERROR" not in run(installed(name), *arguments, folder=folder)


def compile_programs(names: Iterable[str], folder: Path) -> None:
    """Compile programs in TypeScript, which are copied into the folder of their clients."""
    shutil.copytree(PROGRAMS, folder, dirs_exist_ok=True)
    (folder / "package.json").write_text('{"type": "module"}')
    compiler = installed("tsc")
    (folder / "node_modules").symlink_to(compiler.parents[1])
    run(
        compiler, "--strict", "--skipLibCheck", "--target", "es2022", "--module", "nodenext",
        "--types", "node", "--outDir", "compiled", *(f"{name}.ts" for name in names),
        folder=folder,
    )  # fmt: skip


def test_the_python_clients_call_the_service(origin: str, later: str, tmp_path: Path) -> None:
    """One client has enumerations, another literals; models send null for unset fields."""
    types = dict.fromkeys(("image/png", "image/svg+xml"), "application/octet-stream")
    for name in ("enumerations", "literals"):
        settings = {
            "content_type_overrides": types,
            "literal_enums": name == "literals",
            "post_hooks": [],
        }
        (tmp_path / f"{name}.json").write_text(json.dumps(settings))
    generate(PYTHON, tmp_path)
    shutil.copytree(PROGRAMS, tmp_path, dirs_exist_ok=True)
    program = (PROGRAMS / "openapi_python_client.py").read_text()
    (tmp_path / "literals.py").write_text(program.replace("best_move_client", "literal_client"))

    programs = [f"{name}.py" for name in PYTHON]
    python = installed("openapi-python-client").with_name("python")
    checked = [*programs, "best_move_client", "literal_client"]
    run(python, "-m", "mypy", "--strict", "--follow-imports=silent", *checked, folder=tmp_path)
    for name in programs:
        for url, expected in ((origin, CALLED), (later, CALLED_LATER)):
            assert json.loads(run(python, name, url, folder=tmp_path)) == expected, name


def test_the_typescript_clients_call_the_service(origin: str, later: str, tmp_path: Path) -> None:
    """All programs are compiled together."""
    output = {"path": "hey_api", "module": {"extension": ".js"}}
    settings = json.dumps({"input": str(DOCUMENT), "output": output})
    (tmp_path / "hey_api.config.mjs").write_text(f"export default {settings};")
    generate(TYPESCRIPT, tmp_path)
    compile_programs(TYPESCRIPT, tmp_path)
    for name in TYPESCRIPT:
        for url, expected in ((origin, CALLED), (later, CALLED_LATER)):
            printed = run(installed("node"), f"compiled/{name}.js", url, folder=tmp_path)
            assert json.loads(printed) == expected, name
