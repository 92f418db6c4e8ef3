"""What the README puts in front of the service: nginx and Kubernetes as printed, and the figures of the whole space."""

import json
import os
import re
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import kubernetes_validate  # type: ignore[import-untyped]  # it ships no types
import pytest
import yaml
from flask import Flask

from service.web.openapi import document
from service.web.problems import MAX_BYTES, describe
from service.web.server import configuration
from service.web.settings import Settings
from tests.benchmarks.space import CHOICES, POSITIONS, QUESTIONS, SECONDS_A_DAY
from tests.front import NGINX, README, access_log, half_sent, nginx, printed
from tests.server import SECONDS_TO_START, Server, running

DOCKERFILE = (Path(__file__).parents[1] / "Dockerfile").read_text(encoding="utf-8")
GOOD = b'{"board":"X...O...."}'
PATIENCE = 10.0

GUNICORN = configuration(Settings())


@dataclass(frozen=True)
class Reply:
    """A response that was read to its end."""

    status: int
    headers: Message
    body: bytes

    @property
    def cache(self) -> str | None:
        """What nginx says of its cache."""
        return self.headers["X-Cache-Status"]

    def problem(self) -> dict[str, Any]:
        """Return the problem in the body, once it is sure that it is one and not to be stored."""
        assert self.headers["Content-Type"] == "application/problem+json"
        assert self.headers["Cache-Control"] == "no-store"
        assert self.headers["Access-Control-Allow-Origin"] == "*"
        assert self.headers["X-Request-ID"]
        problem: dict[str, Any] = json.loads(self.body)
        schema = document()["components"]["schemas"]["Problem"]
        assert set(schema["required"]) <= set(problem) <= set(schema["properties"])
        assert problem["status"] == self.status
        assert re.fullmatch(schema["properties"]["code"]["pattern"], problem["code"])
        assert problem["type"] == f"urn:best-move:problem:{problem['code']}"
        return problem


def ask(server: Server, path: str, method: str = "GET", body: bytes | None = None, **headers: str) -> Reply:
    """Send a request over a new connection; an underscore in a header's name stands for a hyphen."""
    with closing(server.connect()) as connection:
        connection.request(method, path, body, {name.replace("_", "-"): text for name, text in headers.items()})
        response = connection.getresponse()
        return Reply(response.status, response.headers, response.read())


def send(server: Server, request: bytes) -> Reply:
    """Send bytes that need not be good HTTP."""
    head, _, body = server.send(request).partition(b"\r\n\r\n")
    status, *lines = head.decode().split("\r\n")
    headers = Message()
    for line in lines:
        name, _, text = line.partition(": ")
        headers[name] = text
    return Reply(int(status.split()[1]), headers, body)


def counted(service: Server, method: str) -> int:
    """Return how many requests for a move the service itself has answered."""
    counts = re.findall(
        rf'^best_move_requests_total{{method="{method}",route="/best-move",.*}} (\S+)$',
        ask(service, "/metrics").body.decode(),
        re.MULTILINE,
    )
    return sum(int(float(count)) for count in counts)


def eventually(reply: Callable[[], Reply], cache: str) -> Reply:
    """Ask until nginx says this of its cache; return that reply."""
    deadline = time.monotonic() + PATIENCE
    while (last := reply()).cache != cache:
        assert time.monotonic() < deadline, f"{last.cache}, never {cache}"
        time.sleep(0.1)
    return last


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """Return a folder for nginx, or skip where there is none, unless NGINX_REQUIRED says that there must be."""
    if NGINX is None:
        if os.environ.get("NGINX_REQUIRED") == "1":
            pytest.fail("nginx is required, and not installed")
        pytest.skip("nginx is not installed")
    with tempfile.TemporaryDirectory() as path:
        yield Path(path)


@pytest.fixture(scope="module")
def service(folder: Path) -> Iterator[Server]:  # noqa: ARG001, without nginx there is no need of a service
    """Run a service that four clients can occupy."""
    with running(WEB_CONCURRENCY="1", THREADS="4", LOG_LEVEL="warning") as service:
        yield service


