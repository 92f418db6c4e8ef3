"""The base class of request models, and the texts for Pydantic's errors; without Flask."""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Annotated, ClassVar, NamedTuple, TypeVar, get_args
from urllib.parse import quote

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import ErrorDetails

from best_move.engine.position import CELLS
from best_move.engine.text import listed
from best_move.quoting import code_points, cut, quoted, shown
from best_move.web.api.strict_json import Json

BOARD = "^[XO.]{9}$"
MAX_ERRORS = 20  # described per response; any further errors are only counted

Writer = Callable[[object], str]  # of an example


def as_integer(number: object) -> object:
    """Return a float such as 2.0 as an integer, which it is in JSON Schema.

    Anything else is returned unchanged.
    """
    if isinstance(number, float) and number.is_integer():
        return int(number)
    return number


class Hint:
    """Advice on what to send: a sentence with `{}` for each example, and the examples as values."""

    def __init__(self, sentence: str, *examples: object) -> None:
        self.sentence = sentence
        self.examples = examples


def as_parameter(value: object) -> str:
    """Return a value as it is written in a query, in backticks."""
    if isinstance(value, list):
        value = ",".join(map(str, value))
    return f"`{value}`"


CELL = {"type": "integer", "minimum": 0, "maximum": CELLS - 1}  # its JSON Schema

Played = Annotated[
    list[Annotated[int, Field(ge=0, le=CELLS - 1), BeforeValidator(as_integer)]],
    Field(max_length=CELLS),
]


class Request(BaseModel):
    """A request: unknown names are rejected, and an optional field that is null is omitted."""

    model_config = ConfigDict(extra="forbid", strict=True)

    unknown: ClassVar = "is not a field of this request"  # what errors say of an unknown name
    known: ClassVar = "The fields are {}."  # advice for an unknown name
    hints: ClassVar[dict[str, Hint]] = {}  # field, or an unknown name -> what to send

    @model_validator(mode="before")
    @classmethod
    def without_nulls(cls, fields: object) -> object:
        """Return the fields without those that are null.

        Unknown fields stay, so that they are rejected.
        """
        if not isinstance(fields, dict) or None not in fields.values():
            return fields
        return {
            name: value
            for name, value in fields.items()
            if value is not None or name not in cls.model_fields
        }

    @classmethod
    def advice(cls, field: str, write: Writer = json.dumps) -> str:
        """Return what to send as a field, or instead of an unknown name; empty without a hint."""
        hint = cls.hints.get(field)
        if not hint:
            return ""
        examples = map(write, hint.examples)
        return hint.sentence.format(*examples)

    @classmethod
    def shape(cls) -> str:
        """Return what to send as the body of a request: an object with the required fields."""
        required = [quoted(name) for name, field in cls.model_fields.items() if field.is_required()]
        return f"Send a JSON object with {listed(required, 'and')}."


Form = TypeVar("Form", bound=Request)


class InvalidRequestError(ValueError):
    """Raised for fields that do not match the schema of a request; `errors` are Pydantic's."""

    def __init__(
        self, form: type[Request], errors: list[ErrorDetails], *, in_query: bool = False
    ) -> None:
        self.form = form
        self.errors = errors
        self.in_query = in_query


def read(form: type[Form], fields: object, *, in_query: bool = False) -> Form:
    """Read fields as a request; raise InvalidRequestError if they do not match its schema."""
    try:
        return form.model_validate(fields)
    except ValidationError as error:
        errors = error.errors(include_url=False)
        raise InvalidRequestError(form, errors, in_query=in_query) from None


@cache
def fields_of(form: type[Request]) -> dict[str, Json]:
    """Return the JSON Schema of each field of a request, by its name."""
    schema = form.model_json_schema(ref_template="{model}")
    types = schema.get("$defs", {})
    fields = {}
    for name, field in schema["properties"].items():
        type_ = types.get(field.get("$ref"), {})
        fields[name] = type_ | field
    return fields


class _Text(NamedTuple):
    """An error in words: its code, what is wrong, and what to send."""

    code: str
    statement: str
    advice: str


