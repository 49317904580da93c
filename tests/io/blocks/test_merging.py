"""Equal rows merged: the same counts as of all rows, and so the same scores and tables."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import credenet
from credenet import Dataset
from credenet.errors import ArgumentError, DataError
from credenet.io.blocks import ingesting, merging
from credenet.io.blocks.merging import RowMerger


def row_counts(data: Dataset) -> Counter[tuple[int, ...]]:
    weights = np.ones(len(data)) if data.weights is None else data.weights
    counts: Counter[tuple[int, ...]] = Counter()
    for row, weight in zip(data.codes.tolist(), weights.tolist(), strict=True):
        counts[tuple(row)] += int(weight)
    return counts


@settings(max_examples=40, deadline=None)
@given(
    n_rows=st.integers(1, 3000),
    n_states=st.lists(st.integers(1, 300), min_size=1, max_size=12),
    seed=st.integers(0, 2**32 - 1),
    compacted=st.integers(1, 2000),
    batch=st.integers(1, 1000),
    has_missing=st.booleans(),
)
def test_merged_rows_are_exact(
    n_rows: int,
    n_states: list[int],
    seed: int,
    compacted: int,
    batch: int,
    has_missing: bool,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("merged")
    generator = np.random.default_rng(seed)
    drawn = [generator.integers(-1 if has_missing else 0, states, n_rows) for states in n_states]
    for codes in drawn:
        codes[0] = 0  # A column without any value would be an error.
    frame = pl.DataFrame({f"v{at}": pl.Series(codes).replace({-1: None}) for at, codes in enumerate(drawn)})
    frame.write_parquet(folder / "t.parquet")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(merging, "_COMPACTED", compacted)
        patch.setattr(ingesting, "_BATCH_ROWS", batch)
        options: dict[str, Any] = {"missing": "keep"}
        expected = credenet.read(folder / "t.parquet", **options)
        merged = credenet.ingest(folder / "t.parquet", folder / "t.cnb", merge="yes", block_rows=512, **options)
    assert row_counts(merged) == row_counts(expected)
    assert len(merged) == len(row_counts(expected))
    assert merged.total_weight == len(expected)
    assert merged.file.weights == "counts"
    assert merged.missing.keys() == expected.missing.keys()


def test_counts_are_those_of_all_rows(tmp_path: Path) -> None:
    data = credenet.datasets.asia(20_000)
    data.save(tmp_path / "a.csv")
    merged = credenet.ingest(tmp_path / "a.csv", tmp_path / "a.cnb", merge="yes")
    rows = credenet.read(tmp_path / "a.csv")
    assert len(merged) < 256
    assert "weighted" in repr(merged)
    assert merged.info().total_weight == 20_000
    ours, theirs = credenet.learn(merged), credenet.learn(rows)
    assert ours.graph == theirs.graph
    assert ours.score == theirs.score
    network = credenet.textbook.asia()
    assert network.log_likelihood(merged) == pytest.approx(network.log_likelihood(rows), rel=1e-12)


@pytest.mark.parametrize(("n_rows", "n_variables", "is_merged"), [(8000, 4, True), (8000, 30, False), (3000, 4, False)])
def test_auto_merges_where_it_pays(
    n_rows: int, n_variables: int, is_merged: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ingesting, "LEAST_ROWS", 4000)
    monkeypatch.setattr(ingesting, "_BATCH_ROWS", 1000)
    codes = np.random.default_rng(0).integers(0, 2, (n_rows, n_variables))
    pl.DataFrame(codes).write_parquet(tmp_path / "t.parquet")
    data = credenet.ingest(tmp_path / "t.parquet", tmp_path / "t.cnb")
    assert (data.file.weights == "counts") == is_merged
    assert row_counts(data) == row_counts(credenet.read(tmp_path / "t.parquet"))


def test_auto_gives_up_when_too_many_rows_differ(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first rows are alike, the others are not."""
    monkeypatch.setattr(ingesting, "LEAST_ROWS", 4000)
    monkeypatch.setattr(ingesting, "_BATCH_ROWS", 1000)
    codes = np.random.default_rng(0).integers(0, 2, (8000, 20))
    codes[:1500] = 0
    pl.DataFrame(codes).write_parquet(tmp_path / "t.parquet")
    data = credenet.ingest(tmp_path / "t.parquet", tmp_path / "t.cnb")
    assert data.file.weights is None
    assert data == credenet.read(tmp_path / "t.parquet")


def test_counts_too_large_for_one_row() -> None:
    merger = RowMerger([1, 2], 1e9, 100)
    merger.add(np.array([[0, 1], [1, 2], [0, 1]], dtype=np.uint8))
    merger._compact()
    merger._rows = merger._rows.with_columns(count=pl.when(pl.col("word 0") == 2).then(2**33 + 5).otherwise(3))
    ((codes, counts),) = merger.blocks(100)
    sums: Counter[tuple[int, ...]] = Counter()
    for row, number in zip(codes.tolist(), counts.tolist(), strict=True):
        sums[tuple(row)] += number
    assert sums == {(0, 1): 2**33 + 5, (1, 2): 3}
    assert len(codes) == 4


def test_what_cannot_be_merged(tmp_path: Path) -> None:
    (tmp_path / "w.csv").write_text("x,w\na,1\nb,0.5\n")
    with pytest.raises(ArgumentError, match="merge='yes' cannot be combined with weights"):
        credenet.ingest(tmp_path / "w.csv", tmp_path / "w.cnb", weights="w", merge="yes")
    data = credenet.ingest(tmp_path / "w.csv", tmp_path / "w.cnb", weights="w")
    assert data == credenet.read(tmp_path / "w.csv", weights="w")
    frame = pl.DataFrame(np.random.default_rng(0).integers(0, 2, (2000, 40)))
    frame.write_parquet(tmp_path / "t.parquet")
    with pytest.raises(DataError, match=r"merging needs memory for more than .* different rows; pass merge='no'"):
        credenet.ingest(tmp_path / "t.parquet", tmp_path / "t.cnb", merge="yes", memory_limit=50_000)
