"""A JSON decoder that rejects objects with repeated names."""

import json
from typing import Final

from pydantic_core import from_json


class MalformedJsonError(ValueError):
    """Raised for text that is not JSON; the message says where the text becomes invalid."""


class DuplicateFieldError(ValueError):
    """Raised if an object repeats a name, because one of the values would be ignored; `name` is the repeated name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"duplicate name {name}")
        self.name: Final = name


def decode(body: bytes) -> object:
    """Decode JSON. Raises MalformedJsonError, or DuplicateFieldError for the first object that repeats a name.

    Pydantic's parser runs first: it reports what is invalid. It also rejects text that the standard library's parser
    accepts, such as half a surrogate pair, or fails on, such as unbounded nesting. The standard library's parser runs
    second, because only this parser shows repeated names.
    """
    try:
        from_json(body)
    except ValueError as error:
        raise MalformedJsonError(str(error)) from None
    return _DECODER.decode(body.decode())


def _without_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields: dict[str, object] = {}
    for name, value in pairs:
        if name in fields:
            raise DuplicateFieldError(name)
        fields[name] = value
    return fields


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_without_duplicates)
