"""The lessons: each statement is true of the search that the lesson shows."""

import re
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.playground import button, choice, radio
from tests.browser.search_page import (
    card,
    drawn,
    expect_count,
    expect_step,
    heading,
    node,
    numbers,
    place,
    sentence,
    words,
)
from tests.readme import section
from tests.truth import golden, referee
from tests.truth.textbook import Order, Search

#  The titles of the lessons by number.
TITLES: Final = dict(
    enumerate(
        [
            *("A tree of games", "MAX and MIN", "\u03b1 and \u03b2", "Cutoffs and bounds"),
            *("A cutoff in a larger tree", "Block", "Fork", "A deep cutoff"),
            *("Why order matters", "A limit"),
        ],
        1,
    )
)


def take(page: Page, lesson: int, step: int) -> str:
    """Open a lesson, wait for its step, and return its text."""
    page.goto(f"/search?lesson={lesson}")
    expect_step(page, step)
    expect(heading(page)).to_have_text(TITLES[lesson])
    assert page.title() == page.locator("meta[property='og:title']").get_attribute("content")
    return words(page).inner_text().replace("\u2212", "-")


def outcomes(page: Page, *paths: str) -> list[str | None]:
    """Return the outcomes that the page shows at nodes."""
    return [node(page, path).get_attribute("data-outcome") for path in paths]


def wins(board: str, mark: str) -> list[int]:
    """Return the moves by which a side would win at once."""
    return [
        cell
        for cell in referee.moves(board)
        if referee.has_won(referee.play(board, mark, cell), mark)
    ]


@pytest.mark.smoke
def test_next_and_back_lead_through_the_lessons(page: Page) -> None:
    """Each lesson has a URL and three or four sentences, and the last leads to an exercise."""
    page.goto("/search")
    for number, title in TITLES.items():
        expect(heading(page)).to_have_text(title)
        expect(place(page)).to_have_text(f"Lesson {number} of {len(TITLES)}")
        expect(page.locator(".path [aria-current]")).to_have_text(f"{number}")
        assert 3 <= len(re.findall(r"\.(?: |$)", words(page).inner_text())) <= 4
        if number > 1:
            assert page.url.endswith(f"?lesson={number}")
        card(page).get_by_role("link", name=re.compile("^(Next|Exercise)$")).click()
    expect(page.locator("#predict-text")).to_be_visible()
    expect(words(page)).to_be_hidden()
    page.go_back()
    expect(heading(page)).to_have_text(TITLES[10])
    page.get_by_role("link", name="Back", exact=True).click()
    expect(heading(page)).to_have_text(TITLES[9])
    page.get_by_role("link", name="Lesson 2: MAX and MIN").click()
    expect(heading(page)).to_have_text(TITLES[2])
    button(page, "Step back").click()
    page.wait_for_url("**?lesson=2&step=21")
    expect(heading(page)).to_have_text(TITLES[2])


def scores(board: str, **options: Any) -> dict[str, int]:
    """Return X's score of each node of minimax's tree, by path, from the tests' own search."""
    found = Search(board, "X", prunes=False, **options).scores
    return {",".join(map(str, path)): score for path, score in found.items()}


def told(text: str) -> list[int]:
    """Return the numbers in a text."""
    return [int(number) for number in re.findall(r"[+-]?\d+", text)]


def test_the_lesson_on_the_game_tree_has_true_scores(page: Page) -> None:
    """The tree has leaves of all three scores, and the page hides what later lessons teach."""
    text = take(page, 1, 26)
    assert "at the top, X can play cell 5, 6 or 7" in text
    assert referee.moves("XXOOX...O") == [5, 6, 7]
    expect_count(page, 11, 11)
    assert outcomes(page, "5,6,7", "5,7,6", "6,5") == ["win", "draw", "loss"]
    expect(page.locator("#drawing .node .grid")).to_have_count(11)
    assert [part for part in page.locator("main [data-from]").all() if part.is_visible()] == []
    assert (
        page.locator(".names .side").evaluate_all(
            "sides => sides.map((side) => getComputedStyle(side).display)"
        )
        == ["none"] * 3
    )
    expect(page.locator("#legend")).to_have_text(" win for X draw loss for X best play")


