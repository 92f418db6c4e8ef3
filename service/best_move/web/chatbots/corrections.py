"""Corrections of invalid arguments: what to send instead, with the list of moves written out."""

import json
import re
from itertools import zip_longest
from typing import Any

from best_move.engine.position import CELLS, IllegalMoveError, IllegalPositionError, InvalidBoardError, Position, other
from best_move.web.api.validation import InvalidRequestError, describe_errors, field_meant
from best_move.web.chatbots.arguments import Arguments, as_cell, as_list, read_arguments

Json = dict[str, Any]


class NotYourTurnError(ValueError):
    """Raised if it is not the turn of the side that the model plays; the message says what to send instead."""

    def __init__(self, sent: Arguments, position: Position) -> None:
        side, you = position.to_move, other(position.to_move)
        after = f"After {sent.played}" if sent.played else "Before the first move"
        starting = "" if sent.played else f"If you play {you} and move first, send {_written(sent, starts=you)}. "
        super().__init__(
            f"{after} it is {side}'s turn, but `you` is {you}. If you play {side}, send {_written(sent, you=side)}. "
            f"{starting}If you play {you}, the user's move is missing: append it to `played`. "
            f"Free cells: {_free(position)}."
        )


def explained(error: InvalidRequestError, form: type[Arguments], sent: Json) -> str:
    """Return the first error of each argument in words, and what to send instead if an error may be about moves."""
    first = {str(details["loc"][:1]): details for details in reversed(error.errors)}
    text, _ = describe_errors(InvalidRequestError(form, [*first.values()][::-1]))
    may_be_about_moves = any(each["loc"][0] == "played" or each["type"] == "extra_forbidden" for each in error.errors)
    return text + _correction(form, sent) if may_be_about_moves else text


def _correction(form: type[Arguments], sent: Json) -> str:
    """Return what to send; for an illegal move, its error; for unclear moves, the free cells or an empty text."""
    meant = _meant(form, sent)
    try:
        game = read_arguments(form, meant)
        Position(0, 0, game.starts).play(game.played)
    except IllegalMoveError as illegal:
        return f" {illegal}"
    except InvalidRequestError:
        return _after_legal_moves(meant)
    return f" If this is the game so far, send {_written(game)}."


def _meant(form: type[Arguments], sent: Json) -> Json:
    """Return the arguments under the right names, with all moves in one list."""
    fields: Json = {}
    game: Json = {"played": []}
    for name, value in sent.items():
        field = name if name in form.model_fields else field_meant(name, form)
        if field == "played":
            found = _game(value)
            moves = [move for move in found["played"] if move not in game["played"]]
            game |= {**found, "played": game["played"] + moves}
        elif field:
            fields[field] = value
    return fields | game


def _game(value: object) -> Json:
    """Return the game that a value means; the value may be a list of moves, one move, or a board."""
    listed = as_list(value)
    cells = (listed if isinstance(listed, list) else [value])[: CELLS + 1]
    moves: list[Any] = [as_cell(cell) for cell in cells if cell is not None]
    if all(type(move) is int for move in moves):
        return {"played": [move - 1 for move in moves] if 9 in moves and 0 not in moves else moves}
    board = _text(value)
    if len(board) != CELLS:
        board = re.sub(r"[\s|]", "", board)
    try:
        return _in_order(Position.parse(re.sub("[0-9_ -]", ".", board).upper()))
    except (InvalidBoardError, IllegalPositionError):
        return {"played": moves}


def _text(value: object) -> str:
    return "".join(map(_text, value[:CELLS])) if isinstance(value, list) else str(value or ".")


def _in_order(position: Position) -> Json:
    """Return a game that leads to a position: the sides alternate, and no move but the last ends the game."""
    own, last = ([cell for cell in range(CELLS) if marks >> cell & 1] for marks in (position.own, position.opponent))
    starts = position.to_move if len(own) == len(last) else other(position.to_move)
    moves: list[int] = []
    for _ in last:
        pairs = zip(own, last, strict=True) if len(own) == len(last) else zip_longest(last, own)
        moves = [cell for pair in pairs for cell in pair if cell is not None]
        try:
            Position(0, 0, starts).play(moves)
        except IllegalMoveError:
            last = [*last[1:], last[0]]
        else:
            break
    return {"played": moves, "starts": starts}


def _after_legal_moves(meant: Json) -> str:
    """Return a sentence on the moves before the first illegal move and the cells free after them, or an empty text."""
    position = Position(0, 0, "O" if meant.get("starts") == "O" else "X")
    legal: list[int] = []
    for move in meant["played"]:
        if type(move) is not int or move not in position.legal_moves:
            return f" After {legal} the free cells are {_free(position)}." if legal and position.legal_moves else ""
        legal.append(move)
        position = position.after(move)
    return ""


def _free(position: Position) -> str:
    return ", ".join(map(str, position.legal_moves))


def _written(sent: Arguments, **changed: str) -> str:
    """Return arguments as JSON, without those that have their defaults."""
    return json.dumps(sent.model_dump(exclude_defaults=True) | changed)
