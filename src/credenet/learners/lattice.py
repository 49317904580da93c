"""Exact search over subsets of one component's variables, and the anytime variants of it."""

from __future__ import annotations

from credenet import _core
from credenet.errors import ArgumentError
from credenet.families import FamilyTable
from credenet.learners.components import MOST_LATTICE_VARIABLES, Component, Part, Solve, components_of, part_of
from credenet.learners.context import Context, Ledger
from credenet.learners.methods import DP, Lattice
from credenet.text import byte_count


def check_lattice(families: FamilyTable, method: Lattice, context: Context) -> None:
    """Refuses what cannot be done, with the figure, before anything is done."""
    largest = max(map(len, components_of(families)), default=0)
    if largest > MOST_LATTICE_VARIABLES:
        raise ArgumentError(
            f"{method.short_name} takes at most {MOST_LATTICE_VARIABLES} variables that hang together, here are "
            f"{largest}; use order_search, or fewer candidate parents"
        )
    if isinstance(method, DP) and largest > 1:
        needed = dp_bytes(largest, method, context)
        if needed > context.memory:
            raise ArgumentError(
                f"dp needs {byte_count(needed)} for the {largest} variables that hang together, the memory limit is "
                f"{byte_count(context.memory)}; astar and bfbnb (with scratch_dir) take what they are given, "
                "order_search hardly any"
            )


def dp_bytes(n_variables: int, method: DP, context: Context) -> int:
    """The memory that dynamic programming takes in the form that is allowed and fits, or else in the smallest."""
    return _core.subset_dp_bytes(n_variables, _is_layered(n_variables, method, context), context.n_threads)


def _is_layered(n_variables: int, method: DP, context: Context) -> bool:
    if method.layered is not None:
        return method.layered
    return _core.subset_dp_bytes(n_variables, False, context.n_threads) > context.memory


def solve_lattice(method: Lattice) -> Solve:
    """The search of one component by a method."""

    def solve(component: Component, context: Context, ledger: Ledger, number: int) -> Part:
        callback = context.callback(ledger, number)
        if isinstance(method, DP):
            layered = _is_layered(len(component), method, context)
            outcome = _core.subset_dp(component.lists, layered, int(context.memory), context.n_threads, callback)
        return part_of(outcome, component.from_lists(outcome.families) if outcome.families else None)

    return solve
