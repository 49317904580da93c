"""The joint distribution of a few variables of a network, by plain variable elimination.

Only the ancestors of the variables matter; the rest is eliminated one variable at a time, always the one that makes
the smallest table. Exact; meant for a few variables at a time.
"""

from __future__ import annotations

import heapq
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
    factors: dict[int, _Factor] = {
        node: ((*parents[node], node), network.table(network.dag.variables[node])) for node in relevant
    }
    # a table is named by its child, a product by the node that was eliminated
    holders: dict[int, set[int]] = {node: set() for node in relevant}  # the factors that have a node
    around: dict[int, set[int]] = {node: set() for node in relevant}  # the nodes that share a factor with it
    for name, (scope, _) in factors.items():
        for node in scope:
            holders[node].add(name)
            around[node].update(scope)
    for node in relevant:
        around[node].discard(node)

    def cells(node: int) -> int:
        return math.prod(int(n_states[other]) for other in around[node])

    remaining = relevant - set(targets)
    queue = [(cells(node), node) for node in remaining]
    heapq.heapify(queue)
    while remaining:
        size, node = heapq.heappop(queue)
        if node not in remaining or size != cells(node):
            continue  # it was taken already, or its table has changed and it stands elsewhere in the queue
        remaining.discard(node)
        scope = tuple(sorted(around[node]))
        used = sorted(holders[node])
        product = _product([factors.pop(name) for name in used], scope, n_states)
        factors[node] = product
        for other in scope:
            holders[other].difference_update(used)
            holders[other].add(node)
            around[other].update(scope)
            around[other] -= {node, other}
            if other in remaining:
                heapq.heappush(queue, (cells(other), other))
    return _product(list(factors.values()), targets, n_states)[1]


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
