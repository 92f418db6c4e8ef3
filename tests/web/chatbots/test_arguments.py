"""The arguments of the tools: schemas that every host accepts, and words for what is wrong with a value."""

from collections.abc import Iterator
from typing import Any

import pytest

from best_move.web.chatbots.arguments import (
    DIFFICULTY,
    JUDGED,
    PLAYED,
    STARTS,
    YOU,
    Argument,
    ArgumentError,
    read,
    schema_of,
)

ALL = (PLAYED, STARTS, YOU, DIFFICULTY)

#  Hosts of strict function calling and of Gemini reject other keywords, or drop the tool.
ACCEPTED_EVERYWHERE = {"type", "description", "properties", "required", "items", "minimum", "maximum"}
IGNORED_AT_WORST = {"minItems", "maxItems"}


def keywords(schema: dict[str, Any]) -> Iterator[str]:
    """Yield the keywords of a schema and of the schemas in it."""
    yield from schema
    for inner in [*schema.get("properties", {}).values(), *filter(None, [schema.get("items")])]:
        yield from keywords(inner)


@pytest.mark.parametrize("arguments", [ALL, (JUDGED, STARTS)], ids=["best_move", "judge_move"])
def test_a_schema_has_keywords_that_every_host_accepts(arguments: tuple[Argument, ...]) -> None:
    """A schema is a plain object without references, alternatives, defaults or enumerations."""
    schema = schema_of(arguments)
    assert set(keywords(schema)) <= ACCEPTED_EVERYWHERE | IGNORED_AT_WORST
    assert schema["required"] == ["played"]
    for name, field in schema["properties"].items():
        assert len(field["description"]) <= 200
        assert name == "played" or field["type"] == ["string", "null"]


def test_null_means_omitted() -> None:
    """An argument that is null has the value that it has if it is omitted."""
    sent = {"played": [4], "starts": None, "you": None, "difficulty": None}
    assert read("best_move", ALL, sent) == read("best_move", ALL, {"played": [4]}) == [[4], "X", None, "perfect"]


def test_values_are_read_in_any_case() -> None:
    """Marks and levels may be in either case, and an integer may be written as a decimal, as JSON allows."""
    sent = {"played": [4.0], "starts": "o", "you": "x", "difficulty": "Easy"}
    assert read("best_move", ALL, sent) == [[4], "O", "X", "easy"]


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "no moves": ({}, "`played` is missing. Send the cells played so far, in order, such as [4, 0, 8]."),
    "moves in a string": (
        {"played": "0,4"},
        '`played` is "0,4", a string. Send a list of cells from 0 to 8, such as [4, 0, 8].',
    ),
    "a cell in a string": (
        {"played": [0, "4"]},
        'Move 2 in `played` is "4", a string. Send cells as integers from 0 to 8, such as [4, 0, 8].',
    ),
    "a cell that is true": (
        {"played": [True]},
        "Move 1 in `played` is true, a boolean. Send cells as integers from 0 to 8, such as [4, 0, 8].",
    ),
    "a cell that is off the board": (
        {"played": [9]},
        "Move 1 in `played` is 9, a number. Send cells as integers from 0 to 8, such as [4, 0, 8].",
    ),
    "rows": (
        {"played": [["X", "", ""]]},
        'Move 1 in `played` is ["X", "", ""], a list. Send cells as integers from 0 to 8, such as [4, 0, 8].',
    ),
    "ten moves": ({"played": [0] * 10}, "`played` has 10 moves. Send 0 to 9, such as [4, 0, 8]."),
    "an unknown side": ({"played": [], "starts": "Z"}, '`starts` is "Z". Send "X", "O" or null.'),
    "an unknown level": (
        {"played": [], "difficulty": 3},
        '`difficulty` is 3. Send "perfect", "hard", "medium", "easy" or null.',
    ),
    "another name": (
        {"Moves": [0]},
        'best_move has no argument "Moves". Send `played` instead. Its arguments are played, starts, you, difficulty.',
    ),
    "a board": (
        {"board": "X........"},
        'best_move has no argument "board". Send `played` instead. Its arguments are played, starts, you, difficulty.',
    ),
    "an unknown name": (
        {"played": [], "depth": 9},
        'best_move has no argument "depth". Its arguments are played, starts, you, difficulty.',
    ),
    "a long value": ({"played": "0" * 100}, f'`played` is "{"0" * 58}…, a string. Send a list of cells'),
}


@pytest.mark.parametrize(("sent", "message"), WRONG.values(), ids=WRONG)
def test_an_error_says_what_was_sent_and_what_to_send(sent: dict[str, Any], message: str) -> None:
    """An error quotes the value, and has the accepted ones with an example."""
    with pytest.raises(ArgumentError) as raised:
        read("best_move", ALL, sent)
    assert str(raised.value).startswith(message)


def test_a_tool_is_not_sent_to_an_argument_that_it_lacks() -> None:
    """A name that means an argument of another tool gets the list of arguments alone."""
    with pytest.raises(
        ArgumentError, match=r'^judge_move has no argument "level"\. Its arguments are played, starts\.$'
    ):
        read("judge_move", (JUDGED, STARTS), {"played": [4], "level": "easy"})
