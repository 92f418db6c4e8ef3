"""The exercise of the search page: each grade of a student's answers is that of the textbook."""

import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from math import inf
from typing import Final
from urllib.parse import urlencode

import pytest

from tests.fuzzing import EXAMPLES
from tests.truth.number_trees import any_tree
from tests.truth.textbook import Mistakes, Numbers, NumberSearch, Path, Search
from tests.web.pages import number_judge, search_judge
from tests.web.pages.drawn_tree import moves_in
from tests.web.pages.exams import LIMITS, SIGNS, Answer, Decision, Exam, Student, entry
from tests.web.pages.exercises import CUT, FIELDS, fields, told
from tests.web.pages.number_searches import NumberCase
from tests.web.pages.page import Moment, Page, text
from tests.web.pages.searches import any_case, searched

INFINITIES: Final = {-inf: "\u2212\u221e", inf: "+\u221e"}
PARTS: Final = {"Score": "value", "\u03b1 and \u03b2": "window", "Branches": "branches"}


def verdicts(exam: Exam, moment: Moment) -> dict[Decision, str]:
    """Return the verdicts on the visible decisions; that on branches is the worst of them."""
    found: defaultdict[Decision, set[str]] = defaultdict(set)
    for kind, label, verdict, _ in fields(moment):
        path = exam.case.path_of(label)
        part = FIELDS[kind]
        found[path[:-1] if part == "branches" else path, part].add(verdict)
    order = ["wrong", "follows", "right", ""]
    return {each: min(marks, key=order.index) for each, marks in found.items()}


def board_exam(page: Page, dice: random.Random, empty: Sequence[int]) -> Exam:
    """Return an exercise on a search of any board that has something to ask."""
    case = any_case(dice, empty)
    given = {name: str(each) for name, each in case.query.items() if each != ""}
    query = options(dice) | given | {"algorithm": case.algorithm}
    asked = fields(page.do(f"visit /search?{urlencode(query | {'at_once': 'true'})}").last)
    if not asked:
        return board_exam(page, dice, empty)
    scores = [case.path_of(label) for kind, label, *_ in asked if kind == "Score of"]

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
    return Exam(query, case, repeat(Mistakes()), full, min(scores, key=len), repeat)


def number_exam(dice: random.Random) -> Exam:
    """Return an exercise on any tree of numbers."""
    numbers = any_tree(dice)
    while not has_choice(numbers):
        numbers = any_tree(dice)
    text = json.dumps(numbers).replace(" ", "")
    root, cut = dice.choice(["max", "min"]), dice.choice(["at_least", "above"])
    order = dice.choice(["given", "best_first", "worst_first"])
    algorithm = dice.choice(["minimax", *["alphabeta"] * 3])
    window = dice.choice([(-inf, inf), (-inf, inf), (-1, inf), (-inf, 4), (1, 6)])
    case = NumberCase(text, root, cut, order, algorithm, window)

    def repeat(mistakes: Mistakes) -> NumberSearch:
        prunes = algorithm == "alphabeta"
        alpha, beta = window if prunes else (-inf, inf)
        return NumberSearch(
            numbers,
            prunes=prunes,
            root=root,
            cut=cut,
            order=order,
            alpha=alpha,
            beta=beta,
            mistakes=mistakes,
        )

    query = options(dice) | {"tree": text, "root": root, "cut": cut, "order": order}
    limits = zip(("alpha", "beta"), window, strict=True)
    query |= {name: f"{limit:g}" for name, limit in limits if abs(limit) != inf}
    query["algorithm"] = algorithm
    return Exam(query, case, repeat(Mistakes()), case.truth, (), repeat)


def has_choice(numbers: Numbers) -> bool:
    """Return whether any node has two branches."""
    return isinstance(numbers, list) and (len(numbers) > 1 or any(map(has_choice, numbers)))


def options(dice: random.Random) -> dict[str, str]:
    """Return the options of any exercise."""
    return {"predict": "true"} | ({"windows": "true"} if dice.random() < 0.5 else {})


def any_student(exam: Exam, dice: random.Random) -> Student:
    """Return a student who makes no mistake, one, or a few."""
    visited = [path for path in exam.inner if path in exam.search.visits]
    scores: dict[Path, int] = {}
    forgets: set[Path] = set()
    early: dict[Path, int] = {}
    odd: dict[Decision, Answer] = {}
    signs: dict[Path, str] = {}
    windows: dict[Path, list[float]] = {}
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
                signs[path] = SIGNS[not exam.search.is_max(path)]
            case "blank":
                odd[path, "value"] = Answer("")
            case "no score":
                odd[path, "value"] = Answer("foo")
            case "window" if exam.asks_window(path):
                windows[path] = sorted(dice.sample([*pool, -inf, inf], 2))
    student = Student(exam, Mistakes(scores, frozenset(forgets), early), dice)
    own = student.own.scores
    odd |= {(each, "value"): student.score(own[each], signs[each]) for each in signs if each in own}
    odd |= {(each, "window"): student.window(*windows[each]) for each in windows}
    odd = {(path, part): each for (path, part), each in odd.items() if path not in scores}
    return Student(exam, student.mistakes, dice, odd)


