"""The sections of the READMEs: code blocks and tables by heading."""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Section:
    """A section of a README: a heading, and the text up to the next heading."""

    path: Path
    heading: str
    text: str

    @property
    def blocks(self) -> list[tuple[str, str]]:
        """The blocks of code, each with its language."""
        return re.findall(r"^```(\w*)\n(.*?)^```$", self.text, re.MULTILINE | re.DOTALL)


def sections(path: Path) -> list[Section]:
    """Return the sections of a README; a comment in a code block is not a heading."""
    blocks_or_headings = r"^```.*?^```$|^#+ (?P<heading>[^\n]+)$"
    text = path.read_text(encoding="utf-8")
    headings = [
        found
        for found in re.finditer(blocks_or_headings, text, re.MULTILINE | re.DOTALL)
        if found["heading"]
    ]
    ends = [*(found.start() for found in headings[1:]), len(text)]
    return [
        Section(path, found["heading"], text[found.end() : end])
        for found, end in zip(headings, ends, strict=True)
    ]


READMES = [
    ROOT / "README.md",
    ROOT / "service/API.md",
    ROOT / "service/TREES.md",
    ROOT / "service/CHANGELOG.md",
    *sorted(ROOT.glob("service/**/README.md")),
    *sorted(ROOT.glob("tests/**/README.md")),
]
SECTIONS = [each for path in READMES for each in sections(path)]


def section(heading: str) -> Section:
    """Return the section with this heading; there must be exactly one."""
    (found,) = (each for each in SECTIONS if each.heading == heading)
    return found


def block(heading: str, language: str) -> str:
    """Return the code block in a language below a heading; there must be exactly one."""
    (found,) = (text for name, text in section(heading).blocks if name == language)
    return found


def rows(heading: str) -> list[list[str]]:
    """Return the rows, without the header, of the one table below a heading."""
    (table,) = re.findall(r"(?:^\|.*\n)+", section(heading).text, re.MULTILINE)
    return [
        [cell.strip() for cell in line.strip("| \n").split("|")] for line in table.splitlines()[2:]
    ]
