"""Callers that take the texts on the API literally get every mark right through whole games."""

import re
from random import Random
from urllib.parse import parse_qsl, urlsplit

import pytest
from flask.testing import FlaskClient

from best_move.web.api.openapi import document
from best_move.web.api.requests import BestMovesRequest, PositionRequest
from tests.fuzzing import EXAMPLES
from tests.programs.openapi import BODIES, QUERIES
from tests.readme import block, rows
from tests.truth.turns import CALLERS, KINDS, Ask, Caller, Json, names_in_readme, play_games

GAMES = EXAMPLES // 10  # of each kind
CURL = block("A turn in one call", "sh").strip().removeprefix("curl ").strip("'")


@pytest.mark.parametrize("caller", CALLERS)
def test_every_mark_is_whose_it_was(ask: Ask, caller: type[Caller]) -> None:
    """By each way to send a turn, with either side, either starter and every level."""
    played = play_games(caller, ask, names_in_readme(), GAMES, Random(1))  # noqa: S311, a game
    assert played == GAMES * len(KINDS)


def test_all_texts_describe_the_same_turn() -> None:
    """The README, the OpenAPI document and the example of a turn in API.md name the same fields."""
    names = names_in_readme()
    named = re.findall(r"`(\w+)`", document()["info"]["description"])
    assert named == [*names.copied, names.source, names.played]
    assert [*dict(parse_qsl(urlsplit(CURL).query))] == [names.board, names.starts, names.played]
    fields = "`, `".join(names.copied).replace(", ", " and ")
    rule = f"send its `{fields}` next, with the user's move as `{names.played}`"
    described = document()["components"]["schemas"]["BestMove"]["properties"][names.source]
    (meaning,) = (row[-1] for row in rows("Response fields") if row[0] == f"`{names.source}`")
    assert rule in described["description"]
    assert rule in meaning


WITH_A_POSITION = [
    (method, path)
    for method, forms in (("GET", QUERIES), ("POST", BODIES))
    for path, form in forms.items()
    if issubclass(form, PositionRequest | BestMovesRequest)
]


@pytest.mark.parametrize(("method", "path"), WITH_A_POSITION)
def test_a_request_with_the_side_to_move_gets_an_error(
    client: FlaskClient, method: str, path: str
) -> None:
    """The error says from what it follows whose turn it is, also in a batch."""
    fields: Json = {"board": "X...O....", "to_move": "O", "played": [8]}
    if method == "GET":
        response = client.get(path, query_string={**fields, "played": "8"})
    else:
        body = {"requests": [fields]} if path == "/best-moves" else fields
        response = client.post(path, json=body)
    problem = response.get_json()
    assert response.status_code == 400
    assert [error["code"] for error in problem["errors"]] == ["unknown_field"]
    assert problem["detail"].endswith("Whose turn it is follows from the marks and `starts`.")
