"""The reference: its calls can be changed and sent, also those that are wrong."""

import json

import pytest
from playwright.sync_api import Locator, Page, expect


def call(page: Page, name: str) -> Locator:
    """Return the form of a call."""
    return page.get_by_role("form", name=f"Try {name}", exact=True)


def test_a_query_is_tried_out(page: Page) -> None:
    """A query changed and sent on the page shows the status and the answer of the service."""
    page.goto("/docs")
    form = call(page, "GET /best-move")
    form.get_by_label("Query").fill("board=XX.OO....")
    with page.expect_response("**/best-move?board=XX.OO....") as answered:
        form.get_by_role("button", name="Send").click()
    expect(form.get_by_role("status")).to_have_text("200 application/json")
    assert json.loads(form.get_by_role("region").text_content() or "") == answered.value.json()


@pytest.mark.parametrize("path", ["/best-move", "/best-moves"])
def test_a_body_is_tried_out(page: Page, path: str) -> None:
    """Each example of a body can be sent as it stands."""
    page.goto("/docs")
    form = call(page, f"POST {path}")
    for example in form.get_by_label("Example").locator("option").all():
        form.get_by_label("Example").select_option(example.text_content())
        with page.expect_response(f"**{path}") as answered:
            form.get_by_role("button", name="Send").click()
        assert answered.value.status == 200
        expect(form.get_by_role("status")).to_have_text("200 application/json")
        assert json.loads(form.get_by_role("region").text_content() or "") == answered.value.json()


def test_a_wrong_call_is_met(page: Page) -> None:
    """What the service refuses can be sent too, and its problem is shown."""
    page.goto("/docs")
    form = call(page, "GET /best-move")
    form.get_by_label("Example").select_option("Wrong: five letters are no board")
    form.get_by_role("button", name="Send").click()
    expect(form.get_by_role("status")).to_have_text("400 application/problem+json")
    expect(form.get_by_role("region")).to_contain_text("A board has 9 cells")


def test_a_call_without_anything_to_say_is_tried_out(page: Page) -> None:
    """A call that takes nothing is sent by its button alone."""
    page.goto("/docs")
    form = call(page, "GET /health")
    form.get_by_role("button", name="Send").click()
    expect(form.get_by_role("region")).to_contain_text('"status": "ok"')


def test_a_call_without_a_connection_says_so(page: Page) -> None:
    """Where nothing answers, the reference says so."""
    page.goto("/docs")
    page.route("**/health", lambda route: route.abort())
    form = call(page, "GET /health")
    form.get_by_role("button", name="Send").click()
    expect(form.get_by_role("status")).to_contain_text("No connection")
