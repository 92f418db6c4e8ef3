"""The lessons: each statement is true of the search that the lesson shows."""

import inspect
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from html import unescape
from typing import Any, Final, NamedTuple

import pytest
from flask import Flask
from flask.testing import FlaskClient

from best_move.web.pages.previews import LESSONS
from tests.truth import golden, referee
from tests.web.pages.drawn_tree import Path, moves_in
from tests.web.pages.searches import Case, texts_of

SMALL: Final = "XXOOX...O"
LARGE: Final = "X.O.O.X.."
CARD: Final = re.compile(r'<article data-lesson="(\d+)".*?</h2>(.*?)</article>', re.DOTALL)


class Lesson(NamedTuple):
    """A lesson's text, and what the page says about its search: at its step, and at its nodes."""

    text: str
    kind: str
    numbers: list[str]
    sentence: str
    nodes: dict[str, str]

    def numbers_after(self, words: str) -> list[int]:
        """Return the numbers in the text after some words, which it must have."""
        _, found, rest = self.text.partition(words)
        assert found
        return [int(number) for number in re.findall(r"[+-]?\d+", rest)]


def plain(text: str) -> str:
    """Return a text of the page without tags, with single spaces and hyphens for minus signs."""
    found = unescape(re.sub(r"<[^>]+>", "", text)).replace("\u2212", "-")
    return " ".join(found.split())


@pytest.fixture(scope="module")
def take(app: Flask) -> Callable[[int], Lesson]:
    """Return a function that returns a lesson by number."""
    client = app.test_client()
    searches = [lesson.search for lesson in LESSONS.values()]
    cards = CARD.findall(client.get("/search").text)
    lessons = {}
    for (number, card), search, said in zip(
        cards, searches, texts_of(client, searches), strict=True
    ):
        step = said["steps"][: int(search["step"]) + 1][-1]
        nodes = {node["path"]: sentence_of(node) for node in said["nodes"]}
        lines = [plain(line) for line in step["lines"]]
        lessons[int(number)] = Lesson(plain(card), step["kind"], lines, sentence_of(step), nodes)
    return lessons.__getitem__


def sentence_of(said: Any) -> str:
    """Return a sentence of the page as plain text."""
    return plain("".join(part["text"] for part in said["sentence"]))


def scores(board: str, **options: Any) -> dict[str, int]:
    """Return X's score of each node of minimax's tree, by path."""
    found = Case(board, "X", **options).truth.scores
    return {",".join(map(str, path)): score for path, score in found.items()}


