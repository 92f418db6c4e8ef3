"""The judge of the search page: all that it shows is true of the textbook's search.

It reads numbers, cells, sides and shapes. Which words the page has for them is told by plays.
"""

import json
import re
from collections.abc import Container
from typing import Final, Protocol
from urllib.parse import parse_qsl, urlsplit

from tests.truth import referee
from tests.truth.textbook import Path, Textbook, form
from tests.web.pages.drawn_tree import Drawing, Node, board_drawn, moves_in
from tests.web.pages.page import Element, Moment, text
from tests.web.pages.searches import NUMBER, Case, check_step, check_summary, is_true, searched

CUT: Final = "Cut the branch to "
LOWEST_WIN: Final = 91  # with the ninth mark; an estimate is closer to 0
SIGNS: Final = {"at_least": "\u2265", "at_most": "\u2264", "": ""}


def chosen(moment: Moment, name: str) -> str:
    """Return the value of the chosen radio button with a name."""
    buttons = moment.body.iterfind(f".//input[@name='{name}']")
    (value,) = (each.get("value") for each in buttons if each.get("live-checked") is not None)
    return value or ""


def shown_card(moment: Moment) -> Element:
    """Return the card of the lesson, or of the position, that is shown."""
    (card,) = filter(moment.is_visible, moment["lesson"].iter("article"))
    return card


def is_pressed(moment: Moment, name: str) -> bool:
    """Return whether a button that stays pressed is pressed."""
    return moment[name].get("aria-pressed") == "true"


def asks(moment: Moment) -> bool:
    """Return whether an exercise is shown, and not a step."""
    return "exercise-bar" in moment and "steps" not in moment


class AnyCase(Protocol):
    """A search that the page shows."""

    @property
    def search(self) -> Textbook:
        """The textbook's search, with its events at the nodes that the page draws."""

    def path_of(self, label: str) -> Path:
        """Return the path of the node that the label of a field names."""


class AnyView:
    """A moment of the page, and the search of any kind of tree that it shows.

    `node` is the node that the user has chosen, if any.
    """

    case: AnyCase
    node: Path | None

    def __init__(self, moment: Moment) -> None:
        (svg,) = moment["drawing"].iterfind(".//svg")
        self.moment: Final = moment
        self.drawing: Final = Drawing(svg)
        self.step: Final = int(moment["step"].get("live-value", ""))
        self.is_end: Final = self.step == int(moment["step"].get("max", ""))

    def chosen(self, paths: Container[Path]) -> Path | None:
        """Return the path in the URL if it is one of some paths."""
        query = dict(parse_qsl(urlsplit(self.moment.url).query.lower(), keep_blank_values=True))
        node = moves_in(query["node"]) if "node" in query else None
        return node if node in paths else None

    def images(self, path: Path) -> list[Path]:
        """Return the siblings that are drawn as one node."""
        return [path]


class View(AnyView):
    """A moment of the page, and the search of a position that it shows."""

    def __init__(self, moment: Moment) -> None:
        super().__init__(moment)
        self.is_merged: Final = is_pressed(moment, "merging")
        root = self.drawing.nodes[0]
        board, _ = board_drawn(root.shapes)
        order, depth = (moment[name].get("live-value", "") for name in ("order", "depth"))
        scoring, algorithm = chosen(moment, "scoring"), chosen(moment, "algorithm")
        case = Case(board, root.name[0], scoring, order, int(depth), algorithm)  # type: ignore[arg-type]
        self.is_grown: Final = len(self.drawing.plies) > case.search.levels + 1
        self.case: Case = case._replace(levels=9) if self.is_grown else case
        self.node = self.chosen(case.truth.visits)

    def children(self, path: Path) -> list[Path]:
        """Return the nodes below a node: of mirror images the first, if they are merged."""
        paths = self.case.truth.children[path]
        return [each for each in paths if self.images(each)[0] == each]

    def images(self, path: Path) -> list[Path]:
        """Return the siblings that are drawn as one node."""
        if not self.is_merged or not path:
            return [path]
        siblings = self.case.truth.children[path[:-1]]
        shape = form(self.case.at(path))
        return [each for each in siblings if form(self.case.at(each)) == shape]


def check(moment: Moment) -> None:
    """Assert that all that a page shows of a search is true, once the search is loaded."""
    check_translation(moment.body, is_translated=True)
    is_busy = moment["drawing"].get("aria-busy") == "true"
    assert (moment["steps"].get("inert") is not None) == (is_busy or asks(moment))
    if is_busy:
        return
    card = shown_card(moment)
    place = "Search" if "position" in moment else text(card[0][0])
    assert moment.title == f"{text(card[1])} \u00b7 {place} \u00b7 Best Move"
    view = View(moment)
    view.drawing.check()
    check_tree(view)
    check_words(view)
    found = states(view)
    for node in view.drawing.nodes:
        check_shapes(view, node)
        check_result(view, node, found)
    if view.is_grown:
        assert view.is_end
        return
    check_steps(view)
    check_counts(view)
    if not asks(moment):
        check_place(view)
        check_card(view)


