"""The linear relaxation of one component: its families, the inequalities found so far, and the linear program.

All nodes of a tree share it; nodes differ in their active families only.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from credenet._run.progress import CoreCallback
from credenet.families.arrays import FlatFamilies
from credenet.search.ilp.constraints import Constraints
from credenet.search.ilp.cuts import CuttingPlanes
from credenet.search.ilp.leaves import ActiveComponents, active_components
from credenet.search.ilp.linear_program import CompactBasis, LinearProgram, Mask
from credenet.search.ilp.multipliers import NO_MULTIPLIERS, Multipliers
from credenet.search.ilp.node import CurrentNode
from credenet.search.ilp.pairs import Pairs
from credenet.search.ilp.tunables import (
    ASCENTS_PER_VARIABLE,
    BYTES_OF_FAMILY,
    COLUMNS_PER_ROW,
    FEW_COLUMNS,
    FIRST_COLUMNS,
    LEAST_ASCENTS,
    LEAST_COST,
    MANY_COLUMNS,
    NEW_COLUMNS,
)


class Relaxation:
    """The state that the nodes of a tree share.

    Attributes
    ----------
    flat, places
        The families that are active in some node, and their positions among those of the component.
    """

    def __init__(self, flat: FlatFamilies, constraints: Constraints | None = None) -> None:
        self.flat = flat
        self.places = np.arange(len(flat.scores))
        self.cuts = CuttingPlanes(flat, constraints)
        self.pairs = Pairs(flat)
        self.lp: LinearProgram
        self._children = flat.children

    @property
    def n_variables(self) -> int:
        return len(self.flat.starts) - 1

    @property
    def n_bytes(self) -> int:
        """The estimated bytes of the relaxation."""
        return BYTES_OF_FAMILY * len(self.flat.scores) + 3 * self.cuts.rows.bytes

    def start(self, root: CurrentNode, rows: Iterable[int]) -> None:
        """Creates the linear program with the rows of these numbers."""
        self.lp = LinearProgram(self.cuts.rows, self.flat, self._first_columns(root))
        self.lp.add_rows(sorted(set(rows)))

    def _first_columns(self, root: CurrentNode) -> NDArray[np.int64]:
        active = np.flatnonzero(root.active)
        if len(active) <= MANY_COLUMNS:
            return active
        _, reduced_costs = self.bound(root.best, root.active)
        order = np.lexsort((reduced_costs, self._children))
        rank = np.arange(len(order)) - self.flat.starts[self._children[order]]
        wanted = root.active > 0
        wanted[order[rank >= FIRST_COLUMNS]] = False
        return np.flatnonzero(wanted & (root.active > 0))

    def bound(self, multipliers: Multipliers, active: Mask) -> tuple[float, NDArray[np.float64]]:
        """A bound on the networks of the active families, and for every family its reduced cost."""
        bound, reduced_costs = self.cuts.rows.bound(*multipliers, active)
        return bound, reduced_costs

    def missing_columns(self, reduced_costs: NDArray[np.float64]) -> NDArray[np.int64]:
        """The families without a column whose reduced cost shows that they may improve the solution."""
        has_column = self.lp.has_column()
        inside = np.where(has_column, reduced_costs, np.inf)
        least = np.minimum.reduceat(inside, self.flat.starts[:-1])
        missing = np.flatnonzero(reduced_costs < np.minimum(least[self._children], 1e300) - LEAST_COST)
        missing = missing[~has_column[missing]]
        if len(missing) > NEW_COLUMNS:
            missing = np.sort(missing[np.argsort(reduced_costs[missing], kind="stable")[:NEW_COLUMNS]])
        return missing

    def drop_columns(self, node: CurrentNode) -> None:
        """Drops the columns of large reduced cost if there are far more columns than rows; they may come back."""
        most = max(COLUMNS_PER_ROW * (self.n_variables + len(self.lp)), FEW_COLUMNS)
        if len(self.lp.columns) <= 2 * most:
            return
        _, reduced_costs = self.bound(node.best, node.active)
        wanted = np.zeros(len(reduced_costs), dtype=np.bool_)
        wanted[np.argsort(reduced_costs, kind="stable")[:most]] = True
        self.lp.drop_columns(wanted)

    def components(self, node: CurrentNode) -> ActiveComponents:
        """The strongly connected components of the active families."""
        if node.components is None:
            node.components = active_components(self.flat, node.active)
        return node.components

    def fix(self, node: CurrentNode, gone: NDArray[np.bool_]) -> None:
        """Fixes families at 0, and then those that no remaining network has."""
        if gone.any():
            node.active[gone] = 0
            node.components = None
            if not self.cuts.propagate(node.active):
                node.bound = -math.inf

    def ascend(self, root: CurrentNode, report: CoreCallback) -> None:
        """Bounds the root by raising the dual values of clusters one by one; sometimes this bound is enough."""
        _, reduced_costs = self.bound(NO_MULTIPLIERS, root.active)
        limit = ASCENTS_PER_VARIABLE * self.n_variables + LEAST_ASCENTS
        status, cuts, values = self.cuts.rows.dual_ascent(root.active, reduced_costs, limit, report)
        if status == "interrupted":
            raise KeyboardInterrupt
        sums: dict[int, float] = {}
        for cut, value in zip(cuts, values.tolist(), strict=True):
            number = self.cuts.add(*cut)
            sums[number] = sums.get(number, 0.0) + value
        root.best = Multipliers(np.array(list(sums), dtype=np.int32), np.array(list(sums.values())))
        root.bound = min(root.bound, self.bound(root.best, root.active)[0])
        root.is_recorded = False

    def compact(self, root: CurrentNode) -> bool:
        """Leaves out fixed families for good if these are the majority; True if so."""
        if 2 * np.count_nonzero(root.active) > len(root.active):
            return False
        start = CompactBasis.from_basis(self.lp.basis())
        keep = root.active > 0
        keep[start.families] = True
        place = np.cumsum(keep) - 1
        self.flat = self.flat.keep(keep)
        self.places = self.places[keep]
        self._children = self.flat.children
        self.pairs = Pairs(self.flat)
        self.cuts.compact(self.flat)
        columns, numbers = self.lp.columns[keep[self.lp.columns]], self.lp.numbers
        root.active = root.active[keep]
        root.components = None
        self.lp = LinearProgram(self.cuts.rows, self.flat, place[columns])
        self.lp.add_rows(numbers)
        self.lp.start_from(start._replace(families=place[start.families].astype(np.int32)))
        return True
