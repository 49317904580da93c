"""Exact search over subsets of one component's variables, and the anytime variants of it."""

from __future__ import annotations

from credenet import _core
from credenet._run.ledger import Ledger
from credenet._run.run import Run
from credenet._text import byte_count
from credenet.errors import ArgumentError
from credenet.families.table import FamilyTable
from credenet.search.components import MOST_LATTICE_VARIABLES, Component, Part, Solve, components_of, part_of
from credenet.search.local import incumbent
from credenet.search.methods import DP, ARAStar, AStar, AWAStar, BFBnB, Lattice, WeightedAStar

_CYCLE_SIZE = 2  # of the dynamic heuristic, which is then consistent


def check_lattice(families: FamilyTable, method: Lattice, run: Run) -> None:
    """Refuses what cannot be done, with the figure, before anything is done."""
    largest = max(map(len, components_of(families)), default=0)
    if largest > MOST_LATTICE_VARIABLES:
        raise ArgumentError(
            f"{method.short_name} takes strongly connected components of at most {MOST_LATTICE_VARIABLES} variables, "
            f"here is one of {largest}; use order_search, or fewer candidate parents"
        )
    if isinstance(method, DP) and largest > 1:
        needed = dp_bytes(largest, method, run)
        if needed > run.memory:
            raise ArgumentError(
                f"dp needs {byte_count(needed)} for the {largest} variables of the largest component, the memory limit "
                f"is {byte_count(run.memory)}; astar and bfbnb (with scratch_dir) take what they are given, "
                "order_search hardly any"
            )


def dp_bytes(n_variables: int, method: DP, run: Run) -> int:
    """The memory that dynamic programming takes in the form that is allowed and fits, or else in the smallest."""
    return _core.subset_dp_bytes(n_variables, _is_layered(n_variables, method, run), run.n_threads)


def _is_layered(n_variables: int, method: DP, run: Run) -> bool:
    if method.layered is not None:
        return method.layered
    return _core.subset_dp_bytes(n_variables, False, run.n_threads) > run.memory


def solve_lattice(method: Lattice) -> Solve:
    """The search of one component by a method."""

    def solve(component: Component, run: Run, ledger: Ledger, number: int) -> Part:
        if isinstance(method, DP):
            layered = _is_layered(len(component), method, run)
            callback = run.callback(ledger, number)
            outcome = _core.subset_dp(component.lists, layered, int(run.memory), run.n_threads, callback)
        else:
            first = incumbent(component, run)
            if first.choice is None or first.status == "interrupted":
                return first
            ledger.update(number, first.score, component.bound)
            outcome = _searched(method, component, component.to_lists(first.choice), run, ledger, number)
        return part_of(outcome, component.from_lists(outcome.families) if outcome.families else None)

    return solve


def _searched(
    method: AStar | BFBnB | WeightedAStar | ARAStar | AWAStar,
    component: Component,
    start: list[int],
    run: Run,
    ledger: Ledger,
    number: int,
) -> _core.SearchResult:
    lists, callback = component.lists, run.callback(ledger, number)
    options = _core.OrderGraphOptions(
        method.heuristic,
        _pattern_sizes(method.pattern_size, len(component)) if method.heuristic == "static" else [],
        method.pattern_size or _CYCLE_SIZE,
        int(run.memory),
        run.n_threads,
    )
    if isinstance(method, AStar):
        return _core.astar(lists, options, start, callback)
    if isinstance(method, WeightedAStar):
        return _core.weighted_astar(lists, options, method.weight, start, callback)
    if isinstance(method, ARAStar):
        return _core.ara_star(lists, options, method.weight, method.step, start, callback)
    if isinstance(method, AWAStar):
        return _core.awa_star(lists, options, start, callback)
    scratch = "" if method.scratch_dir is None else str(method.scratch_dir)
    return _core.breadth_first(lists, options, start, scratch, callback)


def _pattern_sizes(size: int | None, n_variables: int) -> list[int]:
    """Groups of that many variables; none leaves the choice to the core."""
    if size is None:
        return []
    size = min(size, _core.OrderGraphOptions.largest_pattern)
    whole, rest = divmod(n_variables, size)
    return [size] * whole + ([rest] if rest else [])