def describe_errors(error: InvalidRequestError) -> tuple[str, list[Json]]:
    """Return one text on all errors, without repeated sentences, and each error with its text."""
    errors: list[Json] = []
    sentences: list[str] = []
    for details in error.errors[:MAX_ERRORS]:
        form = error.form
        path = details["loc"]
        place = ""
        if path[:1] == ("requests",) and len(path) > 1:  # in an item of a batch
            (form,) = get_args(form.model_fields["requests"].annotation)
            place = f"In item {path[1]} of `requests`: "
            path = path[2:]
        text = _described(details, form, path, in_query=error.in_query)
        detail = f"{text.statement} {text.advice}".rstrip()
        errors.append(field_error(details["loc"], text.code, detail))
        sentences += [place + text.statement, text.advice]
    return summary(sentences, len(error.errors)), errors


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
_LENGTH = "must have {minItems} to {maxItems} items, not {actual_length}: {sent}"

#  Pydantic's type of an error -> its code, and what is wrong, with names of the field's schema.
_KINDS = {
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
_IN_QUOTES = {"int_type": "-?[0-9]+", "bool_type": "(?i)true|false"}


def _described(
    details: ErrorDetails, form: type[Request], path: Sequence[int | str], *, in_query: bool
) -> _Text:
    """Return the text on a value, a field or, if the path is empty, the request."""
    kind = details["type"]
    sent = details["input"]
    field = str(path[0]) if path else ""
    write: Writer = json.dumps
    if in_query:
        write = as_parameter
    if kind == "extra_forbidden":
        return _unknown_field(field, form, write)
    advice = form.advice(field, write) if path else form.shape()
    if kind == "string_pattern_mismatch":
        return _invalid_board(sent, advice)
    code, demand = _KINDS[kind]
    schema = fields_of(form).get(field, {})
    words = {
        "minItems": 0,
        **schema.get("items", {}),
        **schema,
        **details.get("ctx", {}),
        "expected": listed(map(write, schema.get("enum", [""])), "or"),
        "unquoted": "" if in_query else _unquoted(kind, sent),
        "sent": shown(sent),
    }
    return _Text(code, f"{_name(path)} {demand.format_map(words)}.", advice)


def _name(path: Sequence[int | str]) -> str:
    if not path:
        return "The request"
    if len(path) == 1:
        return quoted(path[0])
    number = int(path[1]) + 1
    return f"Move {number} in {quoted(path[0])}"


def _unknown_field(name: str, form: type[Request], write: Writer) -> _Text:
    statement = f"{quoted(name)}{code_points(name)} {form.unknown}."
    by_letters = {letters(field): field for field in form.model_fields}
    meant = by_letters.get(letters(name))
    if meant:
        statement += f" Did you mean `{meant}`?"
        advice = form.advice(meant, write)
    else:
        fields = ", ".join(form.model_fields)
        known = form.known.format(fields)
        advice = f"{known} {form.advice(name, write)}".rstrip()
    return _Text("unknown_field", statement, advice)


def _invalid_board(board: str, advice: str) -> _Text:
    if len(board) != CELLS:
        statement = f"The board must have {CELLS} cells, not {len(board)}: {shown(board)}."
        return _Text("wrong_length", statement, advice)
    rest = board.lstrip("XO.")
    cell = CELLS - len(rest)
    character = shown(rest[0])
    text = cut(json.dumps(board, ensure_ascii=False))
    rule = "A cell is X, O, or a dot if it is empty."
    statement = f"Cell {cell} of the board {text} holds {character}. {rule}"
    return _Text("wrong_character", statement, advice)


def _unquoted(kind: str, sent: object) -> str:
    """Return the advice for a number or a boolean that is sent in quotes."""
    pattern = _IN_QUOTES.get(kind)
    if pattern and re.fullmatch(pattern, str(sent)):
        return ", without quotes"
    return ""


def letters(name: str) -> str:
    """Return a name in lower case, without punctuation and brackets.

    So `maxDepth` equals `max_depth`.
    """
    return re.sub(r"\[\w*\]|[\W_]", "", name.lower())
