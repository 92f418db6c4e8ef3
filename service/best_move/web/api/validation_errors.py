"""The texts for Pydantic's errors: what is wrong, what came, and what to send."""

import json
import re
from collections.abc import Iterable
from typing import NamedTuple, get_args
from urllib.parse import quote

from pydantic_core import ErrorDetails

from best_move.engine.position import CELLS
from best_move.engine.text import listed
from best_move.quoting import identified, quoted, shown
from best_move.web.api.request_model import InvalidRequestError, Request, Writer, fields_of
from best_move.web.api.strict_json import Json

MAX_ERRORS = 20  # described per response; any further errors are only counted

Location = tuple[int | str, ...]  # the path to a value in a request


def _as_parameter(value: object) -> str:
    """Return a value as it is written in a query, in backticks."""
    if isinstance(value, list):
        value = ",".join(map(str, value))
    return f"`{value}`"


class _Text(NamedTuple):
    """An error in words: its code, what is wrong, and what to send."""

    code: str
    statement: str
    advice: str


def describe_errors(error: InvalidRequestError) -> tuple[str, list[Json]]:
    """Return one text on the first MAX_ERRORS errors, with each sentence once, and their list."""
    errors: list[Json] = []
    sentences: list[str] = []
    for details in error.errors[:MAX_ERRORS]:
        place, form, path = _request_at(error.form, details["loc"])
        text = _described(details, form, path, in_query=error.in_query)
        detail = f"{text.statement} {text.advice}".rstrip()
        errors.append(field_error(details["loc"], text.code, detail))
        sentences += [place + text.statement, text.advice]
    return summary(sentences, len(error.errors)), errors


def _request_at(form: type[Request], path: Location) -> tuple[str, type[Request], Location]:
    """Return in which item of a batch an error is, the model there, and the rest of its path.

    For `("requests", 3, "board")` in a batch, it is "At index 3 of `requests`: ", BestMoveRequest
    and `("board",)`; outside a batch an empty text, the model and the path.
    """
    if len(path) < 2 or path[0] != "requests":
        return "", form, path
    (item,) = get_args(form.model_fields["requests"].annotation)
    return f"At index {path[1]} of `requests`: ", item, path[2:]


def field_error(path: Iterable[int | str], code: str, detail: str) -> Json:
    """Return an error at a path in the request.

    The path becomes a JSON Pointer as the fragment of a URI (RFC 6901).
    """
    text = ""
    for part in path:
        text += "/" + str(part).replace("~", "~0").replace("/", "~1")
    pointer = "#" + quote(text, safe="/!$&'()*+,;=:@?")
    return {"pointer": pointer, "code": code, "detail": detail}


def summary(sentences: Iterable[str], errors: int) -> str:
    """Return the sentences as one text, each once, with the number of errors beyond the limit."""
    distinct = dict.fromkeys(filter(None, sentences))
    text = " ".join(distinct)
    hidden = errors - MAX_ERRORS
    if hidden > 0:
        text += f" Errors that are not listed: {hidden}."
    return text


_INTEGER = "must be an integer from {minimum} to {maximum}{unquoted}, not {sent}"
_CHARACTERS = "must have {minLength} to {maxLength} characters, not {characters}: {sent}"
_LENGTH = "must have {minItems} to {maxItems} items, not {actual_length}: {sent}"

#  Pydantic's type of an error -> its code, and what is wrong. The names in braces are the keys of
#  `words` in `_described`.
_KINDS = {
    "missing": ("missing_field", "is missing"),
    "literal_error": ("wrong_value", "must be {expected}, not {sent}"),
    "not_a_mark": ("wrong_value", "must be the letter of a side, not {sent}"),
    "greater_than_equal": ("wrong_value", _INTEGER),
    "less_than_equal": ("wrong_value", _INTEGER),
    "int_type": ("wrong_type", _INTEGER),
    "bool_type": ("wrong_type", "must be true or false{unquoted}, not {sent}"),
    "list_type": ("wrong_type", "must be an array, not {sent}"),
    "string_type": ("wrong_type", "must be a string, not {sent}"),
    "dict_type": ("wrong_type", "must be an object, not {sent}"),
    "model_type": ("wrong_type", "must be a JSON object, not {sent}"),
    "too_short": ("wrong_length", _LENGTH),
    "too_long": ("wrong_length", _LENGTH),
    "string_too_short": ("wrong_length", _CHARACTERS),
    "string_too_long": ("wrong_length", _CHARACTERS),
}

