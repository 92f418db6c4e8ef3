"""Links with wrong parts: both pages name what they ignore, and lead to a board that is right."""

import pytest

from tests.web.pages.page import Page, text

IGNORED = """\
/?foo=bar&you=Q                 foo=bar you=Q
/?played=4,4                    played=4
/search?lesson=12               lesson=12
/search?lesson=abc&foo=bar      lesson=abc foo=bar
/search?lesson=4&algorithm=foo  algorithm=foo
/search?lesson=10&order=foo&scoring=x&max_depth=0  order=foo scoring=x max_depth=0
/search?lesson=4&board=XOX.O....  lesson=4
/search?board=XXOOX...O&step=-1&node=9  step=-1 node=9
/search?constructor=1&__proto__=1  constructor=1 __proto__=1
/search?LESSON=3                LESSON=3
"""


@pytest.mark.parametrize("row", IGNORED.splitlines())
def test_each_ignored_part_of_a_link_is_named(page: Page, row: str) -> None:
    """The rest of the link is used; after it there is no error."""
    url, *ignored = row.split()
    shown = page.do(f"visit {url}").last
    told = shown.text("sentence" if url.startswith("/?") else "ignored")
    assert told.endswith(" ".join(f"Ignored: {each}." for each in ignored))
    assert told.count("Ignored") == len(ignored)
    if "drawing" in shown:
        assert shown["drawing"].find(".//*[@role='tree']") is not None


@pytest.mark.parametrize(
    "url",
    [
        "/search",
        "/search?lesson=11&board=.O.X.O...&max_depth=4&merge=false&step=3",
        "/search?board=xxoox...o&starts=X&algorithm=Minimax&order=best_first&step=9999&node=5",
        "/search?lesson=6&whole=true&predict=true&compare=true&scoring=distance&played=",
    ],
)
def test_a_link_that_is_right_ignores_nothing(page: Page, url: str) -> None:
    """Values may have any case, and a part without a value counts as left out."""
    assert page.do(f"visit {url}").last.text("ignored") == ""


@pytest.mark.parametrize(("path", "place"), [("/", "sentence"), ("/search", "ignored")])
def test_a_long_part_is_cut(page: Page, path: str, place: str) -> None:
    """It does not fill the screen."""
    told = page.do(f"visit {path}?foo={'0,' * 250}").last.text(place)
    assert "Ignored: foo=0,0,0" in told
    assert told.endswith("\u2026.")
    assert len(told) < 120


def test_an_illegal_board_of_a_search_can_be_corrected(page: Page) -> None:
    """The error has a link to the playground, where this board is set up."""
    shown = page.do("visit /search?board=XXX......&starts=X").last
    message = shown["drawing"].find(".//*[@role='alert']")
    assert message is not None
    link = message.find("a")
    assert link is not None
    assert text(message).startswith("X has 3 and O has 0 marks")
    assert text(link) == "Correct the board"
    there = page.do(f"visit {link.get('href', '').removeprefix('http://localhost')}").last
    assert "set-up-bar" in there
    marks = [
        each.get("data-mark")
        for each in there["board"].iter()
        if "aria-keyshortcuts" in each.attrib
    ]
    assert marks == ["X"] * 3 + [""] * 6


def test_space_does_nothing_while_the_board_of_two_oracles_is_set_up(page: Page) -> None:
    """There is no next step then, so the key starts nothing and fails at nothing."""
    before = page.do("visit /?you=nobody&set_up=true").last
    after = page.do("press Space").last
    assert "set-up-bar" in after
    assert after.html == before.html
