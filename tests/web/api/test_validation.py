"""Validation errors: they are reported together, with the field that an unknown name probably means."""

import json
import re
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from itertools import cycle, product
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from best_move.web.api.requests import (
    BestMoveRequest,
    BestMovesRequest,
    PlayerReviewRequest,
    SearchTreeRequest,
)
from best_move.web.api.validation import (
    MAX_ERRORS,
    InvalidRequestError,
    Request,
    describe_errors,
    field_meant,
    fields_of,
    read,
)
from best_move.web.chatbots.arguments import BestMoveArguments, JudgeMoveArguments
from tests.openapi import BODIES, QUERIES
from tests.referee import reachable
from tests.web.conftest import GOOD, Post, one_letter_off, problem


def described(form: type[Request], fields: object) -> str:
    """Return the errors of a request in words."""
    with pytest.raises(InvalidRequestError) as raised:
        read(form, fields)
    return describe_errors(raised.value)[0]


def test_errors_are_reported_together(post: Post) -> None:
    """The response has the error of each field."""
    found = problem(post({"board": 1, "max_depth": 0, "zzz": 1}), 400, "invalid_request")
    assert [error["pointer"] for error in found["errors"]] == ["#/board", "#/max_depth", "#/zzz"]


@pytest.mark.parametrize(
    ("count", "more"), [(1, 0), (MAX_ERRORS, 0), (MAX_ERRORS + 1, 1), (3000, 3000 - MAX_ERRORS)]
)
def test_the_number_of_reported_errors_is_limited(post: Post, count: int, more: int) -> None:
    """Beyond a limit errors are only counted, and the fields are listed once."""
    found = problem(post(GOOD | {f"zz{n}": n for n in range(count)}), 400, "invalid_request")
    assert len(found["errors"]) == count - more
    assert found["detail"].endswith(f" And {more} more." if more else ".")
    assert found["detail"].count("The fields are board, to_move,") == 1


@pytest.mark.parametrize(
    ("length", "quoted"), [(40, "`" + "z" * 40 + "`"), (41, "`" + "z" * 39 + "…`")]
)
def test_a_long_name_is_truncated_in_the_message(post: Post, length: int, quoted: str) -> None:
    """The message quotes a name of 40 characters in full and truncates a longer one to 40 characters."""
    found = problem(post(GOOD | {"z" * length: 1}), 400, "invalid_request")
    assert found["detail"].startswith(f"{quoted} is not a field")
    assert found["errors"][0]["pointer"] == "#/" + "z" * length


