"""Reading of requests: queries, and bodies that are too long, incomplete, not JSON or unread."""

import json
from collections.abc import Callable
from functools import partial
from io import BytesIO
from itertools import chain

import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from best_move.web.api.openapi import document
from best_move.web.api.reading import read_request
from best_move.web.api.requests import BestMoveRequest
from tests.programs.openapi import BODIES, QUERIES
from tests.web.conftest import Post, problem, timeless

#  What clients send by mistake -> the cause, and how the detail shows the body.
NOT_JSON = {
    "": ("EOF while parsing a value at line 1 column 0", "is empty"),
    "{'board': '.........'}": (
        "key must be a string at line 1 column 2",
        "begins with `{'board': '.........'}`",
    ),
    '{\r\n\t"board": ".........",\r\n}': (
        "trailing comma at line 3 column 1",
        'begins with `{ "board": ".........", }`',
    ),
    r"{\"board\": \".........\"}": (
        "key must be a string at line 1 column 2",
        r"begins with `{\"board\": \".........\"}`",
    ),
    f"board={'.' * 50}": ("expected value at line 1 column 1", f"begins with `board={'.' * 34}`"),
}


@pytest.mark.parametrize(("body", "described"), NOT_JSON.items(), ids=map(repr, NOT_JSON))
@pytest.mark.parametrize("path", BODIES)
def test_a_body_that_is_not_json_gets_a_400(
    post: Post, path: str, body: str, described: tuple[str, str]
) -> None:
    """The detail has the cause, its place, how the body begins, and the fields that it needs."""
    detail = problem(post(body.encode(), path), 400, "malformed_json")["detail"]
    required = document()["components"]["schemas"][BODIES[path].__name__]["required"]
    names = " and ".join(f"`{name}`" for name in required)
    fault, beginning = described
    assert detail == (
        f"The body is not JSON: {fault}. The body {beginning}. Send a JSON object with {names}."
    )


@given(
    st.lists(st.lists(st.integers(0, 8), min_size=1, max_size=3), max_size=3),
    st.integers(0, 3),
    st.sampled_from([",", ", ", "%2C+", "%20,%20"]),
)
def test_a_list_parameter_may_be_repeated_in_a_query(
    lists: list[list[int]], index: int, comma: str
) -> None:
    """The cells of each `played`, with or without blanks, are joined in order."""
    parameters = ["played=" + comma.join(map(str, cells)) for cells in lists]
    parameters.insert(index, "board=X...O....")
    environ = {"REQUEST_METHOD": "GET", "QUERY_STRING": "&".join(parameters)}
    assert read_request(BestMoveRequest, environ).played == [*chain(*lists)]


@pytest.mark.parametrize("path", QUERIES)
def test_an_empty_parameter_is_rejected(client: FlaskClient, path: str) -> None:
    """Each parameter that is sent without a value gets a 400 that points to it."""
    for name in QUERIES[path].model_fields:
        query = {"board": "X...O....", "played": "8", name: ""}
        response = client.get(path, query_string=query)
        (error,) = problem(response, 400, "invalid_request")["errors"]
        assert error["pointer"].removesuffix("/0") == f"#/{name}"
        assert error["detail"].count('""') == 1


@pytest.mark.parametrize("path", BODIES)
def test_a_query_beside_a_body_is_rejected(post: Post, path: str) -> None:
    """The 400 says that each parameter of the query belongs in the body."""
    found = problem(post(b"{}", f"{path}?algorithm=minimax&max_depth="), 400, "invalid_request")
    assert [(each["pointer"], each["code"]) for each in found["errors"]] == [
        ("#/algorithm", "unknown_field"),
        ("#/max_depth", "unknown_field"),
    ]
    detail = "`algorithm` is not read from the query of a POST. It belongs in the body."
    assert found["errors"][0]["detail"] == detail


def test_the_tablebase_rejects_a_query(client: FlaskClient) -> None:
    """The tablebase rejects every parameter; the OpenAPI document, /health and /metrics none."""
    found = problem(client.get("/tablebase.csv?board=........."), 400, "invalid_request")
    assert found["errors"] == [
        {
            "pointer": "#/board",
            "code": "unknown_field",
            "detail": "`board` is not a field of this request. It has no fields.",
        }
    ]
    for path in ("/health", "/metrics", "/openapi.json", "/openapi.yaml"):
        assert client.get(f"{path}?probe=1").status_code == 200


JSON = "application/json"


@pytest.mark.parametrize("content_type", [None, "", "text/plain", "application/jsonp", "json"])
@pytest.mark.parametrize("encoding", [None, "gzip"])
def test_a_body_whose_content_type_is_not_json_gets_a_415(
    client: FlaskClient, content_type: str | None, encoding: str | None
) -> None:
    """The 415 shows the type and the encoding that came, and says which to send."""
    headers = {"Content-Encoding": encoding} if encoding else {}
    body = b'{"board":"........."}'
    response = client.post("/best-move", data=body, content_type=content_type, headers=headers)
    sent = f"Content-Type `{content_type}`" if content_type else "no Content-Type"
    encoded = " and Content-Encoding `gzip`" if encoding else ""
    assert problem(response, 415, "unsupported_media_type")["detail"] == (
        f"The body must be uncompressed JSON, but it has {sent}{encoded}. "
        "Send the header Content-Type: application/json, and no Content-Encoding."
    )


