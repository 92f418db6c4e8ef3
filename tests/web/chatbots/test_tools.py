"""The tools: definitions that every client accepts, and results that a weak model can use."""

import json
from random import Random
from typing import Any, get_args

import jsonschema  # type: ignore[import-untyped]  # it ships no types
import pytest

from best_move.engine.position import Mark, Status
from best_move.engine.question import Difficulty
from best_move.web.chatbots.tools import TOOLS, Tool
from tests.truth.referee import opponent
from tests.web.chatbots.calls import any_call
from tests.web.chatbots.messages import called
from tests.web.conftest import Count

#  The words that a field may have.
WORDS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("starts", "you", "to_move", "player"), get_args(Mark)),
    **dict.fromkeys(("outcome", "best_outcome"), ("win", "draw", "loss")),
    "difficulty": get_args(Difficulty),
    "status": get_args(Status),
}


@pytest.mark.parametrize("tool", TOOLS.values(), ids=TOOLS)
def test_a_tool_is_described_completely(tool: Tool) -> None:
    """A tool has a title, all hints, and a short description that shows the cells' numbers."""
    definition = tool.definition
    assert definition["title"]
    assert definition["annotations"] == {
        "title": definition["title"],
        "readOnlyHint": True,
        "destructiveHint": False,
        "idempotentHint": True,
        "openWorldHint": False,
    }
    description = definition["description"]
    assert description.endswith("\n0 1 2\n3 4 5\n6 7 8")
    assert len(description) <= 1024


@pytest.mark.parametrize("tool", TOOLS.values(), ids=TOOLS)
def test_the_schema_of_a_result_limits_all_fields(tool: Tool) -> None:
    """All fields are required and described, each word is listed, and each cell is on the board."""
    schema = tool.definition["outputSchema"]
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["type"] == "object"
    assert schema["required"] == [*schema["properties"]]
    assert not {"$ref", "anyOf", "oneOf"} & set(json.dumps(schema).split('"'))
    for name, field in schema["properties"].items():
        assert field["description"]
        words = [word for word in field.get("enum", []) if word is not None]
        assert words == [*WORDS.get(name, ())]
        each = field.get("items", field)
        if "integer" in each["type"]:
            assert (each["minimum"], each["maximum"]) == (0, 8)


def result_of(name: str, **arguments: object) -> tuple[dict[str, Any], str]:
    """Call a tool; return the fields of its result, checked against the schema, and its text."""
    result = called(name, **arguments)
    fields: dict[str, Any] = result["structuredContent"]
    #  No object may have fields that the schema does not have.
    schema = json.dumps(TOOLS[name].definition["outputSchema"])
    closed = schema.replace('"properties":', '"additionalProperties": false, "properties":')
    errors = jsonschema.Draft202012Validator(json.loads(closed)).iter_errors(fields)
    messages = [error.message for error in errors]
    assert messages == [], f"Update the schema of {name} in result_schemas.py."
    return fields, result["content"][0]["text"]


@pytest.mark.parametrize("name", TOOLS)
def test_the_results_have_exactly_the_fields_of_the_schema(name: str) -> None:
    """Each answer to a generated call has all fields, and no others."""
    random = Random(1)  # noqa: S311, the same calls in each run
    calls = [any_call(random) for _ in range(60)]
    for call in calls:
        if call.tool == name:
            result_of(name, **call.sent())


def test_a_game_is_played_by_sending_back_each_list(count: Count) -> None:
    """The list in each result is the next argument, until the game is over."""
    before = count("best_move_searches_total", algorithm="alphabeta")
    played: list[int] = []
    texts = []
    while True:
        fields, text = result_of("best_move", played=played, starts="X")
        texts.append(text)
        if fields["move"] is None:
            break
        assert fields["played"] == [*played, fields["move"]]
        played = fields["played"]
    assert played == [0, 4, 1, 2, 6, 3, 5, 7, 8]
    assert count("best_move_searches_total", algorithm="alphabeta") == before + 10
    assert texts[1] == FIRST_REPLY
    assert texts[-1] == END


FIRST_REPLY = """X has played 0, the top-left corner. \
O plays 4, the center: it is on the most lines. \
With best play by both sides the game ends in a draw.
X 1 2
3 O 5
6 7 8
Played so far: [0, 4], starts: X
X is to move."""
END = """X has played 8, the bottom-right corner. The game is over: it is a draw.
X X O
O O X
X O X
Played so far: [0, 4, 1, 2, 6, 3, 5, 7, 8], starts: X
No side made a mistake."""


