"""The review of a player over all games that opponents can lead it into: results, mistakes, odds.

X moves first. On each board the player always makes the same move, or it chooses at random at fixed
rates. The results are frozen dataclasses.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, Final, get_args

from best_move.engine.position import CELLS, CauseError, Mark, Position
from best_move.engine.reason import Reason, first_reason, reason
from best_move.engine.retrograde import Entry, entry_of
from best_move.engine.score import DRAW, Outcome, outcome, value

_START: Final = Position(0, 0, "X")
MAX_FREQUENCY: Final = 1_000_000_000
MAX_SHOWN: Final = 40  # characters of a value in an error
#  The highest probability of a win against random moves without ever risking a loss, by side.
LIMITS: Final[dict[Mark, float]] = {"X": 191 / 192, "O": 866 / 945}


@dataclass(frozen=True)
class InvalidEntry:
    """An error in the entry of a board; its table is `moves` or `frequencies`."""

    table: str
    board: str
    cause: str
    text: str


class InvalidPlayerError(ValueError):
    """Raised if entries of a player are invalid; `entries` has an error for each."""

    def __init__(self, entries: Sequence[InvalidEntry]) -> None:
        more = f" And {len(entries) - 1} more." if len(entries) > 1 else ""
        super().__init__(f"On {_shown(entries[0].board)}: {entries[0].text}{more}")
        self.entries: Final = entries

    def __reduce__(self) -> tuple[type["InvalidPlayerError"], tuple[Sequence[InvalidEntry]]]:
        return InvalidPlayerError, (self.entries,)  # for pickles


@dataclass(frozen=True)
class GameCounts:
    """The number of distinct games that are possible, by their result for the player."""

    won: int
    drawn: int
    lost: int


@dataclass(frozen=True)
class Mistake:
    """A move whose outcome is worse than that of the best move; both outcomes are the player's.

    `chance` is the probability of the move on this board; it is 1 if the player always makes it.
    `best_moves` are the moves that win soonest or, if none wins, draw; they are sorted by cell.
    `missed` is the first of Newell and Simon's rules that one of the best moves follows.
    """

    board: str
    move: int
    chance: float
    outcome: Outcome
    best_outcome: Outcome
    best_moves: tuple[int, ...]
    missed: Reason


@dataclass(frozen=True)
class Odds:
    """The probability of each result against random moves; `limit` is the highest safe `win`."""

    win: float
    draw: float
    loss: float
    limit: float


@dataclass(frozen=True)
class Verdict:
    """The result of a complete review.

    `unbeatable` is true if the player can lose no game. `worst_loss` is the highest probability of
    a loss, and `exploitability` the highest expected payoff (win 1, draw 0, loss -1), that an
    opponent who knows the player can reach. `lost_game` is the moves of a shortest game that the
    player can lose, or None. `against_perfect` is the player's worst outcome against opponents that
    make no mistakes.
    """

    unbeatable: bool
    worst_loss: float
    exploitability: float
    lost_game: tuple[int, ...] | None
    games: GameCounts
    mistakes: tuple[Mistake, ...]
    against_random: Odds
    against_perfect: Outcome


@dataclass(frozen=True)
class PlayerReview:
    """The review of a player; until it is complete, `review` is None, and `boards` need a move."""

    complete: bool
    boards: tuple[str, ...]
    review: Verdict | None


#  The positions that a player can meet. Each has the positions that can follow it, with the
#  probability of the player's move, or with 1 for each move of the opponent. They are sorted by
#  ply, so that each position comes before those that follow it.
_Met = dict[Entry, dict[Entry, float]]
_Games = dict[Entry, tuple[int, ...]]  # the moves that lead to each position
_Chances = dict[str, dict[int, float]]


def review_player(
    side: Mark,
    moves: Mapping[str, int] | None = None,
    frequencies: Mapping[str, Sequence[float]] | None = None,
) -> PlayerReview:
    """Return the review of the player of a side, given its move or its frequencies on each board.

    A board is nine characters, row by row: `X`, `O` or `.`. It is in `moves`, with the cell that
    the player plays, or in `frequencies`, with nine numbers of which only the ratios count: how
    often the player plays each cell. Boards that the player cannot meet are ignored. Boards that it
    can meet, but that are in neither, are returned, sorted by ply, then by text. Raises
    InvalidPlayerError if any entries are invalid.
    """
    if side not in get_args(Mark):
        raise ValueError(f"`side` must be X or O, not {side!r}.")
    if not all(isinstance(table or {}, Mapping) for table in (moves, frequencies)):
        raise TypeError("`moves` and `frequencies` must be mappings from boards.")
    met, first_games = _met(side, _chances(side, moves or {}, frequencies or {}))
    missing = [entry.board for entry, following in met.items() if entry.after and not following]
    if missing:
        boards = tuple(sorted(missing, key=lambda board: (-board.count("."), board)))
        return PlayerReview(complete=False, boards=boards, review=None)
    return PlayerReview(complete=True, boards=(), review=_verdict(side, met, first_games))


def _met(side: Mark, chances: _Chances) -> tuple[_Met, _Games]:
    """Return the positions that a player can meet, and the moves of a shortest game to each.

    Its boards that are not in `chances` are followed by no position.
    """
    met: _Met = {}
    games: _Games = {entry_of(_START): ()}
    queue = [*games]
    for entry in queue:  # which grows
        is_own = entry.position.to_move == side
        weights = chances.get(entry.board, {}) if is_own else dict.fromkeys(entry.after, 1.0)
        met[entry] = {entry.after[move]: weight for move, weight in weights.items()}
        for move in weights:
            after = entry.after[move]
            if after not in games:
                games[after] = (*games[entry], move)
                queue.append(after)
    return met, games


def _verdict(side: Mark, met: _Met, first_games: _Games) -> Verdict:
    ends = {entry: _value(side, entry) for entry in met if not entry.after}
    lost = {end: float(result == -1) for end, result in ends.items()}
    payoffs = {end: -result for end, result in ends.items()}
    games = _count_games(met, ends)
    return Verdict(
        unbeatable=not games.lost,
        worst_loss=min(1.0, _best_response(side, met, lost)),
        exploitability=max(0.0, _best_response(side, met, payoffs)),
        lost_game=next((first_games[end] for end in ends if lost[end]), None),
        games=games,
        mistakes=tuple(_mistakes(side, met)),
        against_random=_odds(side, met, ends),
        against_perfect="loss" if _loses_to_perfect(side, met) else "draw",
    )


def _count_games(met: _Met, ends: dict[Entry, float]) -> GameCounts:
    games = _reached({entry: dict.fromkeys(following, 1) for entry, following in met.items()})
    return GameCounts(*map(int, _by_result(ends, games)))


def _odds(side: Mark, met: _Met, ends: dict[Entry, float]) -> Odds:
    reached = _reached(met)
    weights = {end: reached[end] * _sequences(side, end) for end in ends}
    sequences = _by_result(ends, weights)
    win, draw, loss = (each / sum(sequences) for each in sequences)
    return Odds(win, draw, loss, LIMITS[side])


def _value(side: Mark, entry: Entry) -> float:
    """Return the value of a position for the player: 1 for a win, 0 for a draw, -1 for a loss."""
    return value(entry.score if entry.position.to_move == side else -entry.score)


def _reached(met: _Met) -> dict[Entry, float]:
    """Return each position's weight: the sum of the weights of all games that lead to it.

    The weight of a game is the product of its moves' weights.
    """
    reached = dict.fromkeys(met, 0.0)
    reached[entry_of(_START)] = 1.0
    for entry, following in met.items():
        here = reached[entry]
        for after, weight in following.items():
            reached[after] += here * weight
    return reached


def _by_result(ends: dict[Entry, float], weights: dict[Entry, float]) -> list[float]:
    """Return the total weights of the ends that are won, drawn and lost."""
    return [sum([weights[end] for end in ends if ends[end] == each]) for each in (1, 0, -1)]


def _sequences(side: Mark, end: Entry) -> int:
    """Return how many sequences of the opponent's moves would fill the board after the end."""
    free = end.board.count(".")
    if end.position.to_move == side:
        free -= 1
    return prod(range(free, 0, -2))


