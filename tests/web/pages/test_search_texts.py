"""The text of the search page is true: textbook searches check the output of its scripts."""

import re
from collections import Counter
from collections.abc import Callable
from itertools import product
from math import log
from typing import Any, Final, NamedTuple

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.truth import golden, referee
from tests.truth.textbook import Event, Search, TableSearch
from tests.web.pages.page import CELLS
from tests.web.pages.searches import (
    MODES,
    NUMBER,
    OPEN,
    ORDERS,
    Case,
    Path,
    check_summary,
    is_true,
    moves_in,
    numbers,
    run,
    sentences,
    trees,
    window_of,
)

#  Finished boards; then unfinished boards, each with every side that can be to move. Only the
#  trees of LARGE have collapsed nodes.
OVER: Final = [("XXX.OO...", "O"), ("OOO.XX...", "X"), ("XXOOOXXOX", "O")]
SMALL: Final = [each for each in OPEN if each[0].count(".") in (1, 2, 4, 5)]
LARGE: Final = [("X...O....", "X"), ("X...O...X", "O"), ("XO.X.....", "O")]


SEARCHES: Final = [
    *(Case(SMALL[31 * index % len(SMALL)], *mode) for index, mode in enumerate(16 * MODES)),
    *(Case(each, *mode) for each, mode in product(LARGE, (MODES[0], MODES[12], MODES[14]))),
    *(Case(each, *mode) for each, mode in product(OVER, (MODES[0], MODES[12]))),
]


Said = tuple[Case, str, Any]


@pytest.fixture(scope="module")
def said(app: Flask) -> list[Said]:
    """Return the page's texts about all searches by both algorithms."""
    client = app.test_client()
    pairs = [trees(client, case.query) for case in SEARCHES]
    return [
        (case, algorithm, text)
        for case, texts in zip(SEARCHES, run("searches", pairs), strict=True)
        for algorithm, text in texts.items()
    ]


def test_every_number_is_that_of_the_search(said: list[Said]) -> None:
    """At each step and for each node the page shows the values of the search."""
    steps = 0
    unvisited = 0
    for case, algorithm, text in said:
        found = case.drawn(algorithm)
        check_steps(text["steps"], found, case)
        steps += len(found.events)
        last = {moves_in(step["path"]): step["numbers"] for step in text["steps"]}
        for name, node in text["nodes"].items():
            path = moves_in(name)
            assert node["numbers"] == last.get(path, [])
            check_summary(node["sentence"], path, found, case)
            check_drawn(node["drawn"], path, found, case)
            unvisited += path not in found.visits
    assert steps > 10_000
    assert unvisited > 1_000


def check_steps(steps: list[Any], search: Search, case: Case) -> None:
    """Assert that the steps are the events of a search, with its numbers and sentences."""
    spoken = [(NUMBER.findall(each["sentence"]), each["label"]) for each in steps]
    assert spoken == list(sentences(search, case))
    for step, event in zip(steps, search.events, strict=True):
        assert (step["kind"], moves_in(step["path"])) == (event.kind, event.path)
        assert step["numbers"] == numbers(event, search, case)
        check_words(step["sentence"], event, search, case)
    start = f"The search starts: {case.to_move} is to move."
    assert steps[0]["sentence"] == ("The game is over." if referee.is_over(case.board) else start)
    assert steps[-1]["visited"] == search.sizes[()]


def check_words(sentence: str, event: Event, search: Search, case: Case) -> None:
    """Assert that the words of a sentence are right, given that its numbers are."""
    board = case.at(event.path)
    over = [f"{side} wins" for side in "XO" if referee.has_won(board, side)] or ["A draw"]
    match event.kind:
        case "enter" if event.path:
            assert sentence.endswith(f", the {CELLS[event.path[-1]]}.")
        case "leaf" if search.sizes[event.path] == 1:
            start = over[0] if referee.is_over(board) else "Depth limit"
            assert sentence.startswith(f"{start}: ")
        case "back":
            is_best = "the best for" in sentence
            assert is_best != ("no better for" in sentence)
            assert f" for {case.mover(event.path)} " in sentence
            is_empty = event.alpha >= event.beta and event.path not in search.pruned
            assert ("no move is left" in sentence) == (search.prunes and is_empty)


