"""The pages: they are small and cacheable, and load files only from this service."""

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
from tests.programs.openapi import resolved
from tests.raw_requests import READS
from tests.readme import section
from tests.web.pages.served import BROWSER, FILES, PAGES

POLICY = {
    "default-src": "'self'",
    "img-src": "'self' data:",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
}


def get(client: FlaskClient, path: str, **options: Any) -> TestResponse:
    """Return the response to a GET request, read to its end."""
    return client.get(path, buffered=True, **options)


@pytest.mark.parametrize("path", [*PAGES, "/nowhere"])
def test_a_page_may_load_files_only_from_this_service(client: FlaskClient, path: str) -> None:
    """The policy allows only this service and no inline code.

    Other sites may frame only /search.
    """
    headers = get(client, path, headers=BROWSER).headers
    policy = {**POLICY}
    if path == "/search":
        del policy["frame-ancestors"]  # any page may embed it, also one on a disk
    parts = headers["Content-Security-Policy"].split("; ")
    assert dict(part.split(maxsplit=1) for part in parts) == policy
    assert "X-Frame-Options" not in headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_revalidated(client: FlaskClient, path: str) -> None:
    """A cached page must be revalidated before each use.

    The ETag of an unchanged page gets a 304.
    """
    first = get(client, path, headers=BROWSER)
    assert first.status_code == 200
    assert first.headers["Cache-Control"] == "no-cache"
    again = get(client, path, headers=BROWSER | {"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert "Content-Security-Policy" in again.headers


@pytest.mark.parametrize("path", [*PAGES, "/nowhere", "/no/where", "/no/where/"])
def test_a_page_has_no_inline_code_and_links_only_to_this_service(
    client: FlaskClient, path: str
) -> None:
    """The URLs in a page lead to this service, also below a path prefix, or to a chat client."""
    page = get(client, path, headers=BROWSER).text
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script[^>]*>[^<]|javascript:", page)
    references = re.findall(r'(?:href|src)="([^"]+)"', page)
    assert references
    for reference in references:
        if reference.startswith("#"):
            assert f'id="{reference[1:]}"' in page
        elif not reference.startswith(("cursor:", "vscode:")):
            url = urljoin(f"/ttt{path}", reference.replace("&amp;", "&"))
            assert url.startswith("/ttt/")
            assert get(client, url.removeprefix("/ttt"), headers=BROWSER).status_code == 200


@pytest.mark.parametrize("path", [*PAGES, "/nowhere"])
def test_every_page_links_to_all_pages(client: FlaskClient, path: str) -> None:
    """Each page has links to all pages at its top, and marks the link to itself."""
    page = get(client, path, headers=BROWSER).text
    (nav,) = re.findall(r'<nav aria-label="Pages">.*?</nav>', page, re.DOTALL)
    links = re.findall(r'href="([^"]+)"( aria-current="page")?', nav)
    marked = [(urljoin(path, href), bool(is_current)) for href, is_current in links]
    assert marked == [(each, each == path) for each in PAGES]


@pytest.mark.parametrize(
    ("path", "scripts"),
    [
        ("/", ["play/main.js"]),
        ("/search?lesson=2", ["search/main.js", "search/boards/boards.js"]),
        ("/search", ["search/main.js", "search/numbers/numbers.js"]),
        ("/search?tree=[3,5]", ["search/main.js", "search/numbers/numbers.js"]),
    ],
)
def test_every_module_is_preloaded(client: FlaskClient, path: str, scripts: list[str]) -> None:
    """A page preloads its main script, what it loads for its address, and all that these import."""
    page = get(client, path).text
    named = re.findall(rf'<link rel="modulepreload" href="\.{STATIC_URL}([^"]+)">', page)
    assert set(named) == set.union(*map(modules, scripts))


def modules(script: str) -> set[str]:
    """Return a script and all modules that it imports."""
    found = {script}
    text = (STATIC / script).read_text(encoding="utf-8")
    for imported in re.findall(r' from "([\w./]+)";', text):
        path = posixpath.join(posixpath.dirname(script), imported)
        found |= modules(posixpath.normpath(path))
    return found


def test_every_style_is_loaded(client: FlaskClient) -> None:
    """Each style sheet but that for chat clients is loaded, by a page or later by a script."""
    pages = "".join(get(client, path, headers=BROWSER).text for path in PAGES)
    loaded = re.findall(rf'rel="stylesheet" href="\.{STATIC_URL}(.*?)"', pages)
    files = {file.relative_to(STATIC).as_posix() for file in FILES if file.suffix == ".css"}
    for script in (file for file in FILES if file.suffix == ".js"):
        folder = script.relative_to(STATIC).parent
        for name in re.findall(
            r'addStyles\(new URL\("([\w.]+)"', script.read_text(encoding="utf-8")
        ):
            loaded.append((folder / name).as_posix())
    assert {*loaded} == files - {"chat/chat.css"}


def test_a_browser_that_requests_an_icon_is_redirected(client: FlaskClient) -> None:
    """`/favicon.ico` redirects to the icon, even behind a proxy that adds a path prefix."""
    response = get(client, "/favicon.ico")
    url = urljoin("/ttt/favicon.ico", response.headers["Location"])
    assert (response.status_code, url) == (302, f"/ttt{STATIC_URL}icon.svg")


def test_pages_offer_the_choices_of_the_openapi_document(client: FlaskClient) -> None:
    """The playground offers its levels and tie-breaks."""
    page = get(client, "/").text
    schemas = document()["components"]["schemas"]
    for field, name in (("difficulty", "Difficulty"), ("tie_break", "TieBreak")):
        select = re.search(rf'<select name="{field}".*?</select>', page, re.DOTALL)
        assert select
        assert set(re.findall(r'value="(\w+)"', select[0])) == set(schemas[name]["enum"])


def test_a_url_cannot_add_markup(client: FlaskClient) -> None:
    """The page does not contain markup from its URL."""
    url = "/?board=<script>alert(1)</script>&played=<script>alert(1)</script>"
    assert "<script>alert" not in get(client, url).text


MISSING = [
    "/nowhere",
    "/static/nothing.js",
    f"{STATIC_URL}nothing.js",
    f"{STATIC_URL}../views.py",
    "/static/",
]


@pytest.mark.parametrize("path", MISSING)
def test_an_unknown_path_gets_a_problem_or_in_a_browser_a_page(
    client: FlaskClient, path: str
) -> None:
    """A client that does not prefer HTML gets a problem; the page links to the reference."""
    for accept in ("*/*", "application/json", "application/problem+json", ""):
        response = get(client, path, headers={"Accept": accept})
        assert response.mimetype == "application/problem+json"
        assert (response.status_code, response.get_json()["code"]) == (404, "not_found")
    response = get(client, path, headers=BROWSER)
    assert (response.status_code, response.mimetype) == (404, "text/html")
    assert response.headers["Cache-Control"] == "no-store"
    assert 'docs">how to call the service</a>' in response.text


def test_the_reference_shows_the_openapi_document(client: FlaskClient) -> None:
    """The reference has all operations, parameters, statuses, schemas and fields."""
    page = get(client, "/docs").text
    for path, methods in document()["paths"].items():
        for method, operation in methods.items():
            section = section_of(page, operation["operationId"], "</section>")
            assert f"<code>{method.upper()} {path}</code>" in section
            for parameter in operation.get("parameters", []):
                assert f"<code>{parameter['name']}</code>" in section
            for status, response in operation["responses"].items():
                assert f"<dt><code>{status}</code></dt>" in section
                assert str(code(resolved(document(), response)["description"])) in section
    for name, schema in document()["components"]["schemas"].items():
        section = section_of(page, name, "</div>")
        for text in (*schema.get("properties", {}), *schema.get("enum", [])):
            assert f"<code>{text}</code>" in section


def section_of(page: str, name: str, end: str) -> str:
    """Return the only part of a page with an ID, up to a tag that ends it."""
    _, section = page.split(f' id="{name}"')
    return section.partition(end)[0]


#  What has an absolute URL -> how the deployment guide calls it.
ABSOLUTE = {
    '<meta property="og:image" content=".*?">': "the images of link previews",
    "<noscript>.*?</noscript>": "the `curl` lines that pages show without JavaScript",
    '"servers":.*?]': "the server in `/openapi-3.0.json`",
}


def test_absolute_urls_are_only_where_the_guide_says(client: FlaskClient) -> None:
    """Behind a proxy that does not name its prefix, all other URLs are right."""
    guide = " ".join(section("A path prefix").text.split())
    assert "the lines that `/mcp` shows" in guide
    options: dict[str, Any] = {"base_url": "https://play.example", "headers": BROWSER}
    paths = {*PAGES, *READS.values()} - {"/mcp"}
    texts = {
        path: get(client, path, **options).get_data(as_text=True)
        for path in paths - {READS["/board.png"], READS["/tree.png"]}
    }
    for pattern, words in ABSOLUTE.items():
        assert words in guide
        assert re.search(pattern, "".join(texts.values()), re.DOTALL)
    for path, text in texts.items():
        rest = re.sub("|".join(ABSOLUTE), "", text, flags=re.DOTALL)
        assert "play.example" not in rest, path
