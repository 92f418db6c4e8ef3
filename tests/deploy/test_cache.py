"""The cache of nginx: which responses it stores, and how it revalidates stale ones."""

import gzip
import json
import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import permutations
from pathlib import Path

import pytest

from best_move.web.api.openapi import document
from best_move.web.api.responses import FOR_A_DAY
from tests.deploy.nginx import CACHED, CONFIGURATION, PURGE, Nginx, nginx
from tests.deploy.origin import STALE_AFTER_A_SECOND, Origin
from tests.deploy.reply import eventually, problem_of
from tests.processes import completed
from tests.raw_requests import BODY, READS
from tests.server import Server, ask, running, serve_after

#  The largest trees are those after two moves.
LARGE_TREES = [
    f"/search-tree?board=.........&played={x}&played={o}&algorithm=minimax&plies=9"
    for x, o in permutations(range(9), 2)
]
PAGE = 4096
DOCKER_SHARED_MEMORY = 64 * 2**20  # the default size of /dev/shm in a container


def test_nginx_has_a_cache_for_every_cacheable_path() -> None:
    """The location of the cache has each path whose responses may be cached, and no other."""
    cacheable = {
        path
        for path in READS
        if "headers/Cache-Control" in str(document()["paths"][path]["get"]["responses"]["200"])
    }
    assert {*CACHED} == cacheable, "Update the location of the cache in nginx.conf."


@pytest.mark.parametrize("route", CACHED)
def test_a_repeated_request_is_served_from_the_cache(
    service: Server, front: Nginx, route: str
) -> None:
    """The bytes are the same, and the service gets no second request."""
    path = CACHED[route]
    first = ask(front, path)
    before = service.counted(route=route)
    second = ask(front, path)
    assert (first.status, first.cache) == (200, "MISS")
    assert (second.status, second.cache) == (200, "HIT")
    assert second.body == first.body
    assert service.counted(route=route) == before > 0


def test_a_large_tree_is_cached_whole(front: Nginx) -> None:
    """The tree is many times larger than nginx's buffers."""
    path = "/search-tree?board=.........&algorithm=minimax&plies=4"
    first, second = ask(front, path), ask(front, path)
    assert (first.cache, second.cache) == ("MISS", "HIT")
    assert len(second.body) > 100_000
    assert second.body == first.body


def test_the_cache_stores_a_tree_compressed_and_uncompressed(front: Nginx) -> None:
    """Each client gets a form that it accepts."""
    path = "/search-tree?board=X.O.O.X.."
    plain, small = (
        ask(front, path, Accept_Encoding=""),
        ask(front, path, Accept_Encoding="gzip, br"),
    )
    assert (plain.cache, small.cache) == ("MISS", "MISS")
    assert gzip.decompress(small.body) == plain.body
    assert small.headers["Content-Encoding"] == "gzip"
    for accepted, first in (("gzip, br", small), ("", plain)):
        again = ask(front, path, Accept_Encoding=accepted)
        assert (again.cache, again.body, again.headers["Vary"]) == (
            "HIT",
            first.body,
            "Accept-Encoding",
        )


@pytest.mark.parametrize("path", ["/best-move/", "/board.svgz", "/health", "/openapi.json", "/"])
def test_nginx_caches_only_the_listed_paths(front: Nginx, path: str) -> None:
    """A path that resembles a listed path is not cached."""
    assert [ask(front, path).cache for _ in range(2)] == [None, None]


@pytest.mark.parametrize("known", [True, False], ids=["in the cache", "not in the cache"])
def test_a_conditional_request_gets_a_304(
    service: Server,
    front: Nginx,
    known: bool,  # noqa: FBT001, a parameter
) -> None:
    """The 304 has no body, and nginx need not have cached the response."""
    path = f"/best-move?board=X....O...&analysis={str(known).lower()}"
    etag = ask(front if known else service, path).headers["ETag"]
    again = ask(front, path, If_None_Match=etag)
    assert (again.status, again.body, again.cache) == (304, b"", "HIT" if known else "MISS")
    assert again.headers["ETag"] == etag


def test_simultaneous_equal_requests_get_the_same_response(front: Nginx) -> None:
    """All responses have the same ETag, although the others arrive while the first is pending."""
    with ThreadPoolExecutor(20) as pool:
        replies = list(
            pool.map(
                lambda _: ask(front, "/best-move?board=.........&algorithm=minimax"), range(20)
            )
        )
    assert {reply.status for reply in replies} == {200}
    assert len({reply.headers["ETag"] for reply in replies}) == 1


