"""The OpenAPI document as it is served: `openapi.yaml`, with this service as its server."""

import json
import re
from functools import cache, lru_cache
from pathlib import Path

import yaml

from best_move.web.api.compression import ConstantBody
from best_move.web.api.openapi_3_0 import in_3_0
from best_move.web.api.strict_json import Json

#  A build puts the file beside this module; in a clone it is in the top folder.
_INSTALLED = Path(__file__).with_suffix(".yaml")
_FILE = _INSTALLED if _INSTALLED.exists() else Path(__file__).parents[4] / "openapi.yaml"

_PLACEHOLDER = "https://service.invalid"  # stands for the URL in a text that is written once

#  PyYAML may be built without its C library.
_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@cache
def document() -> Json:
    """Return the served document."""
    loaded: Json = yaml.load(_text(), Loader=_Loader)  # noqa: S506, both loaders are safe
    return loaded


def resolved(node: Json) -> Json:
    """Return the component of the document that a node refers to, or the node itself."""
    if "$ref" not in node:
        return node
    *_, kind, name = node["$ref"].split("/")
    component: Json = document()["components"][kind][name]
    return component


@cache
def as_json() -> ConstantBody:
    """Return the served document as JSON."""
    text = json.dumps(document(), ensure_ascii=False) + "\n"
    return ConstantBody(text.encode(), "application/json")


@lru_cache(maxsize=8)  # few hosts are in use, and each document is large
def as_json_3_0(service: str) -> ConstantBody:
    """Return the document in version 3.0 as JSON, with an absolute URL, which importers need."""
    text = _text_in_3_0().replace(json.dumps(_PLACEHOLDER), json.dumps(service))
    return ConstantBody(text.encode(), "application/json")


@cache
def _text_in_3_0() -> str:
    (server,) = document()["servers"]
    converted = in_3_0(document()) | {"servers": [server | {"url": _PLACEHOLDER}]}
    return json.dumps(converted, ensure_ascii=False) + "\n"


@cache
def as_yaml() -> ConstantBody:
    """Return the served document as YAML."""
    return ConstantBody(_text().encode(), "application/yaml")


def _text() -> str:
    """Return the file with a relative URL for the server; the file's is that of an example."""
    text = _FILE.read_text(encoding="utf-8")
    servers = "servers: [{url: ., description: The service that serves this document.}]"
    return re.sub("^servers: .*", servers, text, count=1, flags=re.MULTILINE)
