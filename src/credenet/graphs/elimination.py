"""Greedy elimination orders, with their width and table size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._arguments import mapping, one_of, whole_number
from credenet._run.progress import read_seed, thread_count
from credenet.errors import GraphError

_MOST_RESTARTS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class EliminationOrder:
    """An order in which the variables are eliminated.

    Attributes
    ----------
    order
        The variables; the first one is eliminated first.
    width
        The largest number of neighbours of a variable when it is eliminated: an upper bound on the tree-width.
    log2_table_size
        The base-2 logarithm of the number of cells of all tables, one over each variable and its neighbours when it is
        eliminated; minus infinity without variables.
    method
        The greedy criterion, ``min_fill`` or ``min_weight``.

    Examples
    --------
    >>> import credenet
    >>> order = credenet.textbook.asia().dag.elimination_order()
    >>> order.width, len(order.order)
    (2, 8)
    """

    order: tuple[str, ...]
    width: int
    log2_table_size: float
    method: str

    def __repr__(self) -> str:
        cells = f"tables of 2^{self.log2_table_size:.1f} cells"
        return f"<EliminationOrder {len(self.order):,} variables, width {self.width}, {cells}>"


def eliminate(
    variables: Sequence[str],
    edges: tuple[NDArray[np.int32], NDArray[np.int32]],
    *,
    method: str,
    n_states: Mapping[str, int] | None,
    restarts: int,
    seed: int | None,
    n_threads: int | None,
) -> EliminationOrder:
    """The best order found for an undirected graph."""
    one_of("method", method, ("min_fill", "min_weight"))
    if method == "min_weight" and n_states is None:
        raise GraphError("method 'min_weight' needs n_states, the number of states of every variable")
    restarts = whole_number("restarts", restarts, least=1, most=_MOST_RESTARTS)
    seed = read_seed(seed)
    order, width, log2_table_size = _core.elimination_order(
        len(variables),
        *edges,
        state_counts(variables, n_states),
        method == "min_weight",
        restarts,
        seed,
        thread_count(n_threads),
    )
    return EliminationOrder(
        order=tuple(variables[place] for place in order.tolist()),
        width=width,
        log2_table_size=log2_table_size,
        method=method,
    )


def state_counts(variables: Sequence[str], n_states: Mapping[str, int] | None) -> NDArray[np.int32]:
    """The number of states of each variable in order, checked; 2 by default."""
    counts = np.full(len(variables), 2, dtype=np.int32)
    if n_states is None:
        return counts
    numbers = mapping("n_states", n_states, "numbers of states")
    for place, name in enumerate(variables):
        if name not in numbers:
            raise GraphError(f"n_states lacks variable {name!r}")
        counts[place] = whole_number(f"n_states[{name!r}]", numbers[name], least=1, most=2**31 - 1)
    return counts
