"""The URL of the service, as its clients know it."""

from urllib.parse import quote

from flask import request

MAX_PREFIX = 256  # a longer prefix is ignored, because some take milliseconds


def service_url() -> str:
    """Return the URL of the service as clients know it, even behind proxies; it ends in a slash."""
    scheme = _forwarded("X-Forwarded-Proto")[0]
    if scheme not in ("http", "https"):
        scheme = request.scheme
    url = f"{scheme}://{request.host}/"
    prefix = "/".join(filter(None, _forwarded("X-Forwarded-Prefix")))
    if 0 < len(prefix) <= MAX_PREFIX:
        url += f"{quote(prefix)}/"
    return url


def _forwarded(header: str) -> list[str]:
    """Return the values that proxies have added to a header, that of the outermost proxy first."""
    values = request.headers.get(header, "").split(",")
    return [value.strip(" /") for value in values]
