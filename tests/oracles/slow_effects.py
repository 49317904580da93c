"""Effects by their definitions: the full joint, counts in dicts, and numpy's own Dirichlet draws."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

import brute
from credenet import BayesianNetwork, Dataset

Floats = NDArray[np.float64]


def random_factors(n: int, arcs: brute.Arcs, seed: int = 0) -> list[Floats]:
    """P(node | parents) of binary variables, each over the axes of all variables."""
    rng = np.random.default_rng(seed)
    factors = []
    for node in range(n):
        shape = [2 if other == node or other in brute.parents(arcs, node) else 1 for other in range(n)]
        factor = rng.uniform(0.1, 1.0, size=shape)
        factors.append(factor / factor.sum(axis=node, keepdims=True))
    return factors


def joint(factors: Sequence[Floats], left_out: Iterable[int] = ()) -> Floats:
    """The product of all factors; those of variables that are set are left out (the truncated factorisation)."""
    result: Floats = np.ones([2] * len(factors))
    for node, factor in enumerate(factors):
        if node not in set(left_out):
            result = result * factor
    return result


def gives_effect(factors: Sequence[Floats], x: Sequence[int], y: Sequence[int], z: Sequence[int]) -> bool:
    """Whether P(y | do(x)) = sum over z of P(z) P(y | x, z) for these tables."""

    def over(table: Floats, kept: Iterable[int]) -> Floats:
        return np.asarray(table.sum(axis=tuple(set(range(len(factors))) - set(kept)), keepdims=True))

    if {*x, *y} & set(z):
        return False
    observed = joint(factors)
    adjusted = over(over(observed, z) * over(observed, [*x, *y, *z]) / over(observed, [*x, *z]), [*x, *y])
    return bool(np.allclose(over(joint(factors, x), [*x, *y]), adjusted, rtol=0, atol=1e-12))


def network_after(network: BayesianNetwork, states: Mapping[str, Any], target: str) -> dict[Any, float]:
    """P(target | do(states)) by going through all joint states."""
    chances = dict.fromkeys(network.states[target], 0.0)
    for labels in product(*network.states.values()):
        row = dict(zip(network.variables, labels, strict=True))
        if all(row[name] == state for name, state in states.items()):
            chances[row[target]] += math.prod(
                [
                    network.probability(name, row[name], **{parent: row[parent] for parent in network.parents(name)})
                    for name in network.variables
                    if name not in states
                ]
            )
    return chances


def counts(data: Dataset, names: Sequence[str]) -> Floats:
    """Sums of weights by the declared states of some variables."""
    table = np.zeros([len(data.states[name]) for name in names])
    weights = np.ones(len(data)) if data.weights is None else data.weights
    for row, weight in zip(data.codes.tolist(), weights.tolist(), strict=True):
        table[tuple(row[data.index(name)] for name in names)] += weight
    return table


def adjusted_mean(data: Dataset, x: str, y: str, z: Sequence[str], ess: float = 1.0) -> Floats:
    """The posterior mean of p(y | do(x)), a row for each state of x, by the formula."""
    if y in z:
        alpha = counts(data, [y]) + ess / len(data.states[y])
        return np.tile(alpha / alpha.sum(), (len(data.states[x]), 1))
    alpha = counts(data, [*z, x, y]).reshape(-1, len(data.states[x]), len(data.states[y]))
    alpha = alpha + ess / alpha.size
    result: Floats = np.zeros(alpha.shape[1:])
    for table in alpha:
        result += table.sum() / alpha.sum() * table / table.sum(axis=1, keepdims=True)
    return result


def adjusted_draws(
    data: Dataset, x: str, y: str, z: Sequence[str], n_draws: int, rng: np.random.Generator, ess: float = 1.0
) -> Floats:
    """Draws of p(y | do(x)): by draw, state of x, state of y."""
    k_x = len(data.states[x])
    if y in z:
        alpha = counts(data, [y]) + ess / len(data.states[y])
        return np.repeat(rng.dirichlet(alpha, n_draws)[:, None], k_x, axis=1)
    alpha = counts(data, [*z, x, y]).reshape(-1, k_x, len(data.states[y]))
    alpha = alpha + ess / alpha.size
    shares = rng.dirichlet(alpha.sum(axis=(1, 2)), n_draws)
    draws = np.zeros((n_draws, *alpha.shape[1:]))
    for at, table in enumerate(alpha):
        for row in range(k_x):
            draws[:, row] += shares[:, at, None] * rng.dirichlet(table[row], n_draws)
    return draws


def divergence(rows: Floats) -> Floats:
    """The Jensen-Shannon divergence of the rows of each draw: the mean divergence from their mean."""
    middle = rows.mean(axis=1, keepdims=True)
    ratios = np.log(np.where(rows > 0, rows, 1.0) / np.where(rows > 0, middle, 1.0))
    return np.asarray((rows * ratios).sum(axis=2).mean(axis=1))
