"""The review of a player over all games that opponents can lead it into: results, mistakes, odds.

On each board the player always makes the same move, or it chooses at random at fixed rates. The
results are frozen dataclasses, whose fields are those of the API's responses, with the same names
and in the same order.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any, Literal, get_args

from best_move.engine.position import (
    CELLS,
    BoardCause,
    CauseError,
    Cells,
    Mark,
    MoveCause,
    Position,
    PositionCause,
    other,
)
from best_move.engine.reason import Reason, first_reason, reason_of
from best_move.engine.score import Outcome, outcome
from best_move.engine.solved import Solved, solve
from best_move.quoting import shown

MAX_FREQUENCY = 1_000_000_000
#  The highest probability of a win against random moves without ever risking a loss.
LIMIT_AS_FIRST = 191 / 192
LIMIT_AS_SECOND = 866 / 945


EntryCause = Literal[
    "wrong_type",
    "wrong_value",
    "wrong_length",
    "wrong_side_to_move",
    "played_after_end",
    "no_move",
    "repeated_board",
]


class _EntryError(CauseError[EntryCause]):
    """Raised for an entry with an invalid move or invalid frequencies."""


@dataclass(frozen=True)
class InvalidEntry:
    """An error in the entry of a board; its table is `moves` or `frequencies`."""

    table: str
    board: str
    cause: EntryCause | BoardCause | PositionCause | MoveCause
    text: str


class InvalidPlayerError(ValueError):
    """Raised if entries of a player are invalid; `entries` has an error for each."""

    def __init__(self, entries: Sequence[InvalidEntry]) -> None:
        first = entries[0]
        text = f"On {shown(first.board)}: {first.text}"
        hidden = len(entries) - 1
        if hidden:
            text += f" And {hidden} more."
        super().__init__(text)
        self.entries = entries

    def __reduce__(self) -> tuple[Any, ...]:
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
    best_moves: Cells
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
    a loss, and `exploitability` the highest expected payoff, that an opponent who knows the player
    can reach: 1 for the opponent's win, 0 for a draw, -1 for its loss. `lost_game` is the moves of
    a shortest game that the player can lose, or None. `against_perfect` is the player's worst
    outcome against opponents that make no mistakes.
    """

    unbeatable: bool
    worst_loss: float
    exploitability: float
    lost_game: Cells | None
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


@dataclass(eq=False, slots=True)  # hashed by identity, which is faster
class _Meeting:
    """A position that the player can meet; `is_own_turn` says whether the player is to move.

    `game` is the moves of one game that leads here, and `games` the number of games that do.
    `chances` has the probability of each possible move of the player, or 1 for each move of the
    opponent. The weight of a game is the product of these numbers; `weight` is the sum over all
    games that lead here. `after` is the position after each of these moves.
    """

    solved: Solved
    game: Cells
    games: int = 0
    weight: float = 0.0
    is_own_turn: bool = False
    chances: dict[int, float] = field(default_factory=dict)
    after: dict[int, "_Meeting"] = field(default_factory=dict)

    @property
    def outcome(self) -> Outcome:
        """The outcome for the player of best play by both sides."""
        score = self.solved.score
        if not self.is_own_turn:
            score = -score
        return outcome(score, exact=True)


_Chances = dict[str, dict[int, float]]  # the probability of each possible move, by board
_Tables = dict[str, Mapping[str, object]]


def review_player(
    side: Mark,
    moves: Mapping[str, int] | None = None,
    frequencies: Mapping[str, Sequence[float]] | None = None,
    starts: Mark = "X",
) -> PlayerReview:
    """Return the review of the player of a side, given its move or its frequencies on each board.

    A board is nine characters, row by row: `X`, `O` or `.`. It is in `moves`, with the cell that
    the player plays, or in `frequencies`, with nine numbers of which only the ratios count: how
    often the player plays each cell. Boards that the player cannot meet are ignored. Boards that it
    can meet, but that are in neither, are returned, sorted by ply, then by text. `starts` is the
    side that moves first. Raises InvalidPlayerError if any entries are invalid.
    """
    for name, mark in {"side": side, "starts": starts}.items():
        if mark not in get_args(Mark):
            raise ValueError(f"`{name}` must be X or O, not {mark!r}.")
    tables: _Tables = {"moves": moves or {}, "frequencies": frequencies or {}}
    if not all(isinstance(entries, Mapping) for entries in tables.values()):
        raise TypeError("`moves` and `frequencies` must be mappings from boards.")
    chances = _chances(side, starts, tables)
    met = _positions(side, starts, chances)
    #  The boards on which the game goes on, but not by a known move.
    boards = [each.solved.board for each in met if each.solved.after and not each.after]
    if boards:
        boards.sort(key=lambda board: (-board.count("."), board))
        return PlayerReview(complete=False, boards=tuple(boards), review=None)
    verdict = _verdict(met)
    return PlayerReview(complete=True, boards=(), review=verdict)


