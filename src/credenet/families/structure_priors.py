"""The terms that structure priors add to the scores of families.

The log of a modular prior is a sum over families: a part that depends on the size of the parent set (`log_factors`)
and, for an expert's graph, a constant for every edge on which the parents differ from it (`expert_parents`). Priors on
whole networks are in `nested_penalties`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import singledispatch

import numpy as np
from numpy.typing import NDArray

from credenet.errors import ArgumentError
from credenet.families.dag_counts import log_of_rows
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


def log_factors(prior: Prior, variables: Sequence[str], n_rows: float, max_parents: int) -> Weights:
    """The log factor for every variable (row) and number of parents (column); -inf for an impossible number.

    The array must not be changed: equal rows share their memory.
    """
    if not prior.is_modular:
        raise ArgumentError(
            f"a family table needs a modular prior; {prior} depends on {prior.says_complexity} of the whole network, "
            "so it is no sum over families: learn with this prior from a table made with the uniform prior"
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
