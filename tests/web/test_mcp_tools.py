"""The tools of chatbots: described so that every host takes them, and answered in words that a model can act on."""

import json
from typing import Any

import jsonschema  # type: ignore[import-untyped]  # it ships no types
import pytest
from flask.testing import FlaskClient

from service.web.mcp_tools import TOOLS
from tests.web.chatbot import called
from tests.web.conftest import Count


@pytest.mark.parametrize("tool", TOOLS.values(), ids=TOOLS)
def test_a_tool_is_described_so_that_every_host_takes_it(tool: Any) -> None:
    """Arguments are a plain object: no alternatives at the top, no references, nothing additional."""
    definition = tool.definition
    assert "$ref" not in json.dumps([definition.input_schema, definition.output_schema])
    assert set(definition.input_schema) == {"type", "properties", "required", "additionalProperties"}
    assert definition.input_schema["additionalProperties"] is False
    assert all(len(field["description"]) <= 300 for field in definition.input_schema["properties"].values())
    assert definition.output_schema["type"] == "object"
    assert definition.annotations.read_only_hint
    assert definition.annotations.open_world_hint is False
    jsonschema.Draft202012Validator.check_schema(definition.input_schema)


def test_a_whole_game_is_played_with_the_list_that_comes_back(client: FlaskClient, count: Count) -> None:
    """Each answer's list is the next question, until the game is over; each call is counted as a search."""
    before = count("best_move_searches_total", algorithm="alphabeta")
    played: list[int] = []
    texts = []
    while True:
        result = called(client, "best_move", played=played)
        turn = result["structuredContent"]
        jsonschema.validate(turn, TOOLS["best_move"].definition.output_schema)
        texts.append(result["content"][0]["text"])
        if turn["move"] is None:
            break
        assert turn["played"] == [*played, turn["move"]]
        played = turn["played"]
    assert played == [0, 4, 1, 2, 6, 3, 5, 7, 8]
    assert count("best_move_searches_total", algorithm="alphabeta") == before + 10
    assert texts[1].splitlines() == [
        "O plays the center, the cell on the most lines. With best play by both sides the game ends in a draw.",
        "X . .",
        ". O .",
        ". . .",
        "X is to move. Free cells: 1, 2, 3, 5, 6, 7, 8.",
        "Played so far: 0, 4.",
    ]
    assert texts[-1].splitlines()[0] == "The game is over: it is a draw."


def test_a_board_will_do_and_has_no_list(client: FlaskClient) -> None:
    """A board is taken too; what was played before it is not known."""
    turn = called(client, "best_move", board="XX.OO....")["structuredContent"]
    assert (turn["move"], turn["played"], turn["status"], turn["free"]) == (2, None, "x_won", [])


WRONG = {
    "a taken cell": ({"played": [4, 4]}, "Move 2 is to cell 4, but X took that with move 1."),
    "no position": ({}, "`board` is missing. Send it, or `played`"),
    "an illegal board": ({"board": "XX......."}, "Add marks of O or remove marks of X."),
    "a list in a string": ({"played": "0,4"}, "`played` should be an array."),
    "an unknown argument": ({"played": [], "depth": 3}, "`depth` is not a field of this request."),
}


@pytest.mark.parametrize(("arguments", "advice"), WRONG.values(), ids=WRONG)
def test_a_wrong_call_is_told_what_to_change(client: FlaskClient, arguments: dict[str, Any], advice: str) -> None:
    """A wrong call is a result, in words that a model can act on, and not a failure of the protocol."""
    result = called(client, "best_move", **arguments)
    assert result["isError"]
    assert advice in result["content"][0]["text"]
    assert "structuredContent" not in result


JUDGED = {
    "a mistake": ([0, 1], True, "O 1 is a mistake: with best play O now loses. With 4 O draws."),
    "as good as any": ([0, 4], False, "O 4 is as good as any move: with best play O draws."),
    "a win let slip": ([0, 1, 2], True, "X 2 is a mistake: with best play X now draws. With 3, 4 or 6 X wins."),
}


@pytest.mark.parametrize(("played", "mistake", "text"), JUDGED.values(), ids=JUDGED)
def test_a_move_is_judged_by_what_it_changes(client: FlaskClient, played: list[int], mistake: bool, text: str) -> None:  # noqa: FBT001, a row of the table
    """A mistake is a move after which the game ends worse than it had to, for the side that made it."""
    judgement = called(client, "judge_move", played=played)["structuredContent"]
    jsonschema.validate(judgement, TOOLS["judge_move"].definition.output_schema)
    assert (judgement["mistake"], judgement["text"]) == (mistake, text)
