"""The link previews: a link to a position has the title and the picture of the position."""

import random
import re
from collections.abc import Iterator, Mapping
from html import unescape
from typing import Final
from urllib.parse import urlencode

import pytest
from flask.testing import FlaskClient

from best_move.web.pages.files import STATIC, STATIC_URL
from best_move.web.pages.previews import LESSONS
from best_move.web.pages.views import MAX_QUERY, SERVICE_PLACEHOLDER
from tests.fuzzing import EXAMPLES
from tests.tables import table
from tests.truth import referee
from tests.web.pages.scripts import running

URLS: Final = 4 * EXAMPLES
BOARDS: Final = sorted({board for board, _ in referee.reachable()})
OWN_BOARDS: Final = [
    board
    for lesson in LESSONS.values()
    for board in (lesson.search["board"], lesson.other_board)
    if board
]
CELLS_AS_TEXT: Final = "012345678"


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
    "query", ["board=hello", "board=XX.......&step=3", "board=X........&played=0"]
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


#  Queries that were once read otherwise by the service than by the scripts.
QUERIES: Final = [
    "lesson=5&board=",
    "board=&played=4",
    "played=4,0,8&at=abc",
    "played=4,0,8&at=",
    "played=4,0,8&at=-1",
    "played=4&played=0",
    "played=0,4&at=1",
    "first=O&played=4",
    "lesson=5&node=0,0",
    "board=X........&board=X...O....",
]


def values(dice: random.Random) -> dict[str, str]:
    """Return a value of each parameter that decides which position is shown; many are invalid."""
    board = dice.choice([*BOARDS, *OWN_BOARDS])
    moves = dice.sample(CELLS_AS_TEXT, dice.randrange(1, 10))
    wrong = [*moves, dice.choice(["", "9", "a", "-0", " 4", "04", "\uff14"])]
    dice.shuffle(wrong)
    return {
        "board": dice.choice([board, board, "".join(dice.choices("XO.", k=9)), "hello", ""]),
        "starts": dice.choice(["X", "O", "Z", ""]),
        "first": dice.choice(["X", "O", "Z", ""]),
        "played": ",".join(dice.choice([moves, moves[:2], wrong])),
        "at": dice.choice([*"0123456789", "-1", "01", " 1", "abc", ""]),
        "lesson": dice.choice([*map(str, LESSONS), "99", "01", ""]),
        "node": ",".join(dice.choice([moves[:2], moves, wrong])),
    }


def queries(dice: random.Random) -> Iterator[str]:
    """Yield queries with some of the parameters in any order, in either case, some repeated."""
    for _ in range(URLS):
        known = values(dice)
        names = dice.sample([*known], dice.randrange(1, 5))
        pairs = [(name, known[name]) for name in names]
        if dice.random() < 0.3:
            name = dice.choice([*known.keys() - {"node"}])
            pairs.append((name, values(dice)[name]))
        yield urlencode([(name, dice.choice([value, value.lower()])) for name, value in pairs])


def position_of(client: FlaskClient, query: Mapping[str, str]) -> tuple[str, str] | None:
    """Return the board and the side to move of a request; None if the service rejects it."""
    names = {"board", "starts", "played"}
    fields = {name: value for name, value in query.items() if name in names}
    response = client.get("/best-move", query_string=fields | {"max_depth": 1})
    if response.status_code != 200:
        return None
    assert response.json
    position = response.json["position"]
    return position["board"], position["to_move"]


def after_path(position: tuple[str, str] | None, path: str) -> tuple[str, str] | None:
    """Return the position of a node below a position or, if there is no such node, the position."""
    if position is None or not path:
        return position
    board, side = position
    for cell in map(int, path.split(",")):
        if referee.is_over(board) or cell not in referee.moves(board):
            return position
        board = referee.play(board, side, cell)
        side = referee.opponent(side)
    return board, side


def status_words(position: tuple[str, str] | None) -> str:
    """Return what a title says of a position."""
    if position is None:
        return "A position"
    board, side = position
    for mark in "XO":
        if referee.has_won(board, mark):
            return f"{mark} won"
    return f"{side} to move" if "." in board else "A draw"


def previewed(client: FlaskClient, url: str) -> tuple[str, str]:
    """Return the title of a page, and the URL of the picture of its link preview."""
    page = client.get(url, base_url="https://play.example").text
    title = re.search("<title>(.*?)</title>", page)
    picture = re.search('<meta property="og:image" content="https://play.example(.*?)">', page)
    assert title
    assert picture
    return unescape(title[1]), picture[1]


def picture_of(position: tuple[str, str] | None) -> str:
    """Return the URL of the picture of a position."""
    return f"/board.png?board={position[0]}" if position else f"{STATIC_URL}preview.png"


def test_a_preview_shows_the_position_that_the_page_shows(client: FlaskClient) -> None:
    """Title and picture belong to the position that the page's own script reads in the URL."""
    asked = [*QUERIES, *queries(random.Random(1))]  # noqa: S311, no secret
    with running("addresses.mjs") as scripts:
        scripts.write(client.get("/search").text)
        scripts.write(asked)
        readings = scripts.read()
    for query, reading in zip(asked, readings, strict=True):
        position = position_of(client, reading["game"])
        title = f"{status_words(position)} · Best Move, tic-tac-toe"
        if position is None or position[0] == "." * 9:
            position = None
            title = "Best Move: tic-tac-toe against an oracle that shows its work"
        assert previewed(client, f"/?{query}") == (title, picture_of(position)), query

        position = after_path(position_of(client, reading["search"]), reading["node"])
        title, picture = previewed(client, f"/search?{query}")
        head = f"{status_words(position)} · Search ·"
        if reading["lesson"]:
            head = f"{LESSONS[int(reading['lesson'])].title} · Lesson {reading['lesson']} of "
        assert title.startswith(head), query
        assert picture == picture_of(position), query


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
        ({"X-Forwarded-Prefix": "/"}, "http://play.example:8000/"),
        ({"X-Forwarded-Prefix": '/"><script>'}, "http://play.example:8000/%22%3E%3Cscript%3E/"),
    ],
    ids=["no proxy", "TLS", "an invalid scheme", "a prefix", "both", "an empty prefix", "markup"],
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
        "played=9",
        "played=a",
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
