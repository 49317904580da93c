"""Sampled networks in the form that averages over them need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet.families.table import FamilyTable
from credenet.settings.priors import Prior
from credenet.structures.products.network_products import Choices, dag_of, score_of
from credenet.structures.weighted_choices import WeightedNetwork


@dataclass(frozen=True, slots=True)
class DrawnNetworks:
    """The distinct networks of a sample and the share of each."""

    families: FamilyTable
    choices: Choices
    shares: NDArray[np.float64]
    prior: Prior | None = None
    """A prior on whole networks, which adds a penalty to their scores."""

    @classmethod
    def from_choices(cls, families: FamilyTable, choices: Choices, prior: Prior | None = None) -> DrawnNetworks:
        """The distinct networks of a sample, which has a row of families for each network."""
        different, numbers = np.unique(choices, axis=0, return_counts=True)
        return cls(families, np.ascontiguousarray(different), numbers / len(choices), prior)

    @property
    def n_networks(self) -> int:
        return len(self.choices)

    def networks(self) -> Iterator[WeightedNetwork]:
        for choice, share in zip(self.choices, self.shares.tolist(), strict=True):
            yield WeightedNetwork(dag_of(self.families, choice), score_of(self.families, choice, self.prior), share)

    def blocks_around(self, variables: Iterable[int], who: str) -> Iterator[tuple[Choices, NDArray[np.float64]]]:
        yield self.choices, self.shares

    def paths(self) -> NDArray[np.float64]:
        """For each ancestor (row) and descendant (column) the share of the networks with a path."""
        n = len(self.families.variables)
        sums = _core.PathSums(n)
        sums.add(self.families.flat().lists, self.choices, self.shares)
        return np.ascontiguousarray(sums.sums().reshape(n, n).T)

    def blankets(self, variable: int) -> list[tuple[tuple[int, ...], float]]:
        """The Markov blankets of a variable with their shares."""
        found = _core.markov_blankets(self.families.flat().lists, self.choices, self.shares, variable)
        return [(tuple(members), share) for members, share in found]
