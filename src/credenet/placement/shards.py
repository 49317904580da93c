"""Rows in shards, which workers of a cluster count: blocks of a file that they read themselves, or packed rows.

All shards number the cells of a table alike, by the states that occur in all rows. So their counts add up.
"""

from __future__ import annotations

import atexit
import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol
from weakref import WeakSet

import numpy as np
from numpy.typing import NDArray

from credenet import _core, _later
from credenet.data.blocks.bit_planes import LINE_BYTES, pack, plane_bytes, plane_count
from credenet.data.blocks.block_dataset import BlockDataset
from credenet.data.blocks.block_file import BlockFile
from credenet.data.dataset import Dataset
from credenet.errors import DataError
from credenet.placement.service import MOST_ROWS, Cells, Counts, Members

Observed = tuple[tuple[int, ...], ...]


class Shard(Protocol):
    """Some of the rows."""

    def table(self) -> _core.BlockTable:
        """The rows as the core counts them."""


@dataclass(frozen=True, slots=True)
class FileShard:
    """Consecutive blocks of a block file, which a worker maps into its memory."""

    path: Path
    checksum: int  # Checksum of the footer, as the file must be the one that was placed.
    first: int
    end: int
    observed: Observed

    def table(self) -> _core.BlockTable:
        return _open(self)


@lru_cache(maxsize=32)
def _open(shard: FileShard) -> _core.BlockTable:
    file = _later.io_blocks_opening.reopen(shard.path, shard.checksum, blocks=range(shard.first, shard.end))
    blocks = slice(shard.first, shard.end)
    codes = [list(states) for states in shard.observed]
    return _core.BlockTable(
        file.mapped,
        file.offsets[blocks],
        file.sizes[blocks],
        file.n_planes,
        file.weights == "counts",
        np.arange(len(codes), dtype=np.int64),
        codes,
        codes,
        file._guard,
    )


@dataclass(slots=True, eq=False, weakref_slot=True)
class PackedShard:
    """Rows as bit planes, and how often each occurs if they have weights."""

    packed: NDArray[np.uint8]
    n_rows: int
    n_planes: NDArray[np.int64]
    has_counts: bool
    observed: Observed
    _table: _core.BlockTable | None = field(default=None, repr=False)

    @classmethod
    def from_codes(cls, codes: NDArray[Any], counts: NDArray[np.uint32] | None, observed: Observed) -> PackedShard:
        """Rows by variables, and how often each row occurs."""
        n_planes = [plane_count(states[-1] + 1, has_missing=False) for states in observed]
        size = plane_bytes(len(codes))
        n_bytes = sum(n_planes) * size
        packed = allocate_aligned(max(n_bytes + (0 if counts is None else counts.nbytes), LINE_BYTES))
        packed[:] = 0
        planes = packed[:n_bytes].reshape(sum(n_planes), size)
        first = 0
        for at, number in enumerate(n_planes):
            pack(codes[:, at], planes[first : first + number])
            first += number
        if counts is not None:
            packed[n_bytes : n_bytes + counts.nbytes] = counts.view(np.uint8)
        return cls(packed, len(codes), np.array(n_planes, dtype=np.int64), counts is not None, observed)

    def table(self) -> _core.BlockTable:
        if self._table is None:
            codes = [list(states) for states in self.observed]
            offsets, sizes = np.zeros(1, dtype=np.int64), np.array([self.n_rows], dtype=np.int64)
            columns = np.arange(len(codes), dtype=np.int64)
            _with_tables.add(self)
            self._table = _core.BlockTable(
                self.packed, offsets, sizes, self.n_planes, self.has_counts, columns, codes, codes
            )
        return self._table

    def __getstate__(self) -> tuple[Any, ...]:
        return self.packed, self.n_rows, self.n_planes, self.has_counts, self.observed

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        packed, self.n_rows, self.n_planes, self.has_counts, self.observed = state
        self._table = None
        self.packed = packed
        if packed.ctypes.data % LINE_BYTES:
            self.packed = allocate_aligned(packed.size)
            self.packed[:] = packed


_with_tables: WeakSet[PackedShard] = WeakSet()


@atexit.register
def _close_tables() -> None:
    """Frees what the core holds while the core is still there."""
    _open.cache_clear()
    for shard in _with_tables:
        shard._table = None


