"""What models mean is done or written out, and each error leads even a weak model to a legal call."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from best_move.web.chatbots import corrections, moves
from tests.referee import is_over, opponent, play, reachable
from tests.referee import moves as legal_moves
from tests.web.chatbots.habits import CONTRADICTIONS, HABITS, Call, distorted
from tests.web.chatbots.messages import Json, called
from tests.web.chatbots.verdicts import advice, verdict

X, O = "X", "O"  # noqa: E741, the mark
NUMBERING = "Cells are numbered row by row: 0 1 2 / 3 4 5 / 6 7 8."


@given(st.randoms(use_true_random=False), st.sampled_from([*HABITS]), st.integers(0, 3))
def test_a_distorted_call_never_becomes_another_call(
    random: Random, habit: str, changes: int
) -> None:
    """The call that is meant is done or written out, or the error has no call, but says how cells are numbered."""
    call, sent = distorted(habit, random, changes)
    found, text = verdict(call, sent, habit)
    assert found in ("done", "written", "open"), (call, sent, text)


@given(st.randoms(use_true_random=False), st.sampled_from([*CONTRADICTIONS]), st.integers(0, 3))
def test_a_contradiction_is_never_answered(random: Random, habit: str, changes: int) -> None:
    """The error has no call, but says how cells are numbered, and names nothing that was not sent."""
    call, sent = distorted(habit, random, changes)
    found, text = verdict(call, sent, habit)
    assert found == "open", (call, sent, text)


def test_most_distorted_calls_end_right() -> None:
    """At least 85% of the calls, all habits in equal parts, are done or written out as they are meant."""
    random = Random(2)  # noqa: S311, the same calls in each run
    found = Counter(verdict(*distorted(habit, random, 0), habit)[0] for habit in [*HABITS] * 8)
    assert found["done"] + found["written"] >= 0.85 * found.total(), found


#  What a weak model sends, its side, the starter, and what it sends after the error. A user's move that it forgot is 8.
TRANSCRIPTS: dict[str, tuple[Json, str, str, Json]] = {
    "the user's side": ({"played": [0], "you": X}, O, X, {"played": [0], "you": O}),
    "the user's side, if O started": (
        {"played": [0], "starts": O, "you": O},
        *(X, O),
        {"played": [0], "starts": O, "you": X},
    ),
    "a forgotten starter": (
        {"played": [0, 4], "you": O},
        O,
        O,
        {"played": [0, 4], "you": O, "starts": O},
    ),
    "a forgotten starter before the first move": (
        {"played": [], "you": O},
        O,
        O,
        {"played": [], "you": O, "starts": O},
    ),
    "a forgotten move": ({"played": [0, 4], "you": O}, O, X, {"played": [0, 4, 8], "you": O}),
    "the first move, forgotten": ({"played": [], "you": O}, O, X, {"played": [8], "you": O}),
    "the wrong side at the start": ({"played": [], "you": O}, X, X, {"played": [], "you": X}),
    "a board without starter": (
        {"board": "X...O....", "you": O},
        *(O, O),
        {"played": [4, 0], "you": O, "starts": O},
    ),
    "numbers from 1": ({"played": [1, 5, 9]}, O, X, {"played": [0, 4, 8]}),
    "no board": ({"board": "........."}, X, X, {"played": []}),
}


@pytest.mark.parametrize(
    ("sent", "side", "starts", "expected"), TRANSCRIPTS.values(), ids=TRANSCRIPTS
)
def test_a_weak_model_sends_the_right_call_after_one_error(
    sent: Json, side: str, starts: str, expected: Json
) -> None:
    """The advice whose condition is true leads to the expected call, which is legal."""
    error = called("best_move", **sent)
    assert error["isError"]
    text = error["content"][0]["text"]
    habit = "counted from 1" if 9 in (sent.get("played") or ()) else ""
    followed = advice(text, Call("best_move", tuple(expected["played"]), starts, side), habit)
    if followed == "append":
        assert "8" in text.partition("Free cells:")[2]
        followed = sent | {"played": [*sent["played"], 8]}
    assert followed == expected, text
    assert not called("best_move", **expected).get("isError")


ILLEGAL: dict[str, tuple[list[int], str]] = {
    "a cell that is taken": (
        [4, 4],
        "Move 2 plays cell 4, but X took it at move 1. Free cells: 0, 1, 2, 3, 5, 6, 7, 8.",
    ),
    "a move after the end": (
        [0, 3, 1, 4, 2, 8],
        "The game was over before move 6: X had won. Remove move 6 and any later ones.",
    ),
    "a board of numbers": (
        [1, 0, 2, 0, 1, 0, 0, 0, 0],
        f"`played` must list the moves of a game, in order. {NUMBERING}",
    ),
}


@pytest.mark.parametrize(("played", "text"), ILLEGAL.values(), ids=ILLEGAL)
@pytest.mark.parametrize("name", ["played", "moves"])
def test_the_error_for_illegal_moves_names_the_first(
    name: str, played: list[int], text: str
) -> None:
    """By any name, the error says what is wrong with the first illegal move, and what to do."""
    assert called("best_move", **{name: played})["content"][0]["text"] == text


def test_the_list_written_out_for_a_finished_board_leads_to_it() -> None:
    """For every board of a finished game, the moves written out are legal in their order and lead to the board."""
    for board in sorted({board for board, _ in reachable() if is_over(board)}):
        text = called("best_move", board=board)["content"][0]["text"]
        game = json.loads(text.partition("If this is the game so far, send ")[2].removesuffix("."))
        after, mark = ".........", game.get("starts", X)
        for cell in game["played"]:
            assert cell in legal_moves(after), (board, game)
            after, mark = play(after, mark, cell), opponent(mark)
        assert after == board


UNCLEAR: dict[str, Json] = {
    "words": {"played": "hello"},
    "a board that is impossible": {"board": "XXXXX...."},
    "nothing": {},
    "a list by no name": {"input": [0, 4]},
    "a number that is no cell": {"played": [0, 4, 12]},
    "a negative number": {"played": "0, -4"},
    "a numbered list": {"played": "1. 4\n2. 0"},
    "moves with their numbers": {"played": [{"move": 1, "cell": 0}, {"move": 2, "cell": 1}]},
    "rows and columns, from 0 or from 1": {"played": [[1, 1], [2, 2]]},
    "numbers and names that contradict each other": {"played": ["4, the top side"]},
    "two boards": {"board": "X........", "state": "O........"},
    "a board that contradicts the list": {"played": [0, 4], "board": "X...O...X"},
    "two moves beside the list": {"played": [0, 4], "move": 8, "cell": 7},
    "sides that contradict the starter": {"played": ["O0", "X4"], "starts": X},
    "coordinates": {"x": 0, "y": 1},
    "an object": {"played": {"X": [0], "z": [4]}},
}


@pytest.mark.parametrize("sent", UNCLEAR.values(), ids=UNCLEAR)
def test_the_error_for_an_unclear_game_has_no_call(sent: Json) -> None:
    """If it is unclear which moves are meant, the error says how cells are numbered, and has no list to copy."""
    text = called("best_move", **sent)["content"][0]["text"]
    assert text.endswith(NUMBERING)
    assert "If " not in text


def test_a_board_is_not_judged() -> None:
    """For a board, whose last move is unknown, `judge_move` has no call; with the last move, it is written out."""
    assert called("judge_move", board="X...O...X")["content"][0]["text"].endswith(NUMBERING)
    text = called("judge_move", board="X...O...X", move=0, level="easy", turn="O")["content"][0][
        "text"
    ]
    assert text.endswith('If this is the game so far, send {"played": [8, 4, 0]}.')


def test_an_error_reports_one_item_and_one_name() -> None:
    """Of several items that are not cells, and of several unknown names, only the first is reported."""
    text = called("best_move", played=["X", *["?"] * 8], you="me", move="?", cell="?")["content"][
        0
    ]["text"]
    assert text == (
        'Move 1 in `played` must be an integer from 0 to 8, not "X". `you` must be "X" or "O", not "me". Or omit it. '
        "`move` is not an argument of this tool. The arguments are played, starts, you, difficulty. "
        f"{NUMBERING}"
    )


@pytest.mark.parametrize(
    "value",
    [[0] * 900, ["X"] * 900, "0," * 900 + "0", "0;" * 20_000, " " * 60_000, [[["X"] * 900]]],
)
def test_the_error_for_a_long_value_is_short(value: Any) -> None:
    """However long a value is, the error has fewer than 400 characters."""
    for name in ("played", "moves", "board"):
        assert len(called("best_move", **{name: value})["content"][0]["text"]) < 400


def hostile() -> Iterator[Json]:
    """Yield arguments that are hard to understand, of up to 16 KiB, as a message over HTTP may have."""
    names = [f"{first}{second}" for first in ("mov", "strat", "zz", "_") for second in range(240)]
    yield dict.fromkeys(names, "X")
    yield {"played": [0]} | dict.fromkeys(names, 1)
    yield {name: {"a": {"b": [1]}} for name in names}
    yield {
        name: json.dumps({"move": json.dumps({"cell": number})})
        for number, name in enumerate(names)
    }
    games = [
        f"{first}{name}"
        for first in ("", "game_", "all_", "past_")
        for name in ("moves", "cells", "board", "grid")
    ]
    yield {name: ["X at the top left corner"] * 18 for name in games}
    yield {"played": [dict.fromkeys(names[:50], 1)] * 18}
    yield {"played": [["X"] * 50] * 18}


def test_the_work_for_a_call_is_limited() -> None:
    """However much is sent, few names are compared by similarity, and few moves, texts and objects are read."""
    counts: Counter[str] = Counter()

    def counted(module: Any, name: str) -> Any:
        function: Callable[..., Any] = getattr(module, name)

        def count(*arguments: Any, **options: Any) -> Any:
            counts[name] += 1
            return function(*arguments, **options)

        return patch.object(module, name, count)

    for sent in hostile():
        counts.clear()
        with (
            counted(corrections, "nearest"),
            counted(moves, "_move"),
            counted(corrections, "decoded"),
        ):
            assert called("best_move", **sent)
        assert counts["nearest"] <= 24
        assert counts["_move"] <= 8 * 18
        assert counts["decoded"] <= 8 * 24
