"""The lessons as a learner reads them: each statement is true of the search that is shown."""

import inspect
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any, Final

import pytest

from best_move.web.pages.lessons import LESSONS
from tests.truth import golden, referee
from tests.truth.textbook import Path
from tests.web.pages import number_judge
from tests.web.pages.drawn_tree import moves_in
from tests.web.pages.page import Element, Moment, Page, classes, only, text
from tests.web.pages.search_judge import View, is_pressed, shown_card
from tests.web.pages.searches import Case

SMALL: Final = "XXOOX...O"
LARGE: Final = "X.O.O.X.."
OTHER: Final = "visit /search?lesson=11&board=.O.X.O..."

Lessons = Mapping[int, Moment]


@pytest.fixture(scope="module")
def lessons(page: Page) -> Lessons:
    """Return what each lesson shows when it is opened, by its number."""
    return {number: page.do(f"visit /search?lesson={number}").last for number in LESSONS}


@pytest.fixture(scope="module")
def on_boards(lessons: Lessons) -> Lessons:
    """Return the lessons on positions."""
    return {number: lessons[number] for number in LESSONS if "board" in LESSONS[number].search}


def plain(element: Element) -> str:
    """Return the text of an element with hyphens for minus signs."""
    return text(element).replace("\u2212", "-")


def sentence(lesson: Moment) -> str:
    """Return what the page says about the step of a lesson."""
    return plain(lesson["moment-sentence"])


def name(lesson: Moment, path: str) -> str:
    """Return the accessible name of a node of a lesson."""
    return only(lesson.body, f".//*[@data-path='{path}']").get("aria-label", "")


def numbers_after(words: str, lesson: Moment) -> list[int]:
    """Return the numbers in the text of a lesson after some words, which it must have."""
    _, found, rest = plain(shown_card(lesson)).partition(words)
    assert found
    return [int(number) for number in re.findall(r"[+-]?\d+", rest)]


def scores(board: str, **options: Any) -> dict[str, int]:
    """Return X's score of each node of minimax's tree, by path."""
    found = Case(board, "X", **options).truth.scores
    return {",".join(map(str, path)): score for path, score in found.items()}


