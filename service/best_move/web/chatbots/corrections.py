"""What a model means by its arguments: a call or, if that is uncertain, what to send instead."""

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import cycle, islice, zip_longest
from typing import Any, Final

from pydantic import MISSING

from best_move.engine.choice import RATES
from best_move.engine.position import IllegalMoveError, Mark, Position, other
from best_move.web.api.strict_json import Json
from best_move.web.api.validation import (
    MAX_QUOTED,
    InvalidRequestError,
    describe_errors,
    known_as,
    letters,
    nearest,
    respelled,
)
from best_move.web.chatbots.arguments import (
    Arguments,
    BestMoveArguments,
    Form,
    JudgeMoveArguments,
    is_null,
    read_arguments,
)
from best_move.web.chatbots.moves import SO_FAR, Moves, UnclearError, decoded, moves_of, side_of

Field = tuple[
    str, str, Any
]  # a name, its meaning (an argument, `to_move` or `counting`), and a value

_NUMBERING: Final = "Cells are numbered row by row: 0 1 2 / 3 4 5 / 6 7 8."
_MAX_NAMES: Final = 24  # of an object that are read, because that takes time; a result has 16
_MAX_OBJECTS: Final = 8
_MAX_GAMES: Final = 8

#  Names by their letters: of how cells are counted, of the side to move, of a board, and of all that has moves.
_COUNTING: Final = re.compile(".*(?:based?|numbering|offset|origin)|index(?:ing)?")
_TO_MOVE: Final = {
    "tomove",
    "turn",
    "next",
    "nextplayer",
    "currentplayer",
    "currentturn",
    "sidetomove",
    "whoseturn",
}
_BOARD: Final = re.compile(".*(?:board|cells|grid|position|squares|state).*")
_GAME: Final = re.compile(
    "(?:last|latest|my|new|next|opponents?|players?|users?|your)?(?:cell|move|square)"
    "|(?:all|current|game|past|played|previous)?(?:board|cells|game|grid|history|moves?|position|sequence|squares|state)"
    "(?:history|list|played|sequence|sofar|state)?"
)


class InvalidCallError(ValueError):
    """Raised for a call without an answer; the message says what to send instead."""


def understood(form: type[Form], sent: Json) -> Form:
    """Return the arguments that are meant; raise InvalidCallError if they are invalid or uncertain."""
    if sent.keys() <= BestMoveArguments.model_fields.keys():  # as in most calls
        with suppress(InvalidRequestError):
            return read_arguments(form, sent)
    fields = _fields(form, sent)
    try:
        return read_arguments(form, {name: value for name, _, value in fields})
    except InvalidRequestError as error:
        problem = _in_words(error)
    try:
        arguments, condition = _meant(form, fields)
        meant = read_arguments(form, arguments)
    except UnclearError:
        raise InvalidCallError(f"{problem} {_NUMBERING}") from None
    except InvalidRequestError as error:
        raise InvalidCallError(_in_words(error)) from None
    if condition:
        position_after(meant)
        condition = condition if meant.played else "this is a new game"
        raise InvalidCallError(f"{problem} If {condition}, send {_written(meant)}.")
    return meant


def position_after(sent: Arguments) -> Position:
    """Return the position after the moves; raise InvalidCallError if one is illegal, or if a turn is missing."""
    try:
        position = Position(0, 0, sent.starts).play(sent.played)
    except IllegalMoveError as error:
        is_board = len({*sent.played}) < len(sent.played) - 1 or respelled(sent.played)
        text = (
            f"`played` must list the moves of a game, in order. {_NUMBERING}"
            if is_board
            else str(error)
        )
        raise InvalidCallError(text) from None
    if (
        getattr(sent, "you", MISSING) in (MISSING, position.to_move)
        or position.status != "in_progress"
    ):
        return position
    side, you, first = position.to_move, other(position.to_move), sent.starts
    text = f"After {sent.played}" if sent.played else "Before the first move"
    text += f" it is {side}'s turn, but `you` is {you}. "
    condition = ""
    if "starts" not in sent.model_fields_set:
        text += f"If {other(first)} starts, send {_written(sent, starts=other(first))}. "
        condition = f"{first} starts and "
    free = ", ".join(map(str, position.legal_moves))
    raise InvalidCallError(
        f"{text}If {condition}you play {side}, send {_written(sent, you=side)}. "
        f"If {condition}you play {you}, the user's move is missing: append it to `played`. Free cells: {free}."
    )


def _in_words(error: InvalidRequestError) -> str:
    """Return the first error of each argument, and the first unknown name, in words."""
    first = {
        each["type"] if each["type"] == "extra_forbidden" else str(each["loc"][:1]): each
        for each in error.errors[::-1]
    }
    return describe_errors(InvalidRequestError(error.form, [*first.values()][::-1]))[0]


def _written(sent: Arguments, **changed: str) -> str:
    """Return arguments as JSON, without those that have their defaults."""
    return json.dumps(sent.model_dump(exclude_defaults=True) | changed)


