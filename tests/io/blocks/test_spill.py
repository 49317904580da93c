"""Files are read once: rows are kept beside the block file while their labels are found."""

from __future__ import annotations

import errno
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import credenet
from credenet.errors import DataError
from credenet.io.blocks import coding, ingesting, spill
from credenet.io.blocks.parquet_source import ParquetSource

ROWS = credenet.datasets.asia(3000, seed=8)


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(ingesting, "_BATCH_ROWS", 700)
    path = tmp_path / "t.parquet"
    ROWS.to_polars().select(pl.all().cast(pl.String)).write_parquet(path)
    return path


@pytest.fixture
def passes(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """An entry for each time that the rows of a parquet file are read."""
    read: list[Any] = []
    batches = ParquetSource.batches

    def counted(self: ParquetSource, place: Any, names: Any) -> Iterator[Any]:
        read.append(place)
        return batches(self, place, names)

    monkeypatch.setattr(ParquetSource, "batches", counted)
    return read


@pytest.mark.parametrize("merge", ["yes", "no"])
def test_files_are_read_once(source: Path, passes: list[Any], merge: Any) -> None:
    found = credenet.ingest(source, source.with_name("t.cnb"), block_rows=512, merge=merge)
    assert passes == [None]
    assert found.total_weight == len(ROWS)
    assert merge == "yes" or found == credenet.read(source)
    assert {path.name for path in source.parent.iterdir()} == {"t.parquet", "t.cnb"}


class FullFile:
    """A file on a disk that is full after some bytes."""

    def __init__(self, **options: Any) -> None:
        self._inner = tempfile.SpooledTemporaryFile(**options)  # noqa: SIM115

    def write(self, contents: Any) -> None:
        if self._inner.tell() > 2000:
            raise OSError(errno.ENOSPC, "full")
        self._inner.write(contents)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


def test_without_space_files_are_read_twice(source: Path, passes: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "TemporaryFile", FullFile)
    found = credenet.ingest(source, source.with_name("t.cnb"), block_rows=512, merge="no")
    assert passes == [None, None]
    assert found == credenet.read(source)


def test_many_labels_are_read_twice(source: Path, passes: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spill, "_MOST_LABELS", 100)
    numbers = ROWS.to_polars().with_columns(pl.int_range(len(ROWS)).cast(pl.String).alias("age"))
    numbers.select("age", pl.col("xray").cast(pl.String)).write_parquet(source)
    options: dict[str, Any] = {"discretize": {"age": "frequency:5"}}
    found = credenet.ingest(source, source.with_name("t.cnb"), merge="no", **options)
    assert passes == [None, None]
    assert found == credenet.read(source, **options)


def test_ctrl_c_while_labels_are_found_leaves_nothing(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add = coding._Tally.add
    n_added = 0

    def interrupted(self: coding._Tally, raw: Any) -> None:
        nonlocal n_added
        n_added += 1
        if n_added == 20:
            raise KeyboardInterrupt
        add(self, raw)

    monkeypatch.setattr(coding._Tally, "add", interrupted)
    with pytest.raises(KeyboardInterrupt):
        credenet.ingest(source, source.with_name("t.cnb"), merge="no")
    assert list(source.parent.iterdir()) == [source]


@settings(max_examples=60, deadline=None)
@given(
    cells=st.lists(
        st.tuples(st.sampled_from(["a", "b", "?"]), st.integers(0, 400).map(str), st.just("same")),
        min_size=1,
        max_size=700,
    ),
    batch=st.integers(1, 300),
    missing=st.sampled_from(["state", "keep", "drop"]),
    states=st.sampled_from(["declared", "observed"]),
)
def test_rows_come_back(
    cells: list[tuple[str, ...]], batch: int, missing: Any, states: Any, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("rows")
    path = folder / "t.parquet"
    pl.DataFrame(cells, schema=["x", "y", "z"], orient="row").write_parquet(path)
    options: dict[str, Any] = {"missing": missing, "states": states}
    try:
        expected = credenet.read(path, **options)
    except DataError:
        expected = None  # Every row has a missing cell.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ingesting, "_BATCH_ROWS", batch)
        if expected is None or not len(expected):
            with pytest.raises(DataError):
                credenet.ingest(path, folder / "t.cnb", merge="no", **options)
        else:
            found = credenet.ingest(path, folder / "t.cnb", merge="no", block_rows=512, **options)
            assert found == expected
            assert found.info() == expected.info()
