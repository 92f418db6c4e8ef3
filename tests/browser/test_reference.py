"""The reference: its requests can be changed, copied as code, and sent."""

import ast
import json
import re
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.processes import completed


def call(page: Page, name: str) -> Locator:
    """Return the form of a request."""
    return page.get_by_role("form", name=f"Try {name}", exact=True)


def send(form: Locator) -> None:
    """Click the button that sends the request of a form."""
    form.get_by_role("button", name="Send").click()


def code(form: Locator) -> Locator:
    """Return the element with the code of a request."""
    return form.get_by_role("region", name="Code of")


def test_the_page_begins_with_a_request_to_copy(page: Page) -> None:
    """The request is shown in three languages, above its response and beside a numbered board."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/docs")
    service = page.url.removesuffix("docs")
    first = page.get_by_role("region", name="A first request", exact=True)
    expect(first.get_by_role("img")).to_have_accessible_name(
        "The cells are numbered row by row: 0 to 2, 3 to 5, 6 to 8. X has 0, 6. O has 2, 4."
    )
    for language, line in (
        ("Python", "import json"),
        ("JavaScript", "await fetch("),
        ("curl", f"curl '{service}"),
    ):
        first.get_by_label("Language").select_option(language)
        expect(code(first)).to_contain_text(line)
        expect(code(first)).to_contain_text(f"{service}best-move")
    first.get_by_role("button", name="Copy").click()
    expect(first.get_by_role("status")).to_have_text("Copied.")
    assert (
        page.evaluate("navigator.clipboard.readText()")
        == f"curl '{service}best-move?board=X.O.O.X..&starts=X'"
    )
    expect(first.get_by_role("region", name="Its response, shortened")).to_contain_text(
        '"outcome": "win"'
    )


def test_the_line_for_a_chat_client_can_be_copied(page: Page) -> None:
    """The button beside the line copies it."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/mcp")
    page.get_by_role("button", name="Copy the line for Codex").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    assert (
        page.evaluate("navigator.clipboard.readText()")
        == f"codex mcp add best-move --url {page.url}"
    )


def test_the_buttons_that_send_are_disabled_until_the_script_runs(
    browser: Browser, origin: str
) -> None:
    """Before the script runs, a click would submit the form."""
    with browser.new_page(java_script_enabled=False) as page:
        page.goto(f"{origin}/docs")
        buttons = page.get_by_role("button", name="Send", exact=True).all()
        assert len(buttons) > 6
        assert all(button.is_disabled() for button in buttons)


def programs(page: Page, language: str) -> dict[str, str]:
    """Return the code of all requests in a language, by accessible name."""
    page.get_by_label("Language").first.select_option(language)
    names = page.get_by_label("Code of").evaluate_all(
        "all => all.map(code => [code.ariaLabel, code.textContent])"
    )
    return dict(names)


def test_the_code_of_each_request_is_shown_in_each_language(page: Page) -> None:
    """All Python code compiles, and an invalid body has no code."""
    page.goto("/docs")
    python, curl, javascript = (
        programs(page, language) for language in ("python", "curl", "javascript")
    )
    assert len(python) == len(curl) == len(javascript) > 14
    for name, text in python.items():
        compile(text, name, "exec")
    assert all(text.startswith("curl ") for text in curl.values())
    form = call(page, "POST /best-move")
    form.get_by_label("Body").fill('{"board": ')
    expect(code(form)).to_have_text("The body is not valid JSON.")


def test_the_code_for_a_request_gets_the_same_response_in_each_language(page: Page) -> None:
    """Three requests get the same response, one of them with a literal that JSON spells apart."""
    page.goto("/docs")
    body = '{"board": "X...O....", "played": null, "analysis": true}'
    call(page, "POST /best-move").get_by_label("Body").fill(body)
    python, curl, javascript = (
        programs(page, language) for language in ("python", "curl", "javascript")
    )
    for request in ("POST /best-move", "GET /best-move", "the first request"):
        name = f"Code of {request}"
        by_python = completed([sys.executable, "-c", python[name]], check=True)
        got = ast.literal_eval(by_python.stdout)
        command = ["sh", "-c", f"{curl[name]} --silent"]
        by_curl = json.loads(completed(command, check=True).stdout)
        text = javascript[name].replace("console.log(", "return (")
        by_javascript = page.evaluate(f"async () => {{ {text} }}")
        for answer in (got, by_curl, by_javascript):
            del answer["elapsed_ms"]
        assert got == by_curl == by_javascript
        assert ("moves" in got) == (request == "POST /best-move")


