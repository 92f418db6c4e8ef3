"""What the search page shows follows from its URL and the user's actions.

Node.js runs its scripts in a document.
"""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

import pytest
from flask import Flask
from flask.testing import FlaskClient

from best_move.engine.search_tree import DEFAULT_NODES, levels_within
from tests.browser.playground import CELLS
from tests.fuzzing import EXAMPLES
from tests.truth import referee
from tests.truth.referee import opponent
from tests.truth.textbook import Event, Search
from tests.web.pages.drawn_tree import Drawing, Node, marks_of
from tests.web.pages.scripts import Scripts, running
from tests.web.pages.test_search_page import (
    LOWEST_WIN,
    MODES,
    NUMBER,
    OPEN,
    Case,
    board_at,
    check_summary,
    is_true,
    numbers,
    sentences,
)

VISITS: Final = EXAMPLES // 4
FEW: Final = [each for each in OPEN if each[0].count(".") in (2, 3, 4)]
ALGORITHMS: Final = ("minimax", "alphabeta")
STEPS: Final = {
    "ArrowLeft": "step-back",
    "ArrowRight": "step-forward",
    "Home": "step-first",
    "End": "step-last",
}
MOVES: Final = ("ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End")
DRAW: Final = ("draw", None)  # so that the program prints the drawing too
BOUNDS: Final = ("at_most", "at_least")
DEFAULTS: Final = {
    "scoring": "distance",
    "order": "cells",
    "max_depth": "9",
    "algorithm": "alphabeta",
    "step": "0",
    "node": "",
}

Path = tuple[int, ...]
Gesture = tuple[str, Any]
Shown = dict[str, Any]


class Page:
    """The scripts of the search page in Node.js, whose requests the application answers."""

    def __init__(self, client: FlaskClient, scripts: Scripts) -> None:
        self._client = client
        self._scripts = scripts
        self.is_cut_off = False  # whether requests get no response

    def do(self, *gestures: Gesture) -> dict[str, Any]:
        """Perform actions in the same instant; return what the page shows, and what it did."""
        self._scripts.write(gestures)
        message: dict[str, Any] = self._scripts.read()
        while "shown" not in message:
            self._scripts.write(self._ask(message["url"]))
            message = self._scripts.read()
        return message

    def _ask(self, url: str) -> dict[str, Any] | None:
        if self.is_cut_off and not url.startswith("search?"):
            return None
        response = self._client.get(url)
        body = response.json if response.is_json else response.text
        return {"status": response.status_code, "body": body}


@pytest.fixture(scope="module")
def page(app: Flask) -> Iterator[Page]:
    """Run the scripts of the search page."""
    with running("search_page.mjs") as scripts:
        yield Page(app.test_client(), scripts)


@cache
def searched(case: Case, algorithm: str) -> Search:
    """Return the textbook's search of a case, with the nodes that the page draws at first."""
    return case.search(algorithm, levels=levels_within(DEFAULT_NODES, case.board.count(".")))


@dataclass(frozen=True)
class View:
    """What a URL of the page describes: a search, a step, and the node selected, if any."""

    case: Case
    algorithm: str = "alphabeta"
    step: int = 0
    node: Path = ()

    @property
    def search(self) -> Search:
        """The search."""
        return searched(self.case, self.algorithm)

    @property
    def last(self) -> int:
        """The number of the last step."""
        return len(self.search.events) - 1

    @property
    def shown_step(self) -> int:
        """The step that is shown."""
        return min(self.step, self.last)

    @property
    def event(self) -> Event:
        """The event at this step."""
        return self.search.events[self.shown_step]

    @property
    def selected(self) -> Path:
        """The path of the node that is highlighted."""
        return self.node or self.event.path

    @property
    def query(self) -> dict[str, str]:
        """The parameters of the URL."""
        given = {name: str(value) for name, value in self.case.query.items()}
        given |= {"algorithm": self.algorithm, "step": str(self.step)}
        given |= {"node": ",".join(map(str, self.node))}
        return {name: value for name, value in given.items() if value != DEFAULTS.get(name)}

    def keys(self) -> list[tuple[str, Path, Path | None]]:
        """Return what tells the events apart: their kinds, nodes and children."""
        found = []
        child: Path | None = None
        for event in self.search.events:
            found.append((event.kind, event.path, child if event.kind == "back" else None))
            child = event.path
        return found

    def changed(self, **choices: Any) -> "View":
        """Return the view of another search at the same step, or the last that both have."""
        algorithm = choices.pop("algorithm", self.algorithm)
        view = View(self.case._replace(**choices), algorithm)
        others = view.keys()
        for key in self.keys()[self.shown_step : 0 : -1]:
            if key in others:
                return replace(view, step=others.index(key))
        return view