def test_a_post_is_never_cached(service: Server, front: Nginx) -> None:
    """Each POST reaches the service, and the response has `Cache-Control: no-store`."""
    before = service.counted(method="POST", route="/best-move")
    for _ in range(2):
        reply = ask(front, "/best-move", "POST", BODY, Content_Type="application/json")
        assert (reply.status, reply.cache, reply.headers["Cache-Control"]) == (
            200,
            None,
            "no-store",
        )
        assert json.loads(reply.body)["move"] == 1
    assert service.counted(method="POST", route="/best-move") == before + 2


def test_a_random_response_is_never_cached(front: Nginx) -> None:
    """A repeated request with a random response reaches the service."""
    for _ in range(2):
        reply = ask(front, "/best-move?board=.........&difficulty=easy")
        assert (reply.status, reply.cache, reply.headers["Cache-Control"]) == (
            200,
            "MISS",
            "no-store",
        )


@pytest.mark.parametrize(
    "query", ["board=bad", "board=XXX......", "board=X...O....&algoritm=minimax"]
)
def test_a_problem_is_forwarded_unchanged_and_never_cached(
    service: Server, front: Nginx, query: str
) -> None:
    """Each request reaches the service."""
    path = f"/best-move?{query}"
    direct = ask(service, path)
    before = service.counted(method="GET", route="/best-move")
    for _ in range(2):
        reply = ask(front, path)
        assert (reply.status, reply.cache, reply.body) == (direct.status, "MISS", direct.body)
        problem_of(reply)
    assert service.counted(method="GET", route="/best-move") == before + 2


def test_a_stale_response_is_served_and_revalidated_by_its_etag(
    stood_in: tuple[Origin, Nginx],
) -> None:
    """Nginx serves the stale response at once, and revalidates it in the background."""
    stand_in, front = stood_in
    assert ask(front, "/best-move").cache == "MISS"
    eventually(front, "/best-move", "STALE")
    assert eventually(front, "/best-move", "HIT").body == b"{}"
    assert [headers["If-None-Match"] for headers in stand_in.asked][:2] == [None, 'W/"1"']


@pytest.mark.parametrize("purge", [PURGE, "rm -r /dev/shm/best-move"])
def test_the_cache_may_be_emptied_while_nginx_runs(front: Nginx, purge: str) -> None:
    """After the guide's command, and one like it, nginx stores responses again."""
    ask(front, "/best-move?board=....X....")
    front.purge(purge)
    for path in CACHED.values():
        assert [ask(front, path).cache for _ in range(2)] == ["MISS", "HIT"]


def test_a_request_is_served_although_the_cache_fails(front: Nginx) -> None:
    """Nginx forwards a request for which it cannot read the cache."""
    path = "/board.svg?board=O...X...."
    stored = ask(front, path)
    for file in (front.folder / "memory/best-move").iterdir():
        file.unlink()
        file.symlink_to(file)
    reply = ask(front, path)
    assert (reply.status, reply.body) == (200, stored.body)


