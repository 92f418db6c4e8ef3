"""What the search page shows: which search, which step and which node."""

from typing import Final
from urllib.parse import parse_qsl, urlsplit

from tests.truth import referee
from tests.truth.textbook import Event
from tests.web.pages.drawn_tree import Drawing
from tests.web.pages.page import Moment, text
from tests.web.pages.searches import Case, Path, moves_in, searched


def query_of(moment: Moment) -> dict[str, str]:
    """Return the parameters of the page's URL, in lower case."""
    return dict(parse_qsl(urlsplit(moment.url).query.lower()))


def case_of(moment: Moment) -> Case:
    """Return the search that the URL, the lesson and the controls name."""
    query = query_of(moment)
    card = next(each for each in moment["lesson"].iter("article") if moment.is_visible(each))
    lesson = dict(parse_qsl(card.get("data-search", "")))
    board = query.get("board", lesson.get("board", 9 * ".")).upper()
    starts = query.get("starts", "x").upper()
    balance = board.count("X") - board.count("O")
    side = {0: starts, 1: "O", -1: "X"}[balance]
    for cell in moves_in(query.get("played", "")):
        board, side = referee.play(board, side, cell), referee.opponent(side)
    order, depth = (moment[name].get("live-value", "") for name in ("order", "depth"))
    return Case((board, side), chosen(moment, "scoring"), order, int(depth))  # type: ignore[arg-type]


def chosen(moment: Moment, name: str) -> str:
    """Return the value of the chosen radio button with a name."""
    (value,) = (
        each.get("value", "")
        for each in moment.body.iterfind(f".//input[@name='{name}']")
        if each.get("live-checked") is not None
    )
    return value


def is_pressed(moment: Moment, name: str) -> bool:
    """Return whether a button that stays pressed is pressed."""
    return moment[name].get("aria-pressed") == "true"


class View:
    """A search, and what the page shows of it: a step, and a node."""

    def __init__(self, moment: Moment) -> None:
        (svg,) = moment["drawing"].iterfind("svg")
        self.moment: Final = moment
        self.drawing: Final = Drawing(svg)
        self.case: Final = case_of(moment)
        self.algorithm: Final = chosen(moment, "algorithm")
        self.search: Final = searched(self.case, self.algorithm)
        self.step: Final = int(moment["step"].get("live-value", ""))
        self.last: Final = int(moment["step"].get("max", ""))
        self.is_exercise: Final = "predict-question" in moment and "predict" in moment
        self.is_grown: Final = len(self.drawing.plies) > self.search.levels + 1
        self.is_merged: Final = is_pressed(moment, "merging")
        node = moves_in(query_of(moment).get("node", "x").replace("x", ""))
        self.node: Final = node if node in searched(self.case, "minimax").visits else ()
        self.has_node: Final = self.node != () or query_of(moment).get("node") == ""

    @property
    def event(self) -> Event:
        """The event at the step."""
        return self.search.events[self.step]

    @property
    def path(self) -> Path:
        """The node that is shown: the one that the user chose, or else that of the step."""
        return self.node or self.event.path

    @property
    def is_end(self) -> bool:
        """Whether the step is the last."""
        return self.step == self.last


def asks(moment: Moment) -> bool:
    """Return whether a question of an exercise is shown."""
    return "predict" in moment and "predict-question" in moment


def card_of(moment: Moment) -> tuple[str, str]:
    """Return the place and the title of the card that is shown."""
    card = next(each for each in moment["lesson"].iter("article") if moment.is_visible(each))
    place, title = card.find(".//span"), card.find("h2")
    assert place is not None
    assert title is not None
    return text(place), text(title)