def states(view: View) -> dict[Path, str]:
    """Return the states of the nodes at the step shown, except those not visited yet."""
    found: dict[Path, str] = {}
    child: Path = ()
    for event in view.search.events[: view.shown_step + 1]:
        if event.kind == "back":
            found[child] = "done"
        elif event.kind == "cut":
            found |= {(*event.path, move): "cut" for move in view.search.pruned[event.path]}
        else:
            found[event.path] = "open" if event.kind == "enter" else "done"
        child = event.path
    return found


def best_line(search: Search) -> set[Path]:
    """Return the nodes on the line of best play: of equal moves, the first that was tried."""
    line: set[Path] = {()}
    path: Path | None = ()
    while path is not None:
        children = [each for each in search.visits if each[:-1] == path and each]
        best = (each for each in children if search.scores[each] == search.scores[path])
        path = next(best, None)
        line |= {path} if path else set()
    return line


def check_view(view: View, shown: Shown) -> None:
    """Assert that all that the page shows about a step, or a node, is that of the search."""
    check_texts(view, shown)
    check_steps(view, shown)
    check_choices(view, shown)
    drawing = Drawing(shown["drawing"])
    minimax = searched(view.case, "minimax")
    drawn = [path for path in minimax.visits if len(path) <= minimax.levels]
    assert [node.path for node in drawing.nodes] == drawn
    drawing.check()
    for node in drawing.nodes:
        check_node(view, node, shown["legend"])
    check_names(view, drawing)


