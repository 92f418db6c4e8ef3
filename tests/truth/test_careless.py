"""Careless callers get an answer about their own game, or none."""

import re
from functools import partial
from random import Random

import pytest

from best_move.web.chatbots.tools import TOOLS
from tests.fuzzing import EXAMPLES
from tests.readme import section
from tests.truth import chat
from tests.truth.careless import copying_a_call, copying_a_request, omitting
from tests.truth.chat import Json
from tests.truth.test_chat import TEXTS, call, last_mover
from tests.truth.turns import CALLERS, Ask, Caller, Literal, Next, names_in_readme, play_games

GAMES = EXAMPLES // 10  # of each kind
DEFINITIONS = {name: tool.definition for name, tool in TOOLS.items()}
PERFECT = [kind for kind in chat.KINDS if kind.level == "perfect"]


def test_a_model_that_leaves_out_what_the_schema_lets_it_leave_out_gets_its_own_game() -> None:
    """Each mark and each judgment is right, if only the required arguments are sent."""
    random = Random(1)  # noqa: S311, the same games in each run
    careless = omitting(call, DEFINITIONS)
    assert chat.play_games(TEXTS, careless, GAMES * 4, random, PERFECT) > 500


@pytest.mark.parametrize(("tool", "argument"), [("best_move", "starts"), ("judge_move", "player")])
def test_an_argument_with_a_default_is_noticed(tool: str, argument: str) -> None:
    """A default for the side that started or that is judged is found by the model that omits it."""

    def with_default(name: str, arguments: Json) -> Json:
        starts = arguments.get("starts", "X")
        defaults = {"starts": starts}
        if name == "judge_move":
            defaults["player"] = last_mover({**arguments, "starts": starts})
        return call(name, defaults | arguments)

    definition = DEFINITIONS[tool]
    schema = definition["inputSchema"]
    required = [name for name in schema["required"] if name != argument]
    changed = {**definition, "inputSchema": {**schema, "required": required}}
    careless = omitting(with_default, {**DEFINITIONS, tool: changed})
    with pytest.raises(AssertionError):
        chat.play_games(TEXTS, careless, 2, Random(1), PERFECT)  # noqa: S311, a game


def test_a_model_that_sends_the_first_json_of_an_error_gets_its_own_game() -> None:
    """Each mark and each judgment is right, although each first call has a mistake."""
    random = Random(1)  # noqa: S311, the same games in each run
    careless = copying_a_call(call, random)
    assert chat.play_games(TEXTS, careless, GAMES, random) > 500


def test_a_call_in_an_error_is_noticed() -> None:
    """A tool whose errors have a call as an example is found by the model that copies it."""

    def with_an_example(name: str, arguments: Json) -> Json:
        result = call(name, arguments)
        if result.get("isError"):
            example = ' For example, send {"played": [4, 0, 8], "starts": "X", "player": "X"}.'
            if name == "best_move":
                example = ' For example, send {"played": [4, 0, 8], "starts": "X"}.'
            result["content"][0]["text"] += example
        return result

    random = Random(1)  # noqa: S311, the same games in each run
    with pytest.raises(AssertionError):
        chat.play_games(TEXTS, copying_a_call(with_an_example, random), 2, random)


@pytest.mark.parametrize("caller", CALLERS[:3])
def test_a_client_that_sends_the_first_json_of_an_error_gets_its_own_game(
    ask: Ask, caller: type[Caller]
) -> None:
    """Each mark is right, although each first request has a mistake."""
    random = Random(1)  # noqa: S311, the same games in each run
    play_games(caller, copying_a_request(ask, random), names_in_readme(), GAMES, random)


def test_a_request_in_an_error_is_noticed(ask: Ask) -> None:
    """A service whose errors have a request as an example is found by the client that copies it."""

    def with_an_example(fields: Json) -> Json:
        answer = ask(fields)
        if "detail" in answer:
            answer["detail"] += ' Send a request such as {"board": "X...O....", "starts": "X"}.'
        return answer

    random = Random(1)  # noqa: S311, the same games in each run
    careless = copying_a_request(with_an_example, random)
    with pytest.raises(AssertionError):
        play_games(Next, careless, names_in_readme(), 1, random)


def sentences() -> list[str]:
    """Return the sentences of the README on calls, without its examples."""
    text, _, _ = section("Call it").text.partition("```")
    return re.split(r"(?<=[.]) (?=[A-Z])", " ".join(text.split()))


@pytest.mark.parametrize("sentence", sentences())
def test_each_sentence_on_calls_is_true_alone(ask: Ask, sentence: str) -> None:
    """A client that does what one sentence says gets each mark right."""
    random = Random(1)  # noqa: S311, the same games in each run
    play_games(partial(Literal, sentence), ask, names_in_readme(), GAMES, random)


@pytest.mark.parametrize(
    "sentence",
    [
        "Only the first request of a game that O starts says so itself: `starts=O`.",
        "In a game, send the `board` of `after` next, with the user's move as `played`.",
    ],
)
def test_a_sentence_that_is_not_true_alone_is_noticed(ask: Ask, sentence: str) -> None:
    """A client that does what the sentence says gets a wrong mark."""
    with pytest.raises(AssertionError):
        play_games(partial(Literal, sentence), ask, names_in_readme(), 2, Random(1))  # noqa: S311