def _positions(side: Mark, starts: Mark, chances: _Chances) -> list[_Meeting]:
    """Return the positions that a player can meet, sorted by ply.

    No position follows a board of the player that is not in `chances`.
    """
    start = _Meeting(solve(Position(0, 0, starts)), (), games=1, weight=1.0)
    found = {start.solved: start}
    met = [start]
    for here in met:  # which grows
        solved = here.solved
        here.is_own_turn = solved.position.to_move == side
        if here.is_own_turn:
            here.chances = chances.get(solved.board, {})
        else:
            here.chances = dict.fromkeys(solved.after, 1.0)
        for move, chance in here.chances.items():
            next_solved = solved.after[move]
            if next_solved not in found:
                found[next_solved] = _Meeting(next_solved, (*here.game, move))
                met.append(found[next_solved])
            after = found[next_solved]
            after.games += here.games
            after.weight += here.weight * chance
            here.after[move] = after
    return met


def _verdict(met: list[_Meeting]) -> Verdict:
    """Return the verdict on a player, given all positions that it can meet."""
    games = {"win": 0, "draw": 0, "loss": 0}
    sequences = {"win": 0.0, "draw": 0.0, "loss": 0.0}
    lost_game = None
    for here in met:
        if here.after:
            continue
        result = here.outcome
        games[result] += here.games
        # A random opponent plays each sequence of moves that fills the board with the same
        # probability, because the ply alone decides among how many cells it chooses. So sequences
        # are counted: the weight has 1 for each move of the opponent, and a game that ends early
        # stands for all sequences that could follow it.
        sequences[result] += here.weight * _sequences(here)
        if result == "loss" and lost_game is None:
            lost_game = here.game
    total = sum(sequences.values())
    win, draw, loss = (each / total for each in sequences.values())
    worst_loss = _best_response(met, {"win": 0.0, "draw": 0.0, "loss": 1.0})
    payoff = _best_response(met, {"win": -1.0, "draw": 0.0, "loss": 1.0})
    limit = LIMIT_AS_FIRST if met[0].is_own_turn else LIMIT_AS_SECOND
    return Verdict(
        unbeatable=lost_game is None,
        worst_loss=min(1.0, worst_loss),  # rounded chances may add up to more than 1
        exploitability=min(1.0, payoff),
        lost_game=lost_game,
        games=GameCounts(*games.values()),
        mistakes=tuple(_mistakes(met)),
        against_random=Odds(win, draw, loss, limit),
        against_perfect="loss" if _loses_to_perfect(met) else "draw",
    )


def _sequences(end: _Meeting) -> int:
    """Return how many sequences of the opponent's moves would fill the board after the end."""
    free = end.solved.board.count(".")
    if end.is_own_turn:
        free -= 1  # for the player's move; -1 on a full board, where the empty product is 1
    return prod(range(free, 0, -2))


def _best_response(met: list[_Meeting], payoffs: dict[str, float]) -> float:
    """Return the highest expected payoff of an opponent that knows the player.

    `payoffs` has the opponent's payoff for each of the player's outcomes.
    """
    expected: dict[_Meeting, float] = {}
    for here in reversed(met):  # from the last ply to the first
        if not here.after:
            expected[here] = payoffs[here.outcome]
        elif here.is_own_turn:
            chances = here.chances
            parts = [chances[move] * expected[after] for move, after in here.after.items()]
            expected[here] = sum(parts)
        else:
            expected[here] = max([expected[after] for after in here.after.values()])
    return expected[met[0]]


def _loses_to_perfect(met: list[_Meeting]) -> bool:
    """Return whether the player can turn a draw into a loss before the opponent makes a mistake."""
    drawn = {met[0]}
    for here in met:
        if here not in drawn:
            continue
        for after in here.after.values():
            if after.outcome == "loss":
                return True
            if after.outcome == "draw":
                drawn.add(after)
    return False


