"""Searches of the search page, and what it must say of them: the textbook's numbers."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import product
from math import inf
from typing import Any, Final, NamedTuple

from flask.testing import FlaskClient

from best_move.engine.search_tree import DEFAULT_NODES, levels_within
from tests.truth import referee
from tests.truth.textbook import Event, Order, Search
from tests.web.pages.page import running

ORDERS: Final[tuple[Order, ...]] = ("cells", "best_first", "worst_first")

#  A number of a sentence, also with a hyphen or decimals, which the page never writes.
NUMBER: Final = re.compile(r"[+\u2212-]?\d+(?:[.,]\d+)*")
LOWEST_WIN: Final = 91  # with the ninth mark; an estimate is closer to 0

OPEN: Final = sorted(
    (board, mark) for board, mark in referee.reachable() if not referee.is_over(board)
)

Path = tuple[int, ...]


class Case(NamedTuple):
    """A search of the page."""

    position: tuple[str, str]
    scoring: str
    order: Order
    depth: int

    @property
    def board(self) -> str:
        """The board."""
        return self.position[0]

    @property
    def to_move(self) -> str:
        """The side to move."""
        return self.position[1]

    @property
    def query(self) -> dict[str, Any]:
        """The parameters of a request."""
        return {
            "board": self.board,
            "starts": referee.starter(*self.position),
            "scoring": self.scoring,
            "order": self.order,
            "max_depth": self.depth,
        }

    @property
    def options(self) -> dict[str, Any]:
        """The options of a textbook search."""
        return {"counts_plies": self.scoring == "distance", "depth": self.depth}

    @property
    def is_limited(self) -> bool:
        """Whether the depth limit ends lines before the game does."""
        return self.depth < self.board.count(".")

    @property
    def unit(self) -> int:
        """The score that the page writes as 1: a win's if no score is an estimate."""
        return 100 if self.scoring == "outcome" and not self.is_limited else 1

    def search(self, algorithm: str, levels: int = 9) -> Search:
        """Return a textbook search like the page's, with its events down to a ply."""
        return Search(
            *self.position,
            prunes=algorithm == "alphabeta",
            order=self.order,
            levels=levels,
            **self.options,
        )

    def drawn(self, algorithm: str) -> Search:
        """Return a textbook search with its events at the nodes that the page draws at first."""
        return self.search(algorithm, levels_within(DEFAULT_NODES, self.board.count(".")))

    def at(self, path: Path) -> str:
        """Return the board after the moves of a path."""
        return board_at(self.board, self.to_move, path)

    def mover(self, path: Path) -> str:
        """Return the side to move at a node."""
        return referee.opponent(self.to_move) if len(path) % 2 else self.to_move

    def shown(self, score: float | None) -> str:
        """Return a score as the page writes it."""
        return shown(score, self.unit)


#  Every mode of a search: its scoring, its order and its depth limit.
MODES: Final = [*product(("outcome", "distance"), ORDERS, (9, 3, 2, 1))]


def shown(score: float | None, unit: int) -> str:
    """Return a score as the page writes it."""
    if score is None:
        return "none"
    if abs(score) == inf:
        return "+\u221e" if score > 0 else "\u2212\u221e"
    amount = score / unit
    return f"{amount:+g}".replace("-", "\u2212") if amount else "0"


@cache
def searched(case: Case, algorithm: str) -> Search:
    """Return a textbook search, as `Case.drawn`, which is made once."""
    return case.drawn(algorithm)


def numbers(event: Event, search: Search, case: Case) -> list[str]:
    """Return the numbers that the page must show at an event."""
    if search.sizes[event.path] == 1:
        board = case.at(event.path)
        return ["End of the game" if referee.is_over(board) else "Depth limit"]
    window = window_of(event.alpha, event.beta, case)
    return [
        f"{event.side} ({case.mover(event.path)}) is to move",
        *([window] if search.prunes else []),
        f"best so far {case.shown(event.best)}",
    ]


