"""The review of a player over every game that opponents can lead it into: its results, mistakes and odds.

A player makes the same move whenever it meets the same board. X moves first.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from best_move.engine.position import CELLS, Mark, Position
from best_move.engine.reason import Reason, first_reason, reason
from best_move.engine.retrograde import Entry, entry_of
from best_move.engine.score import Outcome, outcome, value

#  The number of possible sequences of the opponent's moves until the board is full, by the player's side.
SEQUENCES: Final[dict[Mark, int]] = {"X": 8 * 6 * 4 * 2, "O": 9 * 7 * 5 * 3}
#  The highest probability of a win against random moves for a player that never risks a loss, by the player's side.
LIMITS: Final[dict[Mark, float]] = {"X": 191 / 192, "O": 866 / 945}


@dataclass(frozen=True)
class GameCounts:
    """The number of distinct games by their result for the player."""

    won: int
    drawn: int
    lost: int


@dataclass(frozen=True)
class Mistake:
    """A move whose outcome is worse than that of the best move; both outcomes are from the player's point of view.

    `best_moves` are the moves that win soonest or, if none wins, draw; they are sorted by cell. `missed` is the first
    of Newell and Simon's rules that one of the best moves follows.
    """

    board: str
    move: int
    outcome: Outcome
    best_outcome: Outcome
    best_moves: tuple[int, ...]
    missed: Reason


@dataclass(frozen=True)
class Odds:
    """The probability of each result against random moves; `limit` is the side's probability in LIMITS."""

    win: float
    draw: float
    loss: float
    limit: float


@dataclass(frozen=True)
class Verdict:
    """The result of a complete review.

    `lost_game` is the moves of a shortest game that the player loses; it is None if the player loses no game.
    `against_perfect` is the player's worst outcome against opponents that make no mistakes.
    """

    unbeatable: bool
    lost_game: tuple[int, ...] | None
    games: GameCounts
    mistakes: tuple[Mistake, ...]
    against_random: Odds
    against_perfect: Outcome


@dataclass(frozen=True)
class PlayerReview:
    """The review of a player; until it is complete, `review` is None, and `boards` are those that need a move."""

    complete: bool
    boards: tuple[str, ...]
    review: Verdict | None


class _Paths(NamedTuple):
    """The games that lead to a position: their number, and the first of them."""

    games: int
    first: tuple[int, ...]
    perfect: bool  # whether at least one of them has no mistake by the opponent


class _End(NamedTuple):
    """A final position: the player's result, and the games that lead to the position."""

    result: Outcome
    paths: _Paths
    sequences: int  # the number of SEQUENCES that begin with the opponent's moves in one such game


def review_player(side: Mark, moves: Mapping[str, int]) -> PlayerReview:
    """Return the review of the player of a side, given its move on each board.

    A board is nine characters, row by row: `X`, `O` or `.`. Boards that the player cannot meet are ignored. Boards that
    it can meet, but that have no move in `moves`, are returned, sorted by ply, then by text. Raises IllegalMoveError
    for an illegal move.
    """
    missing: list[str] = []
    mistakes: list[Mistake] = []
    ends: list[_End] = []
    sequences = SEQUENCES[side]
    reached = {entry_of(Position(0, 0, "X")): _Paths(1, (), perfect=True)}
    for ply in range(CELLS + 1):
        if ply > 0 and (ply % 2 == 0) == (side == "X"):  # the opponent has made the last move
            sequences //= CELLS + 1 - ply
        following: dict[Entry, _Paths] = {}
        boards: list[str] = []
        for entry, paths in reached.items():
            choices = tuple(entry.after)
            is_own = entry.position.to_move == side
            if not choices:
                result = outcome(entry.score if is_own else -entry.score, exact=True)
                ends.append(_End(result, paths, sequences))
            elif is_own and entry.board not in moves:
                boards.append(entry.board)
                continue
            elif is_own:
                choices = (moves[entry.board],)
                entry.position.play(choices)
            for move in choices:
                after = entry.after[move]
                is_mistake = value(-after.score) < value(entry.score)
                if is_mistake and is_own:
                    mistakes.append(_mistake(entry, move))
                known = following.get(after, _Paths(0, (*paths.first, move), perfect=False))
                perfect = known.perfect or (paths.perfect and (is_own or not is_mistake))
                following[after] = _Paths(known.games + paths.games, known.first, perfect)
        missing += sorted(boards)
        reached = following
    if missing:
        return PlayerReview(complete=False, boards=tuple(missing), review=None)
    return PlayerReview(complete=True, boards=(), review=_verdict(side, mistakes, ends))


def _mistake(entry: Entry, move: int) -> Mistake:
    own, opponent = entry.position.own, entry.position.opponent
    best_moves = tuple(move for move, after in entry.after.items() if -after.score == entry.score)
    return Mistake(
        board=entry.board,
        move=move,
        outcome=outcome(-entry.after[move].score, exact=True),
        best_outcome=outcome(entry.score, exact=True),
        best_moves=best_moves,
        missed=first_reason(reason(own, opponent, best) for best in best_moves),
    )


def _verdict(side: Mark, mistakes: list[Mistake], ends: list[_End]) -> Verdict:
    games = {"win": 0, "draw": 0, "loss": 0}
    sequences = dict(games)
    for end in ends:
        games[end.result] += end.paths.games
        sequences[end.result] += end.paths.games * end.sequences
    odds = {result: count / SEQUENCES[side] for result, count in sequences.items()}
    lost = [end.paths for end in ends if end.result == "loss"]
    return Verdict(
        unbeatable=not lost,
        lost_game=lost[0].first if lost else None,
        games=GameCounts(won=games["win"], drawn=games["draw"], lost=games["loss"]),
        mistakes=tuple(mistakes),
        against_random=Odds(**odds, limit=LIMITS[side]),
        against_perfect="loss" if any(paths.perfect for paths in lost) else "draw",
    )
