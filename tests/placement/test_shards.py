"""Rows in shards, of memory or of a block file: their tables add up to those of all rows."""

from __future__ import annotations

import pickle
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import credenet
from all_answers import families_of
from credenet import Dataset
from credenet.errors import DataError
from credenet.placement.placed import PlacedDataset
from credenet.placement.service import MOST_ROWS, Cells, Counts, Members
from credenet.placement.shards import (
    PackedShard,
    ShardedRows,
    add_cells,
    add_tables,
    allocate_aligned,
    cells_of,
    tables_of,
)
from scoring_strategies import datasets
from slow_counts import SlowCounts


class ShardCounts:
    """A cluster without a cluster: the shards are counted one after the other, as they would arrive at workers."""

    def __init__(self, data: Dataset, n_shards: int) -> None:
        self._rows = ShardedRows.of(data, n_shards)
        self._shards = pickle.loads(pickle.dumps(self._rows.shards))
        self.observed_codes, self.n_rows = self._rows.observed, self._rows.n_rows

    def tables(self, members: Members, begins: NDArray[np.int64]) -> Counts:
        chosen = self._rows.columns[members]
        return add_tables([tables_of(shard, chosen, begins) for shard in self._shards])

    def cells(self, members: Members) -> tuple[Cells, Counts]:
        chosen = self._rows.columns[members]
        return add_cells([cells_of(shard, chosen) for shard in self._shards])


def in_file(data: Dataset, folder: str, block_rows: int, merge: str) -> Dataset:
    return credenet.ingest(data, Path(folder) / "t.cnb", block_rows=block_rows, merge=merge)  # type: ignore[arg-type]


@settings(max_examples=25, deadline=None)
@given(
    data=datasets(),
    n_shards=st.integers(1, 5),
    copies=st.integers(1, 12),
    merge=st.sampled_from(["yes", "no"]),
    sets=st.lists(
        st.permutations(range(4)).flatmap(lambda order: st.integers(1, 4).map(lambda n: order[:n])), min_size=1
    ),
)
def test_shards_count_as_all_rows(data: Dataset, n_shards: int, copies: int, merge: str, sets: list[list[int]]) -> None:
    """With more than one block of 512 rows if there are enough copies of the rows."""
    data = Dataset(data.states, np.tile(data.codes, (copies, 1)))
    slow = SlowCounts(data)
    members = np.array([member for each in sets for member in each], dtype=np.uint16)
    begins = np.cumsum([0, *map(len, sets)], dtype=np.int64)
    with tempfile.TemporaryDirectory() as folder:
        for rows in (data, in_file(data, folder, 512, merge)):
            counts = ShardCounts(rows, n_shards)
            assert [list(codes) for codes in counts.observed_codes] == slow.observed_codes
            assert counts.n_rows == len(data)
            assert counts.tables(members, begins).tolist() == slow.tables(members, begins).tolist()
            for each in sets:
                chosen = np.array(each, dtype=np.uint16)
                assert [part.tolist() for part in counts.cells(chosen)] == [
                    part.tolist() for part in slow.cells(chosen)
                ]


@settings(max_examples=10, deadline=None)
@given(datasets(), st.integers(1, 4), st.integers(0, 2**32 - 1))
def test_whole_weights_are_counts(data: Dataset, n_shards: int, seed: int) -> None:
    weighted = Dataset(data.states, data.codes, weights=np.random.default_rng(seed).integers(0, 3, len(data)))
    counted = PlacedDataset(weighted, ShardCounts(weighted, n_shards))
    assert families_of(counted, score="k2") == families_of(weighted, score="k2")


def test_a_packed_shard_is_aligned_wherever_it_arrives() -> None:
    codes = np.random.default_rng(1).integers(0, 5, (700, 3)).astype(np.uint8)
    shard = PackedShard.from_codes(codes, None, ((0, 1, 2, 3, 4),) * 3)
    begins = np.array([0, 3], dtype=np.int64)
    members = np.array([2, 0, 1], dtype=np.uint16)
    expected = tables_of(shard, members, begins)
    moved = allocate_aligned(shard.packed.size + 1)[1:]
    moved[:] = shard.packed
    shard.packed = moved
    arrived = pickle.loads(pickle.dumps(shard))
    arrived.__setstate__(shard.__getstate__())  # The shard is restored from its state without copied bytes.
    assert arrived.packed.ctypes.data % 64 == 0
    assert tables_of(arrived, members, begins).tolist() == expected.tolist()


def test_more_rows_than_a_count_can_hold_are_refused() -> None:
    data = Dataset({"a": ["x", "y"]}, np.array([[0], [1]]), weights=np.array([1.0, MOST_ROWS]))
    with pytest.raises(DataError, match="at most 4,294,967,295 rows, got 4,294,967,296"):
        ShardedRows.of(data, 2)
