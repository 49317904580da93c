"""Sums over stretches of chains, and the results of the later three quarters of them.

A chain keeps at most a given even number of stretches of equal length. When it has so many, neighbours are merged in
pairs and later stretches are twice as long. So the first quarter can always be dropped, and the memory does not grow
with the length of the chain.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet.families.arrays import FlatFamilies
from credenet.posteriors import diagnostics
from credenet.posteriors.diagnostics import Floats

_MOST_RECORDED = 64  # Networks that a stretch records at most.


@dataclass(slots=True)
class Stretch:
    """Sums over some sweeps of one chain; edges are the candidate pairs."""

    n_sweeps: int
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

    def __add__(self, other: Stretch) -> Stretch:
        return Stretch(
            n_sweeps=self.n_sweeps + other.n_sweeps,
            n_sampled=self.n_sampled + other.n_sampled,
            time=self.time + other.time,
            scores_sum=self.scores_sum + other.scores_sum,
            scores_squares=self.scores_squares + other.scores_squares,
            families=self.families + other.families,
            edges=self.edges + other.edges,
            sampled=self.sampled + other.sampled,
            squares=self.squares + other.squares,
            paths=self.paths + other.paths,
            networks=np.concatenate((self.networks, other.networks)),
            scores=np.concatenate((self.scores, other.scores)),
        )

    def thin(self) -> None:
        """Drops every second recorded network."""
        self.networks, self.scores = self.networks[1::2], self.scores[1::2]


@dataclass(frozen=True, slots=True)
class ChainAgreement:
    """The agreement of the half chains, which are halves of the kept stretches; edges are the candidate pairs."""

    probabilities: Floats
    rhat: Floats
    effective_sizes: Floats
    errors: Floats
    score_rhat: float

    # Half chains agree on an edge, whatever R-hat is, if they differ by at most this, or if its probability is at most
    # this far from 0 or 1.
    TOLERANCE = 1e-3

    @property
    def largest_rhat(self) -> float:
        """The largest R-hat of the log score and of the edges that matter."""
        return float(max(self.score_rhat, self.rhat.max(initial=1.0)))

    @property
    def largest_error(self) -> float:
        return float(self.errors.max(initial=0.0))


class Stretches:
    """The stretches of all chains over the same families."""

    def __init__(self, flat: FlatFamilies, n_chains: int, most: int, length: int) -> None:
        n = len(flat.starts) - 1
        self.pairs = candidate_pairs(flat)
        self.length = length  # Sweeps of the next stretch.
        self.record_every = -(-length // _MOST_RECORDED)
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

    def _halve(self) -> None:
        self._of = [[a + b for a, b in zip(one[::2], one[1::2], strict=True)] for one in self._of]
        self.length *= 2
        if len(self._of[0][0].scores) > _MOST_RECORDED:
            self.record_every *= 2
            for stretches in self._of:
                for stretch in stretches:
                    stretch.thin()

    @property
    def n_sweeps(self) -> int:
        """The number of sweeps of each chain."""
        return sum(stretch.n_sweeps for stretch in self._of[0])

    def _n_half(self) -> int:
        """The number of stretches in each half of the kept ones of a chain."""
        return max(3 * len(self) // 8, 1)

    def later_stretches(self) -> list[list[Stretch]]:
        """The later three quarters of each chain; a single stretch is kept."""
        return [stretches[-2 * self._n_half() :] for stretches in self._of]

    def scores(self) -> Floats:
        """The scores of the recorded networks of each chain, from its start."""
        return np.array([np.concatenate([stretch.scores for stretch in stretches]) for stretches in self._of])

    def agreement(self) -> ChainAgreement | None:
        """The agreement of the chains; None if there are too few sweeps."""
        if len(self) < 4:
            return None
        n_half = self._n_half()
        halves = [total(part) for one in self.later_stretches() for part in (one[:n_half], one[n_half:])]
        n_draws = min(half.n_sampled for half in halves)
        if n_draws < 2:
            return None
        means = np.array([half.edges / half.n_sweeps for half in halves])
        variances = np.array([_variance(half.sampled, half.squares, half.n_sampled) for half in halves])
        batches = np.array([[stretch.edges / stretch.n_sweeps for stretch in one] for one in self.later_stretches()])
        probabilities = means.mean(axis=0)
        score_means = np.array([half.scores_sum / half.n_sweeps for half in halves])
        score_variances = np.array([_variance(h.scores_sum, h.scores_squares, h.n_sweeps) for h in halves])
        return ChainAgreement(
            probabilities=probabilities,
            rhat=np.where(_matters(means), diagnostics.rhat(means, variances, n_draws), 1.0),
            effective_sizes=diagnostics.effective_size(variances, batches),
            errors=diagnostics.standard_error(batches),
            score_rhat=float(diagnostics.rhat(score_means, score_variances, halves[0].n_sweeps)),
        )


def candidate_pairs(flat: FlatFamilies) -> NDArray[np.int64]:
    """The numbers child * n + parent for every parent in a family of the child, ascending."""
    n = len(flat.starts) - 1
    children = np.repeat(flat.children, flat.sizes)
    return np.unique(children * n + flat.parents)


def total(stretches: list[Stretch]) -> Stretch:
    result = stretches[0]
    for stretch in stretches[1:]:
        result = result + stretch
    return result


def _variance(sums: Floats | float, squares: Floats | float, n: int) -> Floats:
    result: Floats = np.maximum(squares - np.square(sums) / n, 0.0) / (n - 1)
    return result


def _matters(means: Floats) -> NDArray[np.bool_]:
    """A mask of the edges that are neither nearly certain nor nearly impossible and on which half chains differ."""
    probabilities = means.mean(axis=0)
    margin = np.minimum(probabilities, 1 - probabilities)
    result: NDArray[np.bool_] = (margin > ChainAgreement.TOLERANCE) & (np.ptp(means, axis=0) > ChainAgreement.TOLERANCE)
    return result
