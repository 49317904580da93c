"""The integer program for networks of bounded tree-width: families, a topological order and an elimination order.

Tree-width at most k means that the moral graph can be filled in along an elimination order such that every variable has
at most k neighbours that are eliminated later, and these are neighbours of each other. So the columns are: one for each
family; for each pair of variables which one comes first in the network, and which one is eliminated first; for each
ordered pair (i, j) whether j is a later neighbour of i: adjacent in the filled graph, and eliminated after it. Every
family must be a clique of the filled graph. Both orders are linear orderings: no three variables make a cycle.

Some elimination of a filled graph ends with any given variable, so the program fixes the last one. A graph of
tree-width k has no clique of k + 2 variables and at most k n - k (k + 1) / 2 edges; rows that say so strengthen the
linear relaxation. There are about n^3 rows. Sources: Parviainen, Farahani and Lagergren 2014 (TWILP); Nie, Maua, de
Campos and Ji 2014.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from itertools import combinations, pairwise, permutations
from typing import Any, NamedTuple

import highspy
import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet.families.arrays import FlatFamilies
from credenet.search.ilp.cuts import CuttingPlanes
from credenet.search.ilp.linear_program import Floats, new_solver, run_solver

_MOST_CLIQUE_ROWS = 500  # Clique rows above which they cost more time than they save.
_RESTARTS = 100  # Random restarts of the greedy search for an elimination order.
_SECONDS = 1.5e-6  # Seconds to write one term of a row.
_BYTES = 500  # Bytes of one term of a row, with the solver's own copy.

Watch = Callable[[int, float], bool]
"""Receives the number of nodes and a bound; its answer False ends the search."""

Take = Callable[[NDArray[np.int64], list[int]], None]
"""Receives the families and the elimination order of a network."""


class ProgramResult(NamedTuple):
    """How the solver ended, and a bound on all networks; the bound is -inf if no network has the score asked for."""

    bound: float
    nodes: int
    is_finished: bool = False
    is_interrupted: bool = False


def program_cost(flat: FlatFamilies, tree_width: int) -> tuple[int, float]:
    """The estimated bytes of the program, and the estimated seconds to pass it to the solver."""
    n_variables = len(flat.starts) - 1
    terms = 3 * n_variables**3 + int((flat.sizes * (flat.sizes + 2)).sum())
    if _has_clique_rows(n_variables, tree_width):
        terms += math.comb(n_variables, tree_width + 2) * (tree_width + 2) * (tree_width + 1)
    return _BYTES * terms, _SECONDS * terms


def _has_clique_rows(n_variables: int, tree_width: int) -> bool:
    return math.comb(n_variables, tree_width + 2) <= _MOST_CLIQUE_ROWS


class EliminationProgram:
    """The program of some families; the cost of a family is the best score of its variable less its own score."""

    def __init__(self, flat: FlatFamilies, tree_width: int, last: int) -> None:
        self._flat = flat
        self._n = n = len(flat.starts) - 1
        self._children = flat.children
        self.best = math.fsum(flat.scores[flat.starts[:-1]].tolist())
        n_families = len(flat.scores)
        pairs = n * (n - 1) // 2
        self._later = n_families  # First column of the later neighbours.
        self._network = self._later + n * n  # First column of the topological order.
        self._elimination = self._network + pairs  # First column of the elimination order.
        self._pair = {pair: at for at, pair in enumerate(combinations(range(n), 2))}
        self._rows = _ProgramRows()
        self._order_rows()
        self._fill_rows(tree_width)
        self._clique_rows(tree_width)
        self._family_rows()
        self._solver = self._fill_solver(self._elimination + pairs, last)

    def add_cuts(self, cuts: CuttingPlanes, numbers: list[int], column_of: NDArray[np.int32]) -> None:
        """Adds the inequalities ``numbers`` over families; ``column_of`` is -1 for a family without a column."""
        starts, columns, values, limits = cuts.rows.matrix(np.array(numbers, dtype=np.int32), column_of)
        lower = np.full(len(numbers), -highspy.kHighsInf)
        self._solver.addRows(len(numbers), lower, limits, len(values), starts, columns, values)

    def start_from(self, families: NDArray[np.int64], elimination_order: list[int]) -> None:
        """Passes a first network to the solver."""
        values = np.zeros(self._elimination + len(self._pair))
        values[families] = 1
        network_order = _core.topological_order(self._n, *_arcs(self._flat, families)).tolist()
        for first, order in ((self._network, network_order), (self._elimination, elimination_order)):
            for i, j in combinations(order, 2):
                values[first + self._pair[min(i, j), max(i, j)]] = i < j
        for i, others in later_neighbours(cliques(self._flat, families), elimination_order).items():
            for j in others:
                values[self._later + i * self._n + j] = 1
        solution = highspy.HighsSolution()
        solution.col_value = values.tolist()
        self._solver.setSolution(solution)

    def solve(self, time_limit: float, least: float, watch: Watch, take: Take) -> ProgramResult:
        """Searches for the best network that scores at least ``least``; the time or ``watch`` may end it earlier."""
        solver, events = self._solver, _SolverEvents(self, watch, take)
        if math.isfinite(time_limit):
            solver.setOptionValue("time_limit", max(time_limit, 0.0))
        if math.isfinite(least):
            solver.setOptionValue("objective_bound", self.best - least)
        solver.cbMipInterrupt += events.check
        solver.cbMipImprovingSolution += events.improve
        try:
            run_solver(solver)
        except KeyboardInterrupt as error:  # Ctrl-C arrived between two lines of the solver's own Python code.
            events.error = error
        if isinstance(events.error, KeyboardInterrupt):
            return ProgramResult(events.bound, events.nodes, is_interrupted=True)
        if events.error is not None:
            raise events.error
        status, info = solver.getModelStatus(), solver.getInfo()
        if status in (highspy.HighsModelStatus.kInfeasible, highspy.HighsModelStatus.kObjectiveBound):
            return ProgramResult(-math.inf, events.nodes, is_finished=True)
        if info.primal_solution_status == highspy.kSolutionStatusFeasible:
            take(*self.network_of(np.asarray(solver.getSolution().col_value)))
        nodes = max(0, int(info.mip_node_count))
        is_finished = status == highspy.HighsModelStatus.kOptimal
        return ProgramResult(self.best - info.mip_dual_bound, nodes, is_finished=is_finished)

    def network_of(self, values: Floats) -> tuple[NDArray[np.int64], list[int]]:
        """The families and the elimination order of a solution."""
        starts = self._flat.starts
        families = [start + int(values[start:end].argmax()) for start, end in pairwise(starts.tolist())]
        later = values[self._later : self._network].reshape(self._n, self._n) > 0.5
        earlier, later_ones = (np.ascontiguousarray(places, dtype=np.int32) for places in np.nonzero(later))
        order = _core.topological_order(self._n, earlier, later_ones).tolist()
        return np.array(families, dtype=np.int64), order

    def _later_column(self, i: int, j: int) -> int:
        return self._later + i * self._n + j

    def _imply(self, columns: list[int], first: int, i: int, j: int) -> None:
        """Adds a row: one of the columns may be 1, and only if i precedes j in the order that starts at ``first``."""
        sign, limit = (-1.0, 0.0) if i < j else (1.0, 1.0)
        pair = first + self._pair[min(i, j), max(i, j)]
        self._rows.add([*columns, pair], [*[1.0] * len(columns), sign], limit)

    def _order_rows(self) -> None:
        for first in (self._network, self._elimination):
            for a, b, c in combinations(range(self._n), 3):
                columns = [first + self._pair[a, b], first + self._pair[b, c], first + self._pair[a, c]]
                self._rows.add(columns, [1.0, 1.0, -1.0], 1.0, lower=0.0)

    def _fill_rows(self, tree_width: int) -> None:
        n, later = self._n, self._later_column
        for i, j in permutations(range(n), 2):
            self._imply([later(i, j)], self._elimination, i, j)
        for i in range(n):
            others = [j for j in range(n) if j != i]
            self._rows.add([later(i, j) for j in others], [1.0] * (n - 1), tree_width)
            for j, h in combinations(others, 2):
                self._rows.add([later(i, j), later(i, h), later(j, h), later(h, j)], [1.0, 1.0, -1.0, -1.0], 1.0)

    def _clique_rows(self, tree_width: int) -> None:
        most_edges = tree_width * self._n - tree_width * (tree_width + 1) // 2
        self._limit_edges(range(self._n), most_edges)
        if _has_clique_rows(self._n, tree_width):
            for members in combinations(range(self._n), tree_width + 2):
                self._limit_edges(members, math.comb(tree_width + 2, 2) - 1)

    def _limit_edges(self, members: Iterable[int], most: int) -> None:
        columns = [self._later_column(i, j) for i, j in permutations(members, 2)]
        self._rows.add(columns, [1.0] * len(columns), most)

    def _family_rows(self) -> None:
        """Adds rows: every variable has one family, which is a clique of the filled graph; its parents precede it."""
        with_parent: dict[tuple[int, int], list[int]] = {}
        with_pair: dict[tuple[int, int, int], list[int]] = {}
        for family, (child, *parents) in enumerate(cliques(self._flat, np.arange(len(self._flat.scores)))):
            for parent in parents:
                with_parent.setdefault((parent, child), []).append(family)
            for i, j in combinations(sorted((child, *parents)), 2):
                with_pair.setdefault((child, i, j), []).append(family)
        for start, end in pairwise(self._flat.starts.tolist()):
            self._rows.add(list(range(start, end)), [1.0] * (end - start), 1.0, lower=1.0)
        for (parent, child), families in with_parent.items():
            self._imply(families, self._network, parent, child)
        for (_, i, j), families in with_pair.items():
            columns = [*families, self._later_column(i, j), self._later_column(j, i)]
            self._rows.add(columns, [*[1.0] * len(families), -1.0, -1.0], 0.0)

    def _fill_solver(self, n_columns: int, last: int) -> Any:
        """The solver with all columns and rows; the variable ``last`` is eliminated last."""
        solver = new_solver()
        for name, value in {
            "presolve": "choose",
            "solver": "choose",
            "mip_rel_gap": 0.0,
            "mip_abs_gap": 1e-9,
            "mip_feasibility_tolerance": 1e-9,
        }.items():
            solver.setOptionValue(name, value)
        lower, upper = np.zeros(n_columns), np.ones(n_columns)
        for j in range(self._n):
            upper[[self._later_column(last, j), self._later_column(j, j)]] = 0
            if j < last:
                lower[self._elimination + self._pair[j, last]] = 1
            elif j > last:
                upper[self._elimination + self._pair[last, j]] = 0
        solver.addVars(n_columns, lower, upper)
        best = self._flat.scores[self._flat.starts[:-1]]
        costs = np.zeros(n_columns)
        costs[: self._later] = best[self._children] - self._flat.scores
        solver.changeColsCost(n_columns, np.arange(n_columns, dtype=np.int32), costs)
        # The columns of the elimination order need not be whole: it follows from the later neighbours.
        whole = np.arange(self._elimination, dtype=np.int32)
        solver.changeColsIntegrality(len(whole), whole, np.array([highspy.HighsVarType.kInteger] * len(whole)))
        self._rows.give_to(solver)
        return solver


class _ProgramRows:
    """Collects rows of the program."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._columns: list[int] = []
        self._values: list[float] = []
        self._lower: list[float] = []
        self._upper: list[float] = []

    def add(self, columns: list[int], values: list[float], upper: float, *, lower: float = -highspy.kHighsInf) -> None:
        self._starts.append(len(self._columns))
        self._columns += columns
        self._values += values
        self._lower.append(lower)
        self._upper.append(upper)

    def give_to(self, solver: Any) -> None:
        solver.addRows(
            len(self._starts),
            np.array(self._lower),
            np.array(self._upper, dtype=np.float64),
            len(self._columns),
            np.array(self._starts, dtype=np.int32),
            np.array(self._columns, dtype=np.int32),
            np.array(self._values),
        )