@pytest.fixture(scope="module")
def front(folder: Path, service: Server) -> Iterator[Server]:
    """Run nginx in front of the service."""
    place = folder / "front"
    place.mkdir()
    with nginx(place, service.port) as front:
        yield front


@pytest.mark.parametrize("path", ["/best-move?board=.........", "/health", "/openapi.json", "/openapi.yaml"])
def test_nginx_passes_answers_on(service: Server, front: Server, path: str) -> None:
    """An answer through nginx is the answer of the service, with its type and its rule for caches."""
    direct, passed = ask(service, path), ask(front, path)
    assert (passed.status, direct.status) == (200, 200)
    for name in ("Content-Type", "Cache-Control", "ETag", "Access-Control-Allow-Origin"):
        assert passed.headers[name] == direct.headers[name]
    assert passed.body.partition(b'"elapsed_ms"')[0] == direct.body.partition(b'"elapsed_ms"')[0]


def test_the_second_answer_comes_from_the_cache(service: Server, front: Server) -> None:
    """The same question again is answered with the same bytes, and the service does not hear of it."""
    path = "/best-move?board=X...O...."
    first = ask(front, path)
    before = counted(service, "GET")
    second = ask(front, path)
    assert (first.status, first.cache) == (200, "MISS")
    assert (second.status, second.cache) == (200, "HIT")
    assert second.body == first.body
    assert counted(service, "GET") == before


@pytest.mark.parametrize("known", [True, False], ids=["in the cache", "not in the cache"])
def test_a_conditional_request_gets_a_304(service: Server, front: Server, known: bool) -> None:  # noqa: FBT001, a parameter
    """A client that has the answer gets a 304 without a body, whether the cache has it too or not."""
    path = f"/best-move?board=X....O...&analysis={str(known).lower()}"
    etag = ask(front if known else service, path).headers["ETag"]
    again = ask(front, path, If_None_Match=etag)
    assert (again.status, again.body, again.cache) == (304, b"", "HIT" if known else "MISS")
    assert again.headers["ETag"] == etag


def test_many_who_ask_the_same_at_once_are_all_answered(front: Server) -> None:
    """Those who wait for the first of them to fill the cache get the same answer."""
    with ThreadPoolExecutor(20) as pool:
        replies = list(pool.map(lambda _: ask(front, "/best-move?board=.........&algorithm=minimax"), range(20)))
    assert {reply.status for reply in replies} == {200}
    assert len({reply.headers["ETag"] for reply in replies}) == 1


def test_a_post_is_never_cached(service: Server, front: Server) -> None:
    """Each POST reaches the service, and its answer is not to be stored."""
    before = counted(service, "POST")
    for _ in range(2):
        reply = ask(front, "/best-move", "POST", GOOD, Content_Type="application/json")
        assert (reply.status, reply.cache, reply.headers["Cache-Control"]) == (200, None, "no-store")
        assert json.loads(reply.body)["move"] == 1
    assert counted(service, "POST") == before + 2


def test_an_answer_by_chance_is_never_cached(front: Server) -> None:
    """What the service may answer otherwise the next time, it is asked each time."""
    for _ in range(2):
        reply = ask(front, "/best-move?board=.........&difficulty=easy")
        assert (reply.status, reply.cache, reply.headers["Cache-Control"]) == (200, "MISS", "no-store")


@pytest.mark.parametrize("query", ["board=bad", "board=XXX......", "board=X...O....&algoritm=minimax"])
def test_an_error_is_never_cached_and_stays_a_problem(service: Server, front: Server, query: str) -> None:
    """A problem of the service passes untouched, each time anew."""
    path = f"/best-move?{query}"
    direct = ask(service, path)
    before = counted(service, "GET")
    for _ in range(2):
        reply = ask(front, path)
        assert (reply.status, reply.cache, reply.body) == (direct.status, "MISS", direct.body)
        reply.problem()
    assert counted(service, "GET") == before + 2


