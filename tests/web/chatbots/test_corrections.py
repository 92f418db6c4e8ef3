"""Error texts for models: each one leads even a weak model back to a legal call."""

import json
import re
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.referee import is_over, moves, opponent, play, reachable
from tests.web.chatbots.messages import Json, called

X, O = "X", "O"  # noqa: E741, the mark

#  The call of a weak model, the side that it plays, and the call that the error text leads to. A user's move that the
#  model forgot is always 8.
TRANSCRIPTS: dict[str, tuple[Json, str, Json]] = {
    "a cell that is taken": ({"played": [4, 4]}, X, {"played": [4, 0]}),
    "a cell that the user took": ({"played": [0, 4, 8, 0], "you": X}, X, {"played": [0, 4, 8, 1], "you": X}),
    "a cell that is off the board": ({"played": [0, 4, 9]}, O, {"played": [0, 4, 1]}),
    "cells counted from 1": ({"played": [1, 5, 9]}, O, {"played": [0, 4, 8]}),
    "the user's side": ({"played": [0], "you": X}, O, {"played": [0], "you": O}),
    "the user's side in lower case": ({"played": [0, 4, 8], "you": "x"}, O, {"played": [0, 4, 8], "you": O}),
    "the user's side, if O started": (
        {"played": [0], "starts": O, "you": O},
        X,
        {"played": [0], "starts": O, "you": X},
    ),
    "a forgotten move": ({"played": [0, 4], "you": O}, O, {"played": [0, 4, 8], "you": O}),
    "the first move, forgotten": ({"played": [], "you": O}, O, {"played": [8], "you": O}),
    "the wrong side at the start": ({"played": [], "you": O}, X, {"played": [], "you": X}),
    "a move after the end": ({"played": [0, 3, 1, 4, 2, 8]}, X, {"played": [0, 3, 1, 4, 2]}),
    "nothing": ({}, X, {"played": []}),
    "nulls everywhere": ({"played": None, "starts": None, "you": None, "difficulty": None}, X, {"played": []}),
    "null for a cell": ({"played": [0, None]}, O, {"played": [0]}),
    "null for the only cell": ({"played": [None]}, O, {"played": []}),
    "a move beside the list": ({"played": [0], "move": 4}, X, {"played": [0, 4]}),
    "a cell beside the list": ({"played": [0], "cell": "4"}, X, {"played": [0, 4]}),
    "a cell alone": ({"cell": 4}, O, {"played": [4]}),
    "the list by another name": ({"moves": [0, 4], "turn": X}, X, {"played": [0, 4], "you": X}),
    "the list by another name, with a taken cell": ({"moves": [4, 4]}, X, {"played": [4, 0]}),
    "another case": ({"Played": [0]}, O, {"played": [0]}),
    "an argument that is unknown": ({"played": [4], "depth": 9}, O, {"played": [4]}),
    "a level that is unknown": ({"played": [4], "difficulty": "hell"}, O, {"played": [4], "difficulty": "perfect"}),
    "a side that is unknown": ({"played": [4], "you": "user"}, O, {"played": [4], "you": O}),
    "a board": ({"board": "X...O...."}, X, {"played": [0, 4]}),
    "a board in rows, as results have it": ({"board": "X 1 2\n3 O 5\n6 7 8"}, X, {"played": [0, 4]}),
    "a board of cells": ({"board": ["X", *[""] * 3, "O", *[None] * 4]}, X, {"played": [0, 4]}),
    "a board of rows": ({"played": [["X", "", ""], ["", "O", ""], ["", "", ""]]}, X, {"played": [0, 4]}),
}


def obey(text: str, sent: Json, side: str) -> Json:
    """Return the next call of a model that copies the arguments in the error text and plays the first free cell."""

    def matched(pattern: str) -> tuple[str, ...]:
        found = re.search(pattern, text)
        return found.groups() if found else ()

    if written := matched(rf"If you play {side}, send ({{.*?}})") or matched(
        r"If this is the game so far, send ({.*?})"
    ):
        call: Json = json.loads(written[0])
        return call
    free = json.loads("[" + "".join(matched(r"[Ff]ree cells(?: are|:) ([0-8, ]+)\.")) + "]")
    moves = sent.get("played") or sent.get("moves") or []
    if matched(rf"If you play {side}, (the user's move is missing: append it)"):
        assert 8 in free
        return sent | {"played": [*moves, 8]}
    if number := matched(r"Move (\d) plays cell \d, but"):
        you = {"you": side} if "you" in sent else {}
        return {"played": [*moves[: int(number[0]) - 1], free[0]], **you}
    if legal := matched(r"After (\[.*?\]) the free cells are"):
        return {"played": [*json.loads(legal[0]), free[0]]}
    if number := matched(r"Remove move (\d) and any later ones"):
        return {"played": moves[: int(number[0]) - 1]}
    name, *words = matched(r'`(\w+)` must be "(\w+)"(?:,| or) "(\w+)"')
    return sent | {name: side if side in words else words[0]}


