"""The interactive reference: it shows the contract, and its calls are answered."""

import json

from playwright.sync_api import Page, expect


def test_the_contract_is_shown(page: Page) -> None:
    """Every operation of the contract is listed."""
    page.goto("/docs")
    document = page.request.get("/openapi.json").json()
    operations = [operation for methods in document["paths"].values() for operation in methods.values()]
    expect(page.locator(".opblock")).to_have_count(len(operations))
    for operation in operations:
        expect(page.locator(f".opblock[id$={operation['operationId']}]")).to_contain_text(operation["summary"])


def test_a_call_is_tried_out(page: Page) -> None:
    """A call filled in and executed on the page shows the answer of the service."""
    page.goto("/docs#/oracle/getBestMove")
    call = page.locator(".opblock[id$=getBestMove]")
    call.get_by_role("button", name="Try it out").click()
    call.locator("tr[data-param-name=board] input").fill("XX.OO....")
    with page.expect_response("**/best-move?board=XX.OO....*") as answered:
        call.get_by_role("button", name="Execute").click()
    answer = call.locator(".live-responses-table .response-col_description code.language-json")
    expect(answer).to_contain_text('"move"')
    assert json.loads(answer.text_content() or "") == answered.value.json()


def test_the_reference_follows_the_colour_scheme(page: Page) -> None:
    """The reference is dark where the browser asks for it, and light again at once."""
    root = page.locator("html")
    page.emulate_media(color_scheme="dark")
    page.goto("/docs")
    expect(root).to_contain_class("dark-mode")
    page.emulate_media(color_scheme="light")
    expect(root).not_to_contain_class("dark-mode")
