"""The arguments of the tools: schemas that every client accepts, and how values are read."""

import json

import pytest

from best_move.engine.choice import RATES
from best_move.web.chatbots.arguments import (
    Arguments,
    BestMoveArguments,
    InvalidCallError,
    JudgeMoveArguments,
    read_call,
)
from best_move.web.chatbots.tools import schema_of
from tests.web.chatbots.calls import HOSTS

REQUIRED: dict[type[Arguments], list[str]] = {
    BestMoveArguments: ["played", "starts"],
    JudgeMoveArguments: ["played", "starts", "player"],
}


@pytest.mark.parametrize("form", REQUIRED)
def test_a_schema_has_only_keywords_that_every_client_accepts(form: type[Arguments]) -> None:
    """A schema is a plain object without references, alternatives, defaults or lists of types.

    Some clients, such as those of Gemini, reject a tool with other keywords.
    """
    schema = schema_of(form)
    fields = schema.pop("properties")
    required = REQUIRED[form]
    assert schema == {"type": "object", "required": required}
    for field in fields.values():
        assert 0 < len(field.pop("description")) <= 200
    cells = {"type": "integer", "minimum": 0, "maximum": 8}
    least = {"minItems": 1} if form is JudgeMoveArguments else {}
    assert fields.pop("played") == {"type": "array", "items": cells, "maxItems": 9, **least}
    for name, field in fields.items():
        words = [*RATES] if name == "difficulty" else ["X", "O"]
        assert field == {"type": "string", "enum": words}


#  What is sent beside the starter, and what it means.
ACCEPTED = """
{"played": [4], "you": null, "difficulty": null} -> {"played": [4]}
{"played": [4], "you": "None", "difficulty": ""} -> {"played": [4]}
{"played": [], "you": "x", "difficulty": "Easy "} -> \
{"played": [], "you": "X", "difficulty": "easy"}
{"played": {}} -> {"played": []}
{"played": [4.0]} -> {"played": [4]}
{"played": "[4, 0]"} -> {"played": [4, 0]}
{"played": "4, 0"} -> {"played": [4, 0]}
{"played": " [4, 0]\\n"} -> {"played": [4, 0]}
{"played": ["4", "0"]} -> {"played": [4, 0]}
{"played": "[\\"4\\", 0]"} -> {"played": [4, 0]}
{"played": [4], "toolCallId": "call_1", "sessionId": 17, "action": "sendMessage", \
"chatInput": "I take the center."} -> {"played": [4]}
{"played": [4], "board": null} -> {"played": [4]}
"""


@pytest.mark.parametrize("line", ACCEPTED.strip().splitlines())
def test_unambiguous_spellings_of_arguments_are_accepted(line: str) -> None:
    """What cannot mean anything else is read, and what chat hosts add to calls is ignored."""
    sent, meant = map(json.loads, line.split(" -> "))
    sent["starts"] = " o"
    meant["starts"] = "O"
    for arguments in (
        sent,
        {"input": sent, "task_progress": "- [x] 4"},
        {"arguments": json.dumps(sent)},
    ):
        read = read_call(BestMoveArguments, arguments)
        assert read.model_dump(exclude_defaults=True) == meant


@pytest.mark.parametrize("name", HOSTS)
def test_a_name_that_a_chat_host_adds_is_ignored(name: str) -> None:
    """So is its value, even if it looks like a move, beside the arguments or around them."""
    sent = {"played": [4], "starts": "X", "player": "X"}
    added = {name: HOSTS[name]}
    for arguments in (sent | added, {"input": sent | added}, {"input": sent} | added):
        read = read_call(JudgeMoveArguments, arguments)
        assert read.model_dump() == sent


@pytest.mark.parametrize("name", ["purpose", "__purpose_8", "wait", "wait_for_previous_8"])
def test_a_name_that_only_resembles_those_of_hosts_is_an_error(name: str) -> None:
    """Nothing else may be ignored, because it may be a move."""
    with pytest.raises(InvalidCallError, match=f"`{name}` is not an argument of this tool"):
        read_call(BestMoveArguments, {"played": [4], "starts": "X", name: "8"})
