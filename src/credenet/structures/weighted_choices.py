"""Networks with probabilities as families of a table, for averages and predictions.

`NetworkAverages` holds them as a product over components, which need not be listed; `DrawnNetworks` holds a sample.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from credenet.families.table import FamilyTable
from credenet.graphs import DAG
from credenet.structures.products.network_products import Choices

ParentBlock = tuple[NDArray[np.uint64], NDArray[np.float64]]
"""Networks in the form of the core: the parents of each variable as bits in 64-bit words, and probabilities."""


class WeightedNetwork(NamedTuple):
    """A network with its score and its probability among the networks of its set.

    Examples
    --------
    >>> import credenet
    >>> credible = credenet.credible_networks(credenet.datasets.asia(), score="bic", bayes_factor=3)
    >>> first = next(iter(credible.listing.networks()))
    >>> first.dag == credible.best, 0 < first.probability < 1
    (True, True)
    """

    dag: DAG
    score: float
    probability: float


class WeightedChoices(Protocol):
    """Networks of the families of a table with their probabilities."""

    @property
    def families(self) -> FamilyTable: ...

    @property
    def n_networks(self) -> int: ...

    def networks(self) -> Iterator[WeightedNetwork]:
        """The networks one by one."""

    def blocks_around(self, variables: Iterable[int], who: str) -> Iterator[tuple[Choices, NDArray[np.float64]]]:
        """Blocks of networks with probabilities, in which only the families of ``variables`` are meaningful."""
