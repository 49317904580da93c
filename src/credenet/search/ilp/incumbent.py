"""The incumbent of branch and cut, and the primal heuristics that look for better networks."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._run.progress import CoreCallback
from credenet.families.tolerance import tolerance
from credenet.search import cost
from credenet.search.components import Component
from credenet.search.ilp.constraints import Constraints
from credenet.search.ilp.tree import Tree
from credenet.search.ilp.tunables import (
    FEWEST_ITERATIONS,
    FIRST_ITERATIONS,
    FIRST_ORDERS,
    LONGER,
    MOST_ITERATIONS,
    POLISHING,
    POSITIVE,
)
from credenet.search.local import NO_START


class ComponentIncumbent:
    """The best network so far; under constraints, the best one that obeys them.

    Attributes
    ----------
    choice
        Positions in the lists of the component's variables; None if there is no network yet.
    """

    def __init__(self, component: Component, constraints: Constraints | None) -> None:
        self._flat = component.flat
        self._constraints = constraints
        self.choice: list[int] | None = None
        self.score = -math.inf
        worst = math.fsum(np.minimum.reduceat(self._flat.scores, self._flat.starts[:-1]).tolist())
        self._below_all = worst - 1 - 1e-9 * abs(worst)

    @property
    def target(self) -> float:
        """The score that a better network must exceed; below all scores while there is no network."""
        return self._below_all if self.choice is None else self.score + tolerance(self.score) / 2

    def offer(self, tree: Tree, families: NDArray[np.int64]) -> None:
        """Keeps a network, given by its families in the relaxation, if it is the best so far."""
        relaxation = tree.relaxation
        score = math.fsum(relaxation.flat.scores[families].tolist())
        if score > self.score and (self._constraints is None or self._constraints.obeys(relaxation.flat, families)):
            self.score = score
            self.choice = (relaxation.places[families] - self._flat.starts[:-1]).tolist()

    def _offer_positions(self, tree: Tree, positions: list[int]) -> None:
        if positions:
            self.offer(tree, tree.relaxation.flat.starts[:-1] + np.array(positions, dtype=np.int64))

    def find_first(self, tree: Tree) -> None:
        """Finds a first network by a short order search, in a share of the time."""
        self._search_from_nothing(tree, 1)

    def find_better(self, tree: Tree) -> None:
        """Looks for a better network by a longer order search among the families that the root has left."""
        self._search_from_nothing(tree, LONGER)

    def _search_from_nothing(self, tree: Tree, times: int) -> None:
        run = tree.run
        clock = run.clock.end_within(share=cost.FIRST_NETWORK)

        def report(done: int, total: int, score: float, bound: float) -> bool:
            return tree.report(done, total, score, bound) and not clock.is_over

        usual = min(max(FIRST_ITERATIONS // tree.relaxation.n_variables, FEWEST_ITERATIONS), MOST_ITERATIONS)
        iterations = tree.settings.order_iterations or usual
        self._search_orders(tree, report, NO_START, run.seed, times * iterations, FIRST_ORDERS, run.n_threads)
        tree.check()

    def round(self, tree: Tree, x: NDArray[np.float64], *, polish: bool) -> None:
        """Rounds a solution of the linear program to networks; order search improves good ones, and with polish all."""
        if self._constraints is not None:
            self._round_within(tree, x)
            return
        rows, before = tree.relaxation.cuts.rows, self.score
        for positions in (rows.rounded(x), rows.rounded_by_sinks(x)):
            self._offer_positions(tree, positions)
            if positions and (polish or self.score > before):
                start = np.array(positions, dtype=np.int32)
                self._search_orders(tree, tree.report, start, tree.n_rounds, POLISHING if polish else 1, 1, 1)

    def _round_within(self, tree: Tree, x: NDArray[np.float64]) -> None:
        """Rounds to families that the solution uses; the best families of an order seldom obey the knowledge."""
        places = np.flatnonzero(x > POSITIVE)
        used = tree.relaxation.flat.keep(x > POSITIVE)
        if (np.diff(used.starts) == 0).any():
            return
        rows = _core.FamilyRows(used.lists)
        for positions in (rows.rounded(x[places]), rows.rounded_by_sinks(x[places])):
            if positions:
                self.offer(tree, places[used.starts[:-1] + np.array(positions, dtype=np.int64)])

    def _search_orders(self, tree: Tree, report: CoreCallback, start: NDArray[np.int32], *settings: int) -> None:
        """Runs order search from ``start``, if not empty; the settings are seed, iterations, orders and threads."""
        seed, iterations, n_orders, n_threads = settings
        lists = tree.relaxation.flat.lists
        outcome = _core.order_search(lists, start, seed, iterations, n_orders, n_threads, report)
        self._offer_positions(tree, outcome.families)
        if outcome.status == "interrupted":
            raise KeyboardInterrupt
