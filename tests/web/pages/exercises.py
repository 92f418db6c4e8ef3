"""An exercise of the search page, read from the page: its fields, its texts, and its print."""

import re
from typing import Final
from xml.etree import ElementTree as ET

from tests.web.pages.page import Element, Moment, classes, text

#  The names of the fields, and what each is a part of.
FIELDS: Final = {
    "Score of": "value",
    "\u03b1 of": "window",
    "\u03b2 of": "window",
    "Cut the branch to": "branches",
}
CUT: Final = "Cut the branch to"
FIELD: Final = re.compile(
    rf"({'|'.join(FIELDS)}) (.*?)(?: \((MAX|MIN)\))?(?:, (right|wrong|follows))?"
)


def fields(moment: Moment) -> list[tuple[str, str, str, Element]]:
    """Return the visible fields: the kind, the label of the node, the verdict, and the element."""
    found = []
    for each in moment["drawing"].iterfind(".//*[@aria-label]"):
        match = FIELD.fullmatch(each.get("aria-label", ""))
        if match and moment.is_visible(each):
            found.append((match[1], match[2], match[4] or "", each))
    return found


def told(moment: Moment) -> list[str]:
    """Return what the exercise shows: its fields, and its texts."""
    shown = [f"{each.get('aria-label')}: {each.get('live-value')}" for *_, each in fields(moment)]
    names = ("task", "score", "result", "reasons", "rule", "onward", "back")
    return [*shown, *(moment.text(f"exercise-{name}") for name in names)]


def exercise(moment: Moment) -> dict[str, str]:
    """Return what an exercise asks, the answers, their grades, and where its links lead."""
    if "exercise" not in moment:
        return {}
    shown = [each for each in moment["drawing"].iter() if "field" in classes(each)]
    fields = [
        f"{each.get('aria-label')}: {value_of(each)}" for each in shown if moment.is_visible(each)
    ]
    links = [each for each in moment["exercise"].iter("a") if moment.is_visible(each)]
    buttons = ["check", "reveal"]
    return {
        "rule": moment.text("exercise-rule"),
        "task": moment.text("exercise-task"),
        "fields": "\n".join(fields),
        "buttons": ", ".join(filter(None, (moment.text(f"exercise-{each}") for each in buttons))),
        "score": moment.text("exercise-score"),
        "result": moment.text("exercise-result"),
        "reasons": "\n".join(
            text(each) for each in moment["exercise-reasons"] if "exercise-reasons" in moment
        ),
        "links": "\n".join(f"{text(each)} {each.get('href')}" for each in links),
    }


def printed(html: str) -> str:
    """Return the texts of a print and its boxes or, without pages of its own, that it is one."""
    body = ET.fromstring(html)  # noqa: S314, the page's own
    pages = [each for each in body.iter("section") if "paper" in classes(each)]
    lines = []
    for number, page in enumerate(pages, 1):
        boxes = [each for each in page.iter("span") if "field" in classes(each)]
        marks = [each.get("d") for each in page.iter("path") if each.get("class") == "sign"]
        scores = [text(each) for each in page.iter("text") if "score" in classes(each)]
        parts = [each for each in page.iter() if each.tag in ("h2", "p", "li")]
        lines += [f"page {number}: {text(each)}" for each in parts if text(each)]
        lines.append(f"page {number}: {len(boxes)} boxes {' '.join(map(text, boxes))}".strip())
        lines.append(
            f"page {number}: {len([*filter(None, marks)])} signs, "
            f"scores {' '.join(filter(None, scores))}"
        )
    return "\n".join(lines) or "the page"


def value_of(field: Element) -> str:
    """Return what is typed into a field, or whether a branch is cut."""
    if field.tag == "button":
        return "cut" if field.get("aria-pressed") == "true" else ""
    return field.get("live-value") or field.get("placeholder") or ""
