"""The base class of all request models, and the service's texts for Pydantic's errors; this module needs no Flask."""

import json
import re
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from functools import cache
from typing import Annotated, Any, ClassVar, Final, TypedDict, TypeVar, get_args
from urllib.parse import quote

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import ErrorDetails

from best_move.engine.position import CELLS, InvalidBoardError, Position

BOARD: Final = "^[XO.]{9}$"
MAX_ERRORS: Final = 20  # described per response; any further errors are only counted
MAX_QUOTED: Final = 40  # characters of a name or a value that are quoted

SIGNS: Final = str.maketrans("❌✖⭕○⬜⬛·│─┼┌┬┐├┤└┴┘+=", "XXOO...|" + 12 * "-", "\ufe0f\u20e3")  # in drawings


def as_integer(number: object) -> object:
    """Return a float such as 2.0 as an integer, which it is in JSON Schema; return anything else unchanged."""
    return int(number) if isinstance(number, float) and number.is_integer() else number


Played = Annotated[
    list[Annotated[int, Field(ge=0, le=CELLS - 1), BeforeValidator(as_integer)]],
    Field(max_length=CELLS),
]


class Request(BaseModel):
    """A request: unknown names are rejected, and an optional field that is null counts as omitted."""

    model_config = ConfigDict(extra="forbid", strict=True)

    noun: ClassVar = "field"
    unknown: ClassVar = "is not a field of this request"  # what errors say of an unknown name
    no_fields: ClassVar = "It has no fields."  # advice for an unknown name if the request has no fields
    hints: ClassVar[dict[str, str]] = {}  # field -> advice on what to send, with {} for each example
    examples: ClassVar[dict[str, list[Any]]] = {}  # field -> values; the last ones are an example of a request

    @model_validator(mode="before")
    @classmethod
    def without_nulls(cls, fields: object) -> object:
        """Return the fields without those that are null; unknown fields stay, so that they are rejected."""
        if isinstance(fields, dict) and None in fields.values():
            known = cls.model_fields
            return {name: value for name, value in fields.items() if value is not None or name not in known}
        return fields


Form = TypeVar("Form", bound=Request)
Write = Callable[[Any], str]  # returns a value as it is written in a request


class InvalidRequestError(ValueError):
    """Raised for fields that do not match the schema of a request; `errors` are those that Pydantic finds."""

    def __init__(self, form: type[Request], errors: list[ErrorDetails], *, in_query: bool = False) -> None:
        super().__init__(f"not a {form.__name__}")
        self.form: Final = form
        self.errors: Final = errors
        self.in_query: Final = in_query


def read(form: type[Form], fields: object, *, in_query: bool = False) -> Form:
    """Read fields as a request; raise InvalidRequestError if they do not match its schema."""
    try:
        return form.model_validate(fields)
    except ValidationError as error:
        raise InvalidRequestError(form, error.errors(include_url=False), in_query=in_query) from None


@cache
def fields_of(form: type[Request]) -> dict[str, dict[str, Any]]:
    """Return the JSON Schema of each field of a request, by its name."""
    schema = form.model_json_schema()
    named = {f"#/$defs/{name}": type_ for name, type_ in schema.get("$defs", {}).items()}
    return {name: named.get(field.get("$ref"), {}) | field for name, field in schema["properties"].items()}


class FieldError(TypedDict):
    """One error in the request."""

    pointer: str
    code: str
    detail: str


def describe_errors(error: InvalidRequestError) -> tuple[str, list[FieldError]]:
    """Return one text on all errors, without repeated sentences, and a list of the errors, each with its own text."""
    write = _in_query if error.in_query else json.dumps
    found = [_described(details, error.form, write) for details in error.errors[:MAX_ERRORS]]
    items: dict[tuple[str, str], list[str]] = {}
    for _, item, texts in found:
        items.setdefault(texts, []).extend(item)
    sentences = []
    for (statement, advice), numbers in items.items():
        where = f"In item{'s' if len(numbers) > 1 else ''} {', '.join(numbers)} of `requests`: " if numbers else ""
        sentences += [where + statement, advice]
    more = f" And {len(error.errors) - MAX_ERRORS} more." if len(error.errors) > MAX_ERRORS else ""
    return " ".join(dict.fromkeys(filter(None, sentences))) + more, [field_error for field_error, _, _ in found]