def _best_response(side: Mark, met: _Met, payoffs: dict[Entry, float]) -> float:
    """Return the highest expected payoff of an opponent that knows the player."""
    expected = payoffs.copy()
    for entry, following in reversed(met.items()):  # from the last ply to the first
        if following and entry.position.to_move == side:
            expected[entry] = sum([chance * expected[after] for after, chance in following.items()])
        elif following:
            expected[entry] = max([expected[after] for after in following])
    return expected[entry_of(_START)]


def _loses_to_perfect(side: Mark, met: _Met) -> bool:
    """Return whether the player can turn a draw into a loss before the opponent makes a mistake."""
    drawn = {entry_of(_START)}
    while drawn:
        following = {after for entry in drawn for after in met[entry]}
        if any(_value(side, after) == -1 for after in following):
            return True
        drawn = {after for after in following if after.score == DRAW}
    return False


def _mistakes(side: Mark, met: _Met) -> Iterator[Mistake]:
    for entry, following in met.items():
        if entry.position.to_move != side:
            continue
        best = value(entry.score)
        worse = [
            move
            for move, after in entry.after.items()
            if after in following and value(-after.score) < best
        ]
        if not worse:
            continue
        best_moves = tuple(
            move for move, after in entry.after.items() if -after.score == entry.score
        )
        position = entry.position
        missed = first_reason(reason(position.own, position.opponent, move) for move in best_moves)
        for move in worse:
            after = entry.after[move]
            yield Mistake(
                board=entry.board,
                move=move,
                chance=following[after],
                outcome=outcome(-after.score, exact=True),
                best_outcome=outcome(entry.score, exact=True),
                best_moves=best_moves,
                missed=missed,
            )