def check_translation(element: Element, *, is_translated: bool) -> None:
    """Assert that a browser that translates the page does not translate MAX and MIN."""
    is_inside = is_translated and element.get("translate") != "no"
    texts = [element.text if is_inside else "", *(each.tail for each in element if is_inside)]
    assert not re.search(r"\b(MAX|MIN)\b", " ".join(filter(None, texts))), texts
    for each in element:
        check_translation(each, is_translated=is_inside)


def check_words(view: AnyView) -> None:
    """Assert that a word that names nodes is marked if one of these is, and only then."""
    marked = {node.text for node in view.drawing.nodes if node.has("marked")}
    drawn = {node.text for node in view.drawing.nodes}
    for word in view.moment["search"].iterfind(".//*[@data-paths]"):
        paths = {*json.loads(word.get("data-paths", ""))}
        if paths <= drawn:
            assert ("marked" in word.get("class", "").split()) == bool(paths & marked)


def check_tree(view: View) -> None:
    """Assert that the nodes drawn are those of the search, and that a sign tells of others below.

    Of a lesson's tree only a branch may be drawn.
    """
    case, drawing = view.case, view.drawing
    has_focus = "whole" in view.moment and not is_pressed(view.moment, "whole")
    is_whole = not has_focus and not is_pressed(view.moment, "predicting")
    deepest = view.case._replace(levels=None).search.levels
    for node in drawing.nodes:
        drawn = [child.path for child in drawing.children[node.path]]
        paths = view.children(node.path)
        is_cut = len(node.path) >= deepest or not is_whole
        assert drawn == paths or (is_cut and {*drawn} <= {*paths})
        is_folded = bool(paths) and not drawn
        assert bool(node.parts("more")) == is_folded
        assert node.shapes.get("aria-expanded") == (str(not is_folded).lower() if paths else None)
    for name, ply in zip(drawing.names, drawing.plies, strict=True):
        path = ply[0].path
        is_over = all(referee.is_over(case.at(node.path)) for node in ply)
        side = f"{'MIN' if len(path) % 2 else 'MAX'} {case.mover(path)}"
        assert "".join(name.itertext()) == ("end" if is_over else side)


def states(view: AnyView) -> dict[Path, str]:
    """Return the states of the nodes at the step shown, except those not visited yet."""
    search = view.case.search
    found: dict[Path, str] = {}
    child: Path = ()
    for event in search.events if view.is_end else search.events[: view.step + 1]:
        if event.kind == "back":
            found[child] = "done"
        elif event.kind == "cut":
            found |= {(*event.path, move): "cut" for move in search.pruned[event.path]}
        else:
            found[event.path] = "open" if event.kind == "enter" else "done"
        child = event.path
    return found | dict.fromkeys(cut_by_user(view), "cut")


def cut_by_user(view: AnyView) -> list[Path]:
    """Return the nodes whose branches the user has cut in an exercise that is still open."""
    buttons = view.moment["drawing"].iterfind(".//button[@aria-pressed='true']")
    names = [each.get("aria-label", "") for each in buttons if each.get("aria-disabled") != "true"]
    labels = [re.sub(", (right|wrong|follows)$", "", name.removeprefix(CUT)) for name in names]
    return [view.case.path_of(label) for label in labels]


def check_shapes(view: View, node: Node) -> None:
    """Assert that a node is drawn with its board and its move."""
    case, path = view.case, node.path
    if node.has_board:
        assert board_drawn(node.shapes) == (case.at(path), path[-1] if path else None)
        assert bool(node.parts("bound")[0].get("d")) == bool(node.bound)
    for label in node.parts("move"):
        images = len(view.images(path))
        times = f" \u00d7{images}" if images > 1 else ""
        move = f"{case.mover(path[:-1])} {path[-1]}{times}"
        assert "".join(label.itertext()) == (move if node.has_board else str(path[-1]))
        assert label.get("data-mark") == move[0]
        assert node.name.startswith(f"{move}: ")


