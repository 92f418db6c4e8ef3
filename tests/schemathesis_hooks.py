"""A hook for Schemathesis: it skips requests whose invalid parameter would be sent as nothing."""

from typing import Any

import schemathesis
from schemathesis import HookContext


def is_omitted(value: object) -> bool:
    """Return whether a URL has no text for a value: null, or an array or object whose items have none."""
    match value:
        case list():
            return all(item == "" or is_omitted(item) for item in value)
        case dict():
            return is_omitted([*value.values()])
    return value is None


@schemathesis.hook
def filter_query(_: HookContext, query: dict[str, Any] | None) -> bool:
    """Return whether each value of a query is sent. A missing or empty parameter counts as omitted, which is valid."""
    return not any(map(is_omitted, (query or {}).values()))
