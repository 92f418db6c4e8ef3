"""The arguments of the tools: schemas that every client accepts, and errors for invalid values."""

from collections.abc import Iterator
from typing import Any

import pytest

from best_move.engine.choice import RATES
from best_move.web.chatbots.arguments import (
    Arguments,
    BestMoveArguments,
    JudgeMoveArguments,
    read_call,
    schema_of,
)
from tests.web.chatbots.messages import called

#  Clients with strict function calling, and those of Gemini, reject other keywords or the tool.
ACCEPTED_EVERYWHERE = {
    "type",
    "description",
    "properties",
    "required",
    "items",
    "minimum",
    "maximum",
    "enum",
}
IGNORED_AT_WORST = {"minItems", "maxItems"}


def keywords(schema: dict[str, Any]) -> Iterator[str]:
    """Yield the keywords of a schema and of the schemas in it."""
    yield from schema
    for inner in [*schema.get("properties", {}).values(), *filter(None, [schema.get("items")])]:
        yield from keywords(inner)


@pytest.mark.parametrize("form", [BestMoveArguments, JudgeMoveArguments])
def test_a_schema_has_only_keywords_that_every_client_accepts(form: type[Arguments]) -> None:
    """A schema is a plain object without references, alternatives, defaults or lists of types."""
    schema = schema_of(form)
    assert set(keywords(schema)) <= ACCEPTED_EVERYWHERE | IGNORED_AT_WORST
    assert schema["required"] == ["played"]
    assert all(len(field["description"]) <= 200 for field in schema["properties"].values())
    fields = {name: {**field, "description": ""} for name, field in schema["properties"].items()}
    items = {"type": "integer", "minimum": 0, "maximum": 8}
    least = {"minItems": 1} if form is JudgeMoveArguments else {}
    assert fields.pop("played") == {
        "type": "array",
        "items": items,
        "maxItems": 9,
        "description": "",
        **least,
    }
    sides = ["X", "O"]
    words = {"starts": sides, "you": sides, "player": sides, "difficulty": [*RATES]}
    assert fields == {
        name: {"type": "string", "enum": words[name], "description": ""} for name in fields
    }


ACCEPTED: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "nulls": ({"played": [4], "starts": None, "you": None, "difficulty": None}, {"played": [4]}),
    "nulls in words": (
        {"played": [4], "starts": "", "you": "None", "difficulty": "null"},
        {"played": [4]},
    ),
    "other cases, and blanks": (
        {"played": [], "starts": " o", "you": "x", "difficulty": "Easy "},
        {"played": [], "starts": "O", "you": "X", "difficulty": "easy"},
    ),
    "cells as decimals": ({"played": [4.0]}, {"played": [4]}),
    "a list in a text": ({"played": "[4, 0]"}, {"played": [4, 0]}),
    "an object around them": (
        {"arguments": {"played": [4], "you": "O"}},
        {"played": [4], "you": "O"},
    ),
    "names that n8n adds": (
        {
            "played": [4],
            "toolCallId": "call_1",
            "sessionId": 17,
            "action": "sendMessage",
            "chatInput": "I take the center.",
        },
        {"played": [4]},
    ),
    "a name that Cline adds, also in an object": (
        {"input": {"played": [4], "task_progress": "- [ ] 8"}, "task_progress": "- [x] 4"},
        {"played": [4]},
    ),
    "nulls by other names": ({"played": [4], "board": None}, {"played": [4]}),
}


@pytest.mark.parametrize(("sent", "meant"), ACCEPTED.values(), ids=ACCEPTED)
def test_unambiguous_spellings_of_arguments_are_accepted(
    sent: dict[str, Any], meant: dict[str, Any]
) -> None:
    """What cannot mean anything else is read, and what chat hosts add to calls is ignored."""
    assert read_call(BestMoveArguments, sent).model_dump(exclude_defaults=True) == meant


