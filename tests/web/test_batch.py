"""Many positions at once: each answered as if it were alone, and none spoilt by another."""

import json
from typing import Any

import pytest
from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families
from werkzeug.test import TestResponse

from service.web.problems import MAX_BYTES
from service.web.schemas import MAX_REQUESTS
from tests import referee

GOOD = {"board": "X...O...."}


def post(client: FlaskClient, body: object, path: str = "/best-moves") -> TestResponse:
    """Send a body, as it is if it is bytes, else as JSON."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return client.post(path, data=data, content_type="application/json")


def timeless(answer: dict[str, Any]) -> dict[str, Any]:
    """Return an answer without the time that it took."""
    return {name: value for name, value in answer.items() if name != "elapsed_ms"}


def test_each_answer_is_the_single_calls(client: FlaskClient) -> None:
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
    answers = post(client, {"requests": batch}).get_json()["answers"]
    assert len(answers) == len(batch) == MAX_REQUESTS
    for fields, answer in zip(batch, answers, strict=True):
        assert timeless(answer) == timeless(post(client, fields, "/best-move").get_json())


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


def test_three_bad_positions_spoil_only_themselves(client: FlaskClient) -> None:
    """Of a hundred positions, three of them bad, ninety-seven have moves and three have problems, each in its place."""
    batch: list[object] = [GOOD] * MAX_REQUESTS
    for index, bad in zip((0, 50, 99), BAD.values(), strict=False):
        batch[index] = bad
    answers = post(client, {"requests": batch}).get_json()["answers"]
    assert [index for index, answer in enumerate(answers) if "code" in answer] == [0, 50, 99]
    assert sum(answer.get("move") == 1 for answer in answers) == 97


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_a_bad_item_has_the_single_calls_problem(client: FlaskClient, bad: object) -> None:
    """A bad item is answered by the problem that it would be alone, between two good ones that are answered."""
    response = post(client, {"requests": [GOOD, bad, GOOD]})
    assert response.status_code == 200
    first, problem, last = response.get_json()["answers"]
    assert (first["move"], last["move"]) == (1, 1)
    alone = post(client, bad, "/best-move")
    assert alone.status_code == problem["status"]
    assert problem == alone.get_json()


def test_a_repeated_name_is_the_items_own_problem(client: FlaskClient) -> None:
    """A name that stands twice in one item is that item's problem, next to bad items too."""
    twice = '{"board":"X...O....","board":"........."}'
    for others in ([], ["7"], ['{"bord":"a:b:c"}']):
        body = '{"requests":[' + ",".join([twice, json.dumps(GOOD), *others]) + "]}"
        problem, good, *_ = post(client, body.encode()).get_json()["answers"]
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
def test_a_batch_that_is_none_is_refused(client: FlaskClient, body: object, pointer: str, code: str) -> None:
    """What is wrong with the batch itself is a 400 that points at it and says what it should be."""
    response = post(client, body)
    assert response.status_code == 400
    (fault,) = response.get_json()["errors"]
    assert (fault["pointer"], fault["code"]) == (pointer, code)
    assert code != "wrong_length" or "from 1 to 100 entries" in fault["detail"]


def test_the_limits_of_a_body_hold(client: FlaskClient) -> None:
    """Size and media type are checked as for a single position."""
    assert post(client, b'{"requests":[]}'.ljust(MAX_BYTES + 1)).status_code == 413
    assert client.post("/best-moves", data=b"{}", content_type="text/plain").status_code == 415
    assert post(client, b"{").get_json()["code"] == "malformed_json"


def test_a_batch_is_not_cached_and_tells_its_time(client: FlaskClient) -> None:
    """A batch is no-store; Server-Timing adds up the searches."""
    response = post(client, {"requests": [GOOD, GOOD]})
    assert response.headers["Cache-Control"] == "no-store"
    total = sum(answer["elapsed_ms"] for answer in response.get_json()["answers"])
    assert float(response.headers["Server-Timing"].removeprefix("search;dur=")) == pytest.approx(total, abs=0.001)
    assert response.text.endswith("}\n")


def test_the_searches_of_a_batch_are_counted(client: FlaskClient) -> None:
    """Each search of a batch is counted with its nodes, and a problem is none."""

    def counted() -> list[float]:
        families = text_string_to_metric_families(client.get("/metrics").text)
        samples = [sample for family in families for sample in family.samples]
        names = ("best_move_searches_total", "best_move_nodes_total")
        return [
            next(s.value for s in samples if (s.name, s.labels) == (name, {"algorithm": "minimax"})) for name in names
        ]

    before = counted()
    late = {"board": "XX.OO....", "algorithm": "minimax"}
    answers = post(client, {"requests": [late, late, late | {"board": "XX......."}]}).get_json()["answers"]
    searches, nodes = (after - count for after, count in zip(counted(), before, strict=True))
    assert (searches, nodes) == (2, 2 * answers[0]["nodes"])
