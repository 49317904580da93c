"""Local search among scored families: over orders of the variables, or by changes of single edges."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._run.ledger import Ledger
from credenet._run.progress import CoreCallback
from credenet._run.run import Run
from credenet.errors import GraphError
from credenet.families.table import FamilyTable
from credenet.graphs import DAG
from credenet.search.adjacency import adjacent_pairs, join_network
from credenet.search.components import Component, ComponentResult, Rescue, Solve
from credenet.search.cost import FIRST_NETWORK
from credenet.search.ilp.constraints import Constraints
from credenet.settings.method_bases import Climb

NO_START = np.empty(0, dtype=np.int32)
_ORDERS = 4  # Orders that are improved in parallel.
_INCUMBENT_ITERATIONS = 600  # Iterations of the order search whose network another search starts from.
_GAIN_BYTES = 1 << 28  # Bytes of gains that a climb caches, as it returns to parent sets.


class StartNetwork(NamedTuple):
    """A network, as the position of each family in its list, and the pairs that must stay adjacent."""

    families: NDArray[np.int32]
    adjacent: list[tuple[int, int]]


def solve_orders(iterations: int) -> Solve:
    """The order search of one component."""

    def solve(component: Component, run: Run, ledger: Ledger, number: int) -> ComponentResult:
        return _search_orders(component, run.seed, iterations, _ORDERS, run.n_threads, run.callback(ledger, number))

    return solve


def solve_climb(method: Climb, start: StartNetwork | None = None) -> Solve:
    """The search of one component by single edges; pairs that must be adjacent need a start where they are."""

    def solve(component: Component, run: Run, ledger: Ledger, number: int) -> ComponentResult:
        first, adjacent = (NO_START, []) if start is None else start
        callback = run.callback(ledger, number)
        outcome = _core.hill_climb_table(component.flat.lists, first, climb_options(method, run, adjacent), callback)
        return ComponentResult.from_core(outcome, component.from_flat(outcome.families) if outcome.families else None)

    return solve


def climb_options(method: Climb, run: Run, adjacent: list[tuple[int, int]]) -> _core.HillClimbOptions:
    """The settings of a climb in the form of the core."""
    gain_bytes = int(min(_GAIN_BYTES, run.memory / 2))
    return _core.HillClimbOptions(run.seed, method.restarts, 0, method.length, method.patience, adjacent, gain_bytes)


def join_start(families: FamilyTable, constraints: Constraints, run: Run) -> StartNetwork | None:
    """A network of listed families in which the required pairs are adjacent; None if there is none."""
    from credenet.search.ilp.any_network import any_network

    flat, knowledge = families.flat(), constraints.knowledge
    most = [int(flat.sizes.max(initial=0))] * len(families.variables)
    parents = join_network(knowledge, families.variables, most, run)
    if parents is None:
        return None
    try:
        positions = np.array(families.positions(DAG.from_indices(families.variables, parents)))
    except GraphError:  # The table does not list these parents but may list others.
        found = any_network(families, constraints, run)
        if found is None:
            return None
        positions = found - flat.starts[:-1]
    return StartNetwork(positions.astype(np.int32), adjacent_pairs(knowledge, families.variables))


def incumbent(component: Component, run: Run) -> ComponentResult:
    """A network from which an exact search starts, found in a small share of the time."""
    callback = run.callback(share=FIRST_NETWORK)
    return _search_orders(component, run.seed, _INCUMBENT_ITERATIONS, _ORDERS, run.n_threads, callback)


def quick_network(component: Component, run: Run) -> ComponentResult:
    """A local optimum of one descent, which takes a moment."""
    return _search_orders(component, run.seed, 1, 1, 1, None)


def obeying(rescue: Rescue, constraints: Constraints) -> Rescue:
    """A rescue that returns no network if the found one breaks the rules."""

    def search(component: Component, run: Run) -> ComponentResult:
        result = rescue(component, run)
        if result.choice is not None and not constraints.obeys(component.flat, result.choice):
            result.choice, result.score, result.status = None, -math.inf, "stopped"
        return result

    return search


def _search_orders(
    component: Component, seed: int, iterations: int, n_orders: int, n_threads: int, callback: CoreCallback | None
) -> ComponentResult:
    """The best network of an order search with ``n_orders`` orders in parallel."""
    outcome = _core.order_search(component.flat.lists, NO_START, seed, iterations, n_orders, n_threads, callback)
    return ComponentResult.from_core(outcome, component.from_flat(outcome.families) if outcome.families else None)