def _fields(form: type[Arguments], sent: Json) -> list[Field]:
    """Return the fields that mean something, those with the names of arguments first; they may be in inner objects."""
    objects = [_decoded(sent)]
    for outer in objects:
        inner = {name: value for name, value in outer.items() if isinstance(value, dict)}
        around = {name: value for name, value in outer.items() if name not in inner}
        objects += [around | _decoded(each) for each in inner.values()]
        del objects[_MAX_OBJECTS:]
    fields, found, by_side = max(objects, key=_certainty), [], {}
    for name, value in fields.items():
        if side_of(name) and not isinstance(value, int):  # an x beside a y is no side
            by_side[name] = value
        elif (meaning := _meaning(name, value)) in {*form.model_fields, "to_move", "counting"}:
            found.append((meaning if meaning == letters(name) else name, meaning, value))
    if by_side:
        found.append((next(iter(by_side)), "played", by_side))
    if "mistake" in map(
        letters, fields
    ):  # of a judgment, whose player is the side that made the last move
        found = [field for field in found if letters(field[0]) != "player"]
    return sorted(found, key=lambda field: field[0] != field[1])


def _decoded(sent: Json) -> Json:
    """Return the first fields that may mean something, with the lists and objects that texts contain."""
    fields = (
        (name, value)
        for name, value in sent.items()
        if len(name) <= MAX_QUOTED and not is_null(value)
    )
    return {name: decoded(value) for name, value in islice(fields, _MAX_NAMES)}


def _certainty(fields: Json) -> int:
    """Return how certain it is that an object has the moves: 2 if they have their own name, 1 if another, else 0."""
    names = [letters(name) for name, value in fields.items() if not isinstance(value, dict)]
    is_game = any(map(_GAME.fullmatch, names)) or {"X", "O"} <= {*map(side_of, names)}
    return 2 if "played" in names else int(is_game)


def _meaning(name: str, value: object) -> str | None:
    """Return what a name means; a name that is only similar to that of an argument must have a value that fits."""
    key = letters(name)
    if key in _TO_MOVE:
        return "to_move"
    if _COUNTING.fullmatch(key):
        return "counting"
    if meaning := "played" if _GAME.fullmatch(key) else known_as(name, BestMoveArguments):
        return meaning
    similar = nearest(name, BestMoveArguments.model_fields)
    fits = {
        "played": isinstance(value, list),
        "difficulty": isinstance(value, str) and value.lower() in RATES,
    }
    return similar if similar and fits.get(similar, side_of(value)) else None


def _meant(form: type[Arguments], fields: list[Field]) -> tuple[Json, str | None]:
    """Return the arguments that are meant, and on which condition, if on any; raise UnclearError if that is unclear.

    The game that is meant is the first that agrees with all that was sent, of those that are likely.
    """
    names = {name for name, _, _ in fields}
    options: Json = {}
    for _, meaning, value in fields:
        said = side_of(value) or value
        if meaning == "counting" or (
            meaning != "played" and options.setdefault(meaning, said) != said
        ):
            raise UnclearError
    to_move, starts = side_of(options.pop("to_move", None)), side_of(options.get("starts"))
    lists = [(letters(name), value) for name, meaning, value in fields if meaning == "played"]
    if not 0 < len(lists) <= _MAX_GAMES:
        raise UnclearError
    games = [moves_of(value, is_board=bool(_BOARD.fullmatch(name))) for name, value in lists]
    is_own = "played" in names and len(games[0].listed) > 0
    game = (
        games[0] if is_own else max(games, key=lambda each: (not each.is_single, len(each.listed)))
    )
    beside = {cell for each in games if each.is_single for _, cell in each.listed}
    new = beside.difference(cell for _, cell in game.listed)
    last = None if game.ordered or new else next(iter(beside), None)
    if len(new) > 1 or (
        form is JudgeMoveArguments and not (game.ordered or beside or len(game.listed) < 2)
    ):
        raise UnclearError
    known = starts or _starter(to_move, len(game.listed))
    guess = (
        None
        if known or game.ordered
        else _starter(side_of(options.get("you")), len(game.listed) + len(new))
    )
    likely = known or guess or "X"
    for order, first in _games(game, [likely] if known else [likely, other(likely)]):
        played = [*order, *new]
        sides = dict(zip(played, cycle((first, other(first))), strict=False))
        if last in (None, *played[-1:]) and all(
            cell in sides and side in (None, sides[cell])
            for each in games
            for side, cell in each.listed
        ):
            break
    else:
        raise UnclearError
    condition = game.condition or (
        None if is_own and not new and options.keys() <= names else SO_FAR
    )
    has_sides = any(side for side, _ in game.listed)
    if has_sides or first == "O":
        options["starts"] = first
    if first == "O" and not starts and (guess == "O" or not has_sides):
        condition = "O starts"
    return options | {"played": played}, condition


def _starter(to_move: Mark | None, plies: int) -> Mark | None:
    """Return the side that began if a side is to move after this number of moves."""
    return other(to_move) if to_move and plies % 2 else to_move


def _games(moves: Moves, starters: Iterable[Mark]) -> Iterator[tuple[list[int], Mark]]:
    """Yield the games that moves without order may be, with each possible last move, and the side that began each."""
    for first in starters:
        if moves.ordered:
            yield [cell for _, cell in moves.listed], first
            continue
        firsts, seconds = (
            [cell for side, cell in moves.listed if side == mark] for mark in (first, other(first))
        )
        later = firsts if len(moves.listed) % 2 else seconds
        for last in later[::-1] or [-1]:
            later.sort(key=last.__eq__)
            played = [
                cell for pair in zip_longest(firsts, seconds) for cell in pair if cell is not None
            ]
            with suppress(IllegalMoveError):
                Position(0, 0, first).play(played)
                yield played, first
