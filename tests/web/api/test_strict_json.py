"""Strict JSON: valid text is decoded, and invalid text or a repeated name raises an error."""

import pytest

from best_move.web.api.strict_json import DuplicateFieldError, MalformedJsonError, decode


def test_json_is_decoded() -> None:
    """Objects, lists and texts in any script become Python objects."""
    assert decode('{"board": ["X", null], "ü": "\\u00e9"}'.encode()) == {"board": ["X", None], "ü": "é"}


MALFORMED = {
    "a text that ends early": b'{"board": ',
    "half a surrogate pair": rb'"\ud800"',
    "unbounded nesting": b"[" * 50_000,
    "bytes that are not UTF-8": b'"\xff"',
}


@pytest.mark.parametrize("body", MALFORMED.values(), ids=MALFORMED)
def test_malformed_json_raises_an_error(body: bytes) -> None:
    """The error says what is invalid."""
    with pytest.raises(MalformedJsonError, match=r"\w"):
        decode(body)


@pytest.mark.parametrize("body", [b'{"b": 0, "a": 1, "a": 2, "b": 3}', b'[{"c": {"a": 1, "\\u0061": 2}}]'])
def test_a_repeated_name_raises_an_error(body: bytes) -> None:
    """The error has the name, at any depth and however JSON escapes the name."""
    with pytest.raises(DuplicateFieldError) as raised:
        decode(body)
    assert raised.value.name == "a"
