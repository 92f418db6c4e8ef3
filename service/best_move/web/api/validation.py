"""The base class of all request models, and the service's texts for Pydantic's errors; this module needs no Flask."""

import json
import re
from collections.abc import Iterable
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

SIGNS: Final = str.maketrans(
    "❌✖⭕○⬜⬛·│─┼┌┬┐├┤└┴┘+=", "XXOO...|" + 12 * "-", "\ufe0f\u20e3"
)  # in drawings


def as_integer(number: object) -> object:
    """Return a float such as 2.0 as an integer, which it is in JSON Schema; return anything else unchanged."""
    return int(number) if isinstance(number, float) and number.is_integer() else number


class Hint:
    """Advice on what to send: a sentence with `{}` for each example, and the examples as values."""

    def __init__(self, sentence: str, *examples: Any) -> None:
        self.sentence: Final = sentence
        self.examples: Final = examples

    def for_body(self) -> str:
        """Return the sentence with its examples as JSON."""
        return self.sentence.format(*map(json.dumps, self.examples))

    def for_query(self) -> str:
        """Return the sentence with its examples as they are written in a query."""
        return self.sentence.format(*(f"`{_in_query(example)}`" for example in self.examples))


def _in_query(example: Any) -> str:
    """Return a value as it is written in a query: an object's fields, or the value of one field."""
    if isinstance(example, dict):
        return "&".join(f"{name}={_in_query(value)}" for name, value in example.items())
    if isinstance(example, list):
        return ",".join(map(_in_query, example))
    return example if isinstance(example, str) else json.dumps(example)


Played = Annotated[
    list[Annotated[int, Field(ge=0, le=CELLS - 1), BeforeValidator(as_integer)]],
    Field(max_length=CELLS),
]


class Request(BaseModel):
    """A request: unknown names are rejected, and an optional field that is null counts as omitted."""

    model_config = ConfigDict(extra="forbid", strict=True)

    unknown: ClassVar = "is not a field of this request"  # what errors say of an unknown name
    known: ClassVar = "The fields are {}."  # advice for an unknown name
    hints: ClassVar[dict[str, Hint]] = {}  # field, or "" for the request -> what to send

    @model_validator(mode="before")
    @classmethod
    def without_nulls(cls, fields: object) -> object:
        """Return the fields without those that are null; unknown fields stay, so that they are rejected."""
        if isinstance(fields, dict) and None in fields.values():
            known = cls.model_fields
            return {
                name: value
                for name, value in fields.items()
                if value is not None or name not in known
            }
        return fields


Form = TypeVar("Form", bound=Request)


class InvalidRequestError(ValueError):
    """Raised for fields that do not match the schema of a request; `errors` are those that Pydantic finds."""

    def __init__(
        self, form: type[Request], errors: list[ErrorDetails], *, in_query: bool = False
    ) -> None:
        super().__init__(f"not a {form.__name__}")
        self.form: Final = form
        self.errors: Final = errors
        self.in_query: Final = in_query


def read(form: type[Form], fields: object, *, in_query: bool = False) -> Form:
    """Read fields as a request; raise InvalidRequestError if they do not match its schema."""
    try:
        return form.model_validate(fields)
    except ValidationError as error:
        raise InvalidRequestError(
            form, error.errors(include_url=False), in_query=in_query
        ) from None


@cache
def fields_of(form: type[Request]) -> dict[str, dict[str, Any]]:
    """Return the JSON Schema of each field of a request, by its name."""
    schema = form.model_json_schema()
    named = {f"#/$defs/{name}": type_ for name, type_ in schema.get("$defs", {}).items()}
    return {
        name: named.get(field.get("$ref"), {}) | field
        for name, field in schema["properties"].items()
    }


class FieldError(TypedDict):
    """One error in the request."""

    pointer: str
    code: str
    detail: str


def describe_errors(error: InvalidRequestError) -> tuple[str, list[FieldError]]:
    """Return one text on all errors, without repeated sentences, and a list of the errors, each with its own text."""
    found: list[FieldError] = []
    items: dict[
        tuple[str, str], list[str]
    ] = {}  # what is wrong, and what to send -> the items of a batch
    for details in error.errors[:MAX_ERRORS]:
        form, path, item = error.form, details["loc"], []
        if path[:1] == ("requests",) and len(path) > 1:
            form, path, item = (
                get_args(form.model_fields["requests"].annotation)[0],
                path[2:],
                [str(path[1])],
            )
        code, statement, advice = _described(details, form, path, in_query=error.in_query)
        found.append(
            {
                "pointer": pointer(details["loc"]),
                "code": code,
                "detail": f"{statement} {advice}".rstrip(),
            }
        )
        items.setdefault((statement, advice), []).extend(item)
    sentences = []
    for (statement, advice), numbers in items.items():
        where = (
            f"In item{'s' if len(numbers) > 1 else ''} {', '.join(numbers)} of `requests`: "
            if numbers
            else ""
        )
        sentences += [where + statement, advice]
    more = f" And {len(error.errors) - MAX_ERRORS} more." if len(error.errors) > MAX_ERRORS else ""
    return " ".join(dict.fromkeys(filter(None, sentences))) + more, found


