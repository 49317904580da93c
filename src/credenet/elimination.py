"""The joint distribution of a few variables of a network, by plain variable elimination.

Only the ancestors of the variables matter; the rest is eliminated one variable at a time, always the one that makes
the smallest table. Exact; meant for a few variables at a time.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from credenet.errors import NetworkError

if TYPE_CHECKING:
    from credenet.network import BayesianNetwork

MAX_CELLS = 1 << 28

_Factor = tuple[tuple[int, ...], NDArray[np.float64]]


def joint(network: BayesianNetwork, variables: Sequence[str]) -> NDArray[np.float64]:
    """The joint distribution of some variables, one axis each in the order given."""
    targets = [network.dag.variables.index(name) for name in variables]
    parents = network.dag.parent_indices
    relevant: set[int] = set()
    stack = list(targets)
    while stack:
        node = stack.pop()
        if node not in relevant:
            relevant.add(node)
            stack.extend(parents[node])
    n_states = network.n_states
    factors: list[_Factor] = [
        ((*parents[node], node), network.table(network.dag.variables[node])) for node in sorted(relevant)
    ]
    joined: dict[int, set[int]] = {node: set() for node in relevant}  # nodes that share a factor
    holding: dict[int, list[_Factor]] = {node: [] for node in relevant}
    for factor in factors:
        for node in factor[0]:
            joined[node].update(factor[0])
            holding[node].append(factor)

    def cost(node: int) -> tuple[int, int]:
        return math.prod(int(n_states[other]) for other in joined[node]), node

    costs = {node: cost(node) for node in relevant if node not in targets}
    while costs:
        cheapest = min(costs, key=costs.__getitem__)
        del costs[cheapest]
        keep = sorted(joined.pop(cheapest) - {cheapest})
        used = holding.pop(cheapest)
        message = _product(used, keep, n_states)
        gone = {id(factor) for factor in used}
        for node in keep:
            joined[node].discard(cheapest)
            joined[node].update(keep)
            holding[node] = [factor for factor in holding[node] if id(factor) not in gone]
            holding[node].append(message)
            if node in costs:
                costs[node] = cost(node)
    left = {id(factor): factor for node in targets for factor in holding[node]}
    return _product(list(left.values()), targets, n_states)[1]


def _product(factors: Sequence[_Factor], keep: Sequence[int], n_states: NDArray[np.int32]) -> _Factor:
    """The product of some factors with every axis but those to keep summed out."""
    axes = sorted(set().union(*(scope for scope, _ in factors)))
    cells = math.prod(int(n_states[node]) for node in axes)
    if cells > MAX_CELLS or len(axes) > 50:
        raise NetworkError(f"exact elimination would need a table of {cells} cells, more than {MAX_CELLS}")
    position = {node: at for at, node in enumerate(axes)}
    operands: list[object] = []
    for scope, table in factors:
        operands += [table, [position[node] for node in scope]]
    result = np.einsum(*operands, [position[node] for node in keep], optimize=len(factors) > 2)  # type: ignore[call-overload]
    return tuple(keep), np.asarray(result, dtype=np.float64)
