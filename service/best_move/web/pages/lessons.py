"""The lessons of the search page: their titles, their searches, and what the page draws."""

from typing import NamedTuple
from urllib.parse import parse_qsl


class Lesson(NamedTuple):
    """A lesson: its title and the query of its search.

    `focus` is the path of the only node whose branch is drawn in full, `narrow` that in a narrow
    window, and `other_board` a board on which the lesson has a second text; each may be empty.
    """

    title: str
    query: str
    focus: str = ""
    narrow: str = ""
    other_board: str = ""

    @property
    def search(self) -> dict[str, str]:
        """The fields of the query."""
        return dict(parse_qsl(self.query))


#  The lessons by number; the template `lessons.html` has their texts.
LESSONS = {
    1: Lesson("A tree of numbers", "tree=[[3,12,8],[2,4,6],[14,5,2]]"),
    2: Lesson("A tree of games", "board=XXOOX...O&algorithm=minimax&scoring=outcome&step=26"),
    3: Lesson("MAX and MIN", "board=XXOOX...O&algorithm=minimax&scoring=outcome&step=22"),
    4: Lesson("α and β", "board=XXOOX...O&scoring=outcome&step=16"),  # noqa: RUF001, Greek
    5: Lesson("Cutoffs and bounds", "board=XXOOX...O&scoring=outcome&step=18"),
    6: Lesson(
        "A cutoff in a larger tree",
        "board=X.O.O.X..&scoring=outcome&step=19",
        focus="1,3",
        narrow="1,3,7",
    ),
    7: Lesson("Block", "board=XO..O...X&algorithm=minimax&scoring=outcome&step=83"),
    8: Lesson("Fork", "board=.X.XOO.O.&algorithm=minimax&step=30", focus="0", narrow="0,6"),
    9: Lesson("A deep cutoff", "board=O..OX..X.&step=10", focus="2,1", narrow="2,1,5"),
    10: Lesson("Why order matters", "board=XO.X..O..&step=231"),
    11: Lesson(
        "A limit",
        "board=.........&algorithm=minimax&max_depth=2&merge=true&step=9999",
        focus="4",
        narrow="4",
        other_board=".O.X.O...",
    ),
}
