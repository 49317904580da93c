"""Distances between the distributions of two networks."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from credenet._advised import check_keywords
from credenet._arguments import real_number, show_value, whole_number
from credenet.data.dataset import Dataset
from credenet.data.states import state_positions
from credenet.errors import ArgumentError, NetworkError
from credenet.networks.bayesian import BayesianNetwork
from credenet.networks.interop import network_of_library

if TYPE_CHECKING:
    from credenet.inference.approximate import ApproximateInference
    from credenet.inference.inference import Inference

    HasMarginals: TypeAlias = BayesianNetwork | Inference | ApproximateInference | Mapping[str, Mapping[Any, float]]


@dataclass(frozen=True, slots=True)
class MarginalErrors:
    """Errors of the marginals, each a mean over the variables.

    Attributes
    ----------
    hellinger
        The Hellinger distance of the two marginals of a variable.
    max_absolute_error
        The largest absolute difference of the probabilities of a state.

    Examples
    --------
    >>> import credenet
    >>> network = credenet.textbook.sprinkler()
    >>> credenet.marginal_errors(network, credenet.fit(network.sample(1000), network.dag)).hellinger < 0.05
    True
    """

    hellinger: float
    max_absolute_error: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over sampled rows, with its standard error.

    Examples
    --------
    >>> import credenet
    >>> truth = credenet.textbook.sprinkler()
    >>> estimate = credenet.compare(truth, credenet.fit(truth.sample(1000), truth.dag)).kl
    >>> estimate.value < 0.05, estimate.standard_error > 0
    (True, True)
    """

    value: float
    standard_error: float


@check_keywords
def marginal_errors(reference: HasMarginals, estimate: HasMarginals) -> MarginalErrors:
    """The errors of estimated marginals of all variables; a state that is missing in one has probability 0.

    Each argument is a network, whose marginals are computed exactly, an inference, or marginals.

    Examples
    --------
    >>> import credenet
    >>> truth = credenet.textbook.asia()
    >>> marginal_errors(truth, truth)
    MarginalErrors(hellinger=0.0, max_absolute_error=0.0)
    """
    first, second = _marginals("reference", reference), _marginals("estimate", estimate)
    check_same_variables(first, second)
    hellinger, largest = [], []
    for name in first:
        labels = list(first[name])
        places = state_positions(list(second[name]), labels)
        p = np.array([*first[name].values(), *(0.0 for place in places if place is None)])
        q = np.zeros(len(p))
        others = iter(range(len(labels), len(p)))
        for place, chance in zip(places, second[name].values(), strict=True):
            q[next(others) if place is None else place] = chance
        hellinger.append(float(np.linalg.norm(np.sqrt(p) - np.sqrt(q))) / math.sqrt(2))
        largest.append(float(np.abs(p - q).max()))
    return MarginalErrors(math.fsum(hellinger) / len(hellinger), math.fsum(largest) / len(largest))


def _marginals(argument: str, given: HasMarginals) -> Mapping[str, Mapping[Any, float]]:
    """The marginals of an argument, checked to be non-negative numbers by variable and state."""
    if isinstance(given, BayesianNetwork) or (hasattr(given, "marginals") and hasattr(given, "log_evidence")):
        return given.marginals()
    network = network_of_library(given)
    if network is not None:
        return network.marginals()
    wanted = "a network, an inference or marginals such as {'rain': {'yes': 0.2, 'no': 0.8}}"
    if not isinstance(given, Mapping) or not given:
        raise ArgumentError(f"{argument} must be {wanted}, got {show_value(given)}")
    for distribution in given.values():
        if not isinstance(distribution, Mapping) or not distribution:
            raise ArgumentError(f"{argument} must be {wanted}, but has {show_value(distribution)}")
        for state, probability in distribution.items():
            real_number(f"the probability of {state!r} in {argument}", probability, least=0)
    return given


def kl_divergence(
    reference: BayesianNetwork,
    learned: BayesianNetwork,
    *,
    n_rows: int = 100_000,
    seed: int | None = 0,
    n_threads: int | None = None,
) -> Estimate:
    """The Kullback-Leibler divergence of a learned network from a reference, estimated from samples of the latter.

    In nats; infinite if a sampled row is impossible in the learned network.
    """
    n_rows = whole_number("n_rows", n_rows, least=2)
    check_same_variables(reference.states, learned.states)
    sample = reference.sample(n_rows, seed=seed, n_threads=n_threads)
    if _has_unknown_state(sample, learned):
        return Estimate(math.inf, math.nan)
    q = learned.log_likelihood(sample, per_row=True, n_threads=n_threads)
    if np.isneginf(q).any():
        return Estimate(math.inf, math.nan)
    difference = reference.log_likelihood(sample, per_row=True, n_threads=n_threads) - q
    return Estimate(float(difference.mean()), float(difference.std(ddof=1)) / math.sqrt(n_rows))


def check_same_variables(reference: Mapping[str, object], learned: Mapping[str, object]) -> None:
    odd = sorted(set(reference) ^ set(learned))
    if odd:
        raise NetworkError(f"the networks have different variables: {', '.join(odd[:5])}")


def _has_unknown_state(data: Dataset, network: BayesianNetwork) -> bool:
    """Whether some row has a state that the network does not have."""
    for at, (name, labels) in enumerate(data.states.items()):
        places = state_positions(labels, network.states[name])
        unknown = [code for code, place in enumerate(places) if place is None]
        if unknown and bool(np.isin(data.codes[:, at], unknown).any()):
            return True
    return False
