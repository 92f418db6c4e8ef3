"""Calls of the tools as models may write them, each with the game that it means.

Notations, names and shapes are combined at random; the service knows none of them but the form of
its schemas.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import count
from random import Random
from typing import Any, NamedTuple

from best_move.engine.choice import RATES
from tests.truth.referee import is_over, moves, opponent, play
from tests.web.chatbots.messages import Json

LEVELS = (*RATES,)
OPTIONS = {
    "best_move": ["starts", "you", "difficulty"],
    "judge_move": ["starts", "player"],
}
ARGUMENTS = {"played", *OPTIONS["best_move"], *OPTIONS["judge_move"]}
HOSTS: Json = {
    "action": "sendMessage",
    "chatInput": "I take cell 7!",
    "sessionId": "5f1c88",
    "toolCallId": "call_3",
    "task_progress": "- [x] make move 3",
}


@dataclass(frozen=True)
class Call:
    """A call as it is meant; `you`, `level` and `player` may be omitted."""

    tool: str
    played: tuple[int, ...]
    starts: str
    you: str | None = None
    level: str | None = None
    player: str | None = None

    @property
    def moves(self) -> list[tuple[str, int]]:
        """The moves in order, each with its side."""
        sides = [self.starts, opponent(self.starts)]
        return [(sides[ply % 2], cell) for ply, cell in enumerate(self.played)]

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

    @property
    def options(self) -> Json:
        """The arguments except `played`, without those that are omitted."""
        starts = "O" if self.starts == "O" else None
        options = {
            "starts": starts,
            "you": self.you,
            "difficulty": self.level,
            "player": self.player,
        }
        return {name: value for name, value in options.items() if value}

    def sent(self) -> Json:
        """Return the arguments as the schema demands."""
        return {"played": [*self.played], **self.options}


def any_call(random: Random) -> Call:
    """Return a call with a game of any length, begun by either side."""
    tool = random.choice(["best_move", "best_move", "judge_move"])
    call = Call(tool, (), random.choice("XO"))
    for _ in range(random.choice(range(tool == "judge_move", 10))):
        if not is_over(call.board):
            call = replace(call, played=(*call.played, random.choice(moves(call.board))))
    if tool == "judge_move":
        sides = sorted({side for side, _ in call.moves})
        return replace(call, player=random.choice([None, *sides]))
    you = random.choice([None, call.to_move])
    return replace(call, you=you, level=random.choice([None, *LEVELS]))


class Sent(NamedTuple):
    """A call as it is meant, the arguments that are sent, and whether they follow the schema."""

    call: Call
    arguments: Json
    is_right: bool = False


def any_name(random: Random) -> str:
    """Return a name that is no argument of a tool, and that no chat host adds."""
    while True:
        words = [random.choice(each.split()) for each in NAME_PARTS if random.random() < 0.6]
        if random.random() < 0.2:
            words = ["".join(random.choices("abcdefgmnoprstuvxyz", k=random.randint(1, 9)))]
        name = random.choice(STYLES)(words)
        if name and name not in ARGUMENTS and name not in HOSTS:
            return name


NAME_PARTS = (
    "their user opponent human my new last next x o final other red first second first_to",
    "game board move cell square choice state position turn action side player log mark grid",
    "list history so_far index number id pos 0 3 text code record played moves",
)
STYLES: tuple[Callable[[list[str]], str], ...] = (
    "_".join,
    "-".join,
    " ".join,
    lambda words: "".join(word.title() for word in words),
    lambda words: "_".join(words).upper(),
)

#  Notations of a cell. Those of `PLAIN` are the cell's number itself, so the schema accepts them.
PLAIN: tuple[Callable[[int], object], ...] = (int, float)
OF_CELLS: tuple[Callable[[int], object], ...] = (
    str,
    lambda cell: cell + 1,
    lambda cell: 1 << cell,
    lambda cell: f"cell {cell}",
    lambda cell: f"{'abc'[cell % 3]}{3 - cell // 3}",
    lambda cell: [cell // 3, cell % 3],
    lambda cell: {"row": cell // 3 + 1, "col": cell % 3 + 1},
    lambda cell: {"cell": cell},
    lambda cell: [cell],
    lambda cell: f"{('top', 'middle', 'bottom')[cell // 3]} {('left', 'mid', 'right')[cell % 3]}",
    lambda cell: f"{cell}\ufe0f\u20e3",
    lambda cell: "789456123"[cell],
    lambda cell: [int(each == cell) for each in range(9)],
)

#  Signs of X, O and a free cell on a board.
SIGNS: tuple[tuple[Any, Any, Any], ...] = (
    ("X", "O", "."),
    ("X", "O", ""),
    ("x", "o", " "),
    ("\u274c", "\u2b55", "\u2b1c"),
    (1, -1, 0),
    (1, 2, 0),
    (True, False, None),
    ("cross", "nought", "free"),
)


def any_board(call: Call, random: Random) -> object:
    """Return a drawing of the board."""
    sign = dict(zip("XO.", random.choice(SIGNS), strict=True))
    cells = [sign[mark] for mark in call.board]
    rows = [cells[first : first + 3] for first in range(0, 9, 3)]
    texts = ["".join(map(str, row)) for row in rows]
    taken = {number: mark for number, mark in enumerate(call.board) if mark != "."}
    return random.choice(
        [
            cells,
            rows,
            texts,
            {"rows": rows},
            random.choice(["", "/", "\n", "|", "\n-----\n"]).join(texts),
            {str(number): cell for number, cell in enumerate(cells)},
            {f"r{number}": row for number, row in enumerate(rows)},
            {mark: [cell for cell in taken if taken[cell] == mark] for mark in "XO"},
            {mark: sum(1 << cell for cell in taken if taken[cell] == mark) for mark in "xo"},
            [{"index": number, "value": cell} for number, cell in enumerate(cells)],
        ]
    )


def any_moves(call: Call, random: Random) -> object:
    """Return the moves in a notation that is not a list of numbers."""
    cell = random.choice(OF_CELLS[:1] + OF_CELLS[3:])
    each = [cell(move) for move in call.played]
    texts = [f"{side}{random.choice(['', ' ', ': ', ' -> '])}{cell(m)}" for side, m in call.moves]
    return random.choice(
        [
            [*each, *([] if each else [None])],
            texts or "none so far",
            f"{random.choice([', ', ' ', '; ', '-']).join(map(str, each))}!",
            "; ".join(f"{number}. {text}" for number, text in zip(count(1), texts, strict=False)),
            {str(number): move for number, move in enumerate(each)},
            [{"player": side, "at": cell(move)} for side, move in call.moves] or {},
            {side: [cell(m) for of, m in call.moves if of == side] for side in "XO"},
            {"list": each},
            f"played: {[*call.played]}",
        ]
    )


def right(call: Call, random: Random) -> Sent:
    """Follow the schema, or write what cannot mean anything else."""
    sent = call.sent()
    for name, value in [*sent.items()]:
        if isinstance(value, str) and random.random() < 0.3:
            sent[name] = random.choice([value.lower(), value.upper(), f" {value.title()} "])
    played: object = [random.choice(PLAIN)(cell) for cell in call.played]
    sent["played"] = random.choice([sent["played"], played, json.dumps(played)])
    for name in OPTIONS[call.tool]:
        if name not in sent and random.random() < 0.3:
            sent[name] = random.choice([None, "null", "None", ""])
    if random.random() < 0.3:
        sent |= random.choice([HOSTS, {"toolCallId": "call_1"}])
    if random.random() < 0.3:
        sent = {any_name(random): sent} | random.choice([{}, {}, HOSTS])
    return Sent(call, shuffled(sent, random), is_right=True)


def move_elsewhere(call: Call, random: Random) -> Sent:
    """Send the last moves beside the list, under other names."""
    kept = random.randint(0, max(len(call.played) - 1, 0))
    sent = call.sent() | {"played": [*call.played[:kept]]}
    later = call.played[kept:]
    name, notation = any_name(random), random.choice(PLAIN + OF_CELLS)
    if random.random() < 0.3:
        sent[name] = [notation(cell) for cell in later] or "no move"
    else:
        sent |= {f"{name}{number or ''}": notation(cell) for number, cell in enumerate(later)}
        sent |= {} if later else {name: "no move"}
    if random.random() < 0.2 and later:
        sent = {key: sent[key] for key in sent if key in ARGUMENTS} | {"action": notation(later[0])}
    return Sent(call, shuffled(sent, random))


def another_name(call: Call, random: Random) -> Sent:
    """Give the game another name, and perhaps a list of moves beside it."""
    game = random.choice([any_board(call, random), any_moves(call, random), [*call.played]])
    sent: Json = {any_name(random): game, **call.options}
    if random.random() < 0.5:
        kept = random.randint(0, len(call.played))
        sent["played"] = [*call.played[:kept]]
    return Sent(call, shuffled(sent, random))


def other_notation(call: Call, random: Random) -> Sent:
    """Give the game its name, but not as a list of numbers."""
    game = random.choice([any_board, any_moves])(call, random)
    return Sent(call, {"played": game, **call.options})


def nested(call: Call, random: Random) -> Sent:
    """Put the arguments into objects, with moves beside them or deeper in them."""
    kept = random.randint(0, len(call.played))
    inner = call.sent() | {"played": [*call.played[:kept]]}
    later = [*call.played[kept:]]
    name = any_name(random)
    sent: Json = random.choice(
        [
            {name: inner, any_name(random) + "2": later},
            {name: inner | {any_name(random): later}},
            {name: {any_name(random): {"played": inner["played"], "more": later}}},
            {name: inner, **call.sent()},
            {name: [inner, later]},
            {name: json.dumps(inner), "rest": later},
            {"played": inner, name: later},
        ]
    )
    return Sent(call, sent)


def in_text(call: Call, random: Random) -> Sent:
    """Put the whole call into a text."""
    text = random.choice([json.dumps(call.sent()), f"play {any_moves(call, random)}", str(call)])
    return Sent(call, {random.choice(["played", any_name(random)]): text, **call.options})


def extra(call: Call, random: Random) -> Sent:
    """Send more than the list: other cells, or a note on the numbering or the order."""
    sent = call.sent()
    free = [*moves(call.board)]
    value = random.choice([free, free[:1] or 9, 1, "1", "row by row from 1", "newest first", True])
    if value == "newest first":
        sent["played"] = sent["played"][::-1]
    if value in (1, "1", "row by row from 1"):
        sent["played"] = [cell + 1 for cell in sent["played"]]
    return Sent(call, shuffled(sent | {any_name(random): value}, random))


def wrong_option(call: Call, random: Random) -> Sent:
    """Another argument holds a move, or the starter has another name."""
    sent = call.sent()
    value = random.choice(PLAIN + OF_CELLS)(random.randrange(9))
    name = random.choice(sorted(ARGUMENTS - {"played"}))
    if call.starts == "O" and random.random() < 0.4:
        del sent["starts"]
        name, value = any_name(random), "O"
    elif call.player and len(call.played) == 1:
        name, value = "player", opponent(call.player)
    return Sent(call, shuffled(sent | {name: value}, random))


def illegal(call: Call, random: Random) -> Sent:
    """Send a list that cannot be a game."""
    taken = random.choice(call.played) if call.played else 9
    wrong: Any = random.choice([taken, 9, -1, 4.5, True, None, "X", [0], {}, 10**20])
    played: list[Any] = [*call.played]
    played.insert(random.randint(0, len(played)), wrong)
    if random.random() < 0.2:
        played += [*range(9)]
    return Sent(call, {"played": played, **call.options})


SHAPES = (
    *(right, move_elsewhere, another_name, other_notation, nested, in_text, extra, wrong_option),
    illegal,
)


def shuffled(sent: Json, random: Random) -> Json:
    """Return the arguments in any order."""
    return dict(random.sample([*sent.items()], len(sent)))


def any_sent(random: Random) -> Sent:
    """Return a call in any shape."""
    return random.choice(SHAPES)(any_call(random), random)