def test_a_preflight_passes(front: Server) -> None:
    """A browser that asks what it may send is answered by the service."""
    reply = ask(front, "/best-move", "OPTIONS", Origin="https://example.org", Access_Control_Request_Method="POST")
    assert (reply.status, reply.headers["Access-Control-Allow-Headers"]) == (204, "Content-Type, X-Request-ID")


@pytest.mark.parametrize(
    "body",
    [
        b"Content-Length: %d\r\n\r\n" % (MAX_BYTES + 1),
        b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n" % (MAX_BYTES + 1, b" " * (MAX_BYTES + 1)),
    ],
    ids=["by its length", "in chunks"],
)
def test_a_body_too_large_is_the_same_problem_in_front(service: Server, front: Server, body: bytes) -> None:
    """A body over the limit of the service is refused by nginx, as the service names it; one at the limit is read."""
    before = counted(service, "POST")
    problem = send(front, b"POST /best-move HTTP/1.1\r\nHost: localhost\r\n" + body).problem()
    known = describe("body_too_large", "")
    assert {name: problem[name] for name in ("type", "title", "status", "code")} == {
        name: text for name, text in known.items() if name != "detail"
    }
    assert str(MAX_BYTES) in problem["detail"]
    assert counted(service, "POST") == before
    assert ask(front, "/best-move", "POST", GOOD.ljust(MAX_BYTES), Content_Type="application/json").status == 200


@pytest.mark.parametrize(
    ("request_line", "headers", "status", "code"),
    [
        (b"nonsense", b"", 400, "bad_request"),
        (b"GET /metrics HTTP/1.1", b"", 404, "not_found"),
        (b"GET /problem HTTP/1.1", b"", 404, "not_found"),
        (b"TRACE /health HTTP/1.1", b"", 405, "not_served"),
        (b"GET /best-move?board=" + b"." * 3000 + b" HTTP/1.1", b"", 414, "request_line_too_long"),
        (b"GET /health HTTP/1.1", b"X-Long: " + b"." * 3000 + b"\r\n", 431, "headers_too_large"),
        (b"POST /best-move HTTP/1.1", b"Transfer-Encoding: smoke\r\n", 501, "not_served"),
    ],
    ids=["no HTTP", "metrics", "the problem's own place", "TRACE", "a long line", "a long header", "an odd encoding"],
)
def test_what_nginx_refuses_is_a_problem(
    front: Server, request_line: bytes, headers: bytes, status: int, code: str
) -> None:
    """What does not get past nginx is answered with a problem too."""
    lines = request_line + b"\r\nHost: localhost\r\nConnection: close\r\n" + headers + b"\r\n"
    reply = send(front, lines)
    assert (reply.status, reply.problem()["code"]) == (status, code)


def test_clients_that_dawdle_stop_no_one(service: Server, front: Server) -> None:
    """A hundred half-sent requests, by far more than the service has threads, and the others are answered."""
    headers, body = (
        b"GET /health HTTP/1.1\r\nHost: ",
        b"POST /best-move HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{",
    )
    with half_sent(front.port, 50, headers) as first, half_sent(front.port, 50, body) as second:
        before = counted(service, "POST")
        for _ in range(50):
            assert ask(front, "/health").status == 200
            assert ask(front, "/best-move", "POST", GOOD, Content_Type="application/json").status == 200
        assert counted(service, "POST") == before + 50
        for connection in (*first, *second):
            assert connection.recv(1) == b"", "shown out, once their time is over"


def test_one_address_cannot_take_every_connection(front: Server) -> None:
    """Over a hundred requests at once from one address are refused, and others are not."""
    body = b"POST /best-move HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{"
    with half_sent(front.port, 120, body, source="127.0.0.3") as connections:
        assert ask(front, "/best-move?board=.X.......").status == 200
        deadline = time.monotonic() + PATIENCE
        while len(refused := [each for each in connections if _has_answer(each)]) < 20 and time.monotonic() < deadline:
            time.sleep(0.1)
        assert len(refused) == 20
        assert refused[0].recv(65_536).startswith(b"HTTP/1.1 429 ")