def test_the_python_code_of_an_error_prints_its_detail(page: Page) -> None:
    """The example of an error shows what the service says, in Python as in other languages."""
    page.goto("/docs")
    page.get_by_label("Language").first.select_option("python")
    forms = page.get_by_role("form").all()
    shown = 0
    for form in forms:
        for option in form.locator("option", has_text=re.compile("^4")).all():
            form.get_by_label("Example").select_option(option.text_content())
            text = code(form).text_content() or ""
            printed = completed([sys.executable, "-c", text], check=True).stdout
            send(form)
            response = form.get_by_role("region", name="Response")
            expect(response).to_contain_text(json.dumps(printed.strip(), ensure_ascii=False))
            shown += 1
    assert shown > 7


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


def test_the_python_code_of_a_picture_saves_it(page: Page, tmp_path: Path) -> None:
    """The file is in the folder in which the code runs."""
    page.goto("/docs")
    text = programs(page, "python")["Code of GET /board.png"]
    completed([sys.executable, "-c", text], check=True, cwd=tmp_path)
    assert (tmp_path / "board.png").read_bytes().startswith(b"\x89PNG")


def test_a_link_fills_in_the_query_of_its_request(page: Page) -> None:
    """The URL's fragment names the request, which is in view."""
    page.goto("/docs?board=X.O.O.X..&algorithm=minimax#getSearchTree")
    form = call(page, "GET /search-tree")
    expect(form.get_by_label("Query")).to_have_value("board=X.O.O.X..&algorithm=minimax")
    expect(form.get_by_label("Query")).to_be_in_viewport()
    expect(code(form)).to_contain_text("search-tree?board=X.O.O.X..&algorithm=minimax'")
    expect(form.get_by_label("Example").locator("option:checked")).to_have_text("Custom")
    other = call(page, "GET /best-move").get_by_label("Query")
    expect(other).to_have_value("board=X.O.O.X..&starts=X")


def test_requests_without_parameters_are_links(page: Page) -> None:
    """Requests without parameters have no form."""
    page.goto("/docs")
    for path in ("tablebase.csv", "health", "metrics", "openapi.json", "openapi.yaml"):
        link = page.get_by_role("link", name=f"Open /{path}", exact=True)
        assert page.request.get(link.evaluate("link => link.href")).ok
        expect(page.get_by_role("form", name=f"/{path}")).to_have_count(0)


@pytest.mark.smoke
def test_a_query_can_be_changed_and_sent(page: Page) -> None:
    """The page shows JSON as text and a picture as an image."""
    page.goto("/docs")
    form = call(page, "GET /best-move")
    form.get_by_label("Query").fill("board=XX.OO....")
    with page.expect_response("**/best-move?board=XX.OO....") as answered:
        send(form)
    response = form.get_by_role("region", name="Response")
    expect(form.get_by_text("200 application/json")).to_be_visible()
    assert json.loads(response.text_content() or "") == answered.value.json()

    form.get_by_label("Example").select_option("400: Eight cells")
    send(form)
    expect(form.get_by_text("400 application/problem+json")).to_be_visible()
    expect(response).to_contain_text("wrong_length")

    form = call(page, "GET /board.svg")
    send(form)
    expect(form.get_by_role("img", name="The board")).to_be_visible()


def test_only_the_last_response_is_shown(page: Page) -> None:
    """A picture, an error and a lost connection follow each other in every order."""
    page.goto("/docs")
    page.route("**/board.png?board=lost", lambda route: route.abort())
    form = call(page, "GET /board.png")
    notes = {
        "X........": "200 image/png",
        "X": "400 application/problem+json",
        "lost": "No connection",
    }
    picture, error, lost = notes
    for board in (picture, picture, error, error, lost, lost, picture, lost, error, picture):
        form.get_by_label("Query").fill(f"board={board}")
        send(form)
        expect(form.locator(".sending .note")).to_contain_text(notes[board])
        expect(form.get_by_role("img", name="The board")).to_be_visible(visible=board == picture)
        expect(form.get_by_role("region", name="Response")).to_be_visible(visible=board == error)


@pytest.mark.parametrize("path", ["/best-move", "/best-moves"])
def test_each_example_of_a_body_can_be_sent(page: Page, path: str) -> None:
    """Each example gets a 200, whose body is shown."""
    page.goto("/docs")
    form = call(page, f"POST {path}")
    for example in form.get_by_label("Example").locator("option:not([hidden])").all():
        form.get_by_label("Example").select_option(example.text_content())
        with page.expect_response(f"**{path}") as answered:
            send(form)
        assert answered.value.status == 200
        expect(form.get_by_text("200 application/json")).to_be_visible()
        shown = form.get_by_role("region", name="Response").text_content() or ""
        assert json.loads(shown) == answered.value.json()
