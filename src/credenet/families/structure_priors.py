"""The terms that structure priors add to the scores of families and networks.

The log of a modular prior is a sum over families: a part that depends on the size of the parent set (`log_factors`)
and, for an expert's graph, a constant for every edge on which the parents differ from it (`expert_parents`). A prior on
whole networks has a `log_penalty`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache, singledispatch

import numpy as np
from numpy.typing import NDArray

from credenet.errors import ArgumentError
from credenet.families.dag_counts import count_dags, log_of_rows
from credenet.families.log_dag_counts import log_count_dags
from credenet.settings.choices import Settings
from credenet.settings.limits import OTHERS, check_wildcard, limits_by_variable, names_with_limits
from credenet.settings.priors import (
    DataPrior,
    Edge,
    Expert,
    Fact,
    Fair,
    InDegree,
    InDegreeWeights,
    Prior,
    Uniform,
)

Weights = NDArray[np.float64]
ExpertParents = tuple[tuple[tuple[int, ...], ...], float]


_MOST_COUNTED = 256  # Variables up to which numbers of DAGs are whole numbers, as they take milliseconds.
_LEAST_DIFFERENCE = 1e-3  # Difference of two logs of numbers of DAGs from which on that of the numbers is precise.


def log_factors(prior: Prior, variables: Sequence[str], n_rows: float, max_parents: int) -> Weights:
    """The log factor for every variable (row) and number of parents (column); -inf for an impossible number.

    The array must not be changed: equal rows share their memory.
    """
    if not prior.is_modular:
        raise ArgumentError(
            "a family table needs a modular prior; SSP depends on the largest in-degree of the whole network, so it is "
            "no sum over families: learn with prior=SSP() from a table made with the uniform prior"
        )
    if max_parents < 0:
        raise ArgumentError(f"max_parents must be at least 0, got {max_parents}")
    sizes = np.arange(min(max_parents + 1, len(variables)), dtype=np.float64)
    weights = log_weights(prior, variables, n_rows, sizes)
    factors = np.full((*weights.shape[:-1], max_parents + 1), -np.inf)
    factors[..., : sizes.size] = weights
    return np.broadcast_to(factors, (len(variables), max_parents + 1))


@singledispatch
def log_weights(prior: Settings, variables: Sequence[str], n_rows: float, sizes: Weights) -> Weights:
    """The log factor of each number of parents; one vector for all variables, or a row for each variable."""
    raise NotImplementedError(f"no factors are registered for {type(prior).__name__}")


@log_weights.register(Uniform)
@log_weights.register(Expert)
def _uniform(prior: Uniform | Expert, variables: Sequence[str], n_rows: float, sizes: Weights) -> Weights:
    return np.zeros_like(sizes)


@log_weights.register
def _edge(prior: Edge, variables: Sequence[str], n_rows: float, sizes: Weights) -> Weights:
    return sizes * math.log(prior.beta)


@log_weights.register
def _fair(prior: Fair, variables: Sequence[str], n_rows: float, sizes: Weights) -> Weights:
    others = len(variables) - 1
    return np.array([-math.log(math.comb(others, int(size))) for size in sizes])


@log_weights.register
def _data(prior: DataPrior, variables: Sequence[str], n_rows: float, sizes: Weights) -> Weights:
    log_rows = log_of_rows(n_rows)
    if log_rows == 0:
        return np.zeros_like(sizes)
    with np.errstate(over="ignore"):  # A log factor that overflows is -inf: the set is impossible.
        return np.asarray(-np.power(1 + prior.tau, sizes) * log_rows)


@log_weights.register
def _in_degree_weights(prior: InDegreeWeights, variables: Sequence[str], n_rows: float, sizes: Weights) -> Weights:
    factors = np.full_like(sizes, -np.inf)
    given = np.log(prior.weights[: sizes.size])
    factors[: given.size] = given
    return factors


@log_weights.register
def _fact(prior: Fact, variables: Sequence[str], n_rows: float, sizes: Weights) -> Weights:
    return np.array([math.lgamma(size + 1) for size in sizes])


@log_weights.register
def _in_degree(prior: InDegree, variables: Sequence[str], n_rows: float, sizes: Weights) -> Weights:
    for name in names_with_limits(prior.limits):
        if name not in variables and name != OTHERS:
            raise ArgumentError(f"limits names the variable {name!r}, which is not in the data")
    check_wildcard("limits", names_with_limits(prior.limits), variables, ArgumentError)
    limits = limits_by_variable(prior.limits, variables)
    factors = np.zeros((len(variables), sizes.size))
    for row, limit in zip(factors, limits, strict=True):
        if limit is not None:
            row[sizes > limit] = -np.inf
            if prior.exact:
                row[sizes < limit] = -np.inf
    return factors


def expert_parents(prior: Prior, variables: Sequence[str]) -> ExpertParents | None:
    """The expert's parents of every variable and the log factor for each differing edge; None without an expert."""
    if not isinstance(prior, Expert):
        return None
    index = {name: place for place, name in enumerate(variables)}
    for name in prior.dag.variables:
        if name not in index:
            raise ArgumentError(f"the expert's dag has the variable {name!r}, which is not in the data")
    for name in variables:
        if name not in prior.dag:
            raise ArgumentError(f"the expert's dag does not have the variable {name!r}")
    parents = tuple(tuple(sorted(index[parent] for parent in prior.dag.parents(name))) for name in variables)
    return parents, math.log(prior.kappa)


def log_penalty(prior: Prior, n_variables: int, max_in_degree: int) -> float:
    """The term of the log prior that depends on the largest in-degree of a whole network on ``n_variables`` variables.

    It is 0 for a modular prior; else it is the log prior up to a constant.
    """
    if prior.is_modular:
        return 0.0
    if not 0 <= max_in_degree < max(n_variables, 1):
        raise ArgumentError(f"max_in_degree must be from 0 to {max(n_variables, 1) - 1}, got {max_in_degree}")
    return _log_penalty(n_variables, max_in_degree, prior.may_favour_parents)


@lru_cache(maxsize=1 << 14)
def _log_penalty(n_variables: int, max_in_degree: int, exclusive: bool) -> float:
    if n_variables > _MOST_COUNTED:
        log_total = log_count_dags(n_variables, max_in_degree)
        if not exclusive or max_in_degree == 0:
            return -log_total
        difference = log_total - log_count_dags(n_variables, max_in_degree - 1)
        if difference > _LEAST_DIFFERENCE:
            return -(log_total + math.log(-math.expm1(-difference)))
    total = count_dags(n_variables, max_in_degree)
    if exclusive and max_in_degree > 0:
        total -= count_dags(n_variables, max_in_degree - 1)
    return -math.log(total)


def log_penalties(prior: Prior, n_variables: int, most: int) -> Weights:
    """The log penalties of the largest in-degrees 0 to ``most``."""
    return np.array([log_penalty(prior, n_variables, d) for d in range(most + 1)])


def penalty_rise(prior: Prior, n_variables: int, most: int | None) -> float:
    """How much more a network may weigh, in nats, for parents that it has beyond those that it needs.

    A family table is pruned by subsets that score better, as if fewer parents never weighed less. With so much more
    slack its families suffice for a prior on whole networks, too. No variable has more than ``most`` parents.
    """
    if not prior.may_favour_parents or n_variables < 2:
        return 0.0
    largest = n_variables - 1 if most is None else min(most, n_variables - 1)
    penalties = log_penalties(prior, n_variables, largest)
    return float((penalties - np.minimum.accumulate(penalties)).max())
