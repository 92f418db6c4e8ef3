"""Responses: their content, how long they may be cached, and their ETags."""

import re
from typing import Any, get_args

import pytest
from flask.testing import FlaskClient

from best_move.engine.choice import RATES
from best_move.engine.position import Position
from best_move.engine.question import TieBreak
from best_move.oracle import Answer, Question, consult
from best_move.web.api.responses import FOR_A_DAY
from best_move.web.pages.files import STATIC_URL
from tests.truth import referee
from tests.web.conftest import QUERY, Post


def test_a_response_ends_with_a_newline_and_reports_its_time(client: FlaskClient) -> None:
    """JSON ends with a newline, for terminals, and Server-Timing has the time of the search."""
    response = client.get(QUERY)
    assert response.text.endswith("}\n")
    assert response.headers["Content-Type"] == "application/json"
    assert response.headers["Server-Timing"] == f"search;dur={response.get_json()['elapsed_ms']}"


def test_a_response_to_a_query_may_be_cached(client: FlaskClient) -> None:
    """The response may be cached for a day, and its weak ETag gets a 304."""
    first = client.get(QUERY)
    second = client.get(QUERY)
    etag = first.headers["ETag"]
    assert re.fullmatch('W/"[0-9a-f]{16}"', etag)
    assert second.headers["ETag"] == etag
    assert first.headers["Cache-Control"] == FOR_A_DAY
    unchanged = client.get(QUERY, headers={"If-None-Match": etag})
    assert (unchanged.status_code, unchanged.data) == (304, b"")
    assert "Content-Length" not in unchanged.headers
    assert unchanged.headers["ETag"] == etag
    assert client.get(f"{QUERY}&max_depth=2", headers={"If-None-Match": etag}).status_code == 200


ANSWER = consult(Question(Position.parse("X...O...."), analysis=True))


WIN = ANSWER.assessment._replace(value=1.0)


CHANGES: dict[str, dict[str, Any]] = {
    "the question": {"question": ANSWER.question._replace(algorithm="minimax")},
    "the move": {"move": 8},
    "the position after it": {"after": Position.parse("XO..O....")},
    "its value": {"assessment": WIN},
    "whether it is the best": {"optimal": False},
    "its reason": {"reason": "win"},
    "the text": {"text": "X wins."},
    "the outlook": {"outlook": "X wins."},
    "the line": {"principal_variation": ANSWER.principal_variation[:-1]},
    "the nodes": {"nodes": ANSWER.nodes + 1},
    "the other moves": {"moves": {**(ANSWER.moves or {}), 8: WIN}},
    "no other moves": {"moves": None},
}


def test_every_field_of_an_answer_is_changed() -> None:
    """`CHANGES` has all fields but the time, and `repeatable`, which decides whether to cache."""
    changed = {field for change in CHANGES.values() for field in change}
    assert changed == {*Answer._fields} - {"elapsed_ms", "repeatable"}, "Update `CHANGES`."


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_responses_that_differ_have_different_etags(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, change: dict[str, Any]
) -> None:
    """If two responses differ in anything but the time taken, their ETags differ."""
    changed = ANSWER._replace(**change)
    later = changed._replace(elapsed_ms=ANSWER.elapsed_ms + 1)
    etags = []
    for answer in (ANSWER, changed, later):
        monkeypatch.setattr("best_move.web.api.routes.consult_and_count", lambda _, it=answer: it)
        etags.append(client.get(QUERY).headers["ETag"])
    assert etags[0] != etags[1] == etags[2]


def test_a_random_response_is_not_cached(client: FlaskClient) -> None:
    """The response to a query may be cached unless the next response could differ."""
    for options, cache in {
        "difficulty=easy": "no-store",
        "tie_break=random": "no-store",
        "difficulty=hard&tie_break=trap": "no-store",
        "difficulty=easy&tie_break=random&seed=1": FOR_A_DAY,
        "difficulty=perfect&tie_break=trap": FOR_A_DAY,
    }.items():
        headers = client.get(f"/best-move?board=.........&{options}").headers
        assert headers["Cache-Control"] == cache
        assert ("ETag" in headers) == (cache == FOR_A_DAY)


def test_a_response_is_stored_unless_a_number_was_drawn(client: FlaskClient) -> None:
    """A level draws one if several moves are legal, the tie-break `random` if several are best."""
    for board, side in sorted(referee.reachable())[::200]:
        choices = len(referee.moves(board))
        equal = len(referee.best_moves(board, side)) if choices else 0
        starts = referee.starter(board, side)
        for difficulty, rate in RATES.items():
            for tie_break in get_args(TieBreak):
                query = f"board={board}&starts={starts}&difficulty={difficulty}"
                reply = client.get(f"/best-move?{query}&tie_break={tie_break}")
                draws = (rate > 0 and choices > 1) or (tie_break == "random" and equal > 1)
                cache = "no-store" if draws else FOR_A_DAY
                assert reply.headers["Cache-Control"] == cache, f"{query}&tie_break={tie_break}"


def test_a_response_to_a_body_is_not_cached(client: FlaskClient, post: Post) -> None:
    """The response equals that to a query except for the time, but must not be stored."""
    in_body = post({"board": "X...O...."})
    in_query = client.get(QUERY)
    assert in_body.headers["Cache-Control"] == "no-store"
    assert "ETag" not in in_body.headers
    assert {**in_body.get_json(), "elapsed_ms": 0} == {**in_query.get_json(), "elapsed_ms": 0}


@pytest.mark.parametrize("wanted", ["bytes=0-9", "bytes=999999-", "lines=1-2", "bytes"])
@pytest.mark.parametrize("path", [QUERY, "/docs", f"{STATIC_URL}play/main.js"])
def test_a_range_is_ignored(client: FlaskClient, path: str, wanted: str) -> None:
    """A request for any range of a response, in any unit, gets the complete response."""
    whole, response = (
        client.get(path, headers=headers, buffered=True) for headers in ({}, {"Range": wanted})
    )
    assert response.status_code == 200
    assert response.content_length == len(response.data)
    assert response.headers["ETag"] == whole.headers["ETag"]
    assert "Accept-Ranges" not in response.headers