def check_drawn(drawn: Any, path: Path, search: Search, case: Case) -> None:
    """Assert that a node is drawn as visited or never visited, with its score and its cutoff."""
    is_visited = path in search.visits
    assert drawn["state"] == ("done" if is_visited else "never")
    is_cut = path != () and path[-1] in search.pruned.get(path[:-1], [])
    assert drawn.get("isCut", False) == is_cut
    if is_visited:
        assert drawn["score"] == case.shown(search.scores[path])


#  A move that a sentence names.
MOVE: Final = re.compile(r"[XO](?: plays)? \d")


def test_every_move_in_a_sentence_is_linked_to_its_node(said: list[Said]) -> None:
    """At each step, about each node and in each question, each word marks the node it names."""
    linked = 0
    for case, algorithm, text in said:
        search = case.drawn(algorithm)
        child: Path = ()
        for step, event in zip(text["steps"], search.events, strict=True):
            linked += check_mentions(step, named(event, child, search), case)
            child = event.path
        for name, node in text["nodes"].items():
            check_mentions(node, pruned_at(moves_in(name), search), case)
        for asked in text["questions"]:
            linked += check_question_mentions(asked, text["steps"], search, case)
    assert linked > 50_000


def named(event: Event, child: Path, search: Search) -> list[Path]:
    """Return the nodes that the sentence about an event must name."""
    match event.kind:
        case "enter":
            return [event.path] if event.path else []
        case "back":
            return [child]
        case "cut":
            return pruned_at(event.path, search)
        case "end":
            return [(search.best_move,)]
    return []


def pruned_at(path: Path, search: Search) -> list[Path]:
    """Return the nodes that are pruned at a node, unless its children are not drawn."""
    if len(path) >= search.levels:
        return []
    return [(*path, move) for move in search.pruned.get(path, [])]


def check_mentions(told: Any, nodes: list[Path], case: Case) -> int:
    """Assert that words of a sentence mark these nodes; return their number.

    The words of a move have its side and its cell, and the sentence names no other move.
    """
    mentions = told["mentions"]
    assert [mention["paths"] for mention in mentions] == [[written(node)] for node in nodes], told
    moves = []
    for mention, node in zip(mentions, nodes, strict=True):
        assert mention["marked"] == mention["paths"]
        if mention["text"] not in ("this node", "next move"):
            mover = case.mover(node[:-1])
            assert mention["text"] in (f"{mover} {node[-1]}", f"{mover} plays {node[-1]}")
            moves.append(mention["text"])
    assert MOVE.findall(told["sentence"]) == moves
    return len(mentions)


def written(path: Path) -> str:
    """Return a path as the page writes it."""
    return ",".join(map(str, path))


def check_question_mentions(asked: Any, steps: list[Any], search: Search, case: Case) -> int:
    """Assert that a question, its answer and its choices mark their nodes; return the number."""
    above = moves_in(asked["path"])
    board = case.at(above)
    mover = case.mover(above)
    cells = search.moves(board, mover, case.depth - len(above), is_root=not above)
    below = [(*above, cell) for cell in cells]
    visited = [path for path in below if path in search.visits]
    answer = steps[asked["answered"]]
    text: list[Path] = []
    facts: list[Path] = []
    why = pruned_at(moves_in(answer["path"]), search) if answer["kind"] == "cut" else []
    choices: list[list[Path]] = []
    match asked["kind"].split()[0]:
        case "bound" | "typed" | "chosen":
            text = [above]
            facts = visited
        case "window" | "same":
            facts = [visited[0]]
            text = [visited[1]]
        case "first" | "nothing":
            facts = [path for path in below if search.sizes[path] == 1]
            choices = [[moves_in(choice["value"])] for choice in asked["choices"][:-1]]
        case _:
            choices = [[(*above, choice["value"])] for choice in asked["choices"][:-1]]
    found = [choice.get("paths", []) for choice in asked["choices"]]
    assert [paths for paths in found if paths] == [[*map(written, each)] for each in choices]
    return sum(
        check_mentions(asked[name], nodes, case)
        for name, nodes in (("text", text), ("facts", facts), ("why", why))
    )