def window_of(alpha: float, beta: float, case: Case) -> str:
    """Return alpha and beta as the page writes them."""
    return f"\u03b1 {case.shown(alpha)}\u2003\u03b2 {case.shown(beta)}"


def sentences(search: Search, case: Case) -> Iterator[tuple[list[str], str]]:
    """Yield, for each event, the numbers in the sentence about it, and the score drawn there."""
    best: dict[Path, float | None] = {}
    child: Path = ()
    for event in search.events:
        yield told(event, child, best.get(event.path), search, case)
        best[event.path] = event.best
        child = event.path


def told(
    event: Event, child: Path, before: float | None, search: Search, case: Case
) -> tuple[list[str], str]:
    """Return the numbers in the sentence about an event, and the score drawn there.

    The numbers are moves, scores and counts of nodes, in this order: those of the child, then those
    compared with it.
    """
    path = event.path
    score = case.shown(search.scores[path])
    match event.kind:
        case "enter":
            return [*map(str, path[-1:])], ""
        case "leaf":
            below = search.sizes[path] - 1
            return [*[f"{below:,}"] * bool(below), score], score
        case "back":
            returned = case.shown(search.scores[child])
            said = [str(child[-1]), returned]
            if event.best == before:
                said.append(case.shown(before))
            return said, returned
        case "cut":
            return [*window_at(event, case), *map(str, search.pruned[path])], ""
    return [str(search.best_move), score], score


def window_at(event: Event, case: Case) -> list[str]:
    """Return the numbers of a cutoff: alpha and beta, and those that are estimates again."""
    elsewhere = event.beta if event.side == "MAX" else event.alpha
    reasons = [elsewhere, event.best or 0]
    window = reasons[::-1] if event.side == "MAX" else reasons
    estimates = [each for each in reasons if case.is_limited and abs(each) < LOWEST_WIN]
    return [case.shown(each) for each in window + estimates]


def board_at(board: str, to_move: str, path: Path) -> str:
    """Return the board after the moves of a path."""
    for ply, cell in enumerate(path):
        board = referee.play(board, referee.opponent(to_move) if ply % 2 else to_move, cell)
    return board


def moves_in(path: str) -> Path:
    """Return the moves of a path, which the page writes as cells separated by commas."""
    return tuple(map(int, path.split(","))) if path else ()


def check_summary(sentence: str, path: Path, search: Search, case: Case) -> None:
    """Assert that a sentence has a node's visit number, size and score, and its pruned moves."""
    if path not in search.visits:
        assert sentence == "Alpha-beta never visits this node."
        return
    size = search.sizes[path]
    subtree = f", {size:,} nodes in this subtree" if size > 1 else ""
    start = f"Visit {search.visits[path]:,}{subtree}: score {case.shown(search.scores[path])}"
    assert sentence.startswith(start)
    pruned = [int(cell) for cell in re.findall(r"[XO] (\d)", sentence.partition("Pruned: ")[2])]
    if len(path) < search.levels:
        assert pruned == search.pruned.get(path, [])


def is_true(bound: str, exact: float, given: float) -> bool:
    """Return whether a score may be given with a bound: ` or more`, ` or less` or none."""
    return {" or more": exact >= given, " or less": exact <= given, "": exact == given}[bound]


def trees(client: FlaskClient, query: dict[str, Any]) -> list[Any]:
    """Return the trees of a search by minimax and by alpha-beta."""
    queries = [query | {"algorithm": name} for name in ("minimax", "alphabeta")]
    return [client.get("/search-tree", query_string=each).json for each in queries]


def run(name: str, items: list[Any]) -> list[Any]:
    """Return the page's texts of a kind about each item."""
    with running("search_texts.mjs", name) as scripts:
        scripts.write(items)
        found: list[Any] = scripts.read()
    return found
