"""The gallery: the code of each section is run when the site is built, and the pictures that it writes stand above it.

A section of ``docs/gallery.md`` has a heading, a sentence and examples of Python. The examples of all sections share
their names. What a section writes into the folder of the gallery are its pictures.
"""

from __future__ import annotations

import contextlib
import doctest
import re
from pathlib import Path
from typing import Any

PAGE = "gallery.md"  # Where the page stands in the site.
FOLDER = "gallery"  # Where its pictures stand in the site.
CODE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def add_pictures(source: Path) -> None:
    """Draw the pictures of the gallery, and put them into its page, in the folder that Sphinx reads."""
    page = source / PAGE
    page.write_text(text_with_pictures(page.read_text(encoding="utf-8"), source / FOLDER), encoding="utf-8")


def text_with_pictures(text: str, folder: Path) -> str:
    """The text of the gallery with the pictures of each section below its heading; the code draws them in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    opening, *sections = re.split(r"^## ", text, flags=re.MULTILINE)
    names: dict[str, Any] = {}
    parts = [opening]
    for section in sections:
        known = set(folder.iterdir())
        run_examples("".join(CODE.findall(section)), names, folder)
        heading, _, rest = section.partition("\n")
        drawn = sorted(set(folder.iterdir()) - known)
        shown = "".join(f"\n![{heading}](/{FOLDER}/{path.name})\n" for path in drawn)
        parts.append(f"## {heading}\n{shown}{rest}")
    return "".join(parts)


def run_examples(code: str, names: dict[str, Any], folder: Path) -> None:
    """Run examples in a folder; the tests of the docs compare what they print."""
    with contextlib.chdir(folder):
        for example in doctest.DocTestParser().get_examples(code):
            exec(compile(example.source, PAGE, "exec"), names)
