"""Strict JSON: valid text is decoded, and invalid text or a repeated name raises an error."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from best_move.web.api.strict_json import DuplicateFieldError, MalformedJsonError, decode


def test_json_is_decoded() -> None:
    """Objects, lists and texts in any script become Python objects."""
    assert decode('{"board": ["X", null], "ü": "\\u00e9"}'.encode()) == {
        "board": ["X", None],
        "ü": "é",
    }


@pytest.mark.parametrize("body", [b"[" * 50_000, b"9" * 5000], ids=["nesting", "digits"])
def test_a_text_beyond_the_limits_of_the_parser_raises_an_error(body: bytes) -> None:
    """Nesting and numbers without bounds are malformed."""
    assert fault_of(body)


VALID = [
    '{"board": "X...O....", "played": [0, 4], "analysis": true, "seed": null}',
    '{"requests":\n[{"board": "x\\n\\u00e9é"}, {"a": -1.5e3}]}',
    '{"moves": {"😀": {}, "\\ud83d\\ude00": []}}',
]
WRONG_PARTS = st.text(alphabet="{}[]\",:\\\n\0 0a-X'", max_size=3)


@given(st.sampled_from(VALID), st.integers(0, 80), st.integers(0, 2), WRONG_PARTS)
def test_every_broken_text_gets_a_place_in_it(text: str, start: int, cut: int, part: str) -> None:
    """The error for any broken text names a line of it, and a column of this line, in bytes."""
    broken = text[:start] + part + text[start + cut :]
    fault = fault_of(broken.encode())
    if fault:
        place = re.fullmatch(r".+ at line (\d+) column (\d+)", fault)
        assert place, fault
        line = [*broken.encode().split(b"\n"), b""][int(place[1]) - 1]
        assert 0 <= int(place[2]) <= len(line) + 1


def fault_of(body: bytes) -> str:
    """Return what is wrong with a body that is not JSON; an empty string if nothing is."""
    try:
        decode(body)
    except MalformedJsonError as error:
        return str(error)
    except DuplicateFieldError:
        pass
    return ""


REPEATED = {
    "a field": (b'{"b": 0, "a": 1, "a": 2, "c": 3}', "a"),
    "a field of an item": (b'[{}, {"c": [0, {"a": 1, "\\u0061": 2}]}]', "a"),
    "the second of many": (b'{"a": {"x": 1}, "b": {"x": 1}, "b": 2}', "b"),
}


@pytest.mark.parametrize(("body", "name"), REPEATED.values(), ids=REPEATED)
def test_a_repeated_name_raises_an_error(body: bytes, name: str) -> None:
    """The error has the name, at any depth and however JSON escapes the name."""
    with pytest.raises(DuplicateFieldError) as raised:
        decode(body)
    assert raised.value.name == name
