"""The judge of the search page: all that it shows is true of the search that it names."""

import json
from urllib.parse import urlencode

from tests.truth import referee
from tests.truth.textbook import Search
from tests.web.pages.drawn_tree import board_drawn
from tests.web.pages.page import Moment, classes
from tests.web.pages.search_view import View, asks, card_of, query_of
from tests.web.pages.searches import (
    NUMBER,
    Path,
    check_summary,
    moves_in,
    numbers,
    searched,
    sentences,
)
from tests.web.pages.tree_judge import check_drawing


def check(moment: Moment) -> None:
    """Assert that all that a page shows of a search is true, once the search is loaded."""
    is_busy = moment["drawing"].get("aria-busy") == "true"
    assert (moment["steps"].get("inert") is not None) == (is_busy or asks(moment))
    if is_busy:
        return
    check_heading(moment)
    view = View(moment)
    check_drawing(view)
    check_words(view)
    if not view.is_grown:
        check_steps(view)
        check_card(view)


def check_heading(moment: Moment) -> None:
    """Assert that the page's title is that of its card, and that links lead to the position."""
    place, title = card_of(moment)
    is_lesson = "position" not in moment
    assert moment.title == f"{title} \u00b7 {place if is_lesson else 'Search'} \u00b7 Best Move"
    if not is_lesson:
        names = ("board", "starts", "played")
        query = query_of(moment)
        kept = {name: query[name].upper() for name in names if name in query}
        assert moment["play-it"].get("href") == f"./?{urlencode(kept)}"
        assert moment["set-up"].get("href") == f"./?{urlencode(kept)}&set_up=true"


def check_words(view: View) -> None:
    """Assert that a word that names nodes is marked if one of these is, and only then."""
    marked = {node.path for node in view.drawing.nodes if node.has("marked")}
    for word in view.moment["search"].iterfind(".//*[@data-paths]"):
        paths = {moves_in(path) for path in json.loads(word.get("data-paths", ""))}
        if paths <= view.drawing.at.keys():
            assert ("marked" in classes(word)) == bool(paths & marked)


def check_steps(view: View) -> None:
    """Assert that the controls of the steps show the step, and the counter the nodes visited."""
    moment, search, step = view.moment, view.search, view.step
    kinds = [event.kind for event in search.events]
    assert view.last == len(kinds) - 1
    is_open = {
        "step-first": step > 0,
        "step-back": step > 0,
        "step-forward": step < view.last,
        "step-last": step < view.last,
        "step-cutoff": "cut" in kinds[step + 1 :],
    }
    for name, can_go in is_open.items():
        assert (moment[name].get("aria-disabled") != "true") == can_go, name
    visited = kinds[: step + 1].count("enter")
    for event in search.events[: step + 1]:
        if event.kind == "leaf" and len(event.path) == search.levels:
            visited += search.sizes[event.path] - 1
    assert moment.text("tree-count") == f"{visited:,}"
    assert NUMBER.findall(moment.text("tree-all")) == [f"{search.sizes[()]:,}"]
    if "position-cost" in moment and not referee.is_over(view.case.board):
        costs = [f"{searched(view.case, name).sizes[()]:,}" for name in ("minimax", "alphabeta")]
        assert NUMBER.findall(moment.text("position-cost")) == costs


def check_card(view: View) -> None:
    """Assert that the card of the step has its board, its numbers and its sentence."""
    if view.is_exercise:
        return
    moment, case, search, path = view.moment, view.case, view.search, view.path
    shapes = moment["moment-board"]
    board, last = board_drawn(shapes)
    assert (board, last) == (case.at(path), path[-1] if path else None)
    (card,) = (each for each in shapes if "card" in classes(each))
    step = 2 * -float(card.get("x", "")) / 3.4
    free = {int(each.text or ""): each for each in shapes.iter("text")}
    assert [*free] == [cell for cell, mark in enumerate(board) if mark == "."]
    for cell, number in free.items():
        assert float(number.get("x", "")) / step - (cell % 3 - 1) < 0.01
        assert 0 < float(number.get("y", "")) / step - (cell // 3 - 1) < 0.25  # its baseline
    lines = ["".join(each.itertext()) for each in moment["moment-numbers"]]
    sentence = "".join(moment["moment-sentence"].itertext())
    live = [each for each in moment["algorithm"] if each.get("aria-current") is not None]
    if sentence.startswith("The service is not responding."):
        return
    if view.has_node:
        last_at = {event.path: event for event in search.events}.get(path)
        assert lines == (numbers(last_at, search, case) if last_at else [])
        check_summary(sentence, path, search, case)
        assert not live
        return
    assert lines == numbers(view.event, search, case)
    told, _ = [*sentences(search, case)][view.step]
    assert NUMBER.findall(sentence) == told
    kind = view.event.side.lower() if view.event.kind == "back" else view.event.kind
    assert [each.get("data-line") for each in live] == [kind]


def check_continued(before: Moment, after: Moment) -> None:
    """Assert that another search is at the step of the one before, or the last that both have."""
    old, new = View(before), View(after)
    keys = keys_of(new.search)
    both = [key for key in keys_of(old.search)[: old.step + 1] if key in keys]
    assert new.step == keys.index(both[-1])


def keys_of(search: Search) -> list[tuple[str, Path, Path | None]]:
    """Return what tells the events apart: their kinds, nodes and children."""
    children = [None, *(event.path for event in search.events)]
    return [
        (event.kind, event.path, child if event.kind == "back" else None)
        for event, child in zip(search.events, children, strict=False)
    ]
