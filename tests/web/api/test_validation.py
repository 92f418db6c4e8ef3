"""Validation errors: they are reported together, with the field that an unknown name probably means."""

from difflib import get_close_matches

import pytest

from best_move.web.api.requests import BestMoveRequest, BestMovesRequest, SearchTreeRequest
from best_move.web.api.validation import MAX_ERRORS, InvalidRequestError, Request, describe_errors, read
from best_move.web.chatbots.arguments import BestMoveArguments
from tests.web.conftest import GOOD, Post, problem


def described(form: type[Request], fields: object) -> str:
    """Return the errors of a request in words."""
    with pytest.raises(InvalidRequestError) as raised:
        read(form, fields)
    return describe_errors(raised.value)[0]


def test_errors_are_reported_together(post: Post) -> None:
    """The response has the error of each field."""
    found = problem(post({"board": 1, "max_depth": 0, "zzz": 1}), 400, "invalid_request")
    assert [error["pointer"] for error in found["errors"]] == ["#/board", "#/max_depth", "#/zzz"]


@pytest.mark.parametrize(("count", "more"), [(1, 0), (MAX_ERRORS, 0), (MAX_ERRORS + 1, 1), (3000, 3000 - MAX_ERRORS)])
def test_the_number_of_reported_errors_is_limited(post: Post, count: int, more: int) -> None:
    """Beyond a limit errors are only counted, and the fields are listed once."""
    found = problem(post(GOOD | {f"zz{n}": n for n in range(count)}), 400, "invalid_request")
    assert len(found["errors"]) == count - more
    assert found["detail"].endswith(f" And {more} more." if more else ".")
    assert found["detail"].count("The fields are board, to_move,") == 1


@pytest.mark.parametrize(("length", "quoted"), [(40, "`" + "z" * 40 + "`"), (41, "`" + "z" * 39 + "…`")])
def test_a_long_name_is_truncated_in_the_message(post: Post, length: int, quoted: str) -> None:
    """The message quotes a name of 40 characters in full and truncates a longer one to 40 characters."""
    found = problem(post(GOOD | {"z" * length: 1}), 400, "invalid_request")
    assert found["detail"].startswith(f"{quoted} is not a field")
    assert found["errors"][0]["pointer"] == "#/" + "z" * length


def test_only_the_first_short_unknown_names_are_compared(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    """At most three unknown names, none of them long, are compared with the fields, because comparisons are slow."""
    compared: list[str] = []

    def compare(name: str, fields: list[str], n: int) -> list[str]:
        compared.append(name)
        return get_close_matches(name, fields, n)

    monkeypatch.setattr("best_move.web.api.validation.get_close_matches", compare)
    found = problem(post(GOOD | {f"algoritm{n}": n for n in range(3000)}), 400, "invalid_request")
    assert compared == ["algoritm0", "algoritm1", "algoritm2"]
    assert "Did you mean `algorithm`?" in found["errors"][2]["detail"]
    assert "The fields are board" in found["errors"][3]["detail"]
    problem(post(GOOD | {"algorithm" * 1000: 1}), 400, "invalid_request")
    assert len(compared) == 3


BOARDS = {"cells", "position", "state"}
MOVES = {"cell", "game", "history", "move", "moves"}
SIDES = {"mark", "player", "side", "turn"}
LEVELS = {"level", "mode", "skill", "strength"}
STARTERS = {"first", "first_player", "starter", "starting_player"}

#  Wrong names that clients and models guess, by the field that they mean.
MEANT: dict[type[Request], dict[str, set[str]]] = {
    BestMoveRequest: {"board": BOARDS, "played": MOVES, "to_move": SIDES, "difficulty": LEVELS},
    SearchTreeRequest: {"board": BOARDS, "played": MOVES, "to_move": SIDES},
    BestMoveArguments: {
        "played": {"board"} | BOARDS | MOVES,
        "starts": STARTERS,
        "you": {"me", "to_move"} | SIDES,
        "difficulty": LEVELS,
    },
}


@pytest.mark.parametrize("form", MEANT)
def test_a_wrong_name_that_clients_often_use_gets_a_suggestion(form: type[Request]) -> None:
    """For a wrong name that clients or models guess, in upper or lower case, the error names the right field."""
    for field, names in MEANT[form].items():
        for name in names | {name.upper() for name in names}:
            assert f"`{name}` is not {form.names[0]}. Did you mean `{field}`?" in described(form, {name: 1})


@pytest.mark.parametrize("form", MEANT)
def test_a_field_that_lacks_a_letter_is_suggested(form: type[Request]) -> None:
    """A name of four letters or more that lacks one letter of a field means this field."""
    for field in form.model_fields:
        for name in {field[:index] + field[index + 1 :] for index in range(len(field))}:
            if len(name) >= 4:
                assert f"`{name}` is not {form.names[0]}. Did you mean `{field}`?" in described(form, {name: 1})


def test_a_name_of_three_letters_gets_no_suggestion() -> None:
    """Three letters are too few to compare: `bar` does not mean `board`."""
    assert "`bar` is not a field of this request. The fields are board, " in described(BestMoveRequest, {"bar": 2})


def test_an_error_in_a_list_counts_moves_from_1() -> None:
    """An error in a list of moves counts the moves from 1, as errors about the rules of the game do."""
    assert described(BestMoveRequest, GOOD | {"played": [1, 9]}).startswith("Move 2 in `played` must be an integer")
    assert described(BestMovesRequest, {"requests": [GOOD | {"played": ["X"]}]}).startswith(
        'In item 0 of `requests`: Move 1 in `played` must be an integer from 0 to 8, not "X".'
    )
