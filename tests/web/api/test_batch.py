"""Batches of requests: each request has the same result as a single request."""

import re
from itertools import cycle

import pytest

from best_move.web.api.requests import MAX_REQUESTS
from tests.truth import referee
from tests.web.conftest import GOOD, Post, problem, timeless

OPTIONS: list[dict[str, object]] = [
    {},
    {"algorithm": "minimax", "analysis": True},
    {"scoring": "outcome", "max_depth": 3},
    {"difficulty": "easy", "seed": 5},
    {"tie_break": "trap"},
]


def test_each_result_of_a_batch_equals_the_single_response(post: Post) -> None:
    """As many positions as possible, with options of all kinds, get the answers of single ones."""
    boards = sorted({board for board, _ in referee.reachable()})
    some = boards[:: len(boards) // MAX_REQUESTS][:MAX_REQUESTS]
    batch = [
        {"board": board} | options for board, options in zip(some, cycle(OPTIONS), strict=False)
    ]
    results = post({"requests": batch}, "/best-moves").get_json()["results"]
    assert len(batch) == MAX_REQUESTS
    for fields, result in zip(batch, results, strict=True):
        assert result == {"answer": result["answer"], "problem": None}
        assert timeless(result["answer"]) == timeless(post(fields).get_json())


@pytest.mark.parametrize(
    "illegal",
    [{"board": "XX......."}, GOOD | {"played": [4]}, {"board": "X........", "starts": "O"}],
    ids=["an illegal board", "an illegal move", "the wrong starting side"],
)
def test_an_impossible_position_gets_the_problem_of_a_single_request(
    post: Post, illegal: object
) -> None:
    """The problem is that of a single request, except for its pointer; other items get moves."""
    response = post({"requests": [GOOD, illegal, GOOD]}, "/best-moves")
    assert response.status_code == 200
    first, second, last = response.get_json()["results"]
    assert (first["answer"]["move"], last["answer"]["move"]) == (1, 1)
    alone = problem(post(illegal), 422, "illegal_position")
    (error,) = alone["errors"]
    error["pointer"] = error["pointer"].replace("#", "#/requests/1")
    assert second == {"answer": None, "problem": alone}


@pytest.mark.parametrize(
    "item", [{"board": "X...Q...."}, GOOD | {"played": [1, 9]}, GOOD | {"a": 1}, {}, [GOOD], None]
)
def test_an_item_that_does_not_match_the_schema_fails_the_batch(post: Post, item: object) -> None:
    """The 400 names the item by pointer and in words, with the detail of a single request."""
    found = problem(post({"requests": [GOOD, item, GOOD]}, "/best-moves"), 400, "invalid_request")
    (error,) = found["errors"]
    alone = problem(post(item), 400, "invalid_request")
    (of_item,) = alone["errors"]
    assert error["pointer"] == of_item["pointer"].replace("#", "#/requests/1")
    assert error["code"] == of_item["code"]
    where, _, detail = found["detail"].partition(alone["detail"])
    assert re.findall("[0-9]+|`.*?`", where) == ["1", "`requests`"]
    assert not detail


def test_advice_for_several_items_appears_once(post: Post) -> None:
    """The detail names each wrong item, and ends with the number of errors beyond the limit."""
    found = problem(
        post({"requests": [{}, GOOD] + [{}] * 31}, "/best-moves"), 400, "invalid_request"
    )
    first = found["errors"][0]["detail"]
    _, advice = first.split(". ", 1)
    assert found["detail"].count(advice) == 1
    numbers = re.findall(r"\b[0-9]+\b", found["detail"])
    assert numbers == [*map(str, [0, *range(2, 21), 12])]


@pytest.mark.parametrize(
    ("body", "pointer", "code"),
    [
        (b"{}", "#/requests", "missing_field"),
        (b'{"requests": []}', "#/requests", "wrong_length"),
        (b'{"requests": [%b]}' % b",".join([b"0"] * 101), "#/requests", "wrong_length"),
        (b'{"requests": [], "board": "."}', "#/requests #/board", "wrong_length unknown_field"),
        (b'{"requests": [{"board": "", "board": ""}]}', "#", "repeated_field"),
    ],
    ids=["missing", "empty", "one too many", "an unknown name", "a repeated name in an item"],
)
def test_an_invalid_batch_is_rejected(post: Post, body: bytes, pointer: str, code: str) -> None:
    """The 400 points to the invalid part of the batch."""
    errors = problem(post(body, "/best-moves"), 400, "invalid_request")["errors"]
    assert [error["pointer"] for error in errors] == pointer.split()
    assert [error["code"] for error in errors] == code.split()


def test_a_batch_is_not_cached_and_reports_its_time(post: Post) -> None:
    """The response must not be stored; its Server-Timing is the total time of the searches."""
    response = post({"requests": [GOOD, GOOD]}, "/best-moves")
    assert response.headers["Cache-Control"] == "no-store"
    total = sum(result["answer"]["elapsed_ms"] for result in response.get_json()["results"])
    assert float(response.headers["Server-Timing"].removeprefix("search;dur=")) == pytest.approx(
        total, abs=0.001
    )
    assert response.text.endswith("}\n")
