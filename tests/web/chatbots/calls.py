"""Calls of the tools as models may write them, each with the game that it means.

Notations, names and shapes are combined at random; the service knows none of them but the form of
its schemas.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Any, NamedTuple

import pytest

from best_move.engine.choice import RATES
from best_move.web.chatbots.tools import TOOLS
from tests.truth.referee import is_over, moves, opponent, play
from tests.web.chatbots.messages import Json

LEVELS = (*RATES,)
ARGUMENTS = ("played", "starts", "you", "difficulty", "player")
#  Tool -> the schemas of its arguments.
SCHEMAS: dict[str, Json] = {
    name: tool.definition["inputSchema"]["properties"] for name, tool in TOOLS.items()
}
HOSTS: Json = {
    "action": "sendMessage",
    "chatInput": "I take cell 7!",
    "sessionId": "5f1c88",
    "toolCallId": "call_3",
    "task_progress": "- [x] make move 3",
}


@dataclass(frozen=True)
class Call:
    """A call as it is meant, with the arguments that its tool has; some may be omitted."""

    tool: str
    played: tuple[int, ...]
    starts: str
    you: str | None = None
    level: str | None = None
    player: str | None = None

    @property
    def moves(self) -> list[tuple[str, int]]:
        """The moves in order, each with its side."""
        found = []
        side = self.starts
        for cell in self.played:
            found.append((side, cell))
            side = opponent(side)
        return found

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
        options = {
            "starts": self.starts,
            "you": self.you,
            "difficulty": self.level,
            "player": self.player,
        }
        return {name: value for name, value in options.items() if value}

    def sent(self) -> Json:
        """Return the arguments as the schema demands."""
        return {"played": [*self.played], **self.options}

    def is_answered_by(self, fields: Json) -> bool:
        """Return whether a result is about this game, and judges the move that is meant."""
        played = [*self.played]
        if self.tool == "best_move":
            played += [cell for cell in [fields["move"]] if cell is not None]
        elif self.tool == "judge_move":
            made = [cell for side, cell in self.moves if side == self.player]
            if (fields["player"], fields["move"]) != (self.player, made[-1]):
                return False
        else:
            pytest.fail(f"Check the answers of {self.tool} in `is_answered_by`.")
        return bool((fields["played"], fields["starts"]) == (played, self.starts))


def any_call(random: Random) -> Call:
    """Return a call of any tool, with a game of any length, begun by either side."""
    tool = random.choice([*TOOLS])
    schemas = SCHEMAS[tool]
    call = Call(tool, (), random.choice("XO"))
    for _ in range(random.randint(schemas["played"].get("minItems", 0), 9)):
        if is_over(call.board):
            break
        cell = random.choice(moves(call.board))
        call = replace(call, played=(*call.played, cell))
    if "player" in schemas:
        sides = sorted({side for side, _ in call.moves})
        call = replace(call, player=random.choice(sides))
    if "you" in schemas:
        call = replace(call, you=random.choice([None, call.to_move]))
    if "difficulty" in schemas:
        call = replace(call, level=random.choice([None, *LEVELS]))
    return call


class Sent(NamedTuple):
    """A call as it is meant, the arguments that are sent, and whether they follow the schema."""

    call: Call
    arguments: Json
    is_right: bool = False


def any_name(random: Random) -> str:
    """Return a name that is no argument of a tool, and that no chat host adds."""
    while True:
        words = [random.choice(part) for part in NAME_PARTS if random.random() < 0.6]
        if random.random() < 0.2:
            letters = random.choices("abcdefgmnoprstuvxyz", k=random.randint(1, 9))
            words = ["".join(letters)]
        style = random.choice(STYLES)
        name = style(words)
        if name and name not in ARGUMENTS and name not in HOSTS:
            return name


NAME_PARTS = [
    line.split()
    for line in (
        "their user opponent human my new last next x o final other red first second first_to",
        "game board move cell square choice state position turn action side player log mark grid",
        "list history so_far index number id pos 0 3 text code record played moves",
    )
]
STYLES: tuple[Callable[[list[str]], str], ...] = (
    "_".join,
    "-".join,
    " ".join,
    lambda words: "".join(word.title() for word in words),
    lambda words: "_".join(words).upper(),
)

#  Notations of a cell. Those of `PLAIN` are the cell's number itself. Those of `UNSEEN` look like
#  the number of another cell, so that a list of them can be another game.
PLAIN: tuple[Callable[[int], object], ...] = (int, float, str)
UNSEEN: tuple[Callable[[int], object], ...] = (
    lambda cell: cell + 1,
    lambda cell: 1 << cell,
    lambda cell: "789456123"[cell],
)
CLEAR: tuple[Callable[[int], object], ...] = (
    lambda cell: f"cell {cell}",
    lambda cell: f"{'abc'[cell % 3]}{3 - cell // 3}",
    lambda cell: [cell // 3, cell % 3],
    lambda cell: {"row": cell // 3 + 1, "col": cell % 3 + 1},
    lambda cell: {"cell": cell},
    lambda cell: [cell],
    lambda cell: f"{('top', 'middle', 'bottom')[cell // 3]} {('left', 'mid', 'right')[cell % 3]}",
    lambda cell: f"{cell}\ufe0f\u20e3",
    lambda cell: [int(each == cell) for each in range(9)],
)
OF_CELLS = UNSEEN + CLEAR

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
    separator = random.choice(["", "/", "\n", "|", "\n-----\n"])
    drawings = [
        cells,
        rows,
        texts,
        {"rows": rows},
        separator.join(texts),
        {str(number): cell for number, cell in enumerate(cells)},
        {f"r{number}": row for number, row in enumerate(rows)},
        [{"index": number, "value": cell} for number, cell in enumerate(cells)],
        *sides_of(call.board),
    ]
    return random.choice(drawings)


def sides_of(board: str) -> list[object]:
    """Return the cells of each side, as lists and as bits."""
    lists = {}
    bits = {}
    for side in "XO":
        cells = [cell for cell in range(9) if board[cell] == side]
        lists[side] = cells
        bits[side.lower()] = sum(1 << cell for cell in cells)
    return [lists, bits]


def any_moves(call: Call, random: Random) -> object:
    """Return the moves in a notation that is not a list of numbers."""
    notation = random.choice(CLEAR)
    cells = [notation(cell) for cell in call.played]
    separator = random.choice([", ", " ", "; ", "-"])
    lists = [
        cells or [None],
        {"list": cells},
        {str(number): cell for number, cell in enumerate(cells)},
        f"{separator.join(map(str, cells))}!",
        f"played: {[*call.played]}",
        *with_sides(call, notation, random),
    ]
    return random.choice(lists)


def with_sides(call: Call, notation: Callable[[int], object], random: Random) -> list[object]:
    """Return lists of the moves in a notation that name the side of each."""
    marked = [(side, notation(cell)) for side, cell in call.moves]
    arrow = random.choice(["", " ", ": ", " -> "])
    texts = [f"{side}{arrow}{cell}" for side, cell in marked]
    numbered = [f"{number}. {text}" for number, text in enumerate(texts, 1)]
    return [
        texts or "none so far",
        "; ".join(numbered),
        [{"player": side, "at": cell} for side, cell in marked] or {},
        {side: [cell for of, cell in marked if of == side] for side in "XO"},
    ]


def right(call: Call, random: Random) -> Sent:
    """Follow the schema, or write what cannot mean anything else."""
    sent = {name: any_case(word, random) for name, word in call.options.items()}
    numbers = [random.choice(PLAIN)(cell) for cell in call.played]
    texts = [json.dumps(numbers), ", ".join(map(str, numbers)) or "[]"]
    sent["played"] = random.choice([[*call.played], numbers, *texts])
    omitted = [name for name in SCHEMAS[call.tool] if name not in sent]
    for name in omitted:
        if random.random() < 0.3:
            sent[name] = random.choice([None, "null", "None", ""])
    if random.random() < 0.3:
        sent |= random.choice([HOSTS, {"toolCallId": "call_1"}])
    if random.random() < 0.3:
        sent = {any_name(random): random.choice([sent, json.dumps(sent)])}
        sent |= random.choice([{}, {}, HOSTS])
    return Sent(call, shuffled(sent, random), is_right=True)


def any_case(word: str, random: Random) -> object:
    """Return a word of a schema in any case, perhaps with blanks around it."""
    return random.choice([word, word, word.lower(), word.upper(), f" {word.title()} "])


def move_elsewhere(call: Call, random: Random) -> Sent:
    """Send the last moves beside the list, under other names."""
    kept = random.randint(0, max(len(call.played) - 1, 0))
    later = call.played[kept:]
    sent = call.sent() | {"played": [*call.played[:kept]]}
    name = any_name(random)
    notation = random.choice(PLAIN + OF_CELLS)
    shape = random.choice(["of a host", "a list", "alone", "alone"])
    if not later:
        sent[name] = "no move"
    elif shape == "of a host":
        sent["action"] = notation(later[0])
    elif shape == "a list":
        sent[name] = [notation(cell) for cell in later]
    else:
        for number, cell in enumerate(later):
            sent[f"{name}{number or ''}"] = notation(cell)
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
    first = [*call.played[:kept]]
    later = [*call.played[kept:]]
    inner = call.sent() | {"played": first}
    name = any_name(random)
    another = any_name(random)
    shapes: list[Json] = [
        {name: inner, f"{another}2": later},
        {name: inner | {another: later}},
        {name: {another: {"played": first, "more": later}}},
        {name: inner, **call.sent()},
        {name: [inner, later]},
        {name: json.dumps(inner), "rest": later},
        {"played": inner, name: later},
    ]
    return Sent(call, random.choice(shapes))


def in_text(call: Call, random: Random) -> Sent:
    """Put the whole call into a text."""
    moves_in_words = f"play {any_moves(call, random)}"
    text = random.choice([json.dumps(call.sent()), moves_in_words, str(call)])
    name = random.choice(["played", any_name(random)])
    return Sent(call, {name: text, **call.options})


def extra(call: Call, random: Random) -> Sent:
    """Send more than the list: other cells, or a note on the numbering or the order."""
    sent = call.sent()
    free = [*moves(call.board)]
    note = random.choice([free, free[:1] or 9, 1, "1", "row by row from 1", "newest first", True])
    if note == "newest first":
        sent["played"].reverse()
    if note in (1, "1", "row by row from 1"):
        sent["played"] = [cell + 1 for cell in sent["played"]]
    sent[any_name(random)] = note
    return Sent(call, shuffled(sent, random))


def wrong_option(call: Call, random: Random) -> Sent:
    """Another argument holds a move, or the starter has another name."""
    sent = call.sent()
    if random.random() < 0.4:
        sent[any_name(random)] = sent.pop("starts")
    elif call.player and len(call.played) == 1:
        sent["player"] = opponent(call.player)
    else:
        name = random.choice(ARGUMENTS[1:])
        notation = random.choice(PLAIN + OF_CELLS)
        sent[name] = notation(random.randrange(9))
    return Sent(call, shuffled(sent, random))


def omission(call: Call, random: Random) -> Sent:
    """Leave out an argument that has no default."""
    sent = call.sent()
    del sent[random.choice(sorted({"played", "starts", "player"} & sent.keys()))]
    return Sent(call, sent)


def illegal(call: Call, random: Random) -> Sent:
    """Send a list that cannot be a game."""
    taken = random.choice(call.played) if call.played else 9
    wrong: Any = random.choice([taken, 9, -1, 4.5, True, None, "X", [0], {}, 10**20])
    played: list[Any] = [*call.played]
    place = random.randint(0, len(played))
    played.insert(place, wrong)
    if random.random() < 0.2:
        played += [*range(9)]
    return Sent(call, {"played": played, **call.options})


SHAPES = (
    right,
    move_elsewhere,
    another_name,
    other_notation,
    nested,
    in_text,
    extra,
    wrong_option,
    omission,
    illegal,
)


def shuffled(sent: Json, random: Random) -> Json:
    """Return the arguments in any order."""
    names = random.sample([*sent], len(sent))
    return {name: sent[name] for name in names}


def any_sent(random: Random) -> Sent:
    """Return a call in any shape."""
    shape = random.choice(SHAPES)
    return shape(any_call(random), random)
