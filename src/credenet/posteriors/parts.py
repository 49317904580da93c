"""Parts of a posterior: sets of variables whose families do not depend on those of the others.

In every network, the families of a strongly connected component of candidate parents close cycles only among
themselves. So the posterior is a product over the components: one of few variables is summed exactly, others are
sampled.
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
    from credenet.structures.network_products import Choices

LEAST_LISTED = 1e-12
"""The probability from which on a family is kept; the others together have less than their number times this."""


class Part(Protocol):
    """The posterior of some variables: probabilities of their families, and networks drawn."""

    @property
    def members(self) -> NDArray[np.int32]:
        """The variables, by their places in the table."""

    def family_probabilities(self) -> NDArray[np.float64]:
        """Of the families of the members, in the order of the table."""

    def draw(self, n_networks: int, seed: int) -> Choices:
        """For each network drawn and each member, the place of its family among those of the table."""


def rows_of(families: FlatFamilies, members: NDArray[np.int32]) -> NDArray[np.int64]:
    """The places of the families of some variables, one variable after another."""
    spans = [np.arange(families.starts[at], families.starts[at + 1]) for at in members.tolist()]
    return np.concatenate([*spans, np.empty(0, dtype=np.int64)])


@dataclass(frozen=True, slots=True)
class SummedPart:
    """A part whose networks were all summed."""

    members: NDArray[np.int32]
    sums: _core.DagSums
    families: FlatFamilies
    """Those of the members, among which they are numbered."""
    rows: NDArray[np.int64]
    """For each of these families its place in the table."""
    probabilities: NDArray[np.float64]
    weights: _core.WeightTable | None = None
    """Of all families, listed or not, for further sums; None where these would take long."""

    def family_probabilities(self) -> NDArray[np.float64]:
        return self.probabilities

    def draw(self, n_networks: int, seed: int) -> Choices:
        status, drawn = self.sums.drawn(self.families.lists, n_networks, seed, None)
        if status != "complete":
            raise KeyboardInterrupt
        return self.rows[drawn.reshape(n_networks, len(self.members))]


def summed_part(
    families: FlatFamilies, members: NDArray[np.int32], rows: NDArray[np.int64], by_orders: bool, run: Run
) -> tuple[CoreStatus, SummedPart | None]:
    """A part of few variables, summed; its families are numbered by the members."""
    weights = _core.WeightTable(families.lists)
    status, sums = sum_over_networks(weights, by_orders, True, run)
    if sums is None or not np.isfinite(sums.log_sum):
        return "infeasible" if status == "complete" else status, None
    found = sums.probabilities(weights, families.lists)
    sums.forget_families()
    return status, SummedPart(members, sums, families, rows, found)
