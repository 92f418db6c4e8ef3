"""Request models: which requests are accepted, and what they mean."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from best_move.web.api.requests import BestMoveRequest
from tests.tables import table
from tests.truth import golden, referee
from tests.web.conftest import GOOD, Post, problem, timeless


@pytest.mark.parametrize(("digits", "code"), [(4000, "wrong_value"), (5000, "wrong_type")])
def test_a_number_with_too_many_digits_gets_a_400(
    client: FlaskClient, digits: int, code: str
) -> None:
    """A number that Python reads is out of range; one with more digits is no integer."""
    response = client.get(f"/best-move?board=X...O....&max_depth={'9' * digits}")
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
