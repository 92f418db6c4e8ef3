"""The reference: its requests can be changed, copied as code, and sent."""

import ast
import json
import sys

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.processes import completed


def call(page: Page, name: str) -> Locator:
    """Return the form of a request."""
    return page.get_by_role("form", name=f"Try {name}", exact=True)


@pytest.mark.smoke
def test_a_query_can_be_changed_and_sent(page: Page) -> None:
    """The page shows JSON as text and a picture as an image."""
    page.goto("/docs")
    form = call(page, "GET /best-move")
    form.get_by_label("Query").fill("board=XX.OO....")
    with page.expect_response("**/best-move?board=XX.OO....") as answered:
        form.get_by_role("button", name="Send").click()
    expect(form.get_by_text("200 application/json")).to_be_visible()
    response = form.get_by_role("region", name="Response")
    assert json.loads(response.text_content() or "") == answered.value.json()
    form = call(page, "GET /board.svg")
    form.get_by_role("button", name="Send").click()
    expect(form.get_by_role("img", name="The board")).to_be_visible()


@pytest.mark.parametrize(
    ("path", "copy", "copied"),
    [
        ("docs", "Copy", 'curl "{}best-move?board=X.O.O.X..&starts=X"'),
        ("mcp", "Copy the line for Codex", "codex mcp add best-move --url {}mcp"),
    ],
)
def test_code_is_copied(page: Page, path: str, copy: str, copied: str) -> None:
    """The button beside a first request and beside a client's line copies it."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"/{path}")
    page.get_by_role("button", name=copy).first.click()
    expect(page.get_by_text("Copied.").first).to_be_visible()
    service = page.url.removesuffix(path)
    assert page.evaluate("navigator.clipboard.readText()") == copied.format(service)


def test_the_code_for_a_request_gets_the_same_response_in_each_language(page: Page) -> None:
    """The body has a literal that JSON spells apart."""
    page.goto("/docs")
    form = call(page, "POST /best-move")
    form.get_by_label("Body").fill('{"board": "X...O....", "played": null, "analysis": true}')
    code = {}
    for language in ("python", "curl", "javascript"):
        form.get_by_label("Language").select_option(language)
        code[language] = form.get_by_role("region", name="Code of").text_content() or ""
    printed = completed([sys.executable, "-c", code["python"]], check=True).stdout
    shown = completed(["sh", "-c", f"{code['curl']} --silent"], check=True).stdout
    returned = code["javascript"].replace("console.log(", "return (")
    by_javascript = page.evaluate(f"async () => {{ {returned} }}")
    answers = [ast.literal_eval(printed), json.loads(shown), by_javascript]
    for answer in answers:
        del answer["elapsed_ms"]
    assert answers[0] == answers[1] == answers[2]
    assert "moves" in answers[0]


def test_each_heading_is_a_link_to_itself(page: Page) -> None:
    """The fragment of its URL names the heading, which is then below the contents on a phone."""
    page.goto("/docs")
    headings = page.locator("main :is(h2, h3)")
    own = headings.evaluate_all(
        "all => all.every(({ id, firstChild }) => firstChild.hash === `#${id}`)"
    )
    assert own
    assert headings.count() > 60
    page.set_viewport_size({"width": 390, "height": 844})
    contents = page.get_by_role("navigation", name="Contents")
    for name in ("getGameReview", "getGameReview-responses", "GameReview"):
        page.locator(f"#{name} a").click()
        page.wait_for_url(f"**/docs#{name}")
        expect(page.locator(f"#{name}")).to_be_in_viewport(ratio=1)
        top = page.locator(f"#{name}").evaluate("heading => heading.getBoundingClientRect().top")
        assert top >= contents.evaluate("nav => nav.getBoundingClientRect().bottom") >= 0


def test_the_contents_stay_in_reach_on_a_phone(page: Page) -> None:
    """They stay at the top, open over the page, and close when a section is chosen."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/docs#getMetrics")
    contents = page.get_by_role("navigation", name="Contents")
    for name in ("Schemas", "A first request", "GET /board.png"):
        expect(contents).to_be_in_viewport(ratio=1)
        contents.get_by_text("Contents", exact=True).click()
        link = contents.get_by_role("link", name=name)
        heading = page.locator(link.get_attribute("href") or "")
        link.click()
        expect(link).to_be_hidden()
        expect(heading).to_be_in_viewport(ratio=1)
