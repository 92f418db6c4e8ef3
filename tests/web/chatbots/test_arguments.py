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
    schema_of,
)
from tests.web.chatbots.messages import called


@pytest.mark.parametrize("form", [BestMoveArguments, JudgeMoveArguments])
def test_a_schema_has_only_keywords_that_every_client_accepts(form: type[Arguments]) -> None:
    """A schema is a plain object without references, alternatives, defaults or lists of types.

    Clients with strict function calling, and those of Gemini, reject other keywords or the tool.
    """
    schema = schema_of(form)
    fields = schema.pop("properties")
    assert schema == {"type": "object", "required": ["played"]}
    for field in fields.values():
        assert 0 < len(field.pop("description")) <= 200
    cells = {"type": "integer", "minimum": 0, "maximum": 8}
    least = {"minItems": 1} if form is JudgeMoveArguments else {}
    assert fields.pop("played") == {"type": "array", "items": cells, "maxItems": 9, **least}
    for name, field in fields.items():
        words = [*RATES] if name == "difficulty" else ["X", "O"]
        assert field == {"type": "string", "enum": words}


#  What is sent, and what it means.
ACCEPTED = """
{"played": [4], "starts": null, "you": null, "difficulty": null} -> {"played": [4]}
{"played": [4], "starts": "", "you": "None", "difficulty": "null"} -> {"played": [4]}
{"played": [], "starts": " o", "you": "x", "difficulty": "Easy "} -> \
{"played": [], "starts": "O", "you": "X", "difficulty": "easy"}
{"played": [4.0]} -> {"played": [4]}
{"played": "[4, 0]"} -> {"played": [4, 0]}
{"arguments": {"played": [4], "you": "O"}} -> {"played": [4], "you": "O"}
{"played": [4], "toolCallId": "call_1", "sessionId": 17, "action": "sendMessage", \
"chatInput": "I take the center."} -> {"played": [4]}
{"input": {"played": [4], "task_progress": "- [ ] 8"}, "task_progress": "- [x] 4"} -> \
{"played": [4]}
{"played": [4], "board": null} -> {"played": [4]}
"""


@pytest.mark.parametrize("line", ACCEPTED.strip().splitlines())
def test_unambiguous_spellings_of_arguments_are_accepted(line: str) -> None:
    """What cannot mean anything else is read, and what chat hosts add to calls is ignored."""
    sent, meant = map(json.loads, line.split(" -> "))
    assert read_call(BestMoveArguments, sent).model_dump(exclude_defaults=True) == meant


NUMBERING = "Cells are numbered row by row: 0 1 2 / 3 4 5 / 6 7 8."
FORM = 'For example, the game X center, O top-left, X bottom-right is {"played": [4, 0, 8]}.'
PHRASES = {
    "FORM": FORM,
    "LIST": f"List the cells played so far, in order; [] for a new game. {FORM}",
    "MOVING": "The arguments are played, starts, you, difficulty. Append a move to `played`.",
    "JUDGING": (
        "The arguments are played, starts, player. Append a move to `played`. To judge the user's "
        "move after your own, send the user's side as `player`."
    ),
}

