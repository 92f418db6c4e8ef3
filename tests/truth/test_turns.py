"""Callers that take the texts on the API literally get every mark right through whole games."""

import re
from functools import partial
from random import Random
from urllib.parse import parse_qsl, urlsplit

import pytest
from flask.testing import FlaskClient

from best_move.web.api.openapi import document
from best_move.web.api.requests import BestMovesRequest, PositionRequest
from tests.fuzzing import EXAMPLES
from tests.programs.openapi import BODIES, QUERIES
from tests.readme import block, rows, section
from tests.truth.turns import CALLERS, Ask, Caller, Json, Literal, play_games
from tests.web.chatbots.calls import any_name
from tests.web.error_judge import first_object

GAMES = EXAMPLES // 10  # of each kind
CURL = block("A turn in one call", "sh").strip().removeprefix("curl ").strip("'")


@pytest.mark.parametrize("caller", CALLERS)
def test_every_mark_is_whose_it_was(ask: Ask, caller: type[Caller]) -> None:
    """By each way to send a turn, with either side, either starter and every level."""
    play_games(caller, ask, GAMES, Random(1))  # noqa: S311, a game


def test_all_texts_describe_the_same_turn() -> None:
    """The README, the OpenAPI document and the examples of a turn name the same fields."""
    readme = " ".join(section("Call it").text.split())
    rule = "send the `board` and the `starts` of `after` next, with the user's move as `played`"
    assert rule in readme
    described = re.findall(r"`(\w+)`", document()["info"]["description"])
    assert described == ["board", "starts", "after", "played"]
    for example in (*re.findall("curl '(.*?)'", readme), CURL):
        assert [*dict(parse_qsl(urlsplit(example).query))] == ["board", "starts", "played"]

    rule = "send its `board` and `starts` next, with the user's move as `played`"
    after = document()["components"]["schemas"]["BestMove"]["properties"]["after"]
    (meaning,) = (row[-1] for row in rows("Response fields") if row[0] == "`after`")
    assert rule in after["description"]
    assert rule in meaning


def sentences() -> list[str]:
    """Return the sentences of the README on calls, without its examples."""
    text, _, _ = section("Call it").text.partition("```")
    return re.split(r"(?<=[.]) (?=[A-Z])", " ".join(text.split()))


@pytest.mark.parametrize("sentence", sentences())
def test_each_sentence_on_calls_is_true_alone(ask: Ask, sentence: str) -> None:
    """A client that does what one sentence says gets each mark right."""
    play_games(partial(Literal, sentence), ask, GAMES, Random(1))  # noqa: S311, a game


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


@pytest.mark.parametrize("caller", CALLERS[:3])
def test_a_client_that_sends_the_first_json_of_an_error_gets_its_own_game(
    ask: Ask, caller: type[Caller]
) -> None:
    """Each mark is right, although each first request has a mistake."""
    random = Random(1)  # noqa: S311, the same games in each run
    play_games(caller, copying_a_request(ask, random), GAMES, random)


WITH_A_POSITION = [
    (method, path)
    for method, forms in (("GET", QUERIES), ("POST", BODIES))
    for path, form in forms.items()
    if issubclass(form, PositionRequest | BestMovesRequest)
]


@pytest.mark.parametrize(("method", "path"), WITH_A_POSITION)
def test_a_request_with_the_side_to_move_gets_an_error(
    client: FlaskClient, method: str, path: str
) -> None:
    """The error says from what it follows whose turn it is, also in a batch."""
    fields: Json = {"board": "X...O....", "to_move": "O", "played": [8]}
    if method == "GET":
        response = client.get(path, query_string={**fields, "played": "8"})
    else:
        body = {"requests": [fields]} if path == "/best-moves" else fields
        response = client.post(path, json=body)
    problem = response.get_json()
    assert response.status_code == 400
    assert [error["code"] for error in problem["errors"]] == ["unknown_field"]
    assert problem["detail"].endswith("Whose turn it is follows from the marks and `starts`.")
