"""The gallery: every section shows a picture, and what its code writes stands below its heading."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gallery import CODE, text_with_pictures

SECTIONS = re.split(r"^## ", (Path(__file__).parents[1] / "docs" / "gallery.md").read_text(), flags=re.MULTILINE)[1:]


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.partition("\n")[0])
def test_a_section_has_a_picture_and_its_code_is_hidden(section: str) -> None:
    """The test of the docs runs the code, and pictures that are in the repository are linked."""
    code = "".join(CODE.findall(section))
    assert re.search(r'"\w+\.svg"', code) or "](pictures/" in section
    assert code == "" or "<details><summary>" in section.partition("```python")[0]


def test_pictures_are_those_that_the_code_writes(tmp_path: Path) -> None:
    text = (
        "# Gallery\n\n## One\n\nText.\n\n```python\n>>> from pathlib import Path\n>>> for name in ('a', 'b'):\n"
        "...     _ = Path(f'{name}.svg').write_text('')\n```\n\n## None\n\n```python\n>>> 1 + 1\n2\n```\n"
    )
    shown = text_with_pictures(text, tmp_path / "gallery")
    assert shown.index("](/gallery/a.svg)") < shown.index("](/gallery/b.svg)") < shown.index("Text.")
    assert shown.count("![") == 2
    assert text_with_pictures(text, tmp_path / "gallery") == shown


def test_code_that_fails_ends_the_build(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        text_with_pictures("## One\n```python\n>>> 1 / 0\n```\n", tmp_path / "gallery")
