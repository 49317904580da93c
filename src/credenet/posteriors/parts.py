"""Parts of a posterior: sets of variables whose families are independent of those of other variables.

Cycles of candidate parents lie within strongly connected components. So the posterior is a product over the components.
Components of few variables are summed exactly, others are sampled.
"""

from __future__ import annotations

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
