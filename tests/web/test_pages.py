"""The pages for people: what they load is here and checked again, and the browser is bound to this service."""

import re
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.web.pages import STATIC

PAGES = ["/", "/docs"]
CODE = ["/static/main.js", "/static/page.css"]
PICTURES = ["/static/icon.svg", "/static/preview.png"]
SWAGGER = ["/static/swagger/css/swagger-ui.css", "/static/swagger/js/swagger-ui-bundle.js"]

TYPES = {
    "css": "text/css",
    "html": "text/html",
    "js": ("application/javascript", "text/javascript"),
    "png": "image/png",
    "svg": "image/svg+xml",
}


def get(client: FlaskClient, path: str, **options: Any) -> TestResponse:
    """Return the response, read to its end."""
    return client.get(path, buffered=True, **options)


@pytest.mark.parametrize("path", [*PAGES, *CODE, *PICTURES, *SWAGGER])
def test_a_page_is_bound_to_this_service(client: FlaskClient, path: str) -> None:
    """Every page and file comes with a policy that allows this service alone, no inline code and no frame."""
    headers = get(client, path).headers
    policy = dict(part.split(maxsplit=1) for part in headers["Content-Security-Policy"].split("; "))
    assert policy == {
        "default-src": "'self'",
        "img-src": "'self' data:",
        "object-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"


@pytest.mark.parametrize("path", [*PAGES, *CODE])
def test_a_page_is_asked_for_again(client: FlaskClient, path: str) -> None:
    """A page and its code may be kept, but not used without asking; unchanged, they are a 304."""
    first = get(client, path)
    assert first.status_code == 200
    assert first.headers["Cache-Control"] == "no-cache"
    again = get(client, path, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert "Content-Security-Policy" in again.headers


@pytest.mark.parametrize("path", [*PICTURES, *SWAGGER])
def test_what_seldom_changes_is_kept_for_a_day(client: FlaskClient, path: str) -> None:
    """Pictures and the files of Swagger UI are kept for a day, and have an ETag for the day after."""
    response = get(client, path)
    assert response.status_code == 200
    assert {"public", "max-age=86400"} == set(response.headers["Cache-Control"].split(", "))
    assert response.headers["ETag"]


@pytest.mark.parametrize("file", sorted(STATIC.iterdir()), ids=lambda file: file.name)
def test_every_file_has_its_media_type(client: FlaskClient, file: Path) -> None:
    """With `nosniff` a file is worth its media type."""
    assert get(client, f"/static/{file.name}").mimetype in TYPES[file.suffix[1:]]


@pytest.mark.parametrize("path", PAGES)
def test_a_page_has_nothing_inline_and_nothing_foreign(client: FlaskClient, path: str) -> None:
    """A page refers to files of this service only, all of which exist, and holds neither script nor style itself."""
    page = get(client, path).text
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script[^>]*>[^<]|javascript:", page)
    references = re.findall(r'(?:href|src)="([^"]+)"', page)
    assert references
    for reference in references:
        assert reference.startswith(("/", "#"))
        if not reference.startswith("#"):
            assert get(client, reference).status_code == 200


@pytest.mark.parametrize(
    "file", [file for file in sorted(STATIC.iterdir()) if file.suffix in (".js", ".css")], ids=lambda file: file.name
)
def test_no_file_names_another_host(file: Path) -> None:
    """The pages' own code names no host at all."""
    assert "://" not in file.read_text(encoding="utf-8")


def test_the_preview_is_a_full_address(client: FlaskClient) -> None:
    """The preview image is named with the host that was asked, since who fetches previews does not know it."""
    page = get(client, "/", base_url="https://play.example").text
    assert '<meta property="og:image" content="https://play.example/static/preview.png">' in page


def test_the_preview_is_small() -> None:
    """The preview image is as large as the page says, and below 200 KB."""
    picture = (STATIC / "preview.png").read_bytes()
    assert len(picture) < 200_000
    width, height = (int.from_bytes(picture[start : start + 4]) for start in (16, 20))
    assert (width, height) == (1280, 640)


@pytest.mark.parametrize("path", ["/static/nothing.js", "/static/../pages.py", "/static/swagger/nothing", "/static/"])
def test_a_missing_file_is_a_problem(client: FlaskClient, path: str) -> None:
    """What is not there, or not for the public, is a 404 like any other."""
    response = get(client, path)
    assert response.status_code == 404
    assert response.mimetype == "application/problem+json"
    assert response.get_json()["code"] == "not_found"
