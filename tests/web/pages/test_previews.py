"""The link previews: a link to a position has the title and the picture of the position."""

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from html import unescape
from typing import Any, Final
from urllib.parse import urlencode, urljoin, urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient

from best_move.web.pages.files import STATIC, STATIC_URL
from best_move.web.pages.previews import LESSONS
from best_move.web.pages.views import MAX_QUERY, SERVICE_PLACEHOLDER
from tests.fuzzing import EXAMPLES
from tests.tables import table
from tests.truth import referee
from tests.web.pages.page import running

URLS: Final = 8 * EXAMPLES
POSITIONS: Final = sorted(referee.reachable())
OWN_BOARDS: Final = [
    board
    for lesson in LESSONS.values()
    for board in (lesson.search["board"], lesson.other_board)
    if board
]


def size_of(png: bytes) -> tuple[int, ...]:
    """Return the width and the height in a PNG."""
    return tuple(int.from_bytes(png[start : start + 4]) for start in (16, 20))


def size_in(page: str) -> tuple[int, ...]:
    """Return the width and the height that a page declares for its preview."""
    return tuple(
        map(int, re.findall(r'<meta property="og:image:(?:width|height)" content="(\d+)">', page))
    )


@pytest.mark.parametrize(
    ("query", "title", "board"),
    table("""
board=X...O....  X to move  X...O....
board=x........&starts=x  O to move  X........
board=X...O....&starts=O  O to move  X...O....
played=0,4,8  O to move  X...O...X
played=0,4,8&at=1  O to move  X........
played=0,3,1,4,2  X won  XXXOO....
board=X........&starts=X&played=4  X to move  X...O....
starts=X&played=4  O to move  ....X....
starts=O&played=4  X to move  ....O....
starts=O&played=4,0,8&at=2  O to move  X...O....
board=XXOOOXXOX  A draw  XXOOOXXOX
"""),
)
def test_the_preview_follows_the_position(
    client: FlaskClient, query: str, title: str, board: str
) -> None:
    """The page for a position has its title and its picture, with size and alternative text."""
    page = client.get(f"/?{query}", base_url="https://play.example").text
    assert f"<title>{title} · Best Move, tic-tac-toe</title>" in page
    picture = re.search(r'<meta property="og:image" content="([^"]+)">', page)
    assert picture
    assert picture[1] == f"https://play.example/board.png?board={board}"
    image = client.get(picture[1].removeprefix("https://play.example"))
    assert image.mimetype == "image/png"
    assert size_in(page) == size_of(image.data)
    rows = ", ".join(" ".join(board[start : start + 3].replace(".", "-")) for start in (0, 3, 6))
    assert f'<meta property="og:image:alt" content="Tic-tac-toe, row by row: {rows}">' in page


@pytest.mark.parametrize(
    ("query", "title", "board"),
    [
        ("", "A tree of games · Lesson 1 of N", "XXOOX...O"),
        *table("""
lesson=99  A tree of games · Lesson 1 of N  XXOOX...O
lesson=4  Cutoffs and bounds · Lesson 4 of N  XXOOX...O
lesson=5&step=19  A cutoff in a larger tree · Lesson 5 of N  X.O.O.X..
lesson=5&node=1,3  A cutoff in a larger tree · Lesson 5 of N  XXOOO.X..
lesson=10  A limit · Lesson 10 of N  .........
lesson=10&board=.O.X.O...  A limit · Lesson 10 of N  .O.X.O...
lesson=10&board=.o.x.o...  A limit · Lesson 10 of N  .O.X.O...
lesson=4&board=X.O.O.X..  X to move · Search  X.O.O.X..
board=X.O.O.X..&starts=X&step=19  X to move · Search  X.O.O.X..
board=X.O.O.X..&starts=O&node=5  X to move · Search  X.O.OOX..
played=0,4  X to move · Search  X...O....
board=XXXOO....  X won · Search  XXXOO....
"""),
    ],
)
def test_the_preview_of_a_search_follows_its_position(
    client: FlaskClient, query: str, title: str, board: str
) -> None:
    """The page for a search has a title, and the picture of the node in its URL or of the root."""
    title = title.replace("of N", f"of {len(LESSONS)}")
    page = client.get(f"/search?{query}", base_url="https://play.example").text
    assert f"<title>{title} · Best Move</title>" in page
    assert f'<meta property="og:title" content="{title} · Best Move">' in page
    assert (
        f'<meta property="og:image" content="https://play.example/board.png?board={board}">' in page
    )


