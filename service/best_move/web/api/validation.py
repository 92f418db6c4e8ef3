"""The base class of request models, and the texts for Pydantic's errors; without Flask."""

import json
import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Annotated, Any, ClassVar, Final, NamedTuple, TypedDict, TypeVar, get_args
from urllib.parse import quote

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)
from pydantic_core import ErrorDetails

from best_move.engine.position import CELLS

BOARD: Final = "^[XO.]{9}$"
MAX_ERRORS: Final = 20  # described per response; any further errors are only counted
MAX_QUOTED: Final = 40  # characters of a name or a value that are quoted


def as_integer(number: object) -> object:
    """Return a float such as 2.0 as an integer, which it is in JSON Schema.

    Anything else is returned unchanged.
    """
    return int(number) if isinstance(number, float) and number.is_integer() else number


class Hint:
    """Advice on what to send: a sentence with `{}` for each example, and the examples as values."""

    def __init__(self, sentence: str, *examples: object) -> None:
        self.sentence: Final = sentence
        self.examples: Final = examples

    def text(self, *, in_query: bool = False) -> str:
        """Return the sentence with its examples as they are written in a body or a query."""
        return self.sentence.format(*[_written(each, in_query=in_query) for each in self.examples])


def _written(value: object, *, in_query: bool) -> str:
    """Return a value that may be sent: as JSON or, for a query, as its text in backticks."""
    if not in_query:
        return json.dumps(value)
    text = ",".join(map(str, value)) if isinstance(value, list) else value
    return f"`{text}`"


Played = Annotated[
    list[Annotated[int, Field(ge=0, le=CELLS - 1), BeforeValidator(as_integer)]],
    Field(max_length=CELLS),
]


class Request(BaseModel):
    """A request: unknown names are rejected, and an optional field that is null is omitted."""

    model_config = ConfigDict(extra="forbid", strict=True)

    unknown: ClassVar = "is not a field of this request"  # what errors say of an unknown name
    known: ClassVar = "The fields are {}."  # advice for an unknown name
    hints: ClassVar[dict[str, Hint]] = {}  # field, or "" for the request -> what to send

    @model_validator(mode="before")
    @classmethod
    def without_nulls(cls, fields: object) -> object:
        """Return the fields without those that are null.

        Unknown fields stay, so that they are rejected.
        """
        if isinstance(fields, dict) and None in fields.values():
            known = cls.model_fields
            return {
                name: value
                for name, value in fields.items()
                if value is not None or name not in known
            }
        return fields

    @classmethod
    def advice(cls, field: str = "", *, in_query: bool = False) -> str:
        """Return what to send as a field or, without one, as the request; empty without a hint."""
        hint = cls.hints.get(field, Hint(""))
        return hint.text(in_query=in_query)


Form = TypeVar("Form", bound=Request)


class InvalidRequestError(ValueError):
    """Raised for fields that do not match the schema of a request; `errors` are Pydantic's."""

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
        errors = error.errors(include_url=False)
        raise InvalidRequestError(form, errors, in_query=in_query) from None


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
    """Return one text on all errors, without repeated sentences, and each error with its text."""
    shown = error.errors[:MAX_ERRORS]
    found: list[FieldError] = []
    items: dict[_Text, list[str]] = {}  # the indexes of a batch's requests that have the same error
    for details in shown:
        wrong = _Wrong(details, error)
        text = _described(wrong)
        detail = f"{text.statement} {text.advice}".rstrip()
        found.append({"pointer": pointer(details["loc"]), "code": text.code, "detail": detail})
        items.setdefault(text, []).extend(wrong.item)
    sentences = []
    for text, indexes in items.items():
        sentences.append(_in_items(indexes) + text.statement)
        sentences.append(text.advice)
    hidden = len(error.errors) - len(shown)
    if hidden:
        sentences.append(f"And {hidden} more.")
    return " ".join(dict.fromkeys(filter(None, sentences))), found


def _in_items(indexes: Sequence[str]) -> str:
    if not indexes:
        return ""
    noun = "item" if len(indexes) == 1 else "items"
    return f"In {noun} {', '.join(indexes)} of `requests`: "


