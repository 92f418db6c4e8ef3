"""The examples of the reference: each one gets the response that its title promises."""

import json
from typing import Any

import pytest
from flask.testing import FlaskClient

from best_move.web.api.openapi import document
from best_move.web.pages.reference import FIRST_FIELDS, examples, first_request, first_response
from tests.readme import block

OPERATIONS = {
    f"{method.upper()} {path}": (method, path, operation)
    for path, methods in document()["paths"].items()
    for method, operation in methods.items()
}

#  For each example, the fields of the response that show that its title is true: pointer -> value.
STATED: dict[str, dict[str, Any]] = {
    "X can win at once": {
        "outcome": "win",
        "distance": 1,
        "move": 3,
        "nodes": 42,
        "position/to_move": "X",
        "after/status": "x_won",
    },
    "Minimax finds the same move, but visits more nodes": {
        "algorithm": "minimax",
        "move": 3,
        "nodes": 174,
    },
    "X has a corner and O the center": {"position/board": "X...O....", "outcome": "draw"},
    "The same position, sent as the moves played from the empty board": {
        "position/board": "X...O....",
        "outcome": "draw",
    },
    "X threatens two lines": {"position/to_move": "O", "outcome": "loss", "distance": 2},
    "O has started and is to move": {
        "position/to_move": "O",
        "position/board": "X...O....",
        "outcome": "draw",
    },
    "A search of two plies returns an estimate": {"max_depth": 2, "outcome": "unknown"},
    "If only outcomes count, all wins are equal: X forks instead of winning at once": {
        "outcome": "win",
        "reason": "fork",
    },
    "A late position, with the score of every move": {
        "position/status": "in_progress",
        "moves/2/outcome": "loss",
    },
    "Among equal moves, the one after which the opponent has the most mistaken replies": {
        "tie_break": "trap",
        "outcome": "draw",
    },
    "An easy opponent plays a random move; with this seed, always the same one": {"optimal": False},
    "O has won": {"position/status": "o_won", "outcome": "loss", "distance": 0, "move": None},
    "The user plays cell 8, and the oracle replies": {
        "position/board": "X...O...X",
        "position/to_move": "O",
    },
    "Two legal positions and an illegal one": {
        "results/0/answer/outcome": "draw",
        "results/1/answer/outcome": "win",
        "results/2/problem/code": "illegal_position",
    },
    "O and then X makes a mistake": {
        "moves/1/player": "O",
        "moves/1/mistake": True,
        "moves/2/player": "X",
        "moves/2/mistake": True,
    },
    "A cutoff by beta, sent with the request": {"beta": 0},
    "The root alone; href is the URL of its children": {"plies": 0, "tree/children": []},
    "Two leaves that are never evaluated": {
        "never_evaluated/0/score": 4,
        "never_evaluated/1/score": 6,
    },
    "A search with other rules and a window": {"root": "min", "cut": "above", "beta": 9},
    "A player whose moves are all unknown": {"complete": False, "boards/0": "........."},
    "A player whose first move is known": {"complete": False, "boards/7": "O...X...."},
    "A player that chooses its second move at random": {"complete": False, "boards/7": "O...X.X.O"},
    "Which tools are there?": {"result/tools/0/name": "best_move"},
    "What is the best move after X played the center?": {
        "result/structuredContent/played": [4, 0],
        "result/structuredContent/starts": "X",
    },
    "400: A misspelled name": {"errors/0/code": "unknown_field"},
    "400: An invalid character": {"errors/0/code": "wrong_character"},
    "400: Eight cells": {"errors/0/code": "wrong_length", "errors/0/pointer": "#/board"},
    "400: No moves": {"errors/0/code": "missing_field", "errors/0/pointer": "#/played"},
    "400: An algorithm that has no search tree": {"errors/0/pointer": "#/algorithm"},
    "400: An unknown order": {"errors/0/pointer": "#/order"},
    "422: A leaf that is no integer": {"errors/0/code": "unexpected_text"},
    "422: A bracket that is not closed": {"errors/0/code": "unclosed_bracket"},
    "422: X has moved twice": {"errors/0/code": "mark_counts"},
    "422: No score is between the bounds": {"errors/0/code": "empty_window"},
    "422: Minimax has no window": {"errors/0/code": "unused_window"},
}


@pytest.mark.parametrize(("method", "path", "operation"), OPERATIONS.values(), ids=OPERATIONS)
def test_the_title_of_each_example_is_true(
    client: FlaskClient, method: str, path: str, operation: dict[str, Any]
) -> None:
    """The response has the status that the title starts with, or 200, and what it promises."""
    offered = examples(path, operation)
    assert bool(offered) == ("parameters" in operation or "requestBody" in operation)
    for title, text in offered.items():
        response = (
            client.get(f"{path}?{text}")
            if method == "get"
            else client.post(path, data=text, content_type="application/json")
        )
        status = int(title[:3]) if title[:3].isdigit() else 200
        assert response.status_code == status, (title, response.text)
        if response.content_type.startswith("image/"):
            #  The title describes the position or the tree in the picture.
            shown = "/number-tree" if "tree=" in text else "/best-move"
            response = client.get(f"{shown}?{text}")
        stated = STATED.get(title)
        assert stated, f"State in `STATED` what the response to {title!r} shows."
        for pointer, value in stated.items():
            part = response.get_json()
            for key in pointer.split("/"):
                part = part[int(key) if isinstance(part, list) else key]
            assert part == value, (title, pointer)


def test_each_error_is_an_example_of_one_operation() -> None:
    """Each example of an error belongs to only one operation."""
    titles = [
        title
        for _, path, operation in OPERATIONS.values()
        for title in examples(path, operation)
        if title[0] == "4"
    ]
    assert len(titles) == len(set(titles)) > 5


def test_the_first_response_shown_is_that_of_the_service(client: FlaskClient) -> None:
    """Each line of the response shown is a field of the service's response.

    An ellipsis replaces the other fields.
    """
    response = client.get(f"/best-move?{first_request()}").get_json()
    lines = first_response().splitlines()[1:-1]
    assert [line.split('"')[1] for line in lines[:-1]] == list(FIRST_FIELDS)
    assert lines[-1] == "  …"
    assert set(FIRST_FIELDS) < set(response)


def test_the_first_response_shown_has_the_fields_that_the_readme_shows() -> None:
    """The page and the README show the same fields of the first response."""
    assert set(FIRST_FIELDS) == set(json.loads(block("Try it", "json")))
