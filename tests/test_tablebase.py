"""The tablebase: every position with the referee's grade, the same bytes on the terminal."""

import csv
from hashlib import sha256

import pytest
from click.testing import CliRunner

from best_move.__main__ import main
from best_move.tablebase import COLUMNS, as_csv
from tests.engine.positions import SYMMETRIES
from tests.readme import block, section
from tests.truth import golden, referee

Row = dict[str, str]


@pytest.fixture(scope="module")
def table() -> str:
    """Return the tablebase as CSV."""
    return as_csv()


@pytest.fixture(scope="module")
def rows(table: str) -> list[Row]:
    """Return the rows of the tablebase, each as a mapping from column names to values."""
    return list(csv.DictReader(table.splitlines()))


def test_the_lines_are_the_reachable_positions_in_sorted_order(table: str, rows: list[Row]) -> None:
    """The lines are sorted by board and side to move."""
    assert len(rows) == golden.LEGAL_PAIRS
    assert [(row["board"], row["to_move"]) for row in rows] == sorted(referee.reachable())
    assert all(tuple(row) == COLUMNS for row in rows)
    assert table.endswith("\n")
    assert "\r" not in table


def test_every_line_agrees_with_the_referee(rows: list[Row]) -> None:
    """On every position each column has the value that follows from the referee."""
    for row in rows:
        board, to_move = row["board"], row["to_move"]
        result, fine = referee.grade(board, to_move, 9, counts_plies=True)
        grades = referee.grade_of_moves(board, to_move, 9, counts_plies=True)
        winner = next((mark for mark in "XO" if referee.has_won(board, mark)), None)
        assert row == {
            "board": board,
            "to_move": to_move,
            "status": f"{winner.lower()}_won"
            if winner
            else "in_progress"
            if "." in board
            else "draw",
            "value": str(result),
            "outcome": {1: "win", 0: "draw", -1: "loss"}[result],
            "distance": str(board.count(".") if result == 0 else abs(fine)),
            "best_moves": " ".join(str(move) for move in grades if grades[move] == (result, fine)),
            "outcomes": "".join(
                "LDW"[grades[cell][0] + 1] if cell in grades else "." for cell in range(9)
            ),
            "class": min("".join(board[cell] for cell in cells) for cells in SYMMETRIES),
        }


def test_431_of_the_627_unfinished_classes_allow_a_mistake(rows: list[Row]) -> None:
    """In games that X starts, the moves differ in outcome in 431 of 627 unfinished classes.

    Their number is OEIS A008907 minus A317576; a published set of exam questions has 431.
    """
    started_by_x = [
        row for row in rows if (row["to_move"] == "X") == (row["board"].count(".") % 2 == 1)
    ]
    unfinished = {
        row["class"]: row["outcomes"] for row in started_by_x if row["status"] == "in_progress"
    }
    assert len(unfinished) == 627
    with_mistakes = [outcomes for outcomes in unfinished.values() if len({*outcomes} - {"."}) > 1]
    assert len(with_mistakes) == 431


def test_the_command_prints_the_tablebase(table: str) -> None:
    """`best-move tablebase` prints exactly the bytes of the tablebase."""
    assert CliRunner().invoke(main, ["tablebase"]).stdout_bytes == table.encode()


def test_the_readme_has_the_hash_of_the_tablebase(table: str) -> None:
    """The README has the SHA-256 of the tablebase, and only lines of it in its example."""
    assert f"`{sha256(table.encode()).hexdigest()}`" in section("The tablebase").text
    header, *lines = block("The tablebase", "csv").splitlines()
    assert header == ",".join(COLUMNS)
    assert lines
    assert set(lines) <= set(table.splitlines())
