"""The rules: which boards are accepted, whose turn it is, and how a game ends."""

import pickle
from collections.abc import Callable
from copy import copy, deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from best_move.engine.position import (
    IllegalMoveError,
    IllegalPositionError,
    InvalidBoardError,
    Mark,
    Position,
    other,
)
from tests.tables import table
from tests.truth import golden, referee


def parsed(pair: tuple[str, str]) -> Position:
    """Return the position with the board and the side to move of a pair of the referee."""
    board, to_move = pair
    return Position.parse(board, "X" if to_move == "X" else "O")


def rejection(board: str, to_move: Mark | None = None) -> str | None:
    """Return the cause for which a board is rejected, or None if it is accepted."""
    try:
        Position.parse(board, to_move)
    except IllegalPositionError as error:
        return error.cause
    return None


def test_exactly_the_legal_boards_are_accepted() -> None:
    """Of all 19,683 boards exactly the illegal boards are rejected, with their causes."""
    legal = {board for board, _ in referee.reachable()}
    rejections = {board: rejection(board) for board in referee.all_boards()}
    assert (len(rejections), len(legal)) == (golden.BOARDS, 8_533)
    for board, cause in rejections.items():
        if board in legal:
            assert cause is None
        elif abs(board.count("X") - board.count("O")) > 1:
            assert cause == "mark_counts"
        elif referee.has_won(board, "X") and referee.has_won(board, "O"):
            assert cause == "two_winners"
        else:
            assert cause == "played_after_win"


def test_a_side_to_move_is_accepted_exactly_if_a_legal_game_allows_it() -> None:
    """A side that cannot be to move on the board is rejected as `wrong_side_to_move`.

    An omitted side to move is X if X can be to move, and O otherwise.
    """
    accepted = set()
    for board in {board for board, _ in referee.reachable()}:
        either = "X" if (board, "X") in referee.reachable() else "O"
        assert Position.parse(board).to_move == either
        for mark in ("X", "O"):
            cause = rejection(board, mark)
            if cause is None:
                accepted.add((board, mark))
            else:
                assert cause == "wrong_side_to_move"
    assert accepted == referee.reachable()
    assert len(accepted) == golden.LEGAL_PAIRS


def test_a_side_may_have_started_exactly_if_a_legal_game_allows_it() -> None:
    """A side that cannot have started is rejected as `wrong_starting_side`, with the reason."""
    for board, to_move in referee.reachable():
        position = parsed((board, to_move))
        assert position.starts == referee.starter(board, to_move)
        assert position.started_by(position.starts) == position
        mark: Mark = "O" if position.starts == "X" else "X"
        if (board, referee.opponent(to_move)) in referee.reachable():
            assert position.started_by(mark).to_move == referee.opponent(to_move)
        else:
            counts = f"^X has {board.count('X')} and O has {board.count('O')} marks"
            won = f", and {mark} has won" if referee.has_won(board, mark) else ""
            text = f"{counts}{won}, so {position.starts} started, not {mark}\\.$"
            with pytest.raises(IllegalPositionError, match=text) as rejected:
                position.started_by(mark)
            assert rejected.value.cause == "wrong_starting_side"


def test_perft_matches_the_published_tree() -> None:
    """All legal moves from the empty board give the published numbers of sequences and games."""
    ends: dict[int, int] = {}
    level = {Position.parse("." * 9): 1}
    sequences = (1, 9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872)
    for ply, expected in enumerate(sequences):
        assert sum(level.values()) == expected
        below: dict[Position, int] = {}
        for position, ways in level.items():
            if not position.legal_moves:
                ends[ply] = ends.get(ply, 0) + ways
            for move in position.legal_moves:
                after = position.after(move)
                below[after] = below.get(after, 0) + ways
        level = below
    assert ends == golden.GAMES
    assert sum(ends.values()) == 255_168


def test_every_position_agrees_with_the_referee() -> None:
    """On every position all attributes and the next positions are the referee's."""
    for board, to_move in referee.reachable():
        position = parsed((board, to_move))
        assert position.board == board
        assert position.ply == 9 - board.count(".")
        assert list(position.legal_moves) == referee.moves(board)
        winner = next((mark for mark in "XO" if referee.has_won(board, mark)), None)
        ended = "draw" if "." not in board else "in_progress"
        assert position.status == (f"{winner.lower()}_won" if winner else ended)
        assert "".join(board[cell] for cell in position.winning_line) == (
            winner * 3 if winner else ""
        )
        assert not winner or position.winning_line in referee.ROWS_OF_THREE
        for move in position.legal_moves:
            after = position.after(move)
            assert after.board == referee.play(board, to_move, move)
            assert after.to_move == other(position.to_move)


