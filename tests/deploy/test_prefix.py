"""A path prefix that nginx adds."""

import json
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

import pytest

from tests.deploy.nginx import PREFIXED, nginx
from tests.deploy.reply import Reply, ask
from tests.server import Server


@pytest.fixture(scope="module")
def front(folder: Path, service: Server) -> Iterator[Server]:
    """Run nginx in front of the service, with the README's configuration for a path prefix."""
    with (
        tempfile.TemporaryDirectory(dir=folder) as place,
        nginx(Path(place), service.port, PREFIXED) as front,
    ):
        yield front


def get(front: Server, url: str, base: str = "/") -> Reply:
    """Return what a browser gets for a URL relative to a base.

    Assert that the URL exists within the prefix.
    """
    path = urljoin(f"http://127.0.0.1:{front.port}/ttt{base}", url.replace("&amp;", "&"))
    assert path.startswith(f"http://127.0.0.1:{front.port}/ttt/")
    reply = ask(front, path.removeprefix(f"http://127.0.0.1:{front.port}"), Accept="text/html, */*")
    assert reply.status == 200
    return reply


@pytest.mark.parametrize("path", ["/", "/?board=X...O....", "/search", "/docs"])
def test_every_url_in_a_page_is_within_the_prefix(front: Server, path: str) -> None:
    """The URL of the image for link previews is also within the prefix."""
    page = get(front, f".{path}").body.decode()
    urls = set(
        re.findall(r'(?:href|src)="([^"#][^"]*)"|property="og:image" content="([^"]+)"', page)
    )
    assert len(urls) > 5
    for found in urls:
        get(front, "".join(found), path)


@pytest.mark.parametrize("path", ["/openapi.json", "/openapi.yaml"])
def test_the_server_of_the_openapi_document_is_within_the_prefix(front: Server, path: str) -> None:
    """A client that uses this server's URL calls the service through the prefix."""
    (url,) = re.findall(
        r'"?servers"?:\s*\[?\W*"?url"?: "?([^",\n]+)', get(front, f".{path}").body.decode()
    )
    assert json.loads(get(front, f"{url}/health", path).body)["status"] == "ok"


def test_a_redirect_stays_within_the_prefix(front: Server) -> None:
    """The redirect of `/favicon.ico` leads to a URL within the prefix."""
    reply = ask(front, "/ttt/favicon.ico")
    assert reply.status == 302
    get(front, reply.headers["Location"], "/favicon.ico")


def test_links_in_a_tree_are_within_the_prefix(front: Server) -> None:
    """The `href` of a collapsed node leads to the node's children."""
    path = "/search-tree?board=X.O.O.X..&levels=0"
    tree = json.loads(get(front, f".{path}").body)["tree"]
    assert json.loads(get(front, tree["href"], path).body)["tree"]["children"]