@pytest.mark.parametrize(
    "query",
    [
        "board=hello",
        "board=XX.......&step=3",
        "board=X........&played=0",
        "board=.........&node=0,0",
    ],
)
def test_the_preview_of_an_invalid_search_shows_the_playground(
    client: FlaskClient, query: str
) -> None:
    """The preview has the picture of the playground, and its title names no side."""
    page = client.get(f"/search?{query}", base_url="https://play.example").text
    assert (
        f'<meta property="og:image" content="https://play.example{STATIC_URL}preview.png">' in page
    )
    assert "<title>A position · Search · Best Move</title>" in page


Position = tuple[str, str]  # the board, and the side to move
Preview = tuple[str, str]  # the title, and the URL of the picture
Reading = dict[str, Any]  # what the scripts read in a query, and the links that they then write
Read = Callable[[Sequence[str]], list[Reading]]


#  The parameters that decide which position is shown.
NAMES: Final = {
    "/": ["board", "starts", "first", "played", "at", "set_up"],
    "/search": ["board", "starts", "played", "lesson", "node", "max_depth"],
}
#  Texts that are no value of any parameter, or no cell in a list.
MALFORMED: Final = ["", "9", "99", "a", "-1", "-0", "01", " 1", "1.0", "\uff11"]


def values(dice: random.Random) -> dict[str, str]:
    """Return a well-formed value of each parameter; a board or a move may be illegal."""
    board, side = dice.choice(POSITIONS)
    moves = [str(cell) for cell in range(9) if board[cell] == "."] or ["0"]
    dice.shuffle(moves)
    return {
        "board": dice.choice([board, board, board, "XX.......", dice.choice(OWN_BOARDS)]),
        "starts": dice.choice([referee.starter(board, side), "X", "O"]),
        "first": dice.choice(["X", "O", "random"]),
        "played": ",".join(moves[: dice.randrange(1, 6)]),
        "at": dice.choice("0123456789"),
        "set_up": dice.choice(["true", "false"]),
        "lesson": dice.choice([*map(str, LESSONS)]),
        "node": ",".join(moves[: dice.randrange(1, 4)]),
        "max_depth": dice.choice("129"),
    }


def query_of(dice: random.Random, path: str, *, is_spoiled: bool) -> str:
    """Return a query of a page, in either case.

    If it is spoiled, a value is malformed, or there is one more parameter, of any name.
    """
    known = values(dice)
    names = dice.sample(NAMES[path], dice.randrange(1, 5))
    pairs = [(name, dice.choice([known[name], known[name].lower()])) for name in names]
    if is_spoiled and dice.random() < 0.5:
        pairs.append(dice.choice([*values(dice).items()]))
    elif is_spoiled:
        index = dice.randrange(len(pairs))
        name, value = pairs[index]
        cells = value.split(",") if name in ("played", "node") else []
        cells.insert(dice.randrange(len(cells) + 1), dice.choice(MALFORMED))
        pairs[index] = (name, ",".join(cells))
    return urlencode(pairs)


def position_of(client: FlaskClient, query: Mapping[str, str]) -> Position | None:
    """Return the position in a request of a page; None if the service rejects it."""
    names = {"board", "starts", "played", "max_depth"}
    fields = {name: value for name, value in query.items() if name in names}
    response = client.get("/best-move", query_string={"max_depth": "1"} | fields)
    if response.status_code != 200:
        return None
    assert response.json
    position = response.json["position"]
    return position["board"], position["to_move"]