def test_only_a_few_short_unknown_names_are_compared(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only names in described errors are compared with the fields, and no long ones, because comparisons are slow."""
    compared: list[str] = []

    def compare(name: str, *args: Any) -> list[str]:
        compared.append(name)
        return get_close_matches(name, *args)

    monkeypatch.setattr("best_move.web.api.validation.get_close_matches", compare)
    found = problem(post(GOOD | {f"algoritm{n}": n for n in range(3000)}), 400, "invalid_request")
    assert compared == [f"algoritm{n}" for n in range(MAX_ERRORS)]
    assert found["detail"].count("Did you mean `algorithm`?") == MAX_ERRORS
    problem(post(GOOD | {"algorithm" * 1000: 1}), 400, "invalid_request")
    assert len(compared) == MAX_ERRORS


BOARDS = {"cells", "position", "state"}
MOVES = {"cell", "game", "history", "move", "moves"}
SIDES = {"mark", "player", "side", "turn"}
LEVELS = {"level", "mode", "skill", "strength"}
STARTERS = {"first", "first_player", "starter", "starting_player"}

#  Wrong names that clients and models guess, by the field that they mean.
MEANT: dict[type[Request], dict[str, set[str]]] = {
    BestMoveRequest: {"board": BOARDS, "played": MOVES, "to_move": SIDES, "difficulty": LEVELS},
    SearchTreeRequest: {"board": BOARDS, "played": MOVES, "to_move": SIDES},
    PlayerReviewRequest: {"side": {"mark", "player", "to_move", "you"}},
    BestMoveArguments: {
        "played": {"board"} | BOARDS | MOVES,
        "starts": STARTERS,
        "you": {"mark", "me", "my_side", "player", "side", "symbol", "your_mark"},
        "difficulty": LEVELS,
    },
}


@pytest.mark.parametrize("form", MEANT)
def test_a_wrong_name_that_clients_often_use_gets_a_suggestion(form: type[Request]) -> None:
    """For a wrong name that clients or models guess, in any spelling, the error names the right field."""
    for field, names in MEANT[form].items():
        for name in names.union(*map(spellings, names)):
            assert f"`{name}` {form.unknown}. Did you mean `{field}`?" in described(form, {name: 1})


def spellings(name: str) -> set[str]:
    """Return the name in the spellings of programming languages, and as some clients write the name of a list."""
    words = name.split("_")
    pascal = "".join(map(str.capitalize, words))
    camel = pascal[0].lower() + pascal[1:]
    found = {
        name,
        pascal,
        camel,
        "-".join(words),
        "".join(words),
        " ".join(words),
        f"{name}[]",
        f"{name}[0]",
    }
    return found.union(map(str.upper, found)) - {name}


MODELS = dict.fromkeys([*QUERIES.values(), *BODIES.values(), BestMoveArguments, JudgeMoveArguments])


@pytest.mark.parametrize("form", MODELS)
def test_a_name_that_is_one_letter_off_gets_its_field_as_the_suggestion(
    form: type[Request],
) -> None:
    """The suggestion for a name one letter off a field is that field, unless it is itself a word for another."""
    for field in form.model_fields:
        names = one_letter_off(field) - {*form.model_fields, "player"}
        for name in names if len(field) > 3 else {each for each in names if len(each) != 3}:
            assert field_meant(name, form) == field, name


def suggested(response: TestResponse) -> list[str]:
    """Return the fields that the error response suggests."""
    return re.findall("Did you mean `(.*?)`", problem(response, 400, "invalid_request")["detail"])


def test_each_spelling_of_a_field_gets_the_field_as_the_only_suggestion(
    client: FlaskClient, post: Post
) -> None:
    """On each path, in a query, a body or a batch, once or repeated, a misspelled name gets its field as suggestion."""
    for path, form in QUERIES.items():
        for field in form.model_fields:
            for name in spellings(field):
                for values in ("1", ["0", "4"]):
                    assert suggested(client.get(path, query_string={name: values})) == [field], (
                        path,
                        name,
                    )
    for path, body in BODIES.items():
        for field in body.model_fields:
            for name in spellings(field):
                assert suggested(post({name: 1}, path)) == [field], (path, name)
    for field in BestMoveRequest.model_fields:
        for name in spellings(field):
            assert suggested(post({"requests": [GOOD, {name: 1}]}, "/best-moves")) == [field], name


def test_a_list_by_the_name_that_clients_give_it_gets_the_form_to_send(client: FlaskClient) -> None:
    """The error for `played[]`, as some clients write a list, shows the form of `played` in a query."""
    response = client.get("/best-move?board=X...O....&played[]=1&played[]=2")
    assert problem(response, 400, "invalid_request")["detail"] == (
        "`played[]` is not a field of this request. Did you mean `played`? "
        "Send cells in the order of the moves, such as `0,4,1`."
    )


def test_each_of_several_wrong_names_has_its_advice() -> None:
    """Each wrong name is followed by its suggestion, even if two mean the same field."""
    wrong = {"Board": "X...O....", "Played": [], "moves": [], "zzz": 1, "yyy": 2}
    assert described(BestMoveRequest, wrong).endswith(
        "`Board` is not a field of this request. Did you mean `board`? "
        "`Played` is not a field of this request. Did you mean `played`? "
        "`moves` is not a field of this request. Did you mean `played`? "
        "`zzz` is not a field of this request. The fields are board, to_move, played, algorithm, scoring, max_depth, "
        "analysis, difficulty, tie_break, seed. `yyy` is not a field of this request."
    )


def test_a_name_of_three_letters_gets_no_suggestion() -> None:
    """Three letters are too few to compare: `bar` does not mean `board`."""
    assert "`bar` is not a field of this request. The fields are board, " in described(
        BestMoveRequest, {"bar": 2}
    )


def test_an_error_in_a_list_counts_moves_from_1() -> None:
    """An error in a list of moves counts the moves from 1, as errors about the rules of the game do."""
    assert described(BestMoveRequest, GOOD | {"played": [1, 9]}).startswith(
        "Move 2 in `played` must be an integer"
    )
    assert described(BestMovesRequest, {"requests": [GOOD | {"played": ["X"]}]}).startswith(
        'In item 0 of `requests`: Move 1 in `played` must be an integer from 0 to 8, not "X".'
    )


@pytest.mark.parametrize("form", [BestMoveRequest, SearchTreeRequest])
def test_a_number_or_a_boolean_in_quotes_is_to_be_sent_without_quotes(form: type[Request]) -> None:
    """For a text, the error says to omit the quotes exactly if the text in them is of the right type."""
    for field, schema in fields_of(form).items():
        names = {"integer": ["0", "-1", "17"], "boolean": ["true", "FALSE"]}.get(
            str(schema.get("type")), []
        )
        for sent in ["0", "-1", "17", "true", "FALSE", "1.5", "zzz", ""] if names else ():
            detail = described(form, GOOD | {field: sent})
            assert (f', without quotes, not "{sent}".' in detail) == (sent in names), detail


def rows(cells: Any) -> list[Any]:
    """Return nine cells as three rows."""
    return [cells[start : start + 3] for start in (0, 3, 6)]


#  What programs write for an empty cell, and how they write the nine cells, as a list or as a text.
SPELLINGS: list[tuple[str | None, Callable[[Any], object]]] = [
    *product(
        (None, "", ".", "-", "_", " "),
        (
            list,
            rows,
            str,
            json.dumps,
            lambda cells: {"cells": cells},
            lambda cells: dict(zip("012345678", cells, strict=True)),
            lambda cells: json.dumps(rows(cells)),
            lambda cells: str(rows(cells)),
        ),
    ),
    *product(("", ".", "-", "_", " "), (",".join, "|".join, ", ".join, " | ".join)),
    *product(
        (".", "-", "_", " "),
        (
            *(
                lambda cells, sign=sign: sign.join(map("".join, rows(cells)))
                for sign in ("\n", "\r\n", "/", "|", ",")
            ),
            lambda cells: [*map("".join, rows(cells))],
            lambda cells: "".join(f"|{'|'.join(row)}|\n" for row in rows(cells)),
            lambda cells: "\n".join(map(" | ".join, rows(cells))),
            *(
                lambda cells, form=form: form.format("".join(cells))
                for form in ("{}", '"{}"', "'{}'", "{}\n")
            ),
            lambda cells: "".join(cells).lower(),
        ),
    ),
    *product(
        (".", "-", "_"),
        (
            " ".join,
            "  ".join,
            lambda cells: " ".join(map("".join, rows(cells))),
            lambda cells: f" {''.join(cells)} ",
        ),
    ),
]


def test_a_board_in_another_spelling_gets_the_string_to_send() -> None:
    """For each legal board, in one of the spellings that have nine cells, the error has exactly its string."""
    for (board, _), (empty, write) in zip(sorted(reachable()), cycle(SPELLINGS), strict=False):
        spelled = write([empty if cell == "." else cell for cell in board])
        if spelled != board:
            assert described(BestMoveRequest, {"board": spelled}).endswith(f' Send "{board}".'), (
                spelled
            )


def test_a_board_whose_cells_are_repeated_parameters_gets_the_string_to_send(
    client: FlaskClient,
) -> None:
    """The error for nine parameters `board`, as some clients write a list, has the string."""
    response = client.get("/best-move", query_string={"board": ["X", *"..", "", "O", *"----"]})
    found = problem(response, 400, "invalid_request")
    assert found["detail"] == "`board` is repeated. Send `X...O....` once."
    assert found["errors"][0]["pointer"] == "#/board"


@pytest.mark.parametrize(
    "board",
    [
        "",
        "X",
        "X...O...",
        "xo",
        [],
        [""] * 8,
        [""] * 10,
        [[""] * 3] * 2,
        ["...", "..."],
        [0] * 9,
        {"0": "X"},
        1.5,
    ],
)
def test_a_board_that_does_not_have_nine_cells_gets_the_form(board: object) -> None:
    """The error for a value that cannot be read as nine cells has an example."""
    form = 'Send the cells row by row, such as "X...O....". A new game is ".........".'
    assert described(BestMoveRequest, {"board": board}).endswith(f". {form}")
    assert described(BestMoveRequest, {"board": "X.XO.....X.O" * 100}).endswith(f". {form}")


#  A complete request to each path. On its board, and on those in errors, the moves in errors are legal.
BOARD = {"board": "..X..XOO."}
REQUESTS: dict[str, dict[str, Any]] = {
    "/best-move": BOARD,
    "/game-review": BOARD | {"played": [1]},
    "/search-tree": BOARD,
    "/board.svg": BOARD,
    "/board.png": BOARD,
    "/best-moves": {"requests": [BOARD]},
    "/player-review": {"side": "X", "moves": {}, "frequencies": {}},
}
WRONG: list[Any] = [None, "zzz", "", 7.5, -1, 10**17, [], [9], ["x"], [[]], {}, True, "true", "0;4"]


def shown_in_words(detail: str) -> Iterator[object]:
    """Yield the values that an error names without quotes: the ends of a range, or the booleans."""
    yield from map(int, next(iter(re.findall(r"from (-?\d+) to (\d+)", detail)), ()))
    yield from (True, False) if "be true or false" in detail else ()


def shown_in_body(detail: str) -> Iterator[object]:
    """Yield the JSON values that an error shows, without the value sent."""
    yield from shown_in_words(detail)
    detail, position = re.sub(r', not ("[^"]*"|[^ ]+)', "", detail), 0
    while found := re.compile(r'["\[{]').search(detail, position):
        value, position = json.JSONDecoder().raw_decode(detail, found.start())
        yield value


def corrected(body: Any, path: list[str], shown: Any, form: type[Request]) -> Any:
    """Return a body with the value that an error shows in its place; the value may be a complete body."""
    if not path or (isinstance(shown, dict) and shown.keys() <= form.model_fields.keys()):
        return shown
    if isinstance(body, list):
        return [corrected(body[0], path[1:], shown, form)]
    return body | {path[0]: corrected(body.get(path[0]), path[1:], shown, form)}


@pytest.mark.parametrize("path", BODIES)
def test_a_form_that_an_error_in_a_body_shows_is_accepted(post: Post, path: str) -> None:
    """The request is accepted with any value that the error shows in place of the wrong value."""
    form, request = BODIES[path], REQUESTS[path]
    fields: list[Any] = [
        request | {field: value} for field, value in product(form.model_fields, WRONG)
    ]
    items = [{"requests": [value]} for value in WRONG] if path == "/best-moves" else []
    for body in (*fields, *items, *WRONG):
        errors = post(body, path).get_json().get("errors", [])
        for shown in shown_in_body(errors[0]["detail"]) if len(errors) == 1 else ():
            sent = corrected(body, errors[0]["pointer"].split("/")[1:], shown, form)
            assert post(sent, path).status_code == 200, (errors, sent)


@pytest.mark.parametrize("path", QUERIES)
def test_a_form_that_an_error_in_a_query_shows_is_accepted(client: FlaskClient, path: str) -> None:
    """The request is accepted with any text that the error shows in place of the wrong text."""
    request = {name: value if name == "board" else "1" for name, value in REQUESTS[path].items()}
    for field, text in product(
        QUERIES[path].model_fields, ["zzz", "-1", "1" * 17, "0;4", "[0,4]", "Yes", "x........"]
    ):
        response = client.get(path, query_string=request | {field: text})
        if response.status_code == 400:
            detail = response.get_json()["detail"]
            texts = {*re.findall("`(.*?)`", detail)} - {field}
            for shown in (*texts, *(str(value).lower() for value in shown_in_words(detail))):
                assert client.get(path, query_string=request | {field: shown}).status_code == 200, (
                    detail,
                    shown,
                )
