"""The pages for users of other libraries: the calls in the second columns of their tables run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

import credenet
from chain_network import DATA, GRAPH, NAMES, write_files

FOLDER = Path(__file__).parents[1] / "docs" / "coming_from"
PAGES = sorted(FOLDER.glob("*.md"))
NUMBERS = pl.DataFrame({"x": [0.5 + k / 7 for k in range(60)], "y": [k % 3 for k in range(60)]})
GIVEN = {
    **NAMES,
    "other": GRAPH.without_edge("y", "z").with_edge("x", "z"),
    "frame": DATA.to_polars(),
    "numbers": NUMBERS,
    "knowledge": credenet.Knowledge(required=[("x", "y")]),
}


def rows(page: Path) -> Iterator[list[str]]:
    """The cells of each row of the tables of a page, without heads."""
    for line in page.read_text().splitlines():
        if line.startswith("|") and not line.startswith("|---"):
            yield [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


CALLS = [
    pytest.param(code, id=f"{page.stem}: {code}")
    for page in PAGES
    for cells in rows(page)
    for code in re.findall(r"`([^`]+)`", cells[1])
]


@pytest.mark.parametrize("code", CALLS)
def test_calls_run(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path)
    eval(code, dict(GIVEN))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_rows_have_three_cells_and_say_what_is_here(page: Path) -> None:
    found = list(rows(page))
    assert found
    for cells in found:
        assert len(cells) == 3
        assert cells[1] in {"here", "none"} or "`" in cells[1], cells
