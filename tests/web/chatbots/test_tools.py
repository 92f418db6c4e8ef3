"""The tools of chatbots: described so that every host takes them, and answered in words that a model can act on."""

import json
from typing import Any

import jsonschema  # type: ignore[import-untyped]  # it ships no types
import pytest

from service.web.chatbots.tools import TOOLS
from tests.web.chatbots.messages import called
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


def test_a_whole_game_is_played_with_the_list_that_comes_back(count: Count) -> None:
    """Each answer's list is the next question, until the game is over; each call is counted as a search."""
    before = count("best_move_searches_total", algorithm="alphabeta")
    played: list[int] = []
    texts = []
    while True:
        result = called("best_move", played=played)
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
    assert texts[-1].splitlines()[:4] == ["The game is over: it is a draw.", "X X O", "O O X", "X O X"]
    assert "to move" not in texts[-1]


def test_a_board_will_do_and_has_no_list() -> None:
    """A board is taken too; what was played before it is not known."""
    turn = called("best_move", board="XX.OO....")["structuredContent"]
    assert (turn["move"], turn["played"], turn["status"], turn["free"]) == (2, None, "x_won", [])


WRONG = {
    "a taken cell": ({"played": [4, 4]}, "Move 2 plays cell 4, but X took it at move 1."),
    "an illegal board": ({"board": "XX......."}, "Add marks of O or remove marks of X."),
    "a list in a string": ({"played": "0,4"}, "`played` should be an array."),
    "an unknown argument": ({"played": [], "depth": 3}, "`depth` is not a field of this request."),
}


@pytest.mark.parametrize(("arguments", "advice"), WRONG.values(), ids=WRONG)
def test_a_wrong_call_is_told_what_to_change(arguments: dict[str, Any], advice: str) -> None:
    """A wrong call is a result, in words that a model can act on, and not a failure of the protocol."""
    result = called("best_move", **arguments)
    assert result["isError"]
    assert advice in result["content"][0]["text"]
    assert "structuredContent" not in result


def test_a_weaker_level_plays_other_moves_too() -> None:
    """The level asked for is the one that is played at: of forty easy moves some are not the winning one."""
    moves = {called("best_move", board="XX.OO....", difficulty="easy")["structuredContent"]["move"] for _ in range(40)}
    assert len(moves) > 1


JUDGED: dict[str, tuple[dict[str, Any], str, dict[str, Any]]] = {
    "a mistake": (
        {"played": [0, 1]},
        "O 1 is a mistake: with best play O now loses. With 4 O draws.\nX O .\n. . .\n. . .",
        {"move": 1, "player": "O", "mistake": True, "outcome": "loss", "best_outcome": "draw", "best_moves": [4]},
    ),
    "a mistake where O started": (
        {"played": [0, 1], "starts": "O"},
        "X 1 is a mistake: with best play X now loses. With 4 X draws.\nO X .\n. . .\n. . .",
        {"move": 1, "player": "X", "mistake": True, "outcome": "loss", "best_outcome": "draw", "best_moves": [4]},
    ),
    "as good as any": (
        {"played": [0, 4]},
        "O 4 is as good as any move: with best play O draws.\nX . .\n. O .\n. . .",
        {"move": 4, "player": "O", "mistake": False, "outcome": "draw", "best_outcome": "draw", "best_moves": [4]},
    ),
    "a win let slip": (
        {"played": [0, 1, 2]},
        "X 2 is a mistake: with best play X now draws. With 3, 4 or 6 X wins.\nX O X\n. . .\n. . .",
        {"move": 2, "player": "X", "mistake": True, "outcome": "draw", "best_outcome": "win", "best_moves": [3, 4, 6]},
    ),
}


@pytest.mark.parametrize(("game", "text", "judged"), JUDGED.values(), ids=JUDGED)
def test_a_move_is_judged_by_what_it_changes(game: dict[str, Any], text: str, judged: dict[str, Any]) -> None:
    """A mistake is a move after which the game ends worse than it had to, for the side that made it."""
    result = called("judge_move", **game)
    jsonschema.validate(result["structuredContent"], TOOLS["judge_move"].definition.output_schema)
    assert result["structuredContent"] == judged | {"text": text.splitlines()[0]}
    assert result["content"][0]["text"] == text


def test_a_game_without_a_move_has_nothing_to_judge() -> None:
    """The list of a game that has not begun is refused in words."""
    result = called("judge_move", played=[])
    assert result["isError"]
    assert result["content"][0]["text"] == "`played` should have from 1 to 9 entries."
