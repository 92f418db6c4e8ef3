"""Compression of long responses with gzip, for clients that accept it."""

import gzip
from hashlib import blake2b, sha256
from typing import Final

from flask import Response

from best_move.web.api.reading import current_request
from best_move.web.api.responses import answer_conditions

MIN_BYTES: Final = 1400  # a shorter body fits into one packet


def compress(response: Response) -> Response:
    """Return the response, compressed if it is long, its status is 200 and gzip is accepted; 100 KB take up to 1 ms."""
    body = response.get_data()
    if len(body) < MIN_BYTES:
        return response
    response.vary.add("Accept-Encoding")
    if response.status_code == 200 and _accepts_gzip():
        response.set_data(gzip.compress(body, 6, mtime=0))
        response.content_encoding = "gzip"
    return response


class ConstantText:
    """A text that does not change while the service runs, compressed once.

    Its ETag is weak and the same for the plain and the compressed text; but if `is_strong` is true, the ETag is the
    SHA-256 of the bytes that are sent.
    """

    def __init__(self, text: str, media_type: str, cache_control: str = "no-cache", *, is_strong: bool = False) -> None:
        plain = text.encode()
        compressed = gzip.compress(plain, mtime=0)
        weak = f'W/"{blake2b(plain, digest_size=8).hexdigest()}"'
        headers = {"Content-Type": media_type, "Cache-Control": cache_control, "Vary": "Accept-Encoding"}
        self._plain: Final = plain, headers | {"ETag": _digest(plain) if is_strong else weak}
        self._compressed: Final = (
            compressed,
            headers | {"ETag": _digest(compressed) if is_strong else weak, "Content-Encoding": "gzip"},
        )

    def response(self) -> Response:
        """Return the text, compressed if the client accepts gzip, or a 304 if the client has it."""
        body, headers = self._compressed if _accepts_gzip() else self._plain
        return answer_conditions(Response(body, headers=headers))


def _digest(body: bytes) -> str:
    return f'"{sha256(body).hexdigest()}"'


def _accepts_gzip() -> bool:
    return bool(current_request().accept_encodings["gzip"])
