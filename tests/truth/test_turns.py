"""Callers that take the texts on the API literally get every mark right through whole games."""

import json
import re
from collections.abc import Callable
from email.message import Message
from io import BytesIO
from itertools import cycle, product
from random import Random
from typing import Any, Final
from unittest.mock import patch
from urllib.error import HTTPError
from urllib.parse import parse_qsl, urlsplit
from urllib.request import Request

import pytest
from flask.testing import FlaskClient

from best_move.engine.choice import RATES
from best_move.web.api.openapi import document
from best_move.web.api.requests import BestMovesRequest, PositionRequest
from tests.fuzzing import EXAMPLES
from tests.programs.openapi import BODIES, QUERIES
from tests.readme import block, rows, section
from tests.truth.referee import is_over, moves
from tests.web.chatbots.calls import Call, any_name
from tests.web.error_judge import first_object

Json = dict[str, Any]
Ask = Callable[[Json], Json]
"""Sends fields to the service, and returns the answer."""
Way = Callable[[Call, Json], Json]
"""Returns the fields of a turn, from the game and the position after the last answer."""

EMPTY: Final = "." * 9
CURL: Final = block("A turn in one call", "sh").strip().removeprefix("curl ").strip('"')

#  The first turn of each kind of game: either side starts, the oracle is either, at every level.
FIRST: Final = [
    Call("best_move", (), starts, you, level)
    for starts, you, level in product("XO", "XO", RATES)
    for _ in range(EXAMPLES // 20)
]


@pytest.fixture
def random() -> Random:
    """Return numbers that are the same in each run."""
    return Random(1)  # noqa: S311, games


@pytest.fixture
def ask(client: FlaskClient) -> Ask:
    """Return a function that sends fields by POST and GET in turn."""
    methods = cycle(["POST", "GET"])

    def send(fields: Json) -> Json:
        answer: Json
        if next(methods) == "POST":
            answer = client.post("/best-move", json=fields).get_json()
        else:
            query = {name: value for name, value in fields.items() if value != []}
            answer = client.get("/best-move", query_string=query).get_json()
        return answer

    return send


def play(game: Call, turn: Callable[[Call], Json], random: Random) -> None:
    """Play a game against a user who moves at random; judge each answer by the rules."""
    while True:
        if game.to_move != game.you and not is_over(game.board):
            game = game.after(random.choice(moves(game.board)))
        answer = turn(game)
        assert "status" not in answer, answer
        check_position(answer["position"], game)
        if answer["move"] is not None:
            assert answer["move"] in moves(game.board)
            game = game.after(answer["move"])
        check_position(answer["after"], game)
        if is_over(game.board):
            return
        assert game.to_move != game.you


def check_position(position: Json, game: Call) -> None:
    """Assert that a position is that after the moves of a game, with every mark its own."""
    assert position["board"] == game.board
    assert position["to_move"] == game.to_move
    assert position["starts"] == game.starts
    assert (position["status"] != "in_progress") == is_over(game.board)


def if_o_started(game: Call) -> Json:
    """Return who started, where it is not X."""
    return {"starts": "O"} if game.starts == "O" else {}


def own_board(game: Call, _: Json) -> Json:
    """Send a board of the caller's own, and who started only where it is needed."""
    is_needed = game.board.count("X") == game.board.count("O")
    return {"board": game.board} | (if_o_started(game) if is_needed else {})


def own_moves(game: Call, _: Json) -> Json:
    """Send the first board and a list of all moves."""
    return {"board": EMPTY, "played": [*game.played]} | if_o_started(game)


def what_came(game: Call, after: Json) -> Json:
    """Send the position after the last answer, and the user's move."""
    copied = {name: after[name] for name in ("board", "starts")} if after else {}
    first = {"board": EMPTY} | if_o_started(game)
    return (copied or first) | {"played": [*game.played[-1:]]}


WAYS: Final = (own_board, own_moves, what_came)


def play_games(way: Way, ask: Ask, random: Random) -> None:
    """Play games of each kind, with turns that are sent in this way."""
    for first in FIRST:
        after: Json = {}

        def turn(game: Call) -> Json:
            nonlocal after
            level = {"difficulty": game.difficulty, "seed": random.randrange(1000)}
            answer = ask(way(game, after) | level)
            after = answer.get("after", {})
            return answer

        play(first, turn, random)


@pytest.mark.parametrize("way", WAYS)
def test_every_mark_is_whose_it_was(ask: Ask, random: Random, way: Way) -> None:
    """By each way to send a turn, with either side, either starter and every level."""
    play_games(way, ask, random)


#  Heading of a README -> how its program replies to the last move of a game, from the position that
#  is stored: what it says, and the position to store.
PROGRAMS: Final[dict[str, Callable[[Json, Call, Json], tuple[str, Json]]]] = {
    "A back end": lambda program, game, position: (
        "",
        program["reply"](position, game.played[-1], "medium", game=7),
    ),
    "A bot": lambda program, game, position: program["answer"](position, str(game.played[-1] + 1)),
    "A chatbot": lambda program, game, position: (
        program["answer_tool_call"](
            "best_move",
            json.dumps({"played": game.played, "starts": game.starts, "difficulty": None}),
        ),
        position,
    ),
}


@pytest.mark.parametrize("heading", PROGRAMS)
def test_a_printed_program_plays_on(ask: Ask, random: Random, heading: str) -> None:
    """Also after it has replied that a cell is taken."""
    answer: Json = {}
    level: str | None = "perfect"
    position: Json = {}

    def urlopen(request: Request | str, timeout: float = 0) -> BytesIO:  # noqa: ARG001
        nonlocal answer
        if isinstance(request, Request):
            assert isinstance(request.data, bytes)
            fields = json.loads(request.data)
        else:
            fields = dict(parse_qsl(urlsplit(request).query))
            fields["played"] = [int(fields["played"])]
        answer = ask(fields | {"difficulty": level, "seed": random.randrange(1000)})
        body = BytesIO(json.dumps(answer).encode())
        if "status" in answer:
            raise HTTPError("", answer["status"], "", Message(), body)
        return body

    def turn(game: Call) -> Json:
        nonlocal answer, position
        if not game.played:
            answer = ask(position | {"difficulty": level, "seed": random.randrange(1000)})
            position = answer["after"]
            return answer
        if len(game.played) > 1:
            taken = game._replace(played=(*game.played[:-1], game.played[-2]))
            try:
                said, position = PROGRAMS[heading](program, taken, position)
            except ValueError as error:
                said = str(error)
            assert re.search("taken|took", said)
        _, position = PROGRAMS[heading](program, game, position)
        return answer

    program: Json = {}
    with patch("urllib.request.urlopen", urlopen), patch("builtins.print"):
        exec(block(heading, "python"), program)  # noqa: S102, the project's own text
    for first in FIRST:
        level = first.difficulty
        position = {"board": EMPTY, "starts": first.starts}
        play(first, turn, random)


def test_all_texts_describe_the_same_turn() -> None:
    """The README, the OpenAPI document and the examples of a turn name the same fields."""
    readme = " ".join(section("Call it").text.split())
    rule = "send the `board` and the `starts` of `after` next, with the user's move as `played`"
    assert rule in readme
    described = re.findall(r"`(\w+)`", document()["info"]["description"])
    assert described == ["board", "starts", "after", "played"]
    for example in (*re.findall('curl "(.*?)"', readme), CURL):
        assert [*dict(parse_qsl(urlsplit(example).query))] == ["board", "starts", "played"]

    rule = "send its `board` and `starts` next, with the user's move as `played`"
    after = document()["components"]["schemas"]["BestMove"]["properties"]["after"]
    (meaning,) = (row[-1] for row in rows("Response fields") if row[0] == "`after`")
    assert rule in after["description"]
    assert rule in meaning


SENTENCES: Final = re.split(
    r"(?<=[.]) (?=[A-Z])", " ".join(section("Call it").text.partition("```")[0].split())
)


@pytest.mark.parametrize("sentence", SENTENCES)
def test_each_sentence_on_calls_is_true_alone(ask: Ask, random: Random, sentence: str) -> None:
    """A client that does what one sentence says gets each mark right.

    It keeps a board of its own, unless the sentence says what to send of the last answer.
    """
    copied = re.search("[Ss]end the (.+?) of `after` next", sentence)
    is_only_first = "Only the first request of a game that O starts" in sentence

    def way(game: Call, after: Json) -> Json:
        if copied and after:
            fields = {name: after[name] for name in re.findall(r"`(\w+)`", copied[1])}
            return fields | {"played": [game.played[-1]]}
        if is_only_first:
            return {"board": game.board} | ({} if after else if_o_started(game))
        return {"board": game.board, "starts": game.starts}

    play_games(way, ask, random)


@pytest.mark.parametrize("way", WAYS)
def test_a_client_that_sends_the_first_json_of_an_error_gets_its_own_game(
    ask: Ask, random: Random, way: Way
) -> None:
    """Each mark is right, although each first request has a mistake.

    The client sends the right request only if the error has no JSON, or that gets an error, too.
    """

    def copy(fields: Json) -> Json:
        name, value = random.choice([*fields.items()])
        wrong = random.choice([[value], {name: value}, f"{value}!", 17, f" {value}", [[]]])
        others = {each: fields[each] for each in fields if each != name}
        mistaken: list[Json] = [
            {**others, any_name(random): value},
            {**fields, any_name(random): value},
            {**others, name: wrong},
            {any_name(random): fields},
            {**fields, "to_move": random.choice("XO")},
        ]
        answer = ask(random.choice(mistaken))
        copied = first_object(answer.get("detail", ""))
        if copied is not None:
            answer = ask(copied)
        return ask(fields) if "detail" in answer else answer

    play_games(way, copy, random)


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
