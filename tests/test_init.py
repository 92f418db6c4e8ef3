"""The package as a library: invalid arguments get clear exceptions, all is documented."""

import inspect
import pickle
import re
from collections.abc import Callable
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

import best_move
from best_move import (
    Game,
    IllegalMoveError,
    IllegalPositionError,
    InvalidBoardError,
    InvalidPlayerError,
    Position,
    Question,
    consult,
    review,
    review_player,
)
from best_move.engine.search_tree import TreeQuestion, search_tree
from best_move.engine.tree_node import InvalidWindowError

EMPTY = Position.parse(".........")
WORDS: dict[str, tuple[str, ...]] = {
    "algorithm": get_args(best_move.Algorithm),
    "scoring": get_args(best_move.Scoring),
    "difficulty": get_args(best_move.Difficulty),
    "tie_break": get_args(best_move.TieBreak),
}
NUMBERS = {"max_depth": " from 1 to 9, ", "seed": " from 0 to 9007199254740991, "}
ANYTHING = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 12),
    st.integers(),
    st.floats(),
    st.text(max_size=10),
    st.text("XO.", max_size=10),
    st.binary(max_size=3),
    st.lists(st.integers(-2, 10) | st.text(max_size=2), max_size=10),
    st.sampled_from([word for words in WORDS.values() for word in words]),
)
CALLS: dict[str, Any] = {
    "parse": Position.parse,
    "position": Position,
    "after": EMPTY.after,
    "play": EMPTY.play,
    "question": lambda *values: consult(Question(*values)),
    "game": lambda *values: review(Game(*values)),
    "review": review,
    "review_player": review_player,
    "consult": consult,
}
EXPORTED = [getattr(best_move, name) for name in best_move.__all__]
EXCEPTIONS = [each for each in EXPORTED if inspect.isclass(each) and issubclass(each, Exception)]
RAISE: dict[type[Exception], Callable[[], object]] = {
    InvalidBoardError: lambda: Position.parse("XO"),
    IllegalPositionError: lambda: Position.parse("XX......."),
    IllegalMoveError: lambda: EMPTY.play([4, 4]),
    InvalidPlayerError: lambda: review_player("X", {"XX.......": 9, "XO": 4}),
    InvalidWindowError: lambda: search_tree(TreeQuestion(EMPTY, alpha=1, beta=0)),
}


def assert_picklable(error: Exception) -> None:
    """Assert that an exception from a pickle has its class, text and attributes."""
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301, our own bytes
    assert (type(copy), str(copy)) == (type(error), str(error))
    for name in ("cause", "index", "entries"):
        assert getattr(copy, name, None) == getattr(error, name, None)


@pytest.mark.parametrize("name", CALLS)
@given(values=st.lists(ANYTHING, max_size=3))
def test_arbitrary_arguments_get_a_result_or_an_exception(name: str, values: list[object]) -> None:
    """Every public function returns, or raises a TypeError or a ValueError that can be pickled."""
    try:
        CALLS[name](*values)
    except (TypeError, ValueError) as error:
        assert_picklable(error)


SIDES: dict[str, Callable[[Any], Position]] = {
    "to_move": lambda side: Position(0, 0, side),
    "parse": lambda side: Position.parse(".........", side),
    "started_by": EMPTY.started_by,
    "started_by, after moves": Position.parse("X...O....").started_by,
}


@pytest.mark.parametrize("call", SIDES.values(), ids=SIDES)
@given(side=ANYTHING | st.sampled_from(["x", "o", " X", "0", ""]))
def test_only_x_and_o_are_sides(call: Callable[[Any], Position], side: object) -> None:
    """A side in lower case, or anything else, is rejected, and never taken for one of the two."""
    if side not in ("X", "O", None):
        with pytest.raises((TypeError, ValueError)):
            call(side)


@pytest.mark.parametrize("kind", [*EXCEPTIONS, InvalidWindowError])
def test_every_exception_can_be_pickled(kind: type[Exception]) -> None:
    """Each exception of the package reaches another process, as from a worker of a pool."""
    with pytest.raises(kind) as raised:
        RAISE[kind]()
    assert_picklable(raised.value)


@given(field=st.sampled_from(Question._fields), value=ANYTHING)
def test_an_invalid_field_of_a_question_is_named(field: str, value: Any) -> None:
    """The exception names the field, and the words or the numbers that are allowed."""
    if field in ("analysis", "numbered"):
        return
    question = Question(EMPTY, "transposition_table")._replace(**{field: value})
    is_number = isinstance(value, int)
    valid = {
        "position": isinstance(value, Position),
        "max_depth": is_number and 1 <= value <= 9,
        "seed": value is None or (is_number and 0 <= value < 2**53),
    }
    if valid.get(field, value in WORDS.get(field, ())):
        assert consult(question).question == question
        return
    with pytest.raises((TypeError, ValueError), match=f"`{field}` must be ") as error:
        consult(question)
    text = str(error.value)
    assert all(word in text for word in WORDS.get(field, ()))
    assert NUMBERS.get(field, "") in text


def test_an_invalid_scoring_of_a_game_is_named() -> None:
    """The exception names the scorings."""
    with pytest.raises(
        ValueError, match=r"^`scoring` must be one of distance, outcome, not 'plies'\.$"
    ):
        review(Game(EMPTY, (), "plies"))  # type: ignore[arg-type]


def test_the_text_of_a_position_evaluates_to_the_position() -> None:
    """The text shows the board and the side to move."""
    position = Position.parse("X...O....")
    assert repr(position) == "Position.parse('X...O....', 'X')"


@pytest.mark.parametrize(
    "each",
    [
        each
        for each in EXPORTED
        if inspect.isfunction(each) or (inspect.isclass(each) and each not in EXCEPTIONS)
    ],
)
def test_every_class_and_function_is_documented(each: object) -> None:
    """`help` shows a docstring of the project's own."""
    document = inspect.getdoc(each)
    assert document
    assert "filler" not in document


def test_the_documentation_of_a_position_names_its_members() -> None:
    """`help(Position)` has all methods and attributes, though a compiled class has no text."""
    document = inspect.getdoc(Position)
    assert document
    members = {name for name in dir(Position) if not name.startswith("_")}
    assert {*re.findall(r"`(?:Position\.)?(\w+)[(:]", document)} == members | {"x", "o", "to_move"}
