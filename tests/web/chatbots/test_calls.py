"""No call of a model becomes another call, and each error names what is wrong."""

import json
import re
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

import pytest

from tests.fuzzing import EXAMPLES
from tests.truth.referee import is_over, moves, opponent
from tests.web.chatbots.calls import SCHEMAS, Call, Json, any_call, any_name, right, shuffled
from tests.web.chatbots.messages import called
from tests.web.error_judge import check_call_error, corrected
from tests.web.values import any_value


def test_what_cannot_mean_another_call_is_answered() -> None:
    """Calls as the schema demands, and their unambiguous spellings, get results on their game."""
    random = Random(1)  # noqa: S311, the same calls in each run
    for _ in range(100):
        call = any_call(random)
        sent = right(call, random)
        result = called(call.tool, **sent)
        assert not result.get("isError"), sent
        assert call.is_answered_by(result["structuredContent"]), sent


#  Notations of a cell.
WRITTEN: list[Callable[[int], object]] = [
    lambda cell: f"cell {cell}",
    lambda cell: f"{'abc'[cell % 3]}{3 - cell // 3}",
    lambda cell: [cell // 3, cell % 3],
    lambda cell: {"row": cell // 3 + 1, "col": cell % 3 + 1},
    lambda cell: {"cell": cell},
    lambda cell: [cell],
    lambda cell: f"{('top', 'middle', 'bottom')[cell // 3]} {('left', 'mid', 'right')[cell % 3]}",
    lambda cell: f"{cell}\ufe0f\u20e3",
    lambda cell: [int(each == cell) for each in range(9)],
]
#  Numbers of a cell, some of which are the usual number of another.
NUMBERS: list[Callable[[int], object]] = [
    int,
    float,
    str,
    lambda cell: cell + 1,
    lambda cell: 1 << cell,
    lambda cell: "789456123"[cell],
]
#  Signs of X, O and a free cell.
SIGNS: list[tuple[Any, Any, Any]] = [
    ("X", "O", "."),
    ("X", "O", ""),
    ("x", "o", " "),
    ("\u274c", "\u2b55", "\u2b1c"),
    (1, -1, 0),
    (True, False, None),
    ("cross", "nought", "free"),
]


#  Drawings of the board, from its nine signs.
DRAWINGS: list[Callable[[list[Any]], object]] = [
    list,
    lambda signs: [signs[first : first + 3] for first in (0, 3, 6)],
    lambda signs: {"rows": [signs[:3], signs[3:6], signs[6:]]},
    lambda signs: "".join(map(str, signs)),
    lambda signs: "/".join(map(str, signs)),
    lambda signs: "\n".join(map(str, signs)),
    lambda signs: {str(number): sign for number, sign in enumerate(signs)},
    lambda signs: [{"index": number, "value": sign} for number, sign in enumerate(signs)],
]
#  Notations of the game, from its moves: each a side and a cell in a notation.
GAMES: list[Callable[[list[tuple[str, Any]]], object]] = [
    lambda moves: [cell for _, cell in moves] or [None],
    lambda moves: {"list": [cell for _, cell in moves]},
    lambda moves: {str(number): cell for number, (_, cell) in enumerate(moves)},
    lambda moves: f"{', '.join(str(cell) for _, cell in moves)}!",
    lambda moves: f"played: {[cell for _, cell in moves]}",
    lambda moves: [f"{side} -> {cell}" for side, cell in moves] or "none so far",
    lambda moves: "; ".join(f"{n}. {side}{cell}" for n, (side, cell) in enumerate(moves, 1)),
    lambda moves: [{"player": side, "at": cell} for side, cell in moves] or {},
    lambda moves: {of: [cell for side, cell in moves if side == of] for of in "XO"},
]


class Parts(NamedTuple):
    """What malformed calls consist of: parts of the call that is meant, and random ones."""

    whole: Json  # the arguments as they are meant
    first: Json  # the same with only the first moves
    rest: list[int]  # the other moves
    game: object  # the game in another notation
    name: str  # a name that is no argument
    write: Callable[[int], object]
    note: object
    wrong: object  # what cannot be the next cell


def renamed(sent: Json, name: str, other: str) -> Json:
    """Return arguments of which one has another name."""
    return {other if each == name else each: sent[each] for each in sent}


#  How a call is malformed -> the arguments that are sent.
SHAPES: dict[str, Callable[[Parts], Json]] = {
    "each later move has a name": lambda p: (
        p.first | {f"{p.name}{number or ''}": p.write(cell) for number, cell in enumerate(p.rest)}
    ),
    "a move has a name of hosts": lambda p: p.first | {"action": p.write((p.rest or [4])[0])},
    "later moves are beside the list": lambda p: p.first | {p.name: [*map(p.write, p.rest)]},
    "the list has another name": lambda p: renamed(p.whole, "played", p.name),
    "the game has another name": lambda p: renamed(p.whole | {"played": p.game}, "played", p.name),
    "the game is beside the list": lambda p: p.first | {p.name: p.game},
    "the game is no list": lambda p: p.whole | {"played": p.game},
    "nested, moves beside": lambda p: {p.name: p.first, "more": p.rest},
    "nested, moves inside": lambda p: {p.name: p.first | {"more": p.rest}},
    "nested twice": lambda p: {p.name: {"game": p.first | {"more": p.rest}}},
    "nested and not": lambda p: {p.name: p.first, **p.whole},
    "nested in a list": lambda p: {p.name: [p.first, p.rest]},
    "nested as text": lambda p: {p.name: json.dumps(p.first), "more": p.rest},
    "nested in the list": lambda p: {"played": p.first, p.name: p.rest},
    "all in a text": lambda p: p.whole | {"played": json.dumps(p.whole)},
    "the game in a text": lambda p: renamed(p.whole, "played", p.name) | {p.name: f"! {p.game}"},
    "a note": lambda p: p.whole | {p.name: p.note},
    "counted from 1": lambda p: (
        p.whole | {"played": [cell + 1 for cell in p.whole["played"]], p.name: "from 1"}
    ),
    "newest first": lambda p: p.whole | {"played": p.whole["played"][::-1], p.name: "newest first"},
    "the starter has another name": lambda p: renamed(p.whole, "starts", p.name),
    "the starter is a cell": lambda p: p.whole | {"starts": p.write(4)},
    "the model's side is a cell": lambda p: p.whole | {"you": p.write(4)},
    "the level is a cell": lambda p: p.whole | {"difficulty": p.write(4)},
    "no list": lambda p: {name: p.whole[name] for name in p.whole if name != "played"},
    "no side": lambda p: {"played": p.whole["played"]},
    "a wrong cell": lambda p: p.whole | {"played": [*p.first["played"], p.wrong, *p.rest]},
    "too many cells": lambda p: p.whole | {"played": [*p.whole["played"], *range(9)]},
}


@pytest.mark.parametrize("shape", SHAPES)
def test_no_malformed_call_becomes_another_call(shape: str) -> None:
    """It is answered only with the game that it means; else each error passes the judge.

    So do the errors of a model that corrects the arguments by the values in each error.
    """
    random = Random(shape)  # noqa: S311, the same calls in each run
    for _ in range(EXAMPLES // 3):
        call = any_call(random)
        signs = dict(zip("XO.", random.choice(SIGNS), strict=True))
        drawing = random.choice(DRAWINGS)([signs[mark] for mark in call.board])
        write = random.choice(WRITTEN + NUMBERS[:1])
        game = random.choice(GAMES)([(side, write(cell)) for side, cell in call.moves])
        kept = random.randint(0, len(call.played))
        free = moves(call.board)
        parts = Parts(
            whole=call.sent(),
            first=call._replace(played=call.played[:kept]).sent(),
            rest=[*call.played[kept:]],
            game=random.choice([drawing, game]),
            name=any_name(random),
            write=random.choice(WRITTEN + NUMBERS),
            note=random.choice([free, free[:1] or 9, 1, "1", True]),
            wrong=random.choice([*call.played[:1], 9, -1, 4.5, True, None, "X", [0], {}, 10**20]),
        )
        sent = shuffled(SHAPES[shape](parts), random)
        result = called(call.tool, **sent)
        if not result.get("isError"):
            assert call.is_answered_by(result["structuredContent"]), sent
        before: Json = {}
        while result.get("isError") and sent != before:
            text = result["content"][0]["text"]
            check_call_error(call.tool, sent, text)
            before, sent = sent, corrected(call.tool, sent, text)
            result = called(call.tool, **sent)


@pytest.mark.parametrize("tool", SCHEMAS)
def test_each_value_of_an_argument_is_read_or_gets_an_error(tool: str) -> None:
    """A value of any type, for an argument or for a name that is none, passes the judge."""
    random = Random(4)  # noqa: S311, the same values in each run
    others = {"played": [4], "starts": "X", "player": "X"}
    meant = {name: others[name] for name in SCHEMAS[tool] if name in others}
    for name in [*SCHEMAS[tool], "other"]:
        for _ in range(60):
            sent = meant | {name: any_value(random)}
            result = called(tool, **sent)
            if result.get("isError"):
                check_call_error(tool, sent, result["content"][0]["text"])


#  What a model gets wrong -> what it sends instead of the call that it means.
MISTAKES: dict[str, Callable[[Call], Json]] = {
    "the starter is forgotten": lambda call: call.sent() | {"starts": None},
    "the starter is wrong": lambda call: call.sent() | {"starts": opponent(call.starts)},
    "the starter is unclear": lambda call: call.sent() | {"starts": "second"},
    "the side is the user's": lambda call: call._replace(you=opponent(call.to_move)).sent(),
    "the level is unknown": lambda call: call.sent() | {"difficulty": "no level"},
    "the user's move is forgotten": lambda call: call._replace(played=call.played[:-1]).sent(),
    "the user's move is beside the list": lambda call: (
        call._replace(played=call.played[:-1]).sent() | {"their_move": call.played[-1]}
    ),
    "the list is of pairs": lambda call: call.sent() | {"played": [[0, 1]]},
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_an_error_names_each_argument_that_is_wrong(mistake: str) -> None:
    """A model that corrects the arguments that the error names sends the call that it means."""
    random = Random(2)  # noqa: S311, the same games in each run
    calls = [any_call(random) for _ in range(80)]
    for call in calls:
        if not call.played or is_over(call.board):
            continue
        meant = Call("best_move", call.played, call.starts, you=call.to_move)
        sent = MISTAKES[mistake](meant)
        result = called("best_move", **sent)
        assert result["isError"], sent
        named = set(re.findall("`(.*?)`", result["content"][0]["text"]))
        right = {name: value for name, value in sent.items() if name not in named}
        right |= {name: value for name, value in meant.sent().items() if name in named}
        assert right == meant.sent(), sent


def test_the_error_for_many_unknown_names_is_short() -> None:
    """However many names are unknown, the error describes at most 20 of them."""
    random = Random(3)  # noqa: S311, the same names in each run
    names = {f"{any_name(random)}{number}": number for number in range(1_000)}
    for sent in (names, {"played": [4]} | names, {"played": [["X"]] * 1_000}):
        text: str = called("best_move", **sent)["content"][0]["text"]
        assert len(text) < 2_500
