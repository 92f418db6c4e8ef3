"""Callers that leave out what may be left out, and that send the first JSON of an error."""

import json
import re
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from tests.web.chatbots.calls import SHAPES, Call, any_name, right

Json = dict[str, Any]
Tool = Callable[[str, Json], Json]
Ask = Callable[[Json], Json]


def first_object(text: str) -> Json | None:
    """Return the first JSON object in a text; None if it has none."""
    decoder = json.JSONDecoder()
    for brace in re.finditer("{", text):
        try:
            found, _ = decoder.raw_decode(text, brace.start())
        except ValueError:
            continue
        return dict(found)
    return None


def omitting(call: Tool, definitions: Mapping[str, Json]) -> Tool:
    """Return a caller of tools that leaves out each argument that the schema does not require."""

    def omit(name: str, arguments: Json) -> Json:
        required = definitions[name]["inputSchema"]["required"]
        return call(name, {each: arguments[each] for each in required})

    return omit


def copying_a_call(call: Tool, random: Random) -> Tool:
    """Return a caller of tools that makes a mistake, and then sends the first JSON of the error.

    It makes the right call only if there is none, or if that is an error, too.
    """
    mistakes = [shape for shape in SHAPES if shape is not right]

    def copy(name: str, arguments: Json) -> Json:
        meant = Call(
            name,
            tuple(arguments["played"]),
            arguments["starts"],
            arguments.get("you"),
            arguments.get("difficulty"),
            arguments.get("player"),
        )
        sent = random.choice(mistakes)(meant, random).arguments
        result = call(name, sent)
        if not result.get("isError"):
            return result
        copied = first_object(result["content"][0]["text"])
        if copied is not None:
            again = call(name, copied)
            if not again.get("isError"):
                return again
        return call(name, arguments)

    return copy


def copying_a_request(ask: Ask, random: Random) -> Ask:
    """Return a client that makes a mistake, and then sends the first JSON of the error.

    It sends the right request only if there is none, or if that is an error, too.
    """

    def copy(fields: Json) -> Json:
        answer = ask(mistaken(fields, random))
        if "detail" not in answer:
            return answer
        copied = first_object(answer["detail"])
        if copied is not None:
            again = ask(copied)
            if "detail" not in again:
                return again
        return ask(fields)

    return copy


def mistaken(fields: Json, random: Random) -> Json:
    """Return a request with a field that has another name, a wrong value or something beside it."""
    name = random.choice([*fields])
    value = fields[name]
    wrong = random.choice([[value], {name: value}, f"{value}!", 17, f" {value}", [[]]])
    others = {each: fields[each] for each in fields if each != name}
    requests: list[Json] = [
        {**others, any_name(random): value},
        {**fields, any_name(random): value},
        {**others, name: wrong},
        {any_name(random): fields},
        {**fields, "to_move": random.choice("XO")},
    ]
    return random.choice(requests)
