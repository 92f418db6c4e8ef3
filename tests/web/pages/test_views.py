"""The pages: they are small and cacheable, and the browser may load files only from this service."""

import posixpath
import re
from typing import Any
from urllib.parse import urljoin

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from best_move.web.api.openapi import document
from best_move.web.pages.files import STATIC, STATIC_URL
from best_move.web.pages.views import code
from tests.openapi import resolved
from tests.web.pages.test_files import FILES

PAGES = ["/", "/search", "/mcp", "/docs"]

POLICY = {
    "default-src": "'self'",
    "img-src": "'self' data:",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
}

#  The media types that a browser accepts when it opens a page.
BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"}


def get(client: FlaskClient, path: str, **options: Any) -> TestResponse:
    """Return the response to a GET request, read to its end."""
    return client.get(path, buffered=True, **options)


def size_of(png: bytes) -> tuple[int, ...]:
    """Return the width and the height in a PNG."""
    return tuple(int.from_bytes(png[start : start + 4]) for start in (16, 20))


def size_in(page: str) -> tuple[int, ...]:
    """Return the width and the height that a page declares for its preview."""
    return tuple(map(int, re.findall(r'<meta property="og:image:(?:width|height)" content="(\d+)">', page)))


@pytest.mark.parametrize(
    "path", [*PAGES, *(f"{STATIC_URL}{file.relative_to(STATIC).as_posix()}" for file in FILES), "/nowhere"]
)
def test_a_page_may_load_files_only_from_this_service(client: FlaskClient, path: str) -> None:
    """The policy allows only this service and no inline code; other sites may frame only /search."""
    headers = get(client, path, headers=BROWSER).headers
    policy = POLICY | ({"frame-ancestors": "*"} if path == "/search" else {})
    assert dict(part.split(maxsplit=1) for part in headers["Content-Security-Policy"].split("; ")) == policy
    assert "X-Frame-Options" not in headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_revalidated(client: FlaskClient, path: str) -> None:
    """A cached page must be revalidated before each use; the ETag of an unchanged page gets a 304."""
    first = get(client, path, headers=BROWSER)
    assert first.status_code == 200
    assert first.headers["Cache-Control"] == "no-cache"
    again = get(client, path, headers=BROWSER | {"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert "Content-Security-Policy" in again.headers


@pytest.mark.parametrize("path", [*PAGES, "/nowhere", "/no/where", "/no/where/"])
def test_a_page_has_no_inline_code_and_links_only_to_this_service(client: FlaskClient, path: str) -> None:
    """The URLs in a page lead to this service, even behind a proxy that adds a path prefix."""
    page = get(client, path, headers=BROWSER).text
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script[^>]*>[^<]|javascript:", page)
    references = re.findall(r'(?:href|src)="([^"]+)"', page)
    assert references
    for reference in references:
        if reference.startswith("#"):
            assert f'id="{reference[1:]}"' in page
        else:
            url = urljoin(f"/ttt{path}", reference.replace("&amp;", "&"))
            assert url.startswith("/ttt/")
            assert get(client, url.removeprefix("/ttt"), headers=BROWSER).status_code == 200


@pytest.mark.parametrize(("path", "here"), [*((path, [path]) for path in PAGES), ("/nowhere", [])])
def test_every_page_links_to_all_pages(client: FlaskClient, path: str, here: list[str]) -> None:
    """Each page has links to all pages at its top, and marks the link to itself."""
    page = get(client, path, headers=BROWSER).text
    (nav,) = re.findall(r'<nav aria-label="Pages">.*?</nav>', page, re.DOTALL)
    assert [urljoin(path, href) for href in re.findall(r'href="([^"]+)"', nav)] == PAGES
    assert [urljoin(path, href) for href in re.findall(r'href="([^"]+)" aria-current="page"', nav)] == here


@pytest.mark.parametrize(("path", "script"), [("/", "play/main.js"), ("/search", "search/main.js")])
def test_every_module_is_preloaded(client: FlaskClient, path: str, script: str) -> None:
    """A page preloads its main script and all modules imported by it, so that the browser loads them in parallel."""
    page = get(client, path).text
    named = re.findall(rf'<link rel="modulepreload" href="\.{STATIC_URL}([^"]+)">', page)
    needed = {script}
    for _ in FILES:
        scripts = {name: (STATIC / name).read_text(encoding="utf-8") for name in needed}
        needed |= {
            posixpath.normpath(f"{posixpath.dirname(name)}/{imported}")
            for name, script in scripts.items()
            for imported in re.findall(r' from "([\w./]+)";', script)
        }
    assert set(named) == needed


def test_every_style_is_loaded(client: FlaskClient) -> None:
    """Each style sheet is loaded by a page, except the one for the board in chat clients."""
    loaded = {
        name
        for path in PAGES
        for name in re.findall(
            rf'rel="stylesheet" href="\.{STATIC_URL}(.*?)"', get(client, path, headers={"Accept": "text/html"}).text
        )
    }
    files = {file.relative_to(STATIC).as_posix() for file in FILES if file.suffix == ".css"}
    assert loaded == files - {"chat/chat.css"}


def test_a_browser_that_requests_an_icon_is_redirected(client: FlaskClient) -> None:
    """`/favicon.ico` redirects to the icon, even behind a proxy that adds a path prefix."""
    response = get(client, "/favicon.ico")
    url = urljoin("/ttt/favicon.ico", response.headers["Location"])
    assert (response.status_code, url) == (302, f"/ttt{STATIC_URL}icon.svg")


def test_the_playground_offers_the_choices_of_the_openapi_document(client: FlaskClient) -> None:
    """The playground offers the levels and the tie-breaks that the OpenAPI document lists."""
    page = get(client, "/").text
    schemas = document()["components"]["schemas"]
    for field, name in (("difficulty", "Difficulty"), ("tie_break", "TieBreak")):
        select = re.search(rf'<select name="{field}".*?</select>', page, re.DOTALL)
        assert select
        assert set(re.findall(r'value="(\w+)"', select[0])) == set(schemas[name]["enum"])


@pytest.mark.parametrize(
    ("query", "title", "board"),
    [
        ("board=X...O....", "X to move", "X...O...."),
        ("board=X...O....&to_move=O", "O to move", "X...O...."),
        ("played=0,4,8", "O to move", "X...O...X"),
        ("played=0,4,8&at=1", "O to move", "X........"),
        ("played=0,3,1,4,2", "X won", "XXXOO...."),
        ("board=X........&to_move=X&played=4", "X to move", "X...O...."),
        ("to_move=O&played=4", "O to move", "....X...."),
        ("to_move=X&played=4", "X to move", "....O...."),
        ("to_move=X&played=4,0,8&at=2", "O to move", "X...O...."),
        ("board=XXOOOXXOX", "A draw", "XXOOOXXOX"),
    ],
)
def test_the_preview_follows_the_position(client: FlaskClient, query: str, title: str, board: str) -> None:
    """The page for a position has a title and picture of the position, with the picture's size and alternative text."""
    page = get(client, f"/?{query}", base_url="https://play.example").text
    assert f"<title>{title} · Best Move, tic-tac-toe</title>" in page
    picture = re.search(r'<meta property="og:image" content="([^"]+)">', page)
    assert picture
    assert picture[1] == f"https://play.example/board.png?board={board}"
    image = get(client, picture[1].removeprefix("https://play.example"))
    assert image.mimetype == "image/png"
    assert size_in(page) == size_of(image.data)
    rows = ", ".join(" ".join(board[start : start + 3].replace(".", "-")) for start in (0, 3, 6))
    assert f'<meta property="og:image:alt" content="Tic-tac-toe, row by row: {rows}">' in page


@pytest.mark.parametrize(
    ("forwarded", "service"),
    [
        ({}, "http://play.example:8000/"),
        ({"X-Forwarded-Proto": "https"}, "https://play.example:8000/"),
        ({"X-Forwarded-Proto": "javascript"}, "http://play.example:8000/"),
        ({"X-Forwarded-Prefix": "/ttt"}, "http://play.example:8000/ttt/"),
        ({"X-Forwarded-Prefix": "/a/b/", "X-Forwarded-Proto": "https"}, "https://play.example:8000/a/b/"),
        ({"X-Forwarded-Prefix": "/"}, "http://play.example:8000/"),
        ({"X-Forwarded-Prefix": '/"><script>'}, "http://play.example:8000/%22%3E%3Cscript%3E/"),
    ],
    ids=["no proxy", "TLS", "an invalid scheme", "a prefix", "both", "an empty prefix", "markup"],
)
def test_the_preview_has_the_url_that_a_proxy_reports(
    client: FlaskClient, forwarded: dict[str, str], service: str
) -> None:
    """The preview's picture has an absolute URL, with the scheme and the path prefix that the proxy's headers name."""
    page = get(client, "/?board=X...O....", base_url="http://play.example:8000", headers=forwarded).text
    assert f'<meta property="og:image" content="{service}board.png?board=X...O....">' in page
    assert f"curl '{service}best-move?" in page


@pytest.mark.parametrize(
    "query",
    [
        "",
        "board=.........",
        "board=hello",
        "board=XX.......",
        "board=X........&to_move=X",
        "played=0,0",
        "played=9",
        "played=a",
        "played=0&at=x",
        "you=O",
    ],
)
def test_the_preview_of_a_new_game_or_an_invalid_position_shows_the_page(client: FlaskClient, query: str) -> None:
    """For a new game or an invalid position, the preview shows the playground, with size and alternative text."""
    page = get(client, f"/?{query}", base_url="https://play.example").text
    assert f'<meta property="og:image" content="https://play.example{STATIC_URL}preview.png">' in page
    assert size_in(page) == (1280, 640)
    assert '<meta property="og:image:alt" content="A game in progress: ' in page
    assert "<title>Best Move: " in page


def test_a_url_cannot_add_markup(client: FlaskClient) -> None:
    """The page does not contain markup from its URL."""
    assert "<script>alert" not in get(client, "/?board=<script>alert(1)</script>&played=<script>alert(1)</script>").text


def test_the_preview_is_small() -> None:
    """The picture has the width and height that the page declares, and its file is smaller than 200 KB."""
    picture = (STATIC / "preview.png").read_bytes()
    assert len(picture) < 200_000
    assert size_of(picture) == (1280, 640)


MISSING = ["/nowhere", "/static/nothing.js", f"{STATIC_URL}nothing.js", f"{STATIC_URL}../views.py", "/static/"]


@pytest.mark.parametrize("path", MISSING)
@pytest.mark.parametrize(
    "accept", ["*/*", "application/json", "application/problem+json", ""], ids=lambda accept: accept or "nothing"
)
def test_a_program_gets_a_problem_for_an_unknown_path(client: FlaskClient, path: str, accept: str) -> None:
    """The client gets a problem unless it prefers HTML."""
    response = get(client, path, headers={"Accept": accept})
    assert response.status_code == 404
    assert response.mimetype == "application/problem+json"
    assert response.get_json()["code"] == "not_found"


@pytest.mark.parametrize("path", MISSING)
def test_a_browser_gets_a_page_for_an_unknown_path(client: FlaskClient, path: str) -> None:
    """The page has a link to the reference and is not cached."""
    response = get(client, path, headers=BROWSER)
    assert response.status_code == 404
    assert response.mimetype == "text/html"
    assert response.headers["Cache-Control"] == "no-store"
    assert 'docs">how to call the service</a>' in response.text


def test_the_reference_shows_the_openapi_document(client: FlaskClient) -> None:
    """The reference has every operation with its parameters and statuses, and every schema with its fields."""
    page = get(client, "/docs").text
    for path, methods in document()["paths"].items():
        for method, operation in methods.items():
            section = page[page.index(f'<section id="{operation["operationId"]}"') :].partition("</section>")[0]
            assert f"<code>{method.upper()} {path}</code>" in section
            for parameter in operation.get("parameters", []):
                assert f"<code>{parameter['name']}</code>" in section
            for status, response in operation["responses"].items():
                assert f"<dt><code>{status}</code></dt>" in section
                assert str(code(resolved(document(), response)["description"])) in section
    for name, schema in document()["components"]["schemas"].items():
        assert page.count(f' id="{name}"') == 1
        section = page[page.index(f' id="{name}"') :].partition("</div>")[0]
        for field in schema.get("properties", {}):
            assert f"<code>{field}</code>" in section
        for value in schema.get("enum", []):
            assert f"<code>{value}</code>" in section
