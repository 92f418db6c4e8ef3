"""The exercise of the search page: each grade of a student's answers is that of the textbook."""

import json
import random
import re
from collections import Counter, defaultdict
from math import inf
from typing import Final
from urllib.parse import urlencode

import pytest

from tests.fuzzing import EXAMPLES
from tests.truth.textbook import Mistakes, Path, Search
from tests.web.pages import search_judge
from tests.web.pages.drawn_tree import moves_in
from tests.web.pages.exams import LIMITS, SIGNS, Answer, Decision, Exam, Student, entry
from tests.web.pages.page import Element, Moment, Page, text
from tests.web.pages.searches import Case, any_case, searched

#  The names of the fields, and what each is a part of.
FIELDS: Final = {
    "Score of": "value",
    "\u03b1 of": "window",
    "\u03b2 of": "window",
    "Cut the branch to": "branches",
}
CUT: Final = "Cut the branch to"
FIELD: Final = re.compile(
    rf"({'|'.join(FIELDS)}) (.*?)(?: \((MAX|MIN)\))?(?:, (right|wrong|follows))?"
)
PARTS: Final = {"Score": "value", "\u03b1 and \u03b2": "window", "Branches": "branches"}


def fields(moment: Moment) -> list[tuple[str, str, str, Element]]:
    """Return the visible fields: the kind, the label of the node, the verdict, and the element."""
    found = []
    for each in moment["drawing"].iterfind(".//*[@aria-label]"):
        match = FIELD.fullmatch(each.get("aria-label", ""))
        if match and moment.is_visible(each):
            found.append((match[1], match[2], match[4] or "", each))
    return found


def board_path(label: str) -> Path:
    """Return the path of a node from the moves that lead to it."""
    return tuple(int(move[-1]) for move in label.split(", ")) if label != "the root" else ()


def verdicts(moment: Moment) -> dict[Decision, str]:
    """Return the verdicts on the visible decisions; that on branches is the worst of them."""
    found: defaultdict[Decision, set[str]] = defaultdict(set)
    for kind, label, verdict, _ in fields(moment):
        path = board_path(label)
        part = FIELDS[kind]
        found[path[:-1] if part == "branches" else path, part].add(verdict)
    order = ["wrong", "follows", "right", ""]
    return {each: min(marks, key=order.index) for each, marks in found.items()}


def board_exam(page: Page, case: Case, *, windows: bool) -> Exam | None:
    """Return the exercise on a search of a board, or None if there is nothing to ask."""
    query = {name: str(each) for name, each in case.query.items() if each != ""}
    query |= {"algorithm": case.algorithm, "predict": "true", "at_once": "true"}
    query |= {"windows": "true"} if windows else {}
    asked = fields(page.do(f"visit /search?{urlencode(query)}").last)
    if not asked:
        return None
    top = min((board_path(label) for kind, label, *_ in asked if kind == "Score of"), key=len)

    def repeat(mistakes: Mistakes) -> Search:
        return Search(
            case.board,
            case.to_move,
            prunes=case.algorithm == "alphabeta",
            order=case.order,
            mistakes=mistakes,
            **case.options,
        )

    full = searched(case._replace(algorithm="minimax", levels=9))
    asks_windows = windows and case.algorithm == "alphabeta"
    return Exam(query, repeat(Mistakes()), full, top, repeat, case.shown, asks_windows)


def any_student(exam: Exam, dice: random.Random) -> Student:
    """Return a student who makes no mistake, one, or a few."""
    visited = [path for path in exam.inner if path in exam.search.visits]
    scores: dict[Path, int] = {}
    forgets: set[Path] = set()
    early: dict[Path, int] = {}
    odd: dict[Decision, Answer] = {}
    student = Student(exam, Mistakes(), dice)
    pool = sorted({*exam.full.scores.values(), 0, 100, -100})
    for _ in range(dice.choice([0, 1, 1, 1, 2, 4])):
        path = dice.choice(visited)
        match dice.choice(
            ["score", "score", "forget", "early", "sign", "blank", "no score", "window"]
        ):
            case "score":
                scores[path] = dice.choice(pool)
            case "forget":
                cut = [each for each in visited if each in exam.search.pruned]
                forgets |= {dice.choice(cut)} if cut else set()
            case "early" if exam.search.prunes and len(exam.full.children[path]) > 1:
                early[path] = dice.randint(1, len(exam.full.children[path]) - 1)
            case "sign":
                wrong = SIGNS[not exam.search.is_max(path)]
                odd[path, "value"] = student.score(exam.search.scores[path], wrong)
            case "blank":
                odd[path, "value"] = Answer("")
            case "no score":
                odd[path, "value"] = Answer("foo")
            case "window" if exam.asks_windows:
                odd[path, "window"] = student.window(*sorted(dice.sample([*pool, -inf, inf], 2)))
    odd = {(path, part): each for (path, part), each in odd.items() if path not in scores}
    return Student(exam, Mistakes(scores, frozenset(forgets), early), dice, odd)


