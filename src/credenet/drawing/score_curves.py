"""The numbers in the figures of a credible set."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from credenet.credible.credible_set import CredibleSet
    from credenet.structures.weighted_networks import WeightedNetworks

FACTORS = (3, 20, 150)  # The usual limits between levels of evidence.
_MOST_POINTS = 2_000


def deviations(credible: CredibleSet, limit: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Ranks from 1, and the deviation of the networks at these ranks, in nats; of many ranks only some.

    They follow from the number of networks with each deviation; no network is listed.
    """
    ends, values = credible.listing.steps()
    last = min(int(ends[-1]), limit) if len(ends) else 0
    if last == 0:
        return np.zeros(0, dtype=np.int64), np.zeros(0)
    ranks = np.unique(np.rint(np.geomspace(1, last, _MOST_POINTS)).astype(np.int64))
    return ranks, np.asarray(values[np.searchsorted(ends, ranks)])


def edge_matrix(networks: WeightedNetworks) -> NDArray[np.float64]:
    """Probabilities of edges: parents are rows, children columns."""
    place = {name: at for at, name in enumerate(networks.variables)}
    matrix = np.zeros((len(place), len(place)))
    for (parent, child), share in networks.edge_probabilities().items():
        matrix[place[parent], place[child]] = share
    return matrix
