"""The rules: which boards are accepted, whose turn it is, and how a game ends."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.engine.position import (
    COMPLETING,
    IllegalMoveError,
    IllegalPositionError,
    InvalidBoardError,
    Mark,
    Position,
    other,
)
from tests import golden, referee

SAME_CELLS = {"X": "Xx", "O": "Oo", ".": "._- "}


def illegal_cause(board: str) -> str:
    """Name the first rule that a board breaks which no game reaches."""
    if abs(board.count("X") - board.count("O")) > 1:
        return "mark_counts"
    if referee.has_won(board, "X") and referee.has_won(board, "O"):
        return "two_winners"
    return "played_after_win"


def refusal(board: str, to_move: Mark | None = None) -> str | None:
    """Return the cause for which a board is refused, None if it is accepted."""
    try:
        Position.parse(board, to_move)
    except IllegalPositionError as error:
        return error.cause
    return None


def test_every_board_is_accepted_or_refused_for_its_cause() -> None:
    """Of all 19,683 boards exactly those are accepted that a game reaches; each other is refused for its cause."""
    legal = {board for board, _ in referee.reachable()}
    refusals = {board: refusal(board) for board in referee.all_boards()}
    assert len(refusals) == golden.BOARDS
    assert sum(cause is None for cause in refusals.values()) == golden.LEGAL_BOARDS
    assert refusals == {board: None if board in legal else illegal_cause(board) for board in refusals}


def test_every_side_to_move_is_accepted_or_refused() -> None:
    """A given side to move is accepted exactly where a game reaches the board with that side to move."""
    accepted = set()
    for board in {board for board, _ in referee.reachable()}:
        for mark in ("X", "O"):
            cause = refusal(board, mark)
            if cause is None:
                accepted.add((board, mark))
            else:
                assert cause == "wrong_side_to_move"
    assert accepted == referee.reachable()
    assert len(accepted) == golden.LEGAL_PAIRS


def test_the_side_to_move_is_worked_out() -> None:
    """Without a side to move it is X between equal marks, where a game allows that, else the only side it can be."""
    for board in {board for board, _ in referee.reachable()}:
        expected = "X" if (board, "X") in referee.reachable() else "O"
        assert Position.parse(board).to_move == expected


def test_the_published_counts_hold() -> None:
    """With X starting, games reach 5,478 positions, of which 958 are finished."""
    counts = [
        Position.parse(board)
        for board, to_move in referee.reachable()
        if board.count("X") - board.count("O") == (to_move == "O")
    ]
    assert len(counts) == golden.STARTED_BY_X
    assert sum(position.status != "in_progress" for position in counts) == golden.STARTED_BY_X_FINISHED


def test_perft_matches_the_published_tree() -> None:
    """Playing every legal move from the empty board makes the published number of positions at every ply."""
    ends: dict[int, int] = {}
    level = {Position.parse("." * 9): 1}
    for ply, expected in enumerate(golden.PERFT):
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
    """On every position the board, ply, status, legal moves and winning line are the referee's."""
    for board, to_move in referee.reachable():
        position = Position.parse(board, "X" if to_move == "X" else "O")
        assert position.board == board
        assert position.ply == 9 - board.count(".")
        assert list(position.legal_moves) == referee.moves(board)
        winner = next((mark for mark in "XO" if referee.has_won(board, mark)), None)
        ended = "draw" if "." not in board else "in_progress"
        assert position.status == (f"{winner.lower()}_won" if winner else ended)
        assert "".join(board[cell] for cell in position.winning_line) == (winner * 3 if winner else "")
        assert not winner or position.winning_line in referee.ROWS_OF_THREE
        for move in position.legal_moves:
            after = position.after(move)
            assert (after.board, after.to_move) == (referee.play(board, to_move, move), other(position.to_move))


def test_the_cells_that_complete_a_line_are_the_referees() -> None:
    """On every position they are those where the side to move wins at once."""
    for board in {board for board, _ in referee.reachable() if not referee.is_over(board)}:
        position = Position.parse(board)
        wins = [
            cell
            for cell in referee.moves(board)
            if referee.has_won(referee.play(board, position.to_move, cell), position.to_move)
        ]
        assert [cell for cell in referee.moves(board) if COMPLETING[position.own] >> cell & 1] == wins


@given(
    st.sampled_from(sorted(referee.reachable())).flatmap(
        lambda pair: st.tuples(
            st.just(pair[0]), st.tuples(*(st.sampled_from(SAME_CELLS[cell]) for cell in pair[0])).map("".join)
        )
    )
)
def test_every_spelling_of_a_board_is_the_same(boards: tuple[str, str]) -> None:
    """Either case and each of the four signs for empty, mixed, read as the same position."""
    canonical, spelt = boards
    assert Position.parse(spelt) == Position.parse(canonical)


