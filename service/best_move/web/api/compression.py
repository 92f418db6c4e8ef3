"""Compression of long responses with gzip, for clients that accept it."""

import gzip

from flask import Response, request

from best_move.web.api.responses import conditional, weak_etag

MIN_BYTES = 1400  # a shorter body fits into one packet


def compress(response: Response) -> Response:
    """Return the response, compressed if it is long, its status is 200 and gzip is accepted.

    In any case, it tells caches that it depends on Accept-Encoding.
    """
    response.vary.add("Accept-Encoding")
    body = response.get_data()
    if response.status_code == 200 and len(body) >= MIN_BYTES and _accepts_gzip():
        response.set_data(gzip.compress(body, 6, mtime=0))
        response.content_encoding = "gzip"
    return response


class ConstantBody:
    """A body that does not change while the service runs, compressed once unless it is a PNG.

    Its weak ETag is the same in both forms.
    """

    def __init__(self, plain: bytes, media_type: str, cache_control: str = "no-cache") -> None:
        self._plain = plain
        self._headers = {
            "Content-Type": media_type,
            "Cache-Control": cache_control,
            "ETag": weak_etag(plain),
        }
        self._compressed = None
        if media_type != "image/png":  # which is compressed already
            self._compressed = gzip.compress(plain, 6, mtime=0)
            self._headers["Vary"] = "Accept-Encoding"

    def response(self) -> Response:
        """Return a new response: the body, with gzip if accepted, or a 304 if the client has it."""
        if self._compressed is None or not _accepts_gzip():
            return conditional(Response(self._plain, headers=self._headers), request.environ)
        response = Response(self._compressed, headers=self._headers)
        response.content_encoding = "gzip"
        return conditional(response, request.environ)


def _accepts_gzip() -> bool:
    return bool(request.accept_encodings["gzip"])
