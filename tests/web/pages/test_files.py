"""The static files: they are cached permanently, have media types, and name no other host."""

import gzip
from pathlib import Path

from flask.testing import FlaskClient

from best_move.web.pages.files import STATIC, STATIC_URL, digest, read
from tests.web.pages.served import FILES

TYPES = {"css": "text/css", "js": "text/javascript", "png": "image/png", "svg": "image/svg+xml"}


def test_each_file_has_its_media_type_and_is_cached_permanently(client: FlaskClient) -> None:
    """Browsers reject other types; caches never ask again, because the URL has a digest."""
    for file in FILES:
        name = file.relative_to(STATIC).as_posix()
        response = client.get(f"{STATIC_URL}{name}", buffered=True)
        assert response.status_code == 200, f"{name} has no media type"
        assert response.data == file.read_bytes()
        assert response.mimetype == TYPES[file.suffix[1:]]
        caching = set(response.headers["Cache-Control"].split(", "))
        assert caching == {"public", "immutable", "max-age=315360000"}
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert "Content-Security-Policy" not in response.headers
        assert response.headers.getlist("Access-Control-Allow-Origin") == ["*"], "of the middleware"


def test_a_page_of_another_version_gets_the_files_of_this_one(client: FlaskClient) -> None:
    """During a rolling update, a page may come from one version and request files of another.

    Caches must not store them under the other version's URL.
    """
    for file in FILES:
        name = file.relative_to(STATIC).as_posix()
        response = client.get(f"/static/0123456789ab/{name}", buffered=True)
        assert (response.status_code, response.data) == (200, file.read_bytes())
        assert response.headers["Cache-Control"] == "no-store"


def test_each_file_but_the_png_is_compressed_on_request(client: FlaskClient) -> None:
    """A client that has the file gets a 304, whichever form it has."""
    for file in FILES:
        url = f"{STATIC_URL}{file.relative_to(STATIC).as_posix()}"
        small = client.get(url, headers={"Accept-Encoding": "gzip"})
        if file.suffix == ".png":
            assert "Content-Encoding" not in small.headers
            assert small.data == file.read_bytes()
        else:
            assert small.headers["Content-Encoding"] == "gzip"
            assert gzip.decompress(small.data) == file.read_bytes()
        again = client.get(url, headers={"If-None-Match": small.headers["ETag"]})
        assert (again.status_code, again.data) == (304, b"")


def test_the_digest_changes_with_every_file(tmp_path: Path) -> None:
    """The digest in the files' URLs changes if a file is added, renamed or edited."""
    (tmp_path / "inner").mkdir()
    digests = [digest(read(tmp_path))]
    for change in (
        lambda: (tmp_path / "inner/a.js").write_text("a"),
        lambda: (tmp_path / "b.css").write_text("b"),
        lambda: (tmp_path / "b.css").write_text("c"),
        lambda: (tmp_path / "b.css").rename(tmp_path / "c.css"),
    ):
        change()
        digests.append(digest(read(tmp_path)))
    assert len(set(digests)) == 5


def test_files_that_no_page_loads_are_not_read(tmp_path: Path) -> None:
    """What editors and file managers leave beside the files does not stop the service."""
    (tmp_path / "a.js").write_text("a")
    for name in (".DS_Store", "._a.js", "a.js~", "#a.js#", ".a.js.swp", "a.js.orig", "Thumbs.db"):
        (tmp_path / name).write_bytes(b"\0")
    (tmp_path / ".#a.js").symlink_to("user@host.1")  # a lock, whose target does not exist
    assert read(tmp_path) == {"a.js": b"a"}


def test_no_script_or_style_contains_a_url_with_a_host() -> None:
    """No script or style contains a URL with a host, except the name of SVG's namespace."""
    for file in FILES:
        if file.suffix in (".js", ".css"):
            text = file.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
            assert "://" not in text, file


def test_a_post_to_a_file_is_rejected(client: FlaskClient) -> None:
    """A POST to a file gets a problem with status 405."""
    response = client.post(f"{STATIC_URL}play/main.js")
    assert response.status_code == 405
    assert response.mimetype == "application/problem+json"


def test_an_unknown_file_gets_a_problem(client: FlaskClient) -> None:
    """A path out of the folder of the files is also unknown."""
    for name in ("nothing.js", "../files.py", "play", "play/", ""):
        response = client.get(f"{STATIC_URL}{name}")
        assert (response.status_code, response.mimetype) == (404, "application/problem+json"), name
