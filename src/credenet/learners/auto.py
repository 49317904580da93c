"""The method that suits a component: which one, and why."""

from __future__ import annotations

from credenet.learners.components import MOST_LATTICE_VARIABLES, Component, Part, Solve
from credenet.learners.context import Context, Ledger
from credenet.learners.lattice import dp_bytes, solve_lattice
from credenet.learners.local import solve_local
from credenet.learners.methods import DP, AStar, OrderSearch

_SMALL = 20  # variables, for which all subsets are gone through in a moment


def solve_auto(reasons: dict[str, None]) -> Solve:
    """The search of one component by the method that suits it; the reasons are added to those given."""

    def solve(component: Component, context: Context, ledger: Ledger, number: int) -> Part:
        n = len(component)
        if n <= _SMALL and dp_bytes(n, DP(), context) <= context.memory:
            reasons[f"dp for up to {_SMALL} variables that hang together"] = None
            return solve_lattice(DP())(component, context, ledger, number)
        if n > MOST_LATTICE_VARIABLES:
            reasons[f"order_search for {n} variables that hang together, too many for an exact method"] = None
            return solve_local(OrderSearch())(component, context, ledger, number)
        part = solve_lattice(AStar())(component, context, ledger, number)
        if part.status != "memory_limit" or dp_bytes(n, DP(), context) > context.memory:
            reasons[f"astar for {n} variables that hang together"] = None
            return part
        reasons[f"dp for {n} variables that hang together, as astar ran out of memory"] = None
        return solve_lattice(DP())(component, context, ledger, number)

    return solve
