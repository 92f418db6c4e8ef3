"""Tables of cases as text, one case per line."""

import re


def table(text: str) -> list[list[str]]:
    """Return the cells of each line of a text; two or more spaces are between cells."""
    return [re.split("  +", line) for line in text.strip().splitlines()]
