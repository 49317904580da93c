"""The engine of each method, which searches one component of a family table.

Engines that solve linear programs are imported only when they are chosen, as they load HiGHS.
"""

from __future__ import annotations

from functools import singledispatch

from credenet._run.run import Run
from credenet._text import listing
from credenet.families.table import FamilyTable
from credenet.knowledge.kinds import global_kinds
from credenet.search.components import Reasons, Solve
from credenet.search.ilp.constraints import Constraints
from credenet.search.lattice import check_dp, check_lattice, solve_dp, solve_order_graph
from credenet.search.local import join_start, solve_climb, solve_orders
from credenet.settings.method_bases import Climb, OrderGraphSearch, ScoreBased
from credenet.settings.methods import DP, ILP, Auto, OrderSearch


@singledispatch
def choose_solver(
    method: ScoreBased, families: FamilyTable, constraints: Constraints | None, run: Run, reasons: Reasons
) -> Solve | None:
    """The search of one component by a method; None if no network obeys the constraints."""
    raise NotImplementedError(f"no engine is registered for {type(method).__name__}")


@choose_solver.register(Auto)
def _auto(
    method: Auto, families: FamilyTable, constraints: Constraints | None, run: Run, reasons: Reasons
) -> Solve | None:
    if constraints is None:
        from credenet.search.auto import solve_auto

        return solve_auto(reasons)
    reasons[f"ilp, which honours {listing(global_kinds(constraints.knowledge))}"] = None
    return _ilp(ILP(), families, constraints, run, reasons)


@choose_solver.register(DP)
def _dp(method: DP, families: FamilyTable, constraints: Constraints | None, run: Run, reasons: Reasons) -> Solve | None:
    check_dp(families, method, run)
    return solve_dp(method)


@choose_solver.register(OrderGraphSearch)
def _order_graph(
    method: OrderGraphSearch, families: FamilyTable, constraints: Constraints | None, run: Run, reasons: Reasons
) -> Solve | None:
    check_lattice(families, method.short_name)
    return solve_order_graph(method)


@choose_solver.register(ILP)
def _ilp(
    method: ILP, families: FamilyTable, constraints: Constraints | None, run: Run, reasons: Reasons
) -> Solve | None:
    from credenet.search.ilp.branch_and_cut import solve_ilp

    return solve_ilp(method, constraints)


@choose_solver.register(OrderSearch)
def _order_search(
    method: OrderSearch, families: FamilyTable, constraints: Constraints | None, run: Run, reasons: Reasons
) -> Solve | None:
    return solve_orders(method.iterations)


@choose_solver.register(Climb)
def _climb(
    method: Climb, families: FamilyTable, constraints: Constraints | None, run: Run, reasons: Reasons
) -> Solve | None:
    if constraints is None:
        return solve_climb(method)
    start = join_start(families, constraints, run)
    return None if start is None else solve_climb(method, start)