_CODES: Final = {
    "missing": "missing_field",
    "extra_forbidden": "unknown_field",
    "literal_error": "wrong_value",
    "greater_than_equal": "wrong_value",
    "less_than_equal": "wrong_value",
    "too_short": "wrong_length",
    "too_long": "wrong_length",
}

#  field -> the letters of names that clients and language models guess for it; if several fields fit, the first counts.
_ALIASES: Final = {
    "board": {"cells", "position", "state"},
    "to_move": {"mark", "player", "side", "turn"},
    "played": {"board", "cell", "cells", "game", "history", "move", "moves", "position", "state"},
    "side": {"mark", "player", "tomove", "you"},
    "starts": {"first", "firstplayer", "starter", "startingplayer"},
    "you": {"mark", "me", "mymark", "myside", "player", "side", "symbol", "yourmark", "yourside"},
    "difficulty": {"level", "mode", "skill", "strength"},
}


def _described(
    details: ErrorDetails, form: type[Request], write: Write
) -> tuple[FieldError, list[str], tuple[str, str]]:
    """Return an error; in a batch, the number of its item; and its texts: what is wrong, and what to send."""
    kind, location, sent = details["type"], details["loc"], details["input"]
    code = _CODES.get(kind, "wrong_type")
    form, path = _innermost(form, location)
    item = [str(location[1])] if len(path) < len(location) else []
    name = _name(path)
    field = str(path[0]) if len(path) == 1 or (path and write is _in_query) else ""
    advice = _hint(form, field, write)
    if field == "board" and (board := respelled(sent)):
        advice = f"Send {write(board)}."
    match kind:
        case "missing":
            statement = f"{name} is missing."
        case "extra_forbidden":
            statement, advice = f"{name} {form.unknown}.", _known_fields(form)
            if meant := field_meant(field, form):
                statement, advice = f"{statement} Did you mean `{meant}`?", ""
                if field.endswith("]"):
                    advice = _hint(form, meant, write)
        case "string_pattern_mismatch":
            code, statement = _invalid_board(sent)
        case _:
            statement = f"{name} must {_demand(details, form, path, write)}."
    if not advice and (not path or field in form.examples):
        required = {each: form.examples[each][-1] for each, info in form.model_fields.items() if info.is_required()}
        advice = f"Send a request such as {json.dumps(required)}."
    error: FieldError = {"pointer": pointer(location), "code": code, "detail": f"{statement} {advice}".rstrip()}
    return error, item, (statement, advice)


def _hint(form: type[Request], field: str, write: Write) -> str:
    return form.hints.get(field, "").format(*map(write, form.examples.get(field, ())))


def _in_query(value: object) -> str:
    return f"`{','.join(map(str, value)) if isinstance(value, list) else value}`"


def _invalid_board(board: str) -> tuple[str, str]:
    try:
        Position.parse(board)
    except InvalidBoardError as error:
        return error.cause, str(error)
    raise AssertionError(f"{board} is nine cells")


def respelled(board: object) -> str | None:
    """Return the board that a client means by arrays, rows, drawings or other signs of cells; None if unclear."""
    if isinstance(board, dict) and all(name.isdecimal() for name in board):
        board = [board[name] for name in sorted(board)]
    if isinstance(board, list):
        board = json.dumps(board, separators=(",", ":"), ensure_ascii=False)
    text = (
        board.upper().translate(SIGNS) if isinstance(board, str) and len(board) < 200 else ""
    )  # a long one takes long
    text = re.sub(r"[]['\"\r]|NULL|NONE|EMPTY", "", text)
    lines = [line for line in re.split(r"[/\n]", text) if line]
    if len(lines) > 3:  # with lines between the rows
        lines = [line for line in lines if not re.fullmatch(r"[\s|:-]*--[\s|:-]*", line)]
    rows = [re.sub(r"^\s*\|([^|]*\|[^|]*\|[^|]*)\|\s*$", r"\1", line) for line in lines]  # without bars around them
    parts = re.split(r"[,|\n]", "\n".join(rows))
    for cells in ([part.strip() for part in parts], [*"".join(parts)], re.findall(r"\S", "".join(parts))):
        for free in (CELLS * [{"", ".", " ", "_", "-"}], map(set, "012345678"), map(set, "123456789")):
            found = "".join("." if cell in signs else cell for cell, signs in zip(cells, free, strict=False))
            if len(cells) == CELLS and re.fullmatch(BOARD, found):
                return found
    return None


