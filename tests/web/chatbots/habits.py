"""Habits of language models: calls whose meaning is known, in the distorted forms in which models write them."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from tests.referee import is_over, moves, opponent, play
from tests.web.chatbots.messages import Json

LEVELS = ("perfect", "hard", "medium", "easy")


@dataclass(frozen=True)
class Call:
    """A call as it is meant; `you` and `level` may be omitted."""

    tool: str
    played: tuple[int, ...]
    starts: str
    you: str | None = None
    level: str | None = None

    @property
    def moves(self) -> list[tuple[str, int]]:
        """The moves in order, each with its side."""
        return [
            (opponent(self.starts) if ply % 2 else self.starts, cell)
            for ply, cell in enumerate(self.played)
        ]

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
        """The arguments except `played` and `starts`."""
        return {
            name: value for name, value in (("you", self.you), ("difficulty", self.level)) if value
        }

    def sent(self, **game: object) -> Json:
        """Return the arguments, with these names and values instead of `played` if there are any."""
        starts = {"starts": "O"} if self.starts == "O" else {}
        return (game or {"played": [*self.played]}) | starts | self.options

    @property
    def before(self) -> "Call":
        """The call without its last move."""
        return replace(self, played=self.played[:-1])


def any_call(random: Random) -> Call:
    """Return a call with a game of any length, begun by either side."""
    tool = random.choice(["best_move", "best_move", "judge_move"])
    call = Call(tool, (), random.choice("XO"))
    for _ in range(random.choice(range(tool == "judge_move", 10))):
        if not is_over(call.board):
            call = replace(call, played=(*call.played, random.choice(moves(call.board))))
    if tool == "judge_move":
        return call
    return replace(
        call, you=random.choice([None, call.to_move]), level=random.choice([None, *LEVELS])
    )


#  A habit returns the distorted form of a call, or None if the call cannot be distorted in this way.
Habit = Callable[[Call, Random], Json | None]
Spelling = Callable[[str, int, Random], object]
Drawing = Callable[[list[str], Random], object]

WRAPPERS = (
    "arguments",
    "input",
    "args",
    "params",
    "parameters",
    "tool_input",
    "request",
    "data",
    "payload",
)
OTHER_NAMES = {
    "played": (
        "moves",
        "history",
        "move_history",
        "movesSoFar",
        "cells",
        "game",
        "position",
        "state",
    ),
    "you": ("side", "player", "mark", "me", "your_side", "mySide", "symbol", "you_are"),
    "starts": ("first", "first_player", "starter", "startingPlayer", "who_starts", "first-player"),
    "difficulty": ("level", "skill", "strength", "mode"),
}
EXTRAS: Json = {
    "reasoning": "The user took the center, so I ask for a move.",
    "toolCallId": "call_8fj2",
    "sessionId": 17,
    "action": "sendMessage",
    "confidence": 0.9,
    "explanation": None,
    "metadata": {"source": "chat", "step": 4},
    "tags": ["game", "fun"],
    "plan": "center",
}
_NAMES = """
top-left, top, top-right, left, center, right, bottom-left, bottom, bottom-right
top left, top center, top right, middle left, middle, middle right, bottom left, bottom center, bottom right
Upper Left, Upper Middle, Upper Right, Center Left, Centre, Center Right, Lower Left, Lower Middle, Lower Right
top_left, top_center, top_right, middle_left, center, middle_right, bottom_left, bottom_center, bottom_right
top-left corner, top side, top-right corner, left side, center, right side, bottom-left corner, bottom side, \
bottom-right corner"""
NAMES = [line.split(", ") for line in _NAMES.strip().splitlines()]


def shuffled(sent: Json, random: Random) -> Json:
    """Return the arguments in another order."""
    return dict(random.sample([*sent.items()], len(sent)))


def with_extras(sent: Json, random: Random) -> Json:
    """Return the arguments with names that mean nothing."""
    return shuffled(sent | dict(random.sample([*EXTRAS.items()], random.randint(1, 4))), random)


def wrapped(sent: Json, random: Random) -> Json:
    """Return the arguments in an object or in a text."""
    return {random.choice(WRAPPERS): random.choice([sent, json.dumps(sent)])}


def function_call(sent: Json, tool: str, random: Random) -> Json:
    """Return the arguments as a function call, as some providers write it."""
    call = {"name": tool, "arguments": random.choice([sent, json.dumps(sent)])}
    return random.choice([call, {"params": call}, {tool: sent}])


def in_another_case(sent: Json, random: Random) -> Json:
    """Return the arguments with names in other cases."""
    return {
        random.choice([name.upper(), name.title(), name]): value for name, value in sent.items()
    }


def renamed(name: str) -> Habit:
    """Return the habit of calling an argument by another name."""

    def rename(call: Call, random: Random) -> Json | None:
        sent = call.sent() | ({"starts": call.starts} if name == "starts" else {})
        other = random.choice(OTHER_NAMES[name])
        return (
            {other if key == name else key: value for key, value in sent.items()}
            if name in sent
            else None
        )

    return rename


def misspelled(call: Call, random: Random) -> Json | None:
    """Swap two letters within a name, or repeat or omit one."""
    sent = call.sent()
    name = random.choice([name for name in sent if name != "you"])
    at = random.randrange(1, len(name) - 2)
    start, letter, following, end = name[:at], name[at], name[at + 1], name[at + 2 :]
    endings = (following + letter + end, 2 * letter + following + end, following + end)
    wrong = start + random.choice(endings)
    return (
        {wrong if key == name else key: value for key, value in sent.items()}
        if wrong != name
        else None
    )


def listed(*spellings: Spelling, name: str = "played") -> Habit:
    """Return the habit of listing moves in one of these spellings."""

    def write(call: Call, random: Random) -> Json | None:
        spell = random.choice(spellings)
        return (
            call.sent(**{name: [spell(side, cell, random) for side, cell in call.moves]})
            if call.played
            else None
        )

    return write


def joined(separators: Iterable[str], spell: Spelling, form: str = "{}") -> Habit:
    """Return the habit of writing all moves in one text."""

    def write(call: Call, random: Random) -> Json | None:
        text = random.choice([*separators]).join(
            str(spell(side, cell, random)) for side, cell in call.moves
        )
        return call.sent(played=form.format(text)) if len(call.played) > 1 else None

    return write


def drawn(*drawings: Drawing, names: Iterable[str] = ("board",)) -> Habit:
    """Return the habit of drawing a board; a drawing gets nine cells, of which empty ones are empty texts."""

    def write(call: Call, random: Random) -> Json | None:
        board = random.choice(drawings)([cell.strip(".") for cell in call.board], random)
        return call.sent(**{random.choice([*names]): board})

    return write


def rows(cells: list[Any]) -> list[list[Any]]:
    """Return nine cells in three rows."""
    return [cells[row : row + 3] for row in (0, 3, 6)]


def lines(
    empty: str, between: str = "", line: str = "\n", left: str = "", right: str = ""
) -> Drawing:
    """Return a drawing with these signs for empty cells, between cells, between rows, and around each row."""
    return lambda cells, _: line.join(
        left + between.join(cell or empty for cell in row) + right for row in rows(cells)
    )


def numbered(first: int, between: str = " ", line: str = "\n") -> Drawing:
    """Return a drawing in which empty cells have their numbers."""
    return lambda cells, _: line.join(
        between.join(row)
        for row in rows([cell or str(number) for number, cell in enumerate(cells, first)])
    )


def replaced(signs: dict[str, object]) -> Drawing:
    """Return a drawing that is a list of other signs."""
    return lambda cells, _: [signs[cell] for cell in cells]


def keycaps(cells: list[str], random: Random) -> str:
    """Draw a board in emoji, with the numbers of the empty cells."""
    marks = {"X": "❌", "O": "⭕"}
    text = str(numbered(random.choice([0, 1]), "")(cells, random))
    return "".join(
        f"{sign}\ufe0f\u20e3" if sign.isdigit() else marks.get(sign, sign) for sign in text
    )


def result_of(call: Call) -> Json:
    """Return the fields of the result that shows a game after its last move."""
    side, move = call.moves[-1]
    over = is_over(call.board)
    return {
        "move": move,
        "text": f"{side} plays {move}, the center: it is on the most lines.",
        "outlook": None if over else "With best play by both sides the game ends in a draw.",
        "played": [*call.played],
        "starts": call.starts,
        "board": numbered(0)([cell.strip(".") for cell in call.board], Random(0)),  # noqa: S311, draws nothing
        "to_move": call.to_move,
        "status": "draw" if over else "in_progress",
        "free": moves(call.board),
        "winning_line": [],
        "review": "No side made a mistake." if over else None,
    }


def judgment_of(call: Call) -> Json:
    """Return the fields of the judgment of a game's last move."""
    judgment = {
        "player": call.moves[-1][0],
        "mistake": True,
        "outcome": "loss",
        "best_outcome": "win",
    }
    return judgment | {"best_moves": [3, 4], "missed": "block"} | result_of(call)


