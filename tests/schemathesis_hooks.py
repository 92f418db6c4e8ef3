"""A hook for Schemathesis: it skips requests whose invalid parameter would be sent as nothing."""

from typing import Any

import schemathesis
from schemathesis import HookContext


def is_omitted(value: object) -> bool:
    """Return whether a URL has no text for a value: null, or a list or object without any."""
    match value:
        case list():
            return all(item == "" or is_omitted(item) for item in value)
        case dict():
            return is_omitted([*value.values()])
    return value is None


@schemathesis.hook
def filter_query(_: HookContext, query: dict[str, Any] | None) -> bool:
    """Return whether each value of a query is sent; a missing or empty parameter is omitted."""
    return not any(map(is_omitted, (query or {}).values()))