def check_texts(view: View, shown: Shown) -> None:
    """Assert that the card of the step has its board, its numbers and its sentence."""
    case, search = view.case, view.search
    board, last = marks_of(shown["board"])
    path = view.selected
    assert board == board_at(case.board, case.to_move, path)
    assert last == (path[-1] if path else None)
    free = {each["text"]: (each["x"], each["y"]) for each in shown["board"] if each["text"]}
    assert [*free] == [str(cell) for cell in referee.moves(board)] or referee.is_over(board)
    assert len(free) == board.count(".")
    for text, (x, y) in free.items():
        cell = int(text)
        step = 96 / 3.4
        assert float(x) == pytest.approx((cell % 3 - 1) * step, abs=0.01)
        assert float(y) == pytest.approx((cell // 3 - 1) * step + 4, abs=0.01)
    if view.node:
        last_at = {event.path: event for event in search.events}.get(path)
        assert shown["numbers"] == (numbers(last_at, search, case) if last_at else [])
        check_summary(shown["moment-sentence"], path, search, case)
    else:
        assert shown["numbers"] == numbers(view.event, search, case)
        told, _ = [*sentences(search, case)][view.shown_step]
        assert NUMBER.findall(shown["moment-sentence"]) == told
        assert re.fullmatch(pattern_of(view), shown["moment-sentence"])
    terms = re.findall("MAX|MIN|\u03b1|\u03b2", "".join(shown["numbers"]))
    lesson = {"MAX": 2, "MIN": 2, "\u03b1": 3, "\u03b2": 3}
    assert [(term, href) for term, href, _ in shown["links"]] == [
        (term, f"?lesson={lesson[term]}") for term in terms
    ]
    assert all(title for *_, title in shown["links"])


def pattern_of(view: View) -> str:
    """Return what a sentence about a step must match, given that its numbers are right."""
    case, search, event = view.case, view.search, view.event
    path = event.path
    board = board_at(case.board, case.to_move, path)
    mover = case.to_move if event.side == "MAX" else opponent(case.to_move)
    cell = CELLS[path[-1]] if path else ""
    value = (
        r"\S+( or (more|less))?"
        rf"(, a (win|loss) for {case.to_move}|, a draw|, an estimate| for {case.to_move})"
    )
    start = f"The search starts: {mover} is to move"
    compared = rf"(the best for {mover} so far|no better for {mover} than \S+)"
    limits = "Cutoff: \u03b1 \\S+ \u2265 \u03b2 \\S+"
    pruned = rf"{mover} \d(, {mover} \d)*"
    forms = {
        "enter": rf"{opponent(mover)} plays \d, the {cell}\." if path else rf"{start}\.",
        "leaf": r"Depth limit: the estimate is \S+( or (more|less))?\.",
        "back": rf"{mover} \d scores {value}: {compared}\.",
        "cut": rf"{limits}\.( Equal is enough:)? .* Pruned: {pruned}\.",
        "end": rf"{mover} plays \d: score {value}\.",
    }
    if referee.is_over(board):
        forms["leaf"] = (
            rf"{f'{opponent(mover)} wins' if has_winner(board) else 'A draw'}: score \S+\."
        )
    is_met = event.alpha >= event.beta and path not in search.pruned
    if event.kind == "back" and view.algorithm == "alphabeta" and is_met:
        forms["back"] += " \u03b1 \u2265 \u03b2, but no move is left to prune\\."
    return forms[event.kind]


def has_winner(board: str) -> bool:
    """Return whether a side has won."""
    return any(referee.has_won(board, mark) for mark in "XO")


def check_steps(view: View, shown: Shown) -> None:
    """Assert that the controls of the steps show the step, and the counter the nodes visited."""
    step, last = view.shown_step, view.last
    kinds = [event.kind for event in view.search.events]
    cut = "cut" in kinds[step + 1 :]
    ways = {
        "step-first": step > 0,
        "step-back": step > 0,
        "step-forward": step < last,
        "step-last": step < last,
        "step-cutoff": cut,
    }
    assert {*shown["disabled"]} == {name for name, is_open in ways.items() if not is_open}
    assert shown["slider"] == {
        "aria-valuetext": f"{step} of {last}",
        "max": str(last),
        "value": str(step),
    }
    assert shown["step-number"] == f"{step:,} / {last:,}"
    assert not shown["isInert"]
    assert not shown["isBusy"]
    visited = kinds[: step + 1].count("enter")
    levels = view.search.levels
    for event in view.search.events[: step + 1]:
        if event.kind == "leaf" and len(event.path) == levels:
            visited += view.search.sizes[event.path] - 1
    assert shown["tree-count"] == f"{visited:,}"
    size = view.search.sizes[()]
    assert shown["tree-all"] == f"{size:,} node{'s' * (size != 1)}"
    assert shown["algorithm"] == view.algorithm
    kind = view.event.side.lower() if view.event.kind == "back" else view.event.kind
    assert shown["line"] == ([] if view.node else [kind])


def check_choices(view: View, shown: Shown) -> None:
    """Assert that the controls, the URL, the links and the card show what was chosen."""
    case = view.case
    assert shown["chosen"] == {"algorithm": view.algorithm, "scoring": case.scoring}
    assert shown["selects"] == {"order": case.order, "max_depth": str(case.depth)}
    assert dict(parse_qsl(shown["address"][1:])) == view.query
    prunes = view.algorithm == "alphabeta"
    legend = [f"win for {case.to_move}", "draw", f"loss for {case.to_move}"]
    legend += ["estimate"] * case.is_limited
    legend += ["only a bound"] * prunes
    legend += ["best play"] + ["pruned: never visited"] * prunes
    legend += ["not visited yet", "being searched"]
    assert [each["text"].strip() for each in shown["legend"]] == legend
    signs = [["sign"]] * (3 + case.is_limited) + [["bound", "bound"]] * prunes
    signs += [["way"]] + [["way", "tick"]] * prunes + [["card"]] * 2
    assert [[shape["class"] for shape in each["shapes"]] for each in shown["legend"]] == signs
    title = f"{case.to_move} to move"
    assert shown["card"] == {"place": "A position", "title": title}
    assert shown["title"] == f"{title} \u00b7 Search \u00b7 Best Move"
    nodes = [case.search(name).sizes[()] for name in ALGORITHMS]
    cost = f"Minimax visits {nodes[0]:,} nodes, alpha-beta {nodes[1]:,}."
    assert shown["position-cost"] == cost
    query = urlencode({name: case.query[name] for name in ("board", "starts")})
    assert shown["hrefs"]["play-it"] == f"./?{query}"
    assert shown["hrefs"]["set-up"] == f"./?{query}&set_up=true"
    assert {"own", "plain", "failed"} & {*shown["classes"]} == {"own"}
    assert shown["later"] == shown["current"] == []


def check_node(view: View, node: Node, legend: list[Any]) -> None:
    """Assert that a node is drawn with its board and its result, as far as the search is."""
    case, search, path = view.case, view.search, node.path
    found = states(view)
    is_pruned = any(found.get(path[:length]) == "cut" for length in range(1, len(path) + 1))
    state = "never" if is_pruned else found.get(path, "later")
    assert node.state == state
    assert node.has("cut") == (found.get(path) == "cut")
    board = board_at(case.board, case.to_move, path)
    if node.has_board:
        assert marks_of(node.shapes["shapes"]) == (board, path[-1] if path else None)
    is_done = state == "done"
    score = search.scores[path] if is_done else None
    bound = node.shapes["bound"]
    sign = {"at_least": "\u2265", "at_most": "\u2264", "": ""}[bound]
    assert node.score == ("" if node.has_board else sign) + (case.shown(score) if is_done else "")
    outcome = node.shapes["outcome"]
    assert bool(outcome) == is_done
    if score is not None:
        truth = searched(case, "minimax").scores[path]
        limit = {"at_least": " or more", "at_most": " or less", "": ""}[bound]
        assert is_true(limit, truth, score)
        assert bool(bound) or truth == score
        assert outcome in outcomes_of(case, score)
    drawn = {each.get("data-outcome"): each["shapes"][0]["d"] for each in legend[:4]}
    (shape,) = node.parts("sign")
    assert shape["d"] == (drawn[outcome] if outcome else "")
    if node.has_board:
        shapes = [shape for each in legend if "bound" in each["text"] for shape in each["shapes"]]
        bounds = dict(zip(BOUNDS, shapes, strict=False))
        (shape,) = node.parts("bound")
        assert shape["d"] == (bounds[bound]["d"] if bound else "")
    check_place(view, node)
    check_name(view, node, board, score)


def outcomes_of(case: Case, score: int) -> list[str]:
    """Return what a score may stand for: with a depth limit, 0 is a draw or an estimate."""
    if case.is_limited and abs(score) < LOWEST_WIN:
        return ["unknown", *["draw"] * (score == 0)]
    return ["win" if score > 0 else "loss" if score < 0 else "draw"]


def check_place(view: View, node: Node) -> None:
    """Assert that a node is highlighted if it is on the way to the node shown, or that node."""
    path, selected = node.path, view.selected
    is_end = view.shown_step == view.last
    line = best_line(view.search) if is_end else set()
    assert node.has("chosen") == (path in line)
    way = {selected[:length] for length in range(len(selected) + 1)} if selected else set()
    assert node.has("current") == (path in way)
    parent = path[:-1] if path else None
    assert node.has("near") == (parent == selected or parent in way)
    assert node.has("at") == (path == selected and (not is_end or view.node != ()))
    is_selected = path == selected
    assert node.shapes["tabindex"] == ("0" if is_selected else "-1")
    assert node.shapes["aria-selected"] == str(is_selected).lower()
    children = [
        each for each in searched(view.case, "minimax").visits if each[:-1] == path and each
    ]
    expanded = {True: "true", False: None}[bool(children)]
    assert node.shapes["aria-expanded"] == expanded
    assert bool(node.parts("more")) == (expanded == "false")


def check_name(view: View, node: Node, board: str, score: int | None) -> None:
    """Assert that a screen reader reads the move, the state, the score and the cutoff."""
    case, path = view.case, node.path
    is_best = node.has("chosen") and path != ()
    move = f"{case.to_move} to move"
    if path:
        mark = board[path[-1]]
        move = f"{mark} {path[-1]}"
        (label,) = node.parts("move")
        assert label["text"] == (move if node.has_board else str(path[-1]))
        assert label["data-mark"] == mark
    words = {"later": "not visited yet", "open": "being searched", "never": "never visited"}
    if node.state in words:
        assert node.name == f"{move}: {words[node.state]}"
        return
    assert score is not None
    told = node.name.removesuffix(", best")
    assert (told != node.name) == is_best
    assert told.startswith(f"{move}: {case.shown(score)}")
    outcome = {"win": f", a win for {case.to_move}", "loss": f", a loss for {case.to_move}"}
    if not node.shapes["bound"] and node.shapes["outcome"] in outcome:
        assert outcome[node.shapes["outcome"]] in told
    pruned = len(view.search.pruned.get(path, []))
    total = board.count(".")
    cutoff = f", cutoff after {total - pruned} of {total}"
    assert told.endswith(cutoff) == bool(pruned)
    assert ("cutoff" in told) == bool(pruned)


def check_names(view: View, drawing: Drawing) -> None:
    """Assert that each ply has the name of the side to move, or `end` if all its games are over."""
    case = view.case
    for ply, ((_, text), nodes) in enumerate(zip(drawing.names, drawing.plies, strict=True)):
        boards = [board_at(case.board, case.to_move, node.path) for node in nodes]
        side, mark = ("MIN", opponent(case.to_move)) if ply % 2 else ("MAX", case.to_move)
        is_end = all(referee.is_over(board) for board in boards)
        assert text == ("end" if is_end else f"{side} {mark}")


def clicked(view: View, way: str) -> View:
    """Return the view after a button of the steps."""
    step, last = view.shown_step, view.last
    cuts = [index for index, event in enumerate(view.search.events) if event.kind == "cut"]
    to = {
        "step-first": 0,
        "step-back": step - 1,
        "step-forward": step + 1,
        "step-last": last,
        "step-cutoff": next((index for index in cuts if index > step), step),
    }
    return replace(view, step=to[way], node=())


Action = tuple[View, Gesture, Path | None]


def actions(view: View, shown: Shown, dice: random.Random) -> list[Action]:
    """Return what the user can do, the view that each leads to, and the node focused then."""
    case = view.case
    ways = [way for way in ("step-cutoff", *STEPS.values()) if way not in shown["disabled"]]
    found: list[Action] = [(clicked(view, way), ("click", way), None) for way in ways]
    for key, way in STEPS.items():
        if way in ways:
            found.append((clicked(view, way), ("key", (None, key)), None))
    step = dice.randint(0, view.last)
    found.append((replace(view, step=step, node=()), ("slide", step), None))
    paths = [node.path for node in Drawing(shown["drawing"]).nodes]
    for _ in range(5):
        path, key = dice.choice(paths), dice.choice(MOVES)
        name = ",".join(map(str, path))
        found.append((replace(view, node=path), ("node", name), None))
        target = moved(path, key, paths)
        to = view if target is None else replace(view, node=target)
        found.append((to, ("key", (name, key)), target))
    other = ALGORITHMS[view.algorithm == "minimax"]
    changed = [(view.changed(algorithm=other), ("radio", ("algorithm", other)), None)]
    scoring, order, depth = dice.choice(MODES)
    if scoring != case.scoring:
        changed.append((view.changed(scoring=scoring), ("radio", ("scoring", scoring)), None))
    changed.append((view.changed(order=order), ("choose", ("order", order)), None))
    changed.append((view.changed(depth=depth), ("choose", ("depth", str(depth))), None))
    return [*found, *changed, *changed]


def moved(path: Path, key: str, paths: list[Path]) -> Path | None:
    """Return the node to which a key moves from a node; None if it stays there."""
    ply = [each for each in paths if len(each) == len(path)]
    index = ply.index(path)
    below = [each for each in paths if each and each[:-1] == path]
    target = {
        "ArrowDown": below[0] if below else path,
        "ArrowUp": path[:-1],
        "ArrowRight": ply[min(index + 1, len(ply) - 1)],
        "ArrowLeft": ply[max(index - 1, 0)],
        "Home": (),
        "End": ply[-1],
    }[key]
    return None if target == path else target


def test_all_that_the_page_shows_is_that_of_the_search(page: Page) -> None:
    """After any link and any actions, the page shows a step of the search that was chosen.

    Another search of the same position goes on at the same step.
    """
    for seed in range(VISITS):
        dice = random.Random(seed)  # noqa: S311, the tests need no secret numbers
        case = Case(dice.choice(FEW), *dice.choice(MODES))
        algorithm = dice.choice(ALGORITHMS)
        view = View(case, algorithm)
        paths = [(), (), *searched(case, "minimax").visits]
        view = replace(view, step=dice.choice([*range(view.last), 9999]), node=dice.choice(paths))
        try:
            link = ("visit", (f"?{urlencode(view.query)}", ()))
            shown = page.do(DRAW, link)["shown"]
            check_view(view, shown)
            for _ in range(6):
                view, gesture, focus = dice.choice(actions(view, shown, dice))
                shown = page.do(DRAW, gesture)["shown"]
                check_view(view, shown)
                assert focus is None or shown["focused"] == ",".join(map(str, focus))
        except AssertionError as error:
            error.add_note(f"{view} (seed {seed})")
            raise
