"""A JSON decoder that rejects objects with repeated names."""

import json
import re
from collections import Counter
from typing import Any, Final

from pydantic_core import from_json

Json = dict[str, Any]  # an object, decoded


class MalformedJsonError(ValueError):
    """Raised for text that is not JSON; the message is a clause that says what is wrong, and where."""


class DuplicateFieldError(ValueError):
    """Raised if an object repeats a name, because a value would be ignored; `args` is the path to the name."""


def decode(body: bytes) -> object:
    """Decode JSON. Raises MalformedJsonError, or DuplicateFieldError for the first object that repeats a name.

    Pydantic's parser runs first: it reports what is invalid. It also rejects text that the standard library's parser
    accepts, such as half a surrogate pair, or fails on, such as unbounded nesting. The standard library's parser runs
    second, because only this parser shows repeated names.
    """
    try:
        from_json(body)
    except ValueError as error:
        raise MalformedJsonError(_fault(body, str(error))) from None
    try:
        return _DECODER.decode(body.decode())
    except DuplicateFieldError:
        raise DuplicateFieldError(
            *_path_to_repeated(json.loads(body, object_pairs_hook=tuple))
        ) from None


def _fault(body: bytes, error: str) -> str:
    """Return what is wrong with a body, and where; `error` is that of Pydantic's parser, whose columns count bytes."""
    if not body.strip():
        return "it is empty"
    if body.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        return "it starts with a byte order mark, which JSON does not allow"
    line, column = map(int, re.findall("[0-9]+", error)[-2:])
    start = sum(len(each) + 1 for each in body.split(b"\n")[: line - 1]) + column - 1
    before, after = (part.decode(errors="replace") for part in (body[:start], body[start:]))
    if error.startswith("EOF"):
        before, fault = before + after, "it ends too early,"
    elif after.startswith("\ufffd"):
        fault = "it is not UTF-8"
    else:
        word = re.findall(r"[\w.+-]*", after[:40])[0]
        begun = re.findall(r"[\w.+-]*$", before[-40:])[0] if word else ""
        before, fault = (
            before.removesuffix(begun),
            f"unexpected `{repr(begun + word or after[0])[1:-1]}`",
        )
    lines = before.split("\n")
    return f"{fault} at line {len(lines)} column {len(lines[-1]) + 1}"


def _path_to_repeated(value: object) -> tuple[int | str, ...]:
    """Return the path to the first repeated name, or an empty path; an object is a tuple of pairs."""
    pairs: Any = (
        value
        if isinstance(value, tuple)
        else [*enumerate(value)]
        if isinstance(value, list)
        else ()
    )
    count = Counter(name for name, _ in pairs)
    for name, inner in pairs:
        path = _path_to_repeated(inner) if count[name] == 1 else ()
        if path or count[name] > 1:
            return (name, *path)
    return ()


def _without_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise DuplicateFieldError
    return fields


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_without_duplicates)
