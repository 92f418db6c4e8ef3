"""Game reviews over HTTP: the judgments, queries and bodies, and caching."""

import json
from dataclasses import asdict

import pytest
from flask.testing import FlaskClient

from best_move.engine.position import Position
from best_move.oracle import Game, review
from best_move.web.api.responses import FOR_A_DAY
from tests.web.conftest import Post

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
    judgments = [asdict(judged) for judged in review(game).moves]
    reviewed = in_query.get_json()
    assert reviewed["moves"] == json.loads(json.dumps(judgments))
    assert (reviewed["mistakes"], reviewed["first_mistake"]) == ({"X": 2, "O": 1}, 0)


def test_only_a_review_requested_in_the_query_is_cacheable(client: FlaskClient, post: Post) -> None:
    """The response to a query may be cached, and its ETag gets a 304; that to a body may not."""
    first = client.get(GAME)
    assert first.headers["Cache-Control"] == FOR_A_DAY
    assert client.get(GAME, headers={"If-None-Match": first.headers["ETag"]}).status_code == 304
    assert client.get(f"{GAME},3").headers["ETag"] != first.headers["ETag"]
    in_body = post({"board": ".........", "played": [0, 1, 2, 4]}, "/game-review")
    assert in_body.headers["Cache-Control"] == "no-store"
    assert "ETag" not in in_body.headers
    assert in_body.data == first.data