#  Calls, each with the error below it.
ERRORS = """
best_move {}
`played` is missing. $LIST

best_move {"played": null}
`played` is missing. $LIST

best_move {"played": "hello"}
`played` must be an array, not "hello". $LIST

best_move {"played": "{}"}
`played` must be an array, not "{}". $LIST

best_move {"played": [true]}
Move 1 in `played` must be an integer from 0 to 8, not true. $FORM

best_move {"played": [9, 10]}
Move 1 in `played` must be an integer from 0 to 8, not 9. $FORM

best_move {"played": [["X", "", ""]]}
Move 1 in `played` must be an integer from 0 to 8, not ["X", "", ""]. $FORM

best_move {"played": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]}
`played` must have 0 to 9 items, not 10: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]. $LIST

judge_move {"played": []}
`played` must have 1 to 9 items, not 0: []. List the cells played so far, in order. $FORM

best_move {"played": [0, 3, 1, 4, 2, 8]}
`played` has an illegal move. The game was over before move 6: X had won.
Remove move 6 and any later ones. $FORM

best_move {"played": [4], "starts": "Z", "you": "O"}
`starts` must be "X" or "O", not "Z". If X starts, send {"played": [4], "you": "O"}.

best_move {"played": [], "you": "user"}
`you` must be "X" or "O", not "user". If your side is to move, send {"played": []}.

best_move {"played": [], "difficulty": 3}
`difficulty` must be "perfect", "hard", "medium" or "easy", not 3.
If the level is perfect, send {"played": []}.

best_move {"played": [4, 0], "starts": "X", "you": "O"}
After [4, 0] it is X's turn, but `you` is O. If you play X, send {"played": [4, 0], "you": "X"}.
If you play O, the user's move is missing: append it to `played`. Free cells: 1, 2, 3, 5, 6, 7, 8.

best_move {"played": [4, 0], "starts": "O", "you": "X"}
After [4, 0] it is O's turn, but `you` is X.
If you play O, send {"played": [4, 0], "starts": "O", "you": "O"}.
If you play X, the user's move is missing: append it to `played`. Free cells: 1, 2, 3, 5, 6, 7, 8.

best_move {"played": [], "starts": "O", "you": "X"}
Before the first move it is O's turn, but `you` is X.
If you play O, send {"played": [], "starts": "O", "you": "O"}.
If you play X, the user's move is missing: append it to `played`.
Free cells: 0, 1, 2, 3, 4, 5, 6, 7, 8.

best_move {"played": [0, 4], "qzx": 8}
`qzx` is not an argument of this tool. $MOVING
If `played` has all moves, send {"played": [0, 4]}.

best_move {"played": [0, 4], "action": 8}
`action` is not an argument of this tool. $MOVING
If `played` has all moves, send {"played": [0, 4]}.

best_move {"played": [0, 4], "you": "O", "qzx": 8}
`qzx` is not an argument of this tool. $MOVING After [0, 4] it is X's turn, but `you` is O.
If O starts, send {"played": [0, 4], "you": "O", "starts": "O"}.
If X starts and you play X, send {"played": [0, 4], "you": "X"}.
If X starts and you play O, the user's move is missing: append it to `played`.
Free cells: 1, 2, 3, 5, 6, 7, 8.

best_move {"played": [4, 4], "qzx": 8}
`qzx` is not an argument of this tool. $MOVING `played` has an illegal move.
Move 2 plays cell 4, but X took it at move 1. Free cells: 0, 1, 2, 3, 5, 6, 7, 8. $FORM

best_move {"qzx": {"played": [4]}, "qzy": {}}
`played` is missing. List the cells played so far, in order; [] for a new game.
`qzx` is not an argument of this tool. $MOVING `qzy` is not an argument of this tool. $FORM

judge_move {"played": [4], "player": "O"}
After [4] O has made no move, but `player` is O.
If O starts, send {"played": [4], "player": "O", "starts": "O"}.
If X starts and X's move is meant, send {"played": [4], "player": "X"}.

judge_move {"played": [4], "player": "X", "starts": "O"}
After [4] X has made no move, but `player` is X.
If O's move is meant, send {"played": [4], "starts": "O", "player": "O"}.

judge_move {"played": [4], "you": "X"}
`you` is not an argument of this tool. $JUDGING
If `played` has all moves and the last move is meant, send {"played": [4]}.

judge_move {"played": [4], "difficulty": "easy"}
`difficulty` is not an argument of this tool. $JUDGING
If `played` has all moves and the last move is meant, send {"played": [4]}.
"""


@pytest.mark.parametrize("entry", ERRORS.strip().split("\n\n"))
def test_an_error_says_what_was_sent_and_what_to_send(entry: str) -> None:
    """An error is a text without fields: what is wrong, the numbering, and a call to send."""
    call, *lines = entry.splitlines()
    message = Template(" ".join(lines)).substitute(PHRASES)
    tool, _, sent = call.partition(" ")
    result = called(tool, **json.loads(sent))
    assert result["isError"]
    assert "structuredContent" not in result
    assert result["content"][0]["text"] == f"{message} {NUMBERING}"
