"""Names, values and bodies as errors quote them: truncated if they are long."""

import json
import re
from itertools import islice

MAX_QUOTED = 40  # characters of a name or a value that are quoted


def quoted(name: object) -> str:
    """Return a name in backticks, with quotes and control characters as JSON escapes them.

    A value that is no text is written as JSON, an object by its names alone.
    """
    return f"`{cut(_escaped(name))}`"


def identified(name: str) -> str:
    """Return a name as `quoted` does, followed by code points as in `shown`."""
    return quoted(name) + _code_points(_escaped(name))


def shown(value: object) -> str:
    """Return a value as JSON or, if JSON cannot write it, as Python does.

    An object is shown by its names alone, so that no error contains a request. The code points of
    characters other than printable ASCII follow, because many look like others.
    """
    text = _outline(value)
    return cut(text) + _code_points(text)


def beginning(body: bytes) -> str:
    """Return the first characters of a body in backticks, on one line.

    Quotes and backslashes are as they came, so that those of a shell are recognized. Blanks and
    line ends are one blank, and other characters that cannot be seen are escaped as in Python.
    """
    text = body[: 10 * MAX_QUOTED].decode(errors="replace")
    line = re.sub("[ \t\r\n]+", " ", text)
    visible = "".join(each if each.isprintable() else ascii(each)[1:-1] for each in line)
    start = visible[:MAX_QUOTED]
    return f"`{start}`{_code_points(start)}"


def _outline(value: object) -> str:
    """Return a value as JSON, without the values of objects, and with only so many items."""
    if isinstance(value, dict):
        names = [f"{_outline(name)}: ..." for name in islice(value, MAX_QUOTED)]
        return f"{{{', '.join(names)}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_outline, value[:MAX_QUOTED]))}]"
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        return repr(value)


def _escaped(name: object) -> str:
    """Return a value as `_outline` does, but a text without its quotes."""
    text = _outline(name)
    if isinstance(name, str):
        return text[1:-1]
    return text


def _code_points(text: str) -> str:
    """Return the code points of the characters that `cut` keeps, except printable ASCII."""
    start, _ = _parts(text, MAX_QUOTED)
    foreign = dict.fromkeys(re.findall("[^ -~]", start))
    if not foreign:
        return ""
    found = [f"U+{ord(character):04X}" for character in foreign]
    return f" ({', '.join(found)})"


def cut(text: str, limit: int = MAX_QUOTED) -> str:
    """Return a text, shortened to `limit` characters if it is longer.

    A quote or bracket at its end is kept.
    """
    start, end = _parts(text, limit)
    return start + end


def _parts(text: str, limit: int) -> tuple[str, str]:
    """Return the start of a text that `cut` keeps, and what replaces the rest, if there is one."""
    if len(text) <= limit:
        return text, ""
    closing = text[-1] if text[-1] in '"]}' else ""
    end = f"…{closing}"
    return text[: limit - len(end)], end
