"""Random graphs and networks, for experiments."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from credenet.errors import ArgumentError
from credenet.graphs import DAG
from credenet.network import BayesianNetwork


def random_dag(
    n: int | Sequence[str], *, edges: int | None = None, max_parents: int | None = None, seed: int = 0
) -> DAG:
    """A random DAG over a random order of its variables.

    Parameters
    ----------
    n
        The number of variables (named ``x0``, ``x1``, …), or their names.
    edges
        The number of edges, every set of that size that the order and ``max_parents`` allow being as likely as any
        other that can be reached by adding edges one at a time. If not given, every variable draws its number of
        parents uniformly from 0 to ``max_parents`` (or to as many variables as precede it).
    max_parents
        No variable has more parents.

    Examples
    --------
    >>> dag = random_dag(20, edges=30, max_parents=3, seed=1)
    >>> dag.n_edges, dag.max_in_degree <= 3
    (30, True)
    """
    names = [f"x{k}" for k in range(n)] if isinstance(n, int) else [str(name) for name in n]
    size = len(names)
    if size < 1:
        raise ArgumentError(f"n must be at least 1, got {n}")
    if edges is None and max_parents is None:
        raise ArgumentError("give edges, max_parents or both")
    if max_parents is not None and max_parents < 0:
        raise ArgumentError(f"max_parents must be at least 0, got {max_parents}")
    generator = _generator(seed)
    order = generator.permutation(size).tolist()
    most = [position if max_parents is None else min(position, max_parents) for position in range(size)]
    if edges is None:
        counts = [int(generator.integers(limit + 1)) for limit in most]
    else:
        counts = _spread(edges, most, size, generator)
    parents: dict[str, list[str]] = {name: [] for name in names}
    for position, count in enumerate(counts):
        chosen: list[int] = generator.choice(position, size=count, replace=False).tolist() if count else []
        parents[names[order[position]]] = [names[order[at]] for at in chosen]
    return DAG.from_parents(parents)


def _generator(seed: int) -> np.random.Generator:
    if seed < 0:
        raise ArgumentError(f"seed must be at least 0, got {seed}")
    return np.random.default_rng(seed)


def _spread(edges: int, most: list[int], size: int, generator: np.random.Generator) -> list[int]:
    """How many of the edges end in each position of the order."""
    if not 0 <= edges <= sum(most):
        raise ArgumentError(f"edges must be between 0 and {sum(most)} for {size} variables, got {edges}")
    counts = [0] * size
    free = np.arange(size, dtype=np.int64)  # positions that precede each one and are not yet its parents
    for _ in range(edges):
        open_slots = np.where(np.array(counts) < np.array(most), free, 0)
        position = int(generator.choice(size, p=open_slots / open_slots.sum()))
        counts[position] += 1
        free[position] -= 1
    return counts


def random_network(dag: DAG, *, states: int | tuple[int, int] = 2, beta: float = 0.5, seed: int = 0) -> BayesianNetwork:
    """A network on a DAG whose rows of probabilities are drawn from a symmetric Dirichlet distribution.

    Parameters
    ----------
    states
        The number of states of every variable, or a range (both ends included) to draw it from.
    beta
        The Dirichlet parameter: small values give nearly deterministic tables, 1 uniform ones.
    """
    low, high = (states, states) if isinstance(states, int) else states
    if not 1 <= low <= high:
        raise ArgumentError(f"states must be at least 1, or a range of such numbers, got {states}")
    if not 0 < beta < np.inf:
        raise ArgumentError(f"beta must be a positive number, got {beta}")
    generator = _generator(seed)
    n_states = {name: int(generator.integers(low, high + 1)) for name in dag.variables}
    tables = {}
    for name in dag.variables:
        shape = [n_states[parent] for parent in dag.parents(name)]
        tables[name] = generator.dirichlet(np.full(n_states[name], beta), size=shape)
    return BayesianNetwork({name: [f"s{k}" for k in range(count)] for name, count in n_states.items()}, dag, tables)