def sent_back(fields: Callable[[Call], Json], *changes: Callable[[Json, Random], Json]) -> Habit:
    """Return the habit of sending back a result, changed in one of these ways."""
    return lambda call, random: (
        random.choice(changes)(fields(call) | call.options, random) if call.played else None
    )


def some(*names: str) -> Callable[[Json, Random], Json]:
    """Return a function that keeps these names, and others by chance."""
    return lambda fields, random: {
        name: value for name, value in fields.items() if name in names or random.random() < 0.5
    }


def only(*names: str) -> Callable[[Json, Random], Json]:
    """Return a function that keeps these names alone."""
    return lambda fields, _: {name: value for name, value in fields.items() if name in names}


def continued(continue_with: Callable[[Call, Random], Json]) -> Habit:
    """Return the habit of sending back the result before the user's move, with this move in other places."""
    return lambda call, random: (
        result_of(call.before) | continue_with(call, random) | call.options
        if len(call.played) > 1
        else None
    )


def beside(call: Call, random: Random) -> Json | None:
    """Send the last move before or after the list of the other moves."""
    if not call.played:
        return None
    side, cell = call.moves[-1]
    spelled = random.choice([cell, str(cell), {"player": side, "cell": cell}, NAMES[0][cell]])
    return shuffled(
        {random.choice(["move", "cell", "user_move"]): spelled}
        | call.sent(played=[*call.played[:-1]]),
        random,
    )


