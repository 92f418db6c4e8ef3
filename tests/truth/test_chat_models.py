"""Chat models with known habits play their own game, if they take the texts of the tools literally.

They ask for hints, forget all but the last text, take moves back, or send what another interface
demands. Each result that they get must be about the game in the chat.
"""

import json
import re
from collections.abc import Callable, Iterator
from itertools import product
from random import Random
from typing import Any, Final

import pytest

from best_move.engine.choice import RATES
from best_move.web.chatbots.tools import TOOLS
from tests.truth.referee import is_over, moves
from tests.web.chatbots.calls import Call

Json = dict[str, Any]

#  Either side starts, the model is either, at every level.
GAMES: Final = [*product("XO", "XO", RATES)] * 3
DESCRIPTION: Final[str] = TOOLS["best_move"].definition["description"]


class Chat:
    """A game in a chat, and the list of moves in the mind of a model."""

    def __init__(self, starts: str, you: str, level: str, dice: Random) -> None:
        self.game = Call("best_move", (), starts, you, level)
        self.listed: list[int] = []
        self.dice = dice

    def turns(self) -> Iterator[bool]:
        """Yield at each turn whether it is the model's, until the game is over."""
        while not is_over(self.game.board):
            yield self.game.to_move == self.game.you

    def user_plays(self, cell: int | None = None) -> None:
        """Let the user play a cell, by default any; the model writes it down, but not twice."""
        cell = self.dice.choice(moves(self.game.board)) if cell is None else cell
        if self.listed[len(self.game.played) :] != [cell]:
            self.listed.append(cell)
        self.game = self.game.after(cell)

    def ask(self, sent: Json, correct: Callable[[str, Json], Json]) -> Json:
        """Call until there is a result, which must be about the game in the chat."""
        result = TOOLS["best_move"].call(sent)
        for _ in range(3):
            if result.get("isError"):
                sent = correct(result["content"][0]["text"], sent)
                result = TOOLS["best_move"].call(sent)
        assert not result.get("isError"), (sent, result)
        assert self.game.is_answered_by(result["structuredContent"]), (self.game, sent)
        return result

    def play(self, sent: Json, correct: Callable[[str, Json], Json]) -> Json:
        """Let the model make the move that it gets, and continue with the list in the result."""
        result = self.ask(sent, correct)
        self.listed = [*result["structuredContent"]["played"]]
        self.game = self.game.after(self.listed[-1])
        return result

    def sent(self) -> Json:
        """Return the arguments that the texts name, with the list in the model's mind."""
        return self.game.sent() | {"played": [*self.listed]}

    def by_the_guard(self, error: str, sent: Json) -> Json:
        """Correct the list by the first cause in an error that is true of the last move."""
        found = re.search("([0-8]) counts as ([XO])'s. If you made this move", error)
        if not found:
            return sent | {"played": sent["played"][:-1]}  # "already in"
        made = {cell: side for side, cell in self.game.moves}
        assert made[int(found[1])] != found[2] == self.game.you, "the user's move is listed"
        return sent | {"played": [*self.game.played]}  # "an earlier move": it reads the chat again


def no_error(error: str, _: Json) -> Json:
    """Fail, because a model gets no error."""
    raise AssertionError(error)


def gives_hint(chat: Chat) -> int:
    """Give the side to move a hint; return its cell."""
    found = re.search(
        "For a hint, send the user's side as `(.*?)` and keep your own list", DESCRIPTION
    )
    side = {found[1] if found else "you": chat.game.to_move}
    result = chat.ask(
        {"played": chat.listed, "starts": chat.game.starts, **side}, chat.by_the_guard
    )
    fields = result["structuredContent"]
    if not found:
        chat.listed = [*fields["played"]]
    cell: int = fields["move"]
    return cell


def gives_hints(chat: Chat) -> None:
    """Play with a user who asks for hints, and plays half of them."""
    for is_models in chat.turns():
        if is_models:
            chat.play(chat.sent(), chat.by_the_guard)
            continue
        hint = gives_hint(chat) if chat.dice.random() < 0.5 else None
        chat.user_plays(chat.dice.choice([hint, None]))


def coaches(chat: Chat) -> None:
    """Advise two users who play each other."""
    for _ in chat.turns():
        hint = gives_hint(chat) if chat.dice.random() < 0.5 else None
        chat.user_plays(chat.dice.choice([hint, None]))


def keeps_only_the_last_text(chat: Chat) -> None:
    """Take what to send from the last text alone, and from what the user has said since."""
    sent = chat.sent()
    for is_models in chat.turns():
        if not is_models:
            chat.user_plays()
            sent["played"] = [*sent["played"], chat.game.played[-1]]
            continue
        result = chat.play(sent, no_error)
        assert result["structuredContent"]["difficulty"] == chat.game.difficulty
        assert result["structuredContent"]["you"] == chat.game.you
        line = re.search(r"Played so far: (\[.*?\])(.*)", result["content"][0]["text"])
        assert line
        sent = {"played": json.loads(line[1]), **dict(re.findall(r", (\w+): (\w+)", line[2]))}


def takes_back_one_move_or_three(chat: Chat) -> None:
    """Remove one move or three, not two, if the user takes a move back."""
    for is_models in chat.turns():
        if is_models:
            chat.play(chat.sent(), chat.by_the_guard)
            continue
        if len(chat.game.played) > 1 and chat.dice.random() < 0.25:
            chat.game = chat.game._replace(played=chat.game.played[:-2])
            chat.listed = chat.listed[: -chat.dice.choice([1, 3])]
        chat.user_plays()


def sends_a_board_and_the_last_move(chat: Chat) -> None:
    """Send what REST accepts, and do what the errors say."""

    def correct(error: str, sent: Json) -> Json:
        names = re.findall("`(.*?)` is not an argument", error)
        kept = {name: value for name, value in sent.items() if name not in names}
        if "`played` has all moves of the game." in error:
            kept["played"] = chat.listed
        return kept

    for is_models in chat.turns():
        if not is_models:
            chat.user_plays()
            continue
        before = chat.game._replace(played=chat.game.played[:-1])
        last = {"played": [*chat.game.played[-1:]], "board": before.board}
        chat.play(chat.game.sent() | last, correct)


HABITS: Final = [
    gives_hints,
    coaches,
    keeps_only_the_last_text,
    takes_back_one_move_or_three,
    sends_a_board_and_the_last_move,
]


@pytest.mark.parametrize("habit", HABITS, ids=lambda habit: habit.__name__.replace("_", " "))
def test_a_model_with_a_habit_plays_its_own_game(habit: Callable[[Chat], None]) -> None:
    """Whatever the sides, the starter and the level, each result is about the game in the chat."""
    dice = Random(habit.__name__)  # noqa: S311, the same games in each run
    for starts, you, level in GAMES:
        habit(Chat(starts, you, level, dice))
