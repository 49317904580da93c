"""Random graphs and networks, for experiments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from credenet._advised import check_keywords
from credenet._arguments import list_values, real_number, show_value, whole_number
from credenet._run.progress import read_seed
from credenet.data.column_errors import MOST_STATES
from credenet.errors import ArgumentError
from credenet.graphs import DAG
from credenet.graphs.arguments import as_dag
from credenet.networks.bayesian import BayesianNetwork

if TYPE_CHECKING:
    from credenet.graphs.arguments import GraphLike

_MOST_VARIABLES = 1_000_000


@check_keywords
def dag(
    variables: int | Sequence[str], *, n_edges: int | None = None, max_parents: int | None = None, seed: int | None = 0
) -> DAG:
    """A random DAG over a random order of its variables.

    Parameters
    ----------
    variables
        The number of variables (named ``x0``, ``x1``, …), or their names.
    n_edges
        The number of edges. They are added one at a time, each drawn uniformly from those that the order and
        ``max_parents`` still allow. By default every variable draws its number of parents uniformly, from 0 to the
        smaller of ``max_parents`` and the number of variables before it.
    max_parents
        The largest number of parents of a variable.
    seed
        A second call with the same seed, by default 0, repeats the graph. None draws a fresh one.

    Examples
    --------
    >>> import credenet
    >>> chosen = credenet.random.dag(20, n_edges=30, max_parents=3, seed=1)
    >>> chosen.n_edges, chosen.max_in_degree <= 3
    (30, True)
    """
    if isinstance(variables, Iterable):
        names = [str(name) for name in list_values("variables", variables, "names, or a number")]
    else:
        names = [f"x{k}" for k in range(whole_number("variables", variables, least=1, most=_MOST_VARIABLES))]
    size = len(names)
    if size < 1:
        raise ArgumentError(f"variables must be at least 1, got {variables}")
    if n_edges is None and max_parents is None:
        raise ArgumentError("give n_edges, max_parents or both")
    if max_parents is not None:
        max_parents = whole_number("max_parents", max_parents)
    generator = _generator(seed)
    order = generator.permutation(size).tolist()
    most = [position if max_parents is None else min(position, max_parents) for position in range(size)]
    if n_edges is None:
        counts = [int(generator.integers(limit + 1)) for limit in most]
    else:
        counts = _spread_edges(n_edges, most, size, generator)
    parents: dict[str, list[str]] = {name: [] for name in names}
    for position, count in enumerate(counts):
        chosen: list[int] = generator.choice(position, size=count, replace=False).tolist() if count else []
        parents[names[order[position]]] = [names[at] for at in sorted(order[at] for at in chosen)]
    return DAG.from_parents(parents)


def _generator(seed: int | None) -> np.random.Generator:
    return np.random.default_rng(read_seed(seed))


def _spread_edges(n_edges: int, most: list[int], size: int, generator: np.random.Generator) -> list[int]:
    """The number of edges into each position of the order."""
    if not 0 <= whole_number("n_edges", n_edges) <= sum(most):
        raise ArgumentError(f"n_edges must be between 0 and {sum(most)} for {size} variables, got {n_edges}")
    counts = [0] * size
    free = np.arange(size, dtype=np.int64)  # For each position the earlier ones that are not yet its parents.
    for _ in range(n_edges):
        open_slots = np.where(np.array(counts) < np.array(most), free, 0)
        position = int(generator.choice(size, p=open_slots / open_slots.sum()))
        counts[position] += 1
        free[position] -= 1
    return counts


@check_keywords
def network(
    dag: GraphLike, *, n_states: int | tuple[int, int] = 2, beta: float = 0.5, seed: int | None = 0
) -> BayesianNetwork:
    """A network with the given DAG and rows of probabilities from a symmetric Dirichlet distribution.

    Parameters
    ----------
    n_states
        The number of states of every variable, or a range from which it is drawn, both ends included.
    beta
        The Dirichlet parameter. Small values give nearly deterministic tables; 1 is the uniform distribution.

    Examples
    --------
    >>> import credenet
    >>> dag = credenet.random.dag(5, max_parents=2)
    >>> credenet.random.network(dag, n_states=(2, 4), seed=3).dag == dag
    True
    """
    dag = as_dag(dag, "dag")
    ends = n_states if isinstance(n_states, tuple | list) else (n_states, n_states)
    if len(ends) != 2:
        raise ArgumentError(f"n_states must be a number or a range of two, got {show_value(n_states)}")
    low, high = (whole_number("n_states", end, least=1, most=MOST_STATES) for end in ends)
    if low > high:
        raise ArgumentError(
            f"n_states must be a number or a range of two, the smaller first, got {show_value(n_states)}"
        )
    beta = real_number("beta", beta, above=0)
    generator = _generator(seed)
    numbers = {name: int(generator.integers(low, high + 1)) for name in dag.variables}
    tables = {}
    for name in dag.variables:
        shape = [numbers[parent] for parent in dag.parents(name)]
        tables[name] = generator.dirichlet(np.full(numbers[name], beta), size=shape)
    return BayesianNetwork({name: [f"s{k}" for k in range(count)] for name, count in numbers.items()}, dag, tables)
