"""The method that suits a component: which one, and why.

Up to about twenty variables, going through all subsets takes less time than thinking about it. Beyond that, branch and
cut and A* with pattern databases are mostly faster by far, each on other problems. Where dynamic programming fits in
memory, branch and cut is given as long as that is estimated to take, so that no answer costs more than twice the better
of the two, unless there are so many families that it would not come far; elsewhere branch and cut and A* have a short
turn each, and the one with the better bound goes on. What one finds bounds the next.
"""

from __future__ import annotations

import math
from dataclasses import replace

from credenet import _core
from credenet._run.clock import Clock
from credenet._run.ledger import Ledger
from credenet._run.run import Run
from credenet._text import count
from credenet.search.components import MOST_LATTICE_VARIABLES, Component, Part, Solve
from credenet.search.ilp.branch_and_cut import solve_ilp
from credenet.search.lattice import dp_bytes, solve_lattice
from credenet.search.methods import DP, ILP, AWAStar

_SMALL = 20
_DENSE = 500  # families of a variable on average; the linear program is then large, and its bound weak
_FIRST_TURN = 5.0  # seconds of each method


def solve_auto(reasons: dict[str, None]) -> Solve:
    """The search of one component by the method that suits it; the reasons are added to those given."""

    def solve(component: Component, run: Run, ledger: Ledger, number: int) -> Part:
        n = len(component)
        fits = dp_bytes(n, DP(), run) <= run.memory
        if n <= _SMALL and fits:
            reasons[f"dp for components of up to {_SMALL} variables"] = None
            return solve_lattice(DP())(component, run, ledger, number)
        together = f"a component of {count(n, 'variable')}"
        turns = _Turns(component, run, ledger, number)
        if n > MOST_LATTICE_VARIABLES:
            reasons[f"ilp for {together}"] = None
            return turns.take(solve_ilp(ILP()), None)
        if fits and len(component.flat.scores) > _DENSE * n:
            reasons[f"dp for {together} with more than {_DENSE} families each"] = None
            return turns.take(solve_lattice(DP()), None)
        if fits:
            part = turns.take(solve_ilp(ILP()), _core.subset_dp_seconds(component.lists))
            if turns.are_over:
                reasons[f"ilp for {together}"] = None
                return part
            reasons[f"dp for {together}, as ilp took longer than dp would"] = None
            return turns.take(solve_lattice(DP()), None)
        searches = {"ilp": solve_ilp(ILP()), "awa_star": solve_lattice(AWAStar())}
        reached = {}
        for name, search in searches.items():
            part = turns.take(search, _FIRST_TURN)
            reached[name] = turns.bound
            if turns.are_over:
                reasons[f"{name} for {together}, too many for dp"] = None
                return part
        for name in sorted(searches, key=lambda name: reached[name]):  # the other one if memory ends the first
            part = turns.take(searches[name], None)
            if turns.are_over:
                break
        reasons[f"{name} for {together}, too many for dp, as its bound fell faster"] = None
        return part

    return solve


class _Turns:
    """Several searches of one component, one after the other, as one."""

    def __init__(self, component: Component, run: Run, ledger: Ledger, number: int) -> None:
        self._component = component
        self._run = run
        self._ledger = ledger
        self._number = number
        self._start = run.clock.passed
        self._best: Part | None = None
        self._n_full = 0  # turns in a row that ended for want of memory
        self.are_over = False
        self.bound = math.inf  # of the last turn by itself

    def take(self, search: Solve, seconds: float | None) -> Part:
        """The best of this turn, which may take so long, and those before; `are_over` if there need be no other."""
        clock = self._run.clock
        begin = clock.passed
        limited = self._run
        if seconds is not None:
            limited = replace(limited, clock=Clock(begin + min(seconds, clock.left), clock.start))
        part = search(self._component, limited, self._ledger, self._number)
        part.trace = [(begin - self._start + at, score, bound) for at, score, bound in part.trace]
        self._n_full = self._n_full + 1 if part.status == "memory_limit" else 0
        was_turned_out = part.status == "stopped" and limited.clock.is_over
        goes_on = (was_turned_out or part.status == "memory_limit") and not clock.is_over and self._n_full < 2
        self.are_over = not goes_on
        self.bound = part.bound
        best = self._best
        if best is not None:
            part.trace = best.trace + part.trace
            part.expanded += best.expanded
            part.generated += best.generated
            part.peak_bytes = max(part.peak_bytes, best.peak_bytes)
            part.bound = min(part.bound, best.bound)
            if part.choice is None or best.score > part.score:
                part.choice, part.score = best.choice, best.score
        if part.choice is not None:
            self._ledger.update(self._number, part.score, part.bound)
        self._best = part
        return part
