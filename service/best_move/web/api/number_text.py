"""Reads a tree of numbers from a text."""

import json
import re
from typing import Final, Literal

from best_move.engine.number_tree import MAX_NUMBER, Numbers
from best_move.engine.position import CauseError
from best_move.engine.random_number_tree import random_tree
from best_move.engine.tree_node import Side
from best_move.quoting import MAX_QUOTED, identified, quoted

TreeCause = Literal[
    "unexpected_text",
    "unclosed_bracket",
    "too_many_leaves",
    "too_many_branches",
    "too_many_plies",
    "wrong_random_tree",
]

MAX_LEAVES: Final = 100
MAX_BRANCHES: Final = 10  # per node
MAX_PLIES: Final = 8
EXAMPLE: Final = "[[3,12,8],[2,4,6],[14,5,2]]"

_RANDOM: Final = ("random", "uneven")
_CLOSING: Final = {"[": "]", "(": ")"}
_WORD: Final = re.compile(r"[][(),]|[^][(),\s]+")
_NUMBER: Final = re.compile("[+-]?0*[0-9]{1,3}")
_ADVICE: Final = f"Send lists of integers, such as `{EXAMPLE}`."


class InvalidTreeError(CauseError[TreeCause]):
    """Raised for a text that is not a tree of numbers, or for a tree that is too large."""


def read_tree(text: str, root: Side) -> list[Numbers]:
    """Return the branches of a tree such as `[[3,12,8],[2,4,6]]` or `((3 12 8) (2 4 6))`.

    Lists are in brackets or in parentheses, and their items are separated by commas or blanks.
    `random(3,2,7)` is a random tree with 3 branches at each node, 2 plies and the seed 7, which has
    a cutoff if the side `root` moves first; `uneven(3,2,7)` is an uneven one. Raises
    InvalidTreeError.
    """
    kind, opening, rest = text.partition("(")
    if opening and kind.strip() in _RANDOM:
        return _random_tree(kind.strip(), _Reader(opening + rest).tree(), root)
    return _Reader(text).tree()


def as_json(tree: list[Numbers]) -> str:
    """Return a tree as JSON without blanks."""
    return json.dumps(tree, separators=(",", ":"))


def _random_tree(kind: str, arguments: list[Numbers], root: Side) -> list[Numbers]:
    match arguments:
        case [int(branches), int(plies), int(seed)] if (
            min(branches, plies) > 1
            and plies <= MAX_PLIES
            and branches**plies <= MAX_LEAVES
            and seed >= 0
        ):
            return random_tree(branches, plies, seed, root, uneven=kind == "uneven")
    limits = f"at least 2 branches and 2 plies, at most {MAX_LEAVES} leaves, and a seed"
    sent = quoted(f"{kind}({','.join(map(str, arguments))})")
    statement = f"A random `tree` must have {limits}, not {sent}."
    advice = f"Send three integers, such as `{kind}(3,2,7)`."
    raise InvalidTreeError("wrong_random_tree", f"{statement} {advice}")


class _Reader:
    """The text of a tree, and how much of it is read."""

    def __init__(self, text: str) -> None:
        self.text = text.replace("\u2212", "-")  # the minus sign of print
        self.words = [*_WORD.finditer(self.text)]
        self.read = 0  # words
        self.leaves = 0

    def tree(self) -> list[Numbers]:
        """Read the whole text."""
        word = self.next()
        if word not in _CLOSING:
            raise self.unexpected(word, "an opening bracket")
        branches = self.branches(_CLOSING[word], plies=1)
        if self.coming:
            raise self.unexpected(self.next(), "the end")
        if self.leaves > MAX_LEAVES:
            limit = f"`tree` must have at most {MAX_LEAVES} leaves, not {self.leaves}."
            raise InvalidTreeError("too_many_leaves", limit)
        return branches

    def branches(self, closing: str, plies: int) -> list[Numbers]:
        """Read items up to a closing bracket."""
        if plies > MAX_PLIES:
            limit = f"`tree` must have at most {MAX_PLIES} plies below the root. This one has more."
            raise InvalidTreeError("too_many_plies", limit)
        found = [self.item(plies)]
        while self.coming != closing:
            if self.coming == ",":
                self.next()
            found.append(self.item(plies))
        self.next()
        if len(found) > MAX_BRANCHES:
            limit = f"A node of `tree` must have at most {MAX_BRANCHES} branches, not {len(found)}."
            raise InvalidTreeError("too_many_branches", limit)
        return found

    def item(self, plies: int) -> Numbers:
        """Read a number, or a list and all that it contains."""
        word = self.next()
        if word in _CLOSING:
            return self.branches(_CLOSING[word], plies + 1)
        if not _NUMBER.fullmatch(word):
            expected = f"an integer from -{MAX_NUMBER} to {MAX_NUMBER} or an opening bracket"
            raise self.unexpected(word, expected)
        self.leaves += 1
        return int(word)

    @property
    def coming(self) -> str:
        """The next word; empty at the end."""
        return self.words[self.read][0] if self.read < len(self.words) else ""

    def next(self) -> str:
        """Return the next word, and count it as read."""
        word = self.coming
        self.read += 1
        return word

    def unexpected(self, word: str, expected: str) -> InvalidTreeError:
        """Return the error for a word that was just read, or for the end of the text."""
        before = self.text[: self.words[self.read - 1].start()] if word else self.text
        after = f" after {quoted(before[-MAX_QUOTED // 2 :].strip())}" if before.strip() else ""
        if not word and before.strip():
            statement = f"`tree` ends{after}, but a bracket is still open."
            return InvalidTreeError("unclosed_bracket", f"{statement} {_ADVICE}")
        held = identified(word) if word else "nothing"
        statement = f"`tree` has {held}{after}, where {expected} is expected."
        return InvalidTreeError("unexpected_text", f"{statement} {_ADVICE}")
