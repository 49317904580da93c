"""The pseudo-counts of the Dirichlet priors on the tables of a network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import singledispatch

import numpy as np
from numpy.typing import NDArray

from credenet.data.states import Label, same_labels
from credenet.errors import NetworkError
from credenet.settings.scores import K2, BDe, BDeu, Jeffreys, Smoothing

Family = Sequence[str]
States = Mapping[str, Sequence[Label]]


@singledispatch
def pseudo_counts(smoothing: Smoothing, family: Family, states: States) -> NDArray[np.float64]:
    """The pseudo-count of every cell of a family, with one axis for each of its variables."""
    raise NotImplementedError(f"no pseudo-counts are registered for {type(smoothing).__name__}")


@pseudo_counts.register
def _bdeu(smoothing: BDeu, family: Family, states: States) -> NDArray[np.float64]:
    shape = _shape(family, states)
    return np.full(shape, smoothing.ess / float(np.prod(shape, dtype=np.float64)))


@pseudo_counts.register
def _k2(smoothing: K2, family: Family, states: States) -> NDArray[np.float64]:
    return np.ones(_shape(family, states))


@pseudo_counts.register
def _jeffreys(smoothing: Jeffreys, family: Family, states: States) -> NDArray[np.float64]:
    return np.full(_shape(family, states), 0.5)


@pseudo_counts.register
def _bde(smoothing: BDe, family: Family, states: States) -> NDArray[np.float64]:
    network = smoothing.network
    for name in family:
        if not same_labels(network.states.get(name, ()), states[name]):
            raise NetworkError(f"the prior network does not have the variable {name!r} with the states of the data")
    return float(smoothing.ess) * network.infer().joint(family)


def _shape(family: Family, states: States) -> list[int]:
    return [len(states[name]) for name in family]
