"""Compression: clients that accept gzip get long responses compressed; caches tell them apart."""

import gzip
import json

import pytest
from flask import Flask, Response
from flask.testing import FlaskClient

from best_move.web.api.compression import MIN_BYTES, compress
from best_move.web.pages.files import STATIC_URL
from tests.web.conftest import QUERY

TREE = "/search-tree?board=X.O.O.X.."
REVIEW = "/game-review?board=.........&played=0,4,8,1,7,6,2,5,3"
CONSTANT = ["/openapi.json", "/openapi-3.0.json", "/openapi.yaml", "/tablebase.csv", "/docs"]
LONG = [*CONSTANT, TREE, REVIEW, "/metrics", "/search", "/"]


@pytest.mark.parametrize("accepted", ["gzip", "br, gzip, deflate", "*", "gzip;q=0.5, br"])
@pytest.mark.parametrize("path", LONG)
def test_a_long_response_is_compressed_on_request(
    client: FlaskClient, path: str, accepted: str
) -> None:
    """The client gets the same text, with the Content-Length of the compressed form."""
    plain = client.get(path)
    small = client.get(path, headers={"Accept-Encoding": accepted})
    assert small.headers["Content-Encoding"] == "gzip"
    assert small.content_length == len(small.data) < len(plain.data) / 2
    assert small.mimetype == plain.mimetype
    if path != "/metrics":  # because /metrics counts the requests
        assert gzip.decompress(small.data) == plain.data


def test_a_batch_is_compressed_on_request(client: FlaskClient) -> None:
    """The response to a long batch is compressed, too, and has a result for each request."""
    batch = {"requests": [{"board": "X...O....", "analysis": True}] * 5}
    small = client.post("/best-moves", json=batch, headers={"Accept-Encoding": "gzip"})
    assert small.content_length == len(small.data)
    assert len(json.loads(gzip.decompress(small.data))["results"]) == 5


@pytest.mark.parametrize("path", [*CONSTANT, TREE, "/search", f"{STATIC_URL}base.css"])
def test_a_compressed_response_does_not_depend_on_the_time(client: FlaskClient, path: str) -> None:
    """The time in the header of gzip is 0, so that all workers send the same bytes."""
    small = client.get(path, headers={"Accept-Encoding": "gzip"}, buffered=True)
    assert small.headers["Content-Encoding"] == "gzip"
    assert small.data[4:8] == bytes(4)  # the field MTIME of RFC 1952


@pytest.mark.parametrize("accepted", ["", "br", "gzip;q=0", "identity"])
@pytest.mark.parametrize("path", LONG)
def test_a_client_that_does_not_accept_gzip_gets_an_uncompressed_response(
    client: FlaskClient, path: str, accepted: str
) -> None:
    """`Vary` makes caches distinguish the plain form from the compressed one."""
    client.get(path)  # because the first metrics of a process are short
    plain = client.get(path, headers={"Accept-Encoding": accepted})
    assert "Content-Encoding" not in plain.headers
    assert (
        plain.headers["Vary"]
        == client.get(path, headers={"Accept-Encoding": "gzip"}).headers["Vary"]
    )
    assert plain.headers["Vary"] == "Accept-Encoding"


@pytest.mark.parametrize(
    "path", [QUERY, "/health", "/search-tree?board=XX.OO....&plies=0", "/best-move?board=bad"]
)
def test_a_short_response_is_not_compressed(client: FlaskClient, path: str) -> None:
    """A response that fits into one packet is not compressed, whatever the client accepts."""
    response = client.get(path, headers={"Accept-Encoding": "gzip"})
    assert len(response.data) < MIN_BYTES
    assert "Content-Encoding" not in response.headers


@pytest.mark.parametrize(("length", "is_compressed"), [(MIN_BYTES - 1, False), (MIN_BYTES, True)])
def test_responses_are_compressed_from_a_minimum_length(
    app: Flask,
    length: int,
    is_compressed: bool,  # noqa: FBT001, a parameter
) -> None:
    """A response of MIN_BYTES is compressed, and a shorter one is not."""
    with app.test_request_context(headers={"Accept-Encoding": "gzip"}):
        assert (compress(Response("x" * length)).content_encoding == "gzip") is is_compressed


@pytest.mark.parametrize("path", [*CONSTANT, "/", TREE])
@pytest.mark.parametrize("encoding", ["gzip", "identity"])
def test_a_matching_etag_gets_a_304(client: FlaskClient, path: str, encoding: str) -> None:
    """Both forms have the same ETag, and a 304 and a HEAD repeat the headers that caches need."""
    accepted = {"Accept-Encoding": encoding}
    first = client.get(path, headers=accepted).headers
    head = client.head(path, headers=accepted)
    assert head.data == b""
    for name in ("Content-Length", "Content-Encoding", "ETag", "Vary", "Cache-Control"):
        assert head.headers.get(name) == first.get(name)
    for other in ("gzip", "identity"):
        headers = {"If-None-Match": first["ETag"], "Accept-Encoding": other}
        again = client.get(path, headers=headers)
        assert (again.status_code, again.data) == (304, b"")
        assert "Content-Encoding" not in again.headers
        for name in ("ETag", "Vary", "Cache-Control"):
            assert again.headers[name] == first[name]


@pytest.mark.parametrize("path", ["/openapi.json", "/openapi-3.0.json", "/openapi.yaml"])
def test_the_openapi_document_is_revalidated(client: FlaskClient, path: str) -> None:
    """Caches must revalidate the document before each use, because a new release changes it."""
    assert client.get(path).headers["Cache-Control"] == "no-cache"
    stale = client.get(path, headers={"If-None-Match": 'W/"0123456789abcdef"'})
    assert (stale.status_code, stale.data) == (200, client.get(path).data)
