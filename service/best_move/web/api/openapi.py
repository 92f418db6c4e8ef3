"""The OpenAPI document as it is served: the file `openapi.yaml`, whose server is this service."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any, Final

import yaml

from best_move.web.api.compression import ConstantText

Json = dict[str, Any]

#  A build puts the file beside this module; in a clone it is at the top.
_INSTALLED: Final = Path(__file__).with_suffix(".yaml")
_FILE: Final = _INSTALLED if _INSTALLED.exists() else Path(__file__).parents[4] / "openapi.yaml"

#  The file names a service on the reader's machine. A served document names the service that serves it, relative to its
#  own URL, because the service may have a path prefix.
_SERVERS: Final = "servers: [{url: ., description: The service that serves this document.}]"

_Loader: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # PyYAML may be built without its C library


@cache
def document() -> Json:
    """Return the document that is served."""
    loaded: Json = yaml.load(_text(), Loader=_Loader)  # noqa: S506, both loaders are safe
    return loaded


@cache
def as_json() -> ConstantText:
    """Return the document that is served, as JSON."""
    return ConstantText(json.dumps(document(), ensure_ascii=False) + "\n", "application/json")


@cache
def as_yaml() -> ConstantText:
    """Return the document that is served, as YAML."""
    return ConstantText(_text(), "application/yaml")


def _text() -> str:
    return re.sub("^servers: .*", _SERVERS, _FILE.read_text(encoding="utf-8"), count=1, flags=re.MULTILINE)
