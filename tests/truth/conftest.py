"""Fixtures of the tests of callers."""

from itertools import cycle

import pytest
from flask.testing import FlaskClient

from tests.truth.turns import Ask, Json


@pytest.fixture
def ask(client: FlaskClient) -> Ask:
    """Return a function that sends fields by POST and GET in turn."""
    methods = cycle(["POST", "GET"])

    def send(fields: Json) -> Json:
        answer: Json
        if next(methods) == "POST":
            answer = client.post("/best-move", json=fields).get_json()
        else:
            query = {name: value for name, value in fields.items() if value != []}
            answer = client.get("/best-move", query_string=query).get_json()
        return answer

    return send
