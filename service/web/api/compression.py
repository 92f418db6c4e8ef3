"""Compression of long responses with gzip, for clients that accept it."""

import gzip
from hashlib import blake2b
from typing import Final

from flask import Response

from service.web.api.answers import answer_conditions
from service.web.lean_flask import current_request

MIN_BYTES: Final = 1400  # what is shorter fits into one packet


def compress(response: Response) -> Response:
    """Return the response, compressed if it is long and the client accepts gzip; 100 KB of JSON take 1 ms at most."""
    body = response.get_data()
    if len(body) < MIN_BYTES:
        return response
    response.vary.add("Accept-Encoding")
    if response.status_code == 200 and _accepts_gzip():
        response.set_data(gzip.compress(body, 6, mtime=0))
        response.content_encoding = "gzip"
    return response


class Document:
    """A text that does not change while the service runs, compressed once."""

    def __init__(self, text: str, media_type: str, cache_control: str = "no-cache") -> None:
        self._plain: Final = text.encode()
        self._compressed: Final = gzip.compress(self._plain, mtime=0)
        self._headers: Final = {
            "Content-Type": media_type,
            "Cache-Control": cache_control,
            "ETag": f'W/"{blake2b(self._plain, digest_size=8).hexdigest()}"',
            "Vary": "Accept-Encoding",
        }

    def response(self) -> Response:
        """Return the response to the current request: the text, compressed if the client accepts gzip, or a 304."""
        if _accepts_gzip():
            response = Response(self._compressed, headers=self._headers | {"Content-Encoding": "gzip"})
        else:
            response = Response(self._plain, headers=self._headers)
        return answer_conditions(response)


def _accepts_gzip() -> bool:
    return bool(current_request().accept_encodings["gzip"])