_INTEGER: Final = "must be an integer from {minimum} to {maximum}{unquoted}, not {sent}"
_LENGTH: Final = "must have {minItems} to {maxItems} items, not {actual_length}"
_TYPES: Final[dict[type, str]] = {
    list: "an array",
    dict: "an object",
}  # of values that are not quoted
_OBJECT: Final = ("wrong_type", "must be a JSON object, not {sent}")

#  Pydantic's type of an error -> its code, and what is wrong, with names of its schema and of Pydantic's context.
_KINDS: Final = {
    "missing": ("missing_field", "is missing"),
    "literal_error": ("wrong_value", "must be {expected}, not {sent}"),
    "greater_than_equal": ("wrong_value", _INTEGER),
    "less_than_equal": ("wrong_value", _INTEGER),
    "int_type": ("wrong_type", _INTEGER),
    "bool_type": ("wrong_type", "must be true or false, in lower case{unquoted}, not {sent}"),
    "list_type": ("wrong_type", "must be an array, not {sent}"),
    "string_type": ("wrong_type", "must be a string, not {sent}"),
    "too_short": ("wrong_length", _LENGTH),
    "too_long": ("wrong_length", _LENGTH),
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
    details: ErrorDetails, form: type[Request], path: tuple[int | str, ...], *, in_query: bool
) -> tuple[str, str, str]:
    """Return the code of an error, what is wrong, and what to send."""
    kind, sent, field = details["type"], details["input"], str(path[0]) if path else ""
    advice = _advice(form, field, in_query=in_query) if len(path) < 2 or in_query else ""
    if field == "board" and (board := respelled(sent)):
        advice = f"Send `{board}`." if in_query else f'Send "{board}".'
    if kind == "string_pattern_mismatch":
        code, statement = _invalid_board(sent)
    elif kind == "extra_forbidden":
        code, statement = "unknown_field", f"{_name(path)} {form.unknown}."
        advice = form.known.format(", ".join(form.model_fields))
        if meant := field_meant(field, form):
            statement += f" Did you mean `{meant}`?"
            advice = _advice(form, meant, in_query=in_query) if field.endswith("]") else ""
    else:
        code, demand = _KINDS.get(kind, _OBJECT)
        schema, context = fields_of(form).get(field, {}), details.get("ctx", {})
        literal = "(?i)true|false" if kind == "bool_type" else "-?[0-9]+"
        is_quoted = not in_query and isinstance(sent, str) and re.fullmatch(literal, sent)
        words = {
            "expected": context.get("expected", "").replace("'", "`" if in_query else '"'),
            "unquoted": ", without quotes" if is_quoted else "",
            "sent": _TYPES.get(type(sent)) or _cut(json.dumps(sent, ensure_ascii=False)),
        }
        demand = demand.format_map(
            {"minItems": 0} | schema | schema.get("items", {}) | context | words
        )
        statement = f"{_name(path)} {demand}."
    return code, statement, advice


def _advice(form: type[Request], field: str, *, in_query: bool) -> str:
    """Return what to send as a field; an empty text if there is no hint for it."""
    hint = form.hints.get(field, Hint(""))
    return hint.for_query() if in_query else hint.for_body()


def _invalid_board(board: str) -> tuple[str, str]:
    try:
        Position.parse(board)
    except InvalidBoardError as error:
        return error.cause, str(error)
    raise AssertionError(f"{board} is nine cells")


def respelled(board: object) -> str | None:
    """Return the board that a client means by arrays, rows, drawings or other signs of cells; None if unclear."""
    if isinstance(board, dict) and (len(board) == 1 or all(name.isdecimal() for name in board)):
        board = [board[name] for name in sorted(board)]
    if isinstance(board, list):
        board = json.dumps(board, separators=(",", ":"), ensure_ascii=False)
    if not isinstance(board, str) or len(board) >= 200:  # a long one takes long
        return None
    text = re.sub(r"[]['\"\r]|NULL|NONE|EMPTY", "", board.upper().translate(SIGNS))
    lines = [line for line in re.split(r"[/\n]", text) if line]
    if len(lines) > 3:  # with lines between the rows
        lines = [line for line in lines if not re.fullmatch(r"[\s|:-]*--[\s|:-]*", line)]
    rows = [
        re.sub(r"^\s*\|([^|]*\|[^|]*\|[^|]*)\|\s*$", r"\1", line) for line in lines
    ]  # without bars around them
    parts = re.split(r"[,|\n]", "\n".join(rows))
    for cells in (
        [part.strip() for part in parts],
        [*"".join(parts)],
        re.findall(r"\S", "".join(parts)),
    ):
        for free in (
            CELLS * [{"", ".", " ", "_", "-"}],
            map(set, "012345678"),
            map(set, "123456789"),
        ):
            found = "".join(
                "." if cell in signs else cell for cell, signs in zip(cells, free, strict=False)
            )
            if len(cells) == CELLS and re.fullmatch(BOARD, found):
                return found
    return None


def _name(path: tuple[int | str, ...]) -> str:
    if path[:1] == ("played",) and len(path) > 1:
        return f"Move {int(path[1]) + 1} in `played`"
    return quoted(".".join(map(str, path))) if path else "The request"


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
    cutoff = (
        0.6 if len(name) > 3 else 0.8
    )  # because a short name, such as `bar`, is similar to `board` by chance
    return next(
        (by_letters[each] for each in get_close_matches(letters(name), by_letters, 1, cutoff)), None
    )


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
