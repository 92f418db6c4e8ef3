"""Published tables of the game, computed again by the engine and the service."""

from collections import Counter
from collections.abc import Iterable
from functools import cache

import pytest
from flask.testing import FlaskClient

from best_move.engine.position import Position
from best_move.engine.score import Assessment
from best_move.engine.symmetry import class_of
from best_move.oracle import Question, consult
from tests.truth import golden
from tests.truth.textbook import Search

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
    """At each ply X and O force as many classes as in OEIS A317573 and A317574."""
    assert by_ply(forced_by("X")) == golden.CLASSES_FORCED_BY_X
    assert by_ply(forced_by("O")) == golden.CLASSES_FORCED_BY_O
    drawn = [position for position, assessment in classes().items() if assessment.outcome == "draw"]
    assert len(forced_by("X")) + len(forced_by("O")) + len(drawn) == len(classes())


def test_the_finished_classes_have_the_published_numbers() -> None:
    """The finished classes by ply are those of OEIS A317576: X won 91, O won 44, 3 are draws."""
    finished = [position for position in classes() if position.status != "in_progress"]
    assert by_ply(finished) == golden.CLASSES_FINISHED
    assert Counter(position.status for position in finished) == golden.CLASSES_BY_STATUS


def test_the_decided_classes_have_the_golden_distances() -> None:
    """The won and the lost classes by plies to the end are as many as in the golden table."""
    distances = Counter(
        (assessment.outcome, assessment.distance) for assessment in classes().values()
    )
    assert {
        key: count for key, count in distances.items() if key[0] != "draw"
    } == golden.CLASSES_BY_DISTANCE


def test_the_games_by_winner_have_the_published_numbers() -> None:
    """X wins 131,184 games, O wins 77,904, and 46,080 are draws."""

    @cache
    def games(position: Position) -> Counter[str]:
        if position.status != "in_progress":
            return Counter([position.status])
        return sum((games(position.after(move)) for move in position.legal_moves), Counter())

    assert games(EMPTY) == golden.GAMES_BY_STATUS


def test_the_finished_boards_are_those_of_the_data_set() -> None:
    """Games reach 5,478 boards and end on 958, of which X has won 626, as in UCI's data set."""
    finished = {
        position.board: position.status
        for position in positions()
        if position.status != "in_progress"
    }
    assert len(positions()) == golden.STARTED_BY_X
    assert len(finished) == golden.STARTED_BY_X_FINISHED
    assert Counter(finished.values())["x_won"] == golden.STARTED_BY_X_WON_BY_X


def test_the_classes_with_a_choice_are_the_matchboxes_of_menace() -> None:
    """The first player has to choose a move in 304 classes, one per matchbox of MENACE."""
    choices = [
        position
        for position in classes()
        if position.to_move == "X" and len(position.legal_moves) > 1
    ]
    assert Counter(position.ply for position in choices) == golden.MATCHBOXES
    assert len(choices) == 304


@pytest.mark.parametrize("board", golden.NODES_WITH_STRICT_CUTOFFS)
def test_cutoffs_only_above_beta_find_the_same_move_in_more_nodes(board: str) -> None:
    """Without cutoffs of ties a textbook search visits the golden number of nodes."""
    found = consult(Question(Position.parse(board), "alphabeta", "outcome"))
    equal, strict = (
        Search(board, "X", prunes=True, counts_plies=False, levels=0, cuts_at_equality=cuts)
        for cuts in (True, False)
    )
    assert (equal.best_move, equal.sizes[()]) == (found.move, found.nodes)
    assert (strict.best_move, strict.sizes[()]) == (
        found.move,
        golden.NODES_WITH_STRICT_CUTOFFS[board],
    )


def test_the_values_at_depth_two_are_those_of_the_textbook(client: FlaskClient) -> None:
    """At depth 2 the center has the estimate 1, a corner -1, a side -2; a value is a 32nd."""
    query = {"board": EMPTY.board, "algorithm": "minimax", "max_depth": 2, "analysis": "true"}
    found = client.get("/best-move", query_string=query).get_json()
    assert {
        scored["move"]: scored["value"] * 32 for scored in found["moves"]
    } == golden.VALUES_AT_DEPTH_2
    assert found["move"] == 4


def test_the_golden_board_has_a_single_winning_move(client: FlaskClient) -> None:
    """On the golden board the service finds the only winning move and the plies to the win."""
    board, move, plies = golden.SINGLE_WIN
    found = client.get("/best-move", query_string={"board": board, "analysis": "true"}).get_json()
    assert (found["move"], found["distance"]) == (move, plies)
    assert [scored["move"] for scored in found["moves"] if scored["outcome"] == "win"] == [move]


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
