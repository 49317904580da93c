"""Deviations of networks that are a product over components: the number and weight of combinations within a limit.

Deviations are whole numbers of ticks. So a sum does not depend on the order of the components, and equal deviations of
different networks can be merged: a component has many networks but few different deviations. Two components are
combined by adding each deviation of one to those of the other that keep the sum within the limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credenet.errors import ArgumentError

Ticks = NDArray[np.int64]

MOST_SUMS = 20_000_000  # Different deviations at most; each takes at least 24 bytes.
_BLOCK = 1 << 22  # Pairs of deviations that are added together.
_SMALL = 1 << 62  # Networks from which on counts are Python's whole numbers, which have no limit.


@dataclass(frozen=True, slots=True)
class Deviations:
    """Different deviations, ascending, with the number of networks and the weight exp(-deviation) of each."""

    ticks: Ticks
    counts: NDArray[Any]  # The type is int64, or Python's whole numbers if int64 does not hold the sum.
    weights: NDArray[np.float64]

    @classmethod
    def from_ticks(cls, ticks: Ticks, tick: float) -> Deviations:
        """The deviations of single networks, which are given in any order."""
        different, counts = np.unique(ticks, return_counts=True)
        return cls(different, counts.astype(np.int64), counts * np.exp(-different * tick))

    @classmethod
    def none(cls) -> Deviations:
        """The deviation 0 of the empty combination."""
        return cls(np.zeros(1, dtype=np.int64), np.ones(1, dtype=np.int64), np.ones(1))

    @property
    def n_networks(self) -> int:
        return int(self.counts.sum()) if len(self.counts) else 0

    @property
    def weight(self) -> float:
        return float(self.weights.sum())

    def weight_within(self, limits: Ticks) -> NDArray[np.float64]:
        """For each limit the weight of the networks that deviate by at most this."""
        sums = np.concatenate([[0.0], np.cumsum(self.weights)])
        return np.asarray(sums[np.searchsorted(self.ticks, limits, side="right")])

    def least_covering(self, weight: float) -> int:
        """The smallest deviation within which the networks have at least ``weight``; the largest if they have less."""
        place = int(np.searchsorted(np.cumsum(self.weights), weight))
        return int(self.ticks[min(place, len(self.ticks) - 1)])

    def merge(self) -> Deviations:
        """These deviations sorted, with equal ones merged."""
        return _sum_equal(self.ticks, self.counts, self.weights)

    def combine(self, other: Deviations, most: int) -> Deviations:
        """The deviations of all pairs of networks whose sum is at most ``most``."""
        if len(self.ticks) > len(other.ticks):
            return other.combine(self, most)
        counts = [self.counts, other.counts]
        if self.n_networks * other.n_networks >= _SMALL:
            counts = [several.astype(object) for several in counts]
        ends = np.searchsorted(other.ticks, most - self.ticks, side="right")
        result: Deviations | None = None
        first = 0
        while first < len(ends) and ends[first] > 0:
            last = max(first + 1, int(np.searchsorted(np.cumsum(ends[first:]), _BLOCK, side="right")) + first)
            several = ends[first:last]
            ours = np.repeat(np.arange(first, last), several)
            theirs = np.arange(len(ours)) - np.repeat(np.cumsum(several) - several, several)
            block = _sum_equal(
                self.ticks[ours] + other.ticks[theirs],
                counts[0][ours] * counts[1][theirs],
                self.weights[ours] * other.weights[theirs],
            )
            result = block if result is None else _join(result, block)
            if len(result.ticks) > MOST_SUMS:
                raise ArgumentError(
                    f"the components combine to more than {MOST_SUMS:,} different scores; "
                    "ask for a smaller bayes_factor or slack"
                )
            first = last
        return Deviations(self.ticks[:0], self.counts[:0], self.weights[:0]) if result is None else result


def sums_from_each(several: Sequence[Deviations], most: int) -> list[Deviations]:
    """For each position the combined deviations of that component and all later ones; at the end `Deviations.none`."""
    sums = [Deviations.none()]
    for one in reversed(several):
        sums.append(sums[-1].combine(one, most))
    return sums[::-1]


def sums_without_each(several: Sequence[Deviations], after: Sequence[Deviations], most: int) -> list[Deviations]:
    """For each component the combined deviations of all others; ``after`` has those of all later ones."""
    before, others = Deviations.none(), []
    for one, rest in zip(several, after, strict=True):
        others.append(before.combine(rest, most))
        before = before.combine(one, most)
    return others


def _join(first: Deviations, second: Deviations) -> Deviations:
    return _sum_equal(
        np.concatenate([first.ticks, second.ticks]),
        np.concatenate([first.counts, second.counts]),
        np.concatenate([first.weights, second.weights]),
    )


def _sum_equal(ticks: Ticks, counts: NDArray[Any], weights: NDArray[np.float64]) -> Deviations:
    """The deviations with equal ones merged."""
    if not len(ticks):
        return Deviations(ticks, counts, weights)
    order = np.argsort(ticks, kind="stable")
    ordered = ticks[order]
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    return Deviations(ordered[starts], np.add.reduceat(counts[order], starts), np.add.reduceat(weights[order], starts))
