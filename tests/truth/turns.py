"""Callers that play whole games in the ways that the texts tell, and a judge of each answer."""

import json
import re
from collections.abc import Callable
from email.message import Message
from functools import cache
from io import BytesIO
from itertools import product
from random import Random
from types import CodeType
from typing import Any, Final, NamedTuple
from unittest.mock import patch
from urllib.error import HTTPError
from urllib.parse import parse_qsl, urlsplit
from urllib.request import Request

from best_move.engine.choice import RATES
from tests.readme import block
from tests.truth import referee
from tests.truth.referee import opponent

Json = dict[str, Any]
Ask = Callable[[Json], Json]
"""Sends fields to the service, and returns the answer."""

EMPTY: Final = "." * 9


class Kind(NamedTuple):
    """A kind of game: the user's side, the side that starts, and the level of the oracle."""

    user: str
    starts: str
    level: str


KINDS: Final = [Kind(*each) for each in product("XO", "XO", RATES)]


class Game:
    """The true game, by the rules."""

    def __init__(self, kind: Kind) -> None:
        self.kind: Final = kind
        self.played: list[int] = []
        self.board = EMPTY
        self.side = kind.starts

    def play(self, cell: int) -> None:
        """Make a move."""
        self.board = referee.play(self.board, self.side, cell)
        self.played.append(cell)
        self.side = opponent(self.side)

    def check(self, answer: Json) -> None:
        """Assert that an answer is about this game, with every mark its own; make its move."""
        assert "status" not in answer, answer
        self._check_position(answer["position"])
        if referee.is_over(self.board):
            assert answer["move"] is None
        else:
            assert self.side != self.kind.user
            assert answer["move"] in referee.moves(self.board)
            self.play(answer["move"])
        self._check_position(answer["after"])

    def _check_position(self, position: Json) -> None:
        assert position["board"] == self.board
        assert position["to_move"] == self.side
        assert position["starts"] == self.kind.starts
        assert (position["status"] != "in_progress") == referee.is_over(self.board)


class Caller:
    """A program that plays a game against the service."""

    def __init__(self, ask: Ask, kind: Kind) -> None:
        self.ask: Final = ask
        self.if_o_started: Final = {"starts": "O"} if kind.starts == "O" else {}

    def turn(self, game: Game, cell: int | None) -> Json:
        """Return the answer to the user's move, or to none if the oracle starts."""
        raise NotImplementedError

    def try_taken(self, game: Game) -> None:
        """Play a cell that is taken, if the program lets its user do so; the game must go on."""


class OwnBoard(Caller):
    """A caller that keeps a board of its own."""

    def turn(self, game: Game, cell: int | None) -> Json:  # noqa: ARG002, it is on the board
        """Send the board after the user's move, and who started only where it is needed."""
        is_needed = game.board.count("X") == game.board.count("O")
        return self.ask({"board": game.board, **(self.if_o_started if is_needed else {})})


class OwnMoves(Caller):
    """A caller that keeps the first board and a list of all moves."""

    def turn(self, game: Game, cell: int | None) -> Json:  # noqa: ARG002, it is in the list
        """Send the first board and all moves."""
        return self.ask({"board": EMPTY, "played": game.played, **self.if_o_started})


class Next(Caller):
    """A caller that sends what the last answer has, with the user's move."""

    position: Json | None = None
    copied: tuple[str, ...] = ("board", "starts")

    def turn(self, game: Game, cell: int | None) -> Json:  # noqa: ARG002, it keeps no game
        """Send fields of the position after the last answer, and the move."""
        before = self.position
        first = {"board": EMPTY, **self.if_o_started}
        sent = {name: before[name] for name in self.copied} if before else first
        answer = self.ask({**sent, "played": [] if cell is None else [cell]})
        self.position = answer.get("after")
        return answer


class Literal(Next):
    """A caller that does what one sentence says, and in all else what is right.

    It keeps a board of its own, unless the sentence says what to send of the last answer.
    """

    def __init__(self, sentence: str, ask: Ask, kind: Kind) -> None:
        super().__init__(ask, kind)
        copied = re.search("[Ss]end (the .+?) of `after` next", sentence)
        self.copies: Final = bool(copied)
        if copied:
            self.copied = tuple(re.findall(r"`(\w+)`", copied[1]))
        self.only_first_of_o: Final = "Only the first request of a game that O starts" in sentence

    def turn(self, game: Game, cell: int | None) -> Json:
        """Send what the sentence says, in the requests that it speaks of."""
        is_first = self.position is None
        if self.copies and not is_first:
            return super().turn(game, cell)
        sent = {"board": game.board}
        if not self.only_first_of_o or (is_first and game.kind.starts == "O"):
            sent["starts"] = game.kind.starts
        answer = self.ask(sent)
        self.position = answer.get("after")
        return answer