def _chances(
    side: Mark, moves: Mapping[str, int], frequencies: Mapping[str, Sequence[float]]
) -> _Chances:
    """Return the probability of each possible move on each board.

    Raises InvalidPlayerError if any entries are invalid.
    """
    chances: _Chances = {}
    text = "The board is in `moves` and in `frequencies`. Remove it from one of them."
    invalid = [
        InvalidEntry("frequencies", board, "repeated_board", text)
        for board in frequencies
        if board in moves
    ]
    for table, entries, read in (
        ("moves", moves, _of_move),
        ("frequencies", frequencies, _of_frequencies),
    ):
        for board, entry in entries.items():
            try:
                chances[board] = read(entry)
                _check(side, board, chances[board])
            except CauseError as error:
                invalid.append(InvalidEntry(table, board, error.cause, str(error)))
    if invalid:
        raise InvalidPlayerError(invalid)
    return chances


def _of_move(cell: Any) -> dict[int, float]:
    if isinstance(cell, bool) or cell not in range(CELLS):
        cause = "wrong_value" if type(cell) is int else "wrong_type"
        text = f"The move must be an integer from 0 to 8, not {_shown(cell)}."
        if isinstance(cell, list | tuple):
            text += " Frequencies belong in `frequencies`."
        raise CauseError(cause, text)
    return {int(cell): 1.0}


_FREQUENCIES: Final = (
    f"Frequencies must be an array of nine numbers from 0 to {MAX_FREQUENCY}, one per cell, such "
    "as [0, 3, 0, 0, 0, 0, 0, 0, 17]"
)


def _of_frequencies(numbers: Any) -> dict[int, float]:
    if not isinstance(numbers, list | tuple):
        text = f"{_FREQUENCIES}, not {_shown(numbers)}.{_advice(numbers)}"
        raise CauseError("wrong_type", text)
    if len(numbers) != CELLS:
        raise CauseError("wrong_length", f"{_FREQUENCIES}. This array has {len(numbers)}.")
    for cell, number in enumerate(numbers):
        if not _is_frequency(number):
            shown = f"The number of cell {cell} is {_shown(number)}."
            raise CauseError("wrong_value", f"{_FREQUENCIES}. {shown}{_advice(number)}")
    total = sum(numbers)
    return {cell: number / total for cell, number in enumerate(numbers) if number}


def _shown(value: object) -> str:
    """Return the start of a value as JSON writes it or, if it cannot, as Python does."""
    try:
        text = json.dumps(value)
    except (TypeError, ValueError):
        text = repr(value)
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"


def _advice(value: object) -> str:
    """Return what to send in place of a value that JSON does not have, such as one of NumPy."""
    if value is None or isinstance(value, str | int | float | list | tuple | dict):
        return ""
    return " In Python, send a list or tuple of int or float (`.tolist()` of an array)."


def _is_frequency(number: Any) -> bool:
    return (
        isinstance(number, int | float)
        and not isinstance(number, bool)
        and 0 <= number <= MAX_FREQUENCY
    )


def _check(side: Mark, board: str, moves: Collection[int]) -> None:
    """Raise an error unless the player is to move on a board, and its moves are legal."""
    position = Position.parse(board)
    if position.x.bit_count() - position.o.bit_count() != (side == "O"):
        marks = "as many marks as O" if side == "X" else "one more mark than O"
        rule = f"X moves first, so X has {marks} when {side} is to move."
        text = f"It is not {side}'s turn: {rule} Remove this board."
        raise CauseError("wrong_side_to_move", text)
    if position.status != "in_progress":
        raise CauseError("played_after_end", "The game is over. Remove this board.")
    if not moves:
        raise CauseError("no_move", "All frequencies are 0. At least one must be positive.")
    for cell in moves:
        if board[cell] != ".":
            free = ", ".join(map(str, position.legal_moves))
            raise CauseError(
                "cell_taken", f"Cell {cell} is taken by {board[cell]}. Free cells: {free}."
            )