def outcomes(board: str, *paths: str) -> list[int]:
    """Return the outcomes of nodes for X: 1, 0 or -1."""
    found = scores(board, scoring="outcome")
    return [found[path] // 100 for path in paths]


def sizes(board: str, scoring: str = "outcome") -> list[int]:
    """Return the nodes that minimax and alpha-beta visit."""
    case = Case(board, "X", scoring)
    return [case.truth.sizes[()], case.search.sizes[()]]


def test_the_sides_and_their_moves_are_in_color(lessons: Lessons) -> None:
    """In the lessons X, O and the moves after them, such as X 6, have the side's color."""
    for lesson in lessons.values():
        colored = shown_card(lesson).findall(".//b[@data-mark]")
        named = re.findall(r"\b[XO]\b(?: \d)?", text(shown_card(lesson)))
        assert named == [text(each) for each in colored]
        assert [each[0] for each in named] == [each.get("data-mark") for each in colored]


#  The nodes that words mean: by the position, and by the moves to it.
MEANINGS: Final[dict[str, Callable[[str, Path], bool]]] = {
    "leaf": lambda board, _: referee.is_over(board),
    "MAX": lambda board, path: not referee.is_over(board) and len(path) % 2 == 0,
    "MIN": lambda board, path: not referee.is_over(board) and len(path) % 2 == 1,
    "corner": lambda _, path: len(path) == 1 and path[0] in (0, 2, 6, 8),
    "side": lambda _, path: len(path) == 1 and path[0] in (1, 3, 5, 7),
    "nodes on the way": lambda _, path: path in ((2,), (2, 1)),
}

#  What a lesson claims about the move before it, and whether that is true of a node.
CLAIMS: Final[dict[str, Callable[[Case, str], bool]]] = {
    "wins": lambda case, path: outcomes(case.board, path) == [-1 if path.count(",") % 2 else 1],
    "draws": lambda case, path: outcomes(case.board, path) == [0],
    "is pruned": lambda case, path: int(path[-1]) in case.search.pruned[moves_in(path[:-2])],
}
UNITS: Final = {"outcome": 100, "distance": 1}  # of a score that the page shows


def test_each_word_of_a_lesson_names_its_nodes(page: Page, on_boards: Lessons) -> None:
    """A move's word has its side and cell, and what the lesson says about the move is true."""
    claims: Counter[str] = Counter()
    for lesson in (*on_boards.values(), page.do(OTHER).last):
        case = View(lesson).case
        (paragraph,) = filter(lesson.is_visible, shown_card(lesson).iterfind("p[@class='text']"))
        words = paragraph.findall(".//*[@data-paths]")
        moves = [text(word) for word in words if re.fullmatch(r"[XO] \d", text(word))]
        assert re.findall(r"\b[XO] \d", text(paragraph)) == moves
        for word in words:
            paths = json.loads(word.get("data-paths", ""))
            nodes = [moves_in(path) for path in paths]
            if text(word) in MEANINGS:
                is_meant = MEANINGS[text(word)]
                found = [path for path in case.truth.visits if is_meant(case.at(path), path)]
                assert sorted(nodes) == sorted(found)
                continue
            for path in nodes:
                assert text(word) in (f"{case.mover(path[:-1])} {path[-1]}", f"{path[-1]}")
            rest = " ".join((word.tail or "").replace("\u2212", "-").split())
            claim = re.match(r"(?:, which )?(wins|draws|is pruned)", rest)
            if claim:
                assert CLAIMS[claim[1]](case, *paths), (text(word), rest)
                claims[claim[1]] += 1
            score = re.match(r"(?:, which )?scores (?:\d - \d = )?([+-]?\d+)", rest)
            if score:
                assert float(score[1]) == case.truth.scores[nodes[0]] / UNITS[case.scoring]
                claims["scores"] += 1
    assert claims == {"wins": 7, "draws": 3, "is pruned": 2, "scores": 4}


def test_the_nodes_of_the_words_of_a_lesson_are_drawn(page: Page, lessons: Lessons) -> None:
    """A lesson that draws only a branch leaves none of them out; of mirror images one is drawn."""
    visits = [*(f"visit /search?lesson={number}" for number in LESSONS), OTHER]
    narrow = [page.do(f"{visit} with a narrow window").last for visit in visits]
    for lesson in (*lessons.values(), *narrow):
        drawn = {node.get("data-path") for node in lesson["drawing"].iterfind(".//*[@data-path]")}
        words = shown_card(lesson).iterfind(".//*[@data-paths]")
        for word in filter(lesson.is_visible, words):
            paths = {*json.loads(word.get("data-paths", ""))}
            assert paths <= drawn or (is_pressed(lesson, "merging") and paths & drawn)


#  Terms that the lesson in which they first appear explains without setting them in bold.
UNMARKED: Final = {4: ["next cutoff", "\u221e"]}


def visible(shown: Moment) -> str:
    """Return the text of the page without the parts that are hidden, closed or for no scripts."""
    body = deepcopy(shown.body)
    is_plain = "plain" in classes(shown["search"])  # which hides the names of the sides by styles
    for parent in [*body.iter()]:
        for child in [*parent]:
            is_side = child.get("id") == "moment-numbers" or "side" in classes(child)
            is_hidden = child.get("hidden") is not None or child.tag in ("dialog", "noscript")
            if is_hidden or (is_plain and is_side):
                parent.remove(child)
    return text(body)


def test_no_term_is_shown_before_the_lesson_that_explains_it(lessons: Lessons) -> None:
    """No lesson opens with a term of a later one in its text, step, controls, code or key."""
    explained: dict[int, list[str]] = {}
    for number, shown in lessons.items():
        bold = [text(each) for each in shown_card(shown).iterfind(".//b")]
        explained[number] = [term for term in bold if not re.fullmatch(r"[XO]( \d)?", term)]
        explained[number] += UNMARKED.get(number, [])
    assert sum(map(len, explained.values())) > 12
    for number, shown in lessons.items():
        words = visible(shown).lower()
        known = {term for each in range(1, number + 1) for term in explained[each]}
        later = {term for terms in explained.values() for term in terms} - known
        for term in later:
            start = r"(?<![\w-])" if term[0].isalpha() else ""  # `cutoffs` has the term `cutoff`
            assert not re.search(start + re.escape(term.lower()), words), (number, term)


def test_the_key_explains_each_state_of_the_nodes(lessons: Lessons) -> None:
    """What is gray, in a thick frame or pruned at the first sight of a lesson is in its key."""
    meanings = {
        "later": "not visited yet",
        "current": "being searched",
        "never": "pruned: never visited",
    }
    explained = set()
    for number, shown in lessons.items():
        key = [text(each) for each in shown["legend"] if shown.is_visible(each)]
        nodes = shown["drawing"].findall(".//*[@role='treeitem']")
        states = {each.get("data-state", "") for each in nodes}
        states |= {name for each in nodes for name in classes(each)}
        for state in states & meanings.keys():
            assert meanings[state] in key, number
            explained.add(state)
    assert explained == meanings.keys()


def test_every_lesson_has_a_test() -> None:
    """A test below takes each lesson, and computes what it says."""
    source = inspect.getsource(sys.modules[__name__])
    taken = {int(number) for number in re.findall(r"lessons\[(\d+)\]", source)}
    assert taken == {*LESSONS}, "Write a test that computes the numbers in the text of the lesson."


def test_the_lesson_on_a_tree_of_numbers_is_true_as_its_leaves_are_changed(
    page: Page, lessons: Lessons
) -> None:
    """Each word names a node by its letter or number; each change has the cutoffs that it says."""
    lesson = lessons[1]
    number_judge.check(lesson)
    told = plain(shown_card(lesson))
    case = number_judge.View(lesson).case
    for word in shown_card(lesson).iterfind(".//*[@data-paths]"):
        (path,) = map(moves_in, json.loads(word.get("data-paths", "")))
        assert text(word) in (case.names[path], str(case.search.leaf(path)))
    assert case.search.scores == {**case.search.scores, (0,): 3, (1,): 2}
    changes = re.findall(r"(?:Click|click) (?:the )?(\d+)\D*? and type (\d+)", told)
    assert [*changes] == [("14", "1"), ("12", "2"), ("2", "7")]
    pruned = [set(case.search.pruned)]
    page.do("visit /search?lesson=1")
    for letter, (_, number) in zip("KFH", changes, strict=True):
        moment = page.do(f"focus Leaf {letter}", f"type Leaf {letter}: {number}").last
        number_judge.check(moment)
        assert text(shown_card(moment)) == text(shown_card(lesson)), "the lesson goes on"
        case = number_judge.View(moment).case
        pruned.append(set(case.search.pruned))
    assert pruned == [{(1,)}, {(1,), (2,)}, {(1,), (2,)}, {(2,)}]


def test_the_lesson_on_the_game_tree_has_true_scores(lessons: Lessons) -> None:
    """The tree has the moves that the lesson names, and leaves of all three scores."""
    told = numbers_after("at the top, X can play cell", lessons[2])
    assert told == [5, 6, 7, 1, 0, -1, 3]
    assert referee.moves(SMALL) == [5, 6, 7]
    assert outcomes(SMALL, "5,6,7", "5,7,6", "6,5") == [1, 0, -1]


def test_the_lesson_on_max_and_min_has_true_scores(lessons: Lessons) -> None:
    """MIN's node has the lower of the two scores."""
    told = "O 5, which scores -1, and O 7, which scores 0: so X 6 scores -1"
    assert told in plain(shown_card(lessons[3]))
    assert outcomes(SMALL, "6,5", "6,7", "6") == [-1, 0, -1]
    assert sentence(lessons[3]).startswith("X 6 scores -1")


def test_the_lesson_on_alpha_and_beta_has_true_numbers(lessons: Lessons) -> None:
    """Alpha and beta are the numbers that the lesson names."""
    told = plain(shown_card(lessons[4]))
    assert "X 5 draws, so \u03b1 is 0." in told
    assert "at X 6, in the thick frame, where O 5 wins, so \u03b2 is -1." in told
    assert outcomes(SMALL, "5", "6,5") == [0, -1]
    assert "\u03b1 0 \u03b2 -1" in plain(lessons[4]["moment-numbers"])
    assert sentence(lessons[4]) == "O 5 scores -1, a loss for X: the best for O so far."
    assert name(lessons[4], "6,7") == "O 7: not visited yet"


def test_the_lesson_on_cutoffs_and_bounds_has_true_numbers(lessons: Lessons) -> None:
    """It shows the bound that follows the cutoff of the lesson before, and its counts are right."""
    assert "A cutoff needs \u03b1 \u2265 \u03b2, here 0 \u2265 -1;" in plain(shown_card(lessons[5]))
    assert name(lessons[5], "6").startswith("X 6: \u22121 or less")
    assert name(lessons[5], "6,7") == "O 7: never visited"
    assert sentence(lessons[5]).startswith("X 6 scores -1 or less")
    assert numbers_after("the same move", lessons[5])[::-1] == sizes(SMALL)


def test_the_lesson_on_a_larger_tree_shows_its_first_cutoff(lessons: Lessons) -> None:
    """The lesson's counts of nodes are those of minimax and alpha-beta."""
    assert numbers_after("Minimax visits", lessons[6])[:2] == sizes(LARGE)
    assert referee.wins(LARGE, "X") == {3}
    assert outcomes(LARGE, "1,3,5", "1,3,7,5") == [0, -1]
    assert sentence(lessons[6]).startswith(
        "Cutoff: \u03b1 0 \u2265 \u03b2 -1. X already has a draw"
    )
    assert sentence(lessons[6]).endswith("Pruned: O 8.")
    assert name(lessons[6], "1,3,7,8") == "O 8: never visited"


def test_the_lesson_on_a_block_shows_the_only_move_that_does_not_lose(lessons: Lessons) -> None:
    """All other moves lose to the same reply."""
    board = "XO..O...X"
    assert (referee.wins(board, "X"), referee.wins(board, "O")) == (set(), {7})
    for move in referee.moves(board):
        is_block = move == 7
        assert outcomes(board, f"{move}") == [0 if is_block else -1]
        assert is_block or 7 in referee.wins(referee.play(board, "X", move), "O")
    assert outcomes(board, "2,7") == [-1]
    assert sentence(lessons[7]) == "O wins: score -1."


def test_the_lesson_on_a_fork_has_the_winning_move(lessons: Lessons) -> None:
    """The move makes two threats, and the score is that of a win with the mark that is named."""
    board = ".X.XOO.O."
    assert not referee.wins(board, "O")
    assert referee.wins(referee.play(board, "X", 0), "X") == {2, 6}
    mark = 9 - board.count(".") + 3
    won = f"the game's {mark}th mark scores 100 - {mark} = +{100 - mark} for X"
    assert f"{won}, -{100 - mark} for O" in plain(shown_card(lessons[8]))
    assert (scores(board)["0"], scores(board)["0,6,2"]) == (92, 92)
    assert sentence(lessons[8]).startswith("X 0 scores +92, a win for X")


def test_the_lesson_on_a_deep_cutoff_shows_a_cutoff_by_a_bound_of_the_root(
    lessons: Lessons,
) -> None:
    """Alpha comes from the root, and beta from the node's own reply."""
    board = "O..OX..X."
    told = plain(shown_card(lessons[9]))
    assert "with the game's 5th mark, so from then on \u03b1 is 100 - 5 = +95" in told
    assert "\u03b2 is -92" in told
    assert 9 - board.count(".") + 1 == 5
    truth = scores(board)
    assert (referee.wins(board, "X"), truth["1"], truth["2,1,5,6"]) == ({1}, 95, -92)
    assert "\u03b1 +95 \u03b2 -92" in plain(lessons[9]["moment-numbers"])
    assert "X already has a win elsewhere" in sentence(lessons[9])
    assert sentence(lessons[9]).endswith("Pruned: O 8.")


def test_the_lesson_on_move_order_has_true_numbers(lessons: Lessons) -> None:
    """The numbers are those of minimax, and of alpha-beta in each order."""
    board = "XO.X..O.."
    best, worst = (Case(board, "X", order=order) for order in ("best_first", "worst_first"))
    counted = [best.search.sizes[()], worst.search.sizes[()]]
    assert numbers_after("Minimax visits", lessons[10]) == [*sizes(board, "distance"), *counted]


def test_the_lesson_on_depth_limits_has_true_estimates(lessons: Lessons) -> None:
    """The estimates of the first moves, and of one and two marks, are right."""
    truth = scores("." * 9, depth=2)
    assert [truth[f"{cell}"] for cell in range(9)] == list(golden.VALUES_AT_DEPTH_2.values())
    marks = ("X........", "XX.......", "O........", "OO.......")
    assert [referee.estimate(board, "X") for board in marks] == [3, 6, -3, -6]
    assert referee.estimate("O...X....", "X") == truth["4"] == 3 - 2
    replies = {path: score for path, score in truth.items() if re.fullmatch("4,.", path)}
    assert replies["4,0"] == min(replies.values()), "O's best reply"
    point, corner, side = truth["4"], truth["0"], truth["1"]
    told = plain(shown_card(lessons[11]))
    assert f"X 4 scores 3 - 2 = +{point} point (a win is over +90)" in told
    assert f"a corner {corner}, a side {side}." in told
    assert sentence(lessons[11]) == f"X plays 4: score +{point}, an estimate."


def test_the_lesson_on_depth_limits_has_the_moves_of_two_searches(lessons: Lessons) -> None:
    """Of all limits below the end of the game, only 4 finds a move that draws; 2 and 5 lose."""
    told = plain(shown_card(lessons[11]))
    board = ".O.X.O..."
    named = re.search(r"depth of 2, X plays (\d).* depth of 4 finds (\d).* of 5 plays (\d)", told)
    assert named
    depths = range(1, board.count(".") + 1)
    found = [Case(board, "X", depth=depth).truth.best_move for depth in depths]
    assert [int(cell) for cell in named.groups()] == [found[depth - 1] for depth in (2, 4, 5)]
    assert outcomes(board, *map(str, found)) == [-1, -1, -1, 0, -1, 0]
