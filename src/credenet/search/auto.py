"""Method ``auto`` for one component: which method to use, and why.

Up to about twenty variables, dynamic programming (a table of all subsets) takes less time than the choice. Beyond that,
branch and cut and A* with pattern databases are mostly much faster, each on other problems. If the table fits into
memory, branch and cut gets as long as the table is estimated to take, so that no answer costs more than twice the
better of the two; with too many families for branch and cut the table is made at once. If the table does not fit,
branch and cut and A* get a turn each, A* the shorter one, and the one with the better bound gets the rest of the time.
Branch and cut then continues where it stopped. Each search starts from the scores and bounds of those before it.
"""

from __future__ import annotations

import math
from dataclasses import replace

from credenet._run.ledger import Ledger
from credenet._run.run import Run
from credenet._text import count
from credenet.search import cost
from credenet.search.components import Component, ComponentResult, Reasons, Solve
from credenet.search.ilp.branch_and_cut import BranchAndCut, solve_ilp
from credenet.search.lattice import dp_bytes, solve_dp, solve_order_graph
from credenet.settings.methods import DP, ILP, AWAStar


def solve_auto(reasons: Reasons) -> Solve:
    """The search of one component by the method that suits it; ``reasons`` receives why."""

    def solve(component: Component, run: Run, ledger: Ledger, number: int) -> ComponentResult:
        turns = _SearchTurns(component, run, ledger, number)
        table, tree = solve_dp(DP()), solve_ilp(ILP())
        what = f"a component of {count(len(component), 'variable')}"
        n_families = len(component.flat.scores)
        fits = dp_bytes(len(component), DP(), run) <= run.memory
        way = cost.way_to_optimum(len(component), n_families, table_fits=fits)
        if way == "quick table":
            reasons[f"dp for components of up to {cost.QUICK_TABLE} variables"] = None
            return table(component, run, ledger, number)
        if way == "tree":
            reasons[f"ilp for {what}"] = None
            return turns.take(tree, None)
        if way == "table":
            reasons[f"dp for {what} with more than {cost.DENSE} families each"] = None
            return turns.take(table, None)
        if way == "tree, then table":
            result = turns.take(tree, cost.table_seconds(component))
            if turns.are_over:
                reasons[f"ilp for {what}"] = None
                return result
            reasons[f"dp for {what}, as ilp took longer than dp would"] = None
            return turns.take(table, None)
        return _take_turns(turns, what, reasons)

    return solve


def _take_turns(turns: _SearchTurns, what: str, reasons: Reasons) -> ComponentResult:
    """Runs branch and cut and A* for some seconds each, then the one with the better bound.

    If that one runs out of memory, the other one continues. Branch and cut keeps its tree between its turns; A* starts
    anew.
    """
    tree, order_graph = BranchAndCut(ILP()), solve_order_graph(AWAStar())

    def beside_tree(component: Component, run: Run, ledger: Ledger, number: int) -> ComponentResult:
        return order_graph(component, replace(run, memory=run.memory - tree.n_bytes), ledger, number)

    searches: dict[str, tuple[Solve, float]] = {
        "ilp": (tree, cost.TREE_TURN),
        "awa_star": (beside_tree, cost.LATTICE_TURN),
    }
    reached = {}
    for name, (search, seconds) in searches.items():
        result = turns.take(search, seconds)
        reached[name] = turns.bound
        if turns.are_over:
            reasons[f"{name} for {what}, too many for dp"] = None
            return result
    for name in sorted(searches, key=lambda name: reached[name]):
        result = turns.take(searches[name][0], None)
        if turns.are_over:
            break
    reasons[f"{name} for {what}, too many for dp, as its bound fell faster"] = None
    return result


class _SearchTurns:
    """Several searches of one component in a row, with one result."""

    def __init__(self, component: Component, run: Run, ledger: Ledger, number: int) -> None:
        self._component = component
        self._run = run
        self._ledger = ledger
        self._number = number
        self._start = run.clock.seconds_passed
        self._best: ComponentResult | None = None
        self._n_full = 0  # Turns in a row that ended for lack of memory.
        self.are_over = False
        self.bound = math.inf  # Bound of the last turn alone.

    def take(self, search: Solve, seconds: float | None) -> ComponentResult:
        """Runs a search for at most ``seconds``; the best of all turns. Sets `are_over` if no turn needs to follow."""
        clock = self._run.clock
        begin = clock.seconds_passed
        limited = self._run if seconds is None else self._run.end_within(seconds=seconds)
        result = search(self._component, limited, self._ledger, self._number)
        result.trace = [(begin - self._start + at, score, bound) for at, score, bound in result.trace]
        self._n_full = self._n_full + 1 if result.status == "memory_limit" else 0
        was_timed_out = result.status == "stopped" and limited.clock.is_over
        may_go_on = (was_timed_out or result.status == "memory_limit") and not clock.is_over and self._n_full < 2
        self.are_over = not may_go_on
        self.bound = result.bound
        best = self._best
        if best is not None:
            result.trace = best.trace + result.trace
            result.expanded += best.expanded
            result.generated += best.generated
            result.peak_bytes = max(result.peak_bytes, best.peak_bytes)
            result.bound = min(result.bound, best.bound)
            if result.choice is None or best.score > result.score:
                result.choice, result.score = best.choice, best.score
        if result.choice is not None:
            self._ledger.update(self._number, result.score, result.bound)
        self._best = result
        return result