def check_grades(student: Student, moment: Moment) -> None:
    """Assert that all verdicts are those of the textbook, and that they are counted."""
    exam, found = student.exam, verdicts(student.exam, moment)
    counts: Counter[str] = Counter()
    wrong = set()
    for decision, allowed in student.grades.items():
        if not student.counts(*decision):
            assert not found.get(decision), decision
            continue
        verdict = found[decision] if decision[0] in student.own.visits else "follows"
        assert verdict in allowed, (decision, verdict, allowed)
        is_blank = decision[1] != "branches" and student.is_blank(*decision)
        counts["blank" if verdict == "wrong" and is_blank else verdict] += 1
        wrong |= {decision} if verdict == "wrong" else set()
    extra = [each for each in found if each[0] not in exam.search.visits and found[each]]
    assert {found[each] for each in extra} <= {"follows"}
    told = moment.text("exercise-result")
    assert numbers(told) == [
        *([counts["right"]] if counts["right"] < counts.total() else []),
        counts.total(),
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


@pytest.mark.parametrize("seed", range(EXAMPLES // 2))
def test_each_answer_gets_the_grade_that_the_textbook_gives_it(page: Page, seed: int) -> None:
    """A reload shows the same, and the link to a step of the search leads there and back."""
    dice = random.Random(seed)  # noqa: S311, the tests need no secret numbers
    exam = number_exam(dice) if seed % 2 else board_exam(page, dice, [3, 4, 5])
    for _ in range(4):
        student = any_student(exam, dice)
        answers = {"at_once": "true", "answers": student.answers, "graded": "all"}
        moment = page.do(f"visit /search?{urlencode({**exam.query, **answers})}").last
        try:
            check_grades(student, moment)
            check_start(exam, moment)
            check(exam, moment)
        except AssertionError as error:
            error.add_note(f"{moment.url}\n{student.mistakes} {student.odd} {exam.top}")
            raise
    links = moment["exercise-reasons"].findall("li/a")
    if links:
        aside = page.do("click #exercise-reasons a").last
        check(exam, aside)
        assert text(links[0]) == f"Step {aside['step'].get('live-value')}"
        assert told(page.do("click Back to the exercise").last) == told(moment)
    assert told(page.do("reload").last) == told(moment)


def check_start(exam: Exam, moment: Moment) -> None:
    """Assert that an exercise tells the window with which it begins, if that has limits."""
    low, high = entry(exam.search, exam.top)
    window = f"\u03b1 {printed(low, exam)} \u03b2 {printed(high, exam)}."
    has_limits = exam.search.prunes and (low, high) != (-inf, inf)
    assert (window in moment.text("exercise-task")) == has_limits


def printed(limit: float, exam: Exam) -> str:
    """Return a limit of a window as the page writes it."""
    return exam.case.shown(limit) if abs(limit) != inf else INFINITIES[limit]


def check(exam: Exam, moment: Moment) -> None:
    """Assert that all that the page shows of the search is true."""
    (number_judge if "tree" in exam.query else search_judge).check(moment)


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
        asked = [
            (kind, self.exam.case.path_of(label), each) for kind, label, _, each in fields(moment)
        ]
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
                actions.append(f"type {name}: {LIMITS.get(limit, self.exam.case.shown(limit))}")
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


@pytest.mark.parametrize("seed", range(EXAMPLES // 5))
def test_node_by_node_each_decision_is_asked_and_graded(page: Page, seed: int) -> None:
    """Each score that is a choice and each cutoff is asked once, and no answer is shown before."""
    dice = random.Random(seed)  # noqa: S311, the tests need no secret numbers
    exam = number_exam(dice) if seed % 2 else board_exam(page, dice, [3, 4])
    follower = Follower(exam, dice)
    moment = page.do(f"visit /search?{urlencode({**exam.query, 'step': '0'})}").last
    while moment.text("exercise-check") == "Check":
        check(exam, moment)
        moment = page.do(*follower.answer(moment), "click Check").last
        check(exam, moment)
        assert moment.text("exercise-result") == ("Right." if follower.rights[-1] else "Wrong.")
        right, all_of = sum(follower.rights), len(follower.rights)
        assert numbers(moment.text("exercise-score"))[-2:] == [right, all_of]
        assert told(page.do("reload").last) == told(moment)
        if "exercise-check" in moment:
            moment = page.do("click Next").last
    visited = [path for path in exam.inner if path in exam.search.visits]
    choices = [path for path in visited if len(exam.full.children[path]) > 1]
    choices.sort(key=lambda path: exam.step(path, "back", "cut"))
    assert [path for path, part in follower.asked if part == "value"] == choices
    assert sorted(follower.cutoffs) == sorted({*exam.search.pruned} & {*visited})
