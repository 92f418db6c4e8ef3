"""Names and values as errors quote them: truncated if they are long."""

import json
import re
from itertools import islice

MAX_QUOTED = 40  # characters of a name or a value that are quoted


def quoted(name: object) -> str:
    """Return a name in backticks, with quotes and control characters as JSON escapes them.

    A value that is no text is written as JSON, an object by its names alone.
    """
    text = _outline(name)
    if isinstance(name, str):
        text = text[1:-1]
    return f"`{cut(text)}`"


def shown(value: object) -> str:
    """Return a value as JSON or, if JSON cannot write it, as Python does.

    An object is shown by its names alone, so that no error contains a request. Code points name the
    characters that are not ASCII, because many look like others.
    """
    text = _outline(value)
    return cut(text) + code_points(text)


def _outline(value: object) -> str:
    """Return a value as JSON, without the values of objects and without what `cut` removes."""
    if isinstance(value, dict):
        names = [f"{_outline(name)}: ..." for name in islice(value, MAX_QUOTED)]
        return f"{{{', '.join(names)}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_outline, value[:MAX_QUOTED]))}]"
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        return repr(value)


def code_points(text: str) -> str:
    """Return the code points of a text's first characters that are not printable ASCII."""
    foreign = dict.fromkeys(re.findall("[^ -~]", text[:MAX_QUOTED]))
    if not foreign:
        return ""
    found = [f"U+{ord(character):04X}" for character in foreign]
    return f" ({', '.join(found)})"


def cut(text: str, limit: int = MAX_QUOTED) -> str:
    """Return a text, of which at most `limit` characters stay; a closing quote or bracket does."""
    if len(text) <= limit:
        return text
    end = text[-1] if text[-1] in '"]}' else ""
    return f"{text[: limit - 1 - len(end)]}…{end}"
