"""The link previews: a link to a position has the title and the picture of the position."""

import json
import random
import re
from functools import cache
from html import unescape
from typing import Final
from urllib.parse import urlencode, urljoin, urlsplit

import pytest
from flask.testing import FlaskClient

from best_move.web.pages.files import STATIC, STATIC_URL
from best_move.web.pages.lessons import LESSONS
from best_move.web.pages.views import MAX_QUERY, SERVICE_PLACEHOLDER
from tests.fuzzing import EXAMPLES
from tests.tables import table
from tests.truth import referee
from tests.truth.number_trees import any_tree
from tests.web.pages.page import running

URLS: Final = 4 * EXAMPLES
POSITIONS: Final = sorted(referee.reachable())
OWN_BOARDS: Final = [
    board
    for lesson in LESSONS.values()
    for board in (lesson.search.get("board"), lesson.other_board)
    if board
]


@cache
def preview_of(client: FlaskClient, url: str) -> dict[str, str]:
    """Return the properties of the preview of a page, such as its title and its picture's URL."""
    page = client.get(url, base_url="https://play.example").text
    pattern = '<meta property="og:(title|image.*?)" content="(?:https://play.example)?(.*?)">'
    return {name: unescape(text) for name, text in re.findall(pattern, page)}


def size_of(png: bytes) -> list[str]:
    """Return the width and the height in a PNG."""
    return [str(int.from_bytes(png[start : start + 4])) for start in (16, 20)]


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
    preview = preview_of(client, f"/?{query}")
    image = client.get(preview["image"])
    assert image.mimetype == "image/png"
    width, height = size_of(image.data)
    rows = ", ".join(" ".join(board[start : start + 3].replace(".", "-")) for start in (0, 3, 6))
    title = f"{title} · Best Move, tic-tac-toe"
    assert f"<title>{title}</title>" in client.get(f"/?{query}").text
    assert preview == {
        "title": title,
        "image": f"/board.png?board={board}",
        "image:width": width,
        "image:height": height,
        "image:alt": f"Tic-tac-toe, row by row: {rows}",
    }


@pytest.mark.parametrize(
    ("query", "title", "board"),
    [
        *table("""
lesson=2  A tree of games · Lesson 2 of N  XXOOX...O
lesson=5  Cutoffs and bounds · Lesson 5 of N  XXOOX...O
lesson=6&step=19  A cutoff in a larger tree · Lesson 6 of N  X.O.O.X..
lesson=6&node=1,3  A cutoff in a larger tree · Lesson 6 of N  XXOOO.X..
lesson=11  A limit · Lesson 11 of N  .........
lesson=11&board=.O.X.O...  A limit · Lesson 11 of N  .O.X.O...
lesson=11&board=.o.x.o...  A limit · Lesson 11 of N  .O.X.O...
lesson=5&board=X.O.O.X..  X to move · Search  X.O.O.X..
board=X.O.O.X..&starts=X&step=19  X to move · Search  X.O.O.X..
board=X.O.O.X..&starts=O&node=5  X to move · Search  X.O.OOX..
played=0,4  X to move · Search  X...O....
board=XXXOO....  X won · Search  XXXOO....
""")
    ],
)
def test_the_preview_of_a_search_follows_its_position(
    client: FlaskClient, query: str, title: str, board: str
) -> None:
    """The page for a search has a title, and the picture of the node in its URL or of the root."""
    title = title.replace("of N", f"of {len(LESSONS)}")
    preview = preview_of(client, f"/search?{query}")
    assert preview["title"] == f"{title} · Best Move"
    assert preview["image"] == f"/board.png?board={board}"
    assert f"<title>{preview['title']}</title>" in client.get(f"/search?{query}").text


#  The tree of the first lesson.
FIRST: Final = "[[3,12,8],[2,4,6],[14,5,2]]"


@pytest.mark.parametrize(
    ("query", "title", "tree", "root"),
    [
        ("", "A tree of numbers · Lesson 1 of N", FIRST, "max"),
        *table("""
lesson=99  A tree of numbers · Lesson 1 of N  [[3,12,8],[2,4,6],[14,5,2]]  max
lesson=1&tree=[[3,12],[7]]  A tree of numbers · Lesson 1 of N  [[3,12],[7]]  max
lesson=2&tree=[[3,12],[7]]  MAX to move · Search  [[3,12],[7]]  max
tree=((3+12)+(-7))&root=MIN&predict=true  MIN to move · Search  [[3,12],[-7]]  min
tree=[3,5]&root=top  MAX to move · Search  [3,5]  max
tree=random(2,2,7)  MAX to move · Search  [[8,16],[-3,4]]  max
"""),
    ],
)
def test_the_preview_of_a_tree_of_numbers_shows_it(
    client: FlaskClient, query: str, title: str, tree: str, root: str
) -> None:
    """The page for a tree has a title, and a picture without the values and the cutoffs."""
    title = title.replace("of N", f"of {len(LESSONS)}")
    preview = preview_of(client, f"/search?{query}")
    assert preview["title"] == f"{title} · Best Move"
    assert preview["image"] == f"/tree.png?{urlencode({'tree': tree, 'root': root})}"
    picture = client.get(preview["image"])
    assert picture.mimetype == "image/png"
    assert size_of(picture.data) == [preview["image:width"], preview["image:height"]]
    assert preview["image:alt"] == f"A tree of numbers, {root.upper()} to move: {tree}"


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("board=hello", "A position"),
        ("board=XX.......&step=3", "A position"),
        ("board=X........&played=0", "A position"),
        ("board=.........&node=0,0", "A position"),
        ("tree=[[3,x]]", "A tree of numbers"),
        ("tree=[3", "A tree of numbers"),
        ("tree=random(9,9,9)", "A tree of numbers"),
    ],
)
def test_the_preview_of_an_invalid_search_shows_the_playground(
    client: FlaskClient, query: str, title: str
) -> None:
    """The preview has the picture of the playground, and its title names no side."""
    preview = preview_of(client, f"/search?{query}")
    assert preview["image"] == f"{STATIC_URL}preview.png"
    assert preview["title"] == f"{title} · Search · Best Move"


