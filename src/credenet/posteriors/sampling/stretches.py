"""Sums over stretches of chains, and the results of the later three quarters of them.

A chain keeps at most a given even number of stretches of equal length. When it has so many, neighbours are merged in
pairs and later stretches are twice as long. So the first quarter can always be dropped, and the memory does not grow
with the length of the chain.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet.families.arrays import FlatFamilies
from credenet.posteriors.sampling import diagnostics
from credenet.posteriors.sampling.diagnostics import Floats

_MOST_RECORDED = 64  # Networks that a stretch records at most.


@dataclass(frozen=True, slots=True)
class OutsideEdges:
    """Edges from variables that the chains do not move: each has a share of some families of the chains.

    ``families`` with their ``shares`` stand beside the numbers of the ``edges``.
    """

    n_edges: int
    edges: NDArray[np.int64]
    families: NDArray[np.int64]
    shares: Floats


NO_EDGES = OutsideEdges(0, np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))


@dataclass(slots=True)
class Stretch:
    """Sums over some sweeps of one chain; edges are the candidate pairs."""

    n_sweeps: int
    n_counted: int
    n_sampled: int
    time: float
    scores_sum: float
    scores_squares: float
    families: Floats
    edges: Floats
    sampled: Floats
    squares: Floats
    paths: Floats
    networks: NDArray[np.int64]
    scores: Floats

    @classmethod
    def from_sums(cls, sums: _core.ChainSums, pairs: NDArray[np.int64], n_variables: int) -> Stretch:
        return cls(
            n_sweeps=sums.n_sweeps,
            n_counted=sums.n_counted,
            n_sampled=sums.n_sampled,
            time=sums.time,
            scores_sum=sums.score_sum,
            scores_squares=sums.score_squares,
            families=sums.take_families(),
            edges=sums.take_edges()[pairs],
            sampled=sums.take_sampled()[pairs],
            squares=sums.take_squares()[pairs],
            paths=sums.take_paths(),
            networks=sums.take_networks().reshape(-1, n_variables),
            scores=sums.take_scores(),
        )

    def __iadd__(self, other: Stretch) -> Stretch:
        self.n_sweeps += other.n_sweeps
        self.n_counted += other.n_counted
        self.n_sampled += other.n_sampled
        self.time += other.time
        self.scores_sum += other.scores_sum
        self.scores_squares += other.scores_squares
        self.families += other.families
        self.edges += other.edges
        self.sampled += other.sampled
        self.squares += other.squares
        self.paths += other.paths
        self.networks = np.concatenate((self.networks, other.networks))
        self.scores = np.concatenate((self.scores, other.scores))
        return self

    def thin(self) -> None:
        """Drops every second recorded network."""
        self.networks, self.scores = self.networks[1::2], self.scores[1::2]


@dataclass(frozen=True, slots=True)
class ChainAgreement:
    """The agreement of the half chains, which are halves of the kept stretches; edges are the candidate pairs."""

    rhat: Floats
    effective_sizes: Floats
    errors: Floats
    spreads: Floats
    """The largest difference between the probabilities of an edge in two half chains."""
    score_rhat: float

    def knows_all(self, within: float, max_rhat: float) -> bool:
        """Whether every probability is known to within a number, which three standard errors are, and the half chains
        agree by R-hat where they differ by more."""
        return ERRORS * self.errors.max(initial=0.0) <= within and self.largest_rhat(within) <= max_rhat

    def largest_rhat(self, within: float) -> float:
        """The largest R-hat of the log score and of the edges on which half chains differ by more than a number."""
        return float(max(self.score_rhat, self.rhat[self.spreads > within].max(initial=1.0)))


ERRORS = 3
"""Standard errors within which a probability is taken to be known."""


class Stretches:
    """The stretches of all chains over the same families."""

    def __init__(self, flat: FlatFamilies, n_chains: int, most: int, length: int) -> None:
        n = len(flat.starts) - 1
        self.pairs = candidate_pairs(flat)
        self.length = length  # Sweeps of the next stretch.
        self.record_every = -(-length // _MOST_RECORDED)
        self.n_halvings = 0
        self._n_before = 0  # Stretches before the last change of the moves.
        self._n_variables = n
        self._most = most
        self._of: list[list[Stretch]] = [[] for _ in range(n_chains)]

    def __len__(self) -> int:
        return len(self._of[0])

    def read(self, sums: _core.ChainSums) -> Stretch:
        return Stretch.from_sums(sums, self.pairs, self._n_variables)

    def add(self, several: list[Stretch]) -> None:
        """Adds one stretch of each chain."""
        for stretches, stretch in zip(self._of, several, strict=True):
            stretches.append(stretch)
        if len(self) == self._most:
            self._halve()
            self.n_halvings += 1

    def _halve(self) -> None:
        self._of = [[total(pair) for pair in zip(one[::2], one[1::2], strict=True)] for one in self._of]
        self.length *= 2
        self._n_before = (self._n_before + 1) // 2
        if len(self._of[0][0].scores) > _MOST_RECORDED:
            self.record_every *= 2
            for stretches in self._of:
                for stretch in stretches:
                    stretch.thin()

    @property
    def n_sweeps(self) -> int:
        """The number of sweeps of each chain."""
        return sum(stretch.n_sweeps for stretch in self._of[0])

    def begin_anew(self) -> None:
        """The moves of the chains change."""
        self._n_before = len(self)

    @property
    def is_settled(self) -> bool:
        """Whether the moves stayed the same during the kept stretches."""
        return len(self) - self._n_before >= 2 * self._n_half()

    def _n_half(self) -> int:
        """The number of stretches in each half of the kept ones of a chain.

        These are the later three quarters, or those since the last change of the moves if they are half of these.
        """
        n_half, n_since = 3 * len(self) // 8, len(self) - self._n_before
        return max(min(n_half, n_since // 2) if n_since >= n_half else n_half, 1)

    def later_stretches(self) -> list[list[Stretch]]:
        """The kept stretches of each chain; a single stretch is kept."""
        return [stretches[-2 * self._n_half() :] for stretches in self._of]

    def scores(self) -> Floats:
        """The scores of the recorded networks of each chain, from its start."""
        return np.array([np.concatenate([stretch.scores for stretch in stretches]) for stretches in self._of])

    def joined_errors(self) -> Floats:
        """The standard errors of the probabilities that two variables are joined, as a symmetric matrix; NaN for pairs
        that no family joins."""
        n = self._n_variables
        children, parents = np.divmod(self.pairs, n)
        of_pair, place = np.unique(
            np.minimum(children, parents) * n + np.maximum(children, parents), return_inverse=True
        )
        batches = np.array(
            [
                [np.bincount(place, stretch.edges / stretch.n_counted, len(of_pair)) for stretch in one]
                for one in self.later_stretches()
            ]
        )
        errors = np.full((n, n), np.nan)
        low, high = np.divmod(of_pair, n)
        errors[low, high] = errors[high, low] = diagnostics.standard_error(batches)
        return errors

    def outside_errors(self, outside: OutsideEdges) -> Floats:
        """The standard errors of the probabilities of edges from outside."""
        batches = np.array(
            [
                [
                    np.bincount(
                        outside.edges,
                        outside.shares * stretch.families[outside.families] / stretch.n_counted,
                        outside.n_edges,
                    )
                    for stretch in one
                ]
                for one in self.later_stretches()
            ]
        )
        return diagnostics.standard_error(batches)

    def agreement(self) -> ChainAgreement | None:
        """The agreement of the chains; None if there are too few sweeps."""
        if len(self) < 4:
            return None
        n_half = self._n_half()
        halves = [part for one in self.later_stretches() for part in (one[:n_half], one[n_half:])]
        n_draws = min(_sum(each.n_sampled for each in half) for half in halves)
        if n_draws < 2:
            return None
        means = np.array([_sum(s.edges for s in half) / _sum(s.n_counted for s in half) for half in halves])
        variances = np.array(
            [
                _variance(_sum(s.sampled for s in half), _sum(s.squares for s in half), _sum(s.n_sampled for s in half))
                for half in halves
            ]
        )
        batches = np.array([[stretch.edges / stretch.n_counted for stretch in one] for one in self.later_stretches()])
        n_sweeps = [_sum(s.n_sweeps for s in half) for half in halves]
        sums = [_sum(s.scores_sum for s in half) for half in halves]
        squares = [_sum(s.scores_squares for s in half) for half in halves]
        return ChainAgreement(
            rhat=diagnostics.rhat(means, variances, n_draws),
            effective_sizes=diagnostics.effective_size(variances, batches),
            errors=diagnostics.standard_error(batches),
            spreads=np.ptp(means, axis=0),
            score_rhat=float(
                diagnostics.rhat(
                    np.array(sums) / np.array(n_sweeps),
                    np.array([_variance(*one) for one in zip(sums, squares, n_sweeps, strict=True)]),
                    n_sweeps[0],
                )
            ),
        )


def candidate_pairs(flat: FlatFamilies) -> NDArray[np.int64]:
    """The numbers child * n + parent for every parent in a family of the child, ascending."""
    n = len(flat.starts) - 1
    children = np.repeat(flat.children, flat.sizes)
    return np.unique(children * n + flat.parents)


def total(stretches: Iterable[Stretch]) -> Stretch:
    """The sums over some stretches together."""
    several = iter(stretches)
    result = deepcopy(next(several))
    for stretch in several:
        result += stretch
    return result


def _sum(values: Iterable[Any]) -> Any:
    """The sum of numbers or arrays."""
    return reduce(add, values)


def _variance(sums: Floats | float, squares: Floats | float, n: int) -> Floats:
    result: Floats = np.maximum(squares - np.square(sums) / n, 0.0) / (n - 1)
    return result
