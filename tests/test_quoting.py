"""Names and values in errors: they are short, and code points name exactly what is shown."""

import json
import re
from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from best_move.quoting import MAX_QUOTED, beginning, cut, identified, shown

#  Texts around the limit, with characters that are foreign, that JSON escapes, or that may close.
TEXTS: Final = st.text('abcdefg"]}\\\n\x7f é…\u200b😀', max_size=60) | st.text(max_size=60)
VALUES: Final = st.recursive(
    TEXTS | st.integers() | st.booleans() | st.none() | st.binary(),
    lambda values: st.lists(values) | st.dictionaries(TEXTS, values),
    max_leaves=10,
)


def parts(quotation: str) -> tuple[str, list[str]]:
    """Return what a quotation shows, and the characters that its code points name."""
    found = re.fullmatch(r"(?s)(.*?)(?: \((U\+[0-9A-F, U+]+)\))?", quotation)
    assert found
    text, names = found.groups("")
    return text, [chr(int(name, 16)) for name in re.findall(r"U\+([0-9A-F]{4,6})", names)]


@given(text=TEXTS, limit=st.integers(2, 70))
def test_a_long_text_is_cut_to_the_limit(text: str, limit: int) -> None:
    """It keeps its start and a closing quote or bracket; … replaces the rest."""
    if len(text) <= limit:
        assert cut(text, limit) == text
        return
    closing = text[-1] if text[-1] in '"]}' else ""
    kept = limit - len(f"…{closing}")
    assert cut(text, limit) == f"{text[:kept]}…{closing}"


@given(text=TEXTS)
def test_exactly_the_foreign_characters_that_are_shown_have_code_points(text: str) -> None:
    """Each character that is not ASCII has its code point, unless it is cut off."""
    written = json.dumps(text, ensure_ascii=False)
    name = written[1:-1]
    for quotation, whole, quote in ((shown(text), written, ""), (identified(text), name, "`")):
        visible, named = parts(quotation)
        assert visible == f"{quote}{cut(whole)}{quote}"
        if len(whole) > MAX_QUOTED:
            visible = "".join(visible.rsplit("…", 1))
        assert named == [*dict.fromkeys(re.findall("[^ -~]", visible))]


@given(value=VALUES)
def test_a_value_of_any_type_is_short(value: object) -> None:
    """It is cut to the limit, and its code points are those of characters that are shown."""
    visible, named = parts(shown(value))
    assert len(visible) <= MAX_QUOTED
    assert {*named} <= {*visible}


@given(body=TEXTS.map(str.encode) | st.binary())
def test_the_beginning_of_a_body_is_visible_on_one_line(body: bytes) -> None:
    """Each character that can be seen is as it came; all are printable."""
    visible, named = parts(beginning(body))
    assert visible.isprintable()
    assert {*named} <= {*visible}
    text = " ".join(re.split("[ \t\r\n]+", body.decode(errors="replace")))
    if text.isprintable():
        assert visible == f"`{text[:MAX_QUOTED]}`"
