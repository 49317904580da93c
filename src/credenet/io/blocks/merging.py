"""Equal rows merged: each different row once, with how often it occurs. Exact, and in bounded memory."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from credenet.io.blocks.format import MOST_COUNT, BlockLayout

LEFT = 8  # Merging pays if at most one row in this many is left.
LEAST_ROWS = 1 << 20  # Rows below which merging is not worth losing their order.
_DOUBT = 1.5  # Factor by which an estimate of the number of different rows may be too high.
_COUNT = "count"
_COMPACTED = 1 << 20  # Rows that wait for merging at most.
_BYTES_PER_WORD = 40  # Bytes per word of a distinct row while rows are merged.


class RowMerger:
    """Collects rows as keys of whole 64-bit words.

    Parameters
    ----------
    n_planes
        The number of bits of each variable.
    memory
        The bytes that different rows may take.
    most
        Merging is given up if there are more different rows than this.
    """

    def __init__(self, n_planes: Sequence[int], memory: float, most: float) -> None:
        self._places: list[tuple[int, int, int]] = []  # The word, shift and number of bits of each variable.
        word, shift = 0, 0
        for bits in n_planes:
            if shift + bits > 64:
                word, shift = word + 1, 0
            self._places.append((word, shift, bits))
            shift += bits
        self._words = [f"word {at}" for at in range(word + 1)]
        self._rows = pl.DataFrame(schema=dict.fromkeys([*self._words, _COUNT], pl.UInt64))
        self._waiting: list[pl.DataFrame] = []
        self._n_waiting = 0
        self.most = int(min(most, memory / (_BYTES_PER_WORD * (len(self._words) + 1))))

    def add(self, codes: NDArray[Any]) -> bool:
        """Adds rows; False if there are too many different ones."""
        words = np.zeros((len(self._words), len(codes)), dtype=np.uint64)
        for at, (word, shift, bits) in enumerate(self._places):
            if bits:
                words[word] |= codes[:, at].astype(np.uint64) << np.uint64(shift)
        keys = pl.DataFrame(dict(zip(self._words, words, strict=True)))
        self._waiting.append(keys.group_by(self._words).agg(pl.len().cast(pl.UInt64).alias(_COUNT)))
        self._n_waiting += len(self._waiting[-1])
        if self._n_waiting > max(_COMPACTED, len(self._rows)) or self._n_waiting + len(self._rows) > self.most:
            self._compact()
        return len(self._rows) <= self.most

    @property
    def is_empty(self) -> bool:
        return not self._n_waiting and not len(self._rows)

    @property
    def n_different(self) -> int:
        """The number of different rows so far."""
        self._compact()
        return len(self._rows)

    def _compact(self) -> None:
        if self._waiting:
            everything = pl.concat([self._rows, *self._waiting])
            self._rows = everything.group_by(self._words).agg(pl.col(_COUNT).sum())
            self._waiting, self._n_waiting = [], 0

    def blocks(self, n_rows: int) -> Iterable[tuple[NDArray[Any], NDArray[np.uint32]]]:
        """The different rows, sorted, with their counts, some at a time; a count that is too large takes two rows."""
        self._compact()
        rows = self._rows.sort(self._words)
        while len(large := rows.filter(pl.col(_COUNT) > MOST_COUNT)):
            small = rows.with_columns(pl.col(_COUNT).clip(upper_bound=MOST_COUNT))
            rows = pl.concat([small, large.with_columns(pl.col(_COUNT) - MOST_COUNT)]).sort(self._words)
        dtype = np.uint16 if any(bits > 8 for _, _, bits in self._places) else np.uint8
        for part in rows.iter_slices(n_rows):
            words = [part[name].to_numpy() for name in self._words]
            codes = np.empty((len(part), len(self._places)), dtype=dtype, order="F")
            for at, (word, shift, bits) in enumerate(self._places):
                codes[:, at] = (words[word] >> np.uint64(shift)) & np.uint64((1 << bits) - 1)
            yield codes, part[_COUNT].to_numpy().astype(np.uint32)


def promises_merging(codes: NDArray[Any], layout: BlockLayout, n_rows: int) -> bool:
    """Whether few different rows can be expected in all, given the first rows.

    The number of different rows is taken to grow with a power of the number of rows, as in the second half of these.
    """
    half = len(codes) // 2
    merger = RowMerger(layout.n_planes, math.inf, n_rows)
    numbers = []
    for part in (codes[:half], codes[half:]):
        merger.add(part)
        numbers.append(merger.n_different)
    if not half:
        return True
    power = math.log2(numbers[1] / numbers[0])
    return bool(numbers[1] * (n_rows / len(codes)) ** power <= _DOUBT * n_rows / LEFT)