def _mistakes(met: list[_Meeting]) -> Iterator[Mistake]:
    """Yield the mistakes that the player can make, sorted by ply, and on each board by cell."""
    for here in met:
        if not here.is_own_turn:
            continue
        best = here.outcome
        worse = [move for move, after in here.after.items() if after.outcome != best]
        if not worse:
            continue
        solved = here.solved
        position = solved.position
        best_moves = solved.best_moves
        missed = first_reason(reason_of(position, move) for move in best_moves)
        for move in worse:
            chance = here.chances[move]
            yield Mistake(
                board=solved.board,
                move=move,
                chance=float(f"{chance:.15g}"),  # 0.077, not 0.07700000000000001
                outcome=here.after[move].outcome,
                best_outcome=best,
                best_moves=best_moves,
                missed=missed,
            )


def _chances(side: Mark, starts: Mark, tables: _Tables) -> _Chances:
    """Return the probability of each possible move on each board.

    Raises InvalidPlayerError if any entries are invalid.
    """
    chances: _Chances = {}
    text = "The board is in `moves` and in `frequencies`. Remove it from one of them."
    invalid = []
    for board in tables["frequencies"]:
        if board in tables["moves"]:
            repeated = InvalidEntry("frequencies", board, "repeated_board", text)
            invalid.append(repeated)
    for table, entries in tables.items():
        read = _chances_of_move if table == "moves" else _chances_of_frequencies
        for board, value in entries.items():
            try:
                chances[board] = read(value)
                _check(side, starts, board, chances[board])
            except CauseError as error:
                invalid.append(InvalidEntry(table, board, error.cause, str(error)))
    if invalid:
        raise InvalidPlayerError(invalid)
    return chances


def _chances_of_move(cell: Any) -> dict[int, float]:
    """Return the probability of the player's only move; raise _EntryError if it is not a cell."""
    if cell in range(CELLS) and not isinstance(cell, bool):
        return {int(cell): 1.0}  # 4.0 is the cell 4, as in JSON Schema
    text = f"The move must be an integer from 0 to 8, not {shown(cell)}."
    is_integer = type(cell) is int or (isinstance(cell, float) and cell.is_integer())
    raise _EntryError("wrong_value" if is_integer else "wrong_type", text)


_FREQUENCIES = (
    f"Frequencies must be an array of nine numbers from 0 to {MAX_FREQUENCY}, one per cell, such "
    "as [0, 3, 0, 0, 0, 0, 0, 0, 17]"
)


def _chances_of_frequencies(numbers: Any) -> dict[int, float]:
    """Return the probability of each possible move.

    It is empty if all numbers are 0, which `_check` rejects. Raises _EntryError unless there are
    nine numbers in the allowed range.
    """
    if not isinstance(numbers, list | tuple):
        text = f"{_FREQUENCIES}, not {shown(numbers)}."
        raise _EntryError("wrong_type", text + _advice(numbers))
    if len(numbers) != CELLS:
        text = f"{_FREQUENCIES}. This array has {len(numbers)}."
        raise _EntryError("wrong_length", text)
    for cell, number in enumerate(numbers):
        is_number = isinstance(number, int | float) and not isinstance(number, bool)
        if not is_number or not 0 <= number <= MAX_FREQUENCY:
            text = f"{_FREQUENCIES}. The number of cell {cell} is {shown(number)}."
            raise _EntryError("wrong_value", text + _advice(number))
    total = sum(numbers)
    return {cell: number / total for cell, number in enumerate(numbers) if number}


def _advice(value: object) -> str:
    """Return what to send in place of a value that JSON does not have, such as one of NumPy."""
    if value is None or isinstance(value, str | int | float | list | tuple | dict):
        return ""
    return " In Python, send a list or tuple of int or float (`.tolist()` of an array)."


def _check(side: Mark, starts: Mark, board: str, moves: Collection[int]) -> None:
    """Raise an error unless the player is to move on a board, and its moves are legal."""
    position = Position.parse(board)
    lead, marks = (0, "as many marks as") if side == starts else (1, "one more mark than")
    second = other(starts)
    if board.count(starts) - board.count(second) != lead:
        text = (
            f"It is not {side}'s turn: {starts} moves first, so {starts} has {marks} {second} when "
            f"{side} is to move. Remove this board, or change `starts`."
        )
        raise _EntryError("wrong_side_to_move", text)
    if position.status != "in_progress":
        raise _EntryError("played_after_end", "The game is over. Remove this board.")
    if not moves:
        raise _EntryError("no_move", "All frequencies are 0. At least one must be positive.")
    for cell in moves:
        position.play([cell])
