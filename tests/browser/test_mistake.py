"""The drawing of the mistake that decided a game, compared with the referee's judgment."""

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Final
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.playground import CELLS, button, expect_status, holding
from tests.browser.search_page import sentence
from tests.browser.test_accessibility import box
from tests.truth import referee
from tests.truth.game import Game, decisive, grades

LOST: Final = "/?played=1,0,3,4,8,2,7,6"
BOARDS: Final = "#mistake:not([hidden]) a"
RESULTS: Final = {1: "{} wins", 0: "Draw", -1: "{} loses"}

#  Show each game without loading the page again; return the targets and the names of the links in its drawing.
SHOW: Final = """async (addresses) => {
    const found = [];
    for (const address of addresses) {
        const [game, mistake] = ["game", "mistake"].map((id) => document.getElementById(id));
        mistake.replaceChildren();
        history.pushState(null, "", address);
        dispatchEvent(new PopStateEvent("popstate"));
        while (game.ariaBusy === "true" || !(mistake.hidden || mistake.firstChild)) {
            await new Promise((resolve) => setTimeout(resolve));
        }
        const links = mistake.hidden ? [] : [...mistake.querySelectorAll("a")];
        found.push(links.map((link) => [link.getAttribute("href"), link.ariaLabel]));
    }
    return found;
}"""


def games(count: int) -> Iterator[Game]:
    """Yield games of players that play at random half of the time; half of the games begin on the empty board."""
    dice = random.Random(0)  # noqa: S311, a game
    for _ in range(count):
        game = Game(starts=dice.choice("XO"), you=dice.choice(["X", "O", "both", "nobody"]))
        while game.is_running:
            game = game.after(
                dice.choice(dice.choice([referee.moves(game.board), best(game.board, game.side)]))
            )
        first = dice.choice([0, dice.randrange(5)])
        played = game.played[first:]
        yield replace(game, start=game.board_at(first), played=played, at=len(played))


def best(board: str, side: str) -> list[int]:
    """Return the best moves: those that win most quickly, or lose most slowly."""
    found = grades(board, side)
    return [cell for cell, grade in found.items() if grade == max(found.values())]


def address(game: Game) -> str:
    """Return the path of the page that shows a game."""
    query = {
        "board": game.start,
        "starts": game.starts,
        "played": ",".join(map(str, game.played)),
        "you": game.you,
    }
    return f"/?{urlencode(query)}"


def test_the_drawing_shows_the_decisive_mistake_its_punishment_and_a_best_move(page: Page) -> None:
    """Of 100 games, each with a decisive mistake has a drawing in which the referee agrees with every board."""
    page.goto(LOST)
    expect(page.locator(BOARDS)).to_have_count(4)
    played = list(games(100))
    kinds: set[object] = set()
    for game, links in zip(
        played, page.evaluate(SHOW, [address(game) for game in played]), strict=True
    ):
        mistake = decisive(game)
        if mistake is None:
            kinds.add(None)
            assert links == [], game
            continue
        board, player, move = game.board_at(mistake.index), mistake.mover, mistake.cell
        other = referee.opponent(player)
        reply, better = (int(target[-1]) for target, _ in links[2:])
        replies, actual = (
            best(referee.play(board, player, move), other),
            game.played[mistake.index + 1],
        )
        assert reply in ([actual] if actual in replies else replies), game
        assert better in best(board, player), game
        lost, kept = (RESULTS[result].format(player) for result in (mistake.outcome, mistake.best))
        search = f"search?board={board}&starts={game.starts}&algorithm=minimax"
        assert links == [
            [f"{search}&step=9999", f"{player} to move: {kept}"],
            [f"{search}&node={move}", f"{player} {move}, {CELLS[move]}: {lost}"],
            [f"{search}&node={move},{reply}", f"{other} {reply}, {CELLS[reply]}: {lost}"],
            [f"{search}&node={better}", f"{player} {better}, {CELLS[better]}: {kept}"],
        ], game
        kinds |= {(mistake.best, mistake.outcome), reply == actual}
    assert kinds == {None, (0, -1), (1, -1), (1, 0), True, False}


def test_each_board_opens_the_search_at_its_node(page: Page) -> None:
    """The first opens the solved tree of the position before the mistake, the others open nodes of this tree."""
    for index, (path, text) in enumerate(
        [
            ("", "X plays 6: score 0, a draw."),
            ("7", "score -92, a loss for X."),
            ("7,6", "score -92, a loss for X."),
            ("6", "score 0, a draw."),
        ]
    ):
        page.goto(LOST)
        page.locator(BOARDS).nth(index).click()
        expect(page.locator("#drawing [aria-selected=true]")).to_have_attribute("data-path", path)
        assert sentence(page).endswith(text)


@pytest.mark.parametrize(
    "address",
    ["/?played=1,0,3,4,8,2", f"{LOST}&at=7", "/?played=0,4,8,1,7,6,2,5,3"],
    ids=["before the end", "looking back", "after a flawless draw"],
)
def test_nothing_is_drawn_without_a_decisive_mistake(page: Page, address: str) -> None:
    """A drawing of the game before disappears."""
    page.goto(LOST)
    expect(page.locator(BOARDS)).to_have_count(4)
    page.evaluate(SHOW, [address])
    expect(page.locator("#mistake")).to_be_hidden()


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize("file", ["mistake.js", "tree.css"])
def test_a_drawing_that_cannot_be_loaded_can_be_retried(page: Page, file: str) -> None:
    """Without a connection, a message and a button appear where the drawing would be."""
    page.route(f"**/{file}*", lambda route: route.abort("internetdisconnected"))
    page.goto(LOST)
    expect(page.locator("#mistake")).to_contain_text("This part of the page cannot be loaded.")
    page.unroute_all()
    button(page, "Try again").click()
    expect(page.locator(BOARDS)).to_have_count(4)


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize("width", [390, 1366])
def test_the_drawing_moves_nothing(page: Page, width: int) -> None:
    """It appears below everything else, fits a laptop's screen, and is no wider than a phone."""
    held: list[Route] = []
    places = "[...document.querySelectorAll('main *:not(#mistake, #mistake *, #play, .panel)')].map((part) => "
    places += "Object.values(part.getBoundingClientRect().toJSON()))"
    page.set_viewport_size({"width": width, "height": 650})
    page.route("**/tree.css", holding(held))
    with page.expect_request("**/tree.css"):
        page.goto(LOST)
    expect_status(page, "You lost: O won.")
    before = page.evaluate(places)
    held[0].continue_()
    expect(page.locator(BOARDS)).to_have_count(4)
    assert page.evaluate(places) == before
    around = box(page.locator("#mistake"))
    assert around["right"] <= width
    assert around["bottom"] <= 650 or width < 1366


def test_the_drawing_can_be_reached_by_the_keyboard(page: Page) -> None:
    """A board with the focus has an outline, and Enter follows its link."""
    page.goto(LOST)
    expect(page.locator(BOARDS)).to_have_count(4)
    page.get_by_text("Options", exact=True).press("Tab")
    expect(page.locator(BOARDS).first).to_be_focused()
    ink = page.locator("body").evaluate("body => getComputedStyle(body).color")
    expect(page.locator(f"{BOARDS} .reach").first).to_have_css("stroke", ink)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search?*node=7")