def outcomes(board: str, *paths: str) -> list[int]:
    """Return the outcomes of nodes: 1, 0 or -1."""
    found = scores(board, scoring="outcome")
    return [found[path] // 100 for path in paths]


def sizes(board: str, scoring: str = "outcome") -> list[int]:
    """Return the nodes that minimax and alpha-beta visit."""
    case = Case(board, "X", scoring)
    return [case.truth.sizes[()], case.search.sizes[()]]


def wins(board: str) -> list[int]:
    """Return the cells that complete a line of X."""
    return sorted(referee.wins(board, "X"))


def test_the_sides_and_their_moves_are_in_color(client: FlaskClient) -> None:
    """In the lessons X, O and the moves after them, such as X 6, have the side's color."""
    colored = re.compile(r'<b data-mark="([XO])">(.*?)</b>(\s+\d)?', re.DOTALL)
    for _, card in CARD.findall(client.get("/search").text):
        for mark, words, move in colored.findall(card):
            assert re.fullmatch(rf"{mark}(\s+\d)?", words)
            assert not move, f"{words}{move}"
        rest = plain(colored.sub("", card))
        assert not re.search(r"\b[XO]\b", rest), rest


def outcome(case: Case, path: Path) -> int:
    """Return the outcome of a node, whatever the depth of the search: 1, 0 or -1."""
    return outcomes(case.board, ",".join(map(str, path)))[0]


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
CLAIMS: Final[dict[str, Callable[[Case, Path], bool]]] = {
    r"(?:, which)? wins": lambda case, path: outcome(case, path) == (1 if len(path) % 2 else -1),
    r"(?:, which)? draws": lambda case, path: outcome(case, path) == 0,
    r"(?:, which)? is pruned": lambda case, path: path[-1] in case.search.pruned[path[:-1]],
}
SCORED: Final = re.compile(r"(?:, which)? scores (?:\d - \d = )?([+-]?\d+)")


def test_each_word_of_a_lesson_names_its_nodes(client: FlaskClient) -> None:
    """A move's word has its side and cell, and what the lesson says about the move is true."""
    page = client.get("/search").text
    claims: Counter[str] = Counter()
    for case, words, paths, rest in words_of(page):
        if words in MEANINGS:
            nodes = case.truth.scores
            assert {*paths} == {path for path in nodes if MEANINGS[words](case.at(path), path)}
            continue
        for path in paths:
            assert path in case.truth.scores
            assert words in (f"{case.mover(path[:-1])} {path[-1]}", f"{path[-1]}")
        for claim, is_true in CLAIMS.items():
            if re.match(claim, rest):
                assert is_true(case, *paths), (words, rest)
                claims[claim] += 1
        if found := SCORED.match(rest):
            (path,) = paths
            assert int(found[1]) == int(plain(case.shown(case.truth.scores[path])))
            claims["scores"] += 1
    assert sorted(claims.values()) == [3, 3, 4, 7]
    unlinked = re.sub(r'<span class="mention".*?</span>', "", page)
    assert re.findall(r"\b[XO] \d", plain(unlinked.partition('id="position"')[0])) == []


def words_of(page: str) -> Iterator[tuple[Case, str, list[Path], str]]:
    """Yield the words that name nodes in the lessons: their search, nodes, and the text after."""
    for number, card in CARD.findall(page):
        search = LESSONS[int(number)].search
        for board, text in re.findall(
            r'<p class="text"(?: data-board="(.*?)")?.*?>(.*?)</p>', card, re.DOTALL
        ):
            depth = int(search.get("max_depth", 9))
            scoring = search.get("scoring", "distance")
            case = Case(board or search["board"], "X", scoring, depth=depth)
            for found in re.finditer(
                r"<span class=\"mention\" data-paths='(.*?)'>(.*?)</span>", text
            ):
                paths = [moves_in(path) for path in json.loads(found[1])]
                yield case, plain(found[2]), paths, plain(f"-{text[found.end() :]}")[1:]


Take = Callable[[int], Lesson]


def test_every_lesson_has_a_test() -> None:
    """A test below takes each lesson, and computes what it says."""
    source = inspect.getsource(sys.modules[__name__])
    taken = {int(number) for number in re.findall(r"take\((\d+)\)", source)}
    assert taken == {*LESSONS}, "Write a test that computes the numbers in the text of the lesson."


def test_the_lesson_on_the_game_tree_has_true_scores(take: Take) -> None:
    """The tree has the moves that the lesson names, and leaves of all three scores."""
    assert take(1).numbers_after("at the top, X can play cell") == [5, 6, 7, 1, 0, -1, 2]
    assert referee.moves(SMALL) == [5, 6, 7]
    assert outcomes(SMALL, "5,6,7", "5,7,6", "6,5") == [1, 0, -1]
    assert len(take(1).nodes) == 11


def test_the_lesson_on_max_and_min_has_true_scores(take: Take) -> None:
    """MIN's node has the lower of the two scores."""
    assert "O 5, which scores -1, and O 7, which scores 0: so X 6 scores -1" in take(2).text
    assert outcomes(SMALL, "6,5", "6,7", "6") == [-1, 0, -1]
    assert take(2).sentence.startswith("X 6 scores -1")


def test_the_lesson_on_alpha_and_beta_has_true_numbers(take: Take) -> None:
    """Alpha and beta are the numbers that the lesson names."""
    lesson = take(3)
    assert "X 5 draws, so \u03b1 is 0." in lesson.text
    assert "at X 6, in the thick frame, where O 5 wins, so \u03b2 is -1." in lesson.text
    assert outcomes(SMALL, "5", "6,5") == [0, -1]
    assert lesson.numbers[1:] == ["\u03b1 0 \u03b2 -1", "best so far -1"]
    assert lesson.sentence == "O 5 scores -1, a loss for X: the best for O so far."
    assert (lesson.kind, lesson.nodes["6,7"]) == ("back", "Alpha-beta never visits this node.")


def test_the_lesson_on_cutoffs_and_bounds_has_true_numbers(take: Take) -> None:
    """It shows the bound that follows the cutoff of the lesson before, and its counts are right."""
    lesson = take(4)
    assert "A cutoff needs \u03b1 \u2265 \u03b2, here 0 \u2265 -1;" in lesson.text
    assert "score -1 or less" in lesson.nodes["6"]
    assert lesson.sentence.startswith("X 6 scores -1 or less")
    assert lesson.numbers_after("the same move")[::-1] == sizes(SMALL)


def test_the_lesson_on_a_larger_tree_shows_its_first_cutoff(take: Take) -> None:
    """The lesson's counts of nodes are those of minimax and alpha-beta."""
    lesson = take(5)
    assert lesson.numbers_after("Minimax visits")[:2] == sizes(LARGE)
    assert wins(LARGE) == [3]
    assert outcomes(LARGE, "1,3,5", "1,3,7,5") == [0, -1]
    assert lesson.sentence.startswith("Cutoff: \u03b1 0 \u2265 \u03b2 -1. X already has a draw")
    assert lesson.sentence.endswith("Pruned: O 8.")
    assert lesson.nodes["1,3,7,8"] == "Alpha-beta never visits this node."


def test_the_lesson_on_a_block_shows_the_only_move_that_does_not_lose(take: Take) -> None:
    """All other moves lose to the same reply."""
    board = "XO..O...X"
    assert (wins(board), referee.wins(board, "O")) == ([], {7})
    for move in referee.moves(board):
        is_block = move == 7
        assert outcomes(board, f"{move}") == [0 if is_block else -1]
        assert is_block or 7 in referee.wins(referee.play(board, "X", move), "O")
    assert outcomes(board, "2,7") == [-1]
    assert (take(6).kind, take(6).sentence) == ("leaf", "O wins: score -1.")


def test_the_lesson_on_a_fork_has_the_winning_move(take: Take) -> None:
    """The move makes two threats, and the score is that of a win with the mark that is named."""
    board = ".X.XOO.O."
    lesson = take(7)
    assert not referee.wins(board, "O")
    assert wins(referee.play(board, "X", 0)) == [2, 6]
    mark = 9 - board.count(".") + 3
    won = f"the game's {mark}th mark scores 100 - {mark} = +{100 - mark} for X"
    assert f"{won}, -{100 - mark} for O" in lesson.text
    assert (scores(board)["0"], scores(board)["0,6,2"]) == (92, 92)
    assert lesson.sentence.startswith("X 0 scores +92, a win for X")


def test_the_lesson_on_a_deep_cutoff_shows_a_cutoff_by_a_bound_of_the_root(take: Take) -> None:
    """Alpha comes from the root, and beta from the node's own reply."""
    board = "O..OX..X."
    lesson = take(8)
    assert "with the game's 5th mark, so from then on \u03b1 is 100 - 5 = +95" in lesson.text
    assert "\u03b2 is -92" in lesson.text
    assert 9 - board.count(".") + 1 == 5
    truth = scores(board)
    assert (wins(board), truth["1"], truth["2,1,5,6"]) == ([1], 95, -92)
    assert lesson.numbers[1] == "\u03b1 +95 \u03b2 -92"
    assert "X already has a win elsewhere" in lesson.sentence
    assert lesson.sentence.endswith("Pruned: O 8.")


def test_the_lesson_on_move_order_has_true_numbers(take: Take) -> None:
    """The numbers are those of minimax, and of alpha-beta in each order."""
    board = "XO.X..O.."
    best, worst = (Case(board, "X", order=order) for order in ("best_first", "worst_first"))
    counted = [best.search.sizes[()], worst.search.sizes[()]]
    assert take(9).numbers_after("Minimax visits") == [*sizes(board, "distance"), *counted]


def test_the_lesson_on_depth_limits_has_true_estimates(take: Take) -> None:
    """The estimates of the first moves, and of one and two marks, are right."""
    truth = scores("." * 9, depth=2)
    assert [truth[f"{cell}"] for cell in range(9)] == list(golden.VALUES_AT_DEPTH_2.values())
    marks = ("X........", "XX.......", "O........", "OO.......")
    assert [referee.estimate(board, "X") for board in marks] == [3, 6, -3, -6]
    assert referee.estimate("O...X....", "X") == truth["4"] == 3 - 2
    replies = {path: score for path, score in truth.items() if re.fullmatch("4,.", path)}
    assert replies["4,0"] == min(replies.values()), "O's best reply"
    point, corner, side = truth["4"], truth["0"], truth["1"]
    text = take(10).text
    assert f"X 4 scores 3 - 2 = +{point} point (a win is over +90)" in text
    assert f"a corner {corner}, a side {side}." in text
    assert take(10).sentence == f"X plays 4: score +{point}, an estimate."


def test_the_lesson_on_depth_limits_has_the_moves_of_two_searches(take: Take) -> None:
    """Of all limits below the end of the game, only 4 finds a move that draws; 2 and 5 lose."""
    text = take(10).text
    board = ".O.X.O..."
    named = re.search(r"depth of 2, X plays (\d).* depth of 4 finds (\d).* of 5 plays (\d)", text)
    assert named
    depths = range(1, board.count(".") + 1)
    found = [Case(board, "X", depth=depth).truth.best_move for depth in depths]
    assert [int(cell) for cell in named.groups()] == [found[depth - 1] for depth in (2, 4, 5)]
    assert outcomes(board, *map(str, found)) == [-1, -1, -1, 0, -1, 0]