def test_the_cache_stays_small_whatever_clients_send(service: Server) -> None:
    """Eight clients that request the largest responses in ever new ways fill little of /dev/shm.

    Meanwhile another client gets all its responses.
    """

    def greedy(client: int) -> None:
        for number in range(12):
            for path in (f"/tablebase.csv?{'&' * number}", LARGE_TREES[number]):
                headers = f"Host: x\r\nAccept-Encoding: gzip, {client}\r\nConnection: close\r\n"
                request = f"GET {path} HTTP/1.1\r\n{headers}\r\n"
                reply = front.send(request.encode(), f"127.0.1.{client + 1}")
                assert reply.status in {200, 429}

    with nginx(service.port) as front, ThreadPoolExecutor(8) as pool:
        clients = [pool.submit(greedy, client) for client in range(8)]
        while not all(client.done() for client in clients):
            for path in ("/best-move?board=X........", "/board.svg?board=X........", "/"):
                assert ask(front, path).status == 200
        for client in clients:
            client.result()
        sizes = [file.stat().st_size for file in (front.folder / "memory/best-move").iterdir()]
        pages = sum(-(-size // PAGE) for size in sizes)
        assert pages * PAGE < DOCKER_SHARED_MEMORY / 8
        assert ask(front, "/tablebase.csv?&").cache == "BYPASS"
        for path in ("/tablebase.csv", "/tablebase.csv?", "/%74ablebase.csv"):
            assert ask(front, path).cache == ("MISS" if path == "/tablebase.csv" else "HIT")


def test_the_cache_fits_into_the_shared_memory_of_a_container() -> None:
    """Its limit leaves more than half for responses that arrive before nginx removes others."""
    keys = int(re.findall(r"keys_zone=best_move:(\d+)k", CONFIGURATION)[0]) * 8
    limit = int(re.findall(r"max_size=(\d+)m", CONFIGURATION)[0]) * 2**20
    assert "6,000 moves" in CONFIGURATION
    assert keys * PAGE <= limit < DOCKER_SHARED_MEMORY / 2


def test_cached_responses_outlive_the_service() -> None:
    """Once the service has stopped, nginx sends every cached response, also when stale.

    Other requests get a 502, which is a problem for programs and a page for people.
    """
    impatient = serve_after(
        f"from best_move.web.api import responses\nresponses.FOR_A_DAY = {STALE_AFTER_A_SECOND!r}"
    )
    with (
        running(impatient, WEB_CONCURRENCY="1", LOG_LEVEL="warning") as service,
        nginx(service.port) as front,
    ):
        known = {path: ask(front, path).body for path in CACHED.values()}
        service.stop()
        for path, body in known.items():
            reply = eventually(front, path, "STALE")
            assert (reply.status, reply.body) == (200, body)
        reply = ask(front, "/best-move?board=.........")
        assert (reply.status, problem_of(reply)["code"]) == (502, "service_down")
        page = ask(front, "/search", Accept="text/html,*/*;q=0.8")
        assert (page.status, page.headers["Content-Type"]) == (502, "text/html")
        assert (page.headers["Retry-After"], page.headers["Cache-Control"]) == ("1", "no-store")
        assert b"<h1>Best Move is down</h1>" in page.body


def test_nginx_keeps_responses_for_as_long_as_they_may_be_served() -> None:
    """It removes unused responses only when they are too old even to be served stale."""
    fresh, *stale = map(int, re.findall(r"=(\d+)", FOR_A_DAY))
    unused = re.search(r"inactive=(\d+)d", CONFIGURATION)
    assert unused
    assert int(unused[1]) * 86_400 >= fresh + max(stale)


def test_stale_responses_are_served_while_the_service_fails(stood_in: tuple[Origin, Nginx]) -> None:
    """Each request for the stale response gets it with status 200."""
    stand_in, front = stood_in
    assert ask(front, "/best-move").cache == "MISS"
    stand_in.healthy = False
    eventually(front, "/best-move", "STALE")
    for _ in range(5):
        reply = ask(front, "/best-move")
        assert (reply.status, reply.body) == (200, b"{}")
        assert reply.cache in {"STALE", "UPDATING"}


#  Runs a command that sees 16 MiB of memory in a folder.
WITH_OWN_MEMORY = 'mount -t tmpfs -o size=16m tmpfs "$0" && exec "$@"'


def test_clients_get_all_responses_while_the_memory_of_the_cache_is_full(
    service: Server, tmp_path: Path
) -> None:
    """Each response is complete, and none is stored; once there is room, responses are stored."""
    within = [shutil.which("unshare") or "", "--mount", "sh", "-c", WITH_OWN_MEMORY]
    if not within[0] or completed([*within, tmp_path, "true"]).returncode:
        pytest.skip("only root may mount, and not in every container")
    with nginx(service.port, within=[*within, "memory"]) as front:
        filling = Path(f"/proc/{front.process.pid}/root{front.folder}/memory/filling")
        with filling.open("wb", buffering=0) as stream:
            for size in (65_536, 1):
                with suppress(OSError):
                    while True:
                        stream.write(bytes(size))
        for path in (*CACHED.values(), *LARGE_TREES[:20]):
            expected, _, _ = ask(service, path).body.partition(b'"elapsed_ms"')
            for _ in range(2):
                reply = ask(front, path)
                assert (reply.status, reply.cache) == (200, "MISS")
                assert reply.body.partition(b'"elapsed_ms"')[0] == expected
        filling.unlink()
        for path in CACHED.values():
            assert eventually(front, path, "HIT").status == 200
