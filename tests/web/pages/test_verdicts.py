"""With hints, the playground says what the user's last move did: the referee judges it."""

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final
from urllib.parse import urlencode

import pytest
from flask import Flask

from tests.browser.playground import CELLS
from tests.fuzzing import EXAMPLES
from tests.truth import game as truth
from tests.truth import referee
from tests.truth.game import Game
from tests.web.pages.scripts import running
from tests.web.pages.test_play_page import Page

POSITIONS: Final = sorted(referee.reachable())
OUTCOMES: Final = {"win": 1, "draw": 0, "loss": -1}
VERDICT: Final = re.compile(
    r"(?P<who>You|[XO]) (?:had only losing moves"
    r"|kept the (?P<kept>win|draw) with the (?P<good>[a-z -]+)"
    r"|turned a (?P<best>win|draw) into a (?P<outcome>draw|loss) with the (?P<bad>[a-z -]+): "
    r"the (?P<better>[a-z -]+) would have (?P<result>won|drawn))\. "
)


@pytest.fixture(scope="module")
def page(app: Flask) -> Iterator[Page]:
    """Run the scripts of the playground."""
    with running("play_page.mjs") as scripts:
        yield Page(app.test_client(), scripts)


def any_game(dice: random.Random) -> Game:
    """Return a game in progress, of one player or two, which shows hints."""
    board, side = dice.choice(POSITIONS)
    game = Game(start=board, starts=referee.starter(board, side), has_hints=True)
    for _ in range(dice.randrange(1, 5)):
        if game.is_running:
            game = game.after(dice.choice(referee.moves(game.board)))
    return replace(game, you=dice.choice([game.side, "both"]))


def told(page: Page, game: Game) -> str:
    """Return what the page says about a game."""
    query = {
        "board": game.start,
        "starts": game.starts,
        "played": ",".join(map(str, game.played)),
        "you": game.you,
        "analysis": str(game.has_hints).lower(),
    }
    shown = page.do(("visit", (f"?{urlencode(query)}", [])))["moments"][-1]
    sentence: str = shown["sentence"]
    return sentence


def test_a_hint_begins_with_the_verdict_on_the_users_last_move(page: Page) -> None:
    """It says what the move kept or gave away and, after a mistake, a move that was better."""
    for seed in range(EXAMPLES):
        game = any_game(random.Random(seed))  # noqa: S311, the tests need no secret numbers
        if game.is_running:
            sentence = told(page, game)
            verdict = VERDICT.match(sentence)
            assert bool(verdict) == (game.last_own is not None), (game, sentence)
            if verdict:
                check(game, verdict)


def check(game: Game, verdict: re.Match[str]) -> None:
    """Assert that the referee agrees with a verdict."""
    last = game.last_own
    assert last is not None
    mover, cell = game.mover(last), game.played[last]
    outcomes = {move: grade[0] for move, grade in truth.grades(game.board_at(last), mover).items()}
    best = max(outcomes.values())
    assert verdict["who"] == ("You" if game.you == mover else mover)
    if verdict["kept"]:
        assert OUTCOMES[verdict["kept"]] == best == outcomes[cell]
        assert verdict["good"] == CELLS[cell]
    elif verdict["best"]:
        assert (OUTCOMES[verdict["best"]], OUTCOMES[verdict["outcome"]]) == (best, outcomes[cell])
        assert verdict["bad"] == CELLS[cell]
        assert outcomes[CELLS.index(verdict["better"])] == best > outcomes[cell]
        assert verdict["result"] == {1: "won", 0: "drawn"}[best]
    else:
        assert best == -1


def test_without_hints_no_move_is_judged_before_the_end(page: Page) -> None:
    """A user who did not ask for hints finds the mistakes after the game."""
    game = Game(played=(0, 1, 8, 4), at=4, has_hints=True)
    assert VERDICT.match(told(page, game))
    assert not VERDICT.match(told(page, replace(game, has_hints=False)))
