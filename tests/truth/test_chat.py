"""A model that plays by the texts of the tools alone gets each mark and each judgment right."""

import re
from collections.abc import Callable
from random import Random

import pytest

from best_move.web.chatbots.protocol import INSTRUCTIONS
from best_move.web.chatbots.tools import TOOLS
from tests.truth.chat import Json, Texts, play_games
from tests.truth.referee import opponent

TEXTS = Texts(INSTRUCTIONS, {name: tool.definition for name, tool in TOOLS.items()})


def call(name: str, arguments: Json) -> Json:
    """Call a tool; return its result."""
    return TOOLS[name].call(arguments)


def test_every_mark_and_every_judgment_is_right() -> None:
    """Whatever the sides, the starter and the level, the model needs only the last result."""
    random = Random(1)  # noqa: S311, the same games in each run
    assert play_games(TEXTS, call, 12, random) > 2_000


Fault = Callable[[str, Json], Json]


def in_text(tool: str, pattern: str, replacement: str) -> Fault:
    """Return a faulty tool, which replaces a part of its text."""

    def faulty(name: str, arguments: Json) -> Json:
        result = call(name, arguments)
        if name == tool:
            content = result["content"][0]
            content["text"] = re.sub(pattern, replacement, content["text"])
        return result

    return faulty


def in_call(tool: str, argument: str, default: Callable[[Json], str]) -> Fault:
    """Return a faulty tool, which has a default instead of an argument."""

    def faulty(name: str, arguments: Json) -> Json:
        if name == tool:
            arguments = {**arguments, argument: default(arguments)}
        return call(name, arguments)

    return faulty


def x(_: Json) -> str:
    """Return X, whoever started."""
    return "X"


def last_mover(arguments: Json) -> str:
    """Return the side that made the last move."""
    starts: str = arguments["starts"]
    return starts if len(arguments["played"]) % 2 else opponent(starts)


FAULTS = {
    "the list lacks the reply": in_text("best_move", r", \d\]", "]"),
    "the list ends with the judged move": in_text("judge_move", r", \d\]", "]"),
    "the starter is not said after a move": in_text("best_move", ", starts: O", ""),
    "the wrong starter is said": in_text("best_move", ", starts: O", ", starts: X"),
    "the starter is not said after a judgment": in_text("judge_move", ", starts: O", ""),
    "the starter is ignored": in_call("best_move", "starts", x),
    "the last move is judged": in_call("judge_move", "player", last_mover),
    "the starter of the judged game is ignored": in_call("judge_move", "starts", x),
    "the level is ignored": in_call("best_move", "difficulty", lambda _: "perfect"),
    "marks are exchanged": in_text("best_move", r"\nX ", "\nO "),
    "the wrong side is to move": in_text("judge_move", r"\nX is to move", "\nO is to move"),
    "a mistake is praised": in_text("judge_move", "This is a mistake: it turns", "It keeps"),
    "the last mistake is another": in_text("best_move", r"at move \d", "at move 1"),
    "the winner is not named": in_text("judge_move", "The game is over: ", ""),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_a_tool_is_noticed(fault: str) -> None:
    """The model, which follows each text, or the referee finds the fault."""
    random = Random(1)  # noqa: S311, the same games in each run
    with pytest.raises(AssertionError):
        play_games(TEXTS, FAULTS[fault], 5, random)


def test_a_model_that_is_not_told_how_to_judge_is_noticed() -> None:
    """Without the sentence on `player`, the model cannot call the tool."""
    judging = TEXTS.tools["judge_move"]
    description = judging["description"].replace("To judge the user's move", "")
    silent = {**TEXTS.tools, "judge_move": {**judging, "description": description[:60]}}
    with pytest.raises(AssertionError):
        play_games(TEXTS._replace(tools=silent), call, 5, Random(1))  # noqa: S311