def check_result(view: View, node: Node, found: dict[Path, str]) -> None:
    """Assert that a node has its state and, once it is done, its score, bound and outcome."""
    case, path = view.case, node.path
    if asks(view.moment) and node.name.endswith(", given"):
        assert node.score == case.shown(case.truth.scores[path])
        assert not case.truth.children[path], "only leaves are given"
        return
    is_pruned = any(found.get(above) == "cut" for above in way(path))
    assert node.state == ("never" if is_pruned else found.get(path, "later"))
    assert node.has("cut") == (found.get(path) == "cut")
    (sign,) = node.parts("sign")
    assert bool(sign.get("d")) == bool(node.outcome) == (node.state == "done")
    if node.state != "done":
        assert (node.score, node.bound) == ("", "")
        return
    score = case.search.scores[path]
    assert node.score == ("" if node.has_board else SIGNS[node.bound]) + case.shown(score)
    assert is_true(node.bound, case.truth.scores[path], score)
    outcomes = ["win" if score > 0 else "loss" if score < 0 else "draw"]
    if case.is_limited and abs(score) < LOWEST_WIN:
        outcomes = ["unknown", "draw"] if score == 0 else ["unknown"]
    assert node.outcome in outcomes


def way(path: Path) -> list[Path]:
    """Return the nodes from the root to a node."""
    return [path[:length] for length in range(len(path) + 1)]


def best_line(case: AnyCase) -> list[Path]:
    """Return the nodes on the line of best play: of equal moves, the first that was tried."""
    line: list[Path] = [()]
    scores = case.search.scores
    while children := case.search.children[line[-1]]:
        line.append(next(each for each in children if scores[each] == scores[()]))
    return line


def check_place(view: AnyView) -> None:
    """Assert that the node shown, or the one that stands for it, is highlighted with its way."""
    case, nodes = view.case, view.drawing.nodes
    path = case.search.events[view.step].path if view.node is None else view.node
    (at,) = (node.path for node in nodes if node.shapes.get("aria-selected") == "true")
    images = [image for above in way(path) for image in view.images(above)]
    assert at == [image for image in images if image in view.drawing.at][-1]
    line = best_line(case) if view.is_end else []
    current = way(at) if path else []
    for node in nodes:
        assert node.has("chosen") == (node.path in line)
        assert node.has("current") == (node.path in current)
        assert node.has("near") == (node.path != () and node.path[:-1] in (at, *current))
        assert node.has("at") == (node.path == at and (not view.is_end or view.node is not None))
        assert node.shapes.get("tabindex") == ("0" if node.path == at else "-1")


def check_steps(view: AnyView) -> None:
    """Assert that the slider and each button of the steps can go where there are steps."""
    moment, step, events = view.moment, view.step, view.case.search.events
    assert moment["step"].get("max") == str(len(events) - 1)
    is_open = {
        "step-first": step > 0,
        "step-back": step > 0,
        "step-forward": not view.is_end,
        "step-last": not view.is_end,
        "step-cutoff": "cut" in [event.kind for event in events[step + 1 :]],
    }
    for name, can_go in is_open.items():
        assert (moment[name].get("aria-disabled") != "true") == can_go, name


def check_counts(view: View) -> None:
    """Assert that the nodes visited so far are counted, all nodes, and those of both searches."""
    moment, case, search = view.moment, view.case, view.case.search
    total = search.sizes[()]
    entered = (event.path for event in search.events[view.step + 1 :] if event.kind == "enter")
    visited = next((search.visits[path] - 1 for path in entered), total)
    event = search.events[view.step]
    if event.kind == "enter" and len(event.path) == search.levels:
        visited = search.visits[event.path]  # the nodes below are visited at the next step
    assert moment.text("tree-count") == f"{visited:,}"
    assert NUMBER.findall(moment.text("tree-all")) == [f"{total:,}"]
    if asks(moment):
        assert moment.text("position-cost") == ""
    elif "position-cost" in moment and not referee.is_over(case.board):
        both = [searched(case._replace(algorithm=name)) for name in ("minimax", "alphabeta")]
        costs = [f"{each.sizes[()]:,}" for each in both]
        assert NUMBER.findall(moment.text("position-cost")) == costs


def check_card(view: View) -> None:
    """Assert that the card of the step has its board, its numbers and its sentence."""
    moment, case = view.moment, view.case
    event = case.search.events[view.step]
    path = event.path if view.node is None else view.node
    numbered = [str(cell) if mark == "." else mark for cell, mark in enumerate(case.at(path))]
    last = path[-1] if path else None
    assert board_drawn(moment["moment-board"]) == ("".join(numbered), last)
    sentence = moment.text("moment-sentence")
    if sentence.startswith("The service is not responding."):
        return
    lines = ["".join(each.itertext()) for each in moment["moment-numbers"]]
    live = [each.get("data-line") for each in moment["algorithm"] if each.get("aria-current")]
    if view.node is None:
        assert lines == case.lines(event)
        assert live == [event.side.lower() if event.kind == "back" else event.kind]
        check_step(case, view.step, sentence)
    else:
        assert lines == case.lines(case.search.last.get(path))
        assert live == []
        check_summary(case, path, sentence)