def split(x: str, o: str, within: str | None = None, *, in_order: bool = True) -> Habit:
    """Return the habit of sending the moves of each side in a list of its own."""

    def write(call: Call, random: Random) -> Json:
        lists = {
            name: [cell for side, cell in call.moves if side == mark]
            for name, mark in ((x, "X"), (o, "O"))
        }
        lists = shuffled(
            lists if in_order else {name: sorted(cells) for name, cells in lists.items()}, random
        )
        return call.sent(**{within: lists} if within else lists)

    return write


def with_board(cells: Callable[[Call], str]) -> Habit:
    """Return the habit of sending the last move beside a board."""

    def write(call: Call, _: Random) -> Json | None:
        return call.sent(board=cells(call), move=call.played[-1]) if call.played else None

    return write


def respelled(words: dict[str, Iterable[str]]) -> Habit:
    """Return the habit of writing sides in other words."""

    def write(call: Call, random: Random) -> Json:
        sent = call.sent() | {"starts": call.starts}
        return sent | {
            name: random.choice([*words[sent[name]]]) for name in ("starts", "you") if name in sent
        }

    return write


def without_starter(call: Call, random: Random) -> Json | None:
    """Forget who began, as a model may do that reads only texts."""
    if not call.you or is_over(call.board):
        return None
    sent = random.choice(
        [call.sent(), call.sent(), call.sent(board=call.board), split("X", "O")(call, random)]
    )
    return {name: value for name, value in (sent or {}).items() if name != "starts"}


