"""A path prefix that nginx adds."""

import json
import re
from collections.abc import Iterator
from urllib.parse import urljoin

import pytest

from best_move.web.api.handling import MAX_PLAYER_BYTES
from tests.deploy.nginx import CACHED, PREFIXED, Nginx, nginx, with_low_rates
from tests.deploy.reply import problem_of
from tests.raw_requests import BATCH
from tests.server import Reply, Server, ask


@pytest.fixture(scope="module")
def front(service: Server) -> Iterator[Nginx]:
    """Run nginx in front of the service, with the guide's configuration and its path prefix."""
    with nginx(service.port, with_low_rates(PREFIXED)) as front:
        yield front


def get(front: Nginx, url: str, base: str = "/") -> Reply:
    """Return what a browser gets for a URL relative to a base.

    Assert that the URL exists within the prefix.
    """
    path = urljoin(f"http://127.0.0.1:{front.port}/ttt{base}", url.replace("&amp;", "&"))
    assert path.startswith(f"http://127.0.0.1:{front.port}/ttt/")
    reply = ask(front, path.removeprefix(f"http://127.0.0.1:{front.port}"), Accept="text/html, */*")
    assert reply.status == 200
    return reply


@pytest.mark.parametrize("path", ["/", "/?board=X...O....", "/search", "/docs"])
def test_every_url_in_a_page_is_within_the_prefix(front: Nginx, path: str) -> None:
    """The URL of the image for link previews is also within the prefix; nginx hides the metrics."""
    page = get(front, f".{path}").body.decode()
    urls = set(
        re.findall(r'(?:href|src)="([^"#][^"]*)"|property="og:image" content="([^"]+)"', page)
    )
    assert len(urls) > 5
    for found in urls - {("metrics", "")}:
        get(front, "".join(found), path)


@pytest.mark.parametrize("path", ["/openapi.json", "/openapi-3.0.json", "/openapi.yaml"])
def test_the_server_of_the_openapi_document_is_within_the_prefix(front: Nginx, path: str) -> None:
    """A client that uses this server's URL calls the service through the prefix."""
    (url,) = re.findall(
        r'"?servers"?:\s*\[?\W*"?url"?: "?([^",\n]+)', get(front, f".{path}").body.decode()
    )
    assert json.loads(get(front, f"{url}/health", path).body)["status"] == "ok"


def test_a_redirect_stays_within_the_prefix(front: Nginx) -> None:
    """The redirect of `/favicon.ico` leads to a URL within the prefix."""
    reply = ask(front, "/ttt/favicon.ico")
    assert reply.status == 302
    get(front, reply.headers["Location"], "/favicon.ico")


def test_links_in_a_tree_are_within_the_prefix(front: Nginx) -> None:
    """The `href` of a collapsed node leads to the node's children."""
    path = "/search-tree?board=X.O.O.X..&plies=0"
    tree = json.loads(get(front, f".{path}").body)["tree"]
    assert json.loads(get(front, tree["href"], path).body)["tree"]["children"]


def test_the_prefix_without_a_slash_leads_to_the_playground(front: Nginx) -> None:
    """The redirect is relative, so it is right behind any other proxy."""
    reply = ask(front, "/ttt")
    assert (reply.status, reply.headers["Location"]) == (301, "ttt/")


@pytest.mark.parametrize("path", CACHED.values(), ids=CACHED)
def test_responses_are_cached_with_and_without_the_prefix(front: Nginx, path: str) -> None:
    """They have one entry in the cache, because responses do not contain the prefix."""
    assert ask(front, f"/ttt{path}").cache in {"MISS", "HIT"}  # a page may link to it
    assert ask(front, f"/ttt{path}").cache == ask(front, path).cache == "HIT"


@pytest.mark.parametrize("path", ["/ttt/metrics", "/ttt/problem", "/ttt/failure"])
def test_what_nginx_hides_is_hidden_within_the_prefix(front: Nginx, path: str) -> None:
    """The problem is that of an unknown path."""
    reply = ask(front, path)
    assert (reply.status, problem_of(reply)["code"]) == (404, "not_found")


def test_the_limits_apply_within_the_prefix(front: Nginx) -> None:
    """Those are the rate of batches and the size of a body, which is larger for a player."""
    batches = [
        ask(front, "/ttt/best-moves", "POST", BATCH, Content_Type="application/json")
        for _ in range(20)
    ]
    assert {reply.status for reply in batches} == {200, 429}
    for path, size, status in (
        ("/ttt/player-review", MAX_PLAYER_BYTES, 200),
        ("/ttt/player-review", MAX_PLAYER_BYTES + 1, 413),
        ("/ttt/best-move", MAX_PLAYER_BYTES, 413),
    ):
        body = b'{"side":"X"}'.ljust(size)
        reply = ask(front, path, "POST", body, Content_Type="application/json")
        assert reply.status == status
