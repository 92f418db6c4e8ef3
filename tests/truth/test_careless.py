"""Careless callers get an answer about their own game, or none."""

import re
from collections import Counter
from functools import partial
from random import Random

import pytest

from best_move.web.chatbots.tools import TOOLS
from tests.fuzzing import EXAMPLES
from tests.readme import section
from tests.truth import chat
from tests.truth.careless import Copier, copying_a_call, copying_a_request, is_in, omitting
from tests.truth.chat import Call, Texts
from tests.truth.turns import CALLERS, Ask, Caller, Literal, names_in_readme, play_games
from tests.web.chatbots.calls import any_sent

GAMES = EXAMPLES // 10  # of each kind
DEFINITIONS = {name: tool.definition for name, tool in TOOLS.items()}
PERFECT = [kind for kind in chat.KINDS if kind.level == "perfect"]


def test_a_model_that_leaves_out_what_the_schema_lets_it_leave_out_gets_its_own_game(
    texts: Texts, call: Call
) -> None:
    """Each mark and each judgment is right, if only the required arguments are sent."""
    random = Random(1)  # noqa: S311, the same games in each run
    careless = omitting(call, DEFINITIONS)
    assert chat.play_games(texts, careless, GAMES * 4, random, PERFECT) > 500


def test_a_model_that_sends_the_first_json_of_an_error_gets_its_own_game(
    texts: Texts, call: Call
) -> None:
    """Each mark and each judgment is right, although each first call has a mistake."""
    random = Random(1)  # noqa: S311, the same games in each run
    careless = copying_a_call(call, random)
    assert chat.play_games(texts, careless, GAMES, random) > 500


def test_a_model_that_copies_values_of_an_error_gets_its_own_game_or_none(call: Call) -> None:
    """No value that an error adds leads to another game; those that were sent seldom do."""
    random = Random(3)  # noqa: S311, the same calls in each run
    copier = Copier(call, DEFINITIONS)
    games: Counter[str] = Counter()
    while games.total() < EXAMPLES * 20:
        meant, sent, _ = any_sent(random)
        if not call(meant.tool, sent).get("isError"):
            continue
        result, values = copier(meant.tool, sent)
        if result.get("isError"):
            games["none"] += 1
        elif meant.is_answered_by(result["structuredContent"]):
            games["its own"] += 1
        elif all(is_in(value, sent) for value in values):
            games["another"] += 1
        else:
            games["another, by a value of the service"] += 1
    assert games["another, by a value of the service"] == 0, games
    assert games["another"] <= games.total() / 5, games


@pytest.mark.parametrize("caller", CALLERS[:3])
def test_a_client_that_sends_the_first_json_of_an_error_gets_its_own_game(
    ask: Ask, caller: type[Caller]
) -> None:
    """Each mark is right, although each first request has a mistake."""
    random = Random(1)  # noqa: S311, the same games in each run
    play_games(caller, copying_a_request(ask, random), names_in_readme(), GAMES, random)


def sentences() -> list[str]:
    """Return the sentences of the README on calls, without its examples."""
    text, _, _ = section("Call it").text.partition("```")
    return re.split(r"(?<=[.]) (?=[A-Z])", " ".join(text.split()))


@pytest.mark.parametrize("sentence", sentences())
def test_each_sentence_on_calls_is_true_alone(ask: Ask, sentence: str) -> None:
    """A client that does what one sentence says gets each mark right."""
    random = Random(1)  # noqa: S311, the same games in each run
    play_games(partial(Literal, sentence), ask, names_in_readme(), GAMES, random)