class _SolverEvents:
    """Handles the solver's callbacks. An error ends the solver and is kept, as the solver cannot pass it on."""

    def __init__(self, program: EliminationProgram, watch: Watch, take: Take) -> None:
        self._program = program
        self._watch = watch
        self._take = take
        self.bound = math.inf
        self.nodes = 0
        self.error: BaseException | None = None

    def check(self, event: Any) -> None:
        try:
            self.nodes = int(event.data_out.mip_node_count)
            self.bound = min(self.bound, self._program.best - event.data_out.mip_dual_bound)
            is_over = self.error is not None or _core.is_process_ending()
            if is_over or not self._watch(self.nodes, self.bound):
                event.interrupt()
        except BaseException as error:
            self.error = error
            event.interrupt()

    def improve(self, event: Any) -> None:
        try:
            self._take(*self._program.network_of(np.array(event.data_out.mip_solution)))
        except BaseException as error:
            self.error = error


def cliques(flat: FlatFamilies, families: NDArray[np.int64]) -> list[list[int]]:
    """For each of the families the list of its variable and its parents."""
    children = flat.children[families].tolist()
    spans = zip(children, flat.offsets[families].tolist(), flat.offsets[families + 1].tolist(), strict=True)
    return [[child, *flat.parents[start:end].tolist()] for child, start, end in spans]


