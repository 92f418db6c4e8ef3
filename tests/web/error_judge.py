"""A judge of errors: each names the field, shows what came, and says what is expected.

To a chat, an error shows no value that is a game or a side, unless it was sent.
"""

import json
import re
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # it ships no types

from best_move.quoting import quoted, shown
from best_move.web.chatbots.tools import TOOLS
from tests.web.chatbots.messages import Json, called

#  The texts with the approved errors, and in each line that of a field, its pointer and its code.
APPROVED: Final = sorted(Path(__file__).with_name("errors").glob("*.txt"))
APPROVED_FIELD: Final = re.compile(r"^  [^#:]+ (#\S*) (\w+): ", re.MULTILINE)

#  Words that say what is expected, if no further sentence does.
DEMANDS: Final = re.compile(r"\b(must|should|required|lacks|has no)\b")
NUMBERING: Final = "0 1 2 / 3 4 5 / 6 7 8"
SIDES: Final = ("played", "starts", "you", "player")  # the arguments that make another game

#  The codes of errors that show a value.
AGAINST_SCHEMA: Final = ("wrong_type", "wrong_value", "wrong_length", "wrong_character")

#  What came, in an error of a tool: without the number of items and the code points beside it.
CAME: Final = re.compile(r"must .*?, not (?:\d+: )?(.+?)(?: \(U\+[^)]*\))?\.(?: [A-Z`]|$)")

#  The only statements of an error of a tool in which a mark may be that was not sent.
FACTS: Final = re.compile(r"it is [XO]'s turn|[XO] took it at move \d|[XO] had won")

#  Tool -> the schema of each argument.
FORMS: Final[dict[str, dict[str, Draft202012Validator]]] = {
    name: {
        each: Draft202012Validator(schema)
        for each, schema in tool.definition["inputSchema"]["properties"].items()
    }
    for name, tool in TOOLS.items()
}


def check_text(text: str) -> None:
    """Assert that an error consists of sentences, and says what is expected."""
    assert re.fullmatch(r".+[.?]", text, re.DOTALL), text
    assert re.search(r"[.?] .", text) or DEMANDS.search(text), text


def check_problem(problem: Json, body: object = None) -> None:
    """Assert that a problem and each of its errors have their form.

    `body` has the fields that were sent; without it, it is not checked whether errors show them.
    Errors in the rules of the game have the words of the rules: sides, moves and cells.
    """
    check_text(problem["detail"])
    for error in problem.get("errors", ()):
        detail = error["detail"]
        check_text(detail)
        place = places(error["pointer"])
        if problem["code"] != "illegal_position" and error["code"] != "repeated_field":
            name = name_of(place)
            words = re.findall(r"\w+", detail.lower())
            assert quoted(name) in detail or name in words, (detail, place)
        #  An error of an entry shows its board, and what is wrong in it.
        is_entry = place[:1] in (["moves"], ["frequencies"]) and len(place) > 1
        if body is not None and error["code"] in AGAINST_SCHEMA and not is_entry:
            value: Any = body
            for part in place:
                value = value[int(part)] if isinstance(value, list) else value[part]
            came, _, _ = shown(value).partition(" (U+")  # the code points may be elsewhere
            assert came in detail, (detail, value)


@cache
def approved() -> set[tuple[str, str]]:
    """Return the fields of the approved errors, each with a code."""
    found = set()
    for play in APPROVED:
        for pointer, code in APPROVED_FIELD.findall(play.read_text(encoding="utf-8")):
            found.add((name_of(places(pointer)), code))
    return found


def places(pointer: str) -> list[str]:
    """Return the parts of a JSON Pointer in the fragment of a URI (RFC 6901)."""
    assert re.fullmatch(r"#[\w!$%&'()*+,./:;=?@~-]*", pointer, re.ASCII), "characters of a fragment"
    return [part.replace("~1", "/").replace("~0", "~") for part in unquote(pointer).split("/")[1:]]


def name_of(place: list[str]) -> str:
    """Return the name by which an error calls a place: that of its field, or the request."""
    if not place or place[-2:-1] == ["requests"]:
        return "request"
    names = [part for part in place if not part.isdigit()] or place  # a number can be a name, too
    return names[-1]


def check_call_error(tool: str, sent: Json, text: str) -> None:
    """Assert that the error of a call names an argument, and that nobody gets a game from it.

    What it shows was sent, and so was each list of moves in it; a mark that was not sent is only in
    one of `FACTS`. Only errors about cells say how cells are numbered.
    """
    check_text(text)
    assert re.search("`[^`]+`", text), (sent, text)
    assert (NUMBERING in text) == ("`played`" in text), (sent, text)
    as_json = json.dumps(sent, ensure_ascii=False)
    for value in CAME.findall(text):
        assert all(word in as_json for word in re.findall(r"\w+", value)), (sent, text)

    words = {*re.findall(r"\w+", as_json.upper())}
    assert words.issuperset(re.findall(r"\b[XO]\b", FACTS.sub("", text))), (sent, text)
    numbers = " ".join(re.findall(r"\d+", as_json.replace(".0", "")))
    for moves in re.findall(r"\[([\d, ]+)\]", text):
        assert moves.replace(",", "") in numbers, (sent, text)
    copied = first_object(text)
    assert copied is None or called(tool, **copied).get("isError"), (sent, text)
    for name, value in corrected(tool, sent, text).items():
        if name in SIDES and value != sent.get(name):
            cells = value if isinstance(value, list) else [value]
            assert words.issuperset(map(str, cells)), (sent, text)


def first_object(text: str) -> Json | None:
    """Return the first JSON object in a text; None if it has none."""
    for brace in re.finditer("{", text):
        with suppress(ValueError):
            found: Json
            found, _ = json.JSONDecoder().raw_decode(text, brace.start())
            return found
    return None


def corrected(tool: str, sent: Json, error: str) -> Json:
    """Return the arguments of a model that takes the sentences of an error literally.

    It puts the first value of a sentence that fits into each argument that the sentence names or,
    if it names nothing, the sentence before it. It drops each name that is not an argument.
    """
    form = FORMS[tool]
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
