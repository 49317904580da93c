"""Local search among scored families: over orders of the variables, and over networks by single edges."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._run.ledger import Ledger
from credenet._run.progress import CoreCallback
from credenet._run.run import Run
from credenet.search.components import Component, ComponentResult, Rescue, Solve
from credenet.search.cost import FIRST_NETWORK
from credenet.search.ilp.constraints import Constraints
from credenet.search.methods import HillClimb, Local, OrderSearch, Tabu

NO_START = np.empty(0, dtype=np.int32)
_ORDERS = 4  # improved side by side
_ITERATIONS = 3000  # perturbations of each, with which all optima known to us were found
_INCUMBENT_ITERATIONS = 600


class Start(NamedTuple):
    """A network by the position of each family in its list, and pairs that must stay adjacent."""

    families: NDArray[np.int32]
    adjacent: list[tuple[int, int]]


def solve_local(method: Local, start: Start | None = None) -> Solve:
    """The search of one component by a method; with pairs that must be adjacent, from a network in which they are."""

    def solve(component: Component, run: Run, ledger: Ledger, number: int) -> ComponentResult:
        callback = run.callback(ledger, number)
        if isinstance(method, OrderSearch):
            iterations = _ITERATIONS if method.iterations is None else method.iterations
            return _ordered(component, run.seed, iterations, _ORDERS, run.n_threads, callback)
        first, adjacent = (NO_START, []) if start is None else start
        outcome = _core.hill_climb_table(*component.flat, first, climb_options(method, run, adjacent), callback)
        return ComponentResult.of(outcome, component.from_flat(outcome.families) if outcome.families else None)

    return solve


def climb_options(method: HillClimb | Tabu, run: Run, adjacent: list[tuple[int, int]]) -> _core.HillClimbOptions:
    """The settings of a climb as the core takes them."""
    length, patience = (method.length, method.patience) if isinstance(method, Tabu) else (0, 0)
    return _core.HillClimbOptions(run.seed, method.restarts, 0, length, patience, adjacent)


def incumbent(component: Component, run: Run) -> ComponentResult:
    """A network to start an exact search from, in a small share of the time."""
    callback = run.callback(share=FIRST_NETWORK)
    return _ordered(component, run.seed, _INCUMBENT_ITERATIONS, _ORDERS, run.n_threads, callback)


def quick_network(component: Component, run: Run) -> ComponentResult:
    """A local optimum of one descent, which takes a moment."""
    return _ordered(component, run.seed, 1, 1, 1, None)


def obeying(rescue: Rescue, constraints: Constraints) -> Rescue:
    """The same, but no network rather than one that breaks the rules."""

    def search(component: Component, run: Run) -> ComponentResult:
        result = rescue(component, run)
        if result.choice is not None and not constraints.obeys(component.flat, result.choice):
            result.choice, result.score, result.status = None, -math.inf, "stopped"
        return result

    return search


def _ordered(
    component: Component, seed: int, iterations: int, n_orders: int, n_threads: int, callback: CoreCallback | None
) -> ComponentResult:
    """The best network in some orders that are improved side by side."""
    outcome = _core.order_search(*component.flat, NO_START, seed, iterations, n_orders, n_threads, callback)
    return ComponentResult.of(outcome, component.from_flat(outcome.families) if outcome.families else None)
