"""Names and values as errors quote them: truncated if they are long."""

import json
import re

MAX_QUOTED = 40  # characters of a name or a value that are quoted


def quoted(name: object) -> str:
    """Return a name in backticks."""
    return f"`{cut(str(name))}`"


def shown(value: object) -> str:
    """Return a value as JSON or, if JSON cannot write it, as Python does.

    Code points name the characters that are not ASCII, because many look like others.
    """
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        text = repr(value)
    return cut(text) + code_points(text)


def code_points(text: str) -> str:
    """Return the code points of a text's first characters that are not printable ASCII."""
    foreign = dict.fromkeys(re.findall("[^ -~]", text[:MAX_QUOTED]))
    if not foreign:
        return ""
    found = [f"U+{ord(character):04X}" for character in foreign]
    return f" ({', '.join(found)})"


def cut(text: str, limit: int = MAX_QUOTED) -> str:
    """Return a text, of which at most `limit` characters stay."""
    if len(text) <= limit:
        return text
    return f"{text[: limit - 1]}…"
