"""Player reviews over HTTP: rounds, the verdict of the `player` module, and the errors of invalid entries."""

import re
from dataclasses import asdict
from typing import Any
from urllib.parse import unquote

import pytest
from flask.testing import FlaskClient

from best_move.engine.position import Mark
from best_move.web.api.requests import InvalidMovesError, PlayerReviewRequest
from tests import golden, referee
from tests.players import SIDES, Walk, perfect, random_player, review_of
from tests.web.conftest import Count, Post, problem

PATH = "/player-review"


@pytest.mark.parametrize("side", SIDES)
def test_a_player_is_reviewed_in_rounds(post: Post, side: Mark) -> None:
    """A client that sends moves for the boards in each response gets the verdict with the fifth or sixth request."""
    moves: dict[str, int] = {}
    requests = 0
    while not (found := post({"side": side, "moves": moves}, PATH).get_json())["complete"]:
        assert found["review"] is None
        assert found["boards"]
        moves |= {board: perfect()[board] for board in found["boards"]}
        requests += 1
    assert (requests, len(moves)) == ({"X": 5, "O": 4}[side], golden.MET_BY_PERFECT[side])
    assert found["boards"] == []
    assert (found["review"]["unbeatable"], found["review"]["lost_game"]) == (True, None)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("seed", range(5))
def test_a_complete_table_gets_the_verdict_in_one_request(post: Post, seed: int, side: Mark) -> None:
    """A random player's moves in one request get the `player` module's verdict and a game that the player loses."""
    moves = random_player(seed)
    met = {board: moves[board] for board in Walk(side, moves).met}
    response = post({"side": side, "moves": met}, PATH)
    assert response.headers["Cache-Control"] == "no-store"
    verdict = response.get_json()["review"]
    expected = asdict(review_of(side, moves))
    assert verdict == expected | {
        "lost_game": [*expected["lost_game"]],
        "mistakes": [mistake | {"best_moves": [*mistake["best_moves"]]} for mistake in expected["mistakes"]],
    }
    board, mark = "." * 9, "X"
    for cell in verdict["lost_game"]:
        assert cell in referee.moves(board)
        board, mark = referee.play(board, mark, cell), referee.opponent(mark)
    assert referee.has_won(board, referee.opponent(side))


def test_boards_that_the_player_never_meets_are_ignored(post: Post) -> None:
    """Moves on boards that the player does not meet are ignored, and 4.0 is accepted as cell 4."""
    known = {".........": 4, "O...X....": 2}
    response = post({"side": "X", "moves": known}, PATH).get_json()
    assert response == post({"side": "X", "moves": known | {".........": 4.0, "X...O....": 8}}, PATH).get_json()
    assert set(response["boards"]).isdisjoint({*known, "X...O...."})


def error_of(side: Mark, board: str, cell: int) -> str | None:
    """Return a part of the error for a player's move, by the rules of the game; None if the move is legal."""
    free = referee.moves(board)
    if referee.reachable().isdisjoint({(board, "X"), (board, "O")}):
        return ""
    if board.count("X") - board.count("O") != (side == "O"):
        return f"It is not {side}'s turn: "
    if not free:
        return "The game is over."
    return None if cell in free else f" Free cells: {', '.join(map(str, free))}."


