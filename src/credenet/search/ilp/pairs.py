"""Pairs of variables for branching.

A pair is one number, first * n + second, with first < second. Its two arcs are ordered: first to second, then back.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from credenet.families.arrays import FlatFamilies
from credenet.search.ilp.linear_program import Mask
from credenet.search.ilp.tunables import (
    POSITIVE,
)


class Pairs:
    """The pairs of variables with an arc in some of the families."""

    def __init__(self, flat: FlatFamilies) -> None:
        self._flat = flat
        self._children = flat.children
        self._n = len(flat.starts) - 1

    def left_open(self, active: Mask) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The pairs that the active families leave undecided, and the numbers of active families with either arc."""
        pairs, counts = self._arc_shares(np.flatnonzero(active), np.ones(len(active)))
        sizes = np.bincount(self._children[active > 0], minlength=self._n)
        of_heads = np.column_stack((sizes[pairs % self._n], sizes[pairs // self._n]))
        are_open = ((counts > 0) & (counts < of_heads)).any(axis=1)
        return pairs[are_open], counts[are_open]

    def least_decided(
        self,
        pairs: NDArray[np.int64],
        counts: NDArray[np.float64],
        active: Mask,
        x: NDArray[np.float64],
        most: int,
    ) -> list[tuple[int, int]]:
        """The ``most`` pairs that the solution x decides least; ``counts`` are those of `left_open`."""
        shares = np.zeros(counts.shape)
        used, used_shares = self._arc_shares(np.flatnonzero((x > POSITIVE) & (active > 0)), x)
        at = np.searchsorted(pairs, used)
        known = at < len(pairs)
        known[known] = pairs[at[known]] == used[known]
        shares[at[known]] = used_shares[known]
        undecided = np.minimum(shares.sum(axis=1), 1.0) * (1 - np.minimum(shares.max(axis=1, initial=0.0), 1.0))
        order = np.lexsort((-counts.sum(axis=1), -np.round(undecided, 9)))[:most]
        return [(int(pairs[at] // self._n), int(pairs[at] % self._n)) for at in order.tolist()]

    def arcs(self, families: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """The tails and heads of all arcs of some families, family by family, and the number of arcs of each."""
        sizes = self._flat.sizes[families]
        places = np.repeat(self._flat.offsets[families] - (np.cumsum(sizes) - sizes), sizes) + np.arange(sizes.sum())
        tails = self._flat.parents[places].astype(np.int64)
        return tails, np.repeat(self._children[families], sizes), sizes

    def _arc_shares(
        self, families: NDArray[np.int64], x: NDArray[np.float64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The pairs with an arc in some of the families, and the mass that x gives to either arc."""
        tails, heads, sizes = self.arcs(families)
        weights = np.repeat(x[families], sizes)
        keys, at = np.unique(np.minimum(tails, heads) * self._n + np.maximum(tails, heads), return_inverse=True)
        shares = np.zeros((len(keys), 2))
        np.add.at(shares, (at, (tails > heads).astype(np.int64)), weights)
        return keys, shares
