"""Request models: which requests are accepted, and which errors all others get."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from best_move.web.api.requests import BestMoveRequest
from tests.truth import golden, referee
from tests.web.conftest import GOOD, Post, problem, timeless

INVALID = {
    "no board": (
        {"played": [0, 4]},
        "#/board",
        "missing_field",
        '`board` is missing. Send the cells row by row, such as "X...O....". A new game is ',
    ),
    "a cell out of range": (
        GOOD | {"played": [1, 9]},
        "#/played/1",
        "wrong_value",
        "must be an integer from 0 to 8, not ",
    ),
    "a mark for a cell": (
        GOOD | {"played": ["X"]},
        "#/played/0",
        "wrong_type",
        "must be an integer from 0 to 8, not ",
    ),
    "a game in a string": (
        GOOD | {"played": "1,2"},
        "#/played",
        "wrong_type",
        'must be an array, not "1,2". Send cells in',
    ),
    "ten moves": (
        GOOD | {"played": [*range(9), 0]},
        "#/played",
        "wrong_length",
        "must have 0 to 9 items, not 10: [",
    ),
    "eight characters": (
        {"board": "X...O..."},
        "#/board",
        "wrong_length",
        "must have 9 cells, not 8",
    ),
    "ten characters": (
        {"board": "X...O....."},
        "#/board",
        "wrong_length",
        "must have 9 cells, not 10",
    ),
    "a trailing newline": (
        {"board": "X...O....\n"},
        "#/board",
        "wrong_length",
        "must have 9 cells, not 10",
    ),
    "a newline as a cell": (
        {"board": "X...O...\n"},
        "#/board",
        "wrong_character",
        r'Cell 8 of the board "X...O...\n" holds "\n".',
    ),
    "a foreign character": (
        {"board": "X...Q...."},
        "#/board",
        "wrong_character",
        'Cell 4 of the board "X...Q...." holds "Q".',
    ),
    "a zero for an O": (
        {"board": "X...0...."},
        "#/board",
        "wrong_character",
        'Cell 4 of the board "X...0...." holds "0".',
    ),
    "a Greek X": (
        {"board": "\u03a7...O...."},
        "#/board",
        "wrong_character",
        'holds "\u03a7" (U+03A7).',
    ),
    "an astral character": (
        {"board": "😀...O...."},
        "#/board",
        "wrong_character",
        'holds "😀" (U+1F600).',
    ),
    "a null board": (
        {"board": None},
        "#/board",
        "missing_field",
        "`board` is missing. Send the cells",
    ),
    "a number for a board": ({"board": 123456789}, "#/board", "wrong_type", "Send the cells"),
    "an object for a board": ({"board": {"0": "X"}}, "#/board", "wrong_type", "Send the cells"),
    "a lower-case side": (
        GOOD | {"starts": "x"},
        "#/starts",
        "wrong_value",
        'must be "X" or "O", not "x".',
    ),
    "a side in a list": (
        GOOD | {"starts": ["X"]},
        "#/starts",
        "wrong_value",
        'must be "X" or "O", not ["X"].',
    ),
    "a side as an object": (
        GOOD | {"starts": {}},
        "#/starts",
        "wrong_value",
        '"X" or "O", not {}.',
    ),
    "an unknown algorithm": (
        GOOD | {"algorithm": "a*"},
        "#/algorithm",
        "wrong_value",
        '"minimax", "alphabeta"',
    ),
    "an unknown scoring": (
        GOOD | {"scoring": "plies"},
        "#/scoring",
        "wrong_value",
        '"distance" or "outcome", not "plies".',
    ),
    "depth zero": (
        GOOD | {"max_depth": 0},
        "#/max_depth",
        "wrong_value",
        "must be an integer from 1 to 9, not ",
    ),
    "depth ten": (
        GOOD | {"max_depth": 10},
        "#/max_depth",
        "wrong_value",
        "must be an integer from 1 to 9, not ",
    ),
    "a huge depth": (
        GOOD | {"max_depth": 10**300},
        "#/max_depth",
        "wrong_value",
        "must be an integer from 1 to 9, not ",
    ),
    "half a ply": (
        GOOD | {"max_depth": 2.5},
        "#/max_depth",
        "wrong_type",
        "must be an integer from 1 to 9, not ",
    ),
    "a depth in quotes": (
        GOOD | {"max_depth": "9"},
        "#/max_depth",
        "wrong_type",
        'must be an integer from 1 to 9, without quotes, not "9".',
    ),
    "a true depth": (
        GOOD | {"max_depth": True},
        "#/max_depth",
        "wrong_type",
        "must be an integer from 1 to 9, not ",
    ),
    "a number for a boolean": (
        GOOD | {"analysis": 1},
        "#/analysis",
        "wrong_type",
        "must be true or false, in lower",
    ),
    "a boolean in quotes": (
        GOOD | {"analysis": "true"},
        "#/analysis",
        "wrong_type",
        'without quotes, not "true".',
    ),
    "an unknown level": (
        GOOD | {"difficulty": "hell"},
        "#/difficulty",
        "wrong_value",
        '"perfect", "hard", "medium"',
    ),
    "an unknown tie-break": (
        GOOD | {"tie_break": "last"},
        "#/tie_break",
        "wrong_value",
        '"trap" or "best_odds", not "last".',
    ),
    "a negative seed": (
        GOOD | {"seed": -1},
        "#/seed",
        "wrong_value",
        "must be an integer from 0 to 9007199254740991, not ",
    ),
    "a seed too large": (
        GOOD | {"seed": 2**53},
        "#/seed",
        "wrong_value",
        "must be an integer from 0 to 9007199254740991, not ",
    ),
    "a misspelled name": (
        GOOD | {"Algo-Rithm": "minimax"},
        "#/Algo-Rithm",
        "unknown_field",
        "Did you mean `algorithm`?",
    ),
    "a null for a foreign name": (
        GOOD | {"zzz": None},
        "#/zzz",
        "unknown_field",
        "The fields are board, starts, played",
    ),
    "a foreign name": (
        GOOD | {"zzz": 1},
        "#/zzz",
        "unknown_field",
        "The fields are board, starts, played",
    ),
    "the side to move": (
        GOOD | {"to_move": "X"},
        "#/to_move",
        "unknown_field",
        "tie_break, seed. Whose turn it is follows from the marks and `starts`.",
    ),
    "a name with a slash": (
        GOOD | {"a/b~c": 1},
        "#/a~1b~0c",
        "unknown_field",
        "`a/b~c` is not a field",
    ),
    "an empty name": (GOOD | {"": 1}, "#/", "unknown_field", "is not a field"),
    "an array": (
        [GOOD],
        "#",
        "wrong_type",
        'must be a JSON object, not [{"board": "X...O...."}]. Send a request such as {"board": ',
    ),
    "a string": ("X...O....", "#", "wrong_type", 'must be a JSON object, not "X...O....".'),
    "null": (None, "#", "wrong_type", "The request must be a JSON object, not null."),
    "not a number": (
        b'{"board":"X...O....","max_depth":NaN}',
        "#/max_depth",
        "wrong_type",
        "must be an integer from 1 to 9, not ",
    ),
    "infinity": (
        b'{"board":"X...O....","max_depth":Infinity}',
        "#/max_depth",
        "wrong_type",
        "must be an integer from 1 to 9, not ",
    ),
    "beyond a float": (
        b'{"board":"X...O....","max_depth":1e400}',
        "#/max_depth",
        "wrong_type",
        "must be an integer from 1 to 9, not ",
    ),
    "a board of NaN": (b'{"board":NaN}', "#/board", "wrong_type", "Send the cells"),
    "a long string": (
        GOOD | {"max_depth": "x" * 41},
        "#/max_depth",
        "wrong_type",
        f'not "{"x" * 38}….',
    ),
    "a repeated name": (
        b'{"board":"X...O....","board":"........."}',
        "#",
        "repeated_field",
        "`board` is repeated. Send it once.",
    ),
    "a repeated name in a value": (
        b'{"board":{"a":1,"a":2}}',
        "#",
        "repeated_field",
        "`a` is repeated.",
    ),
}


@pytest.mark.parametrize(("body", "pointer", "code", "advice"), INVALID.values(), ids=INVALID)
def test_a_body_that_does_not_match_the_schema_gets_a_400(
    post: Post, body: object, pointer: str, code: str, advice: str
) -> None:
    """The error has a pointer to the field, a code, and advice on what to send."""
    found = problem(post(body), 400, "invalid_request")
    assert [(error["pointer"], error["code"]) for error in found["errors"]] == [(pointer, code)]
    assert advice in found["errors"][0]["detail"]
    assert found["detail"] == found["errors"][0]["detail"]


QUERIES = {
    "nothing": ("", "#/board", "missing_field"),
    "an empty board": ("board=", "#/board", "missing_field"),
    "moves without a board": ("played=0,4", "#/board", "missing_field"),
    "moves with a hole": ("board=X...O....&played=1,,2", "#/played/1", "wrong_type"),
    "moves with other separators": ("board=X...O....&played=1;2", "#/played/0", "wrong_type"),
    "a move out of range": ("board=X...O....&played=9", "#/played/0", "wrong_value"),
    "a misspelled name": ("board=X...O....&algoritm=minimax", "#/algoritm", "unknown_field"),
    "a repeated name": ("board=X...O....&board=.........", "#/board", "repeated_field"),
    "a name repeated alike": (
        "board=X...O....&max_depth=2&max_depth=2",
        "#/max_depth",
        "repeated_field",
    ),
    "an upper-case name": ("Board=X...O....&board=X...O....", "#/Board", "unknown_field"),
    "a depth in words": ("board=X...O....&max_depth=two", "#/max_depth", "wrong_type"),
    "a signed depth": ("board=X...O....&max_depth=%2B2", "#/max_depth", "wrong_type"),
    "a depth with a point": ("board=X...O....&max_depth=2.0", "#/max_depth", "wrong_type"),
    "a depth with a space": ("board=X...O....&max_depth=%202", "#/max_depth", "wrong_type"),
    "a depth in Arabic digits": ("board=X...O....&max_depth=%D9%A2", "#/max_depth", "wrong_type"),
    "a depth with a leading zero": ("board=X...O....&max_depth=04", "#/max_depth", "wrong_type"),
    "moves without commas": ("board=X...O....&played=08", "#/played/0", "wrong_type"),
    "an empty boolean": ("board=X...O....&analysis=", "#/analysis", "wrong_type"),
    "a bare flag": ("board=X...O....&analysis", "#/analysis", "wrong_type"),
    "a depth of many digits": (
        "board=X...O....&max_depth=" + "9" * 4000,
        "#/max_depth",
        "wrong_value",
    ),
    "a depth of too many digits to read": (
        "board=X...O....&max_depth=" + "9" * 5000,
        "#/max_depth",
        "wrong_type",
    ),
    "a depth out of range": ("board=X...O....&max_depth=10", "#/max_depth", "wrong_value"),
    "a boolean as a number": ("board=X...O....&analysis=1", "#/analysis", "wrong_type"),
    "a boolean as a word": ("board=X...O....&analysis=yes", "#/analysis", "wrong_type"),
    "a capital boolean": ("board=X...O....&analysis=True", "#/analysis", "wrong_type"),
    "a repeated empty name": ("board=X...O....&seed=&seed=7", "#/seed", "repeated_field"),
    "an unknown empty name": ("board=X...O....&sead=", "#/sead", "unknown_field"),
    "bytes that are not UTF-8": ("board=%FF...O....", "#/board", "wrong_character"),
    "a board with a null": ("board=%00...O....", "#/board", "wrong_character"),
}


@pytest.mark.parametrize(("query", "pointer", "code"), QUERIES.values(), ids=QUERIES)
def test_a_query_that_does_not_match_the_schema_gets_a_400(
    client: FlaskClient, query: str, pointer: str, code: str
) -> None:
    """The error has a pointer to the parameter, and a code."""
    found = problem(client.get(f"/best-move?{query}"), 400, "invalid_request")
    assert [(error["pointer"], error["code"]) for error in found["errors"]] == [(pointer, code)]


@pytest.mark.parametrize(
    ("name", "range_"), [("max_depth", "1 to 9"), ("seed", "0 to 9007199254740991")]
)
@pytest.mark.parametrize("number", [-1, 2**53, 10**40])
def test_an_integer_out_of_range_gets_the_same_error_in_query_and_body(
    client: FlaskClient, post: Post, name: str, range_: str, number: int
) -> None:
    """The detail names the range and the number sent."""
    fields = GOOD | {name: number}
    in_body = problem(post(fields), 400, "invalid_request")
    shown = str(number) if number < 10**40 else "1" + "0" * 38 + "…"
    assert in_body["detail"] == f"`{name}` must be an integer from {range_}, not {shown}."
    assert problem(client.get("/best-move", query_string=fields), 400, "invalid_request") == in_body


def test_null_counts_as_omitted(post: Post) -> None:
    """An optional field that is null counts as omitted, also in a batch."""
    optional = dict.fromkeys(set(BestMoveRequest.model_fields) - {"board"})
    expected = timeless(post(GOOD).get_json())
    assert timeless(post(GOOD | optional).get_json()) == expected
    assert (
        timeless(
            post({"requests": [GOOD | optional]}, "/best-moves").get_json()["results"][0]["answer"]
        )
        == expected
    )
    game = GOOD | {"played": [1]}
    assert (
        post(game | {"starts": None, "scoring": None}, "/game-review").data
        == post(game, "/game-review").data
    )


EMPTY = {"board": "........."}
GAMES = {
    "a new game": (EMPTY, [], EMPTY),
    "X started": (EMPTY, [0, 4, 1], {"board": "XX..O....", "starts": "X"}),
    "O started, and is to move": (
        EMPTY | {"starts": "O"},
        [0, 4],
        {"board": "O...X....", "starts": "O"},
    ),
    "O started, and X is to move": (EMPTY | {"starts": "O"}, [0], {"board": "O........"}),
    "from a board": (GOOD, [8, 2], {"board": "X.O.O...X", "starts": "X"}),
    "from a board with O to move": (GOOD | {"starts": "O"}, [8], {"board": "X...O...O"}),
    "from a board with more marks of O": (
        {"board": "O........"},
        [8],
        {"board": "O.......X", "starts": "O"},
    ),
    "to the end": (EMPTY, [0, 3, 1, 4, 2], {"board": "XXXOO...."}),
}


@pytest.mark.parametrize(("start", "played", "board"), GAMES.values(), ids=GAMES)
def test_moves_are_played_from_the_board(
    client: FlaskClient, post: Post, start: dict[str, Any], played: list[int], board: dict[str, str]
) -> None:
    """In a body, query or batch, a board with moves gets the response for the board after them."""
    expected = timeless(post(board).get_json())
    in_query = client.get("/best-move", query_string=start | {"played": ",".join(map(str, played))})
    in_batch = post({"requests": [start | {"played": played}]}, "/best-moves")
    assert timeless(post(start | {"played": played}).get_json()) == expected
    assert timeless(in_query.get_json()) == expected
    assert timeless(in_batch.get_json()["results"][0]["answer"]) == expected


@pytest.mark.parametrize("side", ["X", "O"])
def test_starts_is_the_side_that_made_the_first_move(
    client: FlaskClient, post: Post, side: str
) -> None:
    """On every path, `starts` says whose the marks are, and whose turn it is."""
    for count in range(1, 10):
        fields: dict[str, Any] = EMPTY | {"starts": side, "played": golden.PUBLISHED_GAME[:count]}
        mover = referee.opponent(side) if count % 2 == 0 else side
        position = post(fields).get_json()["position"]
        assert (position["starts"], position["to_move"]) == (side, referee.opponent(mover))
        assert position["board"][golden.PUBLISHED_GAME[count - 1]] == mover
        reviewed = post(fields, "/game-review").get_json()
        assert (reviewed["position"], reviewed["moves"][-1]["player"]) == (position, mover)
        query = fields | {"played": ",".join(map(str, fields["played"]))}
        tree = client.get("/search-tree", query_string=query).get_json()
        assert tree["maximizer"] == referee.opponent(mover)
        drawn = {"board": position["board"]}
        assert (
            client.get("/board.svg", query_string=query).data
            == client.get("/board.svg", query_string=drawn).data
        )


def test_the_starting_side_is_inferred_or_checked(post: Post) -> None:
    """On every legal board, X started unless the marks show that only O can have started.

    A side that cannot have started gets an error.
    """
    starters: dict[str, set[str]] = {}
    for board, to_move in referee.reachable():
        starters.setdefault(board, set()).add(referee.starter(board, to_move))
    for board, possible in sorted(starters.items())[::7]:
        assert post({"board": board}).get_json()["position"]["starts"] == max(possible)
        for side in {"X", "O"} - possible:
            found = problem(post({"board": board, "starts": side}), 422, "illegal_position")
            assert [each["code"] for each in found["errors"]] == ["wrong_starting_side"]