def pickled(position: Position) -> Position:
    """Return a copy of a position from its pickle."""
    copied: Position = pickle.loads(pickle.dumps(position))  # noqa: S301, our own bytes
    return copied


@pytest.mark.parametrize("copied", [copy, deepcopy, pickled])
def test_a_copy_of_a_position_equals_it(copied: Callable[[Position], Position]) -> None:
    """A copy or a pickle of a position equals it, has its hash, and differs from all others."""
    positions = [*map(parsed, referee.reachable())]
    assert {*map(copied, positions)} == {*positions}
    assert len({*positions}) == len(positions) == golden.LEGAL_PAIRS


@given(st.text("XO.", max_size=20).filter(lambda board: len(board) != 9))
def test_a_board_without_exactly_nine_cells_is_rejected(board: str) -> None:
    """The message states how many cells the board has."""
    with pytest.raises(InvalidBoardError, match=f"must have 9 cells, not {len(board)}"):
        Position.parse(board)


@given(st.characters(exclude_characters="XO."), st.integers(0, 8))
def test_a_character_other_than_x_o_and_dot_is_rejected(character: str, cell: int) -> None:
    """The message names the cell of the character, and its code if it is not ASCII."""
    with pytest.raises(InvalidBoardError) as raised:
        Position.parse("." * cell + character + "." * (8 - cell))
    assert str(raised.value).startswith(f"Cell {cell} holds {character!a}. A cell is")


MARKS: dict[str, Mark] = {"X": "X", "O": "O"}


@pytest.mark.parametrize(
    ("board", "to_move", "advice"),
    table("""
XX.......  -  Add O marks or remove X marks.
OOOXXX...  -  Break one of the two lines.
XXXOO.OO.  -  Remove an O mark or break X's line.
XX.O.....  X  O is to move on this board, because X has one more mark.
OOOXX.X..  O  X is to move on this board, because O made the winning
"""),
)
def test_a_rejection_says_what_to_change(board: str, to_move: str, advice: str) -> None:
    """Each cause of a rejection has its own advice."""
    with pytest.raises(IllegalPositionError, match=advice):
        Position.parse(board, MARKS.get(to_move))


@given(
    st.sampled_from(sorted(referee.reachable())),
    st.permutations(range(9)) | st.lists(st.integers(-3, 11), max_size=12),
)
def test_legal_moves_are_played_and_the_first_illegal_move_is_named(
    start: tuple[str, str], moves: list[int]
) -> None:
    """Moves, together or one at a time, lead to the referee's board; the first illegal one raises.

    The error names its index and cause, or is a ValueError if there is no such cell.
    """
    board, to_move = start
    reached = position = parsed(start)
    for index, move in enumerate(moves):
        if move not in referee.moves(board):
            check_illegal_move(position, moves, reached, index)
            moves = moves[:index]
            break
        reached = reached.after(move)
        board = referee.play(board, to_move, move)
        to_move = referee.opponent(to_move)
    assert position.play(moves) == reached == parsed((board, to_move))


def check_illegal_move(position: Position, moves: list[int], reached: Position, index: int) -> None:
    """Assert that the move at an index, illegal in the position reached, raises an error.

    The error of one of several moves has its number.
    """
    kind = IllegalMoveError if moves[index] in range(9) else ValueError
    number = f"ove {index + 1}" if len(moves) > 1 else None
    with pytest.raises(kind, match=number) as rejected:
        position.play(moves)
    if isinstance(rejected.value, IllegalMoveError):
        expected = "played_after_end" if referee.is_over(reached.board) else "cell_taken"
        assert (rejected.value.cause, rejected.value.index) == (expected, index)
    with pytest.raises(kind):
        reached.after(moves[index])


FREE = "Free cells: 1, 2, 3, 5, 6, 7"


@pytest.mark.parametrize(
    ("board", "moves", "message"),
    table(f"""
.........  404  Move 3 plays cell 4, but X took it at move 1. {FREE}, 8.
.........  4080  Move 4 plays cell 0, but O took it at move 2. {FREE}.
X...O....  84  Move 2 plays cell 4, but O has it on the board. {FREE}.
OO.XX....  820  The game was over before move 3: O had won. No move may follow.
XXXOO....  5  The game was over: X had won. No move may follow.
X...O....  4  Cell 4 is taken by O. Free cells: 1, 2, 3, 5, 6, 7, 8.
XOXXOOOX.  80  The game was over before move 2: it was a draw. No move may follow.
"""),
)
def test_the_message_of_an_illegal_move_says_what_to_change(
    board: str, moves: str, message: str
) -> None:
    """The message says which side has the cell, or how the game had ended."""
    with pytest.raises(IllegalMoveError) as rejected:
        Position.parse(board).play([*map(int, moves)])
    assert str(rejected.value) == message
