"""A count service that needs no cluster: the rows in a few shards, counted one after the other with numpy."""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

from credenet import Dataset
from credenet.placement.service import Cells, Counts, Members


class SlowCounts:
    """Slow and obvious: the cell of each row, and how often it occurs in each shard."""

    def __init__(self, data: Dataset, n_shards: int = 1) -> None:
        weights = np.ones(len(data)) if data.weights is None else data.weights
        kept = weights > 0
        self.observed_codes: list[list[int]] = []
        columns = []
        for at in range(data.n_variables):
            column = data.codes[:, at]
            states, ranks = np.unique(column[kept], return_inverse=True)
            self.observed_codes.append(states.tolist() or [0])
            columns.append(ranks.astype(np.uint64))
        self.n_rows = int(weights.sum())
        self.n_batches = 0
        self._shards = [
            ([column[shard] for column in columns], weights[kept][shard].astype(np.uint32))
            for shard in np.array_split(np.arange(int(kept.sum())), n_shards)
        ]

    def _sparse(self, members: Members) -> tuple[Cells, Counts]:
        found: dict[int, int] = {}
        for columns, weights in self._shards:
            cells = np.zeros(len(weights), dtype=np.uint64)
            for member in members.tolist():
                cells = cells * np.uint64(len(self.observed_codes[member])) + columns[member]
            for cell, weight in zip(cells.tolist(), weights.tolist(), strict=True):
                found[cell] = found.get(cell, 0) + weight
        order = sorted(found)
        return np.array(order, dtype=np.uint64), np.array([found[cell] for cell in order], dtype=np.uint32)

    def cells(self, members: Members) -> tuple[Cells, Counts]:
        self.n_batches += 1
        return self._sparse(members)

    def tables(self, members: Members, begins: NDArray[np.int64]) -> Counts:
        self.n_batches += 1
        tables = []
        for begin, end in itertools.pairwise(begins.tolist()):
            chosen = members[begin:end]
            table = np.zeros(
                int(np.prod([len(self.observed_codes[member]) for member in chosen.tolist()])), dtype=np.uint32
            )
            cells, counts = self._sparse(chosen)
            table[cells.astype(np.int64)] = counts
            tables.append(table)
        return np.concatenate(tables)
