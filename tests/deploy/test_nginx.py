"""nginx: forwarding, compression, request IDs, and the log."""

import gzip
import json
import os
import re
import shlex
import socket
from contextlib import ExitStack, closing, suppress
from http.client import HTTPConnection

import pytest

from best_move.web.pages.files import STATIC_URL
from best_move.web.serving.server import configuration
from best_move.web.serving.timeouts import Timeouts
from best_move.web.settings import Settings
from tests.deploy.nginx import CONFIGURATION, Nginx, moved, nginx
from tests.deploy.origin import Origin
from tests.processes import SECONDS_TO_WAIT, completed, wait_until
from tests.raw_requests import BATCH
from tests.readme import block
from tests.server import HAS_IPV6, Server, ask


def test_nginx_accepts_its_configuration_without_a_warning(front: Nginx) -> None:
    """The check is `nginx -t`."""
    checked = completed([*front.command, "-t"])
    assert checked.returncode == 0, checked.stderr
    assert "[warn]" not in checked.stderr


def test_the_commands_of_the_guide_replace_the_default_site(service: Server) -> None:
    """They run as printed, but in another folder, and nginx then forwards requests."""
    site = "server { listen 80 default_server; return 204; }\n"
    with nginx(service.port, site) as front:
        assert ask(front, "/health").status == 204
        shipped = front.folder / "shipped.conf"
        here = moved(CONFIGURATION, front.folder, front.port, service.port)
        shipped.write_text(here, encoding="utf-8")
        commands = block("nginx", "sh").replace("service/deploy/nginx.conf", str(shipped))
        for path in ("sites-enabled/default", "conf.d/best-move.conf"):
            commands = commands.replace(f"/etc/nginx/{path}", f"{front.folder}/best-move.conf")
        signals = f'nginx() {{ {shlex.join(front.command)} "$@"; }}\n'
        completed(["sh", "-ec", signals + commands], check=True)
        wait_until(lambda: ask(front, "/health").status == 200, "nginx forwards requests")


@pytest.mark.parametrize(
    "path", ["/best-move?board=.........", "/health", "/openapi.json", "/openapi.yaml"]
)
def test_nginx_forwards_responses_unchanged(service: Server, front: Nginx, path: str) -> None:
    """Body, type, caching headers and the CORS header are the same."""
    direct, passed = ask(service, path), ask(front, path)
    assert (passed.status, direct.status) == (200, 200)
    for name in ("Content-Type", "Cache-Control", "ETag", "Access-Control-Allow-Origin"):
        assert passed.headers[name] == direct.headers[name]
    assert passed.body.partition(b'"elapsed_ms"')[0] == direct.body.partition(b'"elapsed_ms"')[0]


TOOLS = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).encode()


@pytest.mark.parametrize(
    ("path", "body", "compressed"),
    [
        ("/openapi.yaml", None, True),
        ("/", None, True),
        (f"{STATIC_URL}play/main.js", None, True),
        ("/best-move?board=.........", None, False),
        ("/mcp", TOOLS, True),
    ],
    ids=["the document", "a page", "a script", "an answer", "the chat tools"],
)
def test_long_responses_are_compressed_if_gzip_is_accepted(
    front: Nginx,
    path: str,
    body: bytes | None,
    compressed: bool,  # noqa: FBT001
) -> None:
    """A text that fits into one packet is not compressed."""
    headers = {"Content_Type": "application/json"} if body else {}
    method = "POST" if body else "GET"
    plain = ask(front, path, method, body, **headers)
    reply = ask(front, path, method, body, Accept_Encoding="gzip", **headers)
    assert plain.headers["Content-Encoding"] is None
    assert reply.headers["Content-Encoding"] == ("gzip" if compressed else None)
    assert (
        reply.headers["Vary"]
        == plain.headers["Vary"]
        == ("Accept-Encoding" if compressed else None)
    )
    if compressed:
        assert len(reply.body) < len(plain.body) / 2
        assert gzip.decompress(reply.body) == plain.body


def test_a_client_cannot_set_the_path_prefix(front: Nginx) -> None:
    """The URL of a link preview's image has no prefix."""
    page = ask(front, "/", X_Forwarded_Prefix="/evil").body.decode()
    assert f"http://127.0.0.1:{front.port}/static/" in page
    assert "evil" not in page


@pytest.mark.skipif(not HAS_IPV6, reason="this machine has no IPv6")
def test_nginx_listens_on_ipv6(front: Nginx) -> None:
    """The port is that of IPv4."""
    with closing(HTTPConnection("::1", front.port, timeout=SECONDS_TO_WAIT)) as connection:
        connection.request("GET", "/health")
        assert connection.getresponse().status == 200


