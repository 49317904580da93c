"""The linear program over families; no other file knows its solver.

Columns are families. The cost of a family is the best score of its variable less its own score; the sum is minimised.
The first rows say that every variable has one family; further rows come from `FamilyRows` by number. The solver's
objective is not trusted: bounds are computed anew from its dual values.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import highspy
import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet.families.arrays import FlatFamilies
from credenet.search.ilp.multipliers import Multipliers
from credenet.search.ilp.tunables import (
    BYTES_OF_START,
)

Mask = NDArray[np.uint8]
Numbers = NDArray[np.int32]
Floats = NDArray[np.float64]

_NO_LIMIT = 2**31 - 1  # Simplex iterations that mean no limit: the largest 32-bit number.


class Solution(NamedTuple):
    """The state of the solver when it ended: the share of every family, and dual values of the rows.

    Attributes
    ----------
    is_finished
        Whether more iterations would change nothing: the solution is optimal, there is none, or the solver cannot
        improve it.
    is_ray
        Whether there is no solution; the dual values then may be scaled up without end.
    """

    x: Floats
    multipliers: Multipliers
    is_finished: bool
    is_ray: bool


class Basis(NamedTuple):
    """A basis, with the families and the numbers of the rows of its linear program."""

    status: Any
    columns: NDArray[np.int64]
    numbers: list[int]


class CompactBasis(NamedTuple):
    """A basis in little memory: its families and equations, and the rows that are not in it.

    All other rows are in the basis, so it is a basis of every linear program with these families and rows.
    """

    families: Numbers
    equations: NDArray[np.bool_]
    tight_rows: Numbers

    @classmethod
    def from_basis(cls, basis: Basis) -> CompactBasis:
        n = len(basis.status.row_status) - len(basis.numbers)
        columns, rows = _are_basic(basis.status.col_status), _are_basic(basis.status.row_status)
        tight = np.array(basis.numbers, dtype=np.int32)[~rows[n:]]
        return cls(basis.columns[columns].astype(np.int32), rows[:n], tight)

    @property
    def n_bytes(self) -> int:
        return 4 * (len(self.families) + len(self.tight_rows)) + len(self.equations) + BYTES_OF_START


class LinearProgram:
    """A linear program with some of the families as columns and some of the inequalities as rows."""

    def __init__(self, rows: _core.FamilyRows, flat: FlatFamilies, columns: NDArray[np.int64]) -> None:
        self._rows = rows
        self._flat = flat
        self._children = flat.children
        best = flat.scores[np.minimum(flat.starts[:-1], len(flat.scores) - 1)]
        self._costs = best[self._children] - flat.scores
        self.n_variables = len(flat.starts) - 1
        self.iterations = 0
        self.numbers: list[int] = []
        self.columns = np.empty(0, dtype=np.int64)
        self._column_of = np.full(len(flat.scores), -1, dtype=np.int32)
        self._upper = np.empty(0)
        self._solver = new_solver()
        inf = highspy.kHighsInf
        ones = np.ones(self.n_variables)
        nothing = np.empty(0, dtype=np.int32)
        starts = np.zeros(self.n_variables, dtype=np.int32)
        self._solver.addRows(self.n_variables, ones, ones, 0, starts, nothing, np.empty(0))
        self._inf = inf
        self.add_columns(columns)

    def __len__(self) -> int:
        return len(self.numbers)

    def has_column(self) -> NDArray[np.bool_]:
        """A mask of the families that have a column."""
        return self._column_of >= 0

    def add_columns(self, families: NDArray[np.int64]) -> None:
        """Adds columns for further families."""
        count = len(families)
        if count == 0:
            return
        self._column_of[families] = np.arange(len(self.columns), len(self.columns) + count, dtype=np.int32)
        self.columns = np.concatenate((self.columns, families))
        self._upper = np.concatenate((self._upper, np.full(count, self._inf)))
        only = np.full(len(self._column_of), -1, dtype=np.int32)
        only[families] = np.arange(count, dtype=np.int32)
        starts, columns, values, _ = self._rows.matrix(np.array(self.numbers, dtype=np.int32), only)
        rows = self.n_variables + np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(columns))))
        columns = np.concatenate((np.arange(count), columns))
        rows = np.concatenate((self._children[families], rows))
        values = np.concatenate((np.ones(count), values))
        order = np.argsort(columns, kind="stable")
        first = np.searchsorted(columns[order], np.arange(count)).astype(np.int32)
        self._solver.addCols(
            count,
            self._costs[families],
            np.zeros(count),
            np.full(count, self._inf),
            len(values),
            first,
            rows[order].astype(np.int32),
            values[order],
        )

    def drop_columns(self, wanted: NDArray[np.bool_]) -> None:
        """Drops the columns that are not wanted, except those in the basis."""
        basis = self._solver.getBasis()
        status = basis.col_status
        stays = wanted[self.columns] | _are_basic(status)
        basis.col_status = [one for one, is_kept in zip(status, stays.tolist(), strict=True) if is_kept]
        gone = np.flatnonzero(~stays).astype(np.int32)
        self._solver.deleteCols(len(gone), gone)
        self._solver.setBasis(basis)
        self._column_of[self.columns] = -1
        self.columns, self._upper = self.columns[stays], self._upper[stays]
        self._column_of[self.columns] = np.arange(len(self.columns), dtype=np.int32)

    def add_rows(self, numbers: list[int]) -> None:
        """Adds further rows, by number."""
        if not numbers:
            return
        starts, columns, values, limits = self._rows.matrix(np.array(numbers, dtype=np.int32), self._column_of)
        lower = np.full(len(numbers), -self._inf)
        self._solver.addRows(len(numbers), lower, limits, len(values), starts, columns, values)
        self.numbers = self.numbers + numbers

    def drop_rows(self, places: list[int]) -> None:
        """Drops rows, by their places among `numbers`."""
        if not places:
            return
        basis = self._solver.getBasis()
        gone = set(places)
        kept = [place for place in range(len(self.numbers)) if place not in gone]
        status = basis.row_status
        basis.row_status = [*status[: self.n_variables], *(status[self.n_variables + place] for place in kept)]
        self._solver.deleteRows(len(places), np.array(places, dtype=np.int32) + self.n_variables)
        self._solver.setBasis(basis)
        self.numbers = [self.numbers[place] for place in kept]

    def set_active(self, active: Mask) -> None:
        """Fixes the families that are not active at 0, and only those."""
        upper = np.where(active[self.columns] > 0, self._inf, 0.0)
        changed = np.flatnonzero(upper != self._upper).astype(np.int32)
        if changed.size:
            self._solver.changeColsBounds(len(changed), changed, np.zeros(len(changed)), upper[changed])
            self._upper = upper

    def solve(self, max_iterations: int | None = None) -> Solution:
        """Solves from the last basis."""
        solver = self._solver
        solver.setOptionValue("simplex_iteration_limit", _NO_LIMIT if max_iterations is None else max_iterations)
        run_solver(solver)
        iterations = max(0, int(solver.getInfo().simplex_iteration_count))
        self.iterations += iterations
        status = solver.getModelStatus()
        is_cut_short = status == highspy.HighsModelStatus.kIterationLimit and iterations > 0
        infeasible = status == highspy.HighsModelStatus.kInfeasible
        found = solver.getSolution()
        x = np.zeros(len(self._column_of))
        values = np.asarray(found.col_value)
        if len(values) == len(self.columns):
            x[self.columns] = np.clip(values, 0.0, 1.0)
        duals = self._ray() if infeasible else np.asarray(found.row_dual)
        if len(duals) != self.n_variables + len(self.numbers):
            duals = np.zeros(self.n_variables + len(self.numbers))
        charges = np.maximum(-duals[self.n_variables :], 0.0)
        charges[~np.isfinite(charges)] = 0.0
        used = np.flatnonzero(charges > 0)
        multipliers = Multipliers(np.array(self.numbers, dtype=np.int32)[used], charges[used])
        return Solution(x, multipliers, not is_cut_short, infeasible)

    def slack_rows(self) -> NDArray[np.bool_]:
        """A mask over `numbers` of the rows that are slack in the last basis."""
        return _are_basic(self._solver.getBasis().row_status[self.n_variables :])

    def basis(self) -> Basis:
        """The current basis, to be restored later."""
        return Basis(self._solver.getBasis(), self.columns, self.numbers)

    def restore(self, basis: Basis) -> None:
        """Returns to a basis of the same columns and rows."""
        self._solver.setBasis(basis.status)

    def start_from(self, start: CompactBasis) -> None:
        """Sets the basis of a start; adds the columns and rows that it needs."""
        self.add_columns(start.families[self._column_of[start.families] < 0].astype(np.int64))
        present = set(self.numbers)
        self.add_rows([number for number in start.tight_rows.tolist() if number not in present])
        basic, lower, upper = (getattr(highspy.HighsBasisStatus, name) for name in ("kBasic", "kLower", "kUpper"))
        columns = [lower] * len(self.columns)
        for column in self._column_of[start.families].tolist():
            columns[column] = basic
        tight = set(start.tight_rows.tolist())
        basis = self._solver.getBasis()
        basis.col_status = columns
        basis.row_status = [
            *(basic if is_basic else lower for is_basic in start.equations.tolist()),
            *(upper if number in tight else basic for number in self.numbers),
        ]
        self._solver.setBasis(basis)

    def _ray(self) -> Floats:
        answer = self._solver.getDualRay()
        return np.asarray(answer[2]) if len(answer) > 2 and answer[1] else np.empty(0)


def _are_basic(status: Any) -> NDArray[np.bool_]:
    basic = highspy.HighsBasisStatus.kBasic
    return np.array([one == basic for one in status], dtype=np.bool_)


def most_violated_cluster(children: Numbers, masses: Floats, parents: list[list[int]], *, max_nodes: int) -> list[int]:
    """The cluster whose inequality a solution violates most, among the families that it uses; empty if there is none.

    A small integer program finds it: each variable is a member or not, and the mass of a family counts if its child and
    one of its parents are members. The counted mass less the number of members must be above -1.
    """
    variables, places = np.unique(children, return_inverse=True)
    place_of = {int(variable): place for place, variable in enumerate(variables.tolist())}
    inside = [[place_of[parent] for parent in several if parent in place_of] for several in parents]
    used = [at for at, several in enumerate(inside) if several]
    n = len(variables)
    solver = new_solver()
    solver.setOptionValue("presolve", "on")
    solver.setOptionValue("solver", "choose")
    solver.setOptionValue("mip_max_nodes", max_nodes)
    inf = highspy.kHighsInf
    solver.addVars(n + len(used), np.zeros(n + len(used)), np.ones(n + len(used)))
    solver.changeColsIntegrality(n, np.arange(n, dtype=np.int32), np.array([highspy.HighsVarType.kInteger] * n))
    costs = np.concatenate((np.ones(n), -masses[used]))
    solver.changeColsCost(len(costs), np.arange(len(costs), dtype=np.int32), costs)
    starts: list[int] = []
    columns: list[int] = []
    values: list[float] = []
    upper: list[float] = []
    for at, family in enumerate(used):
        for others in ([int(places[family])], inside[family]):
            starts.append(len(columns))
            columns += [n + at, *others]
            values += [1.0, *[-1.0] * len(others)]
            upper.append(0.0)
    starts.append(len(columns))
    columns += range(n)
    values += [-1.0] * n
    upper.append(-2.0)
    solver.addRows(
        len(starts),
        np.full(len(starts), -inf),
        np.array(upper),
        len(columns),
        np.array(starts, dtype=np.int32),
        np.array(columns, dtype=np.int32),
        np.array(values),
    )
    run_solver(solver)
    found = np.asarray(solver.getSolution().col_value)
    if len(found) < n or solver.getInfo().primal_solution_status != highspy.kSolutionStatusFeasible:
        return []
    return [int(variable) for variable in variables[found[:n] > 0.5].tolist()]


def run_solver(solver: Any) -> None:
    """Runs the solver; a process that ends meanwhile waits a moment for it."""
    with _core.ForeignWork():
        solver.run()


def new_solver() -> Any:
    """HiGHS, silent, on one thread, and set for linear programs that are solved repeatedly."""
    solver: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    for name, value in {
        "output_flag": False,
        "presolve": "off",
        "solver": "simplex",
        "simplex_strategy": 1,
        "threads": 1,
        "parallel": "off",
    }.items():
        solver.setOptionValue(name, value)
    return solver
