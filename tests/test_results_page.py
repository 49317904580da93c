"""docs/results.md and the CSVs are what the stored cells of the published tables give."""

from __future__ import annotations

from pathlib import Path

import pytest

from papers.credible.incomplete import incomplete_sets
from papers.frame import all_tables
from papers.page import PAGE, not_met, page_text
from papers.store import FOLDER, Job, Store


@pytest.mark.skipif(not FOLDER.exists(), reason="a source distribution has no stored cells")
def test_the_page_is_made_from_the_stored_cells() -> None:
    assert page_text(all_tables().values()) == PAGE.read_text(), "run python -m benchmarks.papers page"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_a_csv_has_the_stored_cells(path: Path) -> None:
    assert Store(path).csv_text() == path.with_suffix(".csv").read_text(), "run python -m benchmarks.papers page"


def test_sets_that_are_not_complete_are_named_from_the_cells() -> None:
    cells = [
        {"data": "a", "score": "bic", "factor": 20, "complete": True},
        {"data": "b", "score": "bdeu", "factor": 150, "complete": False, "max_parents": 3},
        {"data": "b", "score": "bdeu", "factor": 20, "complete": False, "max_parents": 3},
        {"data": "c", "score": "bdeu", "k": 10, "what": "classes", "complete": False},
    ]
    told = incomplete_sets(cells)
    assert told is not None
    assert ": by BDeu b, at most 3 parents, at 20 and 150 (`credible" in told
    assert incomplete_sets(cells[:1]) is None
    assert "wdbc" not in not_met(FOLDER)[0]  # All sets of the table are complete.


def test_cells_are_kept_and_not_measured_again(tmp_path: Path) -> None:
    path = tmp_path / "cells.json"
    first, second = Job(dict, {"a": 1}, {"b": 2}), Job(dict, {"a": 2}, {"b": 3})
    Store(path).run([first])
    again = Store(path)
    again.run([Job(dict, first.arguments, {"b": "measured again"}), second])
    assert again.cells == Store(path).cells == {"a 1": {"a": 1, "b": 2}, "a 2": {"a": 2, "b": 3}}
    assert again.select(b=3) == [{"a": 2, "b": 3}]
    assert again.csv_text() == "a,b\n1,2\n2,3\n"
    assert len(again.machines) == 1


def test_a_cell_that_a_limit_stopped_is_measured_again_under_a_longer_one(tmp_path: Path) -> None:
    store = Store(tmp_path / "cells.json")
    store.add(Job(dict, {"a": 1}), {"limit": 20.0})
    store.add(Job(dict, {"a": 2}), {"score": 1.0})
    assert [store.is_missing(Job(dict, {"a": 1}, {"limit": limit})) for limit in (10.0, 20.0, 60.0)] == [
        False,
        False,
        True,
    ]
    assert not store.is_missing(Job(dict, {"a": 2}, {"limit": 60.0}))
    assert store.is_missing(Job(dict, {"a": 3}, {"limit": 60.0}))