def check_grades(student: Student, moment: Moment) -> None:
    """Assert that all verdicts are those of the textbook, and that they are counted."""
    exam, found = student.exam, verdicts(moment)
    counts: Counter[str] = Counter()
    wrong = set()
    for decision, allowed in student.grades.items():
        verdict = found[decision] if decision[0] in student.own.visits else "follows"
        assert verdict in allowed, (decision, verdict, allowed)
        is_blank = student.typed.get(decision, Answer("-")).text == ""
        counts["blank" if verdict == "wrong" and is_blank else verdict] += 1
        wrong |= {decision} if verdict == "wrong" else set()
    extra = [each for each in found if each[0] not in exam.search.visits and found[each]]
    assert {found[each] for each in extra} <= {"follows"}
    told = moment.text("exercise-result")
    assert numbers(told) == [
        *([counts["right"]] if counts["right"] < len(exam.decisions) else []),
        len(exam.decisions),
        *(counts[name] for name in ("wrong", "follows", "blank") if counts[name]),
    ]
    check_reasons(student, moment, wrong, counts["follows"] + len(extra))


def numbers(sentence: str) -> list[int]:
    """Return the numbers of a sentence."""
    return [int(number) for number in re.findall(r"\d+", sentence)]


def check_reasons(student: Student, moment: Moment, wrong: set[Decision], following: int) -> None:
    """Assert that each wrong decision has its step, and that the others follow from one of them."""
    steps = []
    for reason in moment["exercise-reasons"]:
        title, _, rest = text(reason).partition(" of ")
        mentions = [
            moves_in(json.loads(each.get("data-paths", ""))[0])
            for each in reason.iterfind(".//*[@data-paths]")
        ]
        decision = mentions[0], PARTS[title]
        wrong.remove(decision)
        _, _, follow = rest.partition(" From it follow: ")
        following -= len(re.findall("(score|branches|\u03b1 and \u03b2) of ", follow))
        steps.append(int(rest.rpartition(" Step ")[2]))
        assert steps[-1] == step_of(student, *decision)
    assert steps == sorted(steps)
    assert (wrong, following) == (set(), 0)


def step_of(student: Student, path: Path, part: str) -> int:
    """Return the step of the search that decides about a part of a node."""
    exam = student.exam
    if part == "window":
        return exam.step(path, "enter")
    if part == "value":
        return exam.step(path, "back", "cut")
    visited = exam.search.children[path]
    cut = [(*path, move) for move in student.own.pruned.get(path, [])]
    wrong = [child for child in visited if child in cut]
    if path in exam.search.pruned and not wrong:
        return exam.step(path, "cut")
    return exam.step((wrong or [visited[-1]])[0], "enter") - 1


def told(moment: Moment) -> list[str]:
    """Return what the exercise shows: its fields, and its texts."""
    shown = [f"{each.get('aria-label')}: {each.get('live-value')}" for *_, each in fields(moment)]
    names = ("task", "score", "result", "reasons", "rule", "onward", "back")
    return [*shown, *(moment.text(f"exercise-{name}") for name in names)]