NUMBERING = "Cells are numbered row by row: 0 1 2 / 3 4 5 / 6 7 8."
FORM = 'For example, the game X center, O top-left, X bottom-right is {"played": [4, 0, 8]}.'
LIST = f"List the cells played so far, in order; [] for a new game. {FORM}"
ADVICE = "The arguments are played, starts, you, difficulty. Append a move to `played`."
INVALID: dict[str, tuple[dict[str, Any], str]] = {
    "no moves": ({}, f"`played` is missing. {LIST}"),
    "null moves": ({"played": None}, f"`played` is missing. {LIST}"),
    "a text": ({"played": "hello"}, f'`played` must be an array, not "hello". {LIST}'),
    "an object in a text": ({"played": "{}"}, f'`played` must be an array, not "{{}}". {LIST}'),
    "a cell that is true": (
        {"played": [True]},
        f"Move 1 in `played` must be an integer from 0 to 8, not true. {FORM}",
    ),
    "two cells that are off the board": (
        {"played": [9, 10]},
        f"Move 1 in `played` must be an integer from 0 to 8, not 9. {FORM}",
    ),
    "rows": (
        {"played": [["X", "", ""]]},
        'Move 1 in `played` must be an integer from 0 to 8, not ["X", "", ""]. ' + FORM,
    ),
    "ten moves": (
        {"played": [0] * 10},
        f"`played` must have 0 to 9 items, not 10: {[0] * 10}. {LIST}",
    ),
    "an unknown side": (
        {"played": [4], "starts": "Z", "you": "O"},
        '`starts` must be "X" or "O", not "Z". If X starts, send {"played": [4], "you": "O"}.',
    ),
    "a side that is unclear": (
        {"played": [], "you": "user"},
        '`you` must be "X" or "O", not "user". If your side is to move, send {"played": []}.',
    ),
    "an unknown level": (
        {"played": [], "difficulty": 3},
        (
            '`difficulty` must be "perfect", "hard", "medium" or "easy", not 3. '
            'If the level is perfect, send {"played": []}.'
        ),
    ),
    "a move beside the list": (
        {"played": [0, 4], "qzx": 8},
        (
            f"`qzx` is not an argument of this tool. {ADVICE} "
            'If `played` has all moves, send {"played": [0, 4]}.'
        ),
    ),
    "a move with a name of n8n": (
        {"played": [0, 4], "action": 8},
        (
            f"`action` is not an argument of this tool. {ADVICE} "
            'If `played` has all moves, send {"played": [0, 4]}.'
        ),
    ),
    "a move beside the list, which is missing": (
        {"played": [0, 4], "you": "O", "qzx": 8},
        (
            f"`qzx` is not an argument of this tool. {ADVICE} "
            "After [0, 4] it is X's turn, but `you` is O. "
            'If O starts, send {"played": [0, 4], "you": "O", "starts": "O"}. '
            'If X starts and you play X, send {"played": [0, 4], "you": "X"}. '
            "If X starts and you play O, the user's move is missing: append it to `played`. "
            "Free cells: 1, 2, 3, 5, 6, 7, 8."
        ),
    ),
    "a move beside an illegal list": (
        {"played": [4, 4], "qzx": 8},
        (
            f"`qzx` is not an argument of this tool. {ADVICE} `played` has an illegal move. "
            "Move 2 plays cell 4, but X took it at move 1. Free cells: 0, 1, 2, 3, 5, 6, 7, 8. "
            f"{FORM}"
        ),
    ),
    "two objects": (
        {"qzx": {"played": [4]}, "qzy": {}},
        (
            f"`played` is missing. List the cells played so far, in order; [] for a new game. "
            "`qzx` is not an argument of this tool. The arguments are played, starts, you, "
            f"difficulty. Append a move to `played`. `qzy` is not an argument of this tool. {FORM}"
        ),
    ),
}


@pytest.mark.parametrize(("sent", "message"), INVALID.values(), ids=INVALID)
def test_an_error_says_what_was_sent_and_what_to_send(sent: dict[str, Any], message: str) -> None:
    """An error names the argument, quotes the value, and shows the numbering and a call to send."""
    result = called("best_move", **sent)
    assert result["isError"]
    assert result["content"][0]["text"] == f"{message} {NUMBERING}"


@pytest.mark.parametrize("name", ["you", "difficulty"])
def test_arguments_of_the_other_tool_are_unknown(name: str) -> None:
    """`judge_move` ignores no argument of `best_move`, because it would mean something there."""
    result = called("judge_move", **{"played": [4], name: "X"})
    assert result["content"][0]["text"] == (
        f"`{name}` is not an argument of this tool. The arguments are played, starts, player. "
        "Append a move to `played`. To judge the user's move after your own, send the user's side "
        "as `player`. If `played` has all moves and the last move is meant, send "
        '{"played": [4]}. '
        f"{NUMBERING}"
    )
