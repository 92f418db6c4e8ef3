"""The arguments of the tools: schemas that every client accepts, and messages for invalid values."""

from collections.abc import Iterator
from typing import Any

import pytest

from best_move.engine.choice import RATES
from best_move.web.api.validation import InvalidRequestError, describe_errors
from best_move.web.chatbots.arguments import (
    Arguments,
    BestMoveArguments,
    JudgeMoveArguments,
    read_arguments,
    schema_of,
)

#  Clients with strict function calling, and clients of Gemini, reject other keywords or omit the tool.
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
    words = {"starts": ["X", "O"], "you": ["X", "O"], "difficulty": [*RATES]}
    assert fields == {
        name: {"type": "string", "enum": words[name], "description": ""} for name in fields
    }


ACCEPTED: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "nulls": ({"played": [4], "starts": None, "you": None, "difficulty": None}, {"played": [4]}),
    "nulls in words": (
        {"played": [4], "starts": "", "you": "None", "difficulty": "null"},
        {"played": [4]},
    ),
    "other spellings": (
        {"played": [], "starts": " o", "you": "Player X", "difficulty": "Easy "},
        {"played": [], "starts": "O", "you": "X", "difficulty": "easy"},
    ),
    "cells as decimals": ({"played": [4.0]}, {"played": [4]}),
}


@pytest.mark.parametrize(("sent", "meant"), ACCEPTED.values(), ids=ACCEPTED)
def test_unambiguous_spellings_of_arguments_are_accepted(
    sent: dict[str, Any], meant: dict[str, Any]
) -> None:
    """Null counts as omitted; sides and levels may be in either case, with spaces around them."""
    assert read_arguments(BestMoveArguments, sent).model_dump(exclude_defaults=True) == meant


def test_arguments_of_the_other_tool_are_ignored() -> None:
    """`judge_move` ignores arguments of `best_move`, because models send the same arguments to both."""
    sent = {"played": [4], "starts": "O", "you": "nonsense", "difficulty": None}
    assert read_arguments(JudgeMoveArguments, sent).model_dump() == {"played": [4], "starts": "O"}


KNOWN = "The arguments are played, starts, you, difficulty."
EXAMPLE = "Send the cells played so far, in order, such as [4, 0, 8], or [] for a new game."
INVALID: dict[str, tuple[dict[str, Any], str]] = {
    "no moves": ({}, f"`played` is missing. {EXAMPLE}"),
    "a text": ({"played": "hello"}, f'`played` must be an array, not "hello". {EXAMPLE}'),
    "a cell that is true": (
        {"played": [True]},
        "Move 1 in `played` must be an integer from 0 to 8, not true.",
    ),
    "a cell that is off the board": (
        {"played": [9]},
        "Move 1 in `played` must be an integer from 0 to 8, not 9.",
    ),
    "rows": (
        {"played": [["X", "", ""]]},
        'Move 1 in `played` must be an integer from 0 to 8, not ["X", "", ""].',
    ),
    "ten moves": (
        {"played": [0] * 10},
        f"`played` must have 0 to 9 items, not 10: {[0] * 10}. {EXAMPLE}",
    ),
    "an unknown side": ({"played": [], "starts": "Z"}, '`starts` must be "X" or "O", not "Z".'),
    "a side that may be omitted": (
        {"played": [], "you": "user"},
        '`you` must be "X" or "O", not "user". Or omit it.',
    ),
    "an unknown level": (
        {"played": [], "difficulty": 3},
        '`difficulty` must be "perfect", "hard", "medium" or "easy", not 3.',
    ),
    "two errors": (
        {"Moves": [0]},
        f"`played` is missing. {EXAMPLE} `Moves` is not an argument of this tool. {KNOWN}",
    ),
}


def errors(form: type[Arguments], sent: dict[str, Any]) -> str:
    """Return the error messages for arguments."""
    with pytest.raises(InvalidRequestError) as raised:
        read_arguments(form, sent)
    return describe_errors(raised.value)[0]


@pytest.mark.parametrize(("sent", "message"), INVALID.values(), ids=INVALID)
def test_an_error_says_what_was_sent_and_what_to_send(sent: dict[str, Any], message: str) -> None:
    """An error names the argument, quotes the value sent, and gives the accepted values or an example."""
    assert errors(BestMoveArguments, sent) == message
