"""Request models: which requests are accepted, and which errors all others get."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from best_move.web.api.requests import BestMoveRequest
from tests.tables import table
from tests.truth import golden, referee
from tests.web.conftest import GOOD, Post, problem, timeless

#  A body, the pointer and the code of its error, and a part of its detail.
INVALID = table(r"""
{"played": [0]}  #/board  missing_field  Send the cells row by row, such as "X...O....". A new game
{"board": null}  #/board  missing_field  `board` is missing. Send the cells
{"board": "X...O....\n"}  #/board  wrong_length  must have 9 cells, not 10
{"board": "X...O...\n"}  #/board  wrong_character  Cell 8 of the board "X...O...\n" holds "\n".
{"board": "X...Q...."}  #/board  wrong_character  Cell 4 of the board "X...Q...." holds "Q".
{"board": "\ud83d\ude00...O...."}  #/board  wrong_character  (U+1F600) holds "😀".
{"board": NaN}  #/board  wrong_type  Send the cells
{"board": {"a": 1, "a": 2}}  #  repeated_field  `a` is repeated. Send it once.
[{"board": "X...O...."}]  #  wrong_type  not [{"board": ...}]. Send a JSON object with `board`.
null  #  wrong_type  The request must be a JSON object, not null.
"played": [1, 9]  #/played/1  wrong_value  must be an integer from 0 to 8, not
"played": "1,2"  #/played  wrong_type  must be an array, not "1,2". Send cells in
"played": [0, 1, 2, 3, 4, 5, 6, 7, 8, 0]  #/played  wrong_length  must have 0 to 9 items, not 10: [
"starts": "x"  #/starts  wrong_value  must be "X" or "O", not "x".
"starts": {}  #/starts  wrong_value  must be "X" or "O", not {}.
"max_depth": 0  #/max_depth  wrong_value  must be an integer from 1 to 9, not 0
"max_depth": 2.5  #/max_depth  wrong_type  must be an integer from 1 to 9, not 2.5
"max_depth": 1e400  #/max_depth  wrong_type  must be an integer from 1 to 9, not
"max_depth": "9"  #/max_depth  wrong_type  must be an integer from 1 to 9, without quotes, not "9".
"analysis": 1  #/analysis  wrong_type  must be true or false, in lower case, not 1.
"seed": -1  #/seed  wrong_value  must be an integer from 0 to 9007199254740991, not -1
"seed": 9007199254740992  #/seed  wrong_value  must be an integer from 0 to 9007199254740991, not
"to_move": "X"  #/to_move  unknown_field  Whose turn it is follows from the marks and `starts`.
"you": "X"  #/you  unknown_field  Whose turn it is follows from the marks and `starts`.
"zzz": null  #/zzz  unknown_field  The fields are board, starts, played
"a/b~c": 1  #/a~1b~0c  unknown_field  `a/b~c` is not a field
"": 1  #/  unknown_field  `` is not a field of this request. The fields are board, starts, played
""")


@pytest.mark.parametrize(("text", "pointer", "code", "advice"), INVALID)
def test_a_body_that_does_not_match_the_schema_gets_a_400(
    post: Post, text: str, pointer: str, code: str, advice: str
) -> None:
    """The error has a pointer to the field, a code, and advice on what to send."""
    body = f'{{"board": "X...O....", {text}}}' if text.startswith('"') else text
    found = problem(post(body.encode()), 400, "invalid_request")
    assert [(error["pointer"], error["code"]) for error in found["errors"]] == [(pointer, code)]
    assert advice in found["errors"][0]["detail"]
    assert found["detail"] == found["errors"][0]["detail"]


#  What a query has besides a board, and the pointer and the code of its error.
QUERIES = table("""
played=1,,2  #/played/1  wrong_type
played=1;2  #/played/0  wrong_type
played=08  #/played/0  wrong_type
played=9  #/played/0  wrong_value
played=  #/played/0  wrong_type
played=&played=4  #/played/0  wrong_type
max_depth=2&max_depth=2  #/max_depth  repeated_field
max_depth=%2B2  #/max_depth  wrong_type
max_depth=2.0  #/max_depth  wrong_type
max_depth=%202  #/max_depth  wrong_type
max_depth=%D9%A2  #/max_depth  wrong_type
max_depth=04  #/max_depth  wrong_type
max_depth=10  #/max_depth  wrong_value
analysis  #/analysis  wrong_type
analysis=1  #/analysis  wrong_type
analysis=True  #/analysis  wrong_type
seed=&seed=7  #/seed  repeated_field
sead=  #/sead  unknown_field
Board=X...O....  #/Board  unknown_field
""")


@pytest.mark.parametrize(("query", "pointer", "code"), QUERIES)
def test_a_query_that_does_not_match_the_schema_gets_a_400(
    client: FlaskClient, query: str, pointer: str, code: str
) -> None:
    """The error has a pointer to the parameter, and a code."""
    response = client.get(f"/best-move?board=X...O....&{query}")
    (error,) = problem(response, 400, "invalid_request")["errors"]
    assert (error["pointer"], error["code"]) == (pointer, code)


def test_texts_that_cannot_be_read_get_a_400(client: FlaskClient) -> None:
    """Bytes that are not UTF-8 are wrong characters, and too many digits are no integer."""
    for query, code in {
        "board=%FF...O....": "wrong_character",
        "board=%00...O....": "wrong_character",
        "board=X...O....&max_depth=" + "9" * 4000: "wrong_value",
        "board=X...O....&max_depth=" + "9" * 5000: "wrong_type",
    }.items():
        response = client.get(f"/best-move?{query}")
        (error,) = problem(response, 400, "invalid_request")["errors"]
        assert error["code"] == code


def test_null_counts_as_omitted(post: Post) -> None:
    """An optional field that is null counts as omitted, also in a batch."""
    nulls = GOOD | dict.fromkeys(set(BestMoveRequest.model_fields) - {"board"})
    expected = timeless(post(GOOD).get_json())
    assert timeless(post(nulls).get_json()) == expected
    (result,) = post({"requests": [nulls]}, "/best-moves").get_json()["results"]
    assert timeless(result["answer"]) == expected


EMPTY = {"board": "........."}

#  The board and the side that started, the moves, and the board after them.
GAMES = table("""
.........  X  041  XX..O....
.........  O  04  O...X....
X...O....  X  82  X.O.O...X
O........  O  8  O.......X
.........  X  03142  XXXOO....
""")


@pytest.mark.parametrize(("board", "starts", "cells", "end"), GAMES)
def test_moves_are_played_from_the_board(
    client: FlaskClient, post: Post, board: str, starts: str, cells: str, end: str
) -> None:
    """In a body, query or batch, a board with moves gets the response for the board after them."""
    expected = timeless(post({"board": end, "starts": starts}).get_json())
    start = {"board": board, "starts": starts}
    body = start | {"played": [*map(int, cells)]}
    in_query = client.get("/best-move", query_string=start | {"played": ",".join(cells)})
    in_batch = post({"requests": [body]}, "/best-moves")
    assert timeless(post(body).get_json()) == expected
    assert timeless(in_query.get_json()) == expected
    assert timeless(in_batch.get_json()["results"][0]["answer"]) == expected


@pytest.mark.parametrize("side", ["X", "O"])
@pytest.mark.parametrize("count", range(1, 10))
def test_starts_is_the_side_that_made_the_first_move(
    client: FlaskClient, post: Post, count: int, side: str
) -> None:
    """On every path, `starts` says whose the marks are, and whose turn it is."""
    played = golden.PUBLISHED_GAME[:count]
    mover = referee.opponent(side) if count % 2 == 0 else side
    fields: dict[str, Any] = EMPTY | {"starts": side, "played": played}
    position = post(fields).get_json()["position"]
    assert position["board"][played[-1]] == mover
    assert position["starts"] == side
    assert position["to_move"] == referee.opponent(mover)
    reviewed = post(fields, "/game-review").get_json()
    assert (reviewed["position"], reviewed["moves"][-1]["player"]) == (position, mover)
    fields["played"] = ",".join(map(str, played))
    check_paths_with_queries_only(client, fields, position)


def check_paths_with_queries_only(
    client: FlaskClient, fields: dict[str, Any], position: dict[str, Any]
) -> None:
    """Assert that a tree starts at a position, and that a picture shows it."""
    tree = client.get("/search-tree", query_string=fields).get_json()
    assert tree["maximizer"] == position["to_move"]
    assert tree["tree"]["board"] == position["board"]
    picture = client.get("/board.svg", query_string=fields)
    assert picture.data == client.get(f"/board.svg?board={position['board']}").data


def test_the_starting_side_is_inferred_or_checked(post: Post) -> None:
    """On every legal board, X started unless the marks show that only O can have started.

    A side that cannot have started gets an error.
    """
    starters: dict[str, set[str]] = {}
    for board, to_move in referee.reachable():
        starters.setdefault(board, set()).add(referee.starter(board, to_move))
    for board, possible in sorted(starters.items())[::7]:
        assert post({"board": board}).get_json()["position"]["starts"] == max(possible)
        for side in {"X", "O"} - possible:
            found = problem(post({"board": board, "starts": side}), 422, "illegal_position")
            assert [each["code"] for each in found["errors"]] == ["wrong_starting_side"]
