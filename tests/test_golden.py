"""Published tables of the game, computed again by the engine and the service."""

from collections import Counter
from collections.abc import Iterable
from functools import cache

from flask.testing import FlaskClient

from best_move.engine.position import Position
from best_move.engine.score import Assessment
from best_move.engine.symmetry import class_of
from best_move.oracle import Question, consult
from tests.truth import golden

EMPTY = Position.parse(".........")


@cache
def positions() -> set[Position]:
    """Return every position of games that X starts, found by playing all moves."""
    found, unexplored = {EMPTY}, [EMPTY]
    while unexplored:
        position = unexplored.pop()
        new = {position.after(move) for move in position.legal_moves} - found
        found |= new
        unexplored += new
    return found


@cache
def classes() -> dict[Position, Assessment]:
    """Return one position of each class, with its assessment."""
    members = {class_of(position.own, position.opponent): position for position in positions()}
    return {
        member: consult(Question(member, "transposition_table")).assessment
        for member in members.values()
    }


def by_ply(chosen: Iterable[Position]) -> tuple[int, ...]:
    """Return how many positions are at each ply from 0 to 9."""
    counts = Counter(position.ply for position in chosen)
    return tuple(counts[ply] for ply in range(10))


def forced_by(mark: str) -> list[Position]:
    """Return a position of each class in which a side can force a win or has won."""
    return [
        position
        for position, assessment in classes().items()
        if assessment.outcome == ("win" if position.to_move == mark else "loss")
    ]


def test_the_classes_by_ply_have_the_published_numbers() -> None:
    """Up to symmetry there are 765 positions, with the counts by ply of OEIS A008907."""
    assert len(classes()) == 765
    assert by_ply(classes()) == golden.CLASSES


def test_the_forced_wins_by_ply_have_the_published_numbers() -> None:
    """At each ply X and O force as many classes as in row 3 of OEIS A317573 and A317574."""
    assert by_ply(forced_by("X")) == (0, 0, 7, 9, 85, 67, 139, 70, 23, 12)
    assert by_ply(forced_by("O")) == (0, 0, 0, 8, 5, 72, 38, 56, 23, 0)
    drawn = [position for position, assessment in classes().items() if assessment.outcome == "draw"]
    assert len(forced_by("X")) + len(forced_by("O")) + len(drawn) == len(classes())


def test_the_finished_classes_have_the_published_numbers() -> None:
    """The numbers by ply are row 3 of OEIS A317576.

    Those by status are of T. Bolon, "How to never lose at Tic-Tac-Toe", 2013.
    """
    finished = [position for position in classes() if position.status != "in_progress"]
    assert by_ply(finished) == (0, 0, 0, 0, 0, 21, 21, 58, 23, 15)
    by_status = Counter(position.status for position in finished)
    assert by_status == {"x_won": 91, "o_won": 44, "draw": 3}


def test_the_decided_classes_have_the_golden_distances() -> None:
    """The classes by outcome for the side to move and by plies to the end were counted here."""
    distances = Counter(
        (assessment.outcome, assessment.distance)
        for assessment in classes().values()
        if assessment.outcome != "draw"
    )
    assert distances == {
        ("loss", 0): 135,
        ("loss", 2): 72,
        ("loss", 4): 17,
        ("win", 1): 321,
        ("win", 3): 51,
        ("win", 5): 18,
    }


def test_the_games_by_winner_have_the_published_numbers() -> None:
    """X wins 131,184 games, O 77,904, and 46,080 are draws.

    Source: H. Bottomley, "How many games of Noughts and Crosses are possible?", 2001.
    """

    @cache
    def games(position: Position) -> Counter[str]:
        if position.status != "in_progress":
            return Counter([position.status])
        return sum((games(position.after(move)) for move in position.legal_moves), Counter())

    assert games(EMPTY) == {"x_won": 131_184, "o_won": 77_904, "draw": 46_080}


def test_the_finished_boards_are_those_of_the_data_set() -> None:
    """Games reach 5,478 boards and end on 958, of which X has won 626.

    Source: D. Aha, "Tic-Tac-Toe Endgame", UCI Machine Learning Repository, 1991.
    """
    finished = [position for position in positions() if position.status != "in_progress"]
    assert len(positions()) == golden.STARTED_BY_X
    assert len(finished) == 958
    assert len([position for position in finished if position.status == "x_won"]) == 626


def test_the_classes_with_a_choice_are_the_matchboxes_of_menace() -> None:
    """The first player has to choose a move in 304 classes, one per matchbox of MENACE.

    MENACE always starts, and needs no box if one cell is left. Source: D. Michie, "Trial and
    Error", Penguin Science Survey 2, 1961.
    """
    choices = [
        position
        for position in classes()
        if position.to_move == "X" and len(position.legal_moves) > 1
    ]
    assert Counter(position.ply for position in choices) == {0: 1, 2: 12, 4: 108, 6: 183}
    assert len(choices) == 304


def test_the_values_at_depth_two_are_those_of_the_textbook(client: FlaskClient) -> None:
    """At depth 2 the center has the estimate 1, a corner -1, a side -2; a value is a 32nd."""
    query = {"board": EMPTY.board, "algorithm": "minimax", "max_depth": 2, "analysis": "true"}
    found = client.get("/best-move", query_string=query).get_json()
    values = {scored["move"]: scored["value"] * 32 for scored in found["moves"]}
    assert values == golden.VALUES_AT_DEPTH_2
    assert found["move"] == 4


def test_the_golden_board_has_a_single_winning_move(client: FlaskClient) -> None:
    """X wins in 3 plies by cell 6 alone.

    Proof: X on 6 threatens to win on 0 and 8, O threatens nothing, and no other move of X makes two
    threats.
    """
    query = {"board": "...XOO.X.", "analysis": "true"}
    found = client.get("/best-move", query_string=query).get_json()
    assert (found["move"], found["distance"]) == (6, 3)
    assert [scored["move"] for scored in found["moves"] if scored["outcome"] == "win"] == [6]


def test_the_nodes_of_a_game_are_those_of_a_course() -> None:
    """For each turn of O, the searches of O's moves visit as many nodes as a course's hand-out."""
    for board, expected in golden.COURSE_NODES.items():
        position = Position.parse(board)
        searches = [
            [
                consult(Question(position.after(move), algorithm, "outcome")).nodes
                for move in position.legal_moves
            ]
            for algorithm in ("minimax", "alphabeta")
        ]
        assert tuple(map(sum, searches)) == expected