@pytest.mark.parametrize(("sent", "side", "expected"), TRANSCRIPTS.values(), ids=TRANSCRIPTS)
def test_a_weak_model_sends_a_legal_call_after_one_error(sent: Json, side: str, expected: Json) -> None:
    """The error text leads to the expected call, whose result is a move or the end of the intended game."""
    error = called("best_move", **sent)
    assert error["isError"]
    text = error["content"][0]["text"]
    call = obey(text, sent, side)
    assert call == expected, text
    fields = called("best_move", **call)["structuredContent"]
    board, mark = ".........", call.get("starts", X)
    for cell in call["played"] + ([] if fields["move"] is None else [fields["move"]]):
        board, mark = play(board, mark, cell), opponent(mark)
    assert re.sub("[0-8]", ".", fields["board"].replace(" ", "").replace("\n", "")) == board


def test_the_list_written_out_for_a_finished_board_leads_to_it() -> None:
    """For every board of a finished game, the moves written out are legal in their order and lead to the board."""
    for board in sorted({board for board, _ in reachable() if is_over(board)}):
        text = called("judge_move", board=board)["content"][0]["text"]
        game = json.loads(text.partition("If this is the game so far, send ")[2].removesuffix("."))
        after, mark = ".........", game.get("starts", X)
        for cell in game["played"]:
            assert cell in moves(after), (board, game)
            after, mark = play(after, mark, cell), opponent(mark)
        assert after == board


@given(st.randoms(use_true_random=False), st.sampled_from([{}, {"difficulty": "godlike"}, {"you": "me"}]))
def test_the_error_for_an_unclear_move_lists_the_free_cells(random: Random, more: Json) -> None:
    """Beside any other error, the error lists the cells free after the legal moves, or none if the game is over."""
    played: list[int] = []
    board, mark = ".........", X
    for _ in range(random.randint(1, 7)):
        if not is_over(board):
            played.append(random.choice(moves(board)))
            board, mark = play(board, mark, played[-1]), opponent(mark)
    text = called("best_move", played=[*played, "x"], **more)["content"][0]["text"]
    free = ", ".join(map(str, moves(board)))
    found = re.findall("After .* the free cells are.*", text)
    assert found == ([f"After {played} the free cells are {free}."] if free else [])


UNCLEAR: dict[str, Json] = {
    "words": {"played": "hello"},
    "squares of chess": {"played": ["b2"]},
    "a board that is impossible": {"board": "XXXXX...."},
    "an object": {"played": {"cell": 4}},
    "a level": {"played": [4], "difficulty": "hell"},
}


@pytest.mark.parametrize("sent", UNCLEAR.values(), ids=UNCLEAR)
def test_the_error_for_an_ambiguous_game_suggests_no_moves(sent: Json) -> None:
    """If it is unclear which moves are meant, the error has no list of moves to copy."""
    text = called("best_move", **sent)["content"][0]["text"]
    assert "If this is the game" not in text
    assert "After" not in text


def test_only_the_first_error_in_a_list_is_reported() -> None:
    """Of nine cells that are not numbers only the first is reported, along with the errors of other arguments."""
    text = called("best_move", played=["X", *["?"] * 8], you="me")["content"][0]["text"]
    assert text == ('Move 1 in `played` must be an integer from 0 to 8, not "X". `you` must be "X" or "O", not "me".')


@pytest.mark.parametrize("value", [[0] * 20_000, ["X"] * 20_000, "0," * 20_000 + "0", " " * 60_000, [[["X"] * 10_000]]])
def test_the_error_for_a_long_value_is_short(value: Any) -> None:
    """However long a value is, the error has fewer than 400 characters."""
    for name in ("played", "moves", "board"):
        assert len(called("best_move", **{name: value})["content"][0]["text"]) < 400


def test_a_correction_lists_only_the_arguments_of_the_tool() -> None:
    """The error says which arguments of this tool to send."""
    text = called("judge_move", level="easy", turn="X", board="X...O....")["content"][0]["text"]
    assert text.endswith('If this is the game so far, send {"played": [0, 4]}.')
