"""What the reference offers to try: each example is answered as its summary says."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from best_move.web.api.openapi import document
from best_move.web.pages.reference import FIRST_FIELDS, examples, first_response

OPERATIONS = {
    f"{method.upper()} {path}": (method, path, operation)
    for path, methods in document()["paths"].items()
    for method, operation in methods.items()
}

CAUSES = {
    "Wrong: five letters are not a board": "this one has 5",
    "Wrong: a misspelled name": "`bord` is not a field of this request. Did you mean `board`?",
    "Wrong: X has moved twice": "X has 2 and O has 0 marks",
}


@pytest.mark.parametrize(("method", "path", "operation"), OPERATIONS.values(), ids=OPERATIONS)
def test_each_example_is_answered_as_it_says(
    client: FlaskClient, method: str, path: str, operation: dict[str, Any]
) -> None:
    """An example is accepted, unless its summary says that it is wrong: then the service says why."""
    offered = examples(operation)
    assert bool(offered) == ("parameters" in operation or "requestBody" in operation)
    for summary, text in offered.items():
        response = (
            client.get(f"{path}?{text}")
            if method == "get"
            else client.post(path, data=text, content_type="application/json")
        )
        if summary.startswith("Wrong: "):
            assert response.status_code in (400, 422), summary
            assert CAUSES[summary] in response.text
        else:
            assert response.status_code == 200, (summary, response.text)


def test_the_first_response_is_the_services(client: FlaskClient) -> None:
    """Each line of the shortened response is a field of the real one, and the ellipsis stands for the others."""
    response = client.get("/best-move?board=X...O....").get_json()
    lines = first_response().splitlines()[1:-1]
    assert [line.split('"')[1] for line in lines[:-1]] == list(FIRST_FIELDS)
    assert lines[-1] == "  …"
    assert set(FIRST_FIELDS) < set(response)
