"""Exercises of the search page, the answers of students, and the grades that these must get.

The grades follow from two searches of the textbook: one that makes no mistakes, and one that makes
the student's, and is right in all that follows from them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from random import Random
from typing import Final, NamedTuple, Protocol

from tests.truth.textbook import Mistakes, Path, Textbook

#  A part of the answers: the path of a node, and `window`, `branches` or `value`.
Decision = tuple[Path, str]
Window = tuple[float, float]
SIGNS: Final = {True: "\u2265", False: "\u2264"}  # of the score of a node that is cut, by is_max
LIMITS: Final = {-inf: "-inf", inf: "inf"}


class Case(Protocol):
    """A search of the page."""

    def shown(self, score: float) -> str:
        """Return a score as the page writes it."""

    def path_of(self, label: str) -> Path:
        """Return the path of the node that the label of a field names."""


class Exam(NamedTuple):
    """An exercise on a search of the page."""

    query: Mapping[str, str]
    case: Case
    search: Textbook
    full: Textbook  # by minimax, which visits all nodes
    top: Path  # the node at the top of the branch that it asks about
    repeat: Callable[[Mistakes], Textbook]  # the same search with mistakes

    @property
    def asks_windows(self) -> bool:
        """Whether alpha and beta are asked, too."""
        return "windows" in self.query and self.search.prunes

    def asks_window(self, path: Path) -> bool:
        """Return whether alpha and beta of a node are asked; those at the top may be given."""
        is_given = path == self.top and entry(self.search, path) != (-inf, inf)
        return self.asks_windows and not is_given

    @property
    def inner(self) -> list[Path]:
        """The nodes of the branch that have moves, in the order of minimax."""
        below = [path for path in self.full.visits if path[: len(self.top)] == self.top]
        return [path for path in below if self.full.children[path]]

    @property
    def decisions(self) -> list[Decision]:
        """The parts of the right answers, node by node."""
        found: list[Decision] = []
        for path in self.inner:
            if path in self.search.visits:
                found += [(path, "window")] if self.asks_window(path) else []
                is_cuttable = self.search.prunes and len(self.full.children[path]) > 1
                found += [(path, "branches")] if is_cuttable else []
                found.append((path, "value"))
        return found

    def step(self, path: Path, *kinds: str) -> int:
        """Return the last step of some kinds at a node."""
        events = enumerate(self.search.events)
        return [step for step, each in events if each.path == path and each.kind in kinds][-1]


def entry(search: Textbook, path: Path) -> Window:
    """Return the window with which a search enters a node."""
    found = next(each for each in search.events if each.path == path)
    return found.alpha, found.beta


def clamp(score: float, window: Window) -> float:
    """Return a score as a fail-hard search returns it."""
    return min(max(score, window[0]), window[1])


class Answer(NamedTuple):
    """A text for a score or a window, and what it says."""

    text: str
    means: float | Window | None = None
    sign: str = ""


@dataclass
class Student:
    """A student who makes some mistakes, and writes scores in one of several forms."""

    exam: Exam
    mistakes: Mistakes
    dice: Random
    odd: Mapping[Decision, Answer] = field(
        default_factory=dict
    )  # answers from which nothing follows

    @cached_property
    def own(self) -> Textbook:
        """The search as the student makes it."""
        return self.exam.repeat(self.mistakes)

    @cached_property
    def typed(self) -> dict[Decision, Answer]:
        """The windows and the scores of the nodes that the student visits."""
        found: dict[Decision, Answer] = {}
        for path in self.exam.inner:
            if path in self.own.visits:
                found[path, "window"] = self.window(*entry(self.own, path))
                found[path, "value"] = self._score(path)
        return {**found, **{each: self.odd[each] for each in self.odd if each in found}}

    def window(self, *window: float) -> Answer:
        """Return a window as an answer; a field that is left blank says that there is no limit."""
        limits = [
            self.dice.choice(["", LIMITS[each]]) if each in LIMITS else self.exam.case.shown(each)
            for each in window
        ]
        return Answer(" ".join(limits), (window[0], window[1]))

    def score(self, score: float, sign: str = "") -> Answer:
        """Return a score as an answer, in one of its forms."""
        text = self.exam.case.shown(score)
        forms = [text, text.replace("\u2212", "-"), text.replace("+", ""), f" {text} "]
        return Answer(f"{sign}{self.dice.choice(forms)}", score, sign)

    def _score(self, path: Path) -> Answer:
        score = self.own.scores[path]
        if path not in self.own.pruned or ("value", path) in self.own.made:
            return self.score(score)
        hard = clamp(score, entry(self.own, path))
        sign = self.dice.choice(["", SIGNS[self.own.is_max(path)]])
        return self.score(self.dice.choice([score, hard]), sign)

    @property
    def answers(self) -> str:
        """The answers as the page's URL has them."""
        entries = []
        for (path, part), (text, *_) in self.typed.items():
            if part == "value":
                entries += [(path, f"v{text}")] if text else []
            elif self.exam.asks_window(path):
                entries += [
                    (path, name + limit)
                    for name, limit in zip("ab", text.split(" "), strict=True)
                    if limit
                ]
        for path in self.exam.inner:
            entries += [((*path, move), "x") for move in self.own.pruned.get(path, [])]
        return "_".join(f"{'.'.join(map(str, path))}{text}" for path, text in entries)

    def is_blank(self, path: Path, part: str) -> bool:
        """Return whether the student types or cuts nothing at a decision."""
        if part == "branches":
            return path not in self.own.pruned
        return not self.typed.get((path, part), Answer("")).text.strip()

    def counts(self, path: Path, part: str) -> bool:
        """Return whether there is something to say at a decision, or the student says something.

        There is not where the search prunes nothing, or where no limits are known.
        """
        truth = self.exam.search
        if part == "branches" and path not in truth.pruned:
            return not self.is_blank(path, part)
        if part == "window" and entry(truth, path) == (-inf, inf):
            return not self.is_blank(path, part)
        return True

    @cached_property
    def grades(self) -> dict[Decision, set[str]]:
        """The verdicts that each decision may get; more than one where courses differ."""
        return {decision: self._grade(*decision) for decision in self.exam.decisions}

    def _grade(self, path: Path, part: str) -> set[str]:
        truth, own = self.exam.search, self.own
        if path not in own.visits:
            return {"follows"}
        is_mistake = (part, path) in own.made or (path, part) in self.odd
        otherwise = "wrong" if is_mistake else "follows"
        if part == "branches":
            is_right = own.pruned.get(path) == truth.pruned.get(path)
        elif part == "window":
            last = truth.last[path]
            windows = (entry(truth, path), (last.alpha, last.beta))
            is_right = self.typed[path, part].means in windows
        else:
            is_right, is_sure = self._is_score(path, self.typed[path, part])
            if not is_sure:
                return {"right", otherwise}
            instead = own.made.get(("value", path)) if own.prunes else None
            if instead is not None and self.typed[path, part].means == clamp(
                instead, entry(own, path)
            ):
                otherwise = "follows"  # it is the score of a fail-hard search
        return {"right" if is_right else otherwise}

    def _is_score(self, path: Path, answer: Answer) -> tuple[bool, bool]:
        """Return whether a score is right, and whether all courses agree on that."""
        truth = self.exam.search
        score = truth.scores[path]
        hard = clamp(score, entry(truth, path))
        if path in truth.pruned:
            return answer.means in (score, hard) and answer.sign in (
                "",
                SIGNS[truth.is_max(path)],
            ), True
        #  A score that no cutoff bounds can be a bound of scores below it.
        is_right = answer.means == score and not answer.sign
        return is_right, is_right or not truth.prunes or answer.means not in (score, hard)
