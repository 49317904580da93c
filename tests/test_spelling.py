"""Spelling: common misspellings in pages, docstrings, comments and messages, and British spelling in pages.

``tests/spelling_words.txt`` has words that are right here: names of people, programs and suffixes of files.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
WORDS = Path(__file__).parent / "spelling_words.txt"
PAGES = [
    *(ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "benchmarks" / "reports").rglob("*.md")),
]
CHECKED = [
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "docs",
    "benchmarks/reports",
    "src",
    "cpp",
    "bindings",
    "examples",
]
STEMS = "anal|discret|factor|general|initial|maxim|minim|normal|optim|organ|penal|recogn|summar|visual"
AMERICAN = re.compile(
    r"\b(?:behavior|neighbor|favor(?!i)|honor(?!ar)|color|center(?:ed|s)?\b|modeled|modeling|labeled|labeling|gray\b"
    rf"|analyz|(?:{STEMS})iz)\w*",
    re.IGNORECASE,
)
NOT_PROSE = re.compile(r"^(```+)[\s\S]*?^\1$|`[^`\n]*`|\]\([^)]*\)|^ {4}.*$", re.MULTILINE)


def misspellings(*paths: str, cwd: Path = ROOT) -> str:
    command = [sys.executable, "-m", "codespell_lib", "--builtin", "clear,rare,names", "--ignore-words", str(WORDS)]
    command += ["--skip", "*.svg,*.png,*.so,*.min.js,*.txt,vendor,__pycache__", *paths]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert not done.stderr, done.stderr
    return done.stdout


def test_common_misspellings() -> None:
    assert misspellings(*CHECKED) == ""


def test_misspellings_are_found(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text("The posterior is teh distribution over all netwroks.\n")
    assert len(misspellings(".", cwd=tmp_path).splitlines()) == 2


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_pages_are_british(page: Path) -> None:
    assert not AMERICAN.findall(NOT_PROSE.sub("", page.read_text()))


def test_american_spelling_is_found() -> None:
    text = "We analyze and normalize the behavior of neighbors; sizes, the prize and its center are modeled."
    found = ["analyze", "normalize", "behavior", "neighbors", "center", "modeled"]
    assert [match.group() for match in AMERICAN.finditer(text)] == found
