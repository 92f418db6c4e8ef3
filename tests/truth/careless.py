"""Callers that leave out what may be left out, and that send JSON or values of an error."""

import json
import re
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # it ships no types

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


class Copier:
    """A model that corrects a call by the sentences of its error, taken literally.

    It puts the first value of a sentence that fits into each argument that the sentence names or,
    if it names nothing, the sentence before it. It drops each name that is not an argument.
    """

    def __init__(self, call: Tool, definitions: Mapping[str, Json]) -> None:
        self.call = call
        self.forms: dict[str, dict[str, Draft202012Validator]] = {}
        for name, definition in definitions.items():
            schemas = definition["inputSchema"]["properties"]
            self.forms[name] = {each: Draft202012Validator(schemas[each]) for each in schemas}

    def __call__(self, tool: str, arguments: Json) -> tuple[Json, list[Any]]:
        """Correct a call until it is answered; return the last result, and the copied values."""
        sent = arguments
        while True:
            result = self.call(tool, sent)
            if not result.get("isError"):
                break
            corrected = self.corrected(tool, sent, result["content"][0]["text"])
            if corrected == sent:
                break
            sent = corrected
        copied = [sent[name] for name in sent if sent[name] != arguments.get(name)]
        return result, copied

    def corrected(self, tool: str, sent: Json, error: str) -> Json:
        """Return the arguments as the text of an error corrects them."""
        form = self.forms[tool]
        kept = dict(sent)
        copied: Json = {}
        names: list[str] = []
        for sentence in re.split(r"(?<=\.) ", error):
            names = re.findall("`(.+?)`", sentence) or names
            for name in names:
                if name not in form:
                    kept.pop(name, None)
                    continue
                fitting = [value for value in values(sentence) if form[name].is_valid(value)]
                if fitting:
                    copied.setdefault(name, fitting[0])
        return kept | copied


def values(sentence: str) -> list[Any]:
    """Return the lists and the words in a sentence."""
    found: list[Any] = []
    for text in re.findall(r"\[[^][]*\]|\w+", sentence):
        try:
            found.append(json.loads(text))
        except ValueError:
            found.append(text)
    return found


def is_in(value: object, sent: Json) -> bool:
    """Return whether a list or a word is somewhere in what was sent."""
    return value in values(json.dumps(sent))


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