@pytest.mark.parametrize("side", SIDES)
def test_every_illegal_move_has_an_error(side: Mark) -> None:
    """On every board, possible or not, all but the legal moves of a player have an error that names the rule."""
    moves = {board: index // 7 % 9 for index, board in enumerate(referee.all_boards())}
    with pytest.raises(InvalidMovesError) as raised:
        PlayerReviewRequest(side=side, moves=moves).checked_moves()
    errors = {error["pointer"].removeprefix("#/moves/"): error["detail"] for error in raised.value.errors}
    for board, cell in moves.items():
        error = error_of(side, board, cell)
        assert (error is None) == (board not in errors), board
        assert (error or "") in errors.get(board, "")


ILLEGAL = {
    "OO.......": (2, "mark_counts"),
    "X........": (4, "wrong_side_to_move"),
    "X...O....": (4, "cell_taken"),
    "OOOXX.X..": (5, "played_after_end"),
}
INVALID = {
    "X.......O": (9, "wrong_value"),
    "X......O.": (-1, "wrong_value"),
    "X.....O..": ("4", "wrong_type"),
    "X....O...": (None, "wrong_type"),
    "X..O.....": (True, "wrong_type"),
    "XX.......": ({}, "wrong_type"),
    "X.O.....": (4, "wrong_length"),
    "X/~....O.": (4, "wrong_character"),
    "xo.......": (4, "wrong_character"),
    "X _^%22Oé": (4, "wrong_character"),
}


def pointed_at(value: Any, pointer: str) -> Any:
    """Return the value at a JSON Pointer in the fragment of a URI (RFC 6901)."""
    assert re.fullmatch(r"#[\w!$%&'()*+,./:;=?@~-]*", pointer, re.ASCII), "characters of a fragment"
    for part in unquote(pointer).split("/")[1:]:
        value = value[part.replace("~1", "/").replace("~0", "~")]
    return value


@pytest.mark.parametrize(
    ("entries", "status", "code"),
    [
        (ILLEGAL, 422, "illegal_position"),
        (INVALID, 400, "invalid_request"),
        (INVALID | ILLEGAL, 400, "invalid_request"),
    ],
    ids=["illegal", "invalid", "both"],
)
def test_all_invalid_entries_are_reported_together(
    post: Post, entries: dict[str, tuple[Any, str]], status: int, code: str
) -> None:
    """Each invalid entry has an error with its cause and a pointer; a valid entry has no error."""
    moves = {"XO.......": 4} | {board: cell for board, (cell, _) in entries.items()}
    found = problem(post({"side": "X", "moves": moves}, PATH), status, code)
    body = {"moves": moves}
    assert len(found["errors"]) == len(entries)
    for error, (board, (cell, cause)) in zip(found["errors"], entries.items(), strict=True):
        assert error["code"] == cause
        assert f"`{board}`" in error["detail"]
        assert error["detail"] in found["detail"]
        assert pointed_at(body, error["pointer"]) == cell


def test_the_first_twenty_invalid_entries_are_described(post: Post) -> None:
    """The response describes twenty errors and only counts the others."""
    moves = dict.fromkeys(list(Walk("X", perfect()).met)[:25], 9)
    found = problem(post({"side": "X", "moves": moves}, PATH), 400, "invalid_request")
    assert len(found["errors"]) == 20
    assert found["detail"].endswith(" And 5 more.")


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"moves": {}}, "#/side"),
        ({"side": "X"}, "#/moves"),
        ({"side": "x", "moves": {}}, "#/side"),
        ({"side": "X", "moves": [0]}, "#/moves"),
        ({"side": "X", "moves": None}, "#/moves"),
        ({"side": "X", "moves": {}, "board": "........."}, "#/board"),
    ],
    ids=["no side", "no moves", "no mark", "an array", "null", "unknown"],
)
def test_a_player_review_that_does_not_match_the_schema_is_rejected(
    post: Post, body: dict[str, Any], pointer: str
) -> None:
    """The 400 points to the missing, invalid or unknown field."""
    (error,) = problem(post(body, PATH), 400, "invalid_request")["errors"]
    assert error["pointer"] == pointer


def test_a_repeated_board_is_rejected(post: Post) -> None:
    """A repeated board gets a 400, because one of its moves would be ignored."""
    body = b'{"side": "X", "moves": {".........": 0, ".........": 4}}'
    (error,) = problem(post(body, PATH), 400, "invalid_request")["errors"]
    assert (error["code"], error["pointer"]) == ("repeated_field", "#/moves/.........")


def test_a_review_of_a_player_is_counted_as_a_request(client: FlaskClient, post: Post, count: Count) -> None:
    """The metrics count the request under its route, and no search with the default algorithm."""
    labels = {"route": PATH, "method": "POST", "status": "200"}
    before = count("best_move_requests_total", **labels), count("best_move_searches_total", algorithm="alphabeta")
    post({"side": "O", "moves": {}}, PATH)
    after = count("best_move_requests_total", **labels), count("best_move_searches_total", algorithm="alphabeta")
    assert after == (before[0] + 1, before[1])
    assert client.get(PATH).status_code == 405