#  The parameters that decide which position is shown.
NAMES: Final = {
    "/": ["board", "starts", "first", "played", "at", "set_up"],
    "/search": ["board", "starts", "played", "lesson", "node", "max_depth", "tree", "root"],
}
#  Texts that are no value of any parameter, or no cell in a list.
MALFORMED: Final = ["", "9", "99", "a", "-1", "-0", "01", " 1", "1.0", "\uff11"]


def any_query(dice: random.Random, path: str, *, is_spoiled: bool = False) -> str:
    """Return a query of a page, in either case; a board or a move may be illegal.

    If it is spoiled, a value is malformed, or there is one more parameter, of any name.
    """
    board, side = dice.choice(POSITIONS)
    moves = [cell for cell in "012345678" if board[int(cell)] == "."] or ["0"]
    dice.shuffle(moves)
    values = {
        "board": dice.choice([board, board, board, "XX.......", dice.choice(OWN_BOARDS)]),
        "starts": dice.choice([referee.starter(board, side), "X", "O"]),
        "first": dice.choice(["X", "O", "random"]),
        "played": ",".join(moves[: dice.randrange(1, 6)]),
        "at": dice.choice("0123456789"),
        "set_up": dice.choice(["true", "false"]),
        "lesson": dice.choice([*map(str, LESSONS)]),
        "node": ",".join(moves[: dice.randrange(1, 4)]),
        "max_depth": dice.choice("129"),
        "tree": dice.choice(
            [json.dumps(any_tree(dice)), "((3 5) (2 9))", "random(2,2,7)", "[3,x]"]
        ),
        "root": dice.choice(["max", "min"]),
    }
    names = dice.sample(NAMES[path], dice.randrange(1, 5))
    query = [(name, dice.choice([values[name], values[name].lower()])) for name in names]
    if is_spoiled and dice.random() < 0.5:
        query.append(dice.choice([*values.items()]))
    elif is_spoiled:
        name, value = query.pop(dice.randrange(len(query)))
        cells = value.split(",") if name in ("played", "node") else []
        cells.insert(dice.randrange(len(cells) + 1), dice.choice(MALFORMED))
        query.append((name, ",".join(cells)))
    return urlencode(query)


@cache
def right_preview(
    client: FlaskClient, path: str, position: str, lesson: str | None
) -> dict[str, str]:
    """Return the preview that a page must have for a position or a tree: that of a plain URL."""
    query = position
    if not position.startswith("tree="):
        answer = client.get(f"/best-move?max_depth=1&{position}").get_json()
        shown = answer.get("position", {"board": "XX.......", "starts": "X"})
        query = urlencode({name: shown[name] for name in ("board", "starts")})
    preview = preview_of(client, f"{path}?{query}")
    if path == "/search" and lesson:
        return preview | {"title": preview_of(client, f"/search?lesson={lesson}")["title"]}
    return preview


#  Well-formed queries that the service once read otherwise than the scripts.
ONCE_WRONG: Final = {
    "/": {"first=O&played=4", "board=&played=4", "played=4,0,8&at="},
    "/search": {"lesson=6&board=", "played=0,4&at=1"},
}


def test_a_preview_shows_the_position_that_the_page_shows(client: FlaskClient) -> None:
    """It is that of each URL that a page writes or links to.

    For any other URL, it may also be that of the page without a position.
    """
    dice = random.Random(1)  # noqa: S311, no secret
    visited = [any_query(dice, page) for page in NAMES for _ in range(URLS // 4)]
    with running("addresses.mjs") as scripts:
        scripts.write(client.get("/search").text)
        scripts.write(visited)
        links = [link for reading in scripts.read() for link in reading["links"]]
        for page in NAMES:
            hrefs = re.findall('href="(.*?)"', client.get(page).text)
            links += [(page, unescape(href)) for href in hrefs]
        urls = [urlsplit(urljoin(page, href)) for page, href in links]
        for path in NAMES:
            written = {url.query for url in urls if url.path == path} | ONCE_WRONG[path]
            spoiled = {any_query(dice, path, is_spoiled=True) for _ in range(URLS)} - written
            queries = [*sorted(written), *sorted(spoiled)]
            scripts.write(queries)
            for query, reading in zip(queries, scripts.read(), strict=True):
                illegal = {"board": "XX......."}
                shown = reading["positions"][path]
                if path == "/search" and "tree" in reading:
                    shown = [reading["tree"]]
                own, *right = (
                    right_preview(client, path, urlencode(position), reading["lesson"])
                    for position in (illegal, *shown)
                )
                if right[0] != own:
                    right = right[:1]
                if query in spoiled or reading["isCut"][path]:
                    right.append(own)
                assert preview_of(client, f"{path}?{query}") in right, query


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
    assert f'curl "{service}best-move?' in page
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
    preview = preview_of(client, f"/?{query}")
    assert preview["image"] == f"{STATIC_URL}preview.png"
    assert [preview["image:width"], preview["image:height"]] == ["1280", "640"]
    assert preview["image:alt"].startswith("A game in progress: ")
    assert preview["title"].startswith("Best Move: ")


def test_the_preview_is_small() -> None:
    """The picture has the size that the page declares, and its file is smaller than 200 KB."""
    picture = (STATIC / "preview.png").read_bytes()
    assert len(picture) < 200_000
    assert size_of(picture) == ["1280", "640"]
