"""The package that is tested, which may be an older one than the sources beside the tests."""

from pathlib import Path

import best_move

PROJECT = Path(__file__).parents[1]
SOURCES = PROJECT / "service/best_move"
TESTED = Path(best_move.__file__).resolve().parent

DOCUMENT = "web/api/openapi.yaml"


def differing() -> list[str]:
    """Return the files of the tested package that are not those of the sources."""
    sources = _contents(SOURCES) | {DOCUMENT: (PROJECT / "openapi.yaml").read_bytes()}
    tested = _contents(TESTED)
    return sorted(
        name for name in sources.keys() | tested.keys() if sources.get(name) != tested.get(name)
    )


def _contents(package: Path) -> dict[str, bytes]:
    """Return the content of each file of a package, but not what is compiled from these."""
    return {
        path.relative_to(package).as_posix(): path.read_bytes()
        for path in package.rglob("[!.]*")
        if path.is_file() and path.suffix not in {".so", ".pyc", ".md"}
    }
