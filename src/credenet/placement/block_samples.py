"""Bootstrap samples of random blocks of rows: the tables of all samples from one counting of the blocks.

The rows are put into random blocks of about the same size. A sample draws blocks, not rows, with replacement. Its table
is then the sum of the tables of its blocks: a product of a vector with a matrix of blocks by cells, which is kept for
the other samples. As the blocks are random, shares of samples are distributed as if rows were drawn; the variance of an
estimate is itself estimated from the blocks, with a relative error of about sqrt(2 / blocks).

A sample reads blocks times cells numbers for a table, a byte or two each, instead of all rows: this is faster from
about 100,000 rows on.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet.data.dataset import Dataset
from credenet.errors import DataError
from credenet.placement.service import Cells, Counts, Members
from credenet.placement.shards import PackedShard, ShardedRows, add_cells, cells_of, tables_of

# Rows times tables per block below which a batch is short and is counted for all blocks at once. Starting a block takes
# as long as counting this many rows.
_SHORT = 10_000


class BlockTables:
    """The tables of each block, counted when they are first asked for and kept while they fit into memory."""

    def __init__(self, data: Dataset, n_blocks: int, seed: int, memory: float) -> None:
        data.check_complete("samples of blocks need")
        if data._is_weighted:
            raise DataError("samples of blocks need rows without weights; leave blocks out")
        order = np.random.default_rng([seed, n_blocks]).permutation(len(data))
        shuffled = data.take(order)
        self._codes = shuffled.codes
        rows = ShardedRows.of(shuffled, n_blocks)
        self.shards = rows.shards
        self.observed_codes = rows.observed
        self.sizes = np.array([shard.n_rows for shard in rows.shards if isinstance(shard, PackedShard)])
        self._type = np.min_scalar_type(int(self.sizes.max()))
        self._numbered: PackedShard | None = None  # All rows, with the number of the block as the first variable.
        self._most_bytes = memory
        self._n_bytes = 0
        self._tables: dict[bytes, NDArray[Any]] = {}
        self._lock = Lock()

    def tables(self, sets: Sequence[Members]) -> list[NDArray[Any]]:
        """For each set a matrix of counts, blocks by cells."""
        with self._lock:
            new = {each.tobytes(): each for each in sets if each.tobytes() not in self._tables}
            if new and self._n_bytes + self._bytes_of(new.values()) > self._most_bytes:
                self._tables, self._n_bytes = {}, 0
                new = {each.tobytes(): each for each in sets}
            if new:
                self._count(new)
            return [self._tables[each.tobytes()] for each in sets]

    def _count(self, new: dict[bytes, Members]) -> None:
        is_short = len(new) * int(self.sizes.sum()) < _SHORT * len(self.shards)
        fits = all(len(self.shards) * self._n_cells(each) <= _core.most_table_cells for each in new.values())
        found = self._count_at_once(new) if is_short and fits else self._count_by_block(new)
        for key, table in zip(new, found, strict=True):
            self._tables[key] = np.ascontiguousarray(table, dtype=self._type)
            self._n_bytes += self._tables[key].nbytes

    def _count_by_block(self, new: dict[bytes, Members]) -> list[NDArray[Any]]:
        members = np.concatenate(list(new.values()))
        begins = np.cumsum([0, *map(len, new.values())], dtype=np.int64)
        counts = np.array([tables_of(shard, members, begins) for shard in self.shards], dtype=self._type)
        return np.split(counts, np.cumsum([*map(self._n_cells, new.values())])[:-1], axis=1)

    def _count_at_once(self, new: dict[bytes, Members]) -> list[NDArray[Any]]:
        """The number of the block is one more variable, so that one table has the tables of all blocks."""
        n_blocks = len(self.shards)
        if self._numbered is None:
            numbers = np.repeat(np.arange(n_blocks, dtype=np.uint16), self.sizes)
            codes = np.column_stack([numbers, self._codes])
            self._numbered = PackedShard.from_codes(codes, None, (tuple(range(n_blocks)), *self.observed_codes))
        members = np.concatenate([[0, *(each + 1)] for each in new.values()]).astype(np.uint16)
        begins = np.cumsum([0, *(len(each) + 1 for each in new.values())], dtype=np.int64)
        counts = tables_of(self._numbered, members, begins)
        ends = np.cumsum([n_blocks * self._n_cells(each) for each in new.values()])
        return [part.reshape(n_blocks, -1) for part in np.split(counts, ends[:-1])]

    def _n_cells(self, members: Members) -> int:
        return math.prod(len(self.observed_codes[at]) for at in members.tolist())

    def _bytes_of(self, sets: Iterable[Members]) -> int:
        return self._type.itemsize * len(self.shards) * sum(map(self._n_cells, sets))


class BlockSample:
    """The counts of a sample of blocks; a `CountService`."""

    def __init__(self, blocks: BlockTables, seed: Sequence[int]) -> None:
        n = len(blocks.shards)
        drawn = np.random.default_rng(seed).integers(0, n, size=n)
        self._blocks = blocks
        # The number of times that each block is in the sample.
        self._times = np.bincount(drawn, minlength=n).astype(np.uint32)
        self.observed_codes = blocks.observed_codes
        self.n_rows = int(self._times @ blocks.sizes)

    def tables(self, members: Members, begins: NDArray[np.int64]) -> Counts:
        """All cells of each set, one table after another."""
        sets = [members[begin:end] for begin, end in itertools.pairwise(begins.tolist())]
        return _core.sum_block_tables(self._times, self._blocks.tables(sets))

    def cells(self, members: Members) -> tuple[Cells, Counts]:
        """The occupied cells of one set. It is large, so that it is counted for each sample."""
        drawn = np.flatnonzero(self._times).tolist()
        parts = [cells_of(self._blocks.shards[at], members) for at in drawn]
        return add_cells([(cells, counts * self._times[at]) for at, (cells, counts) in zip(drawn, parts, strict=True)])