#  Pydantic's type of an error -> the strings that look like values in quotes, and how to send them.
_IN_QUOTES = {
    "int_type": ("-?[0-9]+", ", without quotes"),
    "bool_type": ("(?i)true|false", ", in lower case, without quotes"),
}


def _described(
    details: ErrorDetails, form: type[Request], path: Location, *, in_query: bool
) -> _Text:
    """Return the text on a value, a field or, if the path is empty, the request."""
    kind = details["type"]
    sent = details["input"]
    write = _as_parameter if in_query else json.dumps
    field = str(path[0]) if path else ""
    if kind == "extra_forbidden":
        return _unknown_field(field, form, write, in_query=in_query)
    advice = form.advice(field, write) if path else form.shape()
    if kind == "string_pattern_mismatch":  # only boards have a pattern
        return _invalid_board(sent, advice)
    code, demand = _KINDS[kind]
    schema = fields_of(form).get(field, {})
    words = {
        **_with_items(schema),  # such as minimum and minItems
        **details.get("ctx", {}),  # such as actual_length
        "expected": _choices(schema, write),
        "unquoted": "" if in_query else _unquoted(kind, sent),
        "sent": shown(sent),
        "characters": len(sent) if isinstance(sent, str) else 0,
    }
    return _Text(code, f"{_name(path)} {demand.format_map(words)}.", advice)


def _choices(schema: Json, write: Writer) -> str:
    """Return the values of a field that has a list of them, in words; else an empty text."""
    choices = schema.get("enum")
    return listed(map(write, choices), "or") if choices else ""


def _with_items(schema: Json) -> Json:
    """Return the schema of a field merged with that of its items, at which an error may be.

    A list without a minimum gets 0.
    """
    return {"minItems": 0, **schema.get("items", {}), **schema}


def _name(path: Location) -> str:
    if not path:
        return "The request"
    if len(path) == 1:
        return quoted(path[0])
    #  Only cells of `played` have errors of their own: `_request_at` removes the items of a batch.
    number = int(path[1]) + 1
    return f"Move {number} in {quoted(path[0])}"


def _unknown_field(name: str, form: type[Request], write: Writer, *, in_query: bool) -> _Text:
    statement = f"{identified(name)} {form.unknown_statement}."
    by_letters = {letters(field): field for field in form.model_fields}
    meant = by_letters.get(letters(name))
    if in_query and meant and _numbers_items(name, meant, form):
        statement = f"{identified(name)} is not the next item of `{meant}`."
        advice = f"Number the items from 0, in order and without gaps. {form.advice(meant, write)}"
    elif meant:
        statement += f" Did you mean `{meant}`?"
        advice = form.advice(meant, write)
    else:
        fields = ", ".join(form.model_fields)
        known = form.unknown_advice.format(fields)
        advice = f"{known} {form.advice(name, write)}".rstrip()
    return _Text("unknown_field", statement, advice)


def _numbers_items(name: str, field: str, form: type[Request]) -> bool:
    """Return whether a name such as `played[2]` is meant as that of an item of a list."""
    is_list = fields_of(form)[field]["type"] == "array"
    return is_list and name.startswith(f"{field}[")


def _invalid_board(board: str, advice: str) -> _Text:
    if len(board) != CELLS:
        statement = f"The board must have {CELLS} cells, not {len(board)}: {shown(board)}."
        return _Text("wrong_length", statement, advice)
    cell = next(index for index, mark in enumerate(board) if mark not in "XO.")
    held = json.dumps(board[cell], ensure_ascii=False)
    rule = "A cell is X, O, or a dot if it is empty."
    statement = f"Cell {cell} of the board {shown(board)} holds {held}. {rule}"
    return _Text("wrong_character", statement, advice)


def _unquoted(kind: str, sent: object) -> str:
    """Return the advice for a number or a boolean that is sent in quotes."""
    pattern, advice = _IN_QUOTES.get(kind, ("", ""))
    return advice if re.fullmatch(pattern, str(sent)) else ""


def letters(name: str) -> str:
    """Return a name in lower case, without punctuation, and without an index in brackets.

    So `maxDepth` equals `max_depth`, and `played[0]` equals `played`.
    """
    return re.sub(r"\[\w*\]|[\W_]", "", name.lower())