def test_the_lesson_on_max_and_min_has_true_scores(page: Page) -> None:
    """MIN's node has the lower of the two scores."""
    text = take(page, 2, 22)
    assert "O 5, which scores -1, and O 7, which scores 0: so X 6 scores -1" in text
    truth = scores("XXOOX...O", counts_plies=False)
    assert [truth[path] // 100 for path in ("6,5", "6,7", "6")] == [-1, 0, -1]
    expect(node(page, "6")).to_have_accessible_name("X 6: \u22121, a loss for X")
    expect(page.locator(".names .side").first).to_be_visible()
    expect(page.locator("#algorithm")).to_be_hidden()


def test_the_lesson_on_alpha_and_beta_has_true_numbers(page: Page) -> None:
    """Alpha and beta are the numbers that the lesson names."""
    text = take(page, 3, 17)
    assert "X 5 draws, so \u03b1 is 0; after X 6, O 5 wins, so \u03b2 is -1" in text
    truth = scores("XXOOX...O", counts_plies=False)
    assert (truth["5"], truth["6,5"]) == (0, -100)
    assert numbers(page) == "MIN (O) is to move, alpha 0 beta -1, best so far -1"
    assert "Pruned: O 7." in sentence(page)
    expect(node(page, "6,7")).to_have_attribute("data-state", "never")
    expect(page.locator("#algorithm [aria-current]")).to_contain_text(
        "if \u03b1 \u2265 \u03b2: break"
    )


def test_the_lesson_on_cutoffs_and_bounds_has_true_numbers(page: Page) -> None:
    """It shows the bound that follows the cutoff of the lesson before, and its counts are right."""
    text = take(page, 4, 18)
    expect(node(page, "6")).to_have_accessible_name(
        "X 6: \u22121 or less, a loss for X, cutoff after 1 of 2"
    )
    assert "A cutoff needs \u03b1\u00a0\u2265\u00a0\u03b2, here 0\u00a0\u2265\u00a0-1;" in text
    sizes = [
        Search("XXOOX...O", "X", prunes=prunes, counts_plies=False).sizes[()]
        for prunes in (True, False)
    ]
    assert told(text.partition("the same move")[2]) == sizes


def test_the_terms_of_a_step_link_to_the_lessons_that_explain_them(page: Page) -> None:
    """Each link has the meaning as its title, and the browser's history leads back to the step."""
    for term, title in (("MIN", TITLES[2]), ("\u03b1", TITLES[3]), ("\u03b2", TITLES[3])):
        page.goto("/search?lesson=5&step=18")
        link = page.locator("#moment-numbers").get_by_role("link", name=term, exact=True)
        assert link.get_attribute("title")
        link.click()
        expect(heading(page)).to_have_text(title)
        page.go_back()
        expect_step(page, 18)


def test_the_lesson_on_a_larger_tree_shows_its_first_cutoff(page: Page) -> None:
    """The lesson's counts of nodes are those of minimax and alpha-beta."""
    text = take(page, 5, 19)
    board = "X.O.O.X.."
    sizes = [
        Search(board, "X", prunes=prunes, counts_plies=False).sizes[()] for prunes in (False, True)
    ]
    assert told(text)[:2] == sizes == [174, 42]
    assert wins(board, "X") == [3]
    truth = scores(board, counts_plies=False)
    assert (truth["1,3,5"], truth["1,3,7,5"]) == (0, -100)
    expect_count(page, 10, 42)
    assert re.match(
        r"Cutoff: alpha 0 >= beta -1\. X already has a draw elsewhere; .* Pruned: O 8\.$",
        sentence(page),
    )
    assert outcomes(page, "1,3,5", "1,3,7,5") == ["draw", "loss"]
    expect(node(page, "1,3,7,8")).to_have_attribute("data-state", "never")
    assert drawn(page).count() == page.locator("#drawing .node .grid").count() < 30
    node(page, "3").click()
    button(page, "Whole tree").click()
    expect(drawn(page)).to_have_count(174)
    page.wait_for_url("**whole=true*")
    button(page, "Whole tree").click()
    node(page, "1,8").click()
    expect(drawn(page)).to_have_count(174)
    button(page, "Step back").click()
    expect(page.locator("#drawing .edge.cut")).to_have_count(0)


def test_the_lesson_on_a_block_shows_the_only_move_that_does_not_lose(page: Page) -> None:
    """All other moves lose to the same reply."""
    take(page, 6, 433)
    board = "XO..O...X"
    assert (wins(board, "X"), wins(board, "O")) == ([], [7])
    truth = scores(board, counts_plies=False)
    for move in referee.moves(board):
        expect(node(page, str(move))).to_have_attribute(
            "data-outcome", "draw" if move == 7 else "loss"
        )
        assert truth[str(move)] == (0 if move == 7 else -100)
        assert move == 7 or wins(referee.play(board, "X", move), "O") == [7]
    assert sentence(page) == "X plays 7: score 0, a draw."


def test_the_lesson_on_a_fork_has_the_winning_move(page: Page) -> None:
    """The move makes two threats and has the lesson's score; after O 6 only a bound is known."""
    text = take(page, 7, 24)
    board = ".X.XOO.O."
    after = referee.play(board, "X", 0)
    assert (wins(board, "O"), wins(after, "X")) == ([], [2, 6])
    assert sentence(page).startswith("X 0 scores +92, a win for X")
    win = 9 - board.count(".") + 3
    assert (
        f"the game's {win}th mark scores 100 - {win} = +{100 - win} for X, -{100 - win} for O"
        in text
    )
    truth = scores(board)
    assert truth["0"] == truth["0,6"] == 92
    for reply in referee.moves(after):
        expect(node(page, f"0,{reply}")).to_have_attribute("data-outcome", "win")
    expect(node(page, "0,6")).to_have_accessible_name(
        "O 6: +92 or more, a win for X, cutoff after 1 of 2"
    )
    page.set_viewport_size({"width": 390, "height": 844})
    take(page, 7, 24)
    for path in ("0", "0,6"):
        expect(node(page, path)).to_be_in_viewport(ratio=1)


def test_the_lesson_on_a_deep_cutoff_shows_a_cutoff_by_a_bound_of_the_root(page: Page) -> None:
    """The parent of the node with the cutoff has no score yet."""
    text = take(page, 8, 10)
    board = "O..OX..X."
    truth = scores(board)
    assert (wins(board, "X"), truth["1"], truth["2,1,5,6"]) == ([1], 95, -92)
    assert "with the game's 5th mark, so from then on \u03b1 is 100 - 5 = +95" in text
    assert 9 - board.count(".") + 1 == 5
    assert "\u03b2 is -92" in text
    assert numbers(page) == "MIN (O) is to move, alpha +95 beta -92, best so far -92"
    assert re.match(r"Cutoff: .* X already has a win elsewhere; .* Pruned: O 8\.$", sentence(page))
    expect(node(page, "1")).to_have_accessible_name("X 1: +95, a win for X")
    assert outcomes(page, "2,1,5,6") == ["loss"]
    expect(node(page, "2,1,5,8")).to_have_attribute("data-state", "never")
    above = drawn(page, state="done").evaluate_all(
        "nodes => nodes.map(({ dataset }) => dataset.path)"
    )
    assert [path for path in above if re.fullmatch("2,1,.", path)] == []


def test_the_lesson_on_move_order_has_true_numbers(page: Page) -> None:
    """The numbers equal those of the tests' own search, and those that the page shows in each order."""
    board = "XO.X..O.."
    text = take(page, 9, 231)
    orders: dict[str, Order] = {
        "By number": "cells",
        "Best first": "best_first",
        "Worst first": "worst_first",
    }
    counted = {
        name: Search(board, "X", prunes=True, order=order).sizes[()]
        for name, order in orders.items()
    }
    assert told(text) == [Search(board, "X", prunes=False).sizes[()], *counted.values()]
    for name, count in counted.items():
        choice(page, "Order").select_option(label=name)
        expect_count(page, count, count)
        expect(drawn(page)).to_have_count(246)
    page.wait_for_url("**order=worst_first*")
    radio(page, "Algorithm", "Minimax").check()
    expect_count(page, 246, 246)


def test_the_lesson_on_depth_limits_has_true_scores(page: Page) -> None:
    """On the example's board the best move of a search to depth 2 loses, and that of a search to depth 4 draws."""
    text = take(page, 10, 235)
    truth = scores("." * 9, depth=2)
    assert [truth[f"{cell}"] for cell in range(9)] == list(golden.VALUES_AT_DEPTH_2.values())
    assert [truth[cell] for cell in ("4", "0", "1")] == told(text)[-3:] == [1, -1, -2]
    lines = [
        referee.estimate(board, "X")
        for board in ("X........", "XX.......", "O........", "OO.......")
    ]
    assert lines == [3, 6, -3, -6]
    replies = [
        referee.estimate(referee.play("....X....", "O", cell), "X")
        for cell in range(9)
        if cell != 4
    ]
    assert (min(replies), replies[0], referee.estimate("O........", "X") + 1) == (3 - 2, 3 - 2, -2)
    for cell in range(9):
        shown = node(page, f"{cell}").locator(".score").text_content() or ""
        assert int(shown.replace("\u2212", "-")) == truth[f"{cell}"]
    page.get_by_role("link", name="What lies beyond the limit").click()
    expect(words(page)).to_contain_text("horizon effect")
    expect(heading(page)).to_have_text("A limit")
    board = ".O.X.O..."
    for depth, move, outcome in ((2, 0, -1), (4, 2, 0)):
        choice(page, "Depth").select_option(f"{depth}")
        expect(page.locator("#moment-sentence")).to_contain_text(f"X plays {move}: score")
        best = scores(board, depth=depth)
        assert best[f"{move}"] == best[""]
        assert (
            referee.grade(referee.play(board, "X", move), "O", 9, counts_plies=False)[0] == -outcome
        )
    last = page.locator("#step").get_attribute("max")
    page.wait_for_url(f"**lesson=10&board=.O.X.O...*max_depth=4&step={last}")
    page.reload()
    expect(page.locator("#moment-sentence")).to_contain_text("X plays 2: score")
    page.get_by_role("link", name="Back to the empty board").click()
    expect_step(page, 235)


def test_the_links_of_the_readme_open_the_pages_that_they_name(page: Page) -> None:
    """The links lead to the first lesson, to a cutoff, and to the exercise that follows the last lesson."""
    first, cutoff, questions = re.findall(
        r"<http://localhost:8000([^>]+)>", section("Learn minimax").text
    )
    page.goto(first)
    expect(heading(page)).to_have_text(TITLES[1])
    page.goto(cutoff)
    expect(page.locator("#moment-sentence")).to_contain_text("Cutoff: ")
    page.goto(questions)
    expect(page.locator("#predict-text")).to_be_visible()
    page.goto("/search?lesson=10")
    page.get_by_role("link", name="Exercise", exact=True).click()
    assert page.url.endswith(questions)


def test_the_lessons_can_be_read_without_scripts(browser: Browser, origin: str) -> None:
    """Without JavaScript all lessons are shown, one below the other."""
    with browser.new_page(java_script_enabled=False) as page:
        page.goto(f"{origin}/search")
        assert page.locator("#lesson").get_by_role("heading").all_inner_texts() == [
            *TITLES.values()
        ]
        expect(page.get_by_text("Each node is a position")).to_be_visible()


@pytest.mark.parametrize("query", ["lesson=11", "lesson=0", "lesson=x", "step=x&algorithm=table"])
def test_an_unknown_lesson_opens_the_first_lesson(page: Page, query: str) -> None:
    """A URL with neither a position nor a known lesson shows the first lesson."""
    page.goto(f"/search?{query}")
    expect(place(page)).to_have_text("Lesson 1 of 10")
    expect_step(page, 26)
