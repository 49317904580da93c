"""Parts of a posterior: sets of variables whose families are independent of those of other variables.

Cycles of candidate parents lie within strongly connected components. So the posterior is a product over the components.
Components of few variables are summed exactly, others are sampled.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._run.run import Run
from credenet._run.status import CoreStatus
from credenet.families.arrays import FlatFamilies
from credenet.search.dag_sums import sum_over_networks

if TYPE_CHECKING:
    from credenet.posteriors.blankets import MixedWeights
    from credenet.structures.products.network_products import Choices

LEAST_LISTED = 1e-12
"""The smallest probability of a family that is kept; dropped families together have less than their number times it."""


class ComponentPosterior(Protocol):
    """The posterior of some variables: probabilities of their families, and samples."""

    @property
    def members(self) -> NDArray[np.int32]:
        """The variables of the part, by position in the table."""

    def family_probabilities(self) -> NDArray[np.float64]:
        """The probabilities of the families of the members, in the order of the table."""

    def draw(self, n_networks: int, seed: int) -> Choices:
        """For each sampled network (row) and member (column) the position of a family in the table."""


def rows_of(families: FlatFamilies, members: NDArray[np.int32]) -> NDArray[np.int64]:
    """The positions of the families of some variables, variable by variable."""
    spans = [np.arange(families.starts[at], families.starts[at + 1]) for at in members.tolist()]
    return np.concatenate([*spans, np.empty(0, dtype=np.int64)])


@dataclass(frozen=True, slots=True)
class SummedPosterior:
    """A part whose networks were summed exactly."""

    members: NDArray[np.int32]
    sums: _core.DagSums
    families: FlatFamilies
    """The families of the members, with parents numbered among the members."""
    rows: NDArray[np.int64]
    """For each of these families its position in the table."""
    probabilities: NDArray[np.float64]
    weights: _core.WeightTable | None = None
    """The weights of all families, listed or not, for further sums; None if these would take long."""

    def family_probabilities(self) -> NDArray[np.float64]:
        return self.probabilities

    def draw(self, n_networks: int, seed: int) -> Choices:
        status, drawn = self.sums.drawn(self.families.lists, n_networks, seed, None)
        if status != "complete":
            raise KeyboardInterrupt
        return self.rows[drawn.reshape(n_networks, len(self.members))]


@dataclass(frozen=True, slots=True)
class MixedPosterior:
    """A mixture of exact posteriors of the same variables, each within a largest in-degree; see `NestedSums`.

    Attributes
    ----------
    rows, sizes
        The positions of the families of the members in the table, and their numbers of parents.
    shares
        The share of each part, the smallest in-degree first. They add up to 1; some may be negative.
    """

    members: NDArray[np.int32]
    rows: NDArray[np.int64]
    sizes: NDArray[np.int64]
    shares: NDArray[np.float64]
    parts: tuple[SummedPosterior, ...]

    def family_probabilities(self) -> NDArray[np.float64]:
        found = np.zeros(len(self.rows))
        for share, part in zip(self.shares.tolist(), self.parts, strict=True):
            found[np.searchsorted(self.rows, part.rows)] += share * part.family_probabilities()
        return found

    def draw(self, n_networks: int, seed: int) -> Choices:
        """Draws from the parts with positive shares, of which some draws are rejected if others are negative."""
        random = np.random.default_rng([seed, len(self.parts)])
        limits, acceptance = self._acceptance()
        chances = np.maximum(self.shares, 0.0)
        drawn: list[Choices] = []
        number = 0
        while number < n_networks:
            each = random.multinomial(n_networks - number, chances / chances.sum())
            draws = np.concatenate(
                [part.draw(count, int(random.integers(1 << 62))) for part, count in zip(self.parts, each, strict=True)]
            )
            reached = self.sizes[np.searchsorted(self.rows, draws)].max(axis=1, initial=0)
            chance = acceptance[np.searchsorted(limits, reached)]
            draws = random.permutation(draws[random.random(len(draws)) < chance])
            drawn.append(draws)
            number += len(draws)
        return np.concatenate([*drawn, np.empty((0, len(self.members)), dtype=np.int64)])

    def _acceptance(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The largest in-degree of each part, and the chance to keep a network that the parts before do not have."""
        limits = np.array([part.families.sizes.max(initial=0) for part in self.parts], dtype=np.int64)
        log_sums = np.array([part.sums.log_sum for part in self.parts])
        # The weight of a network is the sum of these over the parts that have it.
        weights = self.shares * np.exp(log_sums.min() - log_sums)
        later = np.cumsum(weights[::-1])[::-1]
        return limits, np.clip(later / np.cumsum(np.maximum(weights, 0.0)[::-1])[::-1], 0.0, 1.0)


def sums_together(parts: Sequence[ComponentPosterior]) -> tuple[tuple[float, SummedPosterior], ...]:
    """The sums of all variables that can have edges, with their shares; none if parts were summed one by one."""
    part = parts[0] if len(parts) == 1 else None
    if isinstance(part, MixedPosterior):
        return tuple(zip(part.shares.tolist(), part.parts, strict=True))
    return ((1.0, part),) if isinstance(part, SummedPosterior) else ()


def weights_together(parts: Sequence[ComponentPosterior]) -> tuple[list[int] | None, MixedWeights]:
    """The members of these sums and the weights for further ones; no members if further sums would take long."""
    several = sums_together(parts)
    weights = [(share, part.weights) for share, part in several if part.weights is not None]
    if not several or len(weights) < len(several):
        return None, []
    members: list[int] = several[0][1].members.tolist()
    return members, weights


def sum_part(
    families: FlatFamilies, members: NDArray[np.int32], rows: NDArray[np.int64], by_orders: bool, run: Run
) -> tuple[CoreStatus, SummedPosterior | None]:
    """Sums a part of few variables, whose families have parents numbered among the members."""
    weights = _core.WeightTable(families.lists)
    status, sums = sum_over_networks(weights, by_orders, True, run)
    if sums is None or not np.isfinite(sums.log_sum):
        return "infeasible" if status == "complete" else status, None
    found = sums.probabilities(weights, families.lists)
    sums.forget_families()
    return status, SummedPosterior(members, sums, families, rows, found)