def _has_answer(connection: socket.socket) -> bool:
    connection.setblocking(False)  # noqa: FBT003, the socket's own signature
    try:
        return bool(connection.recv(1, socket.MSG_PEEK))
    except BlockingIOError:
        return False


def test_the_log_tells_what_the_cache_answered(folder: Path, front: Server) -> None:
    """Each line of nginx's log is a JSON object that names the request's id, and what the cache did."""
    path = "/best-move?board=..X......"
    for request_id in ("log-1", "log-2"):
        ask(front, path, X_Request_ID=request_id)
    deadline = time.monotonic() + PATIENCE
    found: dict[str, Any] = {}
    while "log-2" not in found and time.monotonic() < deadline:
        time.sleep(0.1)
        lines = access_log(folder / "front").read_text(encoding="utf-8").splitlines()
        found = {line["request_id"]: line for line in map(json.loads, lines)}
    assert [found[request_id]["cache"] for request_id in ("log-1", "log-2")] == ["MISS", "HIT"]
    assert found["log-1"]["status"] == 200
    assert found["log-1"]["path"] == "/best-move"


def test_a_service_that_is_gone_is_a_problem_but_what_is_cached_lives_on(folder: Path) -> None:
    """Without the service, what the cache has is still answered, and everything else is a 502."""
    place = folder / "gone"
    place.mkdir()
    with running(WEB_CONCURRENCY="1", LOG_LEVEL="warning") as service, nginx(place, service.port) as front:
        known = ask(front, "/best-move?board=X...O....")
        service.process.terminate()
        service.process.wait(timeout=SECONDS_TO_START)
        again = ask(front, "/best-move?board=X...O....")
        assert (again.status, again.cache, again.body) == (200, "HIT", known.body)
        reply = ask(front, "/best-move?board=.........")
        assert (reply.status, reply.problem()["code"]) == (502, "service_down")


@dataclass
class Origin:
    """A stand-in for the service, whose answers are fresh for a second only; it remembers what it was asked."""

    port: int = 0
    healthy: bool = True
    asked: list[Message] = field(default_factory=list)
    connections: int = 0


@contextmanager
def origin() -> Iterator[Origin]:
    """Run the stand-in."""
    origin = Origin()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def setup(self) -> None:
            super().setup()
            origin.connections += 1

        def do_GET(self) -> None:
            origin.asked.append(self.headers)
            known = self.headers["If-None-Match"] == 'W/"1"'
            body = b"{}" if origin.healthy and not known else b""
            self.send_response(500 if not origin.healthy else 304 if known else 200)
            self.send_header("ETag", 'W/"1"')
            self.send_header("Cache-Control", "public, max-age=1" if origin.healthy else "no-store")
            self.send_header("X-Request-ID", self.headers["X-Request-ID"])
            if not known:
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        origin.port = server.server_port
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield origin
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture
def stood_in(folder: Path) -> Iterator[tuple[Origin, Server]]:
    """Run nginx in front of the stand-in."""
    with tempfile.TemporaryDirectory(dir=folder) as place, origin() as stand_in, nginx(Path(place), stand_in.port) as n:
        yield stand_in, n


def test_an_answer_that_is_too_old_is_renewed_by_its_etag(stood_in: tuple[Origin, Server]) -> None:
    """Too old, it is still given at once, while the service is asked for a newer one, if there is one."""
    stand_in, front = stood_in
    assert ask(front, "/best-move").cache == "MISS"
    eventually(lambda: ask(front, "/best-move"), "STALE")
    assert eventually(lambda: ask(front, "/best-move"), "HIT").body == b"{}"
    assert [headers["If-None-Match"] for headers in stand_in.asked][:2] == [None, 'W/"1"']