def named(position: Position | None) -> dict[str, str]:
    """Return the parameters that name a position; None is an illegal board."""
    if position is None:
        return {"board": "XX......."}
    return {"board": position[0], "starts": referee.starter(*position)}


def preview_of(client: FlaskClient, path: str, reading: Reading, place: Position | None) -> Preview:
    """Return the preview that a page must have for a position: that of the plainest URL."""
    title, picture = previewed(client, f"{path}?{urlencode(named(place))}")
    if path == "/search" and reading["lesson"]:
        title, _ = previewed(client, f"/search?lesson={reading['lesson']}")
    return title, picture


def positions_shown(client: FlaskClient, path: str, reading: Reading) -> list[Position | None]:
    """Return the positions that a preview may show; None is an error.

    They are several only if the URL has an illegal move or node, or leaves open who started.
    """
    if path == "/":
        position = position_of(client, reading["game"])
        shown = [position]
        if reading["ignored"]:  # such as an illegal move in a link of the search page
            shown.append(None)
        if position and "starts" not in reading["game"]:  # still open while a board is set up
            board, side = position
            shown.append((board, referee.opponent(side)))
        return shown
    root = position_of(client, reading["search"])
    way, depth = reading["node"], int(reading["search"]["max_depth"])
    node = root if way.count(",") < depth else None
    if root and node and way:
        node = position_of(client, named(root) | {"played": way})
    return [node] if node else [root, None]  # without the node, the page shows the root


@cache
def previewed(client: FlaskClient, url: str) -> Preview:
    """Return the title and the picture of a page."""
    page = client.get(url, base_url="https://play.example").text
    title = re.search("<title>(.*?)</title>", page)
    picture = re.search('<meta property="og:image" content="https://play.example(.*?)">', page)
    assert title
    assert picture
    return unescape(title[1]), picture[1]


@pytest.fixture(scope="module")
def read(app: Flask) -> Iterator[Read]:
    """Yield a function that returns what the scripts of the pages read in each of some queries."""
    with running("addresses.mjs") as scripts:
        scripts.write(app.test_client().get("/search").text)

        def read(queries: Sequence[str]) -> list[Reading]:
            scripts.write(queries)
            readings: list[Reading] = scripts.read()
            return readings

        yield read


#  Well-formed queries that the service once read otherwise than the scripts.
ONCE_WRONG: Final = {
    "/": {"first=O&played=4", "board=&played=4", "played=4,0,8&at="},
    "/search": {"lesson=5&board=", "played=0,4&at=1"},
}


