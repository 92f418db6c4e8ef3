"""The image, built and run by `make image-test`."""

import os
import re
import shutil
import socket
import sys
from collections.abc import Iterator
from subprocess import CalledProcessError

import pytest

from best_move import __version__
from tests.deploy.image import (
    BASE,
    IMAGE,
    TOOLS,
    Container,
    build,
    inspected,
    make_base,
    podman,
    running,
)

if os.environ.get("IMAGE_REQUIRED") != "1":
    pytest.skip("built and run by `make image-test` alone", allow_module_level=True)

# Runs a command and prints the milliseconds of CPU time that it took.
MEASURE = (
    "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True); "
    "used = resource.getrusage(resource.RUSAGE_CHILDREN); "
    "print(1000 * (used.ru_utime + used.ru_stime))"
)


@pytest.fixture(scope="module", autouse=True)
def image() -> None:
    """Build the base image and the image; fail if a tool is not installed."""
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        pytest.fail(f"not installed: {', '.join(missing)}")
    make_base()
    build(SOURCE="https://git.example.org/best-move", REVISION="0123abc")


@pytest.fixture(scope="module")
def container() -> Iterator[Container]:
    """Run a container for the tests that do not change it."""
    with running() as container:
        yield container


def health_check() -> list[str]:
    """Return the command of the image's health check."""
    kind, *command = map(str, inspected()["Healthcheck"]["Test"])
    assert kind == "CMD"
    return command


def test_the_container_serves_with_the_compiled_engine(container: Container) -> None:
    """The container is locked down."""
    assert container.get("/health") == {
        "status": "ok",
        "version": __version__,
        "engine": "compiled",
    }
    assert container.get("/best-move?board=X...O....")["move"] == 1


def test_the_container_does_not_run_as_root(container: Container) -> None:
    """User and group have the ID that the manifests also have."""
    assert inspected()["Config"]["User"] == "10001:10001"
    assert [container.run("id", option).strip() for option in ("-u", "-g", "-G")] == ["10001"] * 3


def test_the_image_has_the_standard_labels() -> None:
    """Source and revision are the build arguments."""
    labels = inspected()["Labels"]
    assert {
        name.removeprefix("org.opencontainers.image."): text for name, text in labels.items()
    } == {
        "title": "Best Move",
        "description": "A move oracle for tic-tac-toe",
        "version": __version__,
        "licenses": "MIT",
        "source": "https://git.example.org/best-move",
        "revision": "0123abc",
    } | {"io.buildah.version": labels["io.buildah.version"]}


def test_the_image_has_no_pip(container: Container) -> None:
    """The command `python -m pip` fails."""
    with pytest.raises(CalledProcessError):
        container.run("python", "-m", "pip", "--version")


def test_the_health_check_fails_if_nothing_listens(container: Container) -> None:
    """The check succeeds if the environment names a proxy, because it does not use the proxy."""
    container.run(*health_check(), http_proxy="http://127.0.0.1:9", HTTP_PROXY="http://127.0.0.1:9")
    with pytest.raises(CalledProcessError):
        container.run(*health_check(), PORT="9")


def test_every_import_of_the_container_is_loaded_from_bytecode() -> None:
    """A read-only disk could not store bytecode."""
    with running(PYTHONVERBOSE="1") as container:
        container.get("/best-move?board=X...O....")
        container.get("/openapi.json")
        checked = podman(
            "exec",
            "--env=PYTHONVERBOSE=1",
            container.id,
            "sh",
            "-c",
            '"$@" 2>&1',
            "-",
            *health_check(),
        )
        assert container.stop()[0] == 0
        for log in (container.log(), checked):
            assert "matches" in log
            assert not re.findall(r"code object from '?([^']*\.py)\b'?$", log, re.MULTILINE)


def test_the_container_stops_within_the_time_that_orchestrators_give() -> None:
    """The container exits by itself with status 0, even if a request is incomplete."""
    with running() as container, socket.create_connection(("127.0.0.1", container.port)) as client:
        client.sendall(b"POST /best-move HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{")
        code, seconds = container.stop()
    sys.stdout.write(f"\nstopped after {seconds:.1f} s\n")
    assert code == 0


def test_the_measurements_of_the_image_are_printed(container: Container) -> None:
    """Size, startup time and the CPU time of a health check depend on the machine."""
    size, base = (inspected(image)["Size"] / 1e6 for image in (IMAGE, BASE))
    costs = [float(container.run("python", "-c", MEASURE, *health_check())) for _ in range(5)]
    sys.stdout.write(
        f"\n{size - base:.0f} MB on a base of {base:.0f} MB; "
        f"first answer after {container.seconds_to_answer:.2f} s; "
        f"{min(costs):.0f} ms of processor time for a health check\n"
    )
    assert size > base