def test_nginx_forwards_a_preflight(service: Server, front: Nginx) -> None:
    """The response to the preflight request is the service's own."""
    direct, passed = (
        ask(
            server,
            "/best-move",
            "OPTIONS",
            Origin="https://example.org",
            Access_Control_Request_Method="POST",
        )
        for server in (service, front)
    )
    assert (passed.status, direct.status) == (200, 200)
    for name in ("Access-Control-Allow-Methods", "Access-Control-Allow-Headers"):
        assert passed.headers[name] == direct.headers[name]


def test_the_log_has_the_path_and_the_cache_status_of_each_request(front: Nginx) -> None:
    """Each line also has the request's ID, even if nginx rejected the request."""
    path = "/best-move?board=..X......"
    for request_id in ("log-1", "log-2"):
        ask(front, path, X_Request_ID=request_id)
    ask(front, "/metrics?all", X_Request_ID="log-3")
    log = front.folder / "log/best-move.log"
    #  Each worker of nginx writes its own lines, once a second.
    wait_until(
        lambda: len(re.findall("log-[123]", log.read_text(encoding="utf-8"))) == 3,
        "nginx writes three lines",
    )
    found = {
        line["request_id"]: line
        for line in map(json.loads, log.read_text(encoding="utf-8").splitlines())
    }
    assert [found[request_id]["cache"] for request_id in ("log-1", "log-2")] == ["MISS", "HIT"]
    assert (found["log-1"]["status"], found["log-1"]["path"]) == (200, "/best-move")
    assert (found["log-3"]["status"], found["log-3"]["path"]) == (404, "/metrics")


def test_a_valid_request_id_is_passed_on_and_returned(stood_in: tuple[Origin, Nginx]) -> None:
    """Even a cached response has the ID of its own request; nginx replaces an invalid ID."""
    stand_in, front = stood_in
    assert ask(front, "/best-move", X_Request_ID="first").headers.get_all("X-Request-ID") == [
        "first"
    ]
    assert stand_in.asked[-1]["X-Request-ID"] == "first"
    second = ask(front, "/best-move", X_Request_ID="second")
    assert (second.cache, second.headers.get_all("X-Request-ID")) == ("HIT", ["second"])
    made = ask(front, "/health", X_Request_ID="not sound").headers["X-Request-ID"]
    assert re.fullmatch(r"[0-9a-f]{32}", made)
    assert stand_in.asked[-1]["X-Request-ID"] == made


def test_connections_to_the_service_are_reused(stood_in: tuple[Origin, Nginx]) -> None:
    """For twenty clients in turn, nginx opens at most one connection per CPU to the service."""
    stand_in, front = stood_in
    for _ in range(20):
        assert ask(front, "/health").status == 200
    assert len(stand_in.asked) == 20
    assert stand_in.connections <= (os.cpu_count() or 1)


def sooner(seconds: re.Match[str]) -> str:
    """Return a time limit of the configuration, divided by 20."""
    return f"{seconds[1]} {int(seconds[2]) * 50}ms;"


def test_a_request_that_is_not_answered_is_not_repeated() -> None:
    """A replica that does not answer gets the request once, because it may still execute it."""
    text = re.sub(
        r"(proxy_read_timeout|proxy_next_upstream_timeout) (\d+)s;", sooner, CONFIGURATION
    )
    with closing(socket.create_server(("127.0.0.1", 0))) as silent:
        silent.setblocking(False)  # noqa: FBT003, its only parameter
        with nginx(silent.getsockname()[1], text) as front:
            reply = ask(front, "/best-moves", "POST", BATCH, Content_Type="application/json")
        connections = 0
        with suppress(BlockingIOError), ExitStack() as accepted:
            while True:
                accepted.enter_context(silent.accept()[0])
                connections += 1
    assert reply.status == 504
    assert connections == 1


def test_a_request_may_wait_in_the_service_until_it_is_rejected() -> None:
    """Nginx waits for the response longer than a request may wait for a thread."""
    [seconds] = re.findall(r"proxy_read_timeout (\d+)s;", CONFIGURATION)
    longest_batch = 3  # seconds, on a busy machine
    assert int(seconds) >= Timeouts.thread + longest_batch


def test_the_limits_of_nginx_agree_with_those_of_the_service() -> None:
    """Nginx closes idle connections before gunicorn does, and accepts no longer lines."""
    gunicorn = configuration(Settings())
    idle = re.search(r"keepalive_timeout (\d+)s;  # less than the .*, (\d+) s", CONFIGURATION)
    assert idle
    assert int(idle[1]) < int(idle[2]) == gunicorn["keepalive"]
    lines = re.search(r"large_client_header_buffers \d+ (\d+)k;", CONFIGURATION)
    assert lines
    assert int(lines[1]) * 1024 <= min(
        gunicorn["limit_request_line"], gunicorn["limit_request_field_size"]
    )
