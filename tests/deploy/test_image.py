"""The image, built and run by `make image-test`: it starts and stops as it should, and asks for no rights."""

import os
import re
import shutil
import socket
import sys
from collections.abc import Iterator
from subprocess import CalledProcessError

import pytest

from best_move import __version__
from tests.deploy.image import BASE, IMAGE, TOOLS, Container, build, inspected, make_base, podman, running

if os.environ.get("IMAGE_REQUIRED") != "1":
    pytest.skip("built and run by `make image-test` alone", allow_module_level=True)

# Runs a command and prints the milliseconds of processor time that it took.
MEASURE = (
    "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True); "
    "used = resource.getrusage(resource.RUSAGE_CHILDREN); print(1000 * (used.ru_utime + used.ru_stime))"
)


@pytest.fixture(scope="module", autouse=True)
def image() -> None:
    """Build the image."""
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        pytest.fail(f"not installed: {', '.join(missing)}")
    make_base()
    build(SOURCE="https://git.example.org/best-move", REVISION="0123abc")


@pytest.fixture(scope="module")
def container() -> Iterator[Container]:
    """Run a container for the tests that leave it as it was."""
    with running() as container:
        yield container


def health_check() -> list[str]:
    """Return the image's own check of its health."""
    kind, *command = map(str, inspected()["Healthcheck"]["Test"])
    assert kind == "CMD"
    return command


def test_it_serves_with_the_compiled_engine(container: Container) -> None:
    """Locked down, it answers, and its engine was compiled."""
    assert container.get("/health") == {"status": "ok", "version": __version__, "engine": "compiled"}
    assert container.get("/best-move?board=X...O....")["move"] == 1


def test_it_runs_as_nobody_else(container: Container) -> None:
    """Its user and its group have the same number, which the manifests name; neither is root."""
    assert inspected()["Config"]["User"] == "10001:10001"
    assert [container.run("id", option).strip() for option in ("-u", "-g", "-G")] == ["10001"] * 3


def test_it_says_what_it_is() -> None:
    """Its labels are those of the OCI, with the source and the revision from the arguments of the build."""
    labels = inspected()["Labels"]
    assert {name.removeprefix("org.opencontainers.image."): text for name, text in labels.items()} == {
        "title": "Best Move",
        "description": "A move oracle for tic-tac-toe",
        "version": __version__,
        "licenses": "MIT",
        "source": "https://git.example.org/best-move",
        "revision": "0123abc",
    } | {"io.buildah.version": labels["io.buildah.version"]}


def test_its_environment_has_no_pip(container: Container) -> None:
    """Nothing can be installed into what it runs from."""
    with pytest.raises(CalledProcessError):
        container.run("python", "-m", "pip", "--version")


def test_the_health_check_tells_a_service_that_is_up_from_one_that_is_not(container: Container) -> None:
    """It succeeds whatever proxy is set, and fails where nobody listens."""
    container.run(*health_check(), http_proxy="http://127.0.0.1:9", HTTP_PROXY="http://127.0.0.1:9")
    with pytest.raises(CalledProcessError):
        container.run(*health_check(), PORT="9")


def test_nothing_is_compiled_when_it_runs() -> None:
    """What the service and its health check import, they load as bytecode: a read-only disk could not keep any."""
    with running(PYTHONVERBOSE="1") as container:
        container.get("/best-move?board=X...O....")
        container.get("/openapi.json")
        checked = podman("exec", "--env=PYTHONVERBOSE=1", container.id, "sh", "-c", '"$@" 2>&1', "-", *health_check())
        assert container.stop()[0] == 0
        for log in (container.log(), checked):
            assert "matches" in log
            assert not re.findall(r"code object from '?([^']*\.py)\b'?$", log, re.MULTILINE)


def test_it_stops_within_the_time_that_orchestrators_give() -> None:
    """Asked to stop, beside a client whose request is incomplete, it ends by itself, and says that all was well."""
    with running() as container, socket.create_connection(("127.0.0.1", container.port)) as client:
        client.sendall(b"POST /best-move HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{")
        code, seconds = container.stop()
    sys.stdout.write(f"\nstopped after {seconds:.1f} s\n")
    assert code == 0


def test_its_figures_are_printed(container: Container) -> None:
    """Print size, startup time and the cost of a health check, which depend on the machine."""
    size, base = (inspected(image)["Size"] / 1e6 for image in (IMAGE, BASE))
    costs = [float(container.run("python", "-c", MEASURE, *health_check())) for _ in range(5)]
    sys.stdout.write(
        f"\n{size - base:.0f} MB on a base of {base:.0f} MB; first answer after {container.seconds_to_answer:.2f} s; "
        f"{min(costs):.0f} ms of processor time for a health check\n"
    )
    assert size > base
