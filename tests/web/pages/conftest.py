"""Fixtures: the pages, run in Node.js."""

from collections.abc import Iterator

import pytest
from flask import Flask

from best_move.web.chatbots import board
from tests.web.pages.page import Page, pages


@pytest.fixture(scope="module")
def page(app: Flask) -> Iterator[Page]:
    """Run the pages, and the board in chats at /chat, in a Node.js for each module.

    Node.js keeps each visit's modules and what they refer to, so that its memory grows.
    """
    with pages(app, {"/chat": board.html()}) as page:
        yield page