def test_an_old_answer_is_better_than_none(stood_in: tuple[Origin, Server]) -> None:
    """While the service fails, what the cache has is given, however old."""
    stand_in, front = stood_in
    assert ask(front, "/best-move").cache == "MISS"
    stand_in.healthy = False
    eventually(lambda: ask(front, "/best-move"), "STALE")
    for _ in range(5):
        reply = ask(front, "/best-move")
        assert (reply.status, reply.body) == (200, b"{}")
        assert reply.cache in {"STALE", "UPDATING"}


def test_a_request_keeps_its_id(stood_in: tuple[Origin, Server]) -> None:
    """A sound id reaches the service and comes back, even with an answer made for another; any other is replaced."""
    stand_in, front = stood_in
    assert ask(front, "/best-move", X_Request_ID="first").headers.get_all("X-Request-ID") == ["first"]
    assert stand_in.asked[-1]["X-Request-ID"] == "first"
    second = ask(front, "/best-move", X_Request_ID="second")
    assert (second.cache, second.headers.get_all("X-Request-ID")) == ("HIT", ["second"])
    made = ask(front, "/health", X_Request_ID="not sound").headers["X-Request-ID"]
    assert re.fullmatch(r"[0-9a-f]{32}", made)
    assert stand_in.asked[-1]["X-Request-ID"] == made


def test_connections_to_the_service_are_kept(stood_in: tuple[Origin, Server]) -> None:
    """Clients that connect anew each time share connections to the service, at most one for each core."""
    stand_in, front = stood_in
    for _ in range(20):
        assert ask(front, "/health").status == 200
    assert len(stand_in.asked) == 20
    assert stand_in.connections <= (os.cpu_count() or 1)


def test_the_limits_of_nginx_fit_those_of_the_service() -> None:
    """An idle connection ends at nginx first, which also refuses first what gunicorn would refuse in HTML."""
    text = printed("nginx")
    idle = re.search(r"keepalive_timeout (\d+)s;  # less than the (\d+) s", text)
    assert idle
    assert int(idle[1]) < int(idle[2]) == GUNICORN["keepalive"]
    lines = re.search(r"large_client_header_buffers \d+ (\d+)k;", text)
    assert lines
    assert int(lines[1]) * 1024 <= min(GUNICORN["limit_request_line"], GUNICORN["limit_request_field_size"])


MANIFESTS: dict[str, Any] = {manifest["kind"]: manifest for manifest in yaml.safe_load_all(printed("yaml"))}
POD = MANIFESTS["Deployment"]["spec"]["template"]["spec"]
(CONTAINER,) = POD["containers"]


@pytest.mark.parametrize("version", ["1.30", kubernetes_validate.latest_version()])
@pytest.mark.parametrize("kind", MANIFESTS)
def test_every_manifest_is_valid(kind: str, version: str) -> None:
    """Each manifest fits the schema of the oldest Kubernetes that it is for and of the newest, to the last name."""
    assert version.startswith(kubernetes_validate.validate(MANIFESTS[kind], version, strict=True))


def test_a_misspelt_manifest_would_be_refused() -> None:
    """The schema does look: one letter less, deep inside, and the manifest is invalid."""
    text = json.dumps(MANIFESTS["Deployment"]).replace("readOnlyRootFilesystem", "readOnlyRootFilesytem")
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(json.loads(text), "1.30", strict=True)


@pytest.mark.parametrize("probe", ["startupProbe", "readinessProbe", "livenessProbe"])
def test_every_probe_asks_for_a_path_that_there_is(app: Flask, probe: str) -> None:
    """Each probe asks a route of the service at the port of the image."""
    get = CONTAINER[probe]["httpGet"]
    assert app.test_client().get(get["path"]).status_code == 200
    assert {"name": get["port"], "containerPort": Settings.port} in CONTAINER["ports"]
    assert f"PORT={Settings.port}" in DOCKERFILE


