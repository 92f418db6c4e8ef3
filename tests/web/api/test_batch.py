"""Many positions at once: each answered as if it were alone, and none spoilt by another."""

import json

import pytest
from flask.testing import FlaskClient

from service.web.api.questions import MAX_BYTES, MAX_REQUESTS
from tests import referee
from tests.web.conftest import GOOD, Post, timeless


def test_each_answer_is_the_single_calls(post: Post) -> None:
    """A hundred positions with options of all kinds have the hundred answers that they would have alone."""
    boards = sorted(board for board, to_move in referee.reachable() if to_move == "X")[:: 5300 // MAX_REQUESTS]
    options: list[dict[str, object]] = [
        {},
        {"algorithm": "minimax", "analysis": True},
        {"scoring": "outcome", "max_depth": 3},
        {"difficulty": "easy", "seed": 5},
        {"tie_break": "trap"},
    ]
    batch = [{"board": board} | options[n % len(options)] for n, board in enumerate(boards[:MAX_REQUESTS])]
    answers = post({"requests": batch}, "/best-moves").get_json()["answers"]
    assert len(answers) == len(batch) == MAX_REQUESTS
    for fields, answer in zip(batch, answers, strict=True):
        assert timeless(answer) == timeless(post(fields).get_json())


BAD: dict[str, object] = {
    "an illegal position": {"board": "XX......."},
    "a wrong board": {"board": "X...Q...."},
    "a board too short": {"board": ["X"]},
    "a misspelt name": GOOD | {"algoritm": "minimax"},
    "a name like a form of the board": GOOD | {"string": 1},
    "the name of the other form": GOOD | {"array": 1},
    "no object": 7,
    "an array": [GOOD],
    "nothing": None,
    "a depth out of range": GOOD | {"max_depth": 0},
}


def test_three_bad_positions_spoil_only_themselves(post: Post) -> None:
    """Of a hundred positions, three of them bad, ninety-seven have moves and three have problems, each in its place."""
    batch: list[object] = [GOOD] * MAX_REQUESTS
    for index, bad in zip((0, 50, 99), BAD.values(), strict=False):
        batch[index] = bad
    answers = post({"requests": batch}, "/best-moves").get_json()["answers"]
    assert [index for index, answer in enumerate(answers) if "code" in answer] == [0, 50, 99]
    assert sum(answer.get("move") == 1 for answer in answers) == 97


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_a_bad_item_has_the_single_calls_problem(post: Post, bad: object) -> None:
    """A bad item is answered by the problem that it would be alone, between two good ones that are answered."""
    response = post({"requests": [GOOD, bad, GOOD]}, "/best-moves")
    assert response.status_code == 200
    first, problem, last = response.get_json()["answers"]
    assert (first["move"], last["move"]) == (1, 1)
    alone = post(bad)
    assert alone.status_code == problem["status"]
    assert problem == alone.get_json()


def test_a_repeated_name_is_the_items_own_problem(post: Post) -> None:
    """A name that stands twice in one item is that item's problem, next to bad items too."""
    twice = '{"board":"X...O....","board":"........."}'
    for others in ([], ["7"], ['{"bord":"a:b:c"}']):
        body = '{"requests":[' + ",".join([twice, json.dumps(GOOD), *others]) + "]}"
        problem, good, *_ = post(body.encode(), "/best-moves").get_json()["answers"]
        assert problem["errors"][0]["code"] == "repeated_field"
        assert good["move"] == 1


WHOLE: dict[str, tuple[object, str, str]] = {
    "no requests": ({}, "#/requests", "missing_field"),
    "an empty list": ({"requests": []}, "#/requests", "wrong_length"),
    "one too many": ({"requests": [GOOD] * (MAX_REQUESTS + 1)}, "#/requests", "wrong_length"),
    "no list": ({"requests": GOOD}, "#/requests", "wrong_type"),
    "a foreign name": ({"requests": [GOOD], "board": "........."}, "#/board", "unknown_field"),
    "a list alone": ([GOOD], "#", "wrong_type"),
    "a repeated name": (b'{"requests":[],"requests":[{"board":"........."}]}', "#/requests", "repeated_field"),
}


@pytest.mark.parametrize(("body", "pointer", "code"), WHOLE.values(), ids=WHOLE)
def test_a_batch_that_is_none_is_refused(post: Post, body: object, pointer: str, code: str) -> None:
    """What is wrong with the batch itself is a 400 that points at it and says what it should be."""
    response = post(body, "/best-moves")
    assert response.status_code == 400
    (fault,) = response.get_json()["errors"]
    assert (fault["pointer"], fault["code"]) == (pointer, code)
    assert code != "wrong_length" or "from 1 to 100 entries" in fault["detail"]


def test_the_limits_of_a_body_hold(client: FlaskClient, post: Post) -> None:
    """Size and media type are checked as for a single position."""
    assert post(b'{"requests":[]}'.ljust(MAX_BYTES + 1), "/best-moves").status_code == 413
    assert client.post("/best-moves", data=b"{}", content_type="text/plain").status_code == 415
    assert post(b"{", "/best-moves").get_json()["code"] == "malformed_json"


def test_a_batch_is_not_cached_and_tells_its_time(post: Post) -> None:
    """A batch is no-store; Server-Timing adds up the searches."""
    response = post({"requests": [GOOD, GOOD]}, "/best-moves")
    assert response.headers["Cache-Control"] == "no-store"
    total = sum(answer["elapsed_ms"] for answer in response.get_json()["answers"])
    assert float(response.headers["Server-Timing"].removeprefix("search;dur=")) == pytest.approx(total, abs=0.001)
    assert response.text.endswith("}\n")
