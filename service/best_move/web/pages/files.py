"""The static files of the pages: scripts, styles and pictures."""

import re
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path
from wsgiref.headers import Headers
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

STATIC = Path(__file__).with_name("static")

#  The headers of pages, which may neither load files from other hosts, nor send data to other
#  hosts, nor have inline code. Policies mean nothing on scripts, styles and pictures.
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


def digest() -> str:
    """Return a name that changes with any of the static files.

    Clients may therefore cache the files without revalidation.
    """
    found = blake2b(digest_size=6)
    for path in sorted(STATIC.rglob("*.*")):
        if path.suffix != ".gz":
            found.update(path.relative_to(STATIC).as_posix().encode())
            found.update(path.read_bytes())
    return found.hexdigest()


#  The digest is a folder in the URLs of all files, so a module imports other modules of the same
#  version.
STATIC_URL = f"/static/{digest()}/"
ROUTE = "/static/<path:file>"  # the route under which requests for all static files are counted

#  During a rolling update, a page of another version may request its files here. It gets those of
#  this version, which may fit, and must not be stored under the other version's URL.
ANOTHER_VERSION = re.compile(r"^/static/[0-9a-f]{12}/")
ANOTHER_URL = "/static/another-version/"


def with_files(app: WSGIApplication) -> WSGIApplication:
    """Return an application that serves the static files.

    It passes requests for other paths to `app`.
    """
    #  Imported only here, because chat tools need the files, but serve none.
    from whitenoise import WhiteNoise  # type: ignore[import-untyped] # noqa: PLC0415

    files = WhiteNoise(
        app,
        allow_all_origins=False,  # the middleware adds the CORS headers
        immutable_file_test=f"^{STATIC_URL}",
        add_headers_function=_add_headers,
    )
    files.add_files(STATIC, STATIC_URL)
    files.add_files(STATIC, ANOTHER_URL)

    def handle(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        if not path.startswith("/static/") or environ["REQUEST_METHOD"] not in ("GET", "HEAD"):
            return app(environ, start_response)
        environ.pop("HTTP_RANGE", None)  # the files are too small for ranges
        if not path.startswith(STATIC_URL):
            environ["PATH_INFO"] = ANOTHER_VERSION.sub(ANOTHER_URL, path)
        response: Iterable[bytes] = files(environ, start_response)
        return response

    return handle


def _add_headers(headers: Headers, _path: str, url: str) -> None:
    headers["X-Content-Type-Options"] = "nosniff"
    if url.startswith(ANOTHER_URL):
        headers["Cache-Control"] = "no-store"
