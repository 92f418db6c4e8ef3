"""JSON, decoded so that no name of an object is ignored."""

import json
from collections import Counter
from collections.abc import Iterable
from typing import Final

from pydantic_core import from_json


class MalformedJsonError(ValueError):
    """Raised for text that is not JSON; the message says where it becomes invalid."""


class DuplicateFieldError(ValueError):
    """Raised if names are repeated, because one of their values would be ignored; `names` are those names."""

    def __init__(self, names: Iterable[str]) -> None:
        super().__init__("duplicate names")
        self.names: Final = tuple(name for name, count in Counter(names).items() if count > 1)


def decode(body: bytes) -> object:
    """Decode JSON; an object with duplicate names becomes a DuplicateFieldError. Raises MalformedJsonError.

    Pydantic's parser goes first: it says what is invalid, and rejects what the standard library's accepts, such as half
    a surrogate pair, or fails on, such as unbounded nesting. But only the other one shows duplicate names.
    """
    try:
        from_json(body)
    except ValueError as error:
        raise MalformedJsonError(str(error)) from None
    return _DECODER.decode(body.decode())


def _without_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object] | DuplicateFieldError:
    fields = dict(pairs)
    return fields if len(fields) == len(pairs) else DuplicateFieldError(name for name, _ in pairs)


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_without_duplicates)
