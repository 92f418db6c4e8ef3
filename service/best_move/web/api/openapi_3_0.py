"""The OpenAPI document in version 3.0, for importers that read no later one."""

import json
import re
from typing import Any

from best_move.web.api.strict_json import Json

_REF = "#/components/schemas/"
_NULL = {"type": "null"}


def in_3_0(document: Json) -> Json:
    """Return an OpenAPI 3.1 document as one of version 3.0.

    It lacks the paths for chatbots, because no importer calls them. Parameters contain no
    reference. No schema contains itself: in its place is an object of any kind.
    """
    info, schemas = document["info"], document["components"]["schemas"]
    paths = {
        path: _converted(operations, schemas)
        for path, operations in document["paths"].items()
        if not any("chatbots" in each["tags"] for each in operations.values())
    }
    components = _converted(document["components"] | {"schemas": {}}, schemas)
    named = {name: _schema(each, schemas, name) for name, each in schemas.items()}
    used = _names_in({**paths, **components})
    for name in [*used]:
        used |= _used_by(name, named)
    return {
        **document,
        "openapi": "3.0.3",
        "info": {name: text for name, text in info.items() if name != "summary"}
        | {"license": {"name": info["license"]["name"]}},
        "tags": [tag for tag in document["tags"] if tag["name"] != "chatbots"],
        "paths": paths,
        "components": components | {"schemas": {name: named[name] for name in sorted(used)}},
    }


def _converted(node: Any, schemas: Json) -> Any:
    """Return a part of the document with its schemas converted, and its examples unchanged."""
    if isinstance(node, list):
        return [_converted(each, schemas) for each in node]
    if not isinstance(node, dict):
        return node
    parts = {}
    for name, value in node.items():
        if name == "schema":
            #  A reference of a parameter becomes its target, because the description is beside it.
            description = {"description": node["description"]} if "in" in node else {}
            parts[name] = _schema(description | value, schemas)
        else:
            parts[name] = value if name == "value" else _converted(value, schemas)
    return parts


def _schema(schema: Json, schemas: Json, owner: str = "") -> Json:
    """Return a schema in the form of version 3.0; `owner` is the named schema that it belongs to.

    A reference beside other keywords becomes its target, because version 3.0 ignores these.
    """
    schema = _with_nullable(schema)
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(_REF)
        others = {keyword: value for keyword, value in schema.items() if keyword != "$ref"}
        #  In a circle of references, one leads to a name that is not later in the alphabet.
        if name <= owner and owner in _used_by(name, schemas):
            text = f"Another {name}, like the one that contains it."
            return {"type": "object", "description": text} | others
        return _schema(schemas[name], schemas, name) | others if others else schema
    if "const" in schema:
        schema["enum"] = [schema.pop("const")]
    if "examples" in schema:
        schema["example"], *_ = schema.pop("examples")
    schema.pop("propertyNames", None)
    for keyword in ("items", "additionalProperties"):
        if isinstance(schema.get(keyword), dict):
            schema[keyword] = _schema(schema[keyword], schemas, owner)
    if "properties" in schema:
        schema["properties"] = {
            field: _schema(each, schemas, owner) for field, each in schema["properties"].items()
        }
    return schema


def _with_nullable(schema: Json) -> Json:
    """Return a schema in which `nullable` replaces the type null."""
    others = {name: value for name, value in schema.items() if name not in ("anyOf", "type")}
    type_ = schema.get("type")
    if "anyOf" in schema:
        (option,) = [each for each in schema["anyOf"] if each != _NULL]
        return {**option, **others, "nullable": True}
    if isinstance(type_, list):
        (type_,) = [each for each in type_ if each != "null"]
        return {"type": type_, **others, "nullable": True}
    return dict(schema)


def _used_by(name: str, schemas: Json) -> set[str]:
    """Return the names of the schemas to which a named schema refers, also through others."""
    found: set[str] = set()
    unexplored = [name]
    while unexplored:
        names = _names_in(schemas[unexplored.pop()]) - found
        found |= names
        unexplored += names
    return found


def _names_in(part: Json) -> set[str]:
    """Return the names of the schemas to which a part of the document refers."""
    return {*re.findall(f'"{_REF}(.*?)"', json.dumps(part))}
