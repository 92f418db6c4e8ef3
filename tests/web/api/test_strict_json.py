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
    "nothing": (b" \n", "it is empty"),
    "a byte order mark": (
        b"\xef\xbb\xbf{}",
        "it starts with a byte order mark, which JSON does not allow",
    ),
    "UTF-16": (
        "{}".encode("utf-16"),
        "it starts with a byte order mark, which JSON does not allow",
    ),
    "bytes that are not UTF-8": (b'{"\xc3\xa9": "\xff"}', "it is not UTF-8 at line 1 column 8"),
    "a text that ends early": (b'{"board": ', "it ends too early, at line 1 column 11"),
    "a comma too many": (b'{"a": 1,\n}', "unexpected `}` at line 2 column 1"),
    "single quotes": (b"{'a': 1}", "unexpected `'` at line 1 column 2"),
    "a word of Python": ('{"é": None}'.encode(), "unexpected `None` at line 1 column 7"),
    "a line break in a string": (b'"\n"', r"unexpected `\n` at line 1 column 2"),
    "half a surrogate pair": (rb'"\ud800"', 'unexpected `"` at line 1 column 8'),
    "unbounded nesting": (b"[" * 50_000, "unexpected `[` at line 1 column 202"),
    "a long word": (b"x" * 50_000, f"unexpected `{'x' * 40}` at line 1 column 1"),
}


@pytest.mark.parametrize(("body", "fault"), FAULTS.values(), ids=FAULTS)
def test_malformed_json_raises_an_error(body: bytes, fault: str) -> None:
    """The error says what is wrong, and where."""
    with pytest.raises(MalformedJsonError) as raised:
        decode(body)
    assert str(raised.value) == fault


VALID = [
    '{"board": "X...O....", "played": [0, 4], "analysis": true, "seed": null}',
    '{"requests":\n[{"board": "x\\n\\u00e9é"}, {"a": -1.5e3}]}',
    '{"moves": {"😀": {}, "\\ud83d\\ude00": []}}',
]


def fault_of(text: str) -> str:
    """Return what is wrong with a text that is not JSON; an empty string if nothing is."""
    try:
        decode(text.encode())
    except MalformedJsonError as error:
        return str(error)
    except DuplicateFieldError:
        pass
    return ""


@given(st.sampled_from(VALID), st.data())
def test_the_error_for_broken_json_is_at_the_first_unexpected_text(
    text: str, data: st.DataObject
) -> None:
    """The text up to the place in the error could be continued, and the error quotes what is there instead."""
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, start + 2))
    broken = (
        text[:start] + data.draw(st.text(alphabet="{}[]\",:\\\n\0 0a-X'", max_size=3)) + text[end:]
    )
    fault = fault_of(broken)
    if found := re.fullmatch(r"unexpected `(.*)` at line (\d+) column (\d+)", fault):
        *lines, last = broken.split("\n")[: int(found[2])]
        before = "\n".join([*lines, last[: int(found[3]) - 1]])
        assert found[1] in {repr(broken[len(before) :][:length])[1:-1] for length in range(1, 41)}
        assert re.match("$|it is empty|it ends too early", fault_of(before))
    elif fault not in ("", "it is empty"):
        lines = broken.split("\n")
        assert fault == f"it ends too early, at line {len(lines)} column {len(lines[-1]) + 1}"


REPEATED = {
    "a field": (b'{"b": 0, "a": 1, "a": 2, "c": 3}', ("a",)),
    "a field of an item": (b'[{}, {"c": [0, {"a": 1, "\\u0061": 2}]}]', (1, "c", 1, "a")),
}


@pytest.mark.parametrize(("body", "path"), REPEATED.values(), ids=REPEATED)
def test_a_repeated_name_raises_an_error(body: bytes, path: tuple[int | str, ...]) -> None:
    """The error has the path to the name, at any depth and however JSON escapes the name."""
    with pytest.raises(DuplicateFieldError) as raised:
        decode(body)
    assert raised.value.args == path