def test_the_fields_contain_all_that_a_model_needs() -> None:
    """The fields have all parts of the text, because some clients show only the fields."""
    fields, _ = result_of("best_move", played=[0], starts="O")
    assert fields == {
        "previous": "O has played 0, the top-left corner.",
        "move": 4,
        "text": "X plays 4, the center: it is on the most lines.",
        "outlook": "With best play by both sides the game ends in a draw.",
        "you": None,
        "difficulty": "perfect",
        "played": [0, 4],
        "starts": "O",
        "board": "O 1 2\n3 X 5\n6 7 8",
        "to_move": "O",
        "status": "in_progress",
        "free": [1, 2, 3, 5, 6, 7, 8],
        "winning_line": [],
        "review": None,
        "mistakes": [],
    }


def test_a_finished_game_is_reviewed() -> None:
    """The review names the last mistake and the best move, and counts the mistakes of each side."""
    fields, text = result_of("best_move", played=[0, 1, 2, 3, 4, 5, 8], starts="X")
    assert fields["review"] == text.splitlines()[-1]
    assert fields["review"] == (
        "The last mistake was O's 3 at move 4: it turned a draw into a loss. Best: 4. "
        "Mistakes: 1 by X, 2 by O."
    )
    assert [mistake["number"] for mistake in fields["mistakes"]] == [2, 3, 4]
    assert fields["mistakes"][-1] == {
        "number": 4,
        "player": "O",
        "move": 3,
        "outcome": "loss",
        "best_outcome": "draw",
        "best_moves": [4],
    }
    assert (fields["free"], fields["winning_line"]) == ([], [0, 4, 8])


def test_a_weaker_level_does_not_reveal_the_outlook() -> None:
    """Below the perfect level no result says what the move leads to, or what was better."""
    moves = set()
    for _ in range(40):
        fields, text = result_of("best_move", played=[0, 3, 1, 4], starts="X", difficulty="easy")
        moves.add(fields["move"])
        assert fields["outlook"] is None
        assert "better" not in text
        assert "force" not in text
    assert len(moves) > 1


def test_the_user_can_end_the_game() -> None:
    """A result says how the game ended if its last move is the user's."""
    fields, _ = result_of("best_move", played=[0, 3, 1, 4, 2], starts="X", you="O")
    assert (fields["status"], fields["you"]) == ("x_won", "O")


def test_the_last_move_of_a_side_is_judged() -> None:
    """The judgment is that of the game up to this move; the rest is of the whole game."""
    random = Random(4)  # noqa: S311, the same games in each run
    for _ in range(80):
        call = any_call(random)
        if len(call.played) < 2:
            continue
        game = {"played": call.played, "starts": call.starts}
        last, _ = call.moves[-1]
        other = opponent(last)
        before, _ = result_of("judge_move", **game | {"played": call.played[:-1], "player": other})
        whole, shown = result_of("judge_move", **game, player=last)
        assert (whole["player"], whole["move"]) == call.moves[-1]

        fields, text = result_of("judge_move", **game, player=other)
        judgment = {name: before[name] for name in JUDGMENT}
        judgment["text"] = before["text"] + ENDINGS[whole["status"]]
        assert fields == whole | judgment
        _, rest = shown.split("\n", 1)
        sentences = filter(None, [judgment["text"], whole["outlook"]])
        assert text == f"{' '.join(sentences)}\n{rest}"


def test_a_judgment_also_says_how_the_game_stands() -> None:
    """A move that kept the draw is no news if the other side has made a mistake since."""
    fields, text = result_of("judge_move", played=[4, 1], starts="X", player="X")
    assert fields["outlook"] == "X can now force a win."
    assert text.splitlines()[0] == (
        "X plays 4, the center: it is on the most lines. It keeps the draw. X can now force a win."
    )


ENDINGS = {
    "in_progress": "",
    "x_won": " The game is over: X has won.",
    "o_won": " The game is over: O has won.",
    "draw": " The game is over: it is a draw.",
}
JUDGMENT = ("move", "player", "mistake", "outcome", "best_outcome", "best_moves", "missed")