def is_acyclic(flat: FlatFamilies, families: NDArray[np.int64]) -> bool:
    """Whether the families, one of each variable, form a DAG."""
    n_variables = len(flat.starts) - 1
    return len(_core.topological_order(n_variables, *_arcs(flat, families))) == n_variables


def later_neighbours(several: Iterable[list[int]], elimination_order: Iterable[int]) -> dict[int, set[int]]:
    """For each variable its neighbours that are eliminated after it, in the filled graph of the cliques."""
    order = list(elimination_order)
    around: dict[int, set[int]] = {variable: set() for variable in order}
    for clique in several:
        for i, j in permutations(clique, 2):
            around[i].add(j)
    for variable in order:
        for other in around[variable]:
            around[other] |= around[variable] - {other}
            around[other].discard(variable)
    return around


def greedy_order(flat: FlatFamilies, families: NDArray[np.int64], seed: int) -> list[int]:
    """An elimination order of the moral graph of the families that adds few fill-in edges."""
    n_variables = len(flat.starts) - 1
    edges = {tuple(sorted(pair)) for clique in cliques(flat, families) for pair in combinations(clique, 2)}
    tails, heads = np.array(sorted(edges), dtype=np.int32).reshape(-1, 2).T
    states = np.full(n_variables, 2, dtype=np.int32)
    ends = np.ascontiguousarray(tails), np.ascontiguousarray(heads)
    found, _, _ = _core.elimination_order(n_variables, *ends, states, False, _RESTARTS, seed, 1)
    order: list[int] = found.tolist()
    return order


def _arcs(flat: FlatFamilies, families: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    arcs = [(parent, child) for child, *parents in cliques(flat, families) for parent in parents]
    tails, heads = np.array(arcs, dtype=np.int32).reshape(-1, 2).T
    return np.ascontiguousarray(tails), np.ascontiguousarray(heads)
