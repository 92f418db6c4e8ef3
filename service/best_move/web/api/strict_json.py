"""A JSON decoder that rejects objects with repeated names."""

import json
from codecs import BOM_UTF8
from typing import Any

from pydantic_core import from_json

Json = dict[str, Any]  # an object, decoded


class MalformedJsonError(ValueError):
    """Raised for text that is not JSON; the message is a clause with the cause and its place."""


class DuplicateFieldError(ValueError):
    """Raised if a name is repeated, because a value would be ignored.

    `pointer` is the JSON Pointer to the name, or `#` if the name is somewhere in the body.
    """

    def __init__(self, name: str, pointer: str = "#") -> None:
        super().__init__(name)
        self.name = name
        self.pointer = pointer


def decode(body: bytes) -> object:
    """Decode JSON. Raises MalformedJsonError, or DuplicateFieldError if an object repeats a name.

    NaN and Infinity pass as numbers, so that an error can name their field.

    Pydantic's parser runs first: it reports what is invalid, and where; its columns count bytes. It
    also rejects half a surrogate pair, which the standard library's parser accepts, and unbounded
    nesting, on which that parser fails. The standard library's parser runs second, because only
    this parser shows repeated names.
    """
    if body.startswith(BOM_UTF8):
        raise MalformedJsonError("it starts with a byte order mark, which JSON does not allow")
    try:
        text = body.decode()
        from_json(body)
    except UnicodeDecodeError as error:
        raise MalformedJsonError(f"it is not UTF-8 at byte {error.start}") from None
    except ValueError as error:
        raise MalformedJsonError(str(error)) from None
    return _DECODER.decode(text)


def _without_duplicates(pairs: list[tuple[str, object]]) -> Json:
    fields: Json = {}
    for name, value in pairs:
        if name in fields:
            raise DuplicateFieldError(name)
        fields[name] = value
    return fields


_DECODER = json.JSONDecoder(object_pairs_hook=_without_duplicates)
