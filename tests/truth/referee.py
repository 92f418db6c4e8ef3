"""The referee: a slow second solver, written from the rules of the game alone.

It shares nothing with the engine: boards are strings, lines are found by walking, positions are
legal because a game reaches them, and results are pairs of numbers.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product

Grade = tuple[int, int]
"""The result (win 1, loss -1, else 0); the negated plies to a win, plies to a loss, or estimate."""


def _walk(row: int, column: int, down: int, right: int) -> tuple[int, ...]:
    return tuple(3 * (row + step * down) + column + step * right for step in range(3))


ROWS_OF_THREE = (
    *(_walk(row, 0, 0, 1) for row in range(3)),
    *(_walk(0, column, 1, 0) for column in range(3)),
    _walk(0, 0, 1, 1),
    _walk(0, 2, 1, -1),
)


def opponent(mark: str) -> str:
    """Return the other mark."""
    return {"X": "O", "O": "X"}[mark]


def starter(board: str, to_move: str) -> str:
    """Return the side that made, or makes, the first move of the game."""
    return opponent(to_move) if board.count(".") % 2 == 0 else to_move


@cache
def has_won(board: str, mark: str) -> bool:
    """Return whether a mark has three in a row."""
    return any(all(board[cell] == mark for cell in three) for three in ROWS_OF_THREE)


@cache
def is_over(board: str) -> bool:
    """Return whether the game has ended."""
    return has_won(board, "X") or has_won(board, "O") or "." not in board


def moves(board: str) -> list[int]:
    """Return the cells that may be played, none if the game is over."""
    return [] if is_over(board) else [cell for cell in range(9) if board[cell] == "."]


def play(board: str, to_move: str, cell: int) -> str:
    """Return the board after a move."""
    return board[:cell] + to_move + board[cell + 1 :]


def all_boards() -> Iterator[str]:
    """Yield every way to fill nine cells: 19,683 boards, most of which are illegal."""
    return map("".join, product("XO.", repeat=9))


@cache
def reachable() -> frozenset[tuple[str, str]]:
    """Return every (board, side to move) that games begun by either side reach."""
    found = {("." * 9, "X"), ("." * 9, "O")}
    unexplored = list(found)
    while unexplored:
        board, to_move = unexplored.pop()
        for cell in moves(board):
            after = (play(board, to_move, cell), opponent(to_move))
            if after not in found:
                found.add(after)
                unexplored.append(after)
    return frozenset(found)


def estimate(board: str, mark: str) -> int:
    """Return the estimate: 3 per open line with two marks, 1 with one, less the opponent's."""
    points = {(1, 0): 1, (2, 0): 3, (0, 1): -1, (0, 2): -3}
    total = 0
    for three in ROWS_OF_THREE:
        marks = [board[cell] for cell in three]
        counts = (marks.count(mark), marks.count(opponent(mark)))
        total += points.get(counts, 0)
    return total


@cache
def grade(board: str, to_move: str, depth: int, *, counts_plies: bool) -> Grade:
    """Return the grade of a position for the side to move, from a search `depth` plies deep."""
    if has_won(board, opponent(to_move)):
        return (-1, 0)
    if "." not in board:
        return (0, 0)
    if depth == 0:
        return (0, estimate(board, to_move))
    return max(grade_of_moves(board, to_move, depth, counts_plies=counts_plies).values())


@cache
def grade_of_moves(
    board: str, to_move: str, depth: int, *, counts_plies: bool
) -> Mapping[int, Grade]:
    """Return the grade of each legal move for the side that makes it."""
    grades = {}
    for cell in moves(board):
        after = play(board, to_move, cell)
        result, fine = grade(after, opponent(to_move), depth - 1, counts_plies=counts_plies)
        one_ply_further = -result if counts_plies else 0
        grades[cell] = (-result, -fine - one_ply_further)
    return grades


@cache
def best_moves(board: str, to_move: str) -> list[int]:
    """Return the best moves: those that win soonest, draw, or lose latest."""
    grades = grade_of_moves(board, to_move, board.count("."), counts_plies=True)
    return [cell for cell, grade in grades.items() if grade == max(grades.values())]


@cache
def bounds(board: str, to_move: str, depth: int) -> tuple[int, int]:
    """Return the worst and the best result for the side to move beyond the depth limit."""
    if has_won(board, opponent(to_move)):
        return (-1, -1)
    if "." not in board:
        return (0, 0)
    if depth == 0:
        return (-1, 1)
    replies = []
    for cell in moves(board):
        after = play(board, to_move, cell)
        replies.append(bounds(after, opponent(to_move), depth - 1))
    worst = max(-best for _, best in replies)
    best = max(-worst for worst, _ in replies)
    return (worst, best)


def wins(board: str, mark: str) -> set[int]:
    """Return the empty cells that complete a line of a side."""
    empty = [cell for cell in range(9) if board[cell] == "."]
    return {cell for cell in empty if has_won(play(board, mark, cell), mark)}


def forks(board: str, mark: str) -> set[int]:
    """Return the empty cells after which a side could win in two ways."""
    empty = [cell for cell in range(9) if board[cell] == "."]
    return {cell for cell in empty if len(wins(play(board, mark, cell), mark)) >= 2}


@cache
def reason(board: str, mark: str, move: int) -> str:
    """Return the first of Newell and Simon's rules that applies to a move."""
    other = opponent(mark)
    after = play(board, mark, move)
    forced = wins(after, mark)
    replies = forced or {cell for cell in range(9) if after[cell] == "."}
    opposite = {0: 8, 2: 6, 6: 2, 8: 0}
    blocks_forks = not wins(board, other) and not forks(after, other) & replies
    rules = {
        "win": has_won(after, mark),
        "block": has_won(play(board, other, move), other),
        "fork": len(forced) >= 2,
        "block_fork": blocks_forks and bool(forks(board, other)),
        "center": move == 4,
        "opposite_corner": move in opposite and board[opposite.get(move, 0)] == other,
        "corner": move in opposite,
        "side": True,
    }
    return next(rule for rule, fits in rules.items() if fits)