def _name(path: tuple[int | str, ...]) -> str:
    match path:
        case ():
            return "The request"
        case ("played", int(index)):
            return f"Move {index + 1} in `played`"
        case _:
            return quoted(".".join(map(str, path)))


def _innermost(form: type[Request], path: tuple[int | str, ...]) -> tuple[type[Request], tuple[int | str, ...]]:
    """Return the model that an error is about, and the path in this model; items of a batch have their own model."""
    if path[:1] == ("requests",) and len(path) > 1:
        return get_args(form.model_fields["requests"].annotation)[0], path[2:]
    return form, path


def _demand(details: ErrorDetails, form: type[Request], path: tuple[int | str, ...], write: Write) -> str:
    kind, value = details["type"], details["input"]
    field = fields_of(form)[str(path[0])] if path else {}
    if len(path) > 1:
        field = field.get("items", field)
    match kind:
        case "literal_error":
            *words, last = map(write, field["enum"])
            demand = f"be {', '.join(words)} or {last}"
        case "int_type" | "greater_than_equal" | "less_than_equal":
            demand = f"be an integer from {field['minimum']} to {field['maximum']}"
        case "too_short" | "too_long":
            return f"have {field.get('minItems', 0)} to {field['maxItems']} items, not {len(value)}"
        case "bool_type":
            demand = f"be true or false, {'without quotes' if value in ('true', 'false') else 'in lower case'}"
        case _:
            demand = {"list_type": "be an array", "string_type": "be a string"}.get(kind, "be a JSON object")
    return f"{demand}, not {_sent(value)}"


def _sent(value: object) -> str:
    if isinstance(value, list):
        return "an array"
    return _cut(json.dumps(value, ensure_ascii=False)) if isinstance(value, str | int | float | None) else "an object"


def _known_fields(form: type[Request]) -> str:
    if len(form.model_fields) > 1:
        return f"The {form.noun}s are {', '.join(form.model_fields)}."
    return "".join(f"The only {form.noun} is `{field}`." for field in form.model_fields) or form.no_fields


def field_meant(name: str, form: type[Request]) -> str | None:
    """Return the field that an unknown name means: by its letters, as an alias, or by similarity; None if unclear."""
    return known_as(name, form) or nearest(name, form.model_fields)


def known_as(name: str, form: type[Request]) -> str | None:
    """Return the field that has a name, by its letters or as an alias; None if no field has it."""
    by_letters = {letters(field): field for field in form.model_fields}
    by_alias = (field for field in form.model_fields if letters(name) in _ALIASES.get(field, ()))
    return by_letters.get(letters(name)) or next(by_alias, None)


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that has the most similar letters; None if none is similar, or if the name is long."""
    if len(name) > MAX_QUOTED:
        return None
    by_letters = {letters(each): each for each in known}
    cutoff = 0.6 if len(name) > 3 else 0.8  # because a short name, such as `bar`, is similar to `board` by chance
    return next((by_letters[each] for each in get_close_matches(letters(name), by_letters, 1, cutoff)), None)


def letters(name: str) -> str:
    """Return a name in lower case, without punctuation and brackets, so that `maxDepth` equals `max_depth`."""
    return re.sub(r"\[\w*\]|[\W_]", "", name.lower())


def pointer(path: Iterable[int | str]) -> str:
    """Return a JSON Pointer as the fragment of a URI (RFC 6901)."""
    escaped = (str(part).replace("~", "~0").replace("/", "~1") for part in path)
    return "#" + quote("".join(f"/{part}" for part in escaped), safe="/!$&'()*+,;=:@?")


def quoted(name: object) -> str:
    """Return a name in backticks, truncated if it is long."""
    return f"`{_cut(str(name))}`"


def _cut(text: str) -> str:
    return text if len(text) <= MAX_QUOTED else text[: MAX_QUOTED - 1] + "…"
