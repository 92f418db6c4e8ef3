"""No call of a model becomes another call, and each error leads to the call that is meant."""

import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import jsonschema  # type: ignore[import-untyped]  # it ships no types
import pytest

from best_move.web.chatbots.tools import TOOLS
from tests.truth.referee import is_over, moves, opponent, play
from tests.web.chatbots.calls import ARGUMENTS, Call, Sent, any_call, any_name, any_sent
from tests.web.chatbots.messages import Json, called

CALLS = 1_500
NUMBERING = "Cells are numbered row by row: 0 1 2 / 3 4 5 / 6 7 8."
FORM = 'For example, the game X center, O top-left, X bottom-right is {"played": [4, 0, 8]}.'
VALIDATORS = {
    name: jsonschema.Draft202012Validator(tool.definition["inputSchema"])
    for name, tool in TOOLS.items()
}


def test_no_call_becomes_another_call() -> None:
    """A call is answered only with the game that it means; else the error shows how to send it."""
    random = Random(1)  # noqa: S311, the same calls in each run
    found = Counter(verdict(any_sent(random)) for _ in range(CALLS))
    assert min(found["answered"], found["rejected"]) > CALLS / 20, found


def verdict(sent: Sent) -> str:
    """Return whether a call is answered or rejected; assert that the result is right."""
    result = called(sent.call.tool, **sent.arguments)
    if result.get("isError"):
        assert not sent.is_right, sent
        check_error(sent, result["content"][0]["text"])
        return "rejected"
    check_answer(sent, result["structuredContent"])
    return "answered"


def check_answer(sent: Sent, fields: Json) -> None:
    """Assert that the answer is about the game that is meant, and judges the right move."""
    call = sent.call
    played = fields["played"]
    if call.tool == "best_move" and fields["move"] is not None:
        played = played[:-1]
    assert played == [*call.played], sent
    assert fields["starts"] == call.starts, sent
    if call.tool == "judge_move":
        player = call.player or opponent(call.to_move)
        made = [cell for side, cell in call.moves if side == player]
        assert (fields["player"], fields["move"]) == (player, made[-1]), sent


def check_error(sent: Sent, text: str) -> None:
    """Assert that an error names an argument, and shows the numbering and legal calls to send."""
    tool = sent.call.tool
    examples = examples_in(text)
    assert re.search("`[^`]+`", text), (sent, text)
    assert text.endswith(NUMBERING), (sent, text)
    assert examples, (sent, text)
    readable = game_in(sent.arguments, tool)
    possible = [readable]
    if readable is None:
        objects = [value for value in sent.arguments.values() if isinstance(value, dict)]
        possible = [game_in(value, tool) for value in objects]
    for example in examples:
        VALIDATORS[tool].validate(example)
        assert example.keys() <= ARGUMENTS
        assert not called(tool, **example).get("isError"), (sent, text)
        is_only_the_form = readable is None and FORM in text
        assert is_only_the_form or example["played"] in possible, (sent, text)


def examples_in(text: str) -> list[Json]:
    """Return the calls that an error writes out."""
    return [json.loads(call) for call in re.findall(r"(?:send|is) (\{.*?\})\.(?= |$)", text)]


def game_in(arguments: Json, tool: str) -> list[int] | None:
    """Return the list of moves among arguments; None if it is missing or not a legal game."""
    played: Any = arguments.get("played")
    if isinstance(played, str):
        try:
            played = json.loads(played)
        except ValueError:
            return None
    if not isinstance(played, list) or not is_game(played):
        return None
    return None if tool == "judge_move" and not played else played


def is_game(played: list[Any]) -> bool:
    """Return whether a list has the moves of a legal game that X starts."""
    board = "." * 9
    side = "X"
    for cell in played:
        if type(cell) not in (int, float) or cell not in moves(board):
            return False
        board = play(board, side, int(cell))
        side = opponent(side)
    return True


def beside(call: Call) -> Json:
    """Return arguments whose last move has another name."""
    return replace(call, played=call.played[:-1]).sent() | {"their_move": call.played[-1]}


#  What a model gets wrong -> what it sends instead of the call that it means.
MISTAKES: dict[str, Callable[[Call], Json]] = {
    "the starter is forgotten": lambda call: replace(call, starts="X").sent(),
    "the starter is unclear": lambda call: replace(call, you=None).sent() | {"starts": "second"},
    "the side is the user's": lambda call: replace(call, you=opponent(call.to_move)).sent(),
    "the level is unknown": lambda call: call.sent() | {"difficulty": "expert"},
    "the user's move is forgotten": lambda call: replace(call, played=call.played[:-1]).sent(),
    "the user's move is beside the list": beside,
    "the user's move is beside the list, without a side": lambda call: beside(
        replace(call, you=None)
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_model_that_takes_an_error_literally_sends_the_call_that_it_means(mistake: str) -> None:
    """The first call that is written out after a true condition is the one that is meant.

    If no condition is true, the error says what to change.
    """
    random = Random(2)  # noqa: S311, the same games in each run
    calls = [any_call(random) for _ in range(80)]
    calls = [call for call in calls if call.played and not is_over(call.board)]
    errors = 0
    for call in calls:
        meant = replace(call, tool="best_move", you=call.to_move, level=None, player=None)
        sent = MISTAKES[mistake](meant)
        if sent != meant.sent():
            result = called("best_move", **sent)
            assert result["isError"], sent
            again = follow(result["content"][0]["text"], sent, meant)
            assert again | {"you": meant.you} == meant.sent(), sent
            errors += 1
    assert errors > 10


def follow(text: str, sent: Json, call: Call) -> Json:
    """Return what a model sends that means a call and takes an error literally."""
    true = {
        f"{call.starts} starts",
        f"you play {call.you}",
        "your side is to move",
        "the level is perfect",
    }
    if sent["played"] == [*call.played]:
        true.add("`played` has all moves")
    for condition, written in re.findall(r"If ([^.{]*?), (?:send (\{.*?\})|the user's move)", text):
        if true.issuperset(condition.split(" and ")):
            if not written:
                break
            found: Json = json.loads(written)
            if found.get("starts") == "X":
                del found["starts"]
            return found
    if "must be" in text:
        assert '`starts` must be "X" or "O"' in text
        return sent | {"starts": call.starts}
    assert re.search("append (it|a move) to `played`", text, re.IGNORECASE)
    known = {name: value for name, value in sent.items() if name in ARGUMENTS}
    return known | {"played": [*call.played]}


def test_the_error_for_many_unknown_names_is_short() -> None:
    """However many names are unknown, the error describes at most 20 of them."""
    random = Random(3)  # noqa: S311, the same names in each run
    names = {f"{any_name(random)}{number}": number for number in range(1_000)}
    for sent in (names, {"played": [4]} | names, {"played": [["X"]] * 1_000}):
        text: str = called("best_move", **sent)["content"][0]["text"]
        assert text.endswith(NUMBERING)
        assert len(text) < 2_500