@pytest.mark.parametrize("path", NAMES)
def test_a_preview_shows_the_position_that_the_page_shows(
    client: FlaskClient, read: Read, path: str
) -> None:
    """This holds for each URL that one of the pages writes or links to."""
    dice = random.Random(1)  # noqa: S311, no secret
    visited = [query_of(dice, page, is_spoiled=False) for page in NAMES for _ in range(URLS // 4)]
    links = [link for reading in read(visited) for link in reading["links"]]
    for page in NAMES:
        hrefs = re.findall('href="(.*?)"', client.get(page).text)
        links += [(page, unescape(href)) for href in hrefs]
    urls = [urlsplit(urljoin(page, href)) for page, href in links]
    asked = sorted({url.query for url in urls if url.path == path} | ONCE_WRONG[path])
    for query, reading in zip(asked, read(asked), strict=True):
        shown = positions_shown(client, path, reading)
        right = [preview_of(client, path, reading, position) for position in shown]
        assert previewed(client, f"{path}?{query}") in right, query


@pytest.mark.parametrize("path", NAMES)
def test_the_preview_of_an_invalid_url_shows_no_other_position(
    client: FlaskClient, read: Read, path: str
) -> None:
    """It shows the position that the page shows, or has the page's own title and picture."""
    dice = random.Random(2)  # noqa: S311, no secret
    asked = [query_of(dice, path, is_spoiled=True) for _ in range(URLS)]
    for query, reading in zip(asked, read(asked), strict=True):
        shown = [*positions_shown(client, path, reading), None]
        right = [preview_of(client, path, reading, position) for position in shown]
        assert previewed(client, f"{path}?{query}") in right, query


@pytest.mark.parametrize(
    ("forwarded", "service"),
    [
        ({}, "http://play.example:8000/"),
        ({"X-Forwarded-Proto": "https"}, "https://play.example:8000/"),
        ({"X-Forwarded-Proto": "javascript"}, "http://play.example:8000/"),
        ({"X-Forwarded-Prefix": "/ttt"}, "http://play.example:8000/ttt/"),
        (
            {"X-Forwarded-Prefix": "/a/b/", "X-Forwarded-Proto": "https"},
            "https://play.example:8000/a/b/",
        ),
        (
            {"X-Forwarded-Prefix": "/a, /b", "X-Forwarded-Proto": "https, http"},
            "https://play.example:8000/a/b/",
        ),
        ({"X-Forwarded-Prefix": "/"}, "http://play.example:8000/"),
        ({"X-Forwarded-Prefix": '/"><script>'}, "http://play.example:8000/%22%3E%3Cscript%3E/"),
    ],
    ids=[
        "no proxy",
        "TLS",
        "an invalid scheme",
        "a prefix",
        "both",
        "two proxies",
        "an empty prefix",
        "markup",
    ],
)
def test_the_preview_has_the_url_that_a_proxy_reports(
    client: FlaskClient, forwarded: dict[str, str], service: str
) -> None:
    """The picture's URL is absolute, with the scheme and prefix that the proxy's headers name."""
    page = client.get(
        "/?board=X...O....", base_url="http://play.example:8000", headers=forwarded
    ).text
    assert f'<meta property="og:image" content="{service}board.png?board=X...O....">' in page
    assert f"curl '{service}best-move?" in page
    for path in ("/docs", "/mcp"):
        headers = {**forwarded, "Accept": "text/html"}
        other = client.get(path, base_url="http://play.example:8000", headers=headers).text
        picture = f"{service}{STATIC_URL[1:]}preview.png"
        assert f'<meta property="og:image" content="{picture}">' in other
        assert SERVICE_PLACEHOLDER not in other


def test_a_query_that_is_longer_than_that_of_any_position_is_not_read(client: FlaskClient) -> None:
    """The page has the preview of its path, because it would take long to read the query."""
    long = f"board=X...O....&{'a' * MAX_QUERY}"
    for path in ("/", "/search"):
        title = re.search("<title>.*</title>", client.get(path).text)
        assert title
        assert title[0] in client.get(f"{path}?{long}").text


@pytest.mark.parametrize(
    "query",
    [
        "",
        "board=.........",
        "board=hello",
        "board=XX.......",
        "board=X........&starts=O",
        "played=0,0",
        "played=9",
        "played=a",
        "played=0&at=x",
        "you=O",
    ],
)
def test_the_preview_of_a_new_game_or_an_invalid_position_shows_the_page(
    client: FlaskClient, query: str
) -> None:
    """For a new game or an invalid position, the preview shows the playground."""
    page = client.get(f"/?{query}", base_url="https://play.example").text
    assert (
        f'<meta property="og:image" content="https://play.example{STATIC_URL}preview.png">' in page
    )
    assert size_in(page) == (1280, 640)
    assert '<meta property="og:image:alt" content="A game in progress: ' in page
    assert "<title>Best Move: " in page


def test_the_preview_is_small() -> None:
    """The picture has the size that the page declares, and its file is smaller than 200 KB."""
    picture = (STATIC / "preview.png").read_bytes()
    assert len(picture) < 200_000
    assert size_of(picture) == (1280, 640)