class Printed(Caller):
    """A caller that a README prints, and that runs with `urlopen` connected to the service."""

    heading = ""

    def __init__(self, ask: Ask, kind: Kind) -> None:
        super().__init__(ask, kind)
        self.program: Final[Json] = {}
        self.position: Any = {"board": EMPTY, "starts": kind.starts}
        self.answer: Json = {}
        with patch("urllib.request.urlopen", self.urlopen), patch("builtins.print"):
            exec(program_of(self.heading), self.program)  # noqa: S102, the project's own text

    def turn(self, game: Game, cell: int | None) -> Json:  # noqa: ARG002, it keeps no game
        """Let the program make a turn, or ask for the oracle's first move."""
        if cell is None:
            self.answer = self.ask(self.position)
            self.position = self.answer.get("after")
        else:
            self.reply(cell)
        return self.answer

    def reply(self, cell: int) -> str:
        """Let the program reply to the user's move; return what it says."""
        raise NotImplementedError

    def try_taken(self, game: Game) -> None:
        """Assert that the program says that the cell is taken."""
        assert re.search("taken|took", self.reply(game.played[-1]))

    def urlopen(self, request: Request | str, timeout: float = 0) -> BytesIO:  # noqa: ARG002
        """Send a request of the program; raise HTTPError if the response is a problem."""
        if isinstance(request, Request):
            assert isinstance(request.data, bytes)
            fields = json.loads(request.data)
        else:
            fields = dict(parse_qsl(urlsplit(request).query))
            fields["played"] = [int(fields["played"])]
        self.answer = self.ask(fields)
        body = BytesIO(json.dumps(self.answer).encode())
        if "status" in self.answer:
            raise HTTPError("", self.answer["status"], "", Message(), body)
        return body


class BackEnd(Printed):
    """The back end of API.md."""

    heading = "A back end"

    def reply(self, cell: int) -> str:
        """Let the program reply to the user's move, or raise an error with the reason."""
        try:
            self.position = self.program["reply"](self.position, cell, "medium", game=7)
        except ValueError as error:
            return str(error)
        return ""


class Bot(Printed):
    """The bot of API.md."""

    heading = "A bot"

    def reply(self, cell: int) -> str:
        """Let the program reply to the user's message."""
        said: str
        said, self.position = self.program["answer"](self.position, str(cell + 1))
        return said


class Chatbot(Printed):
    """A model that calls the tool of the chatbots' README."""

    heading = "A chatbot"

    def turn(self, game: Game, cell: int | None) -> Json:  # noqa: ARG002, it is in the list
        """Let the program answer a call with all moves and the side that started."""
        self.call(game.kind, game.played)
        return self.answer

    def try_taken(self, game: Game) -> None:
        """Assert that the program answers a call that is refused."""
        taken = game.played[-1]
        assert f"cell {taken}," in self.call(game.kind, [*game.played, taken])

    def call(self, kind: Kind, played: list[int]) -> str:
        """Let the program answer a call with these moves; return what it says."""
        tool = self.program["TOOL"]
        moves, starts, level = tool["parameters"]["required"]
        call = {moves: played, starts: kind.starts, level: None}
        said: str = self.program["answer_tool_call"](tool["name"], json.dumps(call))
        return said


CALLERS: Final[tuple[type[Caller], ...]] = (OwnBoard, OwnMoves, Next, BackEnd, Bot, Chatbot)


@cache
def program_of(heading: str) -> CodeType:
    """Return the Python program below a heading of a README."""
    return compile(block(heading, "python"), heading, "exec")


def play_games(caller: Callable[[Ask, Kind], Caller], ask: Ask, games: int, random: Random) -> None:
    """Play games of each kind against a user who moves at random.

    Before each move, the user tries a cell that is taken.

    The level of the game is added to each request, and a seed, so that games can be repeated.
    """
    for kind in KINDS * games:

        def ask_at_level(fields: Json, level: str = kind.level) -> Json:
            return ask({**fields, "difficulty": level, "seed": random.randrange(1000)})

        game = Game(kind)
        program = caller(ask_at_level, kind)
        if kind.user != kind.starts:
            game.check(program.turn(game, None))
        while not referee.is_over(game.board):
            if game.played:
                program.try_taken(game)
            cell = random.choice(referee.moves(game.board))
            game.play(cell)
            game.check(program.turn(game, cell))
