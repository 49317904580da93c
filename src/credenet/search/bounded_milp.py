"""The best network of bounded tree-width by integer programming, with a bound.

Suppose that the network must score at least a target. Then only the families that some network above the target has,
whatever its tree-width, need to be considered. A table of all subsets (for few variables) and the reduced costs of a
linear program with cutting planes against cycles tell which these are. The target is first close to the best score
without a bound on the tree-width, then twice as far below, and so on, until a network reaches it or it is the best
score known. For each target an integer program (`EliminationProgram`) of the few families that are left is solved, with
the cutting planes that were tight. A network that HiGHS finds is accepted only after its families and its elimination
order were checked here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._run.run import Run
from credenet._run.status import CoreStatus
from credenet.families.arrays import FlatFamilies, distinct_best
from credenet.families.tolerance import tolerance
from credenet.search.components import Choice
from credenet.search.cost import QUICK_TABLE, table_bytes
from credenet.search.elimination_program import (
    EliminationProgram,
    ProgramResult,
    cliques,
    greedy_order,
    is_acyclic,
    later_neighbours,
    program_cost,
)
from credenet.search.ilp.cuts import CuttingPlanes
from credenet.search.ilp.linear_program import LinearProgram

_ITERATIONS = 500  # Simplex iterations between looks at the clock, which take some milliseconds.
_MOST_ROUNDS = 100  # Rounds of cutting planes over families.
_FIRST_SLACK = 2.0  # Nats from the best score of any tree-width down to the first target.
_LARGEST_SLACK = 1e6  # Nats of slack above which the last target allows all families.
_STEP = 0.1  # Seconds between two reports.
_SLACK = 1e-6  # Nats per variable added to a bound, as the solver's rows and reduced costs are inexact.


class BoundedNetwork(NamedTuple):
    """A network and an order in which its moral graph is eliminated; the first variable is eliminated first."""

    choice: Choice
    elimination_order: list[int]


@dataclass(slots=True, kw_only=True)
class BoundedOptimum:
    """The best network found and what is proven of it.

    Attributes
    ----------
    network
        The best network; None if there is none, or none yet.
    bound
        No network of this tree-width scores higher; equal to the score if the status is ``optimal``.
    status
        ``optimal`` (up to the tolerance of the solver, one in a million), ``infeasible``, ``stopped``,
        ``interrupted`` (by Ctrl-C) or ``memory_limit``.
    trace
        Seconds, best score and bound, whenever the score or the bound improved.
    """

    network: BoundedNetwork | None = None
    score: float = -math.inf
    bound: float = math.inf
    status: CoreStatus = "stopped"
    n_nodes: int = 0
    trace: list[tuple[float, float, float]] = field(default_factory=list)


def find_best_bounded(
    families: FlatFamilies,
    tree_width: int,
    run: Run,
    *,
    first: BoundedNetwork | None = None,
    upper_bound: float = math.inf,
) -> BoundedOptimum:
    """The best network whose tree-width is at most ``tree_width``.

    Parameters
    ----------
    families
        The families of all variables, best first for each variable.
    first
        A network to start from.
    upper_bound
        No network scores higher, for example the best score without a bound on the tree-width.
    """
    return _BoundedProgramSearch(families, tree_width, run, first, upper_bound).result()


class _BoundedProgramSearch:
    def __init__(
        self, families: FlatFamilies, tree_width: int, run: Run, first: BoundedNetwork | None, upper_bound: float
    ) -> None:
        self._families = families
        self._n = len(families.starts) - 1
        self._tree_width = min(tree_width, self._n - 1)
        self._run = run
        self._report = run.callback(tells_score=True)
        self._next_report = -math.inf
        self._target = -math.inf
        self._incumbent = BoundedOptimum(bound=upper_bound)
        if first is not None:
            self._take(first)

    def result(self) -> BoundedOptimum:
        incumbent = self._incumbent
        useful = self._useful()
        flat, places = self._families.keep(useful), np.flatnonzero(useful)
        if (np.diff(flat.starts) == 0).any():
            incumbent.status, incumbent.bound = "infeasible", -math.inf
            return incumbent
        if self._n <= 1:
            self._take(BoundedNetwork(places, list(range(self._n))))
        try:
            if not self._is_proven and self._goes_on():
                self._search(flat, places)
        except KeyboardInterrupt:
            incumbent.status = "interrupted"
        if self._is_proven:
            incumbent.status, incumbent.bound = "optimal", incumbent.score
        return incumbent

    @property
    def _is_proven(self) -> bool:
        incumbent = self._incumbent
        return incumbent.network is not None and incumbent.bound <= incumbent.score + tolerance(incumbent.score)

    def _useful(self) -> NDArray[np.bool_]:
        """The families that fit the tree-width and that a best network may have."""
        return distinct_best(self._families) & (self._families.sizes <= self._tree_width)

    def _search(self, flat: FlatFamilies, places: NDArray[np.int64]) -> None:
        """Lowers the target until the best network is proven or something ends the search."""
        incumbent = self._incumbent
        table = self._table(flat, places)
        if incumbent.status == "infeasible":
            return
        if table is None:
            self._relax(flat, CuttingPlanes(flat))
        top, slack, is_closed = incumbent.bound, _FIRST_SLACK, True
        while is_closed and not self._is_proven and self._goes_on():
            self._target = max(incumbent.score, top - slack) if slack <= _LARGEST_SLACK else incumbent.score
            keep = np.ones(len(places), dtype=np.bool_)
            if table is not None:
                keep = _credible(table, table.optimum - self._target + tolerance(top))
            is_closed = self._close_stage(flat.keep(keep), places[keep], is_whole=bool(keep.all()))
            slack *= 2

    def _table(self, flat: FlatFamilies, places: NDArray[np.int64]) -> _core.CredibleSearch | None:
        """A table of the best networks of all subsets, if variables are few; offers its best network as a first one."""
        if self._n > QUICK_TABLE or table_bytes(self._n, self._run.n_threads) > self._run.memory:
            return None
        table = _core.CredibleSearch(flat.lists, np.arange(self._n, dtype=np.int32))
        status = table.solve(self._run.n_threads, self._run.callback())
        if status == "interrupted":
            raise KeyboardInterrupt
        if status == "infeasible":
            self._incumbent.status, self._incumbent.bound = status, -math.inf
        if status != "optimal":
            return None
        self._lower_bound(table.optimum + tolerance(table.optimum) / 2)
        best = np.array(table.best_families, dtype=np.int64)
        self._take(BoundedNetwork(places[best], greedy_order(flat, best, self._run.seed)))
        return table

    def _close_stage(self, flat: FlatFamilies, places: NDArray[np.int64], *, is_whole: bool) -> bool:
        """Solves the program of some families; True once its optimum is known or no network reaches the target."""
        incumbent = self._incumbent
        cuts = CuttingPlanes(flat)
        keep, tight = self._relax(flat, cuts)
        if is_whole and keep.all():
            self._target = incumbent.score
        if np.bincount(flat.children[keep], minlength=self._n).min() == 0:
            self._lower_bound(self._target)
            return True
        flat, places = flat.keep(keep), places[keep]
        n_bytes, seconds = program_cost(flat, self._tree_width)
        if n_bytes > self._run.memory:
            incumbent.status = "memory_limit"
            return False
        if seconds > self._run.clock.seconds_left or not self._goes_on():
            return False
        first = incumbent.network
        program = EliminationProgram(flat, self._tree_width, 0 if first is None else first.elimination_order[-1])
        program.add_cuts(cuts, tight, np.where(keep, np.cumsum(keep) - 1, -1).astype(np.int32))
        if first is not None and np.isin(first.choice, places).all():
            program.start_from(np.searchsorted(places, first.choice), first.elimination_order)

        def take(chosen: NDArray[np.int64], order: list[int]) -> None:
            self._take(BoundedNetwork(places[chosen], order))

        return self._conclude(
            program.solve(self._run.clock.seconds_left, self._target - _SLACK * self._n, self._watch, take)
        )

    def _relax(self, flat: FlatFamilies, cuts: CuttingPlanes) -> tuple[NDArray[np.bool_], list[int]]:
        """The families that a network above the target may have, and the numbers of the tight inequalities."""
        keep = np.ones(len(flat.scores), dtype=np.bool_)
        active = np.ones(len(flat.scores), dtype=np.uint8)
        program = LinearProgram(cuts.rows, flat, np.arange(len(flat.scores)))
        for _ in range(_MOST_ROUNDS):
            solution = program.solve(_ITERATIONS)
            while not solution.is_finished and self._goes_on():
                solution = program.solve(_ITERATIONS)
            bound, reduced_costs = cuts.rows.bound(*solution.multipliers, active)
            if self._target > -math.inf:
                keep &= bound - reduced_costs >= self._target - tolerance(self._target)
            self._lower_bound(max(bound, self._target))
            if solution.is_ray or not self._goes_on() or not cuts.separate(program, solution.x, exactly=True):
                break
            cuts.age(program)
        is_slack = program.slack_rows().tolist()
        return keep, [number for number, slack in zip(program.numbers, is_slack, strict=False) if not slack]

    def _conclude(self, solved: ProgramResult) -> bool:
        """Takes over what the solver has proven; True if the current target is settled."""
        incumbent, slack = self._incumbent, _SLACK * self._n
        incumbent.n_nodes += solved.nodes
        if solved.bound == self._target == incumbent.score == -math.inf:
            incumbent.status, incumbent.bound = "infeasible", -math.inf
            return False
        is_best = solved.is_finished and incumbent.score >= solved.bound - slack
        bound = incumbent.score if is_best else solved.bound + slack
        self._lower_bound(max(bound, self._target))
        if solved.is_interrupted:
            raise KeyboardInterrupt
        return bound < self._target or self._is_proven

    def _take(self, network: BoundedNetwork) -> None:
        """Keeps a network if it is the best so far and has the tree-width."""
        incumbent = self._incumbent
        score = math.fsum(self._families.scores[network.choice].tolist())
        if score > incumbent.score and _is_bounded(self._families, network, self._tree_width):
            incumbent.network, incumbent.score, incumbent.bound = network, score, max(score, incumbent.bound)
            self._add_point(score, incumbent.bound)

    def _lower_bound(self, bound: float) -> None:
        incumbent = self._incumbent
        incumbent.bound = min(incumbent.bound, max(bound, incumbent.score))
        self._add_point(incumbent.score, incumbent.bound)

    def _watch(self, n_nodes: int, bound: float) -> bool:
        """Whether the solver should continue, as the current target is not settled."""
        bound += _SLACK * self._n
        self._lower_bound(max(bound, self._target))
        if self._is_proven or bound < self._target:
            return False
        return self._goes_on(n_nodes)

    def _goes_on(self, n_nodes: int = 0) -> bool:
        """Whether to continue; reports progress a few times a second."""
        if self._run.stop.is_asked:
            return False
        if self._run.clock.seconds_passed < self._next_report:
            return True
        self._next_report = self._run.clock.seconds_passed + _STEP
        incumbent = self._incumbent
        known = [value if math.isfinite(value) else math.nan for value in (incumbent.score, incumbent.bound)]
        return self._report(incumbent.n_nodes + n_nodes, 0, *known) is not False

    def _add_point(self, score: float, bound: float) -> None:
        trace = self._incumbent.trace
        if not trace or score > trace[-1][1] or bound < trace[-1][2]:
            trace.append((self._run.clock.seconds_passed, score, bound))


def _credible(table: _core.CredibleSearch, slack: float) -> NDArray[np.bool_]:
    """A mask of the families that occur in a network within ``slack`` of the best."""
    status, credible = table.credible_families(slack, None)
    if status == "interrupted":
        raise KeyboardInterrupt
    return credible.astype(np.bool_)


def _is_bounded(families: FlatFamilies, network: BoundedNetwork, tree_width: int) -> bool:
    """Whether the network has no cycle and its order eliminates the moral graph with width ``tree_width`` at most."""
    n_variables = len(families.starts) - 1
    order = network.elimination_order
    if sorted(order) != list(range(n_variables)) or not is_acyclic(families, network.choice):
        return False
    later = later_neighbours(cliques(families, network.choice), order)
    return all(len(others) <= tree_width for others in later.values())
