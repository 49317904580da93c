"""The method that suits a component: which one, and why.

Up to about twenty variables, going through all subsets takes less time than thinking about it. Beyond that A* with
pattern databases is mostly faster by far, but not always; so where dynamic programming fits in memory, A* is given as
long as that is estimated to take, and no answer costs more than twice the better of the two.
"""

from __future__ import annotations

from dataclasses import replace

from credenet import _core
from credenet.learners.components import MOST_LATTICE_VARIABLES, Component, Part, Solve
from credenet.learners.context import Clock, Context, Ledger
from credenet.learners.lattice import dp_bytes, solve_lattice
from credenet.learners.local import solve_local
from credenet.learners.methods import DP, AWAStar, OrderSearch

_SMALL = 20


def solve_auto(reasons: dict[str, None]) -> Solve:
    """The search of one component by the method that suits it; the reasons are added to those given."""

    def solve(component: Component, context: Context, ledger: Ledger, number: int) -> Part:
        n = len(component)
        fits = dp_bytes(n, DP(), context) <= context.memory
        if n <= _SMALL and fits:
            reasons[f"dp for up to {_SMALL} variables that hang together"] = None
            return solve_lattice(DP())(component, context, ledger, number)
        if n > MOST_LATTICE_VARIABLES:
            reasons[f"order_search for {n} variables that hang together, too many for an exact method"] = None
            return solve_local(OrderSearch())(component, context, ledger, number)
        search = solve_lattice(AWAStar())
        if not fits:
            reasons[f"awa_star for {n} variables that hang together, too many for dp"] = None
            return search(component, context, ledger, number)
        short = _shorter(context, _core.subset_dp_seconds(component.lists))
        part = search(component, short, ledger, number)
        took_too_long = part.status == "stopped" and short.clock.is_over and not part.interrupted
        if context.clock.is_over or not (took_too_long or part.status == "memory_limit"):
            reasons[f"awa_star for {n} variables that hang together"] = None
            return part
        reasons[f"dp for {n} variables that hang together, as awa_star took longer"] = None
        whole = solve_lattice(DP())(component, context, ledger, number)
        return part if whole.choice is None else whole

    return solve


def _shorter(context: Context, seconds: float) -> Context:
    """The same with at most so much time from now."""
    end = context.clock.passed + min(seconds, context.clock.left)
    return replace(context, clock=Clock(end, context.clock.start))
