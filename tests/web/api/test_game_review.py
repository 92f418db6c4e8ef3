"""Game reviews over HTTP: the judgments, queries and bodies, caching, metrics and errors."""

import pytest
from flask.testing import FlaskClient

from best_move.engine.position import Position
from best_move.oracle import Game, review
from best_move.web.api.responses import CACHEABLE
from tests.web.conftest import Count, Post

GAME = "/game-review?board=.........&played=0,1,2,4"


@pytest.mark.parametrize("scoring", ["distance", "outcome"])
def test_a_review_has_the_judgments_of_the_oracle(
    client: FlaskClient, post: Post, scoring: str
) -> None:
    """A game in the query and a game in the body get the oracle's judgments."""
    fields = {"board": "XO.......", "starts": "X", "scoring": scoring}
    in_query = client.get("/game-review", query_string=fields | {"played": "8,4,2,5,3,6"})
    in_body = post(fields | {"played": [8, 4, 2, 5, 3, 6]}, "/game-review")
    assert in_query.get_json() == in_body.get_json()
    game = Game(Position.parse("XO......."), [8, 4, 2, 5, 3, 6], scoring)  # type: ignore[arg-type]
    expected = review(game)
    reviewed = in_query.get_json()
    assert reviewed["moves"] == [
        judged._asdict() | {"best_moves": list(judged.best_moves)} for judged in expected.moves
    ]
    assert reviewed["position"] == {
        "board": "XOXXOOO.X",
        "starts": "X",
        "to_move": "X",
        "status": "in_progress",
        "winning_line": [],
    }
    assert (reviewed["mistakes"], reviewed["first_mistake"]) == ({"X": 2, "O": 1}, 0)


def test_only_a_review_requested_in_the_query_is_cacheable(client: FlaskClient, post: Post) -> None:
    """The response to a query may be cached, and its ETag gets a 304; that to a body may not."""
    first = client.get(GAME)
    assert first.headers["Cache-Control"] == CACHEABLE
    assert client.get(GAME, headers={"If-None-Match": first.headers["ETag"]}).status_code == 304
    assert client.get(f"{GAME},3").headers["ETag"] != first.headers["ETag"]
    in_body = post({"board": ".........", "played": [0, 1, 2, 4]}, "/game-review")
    assert in_body.headers["Cache-Control"] == "no-store"
    assert "ETag" not in in_body.headers
    assert in_body.data == first.data


def test_the_searches_of_a_review_are_counted(client: FlaskClient, count: Count) -> None:
    """The metrics count a search per move with its nodes; Server-Timing has their total time."""
    names = ("best_move_searches_total", "best_move_nodes_total", "best_move_search_seconds_total")
    before = [count(name, algorithm="transposition_table") for name in names]
    response = client.get(GAME)
    searches, nodes, seconds = (
        count(name, algorithm="transposition_table") - b
        for name, b in zip(names, before, strict=True)
    )
    assert (searches, nodes) == (4, review(Game(Position.parse("........."), [0, 1, 2, 4])).nodes)
    assert response.headers["Server-Timing"] == f"search;dur={round(seconds * 1000, 3)}"
