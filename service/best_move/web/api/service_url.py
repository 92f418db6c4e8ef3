"""The URL of the service, as its clients know it."""

import re
from urllib.parse import quote

from flask import request
from werkzeug.exceptions import BadHost

MAX_PREFIX = 256  # a longer prefix is ignored, because some take milliseconds

_HOST_WITH_UNDERSCORE = re.compile(r"[\w.-]+(:[0-9]{1,5})?", re.ASCII)


def service_url() -> str:
    """Return the URL of the service as clients know it, even behind proxies; it ends in a slash.

    Raises BadHost if the header Host is not a valid name.
    """
    scheme = _forwarded("X-Forwarded-Proto")[0]
    if scheme not in ("http", "https"):
        scheme = request.scheme
    url = f"{scheme}://{_host()}/"
    prefix = "/".join(filter(None, _forwarded("X-Forwarded-Prefix")))
    if 0 < len(prefix) <= MAX_PREFIX:
        url += f"{quote(prefix)}/"
    return url


def _host() -> str:
    #  Flask's `host` is empty if the name has an underscore, as names of containers may have.
    sent = request.headers.get("Host", "")
    host = request.host or (sent if _HOST_WITH_UNDERSCORE.fullmatch(sent) else "")
    if not host:
        raise BadHost
    return host


def _forwarded(header: str) -> list[str]:
    """Return the values that proxies have added to a header, that of the outermost proxy first."""
    values = request.headers.get(header, "").split(",")
    return [value.strip(" /") for value in values]
