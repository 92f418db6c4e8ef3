"""Calls of the tools as they are meant, and ways to write them that the service must read."""

import json
from itertools import cycle
from random import Random
from typing import Any, NamedTuple

from best_move.engine.choice import RATES
from best_move.web.chatbots.tools import TOOLS
from tests.truth.referee import is_over, moves, opponent, play

Json = dict[str, Any]

#  Tool -> the schemas of its arguments.
SCHEMAS: dict[str, Json] = {
    name: tool.definition["inputSchema"]["properties"] for name, tool in TOOLS.items()
}


class Call(NamedTuple):
    """A call as it is meant, and its game; arguments that are omitted are None."""

    tool: str
    played: tuple[int, ...]
    starts: str
    you: str | None = None
    difficulty: str | None = None
    player: str | None = None

    @property
    def moves(self) -> list[tuple[str, int]]:
        """The moves in order, each with its side."""
        return [*zip(cycle((self.starts, opponent(self.starts))), self.played, strict=False)]

    @property
    def to_move(self) -> str:
        """The side to move after the moves."""
        return opponent(self.starts) if len(self.played) % 2 else self.starts

    @property
    def board(self) -> str:
        """Nine cells: X, O, or a dot."""
        board = "." * 9
        for side, cell in self.moves:
            board = play(board, side, cell)
        return board

    def after(self, cell: int) -> "Call":
        """Return the call with a further move."""
        return self._replace(played=(*self.played, cell))

    def sent(self) -> Json:
        """Return the arguments as the schema demands, without those that are omitted."""
        options = {name: getattr(self, name) for name in ARGUMENTS[1:]}
        return {"played": [*self.played]} | {
            name: options[name] for name in options if options[name]
        }

    def is_answered_by(self, fields: Json) -> bool:
        """Return whether a result is about this game, and judges the move that is meant."""
        played = [*self.played]
        if self.tool == "judge_move":
            made = [cell for side, cell in self.moves if side == self.player]
            if (fields["player"], fields["move"]) != (self.player, made[-1]):
                return False
        elif fields["move"] is not None:
            played.append(fields["move"])
        return bool((fields["played"], fields["starts"]) == (played, self.starts))


ARGUMENTS = Call._fields[1:]


def any_call(random: Random) -> Call:
    """Return a call of any tool, with a game of any length, begun by either side."""
    tool = random.choice([*TOOLS])
    schemas = SCHEMAS[tool]
    call = Call(tool, (), random.choice("XO"))
    for _ in range(random.randint(schemas["played"].get("minItems", 0), 9)):
        if not is_over(call.board):
            call = call.after(random.choice(moves(call.board)))
    if "player" in schemas:
        return call._replace(player=random.choice(sorted({side for side, _ in call.moves})))
    level = random.choice([None, *RATES])
    return call._replace(you=random.choice([None, call.to_move]), difficulty=level)


#  What chat hosts add to the arguments.
HOSTS: Json = {
    "action": "sendMessage",
    "chatInput": "I take cell 7!",
    "sessionId": "5f1c88",
    "toolCallId": "call_3",
    "task_progress": "- [x] make move 3",
    "wait_for_previous": True,
    "__tool_use_purpose": "Answer the user's 7",
    "__toolUsePurpose": "Play cell 2",
    "__thinking_purpose": "4 is free",
}
NAMES = ("move", "userMove", "next-cell", "MY_MOVE", "x", "0", "board", "so far", "turn", "first")


def any_name(random: Random) -> str:
    """Return a name that is no argument of a tool, and that no chat host adds."""
    letters = "".join(random.choices("abcdefgmnoprstuvxyz", k=random.randint(1, 9)))
    name = random.choice([*NAMES, letters])
    return name if name not in (*ARGUMENTS, *HOSTS) else "other"


def right(call: Call, random: Random) -> Json:
    """Return arguments that follow the schema, or that cannot mean anything else."""
    sent = call.sent()
    for name in [*sent][1:]:
        word = sent[name]
        sent[name] = random.choice([word, word.lower(), word.upper(), f" {word.title()} "])
    numbers = [random.choice((int, float, str))(cell) for cell in call.played]
    texts = [json.dumps(numbers), ", ".join(map(str, numbers)) or "[]"]
    empty: list[Json] = [{}] * (not call.played)  # as PHP and Lua write an empty list
    sent["played"] = random.choice([[*call.played], numbers, *texts, *empty])
    for name in [each for each in SCHEMAS[call.tool] if each not in sent]:
        if random.random() < 0.3:
            sent[name] = random.choice([None, "null", "None", ""])
    if random.random() < 0.3:
        added = random.choice([*HOSTS])
        sent |= random.choice([HOSTS, {added: HOSTS[added]}])
    if random.random() < 0.3:
        sent = {any_name(random): random.choice([sent, json.dumps(sent)])}
        sent |= random.choice([{}, {}, HOSTS])
    return shuffled(sent, random)


def shuffled(sent: Json, random: Random) -> Json:
    """Return the arguments in any order."""
    return dict(random.sample([*sent.items()], len(sent)))
