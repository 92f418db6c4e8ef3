"""The arguments of the tools: schemas that every client accepts, and errors for invalid values."""

import json
from string import Template

import pytest

from best_move.engine.choice import RATES
from best_move.web.chatbots.arguments import (
    Arguments,
    BestMoveArguments,
    JudgeMoveArguments,
    read_call,
)
from best_move.web.chatbots.tools import schema_of
from tests.web.chatbots.messages import called

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


NUMBERING = "Cells are numbered row by row: 0 1 2 / 3 4 5 / 6 7 8."
PHRASES = {
    "LIST": "List the cells played so far as integers, in order; none for a new game.",
    "ORDER": "List the cells played so far as integers, in order.",
    "STARTS": "Send the side that made or makes the first move.",
    "PLAYER": "Send the side whose last move is judged.",
    "MOVING": "The arguments are played, starts, you, difficulty.",
    "JUDGING": "The arguments are played, starts, player.",
    "MOVE": "A move belongs in `played`.",
}

#  Calls, each with the error below it.
ERRORS = """
best_move {"starts": "X"}
`played` is missing. $LIST

best_move {"played": null, "starts": "null"}
`played` is missing. $LIST `starts` is missing. $STARTS

judge_move {"played": [4]}
`starts` is missing. $STARTS `player` is missing. $PLAYER

best_move {"played": [4], "starts": "X", "player": "O"}
`player` is not an argument of this tool. $MOVING

best_move {"played": "hello", "starts": "X"}
`played` must be an array, not "hello". $LIST

best_move {"played": "]4[", "starts": "X"}
`played` must be an array, not "]4[". $LIST

best_move {"played": {"played": [4], "starts": "X"}, "starts": "X"}
`played` must be an array, not {"played": ..., "starts": ...}. $LIST

best_move {"played": [true, 17], "starts": "X"}
Move 1 in `played` must be an integer from 0 to 8, not true. $LIST

best_move {"played": ["9", 10], "starts": "X"}
Move 1 in `played` must be an integer from 0 to 8, without quotes, not "9". $LIST

best_move {"played": [["X", "", {"cell": 4}]], "starts": "X"}
Move 1 in `played` must be an integer from 0 to 8, not ["X", "", {"cell": ...}]. $LIST

best_move {"played": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0], "starts": "X"}
`played` must have 0 to 9 items, not 10: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]. $LIST

judge_move {"played": [], "starts": "X", "player": "X"}
`played` must have 1 to 9 items, not 0: []. $ORDER

best_move {"played": [0, 3, 1, 4, 2, 8], "starts": "X"}
`played` has an illegal move. The game was over before move 6: X had won. No move may follow.

best_move {"played": [4, 4], "starts": "X"}
`played` has an illegal move. Move 2 plays cell 4, but X took it at move 1.
Free cells: 0, 1, 2, 3, 5, 6, 7, 8.

best_move {"played": [4], "starts": "Z", "you": "O"}
`starts` must be the letter of a side, not "Z". $STARTS

best_move {"played": [], "starts": "X", "you": "user"}
`you` must be the letter of a side, not "user".

best_move {"played": [], "starts": "X", "difficulty": 3}
`difficulty` must be "perfect", "hard", "medium" or "easy", not 3.

best_move {"played": [4, 0], "starts": "O", "you": "X"}
`you` is X, but it is O's turn after [4, 0] in a game that O starts.
Either your next move is already in `played`, or the other side's last move is missing in it,
or `starts` or `you` is wrong.

best_move {"played": [0, 4], "starts": "X", "qzx": 8}
`qzx` is not an argument of this tool. $MOVING $MOVE

best_move {"played": [0, 4], "starts": "X", "level": "easy"}
`level` is not an argument of this tool. $MOVING

best_move {"played": [0, 4], "starts": "X", "{\\"cells\\": [4]}": 8}
`{\\"cells\\": [4]}` is not an argument of this tool. $MOVING $MOVE

best_move {"played": [0, 4], "starts": "X", "action": 8}
`action` is not an argument of this tool. $MOVING $MOVE

best_move {"qzx": {"played": [4]}, "qzy": {}}
`played` is missing. $LIST `starts` is missing. $STARTS
`qzx` is not an argument of this tool. $MOVING `qzy` is not an argument of this tool. $MOVE

judge_move {"played": [4], "starts": "X", "player": "O"}
`player` is O, but O has made no move after [4] in a game that X starts.
Either a move is missing in `played`, or `starts` or `player` is wrong.

judge_move {"played": [4], "starts": "X", "player": "X", "you": "O"}
`you` is not an argument of this tool. $JUDGING
"""


@pytest.mark.parametrize("entry", ERRORS.strip().split("\n\n"))
def test_an_error_says_what_was_sent_and_what_is_expected(entry: str) -> None:
    """An error is a text without fields: what is wrong, what is expected, how cells are numbered.

    The numbering is only in errors about cells, which name `played`.
    """
    call, *lines = entry.splitlines()
    message = Template(" ".join(lines)).substitute(PHRASES)
    tool, _, sent = call.partition(" ")
    result = called(tool, **json.loads(sent))
    assert result["isError"]
    assert "structuredContent" not in result
    if "`played`" in message:
        message += f" {NUMBERING}"
    assert result["content"][0]["text"] == message
