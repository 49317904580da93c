"""Family tables in parquet: round trips, files of others, refusals."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings

from credenet.errors import FormatError
from credenet.families.table import FamilyTable
from credenet.io.families import family_parquet
from family_strategies import family_tables

COLUMNS: dict[str, Any] = {"variable": ["b", "a", "b"], "score": [-2.0, -1.0, -1.5], "parents": [[], [], ["a"]]}


@settings(max_examples=100, deadline=None)
@given(family_tables())
def test_round_trip(table: FamilyTable) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "families.parquet"
        if any("\ud800" <= letter <= "\udfff" for name in table.variables for letter in name):
            with pytest.raises(FormatError, match="parquet cannot hold the name"):
                family_parquet.write(table, path)
            assert not path.exists()
        else:
            family_parquet.write(table, path)
            found = family_parquet.read(path)
            assert (found, found.made) == (table, table.made)


def test_others_can_read_it(tmp_path: Path) -> None:
    table = FamilyTable.from_lists({"a": [(-1.0, [])], "b": [(-2.0, []), (-1.5, ["a"])]})
    family_parquet.write(table, tmp_path / "a.parquet")
    frame = pl.read_parquet(tmp_path / "a.parquet")
    assert frame.rows() == [("a", -1.0, []), ("b", -1.5, ["a"]), ("b", -2.0, [])]


def test_files_of_others(tmp_path: Path) -> None:
    pl.DataFrame({"more": [1, 2, 3], **COLUMNS}).write_parquet(tmp_path / "a.parquet")
    table = family_parquet.read(tmp_path / "a.parquet")
    assert table == FamilyTable.from_lists({"b": [(-2.0, []), (-1.5, ["a"])], "a": [(-1.0, [])]})


@pytest.mark.parametrize(
    ("columns", "metadata", "message"),
    [
        ({"score": None}, "{}", "has no column 'score'"),
        ({"score": ["a", "b", "c"]}, "{}", "cannot be read as a table of families"),
        ({"score": [-1.0, None, 1.0]}, "{}", "row 2: 'score' is missing"),
        ({"score": [-1.0, 1.0, float("nan")]}, "{}", "row 3: a score of 'b' is nan"),
        ({"variable": ["b", "a", None]}, "{}", "row 3: 'variable' is missing"),
        ({"variable": ["b", "a", ""]}, "{}", "a variable without a name"),
        ({"variable": ["a", "a", "b"]}, "{}", r"row 2: variable 'a' has the parent set \{\} twice"),
        ({"parents": [[], ["b", None], []]}, "{}", "row 2: 'parents' is missing"),
        ({"parents": [["a"], None, []]}, "{}", "row 2: 'parents' is missing"),
        ({"parents": [["c"], [], []]}, "{}", "unknown parent 'c'"),
        ({"parents": [[], [], ["b"]]}, "{}", "row 3: variable 'b' is its own parent"),
        ({}, "{", "the metadata 'credenet' does not fit: it is not JSON"),
        ({}, '{"variables": ["a"]}', "unknown variable 'b'"),
        ({}, '{"variables": ["a", "a"]}', "named twice"),
        ({}, '{"n_families": 2}', "should have 2 parent sets, but has 3"),
        ({}, '{"complete": 2}', "complete must be"),
    ],
)
def test_wrong_files(tmp_path: Path, columns: dict[str, Any], metadata: str, message: str) -> None:
    path = tmp_path / "a.parquet"
    kept = {name: values for name, values in {**COLUMNS, **columns}.items() if values is not None}
    pl.DataFrame(kept, strict=False).write_parquet(path, metadata={"credenet": metadata})
    with pytest.raises(FormatError, match=message) as caught:
        family_parquet.read(path)
    assert caught.value.path == str(path)


def test_damaged_files(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    family_parquet.write(FamilyTable.from_lists({"a": [(-1.0, [])], "b": [(-2.0, ["a"])]}), path)
    contents = path.read_bytes()
    for end in range(0, len(contents), 7):
        path.write_bytes(contents[:end])
        with pytest.raises(FormatError):
            family_parquet.read(path)