def test_the_times_fit_those_of_gunicorn() -> None:
    """A pod has time to leave the rotation and to end its requests, and gunicorn has time to replace a worker."""
    leaving = CONTAINER["lifecycle"]["preStop"]["sleep"]["seconds"]
    assert leaving + GUNICORN["graceful_timeout"] < POD["terminationGracePeriodSeconds"]
    liveness = CONTAINER["livenessProbe"]
    assert liveness["periodSeconds"] * liveness["failureThreshold"] > GUNICORN["timeout"]


def test_the_pod_is_locked_down_as_the_image_is() -> None:
    """It runs as the image's user, without privileges, on a disk that it cannot write to."""
    assert f"--uid {POD['securityContext']['runAsUser']} " in DOCKERFILE
    assert POD["securityContext"]["runAsNonRoot"]
    assert POD["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert CONTAINER["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }


def test_the_environment_of_the_pod_is_accepted() -> None:
    """The service takes the variables of the container: a worker for each core that it may use."""
    config = Settings.from_environment({variable["name"]: variable["value"] for variable in CONTAINER["env"]})
    assert config.workers == int(CONTAINER["resources"]["limits"]["cpu"])


def test_the_manifests_name_one_another() -> None:
    """What selects pods selects those of the Deployment, and what names a port or the Deployment finds it."""
    deployment, service = MANIFESTS["Deployment"], MANIFESTS["Service"]
    labels = deployment["spec"]["template"]["metadata"]["labels"]
    assert deployment["spec"]["selector"]["matchLabels"] == labels
    assert POD["topologySpreadConstraints"][0]["labelSelector"]["matchLabels"] == labels
    assert service["spec"]["selector"] == labels
    assert MANIFESTS["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"] == labels
    assert service["spec"]["ports"][0]["targetPort"] == CONTAINER["ports"][0]["name"]
    scaled = MANIFESTS["HorizontalPodAutoscaler"]["spec"]["scaleTargetRef"]
    assert scaled == {
        "apiVersion": deployment["apiVersion"],
        "kind": "Deployment",
        "name": deployment["metadata"]["name"],
    }
    assert "replicas" not in deployment["spec"], "the autoscaler's to say"


def test_no_update_takes_a_replica_away() -> None:
    """A new pod is ready before an old one goes."""
    assert MANIFESTS["Deployment"]["spec"]["strategy"]["rollingUpdate"]["maxUnavailable"] == 0


def test_the_space_has_every_choice_of_the_contract() -> None:
    """The questions that are counted vary every field that the query takes, over all that it can say without chance."""
    properties = document()["components"]["schemas"]["BestMoveRequest"]["properties"]
    assert {"board", "to_move", "difficulty", "seed", *CHOICES} == set(properties)
    schemas = document()["components"]["schemas"]
    assert set(CHOICES["algorithm"]) == set(schemas["Algorithm"]["enum"])
    assert set(CHOICES["scoring"]) == set(schemas["Scoring"]["enum"])
    assert {*CHOICES["tie_break"], "random"} == set(schemas["TieBreak"]["enum"])
    depths = properties["max_depth"]
    assert {int(depth) for depth in CHOICES["max_depth"]} == set(range(depths["minimum"], depths["maximum"] + 1))
    for name, choices in CHOICES.items():
        assert choices[0] == str(properties[name]["default"]).lower()


def test_the_figures_of_the_space_are_what_they_are() -> None:
    """The README's figures of the whole space follow from its size."""
    text = " ".join(README[README.index("### On paper: a CDN") : README.index("## Layout")].split())
    for figure in (
        f"{POSITIONS:,} positions",
        f"{QUESTIONS:,} questions",
        f"{POSITIONS / SECONDS_A_DAY:.2f} requests a second",
        f"{QUESTIONS / SECONDS_A_DAY:.1f} requests a second",
        f"{4**9:,} spellings",
    ):
        assert figure in text, figure
    assert f"Every position needs {POSITIONS * 4096 / 1e6:.0f} MB" in printed("nginx"), "a block of 4 KiB each"
