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
from credenet.search.components import Component, Part, Rescue, Solve, part_of
from credenet.search.ilp.constraints import Constraints
from credenet.search.methods import HillClimb, Local, OrderSearch, Tabu

_NONE = np.empty(0, dtype=np.int32)
_ORDERS = 4  # improved side by side
_ITERATIONS = 3000  # perturbations of each, with which all optima known to us were found
_INCUMBENT_ITERATIONS = 600


class Start(NamedTuple):
    """A network by the position of each family in its list, and pairs that must stay adjacent."""

    families: NDArray[np.int32]
    adjacent: list[tuple[int, int]]


def solve_local(method: Local, start: Start | None = None) -> Solve:
    """The search of one component by a method; with pairs that must be adjacent, from a network in which they are."""

    def solve(component: Component, run: Run, ledger: Ledger, number: int) -> Part:
        callback = run.callback(ledger, number)
        if isinstance(method, OrderSearch):
            return _ordered(component, run, method.iterations, callback)
        first, adjacent = (_NONE, []) if start is None else start
        outcome = _core.hill_climb_table(component.flat.lists, first, climb_options(method, run, adjacent), callback)
        return part_of(outcome, component.from_flat(outcome.families) if outcome.families else None)

    return solve


def climb_options(method: HillClimb | Tabu, run: Run, adjacent: list[tuple[int, int]]) -> _core.HillClimbOptions:
    """The settings of a climb as the core takes them."""
    length, patience = (method.length, method.patience) if isinstance(method, Tabu) else (0, 0)
    return _core.HillClimbOptions(run.seed, method.restarts, 0, length, patience, adjacent)


def incumbent(component: Component, run: Run) -> Part:
    """A network to start an exact search from, in a small share of the time."""
    return _ordered(component, run, _INCUMBENT_ITERATIONS, run.callback(share=0.2))


def quick_network(component: Component, run: Run) -> Part:
    """A local optimum of one descent, which takes a moment."""
    outcome = _core.order_search(component.flat.lists, _NONE, run.seed, 1, 1, 1, None)
    return part_of(outcome, component.from_flat(outcome.families) if outcome.families else None)


def obeying(rescue: Rescue, constraints: Constraints) -> Rescue:
    """The same, but no network rather than one that breaks the rules."""

    def search(component: Component, run: Run) -> Part:
        part = rescue(component, run)
        if part.choice is not None and not constraints.obeys(component.flat, part.choice):
            part.choice, part.score, part.status = None, -math.inf, "stopped"
        return part

    return search


def _ordered(component: Component, run: Run, iterations: int | None, callback: CoreCallback) -> Part:
    number = _ITERATIONS if iterations is None else iterations
    outcome = _core.order_search(component.flat.lists, _NONE, run.seed, number, _ORDERS, run.n_threads, callback)
    return part_of(outcome, component.from_flat(outcome.families) if outcome.families else None)
