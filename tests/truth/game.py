"""A game as the URL of the playground describes it, and what the referee knows about the game."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import parse_qsl

from tests.truth import referee
from tests.truth.referee import Grade, opponent

EMPTY = "." * 9


@dataclass(frozen=True)
class Game:
    """A game; `starts` is empty while a board is set up whose starting side is not chosen.

    `first` is the side that starts each new game.
    """

    start: str = EMPTY
    starts: str = "X"
    played: tuple[int, ...] = ()
    at: int = 0
    you: str = "X"
    first: str = "X"
    view: str = "play"
    has_hints: bool = False
    is_set_up: bool = False
    options: tuple[tuple[str, str], ...] = ()

    @property
    def starter(self) -> str:
        """The side that started, by default X unless O has more marks, or as many and X has won."""
        x, o = self.start.count("X"), self.start.count("O")
        inferred = "O" if o > x or (x == o and referee.has_won(self.start, "X")) else "X"
        return self.starts or inferred

    def mover(self, index: int) -> str:
        """Return the side that makes a move."""
        marks = len(self.start) - self.start.count(".") + index
        return opponent(self.starter) if marks % 2 else self.starter

    def board_at(self, count: int) -> str:
        """Return the board after so many moves."""
        board = self.start
        for index, cell in enumerate(self.played[:count]):
            board = referee.play(board, self.mover(index), cell)
        return board

    @property
    def board(self) -> str:
        """The board shown."""
        return self.board_at(self.at)

    @property
    def side(self) -> str:
        """The side to move."""
        return self.mover(self.at)

    @property
    def is_legal(self) -> bool:
        """Whether the first board can occur in a game."""
        return (self.start, self.mover(0)) in referee.reachable()

    @property
    def looks_back(self) -> bool:
        """Whether later moves are not shown."""
        return self.at < len(self.played)

    @property
    def is_over(self) -> bool:
        """Whether the board shown is finished."""
        return referee.is_over(self.board)

    @property
    def is_running(self) -> bool:
        """Whether moves are possible on the board shown."""
        return self.is_legal and not self.is_set_up and not self.is_over

    @property
    def winner(self) -> str:
        """The side that has won on the board shown; empty if none has."""
        return winner_of(self.board)

    def plays(self, side: str) -> bool:
        """Return whether the user plays a side."""
        return self.you in (side, "both")

    @property
    def last_own(self) -> int | None:
        """The index of the user's last move, of any move for a spectator; None without one."""
        own = (
            index
            for index in reversed(range(self.at))
            if self.you == "nobody" or self.plays(self.mover(index))
        )
        return next(own, None)


def winner_of(board: str) -> str:
    """Return the side that has won on a board; empty if none has."""
    return next((mark for mark in "XO" if referee.has_won(board, mark)), "")


def parse(address: str) -> Game:
    """Read a query that the page has written."""
    query = dict(parse_qsl(address.removeprefix("?"), strict_parsing=bool(address)))
    played = tuple(map(int, query.pop("played").split(","))) if "played" in query else ()
    first = query.pop("first", "X")
    is_set_up = query.pop("set_up", "") == "true"
    return Game(
        start=query.pop("board", EMPTY),
        starts=query.pop("starts", "" if is_set_up else first),
        played=played,
        at=int(query.pop("at", len(played))),
        you=query.pop("you", "X"),
        first=first,
        view=query.pop("view", "play"),
        has_hints=query.pop("analysis", "") == "true",
        is_set_up=is_set_up,
        options=tuple(sorted(query.items())),
    )


def grades(board: str, side: str) -> Mapping[int, Grade]:
    """Return the grades of all moves of a side."""
    return referee.grade_of_moves(board, side, board.count("."), counts_plies=True)


def play_on(board: str, side: str, line: Sequence[int]) -> str:
    """Return the last board of a line; assert that its moves are best and end the game."""
    for cell in line:
        assert cell in referee.best_moves(board, side), (board, side, line)
        board = referee.play(board, side, cell)
        side = opponent(side)
    assert referee.is_over(board), (board, line)
    return board


@dataclass(frozen=True)
class Mistake:
    """A move whose outcome is worse than that of another: 1 a win, 0 a draw, -1 a loss."""

    index: int
    mover: str
    cell: int
    outcome: int
    best: int
    better: tuple[int, ...]


def mistakes(game: Game) -> list[Mistake]:
    """Return all mistakes of a game; the last one decided it."""
    found = []
    for index, cell in enumerate(game.played):
        mover = game.mover(index)
        moves = grades(game.board_at(index), mover)
        outcomes = {move: outcome for move, (outcome, _) in moves.items()}
        best = max(outcomes.values())
        if outcomes[cell] < best:
            better = tuple(move for move, outcome in outcomes.items() if outcome == best)
            found.append(Mistake(index, mover, cell, outcomes[cell], best, better))
    return found
