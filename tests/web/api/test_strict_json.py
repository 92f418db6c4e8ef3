"""JSON: decoded as it is, or the reason why not."""

import pytest

from best_move.web.api.strict_json import DuplicateFieldError, MalformedJsonError, decode


def test_json_is_decoded() -> None:
    """Objects, lists and texts in any script become Python's."""
    assert decode('{"board": ["X", null], "ü": "\\u00e9"}'.encode()) == {"board": ["X", None], "ü": "é"}


MALFORMED = {
    "a text that ends early": b'{"board": ',
    "half a surrogate pair": rb'"\ud800"',
    "unbounded nesting": b"[" * 50_000,
    "bytes that are not UTF-8": b'"\xff"',
}


@pytest.mark.parametrize("body", MALFORMED.values(), ids=MALFORMED)
def test_malformed_json_is_an_error(body: bytes) -> None:
    """Text that is not JSON raises, with a message that says what is invalid."""
    with pytest.raises(MalformedJsonError, match=r"\w"):
        decode(body)


def test_repeated_names_become_an_error_in_their_place() -> None:
    """An object that repeats a name becomes the error that names it, at any depth."""
    found = decode(b'[{"a": 1, "b": 2, "a": 3}, {"c": 1}]')
    assert isinstance(found, list)
    assert isinstance(found[0], DuplicateFieldError)
    assert found[0].names == ("a",)
    assert found[1] == {"c": 1}
