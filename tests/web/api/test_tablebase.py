"""The tablebase over HTTP: complete, compressed if gzip is accepted, and revalidated by a strong ETag."""

import gzip
from hashlib import sha256

import pytest
from flask.testing import FlaskClient

from best_move.tablebase import as_csv

ENCODINGS = [pytest.param("identity", id="plain"), pytest.param("gzip", id="compressed")]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_the_body_is_the_tablebase(client: FlaskClient, encoding: str) -> None:
    """Compressed or not, the body is the tablebase, and its strong ETag is the SHA-256 of the bytes sent."""
    response = client.get("/tablebase.csv", headers={"Accept-Encoding": encoding})
    assert response.headers["Content-Type"] == "text/csv; charset=utf-8; header=present"
    assert response.headers["Cache-Control"] == "public, max-age=86400"
    assert response.headers["Vary"] == "Accept-Encoding"
    assert response.headers["ETag"] == f'"{sha256(response.data).hexdigest()}"'
    assert response.headers.get("Content-Encoding", "identity") == encoding
    assert (gzip.decompress(response.data) if encoding == "gzip" else response.data) == as_csv().encode()
    assert response.content_length == len(response.data)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_an_unchanged_tablebase_is_not_sent_again(client: FlaskClient, encoding: str) -> None:
    """The ETag of the encoding that the client accepts gets a 304; the ETag of the other encoding gets all bytes."""
    etags = {
        each: client.get("/tablebase.csv", headers={"Accept-Encoding": each}).headers["ETag"]
        for each in ("identity", "gzip")
    }
    for has, etag in etags.items():
        response = client.get("/tablebase.csv", headers={"Accept-Encoding": encoding, "If-None-Match": etag})
        assert response.status_code == (304 if has == encoding else 200)
        assert response.headers["ETag"] == etags[encoding]
        assert response.headers["Vary"] == "Accept-Encoding"
        assert (response.data == b"") == (has == encoding)
