"""The tablebase over HTTP: the file of the library, which may be cached."""

from flask.testing import FlaskClient

from best_move.tablebase import as_csv
from best_move.web.api.responses import FOR_A_DAY


def test_the_body_is_the_tablebase(client: FlaskClient) -> None:
    """The body is the tablebase as CSV with a header."""
    response = client.get("/tablebase.csv")
    assert response.text == as_csv()
    assert response.headers["Content-Type"] == "text/csv; charset=utf-8; header=present"
    assert response.headers["Cache-Control"] == FOR_A_DAY
