"""Problems: each cause has its status and its code, and the detail says what to change."""

import json
import re
from urllib.parse import parse_qsl

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.exceptions import Conflict

from best_move.web.api.openapi import document
from best_move.web.api.problem_types import ProblemType, RejectedRequestError
from best_move.web.app import create_app
from tests.tables import table
from tests.web.conftest import Post, problem

#  Queries for a position that cannot occur.
ILLEGAL = (
    "board=XX.......",
    "board=X........&starts=O",
    "board=.........&played=4,0,4",
    "board=XX.OO....&played=2,5",
)


@pytest.mark.parametrize("query", ILLEGAL)
def test_an_impossible_position_in_a_body_gets_the_problem_of_the_query(
    client: FlaskClient, post: Post, query: str
) -> None:
    """The 422 is the same for a query and for a body."""
    body: dict[str, object] = dict(parse_qsl(query))
    if "played" in body:
        body["played"] = [*map(int, str(body["played"]).split(","))]
    found = problem(client.get(f"/best-move?{query}"), 422, "illegal_position")
    assert problem(post(body), 422, "illegal_position") == found


PATHS = sorted({*document()["paths"], "/", "/docs", "/search"})


@pytest.mark.parametrize(
    "path", ["/%2e%2e/etc/passwd", "/login", "/api/v2/x", "/index.html", f"/{'best-move' * 5}"]
)
def test_an_unknown_path_gets_a_404(client: FlaskClient, path: str) -> None:
    """If no path is similar, the 404 lists the paths, except those of files."""
    assert ", ".join(PATHS) in problem(client.get(path), 404, "not_found")["detail"]


#  A path that is unknown, and the path that the client probably meant.
MISSPELLED = table("""
/best_move  /best-move
/bestmoves  /best-moves
/best/move  /best-move
/BestMove  /best-move
/bestMoves  /best-moves
/BEST-MOVE  /best-move
/best-move/X...O....  /best-move
/best-move.json  /best-move
/bst-move  /best-move
/game-reviews  /game-review
/gaem-review  /game-review
/player/review  /player-review
/player_review.yml  /player-review
/player-reveiw  /player-review
/searchTree  /search-tree
/search-three  /search-tree
/serch  /search
/board.SVG  /board.svg
/board.pgn  /board.png
/boards.svg  /board.svg
/Openapi  /openapi.yaml
/openapi.yml  /openapi.yaml
/open-api.json  /openapi.json
/tablebase  /tablebase.csv
/tablebase.json  /tablebase.csv
/helth  /health
/metric  /metrics
/doc  /docs
/mpc  /mcp
""")


@pytest.mark.parametrize(("sent", "meant"), MISSPELLED)
def test_a_misspelled_path_gets_the_path_as_the_suggestion(
    client: FlaskClient, sent: str, meant: str
) -> None:
    """The 404 suggests the path that has the same letters, or the most similar ones."""
    for prefix in ("", "/api", "/v1", "/api/v1"):
        for end in ("", "/"):
            detail = problem(client.get(f"{prefix}{sent}{end}"), 404, "not_found")["detail"]
            assert detail.endswith(f" Did you mean {meant}?"), prefix


@pytest.mark.parametrize("path", PATHS[1:])
def test_a_path_is_suggested_whatever_its_case_and_prefix(client: FlaskClient, path: str) -> None:
    """The 404 for the path in capital letters or below a prefix suggests the path."""
    for sent in (path.upper(), f"/api/v1{path}", f"/api{path}/X...O....", f"{path}.yml"):
        detail = problem(client.get(sent), 404, "not_found")["detail"]
        assert detail.endswith(f" Did you mean {path}?"), sent


@pytest.mark.parametrize("path", [*PATHS, "/mcp/", "/static/any/base.css"])
@pytest.mark.parametrize("method", ["GET", "POST", "OPTIONS", "BREW"])
def test_a_path_with_two_slashes_in_a_row_is_not_found(
    client: FlaskClient, method: str, path: str
) -> None:
    """Wherever a slash is doubled, the 404 quotes the path as sent, and nothing is redirected."""
    for index in (each.start() for each in re.finditer("/", path)):
        sent = f"{path[:index]}/{path[index:]}"
        response = client.open("/", method=method, environ_overrides={"PATH_INFO": sent})
        assert f"`{sent}`" in problem(response, 404, "not_found")["detail"]


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PUT", "/best-move", "GET, HEAD, OPTIONS, POST"),
        ("POST", "/health", "GET, HEAD, OPTIONS"),
        ("GET", "/best-moves", "OPTIONS, POST"),
    ],
)
def test_a_method_that_a_path_does_not_support_gets_a_405(
    client: FlaskClient, method: str, path: str, allowed: str
) -> None:
    """The Allow header and the detail list the methods."""
    response = client.open(path, method=method)
    found = problem(response, 405, "method_not_allowed")
    assert response.headers["Allow"] == allowed
    assert {method, *allowed.split(", ")} <= {*re.findall(r"\w+", found["detail"])}


class UnprintableError(RejectedRequestError):
    """An exception without a text, so that building the problem fails, too."""

    def __str__(self) -> str:
        """Raise RuntimeError."""
        raise RuntimeError("a secret")


EXCEPTIONS: dict[str, Exception] = {
    "an unexpected exception": RuntimeError("a secret"),
    "an HTTP error that no route raises": Conflict("a secret"),
    "an exception on which the table of problems fails": UnprintableError(
        ProblemType.MALFORMED_JSON, ""
    ),
}


@pytest.mark.parametrize("exception", EXCEPTIONS.values(), ids=EXCEPTIONS)
def test_a_failure_of_the_service_leaks_no_details(
    caplog: pytest.LogCaptureFixture, exception: Exception
) -> None:
    """The 500 has no details; the log has them, with the request's method, path and ID."""
    broken: Flask = create_app()

    def fail() -> str:
        raise exception

    broken.add_url_rule("/fail", view_func=fail)
    response = broken.test_client().get("/fail?secret=1")
    assert "secret" not in json.dumps(problem(response, 500, "internal_error"))
    (record,) = (record for record in caplog.records if record.levelname == "ERROR")
    entry = record.__dict__
    assert (entry["method"], entry["path"]) == ("GET", "/fail")
    assert entry["request_id"] == response.headers["X-Request-ID"]
    assert "a secret" in caplog.text