def test_every_score_and_bound_agrees_with_minimax(said: list[Said]) -> None:
    """An exact score is the node's minimax value, and a bound is on the correct side of it."""
    bounds = 0
    for case, _, text in said:
        truth = case.search("minimax").scores
        for path, node in text["nodes"].items():
            found = re.search(r"score ([+\u2212]?\d+)( or more| or less|)", node["sentence"])
            if found:
                score = amount(found[1], case.unit)
                assert is_true(found[2], truth[moves_in(path)], score), (case, path, node)
                bounds += bool(found[2])
    assert bounds > 500


def test_one_node_is_a_node(said: list[Said]) -> None:
    """Sentences write `1 node`, and `nodes` after all other numbers."""
    sentences = [step["sentence"] for *_, text in said for step in text["steps"]]
    sentences += [node["sentence"] for *_, text in said for node in text["nodes"].values()]
    counted = {pair for sentence in sentences for pair in re.findall(r"(\d+) (nodes?)", sentence)}
    assert {word for number, word in counted if number == "1"} == {"node"}
    assert {word for number, word in counted if number != "1"} == {"nodes"}


def amount(text: str, unit: int) -> int:
    """Return the score at the start of a text, in the unit of the search."""
    found = re.match(r"[+\u2212]?\d+", text)
    assert found, text
    return int(found[0].replace("\u2212", "-")) * unit


Truth = dict[Path, int]


class Question(NamedTuple):
    """A question at a node that a search enters."""

    asked: Any
    enter: Event
    search: Search
    truth: Truth
    case: Case

    @property
    def values(self) -> list[Any]:
        """The values of the choices but the last, which names no move."""
        return [choice["value"] for choice in self.asked["choices"][:-1]]

    @property
    def scores(self) -> list[int]:
        """The scores that these choices name."""
        texts = [choice["text"].partition(": ")[2] for choice in self.asked["choices"][:-1]]
        return [self.amount(text) for text in texts]

    def amount(self, text: str) -> int:
        """Return the score at the start of a text."""
        return amount(text, self.case.unit)


def right_moves(question: Question) -> list[Any]:
    """Return the moves that the search prunes; the question's scores must be minimax's."""
    path = question.enter.path
    assert question.scores == [question.truth[*path, move] for move in question.values]
    return question.search.pruned.get(path, ["none"])


def right_first(question: Question) -> list[Any]:
    """Return the path of the first move that the search prunes two plies down.

    The question's scores must be minimax's.
    """
    truth = question.truth
    above = question.enter.path
    paths = [path for path in truth if path[:-2] == above and len(path) > 1]
    assert [moves_in(value) for value in question.values] == paths
    assert question.scores == [truth[path] for path in paths]
    check_ended(question, {path[:-1] for path in paths})
    for path, value in zip(paths, question.values, strict=True):
        if question.search.pruned.get(path[:-1], [])[:1] == [path[-1]]:
            return [value]
    return ["none"]


def check_ended(question: Question, parents: set[Path]) -> None:
    """Assert that the facts have the scores of exactly the moves that end the search."""
    truth = question.truth
    children = [path for path in truth if path and path[:-1] == question.enter.path]
    ended = re.findall(r"After [XO] (\d) .*?: (.*?)\.(?: |$)", question.asked["facts"]["sentence"])
    told = [(int(cell), question.amount(text)) for cell, text in ended]
    assert told == [(path[-1], truth[path]) for path in children if path not in parents]
    form = r"The search does not know their scores yet\.( After [XO] \d the game is over: \S+\.)*"
    assert re.fullmatch(form, question.asked["facts"]["sentence"])


def right_window(question: Question) -> list[Any]:
    """Return the window after the move in the question."""
    facts = question.asked["facts"]["sentence"]
    found = re.search(r"returned (.*?)\. The search came here with (.*)\.", facts)
    assert found
    alpha, beta = question.enter.alpha, question.enter.beta
    assert found[2] == window_of(alpha, beta, question.case)
    score = question.amount(found[1])
    if question.enter.side == "MAX":
        alpha = max(alpha, score)
    else:
        beta = min(beta, score)
    return [window_of(alpha, beta, question.case)]


