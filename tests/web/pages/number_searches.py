"""Searches of trees of numbers, and the judge of the page's sentences on their steps and nodes."""

import json
import re
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf
from typing import Final

from tests.truth.textbook import Event, Numbers, NumberSearch, Path
from tests.web.pages.searches import is_true

WORDS: Final = {"at_least": " or more", "at_most": " or less", "": ""}
LETTERS: Final = re.compile(r"\b[A-Z]{1,2}\b")


def letters(number: int) -> str:
    """Return the name of a node by its number from 0, level by level: A to Z, then AA, AB, ...."""
    name = ""
    while number >= 0:
        number, last = divmod(number, 26)
        name = chr(ord("A") + last) + name
        number -= 1
    return name


def printed(number: float | None) -> str:
    """Return a number as the page writes it."""
    if number is None:
        return "none"
    if abs(number) == inf:
        return "+\u221e" if number > 0 else "\u2212\u221e"
    return f"{number:g}".replace("-", "\u2212")


@dataclass(frozen=True)
class NumberCase:
    """A search of a tree of numbers, as the page shows it."""

    numbers: str  # the tree as JSON
    root: str
    cut: str
    order: str
    algorithm: str
    window: tuple[float, float] = (-inf, inf)

    @cached_property
    def search(self) -> NumberSearch:
        """The textbook's search."""
        numbers: list[Numbers] = json.loads(self.numbers)
        prunes = self.algorithm == "alphabeta"
        alpha, beta = self.window
        return NumberSearch(
            numbers,
            prunes=prunes,
            root=self.root,
            cut=self.cut,
            order=self.order,
            alpha=alpha,
            beta=beta,
        )

    @cached_property
    def truth(self) -> NumberSearch:
        """The same search by minimax."""
        return replace(self, algorithm="minimax", window=(-inf, inf)).search

    @cached_property
    def names(self) -> dict[Path, str]:
        """The letter of each node."""
        return {path: letters(number) for number, path in enumerate(self.search.paths)}

    def path_of(self, label: str) -> Path:
        """Return the path of a node from its letter."""
        return next(path for path, name in self.names.items() if name == label)

    def shown(self, score: float) -> str:
        """Return a score as the page writes it."""
        return printed(score)

    def listed(self, paths: list[Path]) -> list[str]:
        """Return the letters of some nodes."""
        return [self.names[path] for path in paths]


def sign_of(case: NumberCase) -> str:
    """Return the sign between alpha and beta in the rule for cutoffs."""
    return ">" if case.cut == "above" else "\u2265"


def facts(case: NumberCase, event: Event) -> list[str]:
    """Return the lines on a node after an event."""
    name = case.names[event.path]
    if case.search.leaf(event.path) is not None:
        return [f"{name} is a leaf"]
    window = f"\u03b1 {printed(event.alpha)}\u2003\u03b2 {printed(event.beta)}"
    return [
        f"{name} is a {event.side} node",
        *([window] if case.search.prunes else []),
        f"best so far {printed(event.best)}",
    ]


def check_step(case: NumberCase, step: int, sentence: str) -> None:
    """Assert that the sentence about a step has its letters, its numbers and its side."""
    search = case.search
    event = search.events[step]
    name = case.names[event.path]
    match event.kind:
        case "enter":
            check_words(sentence, [name], [])
            assert ("leaf" in sentence) == (search.leaf(event.path) is not None)
            assert event.side in sentence or "leaf" in sentence
        case "leaf":
            check_words(sentence, [name], [event.best])
        case "back":
            child = search.events[step - 1].path
            score = search.scores[child]
            before = earlier(search, event.path, child)
            is_better = before is None or (
                score > before if event.side == "MAX" else score < before
            )
            check_words(
                sentence, [case.names[child], name], [score, *([] if is_better else [before])]
            )
            assert ("so far" in sentence) == is_better
            check_bound(case, child, sentence)
        case "cut":
            check_cutoff(case, event, sentence)
        case "end":
            best = case.names[(search.best_move,)]
            check_words(sentence, [best], [search.scores[()]])
            assert event.side in sentence


def earlier(search: NumberSearch, path: Path, child: Path) -> int | None:
    """Return the best score of the children before one; None if it is the first."""
    before = search.children[path][: search.children[path].index(child)]
    scores = [search.scores[each] for each in before]
    if not scores:
        return None
    return max(scores) if search.is_max(path) else min(scores)


def check_cutoff(case: NumberCase, event: Event, sentence: str) -> None:
    """Assert that a sentence on a cutoff has the window, both scores and the pruned branches."""
    search = case.search
    here = search.scores[event.path]
    elsewhere = event.beta if event.side == "MAX" else event.alpha
    pruned = [(*event.path, move) for move in search.pruned[event.path]]
    check_words(sentence, case.listed(pruned), [event.alpha, event.beta, elsewhere, here])
    assert f"\u03b1 {printed(event.alpha)} {sign_of(case)} \u03b2 {printed(event.beta)}" in sentence
    assert ("Equal is enough" in sentence) == (event.alpha == event.beta)
    assert (
        f"{event.side} gets {printed(here)} or {'more' if event.side == 'MAX' else 'less'}"
        in sentence
    )


def check_summary(case: NumberCase, path: Path, sentence: str) -> None:
    """Assert that a sentence about a node has its visit number, its size and its score."""
    search = case.search
    name = case.names[path]
    if path not in search.visits:
        check_words(sentence, [name], [])
        return
    size = search.sizes[path]
    counts = [search.visits[path], *([size] if size > 1 else [])]
    result, _, cutoff = sentence.partition(" Cutoff: ")
    check_words(result, [name], [*counts, search.scores[path]])
    check_bound(case, path, result)
    assert bool(cutoff) == (path in search.pruned)
    if cutoff:
        check_cutoff(case, search.last[path], cutoff)


def check_bound(case: NumberCase, path: Path, sentence: str) -> None:
    """Assert that a sentence gives the score of a node only as the bound that it is."""
    given = next((word for word, words in WORDS.items() if words and words in sentence), "")
    assert is_true(given, case.truth.scores[path], case.search.scores[path])
    assert given or path not in case.search.pruned


def check_words(sentence: str, names: list[str], scores: list[float | None]) -> None:
    """Assert that a sentence has these letters of nodes and these numbers, in their order."""
    assert LETTERS.findall(sentence) == names, sentence
    found = re.findall(r"[+\u2212]\u221e|[\u2212-]?\d+", sentence)
    assert found == [printed(score) for score in scores], sentence
