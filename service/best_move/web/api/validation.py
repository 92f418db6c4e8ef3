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
        hint = cls.hints.get(field)
        if hint is None:
            return ""
        return hint.for_query() if in_query else hint.for_body()


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
        wrong = _Wrong.of(details, error)
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


class _Wrong(NamedTuple):
    """An error that Pydantic found: its type, the value sent, and the field in the request."""

    kind: str
    sent: Any
    form: type[Request]
    path: tuple[int | str, ...]
    item: tuple[str, ...]  # the index of the request in a batch, if it is in one
    context: dict[str, Any]  # what Pydantic counted
    in_query: bool

    @classmethod
    def of(cls, details: ErrorDetails, error: InvalidRequestError) -> "_Wrong":
        """Return an error of a request, or of the request in a batch that has it."""
        form = error.form
        path = details["loc"]
        item: tuple[str, ...] = ()
        if path[:1] == ("requests",) and len(path) > 1:
            form = get_args(form.model_fields["requests"].annotation)[0]
            item = (str(path[1]),)
            path = path[2:]
        context = details.get("ctx", {})
        return cls(details["type"], details["input"], form, path, item, context, error.in_query)

    @property
    def field(self) -> str:
        """The name of the field, or an empty text if the request itself is wrong."""
        return str(self.path[0]) if self.path else ""

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the field, or of the items of the field if one of them is wrong."""
        schema = fields_of(self.form).get(self.field, {})
        items: dict[str, Any] = schema.get("items", {})
        return items if len(self.path) > 1 else schema

    @property
    def name(self) -> str:
        """The name of the value in texts; moves are counted from 1."""
        if not self.path:
            return "The request"
        if self.field == "played" and len(self.path) > 1:
            return f"Move {int(self.path[1]) + 1} in `played`"
        return quoted(".".join(map(str, self.path)))

    @property
    def advice(self) -> str:
        """What to send: the string for a board in another form, otherwise an example.

        It is empty for an item of an array in a body, whose statement is enough.
        """
        if len(self.path) > 1 and not self.in_query:
            return ""
        board = _board_meant(self.sent) if self.field == "board" else None
        if board:
            return f"Send {self.written(board)}."
        return self.form.advice(self.field, in_query=self.in_query)

    def written(self, value: object) -> str:
        """Return a value that may be sent: as JSON or, for a query, in backticks."""
        return f"`{value}`" if self.in_query else json.dumps(value)


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
    statement = f"{wrong.name}{_code_points(wrong.field)} {wrong.form.unknown}."
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
        return _Text("wrong_length", statement, wrong.advice)
    cell = next(cell for cell, mark in enumerate(board) if mark not in "XO.")
    place = f"Cell {cell} of the board {_cut(json.dumps(board, ensure_ascii=False))}"
    rule = "A cell is X, O, or a dot if it is empty."
    statement = f"{place} holds {shown(board[cell])}. {rule}"
    return _Text("wrong_character", statement, wrong.advice)


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
        **wrong.schema,
        **wrong.context,
        "expected": _expected(wrong),
        "unquoted": ", without quotes" if _is_in_quotes(wrong) else "",
        "sent": shown(wrong.sent),
    }
    return _Text(code, f"{wrong.name} {demand.format_map(words)}.", wrong.advice)


def _expected(wrong: _Wrong) -> str:
    """Return the values of a field that has only some; an empty text for any other field."""
    *others, last = map(wrong.written, wrong.schema.get("enum", [""]))
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
    cells = [*sent] if isinstance(sent, str | list) else []
    if len(cells) == 3 and all(isinstance(row, str | list) for row in cells):
        cells = [cell for row in cells for cell in row]
    marks = [str(cell).upper() for cell in cells]
    signs = [cell for cell, mark in zip(cells, marks, strict=True) if mark not in ("X", "O")]
    is_clear = all(sign in _EMPTY and sign == signs[0] for sign in signs)
    if len(cells) != CELLS or not is_clear:
        return None
    return "".join(mark if mark in ("X", "O") else "." for mark in marks)


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
    foreign = dict.fromkeys(re.findall("[^ -~]", text[: MAX_QUOTED - 1]))
    if not foreign:
        return ""
    return f" ({', '.join(f'U+{ord(character):04X}' for character in foreign)})"


def _cut(text: str) -> str:
    return text if len(text) <= MAX_QUOTED else text[: MAX_QUOTED - 1] + "…"
