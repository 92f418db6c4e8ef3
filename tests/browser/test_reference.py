"""The reference: its requests can be changed and sent, also those that are wrong."""

import json

import pytest
from playwright.sync_api import Locator, Page, expect


def call(page: Page, name: str) -> Locator:
    """Return the form of a request."""
    return page.get_by_role("form", name=f"Try {name}", exact=True)


def send(form: Locator) -> None:
    """Send a request."""
    form.get_by_role("button", name="Send").click()


def test_a_first_request_is_there_to_copy(page: Page) -> None:
    """The page begins with a request in three languages, each with the service's own URL, and a response."""
    page.goto("/docs")
    service = page.url.removesuffix("docs")
    code = page.get_by_role("region", name="Code")
    expect(code).to_have_text(f"curl '{service}best-move?board=X...O....'")
    for language, line in (("Python", "import json"), ("JavaScript", "await fetch(url)")):
        page.get_by_role("radio", name=language).check()
        expect(code).to_contain_text(line)
        expect(code).to_contain_text(f"{service}best-move")
    expect(page.get_by_role("region", name="Its response, shortened")).to_contain_text('"move": 1')


def test_requests_are_tried_out(page: Page) -> None:
    """A query can be changed and sent, a request without fields sent, and a picture is shown as one."""
    page.goto("/docs")
    form = call(page, "GET /best-move")
    form.get_by_label("Query").fill("board=XX.OO....")
    with page.expect_response("**/best-move?board=XX.OO....") as answered:
        send(form)
    expect(form.get_by_role("status")).to_have_text("200 application/json")
    assert json.loads(form.get_by_role("region").text_content() or "") == answered.value.json()

    form.get_by_label("Example").select_option("Wrong: five letters are not a board")
    send(form)
    expect(form.get_by_role("status")).to_have_text("400 application/problem+json")
    expect(form.get_by_role("region")).to_contain_text("A board has 9 cells")

    for kind in ("svg", "png"):
        form = call(page, f"GET /board.{kind}")
        send(form)
        expect(form.get_by_role("img", name="The board")).to_be_visible()
        expect(form.get_by_role("region")).to_be_hidden()

    form = call(page, "GET /health")
    send(form)
    expect(form.get_by_role("region")).to_contain_text('"status": "ok"')
    page.route("**/health", lambda route: route.abort())
    send(form)
    expect(form.get_by_role("status")).to_contain_text("No connection")


@pytest.mark.parametrize("path", ["/best-move", "/best-moves"])
def test_a_body_is_tried_out(page: Page, path: str) -> None:
    """Each example of a body can be sent as it stands."""
    page.goto("/docs")
    form = call(page, f"POST {path}")
    for example in form.get_by_label("Example").locator("option").all():
        form.get_by_label("Example").select_option(example.text_content())
        with page.expect_response(f"**{path}") as answered:
            send(form)
        assert answered.value.status == 200
        expect(form.get_by_role("status")).to_have_text("200 application/json")
        assert json.loads(form.get_by_role("region").text_content() or "") == answered.value.json()
