"""Networks drawn from a posterior, as an average over them needs them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet.credible.engine.network_products import Choices, dag_of
from credenet.families.table import FamilyTable
from credenet.graphs import DAG


class DrawnNetwork(NamedTuple):
    """A network and its share of those drawn."""

    dag: DAG
    probability: float


@dataclass(frozen=True, slots=True)
class DrawnNetworks:
    """The different networks among those drawn, and how often each was drawn."""

    _families: FamilyTable
    choices: Choices
    shares: NDArray[np.float64]

    @classmethod
    def of(cls, families: FamilyTable, choices: Choices) -> DrawnNetworks:
        """From a row for each network drawn, with the family of each variable."""
        different, numbers = np.unique(choices, axis=0, return_counts=True)
        return cls(families, np.ascontiguousarray(different), numbers / len(choices))

    @property
    def variables(self) -> tuple[str, ...]:
        return self._families.variables

    @property
    def n_networks(self) -> int:
        return len(self.choices)

    def networks(self) -> Iterator[DrawnNetwork]:
        for choice, share in zip(self.choices, self.shares.tolist(), strict=True):
            yield DrawnNetwork(dag_of(self._families, choice), share)

    def _weighted(self, variables: Iterable[int], who: str) -> Iterator[tuple[Choices, NDArray[np.float64]]]:
        yield self.choices, self.shares

    def paths(self) -> NDArray[np.float64]:
        """The share of the networks with a path, for each ancestor (row) and descendant."""
        n = len(self.variables)
        sums = _core.PathSums(n)
        sums.add(self._families.flat().lists, self.choices, self.shares)
        return np.ascontiguousarray(sums.sums().reshape(n, n).T)

    def blankets(self, variable: int) -> list[tuple[tuple[int, ...], float]]:
        """The Markov blankets of a variable with their shares."""
        found = _core.markov_blankets(self._families.flat().lists, self.choices, self.shares, variable)
        return [(tuple(members), share) for members, share in found]
