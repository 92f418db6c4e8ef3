"""The tablebase over HTTP: complete, compressed on request, and revalidated by its ETag."""

import gzip

import pytest
from flask.testing import FlaskClient

from best_move.tablebase import as_csv
from best_move.web.api.responses import CACHEABLE

ENCODINGS = [pytest.param("identity", id="plain"), pytest.param("gzip", id="compressed")]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_the_body_is_the_tablebase(client: FlaskClient, encoding: str) -> None:
    """Compressed or not, the body is the tablebase."""
    response = client.get("/tablebase.csv", headers={"Accept-Encoding": encoding})
    assert response.headers["Content-Type"] == "text/csv; charset=utf-8; header=present"
    assert response.headers["Cache-Control"] == CACHEABLE
    assert response.headers["Vary"] == "Accept-Encoding"
    assert response.headers.get("Content-Encoding", "identity") == encoding
    assert (
        gzip.decompress(response.data) if encoding == "gzip" else response.data
    ) == as_csv().encode()
    assert response.content_length == len(response.data)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_an_unchanged_tablebase_is_not_sent_again(client: FlaskClient, encoding: str) -> None:
    """The ETag of either encoding gets a 304 without a body."""
    etag = client.get("/tablebase.csv").headers["ETag"]
    response = client.get(
        "/tablebase.csv", headers={"Accept-Encoding": encoding, "If-None-Match": etag}
    )
    assert response.status_code == 304
    assert response.headers["ETag"] == etag
    assert response.headers["Vary"] == "Accept-Encoding"
    assert response.data == b""
