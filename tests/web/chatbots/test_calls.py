"""No call of a model becomes another call, and each error names what is wrong."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from tests.truth.referee import is_over, opponent
from tests.web.chatbots.calls import ARGUMENTS, SCHEMAS, Call, Sent, any_call, any_name, any_sent
from tests.web.chatbots.messages import Json, called
from tests.web.error_judge import check_call_error
from tests.web.values import any_value

CALLS = 1_500


def test_every_argument_is_generated() -> None:
    """A generated call can have each argument of its tool."""
    arguments = {name for schemas in SCHEMAS.values() for name in schemas}
    assert arguments == {*ARGUMENTS}, "Update `ARGUMENTS` and `any_call` in calls.py."


def test_no_call_becomes_another_call() -> None:
    """A call is answered only with the game that it means; else the error contains no call."""
    random = Random(1)  # noqa: S311, the same calls in each run
    found = Counter(verdict(any_sent(random)) for _ in range(CALLS))
    assert min(found["answered"], found["rejected"]) > CALLS / 20, found


def verdict(sent: Sent) -> str:
    """Return whether a call is answered or rejected; assert that the result is right."""
    result = called(sent.call.tool, **sent.arguments)
    if result.get("isError"):
        assert not sent.is_right, sent
        check_call_error(sent.call.tool, sent.arguments, result["content"][0]["text"])
        return "rejected"
    assert sent.call.is_answered_by(result["structuredContent"]), sent
    return "answered"


@pytest.mark.parametrize("tool", SCHEMAS)
def test_each_value_of_an_argument_is_read_or_gets_an_error(tool: str) -> None:
    """A value of any type, for an argument or for a name that is none, passes the judge."""
    random = Random(4)  # noqa: S311, the same values in each run
    others = {"played": [4], "starts": "X", "player": "X"}
    meant = {name: others[name] for name in SCHEMAS[tool] if name in others}
    for name in [*SCHEMAS[tool], "other"]:
        for _ in range(60):
            sent = meant | {name: any_value(random)}
            result = called(tool, **sent)
            if result.get("isError"):
                check_call_error(tool, sent, result["content"][0]["text"])


def beside(call: Call) -> Json:
    """Return arguments whose last move has another name."""
    return replace(call, played=call.played[:-1]).sent() | {"their_move": call.played[-1]}


#  What a model gets wrong -> what it sends instead of the call that it means.
MISTAKES: dict[str, Callable[[Call], Json]] = {
    "the starter is forgotten": lambda call: call.sent() | {"starts": None},
    "the starter is wrong": lambda call: call.sent() | {"starts": opponent(call.starts)},
    "the starter is unclear": lambda call: call.sent() | {"starts": "second"},
    "the side is the user's": lambda call: replace(call, you=opponent(call.to_move)).sent(),
    "the level is unknown": lambda call: call.sent() | {"difficulty": "no level"},
    "the user's move is forgotten": lambda call: replace(call, played=call.played[:-1]).sent(),
    "the user's move is beside the list": beside,
    "the list is of pairs": lambda call: call.sent() | {"played": [[0, 1]]},
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_an_error_names_each_argument_that_is_wrong(mistake: str) -> None:
    """A model that corrects the arguments that the error names sends the call that it means."""
    random = Random(2)  # noqa: S311, the same games in each run
    calls = [any_call(random) for _ in range(80)]
    for call in calls:
        if not call.played or is_over(call.board):
            continue
        meant = replace(call, tool="best_move", you=call.to_move, level=None, player=None)
        sent = MISTAKES[mistake](meant)
        result = called("best_move", **sent)
        assert result["isError"], sent
        named = set(re.findall("`(.*?)`", result["content"][0]["text"]))
        right = {name: value for name, value in sent.items() if name not in named}
        right |= {name: value for name, value in meant.sent().items() if name in named}
        assert right == meant.sent(), sent


def test_the_error_for_many_unknown_names_is_short() -> None:
    """However many names are unknown, the error describes at most 20 of them."""
    random = Random(3)  # noqa: S311, the same names in each run
    names = {f"{any_name(random)}{number}": number for number in range(1_000)}
    for sent in (names, {"played": [4]} | names, {"played": [["X"]] * 1_000}):
        text: str = called("best_move", **sent)["content"][0]["text"]
        assert len(text) < 2_500
