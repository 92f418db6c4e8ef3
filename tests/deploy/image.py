"""The image, built by the Dockerfile on a base of Debian packages, and containers that run it."""

import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

from tests.processes import SECONDS_TO_WAIT, wait_until
from tests.readme import ROOT
from tests.server import free_port

TOOLS = ("buildah", "podman", "runc", "debootstrap")
FOLDER = ROOT / "build/image"  # stores the base image, which takes minutes to build
#  The Dockerfile's base image resolves to this one before any registry is queried.
BASE = "localhost/python:3.14-slim"
IMAGE = "localhost/best-move"
RELEASE = "sid"  # the release of Debian that has this Python
PACKAGES = ("ca-certificates", "libpython3-dev", "python3", "python3-venv")
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")

# As locked down as in a cluster, or more: a read-only disk, no privileges, and low limits.
LOCKED_DOWN = (
    "--read-only",
    "--read-only-tmpfs=false",
    "--cap-drop=ALL",
    "--security-opt=no-new-privileges",
    "--ulimit=nofile=1024:1024",
    "--ulimit=nproc=1024:1024",
    "--no-healthcheck",  # the tests run the health check themselves
    "--network=host",
)


def call(*command: str, stderr: int | None = None) -> str:
    """Run a command with the image storage of these tests; return its standard output."""
    settings = FOLDER / "storage.conf"
    if not settings.exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        lines = (
            "[storage]",
            'driver = "vfs"',
            f'graphroot = "{FOLDER}/storage"',
            f'runroot = "{FOLDER}/run"',
        )
        settings.write_text("\n".join(lines) + "\n", encoding="ascii")
    environment = os.environ | {"CONTAINERS_STORAGE_CONF": str(settings)}
    return subprocess.run(
        command, env=environment, stdout=subprocess.PIPE, stderr=stderr, text=True, check=True
    ).stdout


def podman(*arguments: str, stderr: int | None = None) -> str:
    """Run podman without systemd; return its standard output."""
    return call("podman", "--cgroup-manager=cgroupfs", "--runtime=runc", *arguments, stderr=stderr)


def make_base() -> None:
    """Build the base image unless it exists.

    Like the official image it has Python's headers and no bytecode.
    """
    if call("buildah", "images", "--quiet", "--filter", f"reference={BASE}"):
        return
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
        call("debootstrap", "--variant=minbase", f"--include={','.join(PACKAGES)}", RELEASE, folder)
        root = Path(folder)
        for bytecode in [*root.rglob("__pycache__")]:
            shutil.rmtree(bytecode)
        for archive in (root / "var/cache/apt/archives").glob("*.deb"):
            archive.unlink()
        (root / "usr/local/bin/python").symlink_to("/usr/bin/python3")
        # The lists of a package mirror may have expired.
        (root / "etc/apt/apt.conf.d/90valid").write_text(
            'Acquire::Check-Valid-Until "false";\n', encoding="ascii"
        )
        container = call("buildah", "from", "scratch").strip()
        call("buildah", "add", "--quiet", container, folder)
        call("buildah", "commit", "--quiet", "--rm", container, BASE)


def build(**arguments: str) -> None:
    """Build the image."""
    # The build trusts the certificates of this machine, because the package servers may be behind a
    # proxy.
    trust = [f"--volume={CERTIFICATES}:{CERTIFICATES}:ro"] if CERTIFICATES.exists() else []
    given = [f"--build-arg={name}={text}" for name, text in arguments.items()]
    options = ("--pull-never", "--isolation=chroot", "--format=docker", f"--tag={IMAGE}")
    call("buildah", "build", *options, *trust, *given, str(ROOT))


def inspected(image: str = IMAGE) -> dict[str, Any]:
    """Return the configuration of an image."""
    (found,) = json.loads(podman("image", "inspect", image))
    assert isinstance(found, dict)
    return found


@dataclass(frozen=True)
class Container:
    """A container of the image, whose service listens on the loopback."""

    id: str
    port: int
    seconds_to_answer: float

    def get(self, path: str) -> Any:
        """Return the JSON at a path."""
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=SECONDS_TO_WAIT)) as connection:
            connection.request("GET", path)
            return json.load(connection.getresponse())

    def run(self, *command: str, **variables: str) -> str:
        """Run a command in the container, with these environment variables; return its output."""
        return podman("exec", *_environment(variables), self.id, *command)

    def stop(self) -> tuple[int, float]:
        """Stop the container as orchestrators do.

        Return its exit code and the seconds until it exited.
        """
        start = time.monotonic()
        podman("stop", "--time=10", self.id)
        seconds = time.monotonic() - start
        return int(podman("inspect", "--format={{.State.ExitCode}}", self.id)), seconds

    def log(self) -> str:
        """Return the container's output so far."""
        return podman("logs", self.id, stderr=subprocess.STDOUT)


@contextmanager
def running(**variables: str) -> Iterator[Container]:
    """Run a container with these environment variables; yield the container once it responds."""
    port = free_port()
    environment = _environment({"HOST": "127.0.0.1", "PORT": str(port)} | variables)
    found = podman("run", "--detach", *LOCKED_DOWN, *environment, IMAGE).strip()
    try:
        yield Container(found, port, _seconds_to_answer(found, port))
    finally:
        podman("rm", "--force", "--time=0", found)


def _environment(variables: dict[str, str]) -> list[str]:
    return [f"--env={name}={text}" for name, text in variables.items()]


def _seconds_to_answer(container: str, port: int) -> float:
    pid = podman("inspect", "--format={{.State.Pid}}", container).strip()

    def seconds() -> float | None:
        address = ("127.0.0.1", port)
        with (
            closing(HTTPConnection(*address, timeout=SECONDS_TO_WAIT)) as connection,
            suppress(OSError, HTTPException),
        ):
            connection.request("GET", "/health")
            if connection.getresponse().status == 200:
                return time.clock_gettime(time.CLOCK_BOOTTIME) - _started(pid)
        return None

    return wait_until(seconds, "the container answers")


def _started(pid: str) -> float:
    """Return the start time of a process, in seconds since the machine was booted."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return int(fields[19]) / os.sysconf("SC_CLK_TCK")