class _Wrong:
    """An error that Pydantic found: its type, the value sent, and its place in the request."""

    def __init__(self, details: ErrorDetails, error: InvalidRequestError) -> None:
        self.kind: Final = details["type"]
        self.sent: Final[Any] = details["input"]
        self.context: Final = details.get("ctx", {})
        self.in_query: Final = error.in_query
        self.form = error.form
        self.path = details["loc"]
        self.item: list[str] = []  # the index in a batch
        if self.path[:1] == ("requests",) and len(self.path) > 1:
            self.form = get_args(error.form.model_fields["requests"].annotation)[0]
            self.item = [str(self.path[1])]
            self.path = self.path[2:]
        self.field: Final = str(self.path[0]) if self.path else ""
        self.in_array: Final = len(self.path) > 1

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the value."""
        schema = fields_of(self.form).get(self.field, {})
        items: dict[str, Any] = schema.get("items", {})
        return items if self.in_array else schema

    def name(self) -> str:
        """Return the name of the value in texts; moves are counted from 1."""
        if not self.path:
            return "The request"
        if self.field == "played" and self.in_array:
            return f"Move {int(self.path[1]) + 1} in `played`"
        return quoted(".".join(map(str, self.path)))

    def advice(self) -> str:
        """Return what to send: the string for a board in another form, otherwise an example.

        It is empty for a value in an array of a body, because its range says enough.
        """
        if self.in_array and not self.in_query:
            return ""
        board = _board_meant(self.sent) if self.field == "board" else None
        if board:
            return f"Send {_written(board, in_query=self.in_query)}."
        return self.form.advice(self.field, in_query=self.in_query)


class _Text(NamedTuple):
    """An error in words: its code, what is wrong, and what to send."""

    code: str
    statement: str
    advice: str


def _described(wrong: _Wrong) -> _Text:
    if wrong.kind == "extra_forbidden":
        return _unknown_field(wrong)
    if wrong.kind == "string_pattern_mismatch":
        return _invalid_board(wrong)
    return _wrong_value(wrong)


def _unknown_field(wrong: _Wrong) -> _Text:
    statement = f"{wrong.name()}{_code_points(wrong.field)} {wrong.form.unknown}."
    by_letters = {letters(field): field for field in wrong.form.model_fields}
    meant = by_letters.get(letters(wrong.field))
    if meant:
        statement += f" Did you mean `{meant}`?"
        advice = wrong.form.advice(meant, in_query=wrong.in_query)
    else:
        advice = wrong.form.known.format(", ".join(wrong.form.model_fields))
    return _Text("unknown_field", statement, advice)


def _invalid_board(wrong: _Wrong) -> _Text:
    board = wrong.sent
    if len(board) != CELLS:
        statement = f"The board must have {CELLS} cells, not {len(board)}: {shown(board)}."
        return _Text("wrong_length", statement, wrong.advice())
    cell = next(cell for cell, mark in enumerate(board) if mark not in "XO.")
    place = f"Cell {cell} of the board {_cut(json.dumps(board, ensure_ascii=False))}"
    rule = "A cell is X, O, or a dot if it is empty."
    statement = f"{place} holds {shown(board[cell])}. {rule}"
    return _Text("wrong_character", statement, wrong.advice())


_INTEGER: Final = "must be an integer from {minimum} to {maximum}{unquoted}, not {sent}"
_LENGTH: Final = "must have {minItems} to {maxItems} items, not {actual_length}: {sent}"

#  Pydantic's type of an error -> its code, and what is wrong, with names of the field's schema.
_KINDS: Final = {
    "missing": ("missing_field", "is missing"),
    "literal_error": ("wrong_value", "must be {expected}, not {sent}"),
    "greater_than_equal": ("wrong_value", _INTEGER),
    "less_than_equal": ("wrong_value", _INTEGER),
    "int_type": ("wrong_type", _INTEGER),
    "bool_type": ("wrong_type", "must be true or false, in lower case{unquoted}, not {sent}"),
    "list_type": ("wrong_type", "must be an array, not {sent}"),
    "string_type": ("wrong_type", "must be a string, not {sent}"),
    "dict_type": ("wrong_type", "must be an object, not {sent}"),
    "model_type": ("wrong_type", "must be a JSON object, not {sent}"),
    "too_short": ("wrong_length", _LENGTH),
    "too_long": ("wrong_length", _LENGTH),
}

#  Pydantic's type of an error -> the texts that are valid without their quotes.
_IN_QUOTES: Final = {"int_type": "-?[0-9]+", "bool_type": "(?i)true|false"}


def _wrong_value(wrong: _Wrong) -> _Text:
    code, demand = _KINDS[wrong.kind]
    words = {
        "minItems": 0,
        **wrong.schema(),
        **wrong.context,
        "expected": _expected(wrong),
        "unquoted": ", without quotes" if _is_in_quotes(wrong) else "",
        "sent": shown(wrong.sent),
    }
    return _Text(code, f"{wrong.name()} {demand.format_map(words)}.", wrong.advice())


def _expected(wrong: _Wrong) -> str:
    """Return the values of a field that has only some; an empty text for any other field."""
    values = wrong.schema().get("enum", [""])
    *others, last = [_written(value, in_query=wrong.in_query) for value in values]
    return f"{', '.join(others)} or {last}"


def _is_in_quotes(wrong: _Wrong) -> bool:
    """Return whether a text would be valid without its quotes; a query has no quotes."""
    if wrong.in_query or not isinstance(wrong.sent, str) or wrong.kind not in _IN_QUOTES:
        return False
    return bool(re.fullmatch(_IN_QUOTES[wrong.kind], wrong.sent))


def _board_meant(sent: object) -> str | None:
    """Return the board that is sent as nine cells or three rows of three; None if it is unclear.

    X and O may be in either case. All empty cells must have the same sign.
    """
    if isinstance(sent, str) and len(sent) != CELLS:
        sent = re.split("[,/|\n]", sent)
    cells: list[Any] = [*sent] if isinstance(sent, str | list) else []
    if len(cells) == 3 and all(isinstance(row, str | list) for row in cells):
        cells = [cell for row in cells for cell in row]
    signs = [cell for cell in cells if cell not in _MARKS]
    is_clear = all(sign in _EMPTY and sign == signs[0] for sign in signs)
    if len(cells) != CELLS or not is_clear:
        return None
    return "".join("." if cell in _EMPTY else cell.upper() for cell in cells)


_MARKS: Final = ("X", "O", "x", "o")
_EMPTY: Final = ("", " ", ".", "_", "-", None)


def letters(name: str) -> str:
    """Return a name in lower case, without punctuation and brackets.

    So `maxDepth` equals `max_depth`.
    """
    return re.sub(r"\[\w*\]|[\W_]", "", name.lower())


def pointer(path: Iterable[int | str]) -> str:
    """Return a JSON Pointer as the fragment of a URI (RFC 6901)."""
    escaped = (str(part).replace("~", "~0").replace("/", "~1") for part in path)
    return "#" + quote("".join(f"/{part}" for part in escaped), safe="/!$&'()*+,;=:@?")


def quoted(name: object) -> str:
    """Return a name in backticks, truncated if it is long."""
    return f"`{_cut(str(name))}`"


def shown(value: object) -> str:
    """Return a value as JSON, truncated if it is long.

    Code points name the characters that are not ASCII, because many look like others.
    """
    text = json.dumps(value, ensure_ascii=False)
    return _cut(text) + _code_points(text)


def _code_points(text: str) -> str:
    """Return the code points of a text's first characters that are not printable ASCII."""
    foreign = dict.fromkeys(re.findall("[^ -~]", text[:MAX_QUOTED]))
    if not foreign:
        return ""
    return f" ({', '.join(f'U+{ord(character):04X}' for character in foreign)})"


def _cut(text: str) -> str:
    return text if len(text) <= MAX_QUOTED else text[: MAX_QUOTED - 1] + "…"
