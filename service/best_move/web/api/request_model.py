"""The base class of request models, and how fields are read as a request."""

import json
from collections.abc import Callable
from functools import cache
from typing import Annotated, ClassVar, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import ErrorDetails

from best_move.engine.position import CELLS
from best_move.engine.text import listed
from best_move.quoting import quoted
from best_move.web.api.strict_json import Json

Writer = Callable[[object], str]  # writes an example


def as_integer(number: object) -> object:
    """Return a float such as 2.0 as an integer, because JSON Schema counts it as one.

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


CELL = {"type": "integer", "minimum": 0, "maximum": CELLS - 1}  # the JSON Schema of a cell

Played = Annotated[
    list[Annotated[int, Field(ge=0, le=CELLS - 1), BeforeValidator(as_integer)]],
    Field(max_length=CELLS),
]


class Request(BaseModel):
    """A request: unknown names are rejected, and a field that is null counts as omitted."""

    model_config = ConfigDict(extra="forbid", strict=True)

    #  What errors say of an unknown name; in the advice, {} is the list of fields.
    unknown_statement: ClassVar = "is not a field of this request"
    unknown_advice: ClassVar = "The fields are {}."
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
        """Return the hint for a field or an unknown name, or an empty text."""
        hint = cls.hints.get(field)
        if not hint:
            return ""
        examples = map(write, hint.examples)
        return hint.sentence.format(*examples)

    @classmethod
    def shape(cls) -> str:
        """Return what to send as the body of a request that has required fields."""
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
    schema = form.model_json_schema(ref_template="{model}")  # so that a $ref is a name in $defs
    types = schema.get("$defs", {})
    fields = {}
    for name, field in schema["properties"].items():
        #  A field has a $ref or a type: "| MISSING" leaves no trace in the schema.
        type_ = types.get(field.get("$ref"), {})
        fields[name] = type_ | field
    return fields
