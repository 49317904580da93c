"""All networks of very few variables, and their tree-widths.

There is no recurrence here for the number of DAGs whose moral graph has a tree-width of at most w. So the networks of
at most five variables are listed, 29,281 of five. The tree-widths of their moral graphs, at most 1,024 different ones,
are computed by eliminating variables. For any number of variables three numbers are known: one network has tree-width
0, (n + 1)^(n - 1) have at most 1 (the forests of rooted trees, as a child and two parents are three neighbours), and
all have at most n - 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from credenet.families.dag_counts import count_dags

MOST_LISTED = 5  # Variables whose networks are listed, in 0.4 seconds; six have 3,781,503 networks.


class AllDAGs(NamedTuple):
    """All DAGs on a number of variables (rows): the parents of each variable as bits, and the tree-widths."""

    parents: NDArray[np.int64]
    tree_widths: NDArray[np.int64]


@cache
def list_dags(n_variables: int) -> AllDAGs:
    """All DAGs on at most `MOST_LISTED` variables."""
    n, rows = n_variables, np.zeros((1, 0), dtype=np.int64)
    for child in range(n):
        sets = np.array([bits for bits in range(1 << n) if not bits >> child & 1], dtype=np.int64)
        rows = np.column_stack([np.repeat(rows, len(sets), axis=0), np.tile(sets, len(rows))])
    left = np.full(len(rows), (1 << n) - 1)  # Variables that are not yet known to be on no cycle.
    for _ in range(n):  # Each round takes away the variables without parents among those left.
        free = sum(((rows[:, child] & left) == 0).astype(np.int64) << child for child in range(n))
        left &= ~free
    rows = rows[left == 0]
    pairs = {pair: at for at, pair in enumerate(combinations(range(n), 2))}
    moral = np.zeros(len(rows), dtype=np.int64)
    for child in range(n):
        family = rows[:, child] | 1 << child
        for (one, other), at in pairs.items():
            moral |= (family >> one & family >> other & 1) << at
    graphs, places = np.unique(moral, return_inverse=True)
    widths = [_tree_width([pair for pair, at in pairs.items() if graph >> at & 1], n) for graph in graphs.tolist()]
    result = AllDAGs(rows, np.array(widths, dtype=np.int64)[places.reshape(-1)])
    for array in result:
        array.setflags(write=False)
    return result


def known_tree_width(parents: Sequence[Sequence[int]]) -> int | None:
    """The tree-width of a network's moral graph if it is listed, at most 1, or as large as possible; else None."""
    n, most = len(parents), max(map(len, parents), default=0)
    edges = {pair for child, few in enumerate(parents) for pair in combinations(sorted((child, *few)), 2)}
    if n <= MOST_LISTED:
        return _tree_width(edges, n)
    if most <= 1:
        return most
    return n - 1 if len(edges) == n * (n - 1) // 2 else None


def count_by_tree_width(n_variables: int, tree_width: int) -> int | None:
    """The number of DAGs of at most a tree-width, where it is known."""
    if tree_width >= n_variables - 1:
        return count_dags(n_variables)
    if tree_width <= 1:
        return (n_variables + 1) ** (n_variables - 1) if tree_width == 1 else 1
    if n_variables > MOST_LISTED:
        return None
    return int((list_dags(n_variables).tree_widths <= tree_width).sum())


def _tree_width(edges: Sequence[tuple[int, int]] | set[tuple[int, int]], n: int) -> int:
    """The tree-width of a graph: over all orders of elimination the least largest number of neighbours."""
    neighbours = [0] * n
    for one, other in edges:
        neighbours[one] |= 1 << other
        neighbours[other] |= 1 << one

    @cache
    def least(gone: int) -> int:
        """The least largest number of neighbours once some variables are eliminated."""
        left = [v for v in range(n) if not gone >> v & 1]
        return min(
            (max(_remaining_neighbours(neighbours, gone, v).bit_count(), least(gone | 1 << v)) for v in left), default=0
        )

    return least(0)


def _remaining_neighbours(neighbours: Sequence[int], gone: int, variable: int) -> int:
    """The remaining variables that a variable is joined to, directly or through eliminated ones."""
    seen, waiting = 1 << variable, neighbours[variable]
    while more := waiting & ~seen:
        seen |= more
        waiting = 0
        for other in range(len(neighbours)):
            if more & gone & 1 << other:
                waiting |= neighbours[other]
    return seen & ~gone & ~(1 << variable)
