"""Player reviews over HTTP: rounds, the verdict of the `player` module, and errors of entries."""

import json
from dataclasses import asdict
from typing import Any

import pytest

from best_move.engine.position import Mark
from best_move.web.api.handling import MAX_BYTES, MAX_MESSAGE_BYTES, MAX_PLAYER_BYTES
from tests.truth import golden
from tests.truth.players import SIDES, boards, own, perfect, random_player, review_of
from tests.web.conftest import Post, problem

PATH = "/player-review"


@pytest.mark.parametrize("side", SIDES)
def test_a_player_is_reviewed_in_rounds(post: Post, side: Mark) -> None:
    """A client that sends moves for the boards of each response gets the verdict in rounds."""
    moves: dict[str, int] = {}
    requests = 0
    found = post({"side": side}, PATH).get_json()
    while not found["complete"]:
        assert found["review"] is None
        assert found["boards"]
        moves |= {board: perfect()[board] for board in found["boards"]}
        requests += 1
        found = post({"side": side, "moves": moves}, PATH).get_json()
    assert requests == {"X": 5, "O": 4}[side]
    assert len(moves) == golden.MET_BY_PERFECT[side]
    assert found["boards"] == []
    assert (found["review"]["unbeatable"], found["review"]["lost_game"]) == (True, None)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("seed", range(5))
def test_a_complete_table_gets_the_verdict_in_one_request(
    post: Post, seed: int, side: Mark
) -> None:
    """A random player's moves in one request get the verdict of the library."""
    moves = own(side, random_player(seed))
    response = post({"side": side, "moves": moves}, PATH)
    assert response.headers["Cache-Control"] == "no-store"
    assert response.get_json()["review"] == json.loads(json.dumps(asdict(review_of(side, moves))))


@pytest.mark.parametrize("body", [{}, {"moves": {}}, {"moves": None, "frequencies": None}], ids=str)
def test_a_review_may_begin_without_moves(post: Post, body: dict[str, Any]) -> None:
    """A client that knows no board gets the first one."""
    assert post({"side": "X"} | body, PATH).get_json() == {
        "complete": False,
        "boards": ["........."],
        "review": None,
    }


@pytest.mark.parametrize("side", SIDES)
def test_the_largest_player_fits_into_a_request(post: Post, side: Mark) -> None:
    """Frequencies with all digits of a float on every board are accepted."""
    frequencies = {
        board: [1.2345678901234567e-05 if mark == "." else 0.0 for mark in board]
        for board in own(side, boards())
    }
    body = json.dumps({"side": side, "frequencies": frequencies}).encode()
    assert 0.8 * MAX_PLAYER_BYTES < len(body) < MAX_PLAYER_BYTES
    review = post(body, PATH).get_json()["review"]
    highest = {"X": 887 / 945, "O": 191 / 192}[side]  # published chances to beat random moves
    assert review["worst_loss"] == pytest.approx(highest, abs=1e-9)
    assert len(review["mistakes"]) == len(review_of(side, {}, frequencies).mistakes)


@pytest.mark.parametrize(
    ("path", "limit", "body"),
    [
        (PATH, MAX_PLAYER_BYTES, b'{"side": "X"}'),
        ("/best-moves", MAX_BYTES, b'{"requests": [{"board": "........."}]}'),
        ("/game-review", MAX_BYTES, b'{"board": ".........", "played": [4]}'),
        ("/mcp", MAX_MESSAGE_BYTES, b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}'),
    ],
)
def test_the_limit_of_a_body_depends_on_its_path(
    post: Post, path: str, limit: int, body: bytes
) -> None:
    """A player may have 320 KiB, a chat message 16, other bodies 64; the 413 names the limit."""
    assert post(body.ljust(limit), path).status_code == 200
    assert str(limit) in problem(post(body.ljust(limit + 1), path), 413, "body_too_large")["detail"]


def test_a_whole_number_with_a_point_is_a_cell(post: Post) -> None:
    """4.0 is cell 4, as in JSON Schema."""
    whole, point = (post({"side": "X", "moves": {"." * 9: cell}}, PATH) for cell in (4, 4.0))
    assert whole.data == point.data


@pytest.mark.parametrize(("wrong", "end"), [(20, "9."), (25, "5.")])
def test_the_first_twenty_invalid_entries_are_described(post: Post, wrong: int, end: str) -> None:
    """The response describes twenty errors and only counts the others, if there are any."""
    moves = dict.fromkeys([*own("X", perfect())][:wrong], 9)
    found = problem(post({"side": "X", "moves": moves}, PATH), 400, "invalid_request")
    assert len(found["errors"]) == 20
    assert found["detail"].endswith(end)