def allocate_aligned(size: int) -> NDArray[np.uint8]:
    """An array of bytes that begins at a multiple of a line, as the core needs it."""
    raw = np.empty(size + LINE_BYTES, dtype=np.uint8)
    begin = -raw.ctypes.data % LINE_BYTES
    return raw[begin : begin + size]


@dataclass(frozen=True, slots=True)
class ShardedRows:
    """The rows of a dataset in shards.

    Attributes
    ----------
    columns
        The place of each variable of the dataset in the shards.
    observed
        For each variable of the dataset the codes that occur.
    """

    shards: Sequence[Shard]
    columns: NDArray[np.uint16]
    observed: Observed
    n_rows: int

    @classmethod
    def of(cls, data: Dataset, n_shards: int) -> ShardedRows:
        """At most ``n_shards`` shards of about the same size."""
        data.check_complete("counting on a cluster needs")
        if data.total_weight > MOST_ROWS:
            raise DataError(f"a cluster counts at most {MOST_ROWS:,} rows, got {data.total_weight:,.0f}")
        if isinstance(data, BlockDataset):
            return cls._of_file(data, data.file, n_shards)
        return cls._of_rows(data, n_shards)

    @classmethod
    def _of_file(cls, data: BlockDataset, file: BlockFile, n_shards: int) -> ShardedRows:
        if file.weights == "weights":
            raise DataError(_FRACTIONS)
        observed = tuple(tuple(np.flatnonzero(counts).tolist()) or (0,) for counts in file.counts)
        ends = np.linspace(0, len(file.sizes), min(n_shards, len(file.sizes)) + 1).round().astype(int).tolist()
        shards = [FileShard(file.path, file.checksum, first, end, observed) for first, end in itertools.pairwise(ends)]
        codes = tuple(
            observed[at] if code_of is None else tuple(code_of[list(observed[at])].tolist())
            for at, code_of in zip(data.columns.tolist(), data._code_of, strict=True)
        )
        return cls(shards, data.columns.astype(np.uint16), codes, int(file.total))

    @classmethod
    def _of_rows(cls, data: Dataset, n_shards: int) -> ShardedRows:
        codes, counts = data.codes, None
        if data.weights is not None:
            if not np.array_equal(data.weights, np.rint(data.weights)):
                raise DataError(_FRACTIONS)
            kept = np.flatnonzero(data.weights)
            codes, counts = codes[kept], data.weights[kept].astype(np.uint32)
        observed = tuple(
            tuple(np.flatnonzero(np.bincount(codes[:, at])).tolist()) or (0,) for at in range(data.n_variables)
        )
        ends = np.linspace(0, len(codes), max(min(n_shards, len(codes)), 1) + 1).round().astype(int).tolist()
        shards = [
            PackedShard.from_codes(codes[first:end], None if counts is None else counts[first:end], observed)
            for first, end in itertools.pairwise(ends)
        ]
        columns = np.arange(data.n_variables, dtype=np.uint16)
        return cls(shards, columns, observed, int(data.total_weight))


_FRACTIONS = (
    "a cluster counts rows, so weights must be whole numbers: how often a row occurs; "
    "leave the weights out, round them, or learn without the cluster"
)


def tables_of(shard: Shard, members: Members, begins: NDArray[np.int64]) -> Counts:
    """All cells of each set in a shard; see `CountService.tables`."""
    _, counts = _core.count_tables(shard.table(), members, begins, 1)
    return counts


def cells_of(shard: Shard, members: Members) -> tuple[Cells, Counts]:
    """The occupied cells of a set in a shard; see `CountService.cells`."""
    return shard.table().cells(members)


def add_tables(parts: Sequence[Counts]) -> Counts:
    """The tables of several shards together."""
    total = parts[0].copy()
    for part in parts[1:]:
        total += part
    return total


def add_cells(parts: Sequence[tuple[Cells, Counts]]) -> tuple[Cells, Counts]:
    """The cells of several shards together."""
    cells, place = np.unique(np.concatenate([cells for cells, _ in parts]), return_inverse=True)
    total = np.zeros(len(cells), dtype=np.uint32)
    np.add.at(total, place, np.concatenate([counts for _, counts in parts]))
    return cells, total