def returned_scores(question: Question) -> list[tuple[int, str]]:
    """Return the scores of the moves with their bounds, which must be true."""
    found = []
    pattern = r"(\d): ([+\u2212]?\d+)( or more| or less|)"
    for cell, text, bound in re.findall(pattern, question.asked["facts"]["sentence"]):
        score = question.amount(text)
        assert is_true(bound, question.truth[*question.enter.path, int(cell)], score)
        found.append((score, bound))
    return found


def right_score(question: Question) -> list[Any]:
    """Return the node's score: the best of its moves' scores, with its bound."""
    enter = question.enter
    moves = returned_scores(question)
    pick, beyond = (max, " or more") if enter.side == "MAX" else (min, " or less")
    best = pick(score for score, _ in moves)
    bounds = [bound for score, bound in moves if score == best]
    (bound, *_) = [each for each in (beyond, "") if each in bounds] + bounds
    assert is_true(bound, question.truth[enter.path], best)
    if question.asked["type"] == "text":
        assert not bound
        return [best]
    return [question.case.shown(best) + bound]


def right(question: Question) -> list[Any]:
    """Return the right answer to a question."""
    text = question.asked["text"]["sentence"]
    if text.startswith("With which \u03b1 and \u03b2"):
        return right_window(question)
    judge = {
        "What does the search return for this node?": right_score,
        "Which of these moves will be pruned?": right_moves,
        "Which of these moves is pruned first?": right_first,
    }[text]
    return judge(question)


def reason(question: Question, steps: list[Any]) -> str:
    """Return the start of the reason for the right answer: for a cutoff, its step's sentence."""
    asked = question.asked
    enter = question.enter
    case = question.case
    changes, beyond, extreme, reaches, limit = {
        "MAX": ("raises \u03b1", "above \u03b1", "highest", "\u2265 \u03b2", enter.beta),
        "MIN": ("lowers \u03b2", "below \u03b2", "lowest", "\u2264 \u03b1", enter.alpha),
    }[enter.side]
    match asked["kind"].split()[0]:
        case "cutoff" | "tie" | "first":
            step = steps[asked["answered"]]
            assert step["kind"] == "cut"
            return str(step["sentence"])
        case "no":
            start = f"No cutoff: no score before the last is {reaches} {case.shown(limit)}"
            return f"{start}, and after the last no move is left."
        case "nothing":
            return "No cutoff: \u03b1 is below \u03b2 as long as a reply is left."
        case "window":
            return f"{enter.side} {changes} to {returned(question)}."
        case "same":
            return f"{returned(question)} is not {beyond}, so neither changes."
    (best,) = asked["right"]
    if asked["type"] == "text":
        best = case.shown(best)
    return f"{enter.side} takes the {extreme}: {best}."


def returned(question: Question) -> str:
    """Return the score that a question says a move returned, without `or more` or `or less`."""
    text = question.asked["facts"]["sentence"].partition(" returned ")[2]
    return question.case.shown(question.amount(text))


def test_the_answer_to_every_question_is_correct(said: list[Said]) -> None:
    """The answer and the reason follow from the scores in the question, which are minimax's.

    In each search, a question about a cutoff beyond the window precedes those at its limit.
    """
    kinds: Counter[str] = Counter()
    positions = set()
    for case, algorithm, text in said:
        truth = case.search("minimax").scores
        search = case.search(algorithm)
        entered = {event.path: event for event in reversed(search.events)}
        for asked in text["questions"]:
            enter = entered[moves_in(asked["path"])]
            check_question(Question(asked, enter, search, truth, case), text["steps"])
            positions.add(case.position)
        kinds.update(asked["kind"] for asked in text["questions"])
        ordered = [asked["kind"].split()[0] for asked in text["questions"]]
        assert "tie" not in ordered or "cutoff" in ordered[: ordered.index("tie")]
    assert len(positions) >= 350
    assert min(kinds.values()) >= 5, kinds
    assert kinds.keys() == KINDS


KINDS: Final = {
    *("cutoff at once", "cutoff later", "tie at once", "tie later", "no cutoff"),
    *("first pruned", "nothing pruned", "window", "same window"),
    *("typed score", "chosen score", "bound"),
}


