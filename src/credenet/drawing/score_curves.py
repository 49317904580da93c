"""The numbers that figures of a credible set are drawn from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from credenet.credible.credible_set import CredibleSet

FACTORS = (3, 20, 150)  # the borders of the levels of evidence
_MOST_POINTS = 2_000


def deviations(credible: CredibleSet, limit: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Ranks from 1 on, and how much lower than the best the networks there score, in nats; some of many ranks.

    They are told by the number of networks of each score, so nothing is listed.
    """
    ends, values = credible.steps()
    last = min(int(ends[-1]), limit) if len(ends) else 0
    if last == 0:
        return np.zeros(0, dtype=np.int64), np.zeros(0)
    ranks = np.unique(np.rint(np.geomspace(1, last, _MOST_POINTS)).astype(np.int64))
    return ranks, np.asarray(values[np.searchsorted(ends, ranks)])


def edge_matrix(credible: CredibleSet) -> NDArray[np.float64]:
    """Probabilities of edges: parents are rows, children columns."""
    place = {name: at for at, name in enumerate(credible.variables)}
    matrix = np.zeros((len(place), len(place)))
    for (parent, child), share in credible.edge_probabilities().items():
        matrix[place[parent], place[child]] = share
    return matrix
