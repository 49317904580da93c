"""Scores and, where they have one, the Dirichlet prior on the tables that goes with them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from credenet.errors import ArgumentError, NetworkError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from credenet.network import BayesianNetwork


def _check_ess(ess: float) -> None:
    if not 0 < ess < np.inf:
        raise ArgumentError(f"ess must be a positive number, got {ess}")


@dataclass(frozen=True, slots=True)
class BDeu:
    """Bayesian Dirichlet with an equivalent sample size spread evenly over the cells of each family."""

    ess: float = 1.0

    def __post_init__(self) -> None:
        _check_ess(self.ess)

    def pseudo_counts(self, family: Sequence[str], states: Mapping[str, Sequence[str]]) -> NDArray[np.float64]:
        shape = [len(states[name]) for name in family]
        return np.full(shape, self.ess / float(np.prod(shape, dtype=np.float64)))


@dataclass(frozen=True, slots=True)
class K2:
    """Bayesian Dirichlet with one pseudo-count in every cell."""

    def pseudo_counts(self, family: Sequence[str], states: Mapping[str, Sequence[str]]) -> NDArray[np.float64]:
        return np.ones([len(states[name]) for name in family])


@dataclass(frozen=True, slots=True)
class Jeffreys:
    """Bayesian Dirichlet with half a pseudo-count in every cell."""

    def pseudo_counts(self, family: Sequence[str], states: Mapping[str, Sequence[str]]) -> NDArray[np.float64]:
        return np.full([len(states[name]) for name in family], 0.5)


@dataclass(frozen=True, slots=True)
class BDe:
    """Bayesian Dirichlet whose pseudo-counts are those expected from ``ess`` rows of a prior network."""

    network: BayesianNetwork
    ess: float = 1.0

    def __post_init__(self) -> None:
        _check_ess(self.ess)

    def pseudo_counts(self, family: Sequence[str], states: Mapping[str, Sequence[str]]) -> NDArray[np.float64]:
        from credenet.elimination import joint

        for name in family:
            if tuple(self.network.states.get(name, ())) != tuple(states[name]):
                raise NetworkError(f"the prior network does not have the variable {name!r} with the states of the data")
        return self.ess * joint(self.network, family)


Smoothing = BDeu | K2 | Jeffreys | BDe


def smoothing_from(smoothing: Smoothing | str | None) -> Smoothing | None:
    """A Dirichlet prior from its name; ``None`` and ``"none"`` stand for maximum likelihood."""
    if smoothing is None or isinstance(smoothing, Smoothing):
        return smoothing
    named: dict[str, Smoothing | None] = {"bdeu": BDeu(), "k2": K2(), "jeffreys": Jeffreys(), "none": None}
    if smoothing not in named:
        raise ArgumentError(f"smoothing must be one of {', '.join(named)}, got {smoothing!r}")
    return named[smoothing]