@pytest.mark.parametrize("seed", range(EXAMPLES))
def test_each_answer_gets_the_grade_that_the_textbook_gives_it(page: Page, seed: int) -> None:
    """A reload shows the same, and the link to a step of the search leads there and back."""
    dice = random.Random(seed)  # noqa: S311, the tests need no secret numbers
    exam = None
    while exam is None:
        exam = board_exam(page, any_case(dice, [3, 4, 5]), windows=dice.random() < 0.5)
    for _ in range(4):
        student = any_student(exam, dice)
        query = {**exam.query, "answers": student.answers, "graded": "all"}
        moment = page.do(f"visit /search?{urlencode(query)}").last
        try:
            check_grades(student, moment)
            search_judge.check(moment)
        except AssertionError as error:
            error.add_note(f"{moment.url}\n{student.mistakes} {student.odd} {exam.top}")
            raise
    links = moment["exercise-reasons"].findall("li/a")
    if links:
        aside = page.do("click #exercise-reasons a").last
        search_judge.check(aside)
        assert text(links[0]) == f"Step {aside['step'].get('live-value')}"
        assert told(page.do("click Back to the exercise").last) == told(moment)
    assert told(page.do("reload").last) == told(moment)


class Follower:
    """A user who answers node by node, and who sometimes slips."""

    def __init__(self, exam: Exam, dice: random.Random) -> None:
        self.exam: Final = exam
        self.dice: Final = dice
        self.asked: Final[list[Decision]] = []
        self.cutoffs: Final[list[Path]] = []
        self.rights: Final[list[bool]] = []

    def answer(self, moment: Moment) -> list[str]:
        """Return actions that answer the question, and note whether they do so rightly."""
        asked = [(kind, board_path(label), each) for kind, label, _, each in fields(moment)]
        (path,) = {at[:-1] if kind == CUT else at for kind, at, _ in asked}
        step = int(moment["step"].get("live-value", ""))
        search = self.exam.search
        pruned = self._pruned(path, step)
        low, high = entry(search, path)
        limits = {"Score of": search.scores[path], "\u03b1 of": low, "\u03b2 of": high}
        actions = []
        slips = []
        for kind, at, element in asked:
            name = element.get("aria-label")
            slips.append(self.dice.random() < 0.15)
            if kind == CUT:
                actions += [f"click {name}"] if (at in pruned) != slips[-1] else []
            else:
                limit = 700 if slips[-1] else limits[kind]
                actions.append(f"type {name}: {LIMITS.get(limit, self.exam.shown(limit))}")
        self.asked.extend((path, FIELDS[kind]) for kind, *_ in asked)
        self.rights.append(not any(slips))
        return actions

    def _pruned(self, path: Path, step: int) -> list[Path]:
        """Return the branches that the search prunes before it goes on below another one."""
        search = self.exam.search
        for event in search.events[step + 1 :]:
            is_inner = bool(self.exam.full.children[event.path])
            if event.kind == "enter" and event.path[:-1] == path and is_inner:
                return []
            if event.kind == "cut" and event.path == path:
                self.cutoffs.append(path)
                return [(*path, move) for move in search.pruned[path]]
        return []


@pytest.mark.parametrize("seed", range(EXAMPLES // 4))
def test_node_by_node_each_decision_is_asked_and_graded(page: Page, seed: int) -> None:
    """Each score that is a choice and each cutoff is asked once, and no answer is shown before."""
    dice = random.Random(seed)  # noqa: S311, the tests need no secret numbers
    exam = None
    while exam is None:
        exam = board_exam(page, any_case(dice, [3, 4]), windows=dice.random() < 0.3)
    query = {name: each for name, each in exam.query.items() if name != "at_once"}
    follower = Follower(exam, dice)
    moment = page.do(f"visit /search?{urlencode(query)}").last
    while "exercise-check" in moment:
        search_judge.check(moment)
        moment = page.do(*follower.answer(moment), "click Check").last
        search_judge.check(moment)
        assert moment.text("exercise-result") == ("Right." if follower.rights[-1] else "Wrong.")
        right, all_of = sum(follower.rights), len(follower.rights)
        assert numbers(moment.text("exercise-score"))[-2:] == [right, all_of]
        assert told(page.do("reload").last) == told(moment)
        if "exercise-check" in moment:
            moment = page.do("click Next").last
    visited = [path for path in exam.inner if path in exam.search.visits]
    choices = [path for path in visited if len(exam.full.children[path]) > 1]
    assert [path for path, part in follower.asked if part == "value"] == sorted(
        choices, key=lambda path: exam.step(path, "back", "cut")
    )
    assert sorted(follower.cutoffs) == sorted(set(exam.search.pruned) & set(visited))