@pytest.mark.parametrize(
    ("content_type", "encoding", "status"),
    [
        (JSON, "gzip", 415),
        (JSON, "identity", 200),
        (JSON, "Identity", 200),
        ("Application/JSON", "identity", 200),
        (f"{JSON}; charset=utf-8", "identity", 200),
    ],
)
def test_a_body_may_have_any_spelling_of_its_type_but_no_encoding(
    client: FlaskClient, content_type: str, encoding: str, status: int
) -> None:
    """The media type may be in upper case and have parameters; compression gets a 415."""
    headers = {"Content-Encoding": encoding, "Content-Type": content_type}
    response = client.post("/best-move", data=b'{"board":"........."}', headers=headers)
    assert response.status_code == status


@pytest.mark.parametrize(
    "path", ["/best-move", "/best-move?board=X...O....", "/tablebase.csv", "/board.svg"]
)
@pytest.mark.parametrize("header", ["CONTENT_LENGTH", "HTTP_TRANSFER_ENCODING"])
def test_a_get_with_a_body_is_rejected(client: FlaskClient, path: str, header: str) -> None:
    """The error says where the fields belong, whether or not there is a query."""
    length = {"CONTENT_LENGTH": "2", "HTTP_TRANSFER_ENCODING": "chunked"}[header]
    response = client.get(path, environ_overrides={header: length})
    assert problem(response, 400, "malformed_body")["detail"] == (
        "The body of a GET is not read. Send the fields in the query, or by POST if the path "
        "supports it."
    )


@pytest.mark.parametrize("length", ["", "0"])
def test_a_get_may_have_an_empty_body(client: FlaskClient, length: str) -> None:
    """A length of 0, as some clients send it with every request, is accepted."""
    environ = {"CONTENT_LENGTH": length, "CONTENT_TYPE": "application/json"}
    assert client.get("/best-move?board=X...O....", environ_overrides=environ).status_code == 200


class Interrupted(BytesIO):
    """The input stream of a request; to read on after its bytes raises an error."""

    def __init__(self, error: Exception, received: bytes = b"") -> None:
        super().__init__(received)
        self.error = error

    def read(self, size: int | None = -1, /) -> bytes:
        """Return the bytes, a few at a time; raise the error after the last one."""
        part = super().read(min(size or 0, 7))
        if part:
            return part
        raise self.error


ARRIVED = "Only 22 of the 32 bytes of Content-Length arrived."
ALL = "Send all of it, with its Content-Length."
LATE = "The body did not arrive in time. Send it without pauses."
INCOMPLETE = f"The body is incomplete. {ALL}"

#  What ends a body in chunks -> the problem: its status, its code and its detail.
UNREADABLE: dict[str, tuple[Exception, int, str, str]] = {
    "too late": (TimeoutError(), 408, "request_timeout", LATE),
    "connection lost": (ConnectionResetError(), 400, "malformed_body", INCOMPLETE),
    "chunk broken": (AssertionError("no size of a chunk"), 400, "malformed_body", INCOMPLETE),
}


@pytest.mark.parametrize(
    ("stream", "status", "code", "detail"),
    [
        (BytesIO, 400, "malformed_body", f"The body is incomplete. {ARRIVED} {ALL}"),
        (
            partial(Interrupted, EOFError()),
            400,
            "malformed_body",
            f"The body is incomplete. {ARRIVED} {ALL}",
        ),
        (
            partial(Interrupted, TimeoutError()),
            408,
            "request_timeout",
            f"The body did not arrive in time. {ARRIVED} Send it without pauses.",
        ),
    ],
    ids=["ends", "disconnects", "waits"],
)
def test_a_body_shorter_than_its_length_is_rejected(
    client: FlaskClient, stream: Callable[[bytes], BytesIO], status: int, code: str, detail: str
) -> None:
    """The error says what happened, and how many of the declared bytes arrived."""
    environ = {
        "wsgi.input": stream(b'{"board": "X...O...."}'),
        "CONTENT_LENGTH": "32",
        "CONTENT_TYPE": "application/json",
    }
    response = client.post("/best-move", environ_overrides=environ)
    assert problem(response, status, code)["detail"] == detail


@pytest.mark.parametrize(("error", "status", "code", "detail"), UNREADABLE.values(), ids=UNREADABLE)
def test_an_incomplete_body_in_chunks_is_rejected(
    client: FlaskClient, error: Exception, status: int, code: str, detail: str
) -> None:
    """A late body gets a 408, and a broken body a 400; the error does not count bytes."""
    environ = {
        "wsgi.input": Interrupted(error),
        "wsgi.input_terminated": True,
        "CONTENT_TYPE": "application/json",
    }
    response = client.post("/best-move", environ_overrides=environ)
    assert problem(response, status, code)["detail"] == detail


def test_a_body_without_a_length_is_not_waited_for(client: FlaskClient) -> None:
    """Without a length and the server's promise that the input ends, no byte is read."""
    environ = {"wsgi.input": Interrupted(TimeoutError()), "CONTENT_TYPE": "application/json"}
    response = client.post("/best-move", environ_overrides=environ)
    assert problem(response, 400, "malformed_json")["detail"].startswith("The body is not JSON")


@pytest.mark.parametrize("path", QUERIES)
def test_a_query_may_send_what_it_could_omit(client: FlaskClient, path: str) -> None:
    """With each default in the query, the response is the same as without."""
    game = {"board": "X...O....", "played": "8"}
    defaults = {
        name: json.dumps(field.default).strip('"')
        for name, field in QUERIES[path].model_fields.items()
        if isinstance(field.default, bool | int | str)
    }
    sent, omitted = (client.get(path, query_string=game | fields) for fields in (defaults, {}))
    assert sent.status_code == 200
    if sent.mimetype == "application/json":
        assert timeless(sent.get_json()) == timeless(omitted.get_json())
    else:
        assert sent.data == omitted.data