def answered(question: Question, steps: list[Any]) -> int:
    """Return the first step that shows the answer to a question."""
    asked = question.asked
    pruned = question.search.pruned
    match asked["kind"].split()[0]:
        case "cutoff" | "tie" | "first":
            paths = [path for path in pruned if path[:-1] == question.enter.path and path]
            paths = paths if asked["kind"] == "first pruned" else [question.enter.path]
            kind = "cut"
        case "no" | "nothing":
            paths = [question.enter.path]
            kind = "back"
        case _:
            return int(asked["step"]) + 1
    wanted = [(kind, path) for path in paths]
    kinds = [(each["kind"], moves_in(each["path"])) for each in steps]
    found = [index for index, each in enumerate(kinds) if each in wanted]
    return found[0] if asked["kind"] == "first pruned" else found[-1]


def check_question(question: Question, steps: list[Any]) -> None:
    """Assert that the right answer and its reason are right, and that no choice is repeated."""
    asked = question.asked
    assert asked["right"] == right(question), asked
    assert asked["why"]["sentence"].startswith(reason(question, steps)), asked
    assert asked["answered"] == answered(question, steps)
    values = [choice["value"] for choice in asked["choices"]]
    assert len(set(values)) == len(values)
    assert asked["type"] == "text" or set(asked["right"]) <= set(values)


ALGORITHMS: Final = (
    *("minimax", "alphabeta", "ordered_alphabeta"),
    *("transposition_table", "iterative_deepening"),
)
LIMITS: Final = [*product(("outcome", "distance"), ORDERS[:1], (9, 4, 3, 2, 1))]
FEW: Final = [each for each in OPEN if each[0].count(".") <= 6]
COMPARED: Final = [
    *(Case(FEW[17 * index % len(FEW)], *limit) for index, limit in enumerate(50 * LIMITS)),
    *(Case(each, *limit) for each, limit in product([*OVER, *LARGE], LIMITS)),
]


def costs(case: Case) -> list[int]:
    """Return the number of nodes that each algorithm visits."""
    return [
        case.search("minimax").sizes[()],
        case.search("alphabeta").sizes[()],
        case._replace(order="guessed").search("alphabeta").sizes[()],
        TableSearch(*case.position, deepens=False, **case.options).nodes,
        TableSearch(*case.position, deepens=True, **case.options).nodes,
    ]


def conclusion(case: Case, visited: list[int]) -> str:
    """Return the sentences below the comparison."""
    if referee.is_over(case.board):
        return "The game is over: there is one node to visit."
    move = case.search("minimax").best_move
    found = f"All find the same move, {case.to_move} {move}, the {CELLS[move]}."
    if max(visited) < 50 * min(visited):
        return found
    return f"{found} The bars are as long as the logarithms of the nodes."


def test_the_comparison_is_that_of_textbook_searches(client: FlaskClient) -> None:
    """The nodes, the bars and the sentences are those of other searches."""

    def ask(case: Case, algorithm: str) -> Any:
        query = case.query | {"algorithm": algorithm}
        del query["order"]
        return client.get("/best-move", query_string=query).json

    asked = [[ask(case, name) for name in ALGORITHMS] for case in COMPARED]
    sizes = set()
    for case, answers, said in zip(COMPARED, asked, run("comparisons", asked), strict=True):
        assert len({answer["move"] for answer in answers}) == 1
        visited = costs(case)
        assert said["note"] == conclusion(case, visited)
        size = log if "logarithms" in said["note"] else float
        check_bars(said["costs"], visited, size)
        sizes.add(size)
    assert sizes == {log, float}


def check_bars(costs: list[Any], visited: list[int], size: Callable[[int], float]) -> None:
    """Assert that each bar has its nodes and a length in proportion."""
    longest = size(max(visited))
    for cost, nodes in zip(costs, visited, strict=True):
        assert cost["nodes"] == f"{nodes:,}"
        assert cost["share"] == pytest.approx(size(nodes) / longest)


def test_the_reasons_below_the_comparison_have_true_numbers(client: FlaskClient) -> None:
    """They are the golden numbers of games, nodes, boards and classes."""
    reasons = client.get("/search").text.partition("<h3>Why</h3>")[2].partition("</ul>")[0]
    told = {int(number) for number in re.findall(r"\d{3,}", reasons.replace(",", ""))}
    assert told == {
        sum(golden.GAMES.values()),
        golden.NODES["minimax", "distance"],
        golden.BOARDS,
        golden.STARTED_BY_X,
        sum(golden.CLASSES),
    }
