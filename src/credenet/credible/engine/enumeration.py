"""From a family table to the credible networks of each component, whose product is the set of all credible networks.

Components are strongly connected in the graph of candidate parents. A table of all subsets enumerates a small component
and a tree a large one (`search.cost` decides).
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np
from numpy.typing import NDArray

from credenet._run.run import Run
from credenet._run.status import Status
from credenet.credible.engine.by_table import TableEnumerator
from credenet.credible.engine.by_tree import SharedFindings, TreeEnumerator
from credenet.credible.engine.component_loop import ComponentLoop
from credenet.credible.engine.enumerator import MARGIN, Budget, Enumerator, Members, What
from credenet.credible.growth.phases import begin
from credenet.credible.result import Incumbent, Stage
from credenet.errors import ArgumentError
from credenet.families.arrays import FlatFamilies, find_dominated
from credenet.families.table import FamilyTable
from credenet.families.tolerance import tolerance
from credenet.search import cost
from credenet.structures.products.network_diagrams import ComponentDiagram, DiagramProduct, product_of
from credenet.structures.products.network_products import ComponentNetworks, NetworkProduct, dag_of, score_of

TICKS = 64  # Ticks of one tolerance, so that sums of rounded deviations stay within the tolerance.
_ROUNDED = 1e6  # Slacks below this are rounded up to four decimals in advice.
_MOST_TICKS = 1 << 62  # Largest slack in ticks, which must fit into 64 bits.


class Enumeration:
    """The search of a table for networks or classes within a slack; after `run` the fields hold the result.

    Attributes
    ----------
    loop
        The loop with the status, the best network and the families that are still in use.
    stage
        The work that a limit ended, if the status names a limit.
    bound
        A bound on all networks, if a limit came before the optimum was proven; None without a network.
    components, product
        The networks of each component, or one network of each class; and their product.
    """

    def __init__(self, families: FamilyTable, slack: float, run: Run, what: What = "networks") -> None:
        self._families = families
        self._run = run
        self._what = what
        self._made_slack = families.made.slack
        self._n_families = len(families)
        self.shared = SharedFindings()
        self.loop = ComponentLoop(families.flat(), run, partial(_enumerator, run=run, shared=self.shared))
        self.slack = slack
        self.stage: Stage = "optimum"
        self.bound: float | None = None
        self.needed_bytes: int | None = None
        self.optimum: float | None = None
        self.complete_slack: float | None = None
        self.components: list[ComponentNetworks | ComponentDiagram] = []
        self.product: NetworkProduct | DiagramProduct = NetworkProduct([], self.loop.best, 1.0, -1)

    @property
    def families_in_use(self) -> NDArray[np.bool_]:
        """A mask of the families of the table that are still in use."""
        kept = np.zeros(self._n_families, dtype=np.bool_)
        kept[self.loop.rows] = True
        return kept

    @property
    def status(self) -> Status:
        """``complete``, ``infeasible``, or the limit that ended the search."""
        return self.loop.status

    @property
    def incumbent(self) -> Incumbent | None:
        """The best network so far, if a limit came before the optimum was proven."""
        if self.bound is None:
            return None
        choice = self.loop.rows[self.loop.best]
        return Incumbent(dag_of(self._families, choice), score_of(self._families, choice), self.bound)

    @property
    def n_expanded(self) -> int:
        """The steps of the enumeration."""
        return self.loop.n_expanded

    @property
    def table_bytes(self) -> int:
        """The bytes of the tables of the search."""
        return self.shared.table_bytes

    def run(self) -> None:
        self.find_optimum()
        if self.optimum is not None:
            self.list_within(self.slack)

    def find_optimum(self) -> None:
        """Finds the best network; without a proof, ``optimum`` stays None."""
        loop = self.loop
        if (np.diff(loop.flat.starts) == 0).any():
            loop.status = "infeasible"
            return
        self._check_slack()
        begin("finding the best network", self._run)
        self._solve()
        if loop.status not in ("complete", "infeasible"):
            self.bound = loop.best_so_far()
        if loop.status != "complete":
            return
        self.stage = "enumeration"
        self.optimum = math.fsum(loop.flat.scores[self.loop.best].tolist())

    def list_within(self, slack: float) -> None:
        """Lists the networks within a slack, which is at most that of the search, once the optimum is known."""
        assert self.optimum is not None
        self.slack = slack
        begin("listing networks", self._run)
        self._list(self.optimum)

    def stop_while_scoring(self) -> None:
        """Ends the search after a stop during scoring; only a quick network of the scored families is found."""
        self.loop.status, self.stage = "stopped", "scoring"
        if (np.diff(self.loop.flat.starts) > 0).all():
            self.bound = self.loop.best_so_far()

    def _check_slack(self) -> None:
        if self._made_slack is not None and self.slack > self._made_slack + 1e-9:
            enough = math.ceil(1e4 * self.slack) / 1e4 if self.slack < _ROUNDED else self.slack
            raise ArgumentError(
                f"the table was made with a slack of {self._made_slack:.6g}, but {self.slack:.6g} is asked for, so "
                f"families that credible networks need may be gone; score the data again with slack={enough:.12g}"
            )

    def _solve(self) -> None:
        """Finds the best network of every component, if the tables that exist at the same time fit into memory."""
        loop = self.loop
        if len(loop.components()[-1]) > cost.LARGEST_TABLE:
            self._drop_dominated()
        sizes = [len(members) for members in loop.components() if len(members) <= cost.LARGEST_TABLE]
        needed = sum(cost.table_bytes(size, self._run.n_threads) for size in sizes)
        if needed > self._run.memory:
            loop.status, self.needed_bytes = "memory_limit", needed
            return
        self.shared.table_bytes += needed
        loop.solve()

    def _drop_dominated(self) -> None:
        """Drops families that a subset beats by more than the slack, as no credible network has them."""
        flat = self.loop.flat
        largest = float(np.abs(flat.scores).max(initial=0.0)) * len(self.loop.best)
        self.loop.keep(~find_dominated(flat, self.slack + 2 * tolerance(largest)))

    def _list(self, optimum: float) -> None:
        loop, allowed = self.loop, tolerance(optimum)
        tick = allowed / TICKS
        if (self.slack + allowed) / tick >= _MOST_TICKS:
            raise ArgumentError(f"slack must be below {_MOST_TICKS * tick:.3g}, got {self.slack:.3g}")
        most = fitting = math.floor((self.slack + allowed) / tick)
        if loop.reduce((most + MARGIN) * tick):
            budget = Budget(tick, most, self._run.memory - self.shared.table_bytes)
            self.components, fitting = loop.list_within(budget, self._what)
        self.product = product_of(self.components, self.loop.best, tick, fitting)
        if loop.status in ("complete", "memory_limit") and loop.is_whole:
            within = fitting * tick - allowed  # Networks left out deviate by more than this and the tolerance.
            self.complete_slack = self.slack if fitting == most else within if within >= 0 else None


def _enumerator(flat: FlatFamilies, members: Members, run: Run, shared: SharedFindings) -> Enumerator:
    """The enumerator that suits the size of the component."""
    if len(members) <= cost.LARGEST_TABLE:
        return TableEnumerator(flat, members, run)
    return TreeEnumerator(flat, members, run, shared)