def users_side(call: Call, _: Random) -> Json | None:
    """Send the user's side as the side that the model plays."""
    return (
        call.sent() | {"you": opponent(call.you)} if call.you and not is_over(call.board) else None
    )


def row_and_column(first: int, *names: str, side: str | None = None) -> Spelling:
    """Return the spelling of a move as an object with its row and column."""
    return lambda mark, cell, random: shuffled(
        ({side: mark} if side else {})
        | dict(zip(names, (cell // 3 + first, cell % 3 + first), strict=True)),
        random,
    )


def cell_as(*names: str, side: str | None = None) -> Spelling:
    """Return the spelling of a move as an object with its cell."""
    return lambda mark, cell, random: shuffled(
        ({side: mark} if side else {})
        | {random.choice(names): random.choice([cell, cell, NAMES[0][cell]])},
        random,
    )


def named(_: str, cell: int, random: Random) -> str:
    """Return a name of a cell."""
    return random.choice(NAMES)[cell]


NUMBER: Spelling = lambda _, cell, __: cell  # noqa: E731, one of many
DOTS = lines(".", line="")
LINES = ("\n---------\n", "\n--+---+--\n", "\n---+---+---\n", "\n-----------\n")

HABITS: dict[str, Habit] = {
    "names in another order": lambda call, random: shuffled(call.sent(), random),
    "names in another case": lambda call, random: in_another_case(call.sent(), random),
    **{f"another name for {name}": renamed(name) for name in OTHER_NAMES},
    "misspelled names": misspelled,
    "extra names": lambda call, random: with_extras(call.sent(), random),
    "wrapped": lambda call, random: wrapped(call.sent(), random),
    "function call": lambda call, random: function_call(call.sent(), call.tool, random),
    "game wrapped": lambda call, _: {
        "game": {"played": [*call.played], "starts": call.starts},
        **call.options,
    },
    "result": sent_back(result_of, shuffled, lambda fields, _: fields),
    "result, wrapped": sent_back(
        result_of,
        lambda fields, random: {random.choice(["result", "game", "structuredContent"]): fields},
    ),
    "result, some fields": sent_back(result_of, some("played", "starts", "you", "difficulty")),
    "result, board and side to move": sent_back(
        result_of, only("board", "to_move", "status", "difficulty", "you")
    ),
    "result and next move in the list": continued(lambda call, _: {"played": [*call.played]}),
    "result and next move beside it": continued(
        lambda call, random: {random.choice(["move", "user_move", "cell"]): call.played[-1]}
    ),
    "judgment": sent_back(judgment_of, shuffled, lambda fields, _: fields),
    "side to move instead of starter": lambda call, random: {
        "played": [*call.played],
        **call.options,
        random.choice(["to_move", "turn", "next_player", "currentPlayer"]): call.to_move,
    },
    "last move beside the list": beside,
    "last move repeated": lambda call, random: (
        call.sent() | {random.choice(["last_move", "move"]): call.played[-1]}
        if call.played
        else None
    ),
    "list in a text": lambda call, random: call.sent(
        played=random.choice(["", " ", "\n"]) + json.dumps(call.played)
    ),
    "numbers in a text": joined((",", ", ", " ", "  ", "-", " -> ", "; ", " | ", "\n"), NUMBER),
    "numbers in parentheses": joined((", ", ","), NUMBER, "({})"),
    "numbers as texts or decimals": listed(
        lambda _, cell, random: random.choice([str(cell), float(cell)])
    ),
    "nulls between": lambda call, _: call.sent(
        played=[*call.played, *[None] * (9 - len(call.played))]
    ),
    "counted from 1": lambda call, _: (
        call.sent(played=[cell + 1 for cell in call.played]) if 8 in call.played else None
    ),
    "objects with a cell": listed(cell_as("cell", "position", "index", "square", "move")),
    "objects with a side and a cell": listed(
        cell_as("cell", "position", "square", "move", side="player"),
        cell_as("cell", "index", side="mark"),
    ),
    "objects by another name": listed(cell_as("cell", side="player"), name="moves"),
    "objects with sides as names": listed(lambda side, cell, _: {side: cell}),
    "rows and columns from 0": listed(
        row_and_column(0, "row", "col"), row_and_column(0, "row", "column", side="mark")
    ),
    "rows and columns from 1": listed(
        row_and_column(1, "row", "col"), row_and_column(1, "row", "column", side="mark")
    ),
    "pairs from 0": listed(lambda _, cell, __: [cell // 3, cell % 3]),
    "pairs from 1": listed(lambda _, cell, __: [cell // 3 + 1, cell % 3 + 1]),
    "pairs in objects": listed(
        lambda side, cell, _: {"player": side, "position": [cell // 3, cell % 3]}
    ),
    "pairs of side and cell": listed(lambda side, cell, _: [side, cell]),
    "side and cell in a text": listed(
        lambda side, cell, random: (
            f"{side}{random.choice(['', ':', ' ', '@', '-', ' at ', ': '])}{cell}"
        ),
        lambda side, cell, _: f"{side.lower()}{cell}",
    ),
    "sides and cells in one text": joined((" ", ", ", "\n"), lambda side, cell, _: f"{side}{cell}"),
    "sentences": listed(
        lambda side, cell, _: f"{side} plays {cell}",
        lambda side, cell, _: f"{side} plays {cell}, the {NAMES[-1][cell]}",
        lambda side, cell, random: f"{side}: {random.choice(NAMES)[cell]}",
        lambda _, cell, __: f"cell {cell}",
    ),
    "names of cells": listed(named),
    "names of cells in one text": joined((", ", "; ", "\n"), named),
    "split by side": lambda call, random: split(
        *random.choice([("X", "O"), ("x", "o"), ("playerX", "playerO")])
    )(call, random),
    "split by side, longer names": lambda call, random: split(
        *random.choice([("x_moves", "o_moves"), ("xMoves", "oMoves"), ("X cells", "O cells")])
    )(call, random),
    "split by side, within played": split("X", "O", "played"),
    "split by side, within moves": split("X", "O", "moves"),
    "split by side, not in order": split("X", "O", in_order=False),
    "board of nine signs": drawn(
        *(lines(empty, line="") for empty in ".-_ "), names=("board", "position", "state")
    ),
    "board in lower case": drawn(lambda cells, random: str(DOTS(cells, random)).lower()),
    "board as played": drawn(
        DOTS, lines(".", "|"), lambda cells, _: rows(cells), names=("played",)
    ),
    "board in rows": drawn(lines("."), lines(".", " "), lines(".", line="/"), lines("-", " ")),
    "board as results have it": drawn(numbered(0), names=("board", "played", "state")),
    "board with numbers from 1": drawn(numbered(1), numbered(1, " | ", LINES[0])),
    "board with bars": drawn(lines(" ", "|"), lines(" ", " | "), lines(".", "|")),
    "board with bars and lines": drawn(
        *(lines(" ", " | ", line) for line in LINES), numbered(0, " | ", LINES[0])
    ),
    "board with bars around it": drawn(
        lines(" ", " | ", left="| ", right=" |"), lines(" ", "|", "|\n", "|")
    ),
    "board as a table": drawn(
        lambda cells, random: str(lines(" ", " | ", left="| ", right=" |")(cells, random)).replace(
            "\n", "\n|---|---|---|\n", 1
        )
    ),
    "board in a box": drawn(
        lambda cells, random: "\n".join(
            [
                "┌───┬───┬───┐",
                str(lines(" ", " │ ", "\n├───┼───┼───┤\n", "│ ", " │")(cells, random)),
                "└───┴───┴───┘",
            ]
        )
    ),
    "board in emoji": drawn(
        lambda cells, random: random.choice(["", " "]).join(
            {"X": "❌", "O": "⭕", "": "⬜", "\n": "\n"}[cell]
            for row in rows(cells)
            for cell in (*row, "\n")
        ),
        keycaps,
    ),
    "board as a list": drawn(
        lambda cells, random: [cell or random.choice(["", " ", None, "."]) for cell in cells],
        replaced({"X": "X", "O": "O", "": "empty"}),
        lambda cells, _: [cell or number for number, cell in enumerate(cells)],
        names=("board", "cells", "played"),
    ),
    "board as a list of rows": drawn(
        lambda cells, random: rows([cell or random.choice(["", " ", None]) for cell in cells]),
        lambda cells, random: str(lines(".")(cells, random)).split(),
        names=("board", "grid", "played"),
    ),
    "board as a list in a text": drawn(
        lambda cells, _: json.dumps(cells), lambda cells, _: json.dumps(rows(cells))
    ),
    "board as objects": drawn(
        lambda cells, _: [{"cell": cell, "mark": mark} for cell, mark in enumerate(cells) if mark]
    ),
    "board as an object": drawn(
        lambda cells, _: {str(cell): mark for cell, mark in enumerate(cells)}
    ),
    "board of numbers": drawn(
        replaced({"X": 1, "O": -1, "": 0}),
        replaced({"X": 1, "O": 2, "": 0}),
        names=("board", "played"),
    ),
    "board and last move": with_board(lambda call: call.board),
    "board and next move": with_board(lambda call: call.before.board),
    "squares of chess": listed(
        lambda _, cell, __: "abc"[cell % 3] + str(3 - cell // 3),
        lambda _, cell, __: "ABC"[cell // 3] + str(cell % 3 + 1),
    ),
    "sides in other words": respelled(
        {"X": ("x", " X", "player X", "❌"), "O": ("o", "O ", "Player O", "⭕")}
    ),
    "null in words": lambda call, random: (
        {
            name: random.choice(["null", "None", "none", "NULL", " ", None])
            for name in ("starts", "you", "difficulty")
        }
        | call.sent()
    ),
    "forgotten starter": without_starter,
    "the user's side": users_side,
}


def contradicted(name: str) -> Habit:
    """Return the habit of sending an option again by another name, with another value."""
    values = {"starts": "XO", "you": "XO", "difficulty": LEVELS}[name]

    def write(call: Call, random: Random) -> Json | None:
        sent = call.sent() | ({"starts": call.starts} if name == "starts" else {})
        another = random.choice([value for value in values if value != sent.get(name)])
        return (
            shuffled(sent | {random.choice(OTHER_NAMES[name]): another}, random)
            if name in sent
            else None
        )

    return write


#  Calls whose meaning is unclear.
CONTRADICTIONS: dict[str, Habit] = {
    **{f"two values of {name}": contradicted(name) for name in ("starts", "you", "difficulty")},
    "counted from 1, as said": lambda call, random: (
        call.sent(played=[cell + 1 for cell in call.played])
        | {
            random.choice(
                ["index_base", "base", "indexing", "cellNumbering", "one_based", "offset"]
            ): 1
        }
        if call.played and 8 not in call.played
        else None
    ),
}


def option_renamed(sent: Json, random: Random) -> Json:
    """Return the arguments with other names for options."""
    return {
        random.choice([other for other in OTHER_NAMES[name] if other not in sent])
        if name in OTHER_NAMES and name != "played" and random.random() < 0.5
        else name: value
        for name, value in sent.items()
    }


#  Further changes of distorted arguments that do not change what they mean.
ENVELOPES: tuple[Callable[[Json, Random], Json], ...] = (
    *(shuffled, with_extras, wrapped, in_another_case, option_renamed),
    lambda sent, random: function_call(sent, "best_move", random),
    lambda sent, _: {"starts": None, "you": "", "difficulty": None, **sent},
)


def distorted(habit: str, random: Random, envelopes: int) -> tuple[Call, Json]:
    """Return a call, and the call distorted by a habit and by further changes."""
    while True:
        call = any_call(random)
        sent = (HABITS | CONTRADICTIONS)[habit](call, random)
        if sent is not None:
            for envelope in random.sample(ENVELOPES, envelopes):
                sent = envelope(sent, random)
            return call, sent
