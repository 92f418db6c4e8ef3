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


FAULTS = {
    "nothing": (b"", "EOF while parsing a value at line 1 column 0"),
    "a byte order mark": (
        b"\xef\xbb\xbf{}",
        "it starts with a byte order mark, which JSON does not allow",
    ),
    "UTF-16": ("{}".encode("utf-16"), "it is not UTF-8 at byte 0"),
    "bytes that are not UTF-8": (b'"\xff"', "it is not UTF-8 at byte 1"),
    "a text that ends early": (b'{"board": ', "EOF while parsing a value at line 1 column 10"),
    "a comma too many": (b'{"a": 1,\n}', "trailing comma at line 2 column 1"),
    "single quotes": (b"{'a': 1}", "key must be a string at line 1 column 2"),
    "half a surrogate pair": (rb'"\ud800"', "unexpected end of hex escape at line 1 column 8"),
    "unbounded nesting": (b"[" * 50_000, "recursion limit exceeded at line 1 column 202"),
    "too many digits": (b"9" * 5000, "number out of range at line 1 column 4302"),
}


@pytest.mark.parametrize(("body", "fault"), FAULTS.values(), ids=FAULTS)
def test_malformed_json_raises_an_error(body: bytes, fault: str) -> None:
    """The error has the cause and its place in the parser's words."""
    with pytest.raises(MalformedJsonError) as raised:
        decode(body)
    assert str(raised.value) == fault


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
