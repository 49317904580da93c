"""An open block file: rows as bit planes in blocks, mapped into memory and decoded on request."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from credenet import _core, _later
from credenet.data.blocks.bit_planes import plane_bytes, unpack
from credenet.data.coding import code_type
from credenet.data.states import StateLabels

RowWeights = Literal["counts", "weights"]


@dataclass(frozen=True, slots=True, eq=False)
class BlockFile:
    """The memory map of a block file and the contents of its footer; see ``docs/guide/large_data.md`` for the format.

    Attributes
    ----------
    mapped
        All bytes of the file.
    offsets, sizes
        The position and the number of rows of each block. All blocks but the last have ``block_rows`` rows.
    n_planes
        The number of bit planes of each variable, which lie in this order in every block.
    counts
        For each variable the number of stored rows in each state.
    n_missing
        The number of missing cells of each variable, whose code in the planes is the number of states.
    weights
        The numbers after the planes of a block: ``"counts"`` (uint32, how often each row occurs), ``"weights"``
        (float64), or None.
    total
        The number of rows with their counts, or the sum of their weights.

    Examples
    --------
    >>> import credenet
    >>> file = credenet.ingest(credenet.datasets.asia(1000), "rows.cnb", merge="no").file
    >>> file.n_rows, len(file.sizes)
    (1000, 1)
    """

    path: Path
    mapped: NDArray[np.uint8]
    _guard: _core.MapGuard  # The guard detects a file that is truncated while it is read.
    states: StateLabels
    n_planes: NDArray[np.int64]
    counts: tuple[tuple[int, ...], ...]
    n_missing: tuple[int, ...]
    n_rows: int
    total: float
    block_rows: int
    weights: RowWeights | None
    cuts: Mapping[str, tuple[float, ...]]
    notes: tuple[str, ...]
    offsets: NDArray[np.int64]
    sizes: NDArray[np.int64]
    checksum: int  # Checksum of the footer, which has the checksums of the blocks.

    def __reduce__(self) -> tuple[Any, ...]:
        """Makes a copy open the file again and check that it is the same."""
        return _reopen, (self.path, self.checksum)

    def pieces(self, begin: int, end: int) -> Iterator[tuple[int, slice, slice]]:
        """The blocks that hold the rows: the block, the rows within it, and their positions among those asked for."""
        at = begin
        while at < end:
            block, first = divmod(at, self.block_rows)
            last = min(int(self.sizes[block]), end - block * self.block_rows)
            yield block, slice(first, last), slice(at - begin, at - begin + last - first)
            at += last - first

    def column(self, block: int, column: int, dtype: np.dtype[Any]) -> NDArray[Any]:
        """The codes of a variable in a block; a missing cell has the largest value of the type."""
        n_rows = int(self.sizes[block])
        size = plane_bytes(n_rows)
        begin = int(self.offsets[block]) + int(self.n_planes[:column].sum()) * size
        n_planes, n_states = int(self.n_planes[column]), len(self.counts[column])
        planes = self.mapped[begin : begin + n_planes * size].reshape(n_planes, size)
        codes = unpack(planes, n_rows, code_type(n_states + 1) if self.n_missing[column] else dtype)
        self._guard.check()
        if not self.n_missing[column]:
            return codes
        is_missing = codes == n_states
        codes = codes.astype(dtype, copy=False)
        codes[is_missing] = np.iinfo(dtype).max
        return codes

    def block_weights(self, block: int) -> NDArray[np.float64] | None:
        """The weights of the rows of a block."""
        if self.weights is None:
            return None
        n_rows = int(self.sizes[block])
        begin = int(self.offsets[block]) + int(self.n_planes.sum()) * plane_bytes(n_rows)
        dtype = np.dtype("<u4" if self.weights == "counts" else "<f8")
        weights = self.mapped[begin : begin + n_rows * dtype.itemsize].view(dtype).astype(np.float64)
        self._guard.check()
        return weights


def _reopen(path: Path, checksum: int) -> BlockFile:
    return _later.io_blocks_opening.reopen(path, checksum)
