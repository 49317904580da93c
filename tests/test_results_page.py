"""The pages of results, their CSVs and the status are what the stored cells of the published tables give."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from papers.credible.incomplete import incomplete_sets
from papers.frame import NOT_MEASURED, Number, all_tables
from papers.page import PAGE, pages, without_ours
from papers.planning import Plan, status_text
from papers.sources import PUBLISHED
from papers.store import FOLDER, Store

TABLES = all_tables()
STORED = pytest.mark.skipif(not FOLDER.exists(), reason="a source distribution has no stored cells")


@pytest.fixture(scope="module")
def made_pages() -> dict[Path, str]:
    return pages(TABLES.values())


@STORED
def test_the_pages_are_made_from_the_stored_cells(made_pages: dict[Path, str]) -> None:
    """They also tell which cells are stale with the sources as they are."""
    for path, text in made_pages.items():
        assert path.read_text() == text, "run python -m benchmarks.papers page"
    assert set(PAGE.with_suffix("").glob("*.md")) == made_pages.keys() - {PAGE}


@STORED
def test_the_status_is_on_the_page() -> None:
    assert status_text(TABLES.values(), "paper") in PAGE.read_text()


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_a_csv_has_the_stored_cells(path: Path) -> None:
    assert Store(path).csv_text() == path.with_suffix(".csv").read_text(), "run python -m benchmarks.papers page"


@STORED
def test_no_stale_cell_is_unmarked(made_pages: dict[Path, str]) -> None:
    """Every row of a table that is made of stale cells says so, and the heading of the table counts them."""
    for name, table in TABLES.items():
        store = table.store()
        n_stale = sum(entry.made.is_stale for entry in store.entries.values())
        text = made_pages[PAGE.with_suffix("") / f"{name.partition('_')[0]}.md"]
        section = text.partition(f"`python -m benchmarks.papers {name}`")[2].partition("\n## ")[0]
        counted = sum(int(n.replace(",", "")) for n in re.findall(r"^- .*?, ([\d,]+) of them \*stale\*", section, re.M))
        assert counted == n_stale
        unmarked = [row for row in rows_of_cells(section) if "*stale* |" not in row and not row.endswith("|  |")]
        assert bool(unmarked) <= (n_stale < len(store.entries)), unmarked


def rows_of_cells(section: str) -> list[str]:
    """The rows of all tables that say who made them; the last field is empty in rows without cells."""
    rows, header = [], ""
    for line in section.splitlines():
        if not line.startswith("|"):
            header = ""
        elif not header:
            header = line
        elif not line.startswith("|---") and header.endswith("| made by |"):
            rows.append(line)
    return rows


@STORED
def test_every_table_says_who_made_its_rows() -> None:
    for table in (table for table in TABLES.values() if table.store().cells):
        lines = table.text(table.store()).splitlines()
        heads = [line for line, after in pairwise(lines) if after.startswith("|---")]
        assert heads
        assert all(head.endswith("| made by |") for head in heads), heads


def printed_numbers(paper: str) -> int:
    """How many results a paper prints, counted in the file of published numbers."""
    published = json.loads((PUBLISHED / f"{paper}.json").read_text())
    parts: dict[str, Callable[[], list[Any]]] = {
        "priors": lambda: [published],
        "tutorial": lambda: [
            *(published[key] for key in ("pruning", "text")),
            [[row[1], *row[4:]] for row in published["gobnilp"]],
        ],
        "credible": lambda: [
            published[key] for key in ("table1", "table2, factor 20", "table2, k best", "parent bounds", "text")
        ],
        "rai": lambda: [published[key] for key in ("networks", "seconds", "shd")],
        "treewidth": lambda: [
            [value for row in published["table1"].values() for key, value in row.items() if "BLIP" not in key],
            *(published[key] for key in ("table1, variables", "table2", "table3", "text")),
        ],
    }
    return sum(map(count_leaves, parts[paper]()))


def no_numbers(_: Store) -> list[Number]:
    return []


def count_leaves(value: Any) -> int:
    if isinstance(value, dict | list):
        return sum(map(count_leaves, value.values() if isinstance(value, dict) else value))
    return value is not None


@STORED
@pytest.mark.parametrize("paper", ["priors", "tutorial", "credible", "rai", "treewidth"])
def test_every_printed_number_has_ours_or_a_reason(paper: str) -> None:
    tables = [table for name, table in TABLES.items() if name.partition("_")[0] == paper]
    numbers = [number for table in tables if table.numbers for number in table.numbers(table.store())]
    assert len(numbers) == printed_numbers(paper)
    assert len({number.where for number in numbers}) == len(numbers)
    assert all(bool(number.ours) != bool(number.reason) for number in numbers)
    plan = Plan(tables, "paper")
    waiting = [
        table
        for table in tables
        if any(number.reason == NOT_MEASURED for number in (table.numbers or no_numbers)(table.store()))
    ]
    assert all(plan.counts(table)["missing"] for table in waiting), "what is not measured yet is planned"
    listed = without_ours(numbers)
    assert all(number.printed in listed and number.reason in listed for number in numbers if number.reason)


@STORED
def test_every_job_of_both_scales_is_known() -> None:
    """Their keys are those of cells, no two jobs of a table are the same, and their work is declared."""
    for scale in ("quick", "paper"):
        plan = Plan(TABLES.values(), scale)
        for table in TABLES.values():
            keys = [(job.cells, job.key) for job in table.jobs(scale)]
            assert keys
            assert len(set(keys)) == len(keys) == plan.counts(table).total()


def test_sets_that_are_not_complete_are_named_from_the_cells() -> None:
    cells = [
        {"data": "a", "score": "bic", "factor": 20, "complete": True},
        {"data": "b", "score": "bdeu", "factor": 150, "complete": False, "max_parents": 3},
        {"data": "b", "score": "bdeu", "factor": 20, "complete": False, "max_parents": 3},
        {"data": "c", "score": "bdeu", "k": 10, "what": "classes", "complete": False},
    ]
    told = incomplete_sets(cells)
    assert told is not None
    assert told.endswith(": by BDeu b, at most 3 parents, at 20 and 150.")
    assert incomplete_sets(cells[:1]) is None
