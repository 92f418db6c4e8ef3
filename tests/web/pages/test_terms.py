"""The lessons as a learner reads them, one after the other."""

import re
from collections.abc import Mapping
from copy import deepcopy
from typing import Final

import pytest
from flask import Flask

from best_move.web.pages.previews import LESSONS
from tests.web.pages.page import Element, Moment, classes, pages, text

#  Terms that the lesson in which they first appear explains without setting them in bold.
UNMARKED: Final = {4: ["next cutoff", "\u221e"]}


@pytest.fixture(scope="module")
def lessons(app: Flask) -> Mapping[int, Moment]:
    """Return what each lesson shows when it is opened, by its number."""
    with pages(app) as page:
        return {number: page.do(f"visit /search?lesson={number}").last for number in LESSONS}


def visible(shown: Moment) -> str:
    """Return the text of the page without the parts that are hidden, closed or for no scripts."""
    body = deepcopy(shown.body)
    is_plain = "plain" in classes(shown["search"])
    for parent in [*body.iter()]:
        for child in [*parent]:
            is_hidden = child.get("hidden") is not None or child.tag in ("dialog", "noscript")
            if is_hidden or (is_plain and is_named(child)):
                parent.remove(child)
    return text(body)


def is_named(element: Element) -> bool:
    """Return whether an element has the names of the sides, which styles hide in a plain page."""
    return element.get("id") == "moment-numbers" or "side" in classes(element)


def introduced(shown: Moment) -> list[str]:
    """Return the terms that the text of a lesson sets in bold."""
    card = next(each for each in shown["lessons"] if shown.is_visible(each))
    words = [text(each) for each in card.iterfind(".//b") if not each.get("data-mark")]
    return [word for word in words if word not in "XO"]


def uses(shown: Moment, term: str) -> bool:
    """Return whether a page shows a term, also as a part of a word such as `cutoffs`."""
    start = r"(?<![\w-])" if term[0].isalpha() else ""
    return bool(re.search(start + re.escape(term.lower()), visible(shown).lower()))


def test_no_term_is_shown_before_the_lesson_that_explains_it(lessons: Mapping[int, Moment]) -> None:
    """No lesson opens with a term of a later one in its text, step, controls, code or key."""
    explained = {
        number: introduced(shown) + UNMARKED.get(number, []) for number, shown in lessons.items()
    }
    assert sum(map(len, explained.values())) > 12
    early = [
        f"lesson {number}: {term}"
        for number, shown in lessons.items()
        for later, terms in explained.items()
        for term in terms
        if number < later and uses(shown, term)
    ]
    assert early == []


MEANINGS: Final = {
    "later": "not visited yet",
    "current": "being searched",
    "never": "pruned: never visited",
}


def test_the_key_explains_each_state_of_the_nodes(lessons: Mapping[int, Moment]) -> None:
    """What is gray, in a thick frame or pruned at the first sight of a lesson is in its key."""
    explained = set()
    for number, shown in lessons.items():
        entries = [each for each in shown["legend"] if shown.is_visible(each)]
        key = [text(each) for each in entries]
        nodes = shown["drawing"].findall(".//*[@role='treeitem']")
        states = {each.get("data-state", "") for each in nodes}
        states |= {name for each in nodes for name in classes(each)}
        for state in states & MEANINGS.keys():
            assert MEANINGS[state] in key, number
            explained.add(state)
    assert explained == MEANINGS.keys()
