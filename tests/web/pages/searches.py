"""Searches of the search page, and the numbers that it must say of them: the textbook's."""

import re
from collections.abc import Sequence
from functools import cache
from math import inf
from random import Random
from typing import Any, Final, NamedTuple

from best_move.engine.search_tree import DEFAULT_NODES, plies_within
from tests.truth import referee
from tests.truth.textbook import Event, Order, Path, Search

#  A number of a sentence, also with a hyphen or decimals, which the page never writes.
NUMBER: Final = re.compile(r"[+\u2212-]?\d+(?:[.,]\d+)*")
ORDERS: Final[tuple[Order, ...]] = ("cells", "best_first", "worst_first")


class Case(NamedTuple):
    """A search of the page."""

    board: str
    to_move: str
    scoring: str = "distance"
    order: Order = "cells"
    depth: int = 9
    algorithm: str = "alphabeta"
    levels: int | None = None  # plies that are drawn, if these are more than at first

    @property
    def query(self) -> dict[str, Any]:
        """The parameters of a request."""
        starts = referee.starter(self.board, self.to_move)
        names = {"board": self.board, "starts": starts, "scoring": self.scoring}
        return names | {"order": self.order, "max_depth": self.depth}

    @property
    def options(self) -> dict[str, Any]:
        """The options of a textbook search."""
        return {"counts_plies": self.scoring == "distance", "depth": self.depth}

    @property
    def search(self) -> Search:
        """A textbook search, with its events at the nodes that the page draws."""
        return searched(self)

    @property
    def truth(self) -> Search:
        """The same search by minimax."""
        return searched(self._replace(algorithm="minimax"))

    @property
    def is_limited(self) -> bool:
        """Whether the depth limit ends lines before the game does."""
        return self.depth < self.board.count(".")

    def at(self, path: Path) -> str:
        """Return the board at a node."""
        return self.truth.boards[path]

    def path_of(self, label: str) -> Path:
        """Return the path of a node from the moves that lead to it, such as `X 5, O 7`."""
        return tuple(int(move[-1]) for move in label.split(", ")) if label != "the root" else ()

    def mover(self, path: Path) -> str:
        """Return the side to move at a node."""
        return referee.opponent(self.to_move) if len(path) % 2 else self.to_move

    def shown(self, score: float | None) -> str:
        """Return a score as the page writes it: a win is 1 if no score has other digits."""
        if score is None:
            return "none"
        if abs(score) == inf:
            return "+\u221e" if score > 0 else "\u2212\u221e"
        unit = 100 if self.scoring == "outcome" and not self.is_limited else 1
        return f"{score / unit:+g}".replace("-", "\u2212") if score else "0"

    def window(self, event: Event) -> str:
        """Return alpha and beta as the page writes them."""
        return f"\u03b1 {self.shown(event.alpha)}\u2003\u03b2 {self.shown(event.beta)}"

    def lines(self, event: Event | None) -> list[str]:
        """Return the lines on a node after an event."""
        if event is None:
            return []
        if self.search.sizes[event.path] == 1:
            is_over = referee.is_over(self.at(event.path))
            return ["End of the game" if is_over else "Depth limit"]
        return [
            f"{event.side} ({self.mover(event.path)}) is to move",
            *([self.window(event)] if self.search.prunes else []),
            f"best so far {self.shown(event.best)}",
        ]


@cache
def searched(case: Case) -> Search:
    """Return a textbook search, which is made once."""
    return Search(
        case.board,
        case.to_move,
        prunes=case.algorithm == "alphabeta",
        order=case.order,
        levels=case.levels or plies_within(DEFAULT_NODES, case.board.count(".")),
        **case.options,
    )


OPEN: Final = sorted(
    (board, mark) for board, mark in referee.reachable() if not referee.is_over(board)
)


def any_case(dice: Random, empty: Sequence[int]) -> Case:
    """Return any search of an unfinished position with such a number of empty cells."""
    board, to_move = dice.choice([each for each in OPEN if each[0].count(".") in empty])
    scoring = dice.choice(["outcome", "distance"])
    order = dice.choice(ORDERS)
    algorithm = dice.choice(["minimax", "alphabeta"])
    return Case(board, to_move, scoring, order, dice.choice([9, 9, 3, 2, 1]), algorithm)


def is_true(bound: str, exact: float, given: float) -> bool:
    """Return whether a score may be given as a bound, or without one."""
    return {"at_least": exact >= given, "at_most": exact <= given, "": exact == given}[bound]


def check_step(case: Case, step: int, sentence: str) -> None:
    """Assert that the sentence about a step has its moves, scores and counts of nodes."""
    search = case.search
    event = search.events[step]
    score, size = case.shown(search.scores[event.path]), search.sizes[event.path]
    first: list[object] = []
    match event.kind:
        case "enter":
            first = [*event.path[-1:]]
        case "leaf":
            first = [f"{size - 1:,}", score] if size > 1 else [score]
            assert ("1 node " in sentence) == (size == 2), sentence
        case "back":
            child = search.events[step - 1].path
            first = [child[-1], case.shown(search.scores[child])]
        case "cut":
            first = [case.shown(event.alpha), case.shown(event.beta)]
        case "end":
            first = [search.best_move, score]
    check_numbers(case, sentence, first, event)


def check_summary(case: Case, path: Path, sentence: str) -> None:
    """Assert that a sentence about a node has its visit number, its size and its score."""
    search = case.search
    if path not in search.visits:
        assert not NUMBER.findall(sentence)
        return
    size = search.sizes[path]
    visits = [search.visits[path], size] if size > 1 else [search.visits[path]]
    first = [*(f"{each:,}" for each in visits), case.shown(search.scores[path])]
    check_numbers(case, sentence, first, search.last.get(path, Event("", path, "", 0, 0, 0)))


def check_numbers(case: Case, sentence: str, first: Sequence[object], event: Event) -> None:
    """Assert that a sentence begins with these numbers, and ends with the moves that are pruned.

    Between them are only numbers of the event.
    """
    pruned = case.search.pruned[event.path] if event.kind == "cut" else []
    found = NUMBER.findall(sentence)
    end = len(found) - len(pruned)
    assert found[: len(first)] == [*map(str, first)], sentence
    assert found[end:] == [*map(str, pruned)], sentence
    own = {case.shown(each) for each in (event.alpha, event.beta, event.best)}
    assert {*found[len(first) : end]} <= own, sentence
