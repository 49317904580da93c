"""Exact search over subsets of one component's variables, and its anytime variants."""

from __future__ import annotations

from functools import singledispatch
from typing import NamedTuple

from credenet import _core
from credenet._run.ledger import Ledger
from credenet._run.progress import CoreCallback
from credenet._run.run import Run
from credenet._text import byte_count
from credenet.errors import ArgumentError
from credenet.families.table import FamilyTable
from credenet.search.components import Component, ComponentResult, Solve, components_of
from credenet.search.cost import MOST_LATTICE_VARIABLES, table_bytes
from credenet.search.local import incumbent
from credenet.settings.method_bases import OrderGraphSearch
from credenet.settings.methods import DP, ARAStar, AStar, AWAStar, BFBnB, WeightedAStar

_CYCLE_SIZE = 2  # Variables of a pattern of the dynamic heuristic; with two it is consistent.


class OrderGraphTask(NamedTuple):
    """One component in the form of the core, with the families of a first network."""

    lists: _core.ComponentLists
    options: _core.OrderGraphOptions
    start: list[int]
    callback: CoreCallback


def check_lattice(families: FamilyTable, method: str) -> int:
    """The number of variables of the largest component; refuses too many before any work is done."""
    largest = max(map(len, components_of(families)), default=0)
    if largest > MOST_LATTICE_VARIABLES:
        raise ArgumentError(
            f"{method} takes strongly connected components of at most {MOST_LATTICE_VARIABLES} variables, "
            f"here is one of {largest}; use order_search, or fewer candidate parents"
        )
    return largest


def check_dp(families: FamilyTable, method: DP, run: Run) -> None:
    """Refuses a table of subsets that does not fit in memory."""
    largest = check_lattice(families, method.short_name)
    needed = dp_bytes(largest, method, run) if largest > 1 else 0
    if needed > run.memory:
        raise ArgumentError(
            f"dp needs {byte_count(needed)} for the {largest} variables of the largest component, the memory limit "
            f"is {byte_count(run.memory)}; astar and bfbnb (with scratch_dir) take what they are given, "
            "order_search hardly any"
        )


def dp_bytes(n_variables: int, method: DP, run: Run) -> int:
    """The bytes of dynamic programming in the first allowed form that fits, or else in the smallest form."""
    return table_bytes(n_variables, run.n_threads, layered=_is_layered(n_variables, method, run))


def _is_layered(n_variables: int, method: DP, run: Run) -> bool:
    if method.layered is not None:
        return method.layered
    return table_bytes(n_variables, run.n_threads) > run.memory


def solve_dp(method: DP) -> Solve:
    """The search of one component by dynamic programming."""

    def solve(component: Component, run: Run, ledger: Ledger, number: int) -> ComponentResult:
        layered = _is_layered(len(component), method, run)
        callback = run.callback(ledger, number)
        outcome = _core.subset_dp(component.lists, layered, int(run.memory), run.n_threads, callback)
        return ComponentResult.from_core(outcome, component.from_lists(outcome.families) if outcome.families else None)

    return solve


def solve_order_graph(method: OrderGraphSearch) -> Solve:
    """The search of one component by a method, starting from the network of an order search."""

    def solve(component: Component, run: Run, ledger: Ledger, number: int) -> ComponentResult:
        first = incumbent(component, run)
        if first.choice is None or first.status == "interrupted":
            return first
        ledger.update(number, first.score, component.bound)
        options = _core.OrderGraphOptions(
            method.heuristic,
            _pattern_sizes(method.pattern_size, len(component)) if method.heuristic == "static" else [],
            method.pattern_size or _CYCLE_SIZE,
            int(run.memory),
            run.n_threads,
        )
        start = component.to_lists(first.choice)
        task = OrderGraphTask(component.lists, options, start, run.callback(ledger, number))
        outcome = search_order_graph(method, task)
        return ComponentResult.from_core(outcome, component.from_lists(outcome.families) if outcome.families else None)

    return solve


@singledispatch
def search_order_graph(method: OrderGraphSearch, task: OrderGraphTask) -> _core.SearchResult:
    """Searches for the best network of a component."""
    raise NotImplementedError(f"no search of the order graph is registered for {type(method).__name__}")


@search_order_graph.register(AStar)
def _astar(method: AStar, task: OrderGraphTask) -> _core.SearchResult:
    return _core.astar(*task)


@search_order_graph.register(BFBnB)
def _bfbnb(method: BFBnB, task: OrderGraphTask) -> _core.SearchResult:
    scratch = "" if method.scratch_dir is None else str(method.scratch_dir)
    return _core.breadth_first(task.lists, task.options, task.start, scratch, task.callback)


@search_order_graph.register(WeightedAStar)
def _weighted_astar(method: WeightedAStar, task: OrderGraphTask) -> _core.SearchResult:
    return _core.weighted_astar(task.lists, task.options, method.weight, task.start, task.callback)


@search_order_graph.register(ARAStar)
def _ara_star(method: ARAStar, task: OrderGraphTask) -> _core.SearchResult:
    return _core.ara_star(task.lists, task.options, method.weight, method.step, task.start, task.callback)


@search_order_graph.register(AWAStar)
def _awa_star(method: AWAStar, task: OrderGraphTask) -> _core.SearchResult:
    return _core.awa_star(*task)


def _pattern_sizes(size: int | None, n_variables: int) -> list[int]:
    """Sizes of patterns that divide the variables; an empty list leaves the choice to the core."""
    if size is None:
        return []
    size = min(size, _core.OrderGraphOptions.largest_pattern)
    whole, rest = divmod(n_variables, size)
    return [size] * whole + ([rest] if rest else [])