@pytest.mark.parametrize("board", ["", "........", "..........", "X" * 100], ids=["none", "eight", "ten", "hundred"])
def test_a_board_of_another_length_is_refused(board: str) -> None:
    """A board that has not nine cells is refused, and the message says how many it has."""
    with pytest.raises(InvalidBoardError, match=f"9 cells, row by row; this one has {len(board)}"):
        Position.parse(board)


@given(st.characters(exclude_characters="XxOo._- "), st.integers(0, 8))
def test_a_foreign_character_is_refused(character: str, cell: int) -> None:
    """A character that stands for no cell is refused, and the message names the cell, even where it looks like one."""
    with pytest.raises(InvalidBoardError, match=f"^Cell {cell} holds "):
        Position.parse("." * cell + character + "." * (8 - cell))


@pytest.mark.parametrize(
    ("board", "to_move", "cause", "advice"),
    [
        ("XX.......", None, "mark_counts", "Add marks of O or remove marks of X."),
        ("OOOXXX...", None, "two_winners", "Break one of the two lines."),
        ("XXXOO.OO.", None, "played_after_win", "Remove a mark of O or break the line of X."),
        ("XX.O.....", "X", "wrong_side_to_move", "It is not X's turn: X has a mark more. Name O as the side"),
        ("OOOXX.X..", "O", "wrong_side_to_move", "It is not O's turn: O made the winning move. Name X as the side"),
    ],
    ids=["two more", "both won", "played on", "moved twice", "won and moved"],
)
def test_a_refusal_says_what_to_change(board: str, to_move: Mark | None, cause: str, advice: str) -> None:
    """The message of a refusal names marks and sides of the board that was sent, and the way out."""
    with pytest.raises(IllegalPositionError, match=advice) as refused:
        Position.parse(board, to_move)
    assert refused.value.cause == cause


@pytest.mark.parametrize("starts", ["X", "O"])
def test_a_game_is_replayed(starts: Mark) -> None:
    """Every beginning of a game leads to the position that it leads to on the referee's board; X starts unless told."""
    for length in range(10):
        moves = golden.PUBLISHED_GAME[:length]
        board, to_move = "." * 9, str(starts)
        for move in moves:
            board, to_move = referee.play(board, to_move, move), referee.opponent(to_move)
        position = Position.replay(moves, starts)
        assert (position.board, position.to_move) == (board, to_move)
        assert starts == "O" or Position.replay(moves) == position


@given(st.permutations(range(9)) | st.lists(st.integers(0, 8), max_size=12), st.sampled_from(["X", "O"]))
def test_a_game_is_replayed_or_its_first_wrong_move_is_named(moves: list[int], starts: Mark) -> None:
    """Any cells are a game, or are refused for the first that the referee does not allow, with the rule it breaks."""
    board, to_move = "." * 9, str(starts)
    for index, move in enumerate(moves):
        if move not in referee.moves(board):
            with pytest.raises(IllegalMoveError) as refused:
                Position.replay(moves, starts)
            expected = "played_after_end" if referee.is_over(board) else "cell_taken"
            assert (refused.value.cause, refused.value.index) == (expected, index)
            return
        board, to_move = referee.play(board, to_move, move), referee.opponent(to_move)
    assert Position.replay(moves, starts) == Position.parse(board, "X" if to_move == "X" else "O")


@pytest.mark.parametrize(
    ("moves", "starts", "message"),
    [
        ([4, 0, 4], "X", "Move 3 is to cell 4, but X took that with move 1. Free are 1, 2, 3, 5, 6, 7, 8."),
        ([4, 0, 8, 0], "X", "Move 4 is to cell 0, but O took that with move 2. Free are 1, 2, 3, 5, 6, 7."),
        ([4, 4], "O", "Move 2 is to cell 4, but O took that with move 1. Free are 0, 1, 2, 3, 5, 6, 7, 8."),
        ([0, 3, 1, 4, 2, 5], "X", "The game was over after move 5: X had won. Leave out what was played after that."),
        ([0, 3, 1, 4, 2, 0], "O", "The game was over after move 5: O had won. Leave out what was played after that."),
        (
            [*golden.PUBLISHED_GAME, 0],
            "X",
            "The game was over after move 9: it was a draw. Leave out what was played after that.",
        ),
    ],
    ids=["taken by X", "taken by O", "taken by O, who started", "after X won", "after O won", "after a draw"],
)
def test_a_wrong_move_is_said_in_words(moves: list[int], starts: Mark, message: str) -> None:
    """The message says which move is wrong and why: by whom and when the cell was taken, or how the game had ended."""
    with pytest.raises(IllegalMoveError) as refused:
        Position.replay(moves, starts)
    assert str(refused.value) == message
