"""Generated clients: each passes a strict type check, and parses this and the next version."""

import fcntl
import json
import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.clients.tools import CONTRACT, QUICKLY, installed, run
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


@pytest.mark.parametrize("literal_enums", [False, True], ids=["enumerations", "literals"])
def test_the_client_of_openapi_python_client_calls_the_service(
    origin: str,
    later: str,
    tmp_path: Path,
    literal_enums: bool,  # noqa: FBT001, a parameter of the test
) -> None:
    """The generated types are enumerations in one package and literals in the other."""
    pictures = dict.fromkeys(("image/png", "image/svg+xml"), "application/octet-stream")
    settings = {
        "literal_enums": literal_enums,
        "post_hooks": [],
        "content_type_overrides": pictures,
    }
    (tmp_path / "settings.yaml").write_text(json.dumps(settings))
    generator = installed("openapi-python-client")
    run(
        generator, "generate", "--path", CONTRACT, "--config", "settings.yaml", "--meta", "none",
        "--output-path", "best_move_client",
        folder=tmp_path,
    )  # fmt: skip
    found = call_python("openapi_python_client", (origin, later), tmp_path, "best_move_client")
    assert found == [CALLED, CALLED_LATER]


def test_the_python_client_of_openapi_generator_calls_the_service(
    origin: str, later: str, tmp_path: Path
) -> None:
    """The generator reports no error."""
    printed = run(
        installed("openapi-generator-cli"), "generate", "--input-spec", CONTRACT,
        "--generator-name", "python",
        "--output", ".",
        folder=tmp_path,
    )  # fmt: skip
    assert "ERROR" not in printed
    found = call_python("openapi_generator", (origin, later), tmp_path, "--follow-imports=silent")
    assert found == [CALLED, CALLED_LATER]


def test_the_models_of_datamodel_code_generator_fit_the_service(
    origin: str, later: str, tmp_path: Path
) -> None:
    """The JSON of the models has null for unset fields without defaults."""
    run(
        installed("datamodel-codegen"), "--input", CONTRACT, "--input-file-type", "openapi",
        "--output", "models.py", "--output-model-type", "pydantic_v2.BaseModel",
        "--set-default-enum-member", "--formatters", "builtin",
        folder=tmp_path,
    )  # fmt: skip
    found = call_python("datamodel", (origin, later), tmp_path, "--follow-imports=silent")
    assert found == [CALLED, CALLED_LATER]


def call_python(name: str, origins: Iterable[str], folder: Path, *options: str) -> list[object]:
    """Check the types of a program with mypy; return the program's output for each URL."""
    python = installed("openapi-python-client").with_name("python")
    program = shutil.copy(PROGRAMS / f"{name}.py", folder)
    with Path(QUICKLY["MYPY_CACHE_DIR"] + ".lock").open("w") as lock:
        #  Packages of two tests have the same name in mypy's cache.
        fcntl.flock(lock, fcntl.LOCK_EX)
        run(python, "-m", "mypy", "--strict", program, *options, folder=folder)
    return [json.loads(run(python, program, origin, folder=folder)) for origin in origins]


def test_the_types_of_openapi_typescript_fit_the_service(
    origin: str, later: str, tmp_path: Path
) -> None:
    """The types are used with openapi-fetch."""
    generator = installed("openapi-typescript")
    run(
        generator,
        CONTRACT,
        "--default-non-nullable=false",
        "--output",
        "contract.ts",
        folder=tmp_path,
    )
    assert call_typescript("openapi_fetch", (origin, later), tmp_path) == [CALLED, CALLED_LATER]


def test_the_typescript_client_of_openapi_generator_calls_the_service(
    origin: str, later: str, tmp_path: Path
) -> None:
    """The generator reports no error, and its modules use `fetch`."""
    printed = run(
        installed("openapi-generator-cli"), "generate", "--input-spec", CONTRACT,
        "--generator-name", "typescript-fetch", "--output", "client",
        "--additional-properties", "importFileExtension=.js",
        folder=tmp_path,
    )  # fmt: skip
    assert "ERROR" not in printed
    assert call_typescript("typescript_fetch", (origin, later), tmp_path) == [CALLED, CALLED_LATER]


def test_the_client_of_hey_api_calls_the_service(origin: str, later: str, tmp_path: Path) -> None:
    """The client's functions use `fetch`."""
    configure(
        tmp_path,
        {"input": str(CONTRACT), "output": {"path": "client", "module": {"extension": ".js"}}},
    )
    run(
        installed("openapi-ts"),
        "--file",
        "config.mjs",
        "--silent",
        "--no-log-file",
        folder=tmp_path,
    )
    assert call_typescript("hey_api", (origin, later), tmp_path) == [CALLED, CALLED_LATER]


def test_the_client_of_orval_calls_the_service(origin: str, later: str, tmp_path: Path) -> None:
    """The client's functions use `fetch` and contain the URL of the service."""
    output = {"target": "client.ts", "client": "fetch", "baseUrl": origin}
    configure(tmp_path, {"client": {"input": str(CONTRACT), "output": output}})
    run(installed("orval"), "--config", "config.mjs", folder=tmp_path)
    assert call_typescript("orval", [origin], tmp_path) == [CALLED]
    client = tmp_path / "compiled/client.js"
    client.write_text(client.read_text().replace(origin, later))
    assert run_compiled("orval", later, tmp_path) == CALLED_LATER


def configure(folder: Path, settings: object) -> None:
    """Write the settings of a generator as the module that it reads."""
    (folder / "config.mjs").write_text(f"export default {json.dumps(settings)};")


def call_typescript(name: str, origins: Iterable[str], folder: Path) -> list[object]:
    """Compile a program with strict type checks; return its output for each URL."""
    compiler = installed("tsc")
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "node_modules").symlink_to(compiler.parents[1])
    shutil.copy(PROGRAMS / f"{name}.ts", folder)
    run(
        compiler, "--strict", "--skipLibCheck", "--target", "es2022", "--module", "nodenext",
        "--types", "node",
        "--outDir", "compiled", f"{name}.ts",
        folder=folder,
    )  # fmt: skip
    return [run_compiled(name, origin, folder) for origin in origins]


def run_compiled(name: str, origin: str, folder: Path) -> object:
    """Return the output of a compiled program for a service."""
    return json.loads(run(installed("node"), f"compiled/{name}.js", origin, folder=folder))
