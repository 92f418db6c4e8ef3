"""axe-core, which finds violations of accessibility rules on a page."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, Literal

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Frame, Page

Scheme = Literal["light", "dark"]
SCHEMES: Final[tuple[Scheme, Scheme]] = ("light", "dark")

#  The path of an axe-core that is newer than the Python package's.
AXE = os.environ.get("AXE_CORE")
RULES: Final = [
    *("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"),
    *("best-practice", "experimental"),
]


def violations(page: Page | Frame, without: Sequence[str] = ()) -> list[tuple[str, list[str]]]:
    """Return the violations that axe-core finds: the ID of each rule, and the elements.

    It checks all rules but those `without` which it is run.
    """
    if page.evaluate("!('axe' in window)"):
        page.evaluate(Path(AXE).read_text(encoding="utf-8") if AXE else Axe().axe_script)
    found: list[tuple[str, list[str]]] = page.evaluate(
        """async ([tags, without]) => {
            const rules = Object.fromEntries(without.map((id) => [id, { enabled: false }]));
            const runOnly = { type: "tag", values: tags };
            const options = { runOnly, rules, resultTypes: ["violations"] };
            const { violations } = await axe.run(options);
            return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
        }""",
        [RULES, list(without)],
    )
    return found


def in_each_scheme(page: Page) -> Iterator[str]:
    """Switch a page to light and then to dark colors; yield each scheme."""
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        yield scheme
