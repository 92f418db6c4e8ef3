"""The static files of the pages: scripts, styles and pictures."""

from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path
from typing import Final
from wsgiref.headers import Headers
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from whitenoise import WhiteNoise  # type: ignore[import-untyped]

STATIC: Final = Path(__file__).with_name("static")

#  All files come from this service and no code is inline, so a page can neither load from nor send to other hosts.
HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


def digest() -> str:
    """Return a name for the static files, which changes with any of them, so that clients may cache them for good."""
    files = sorted(path for path in STATIC.rglob("*.*") if path.suffix != ".gz")
    named = (path.relative_to(STATIC).as_posix().encode() + path.read_bytes() for path in files)
    return blake2b(b"".join(named), digest_size=6).hexdigest()


#  All files are in one folder named by their digest, so a module imports others of the same version.
STATIC_URL: Final = f"/static/{digest()}/"
ROUTE: Final = "/static/<path:file>"  # of all files, whatever their digest


def with_files(app: WSGIApplication) -> WSGIApplication:
    """Return an application that serves the static files and calls another for all other paths.

    Clients that accept gzip get the compressed files that the build adds.
    """
    files: WSGIApplication = WhiteNoise(
        app,
        root=STATIC,
        prefix=STATIC_URL,
        allow_all_origins=False,  # the middleware adds that header
        immutable_file_test=r".",
        add_headers_function=_add_headers,
    )

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if not environ["PATH_INFO"].startswith(STATIC_URL) or environ["REQUEST_METHOD"] not in ("GET", "HEAD"):
            return app(environ, start_response)
        environ.pop("HTTP_RANGE", None)  # the files are too small for ranges
        return files(environ, start_response)

    return answer


def _add_headers(headers: Headers, _path: str, _url: str) -> None:
    for name, value in HEADERS.items():
        headers[name] = value
