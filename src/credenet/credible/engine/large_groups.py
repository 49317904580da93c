"""Credible networks of a strongly connected component too large for a table of all its subsets.

The optimum is found by branch and cut, or what else is faster. Given that, bounds drop most families; what is left is
split into leaves that share no network (`branching`), whose networks are put together to one list (`leaf_listing`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._run.clock import Clock
from credenet._run.ledger import Ledger
from credenet._run.run import Run
from credenet._run.status import CoreStatus, Status
from credenet.credible.engine.branching import CredibleTree
from credenet.credible.engine.group_listing import Group
from credenet.credible.engine.leaf_listing import LeafListing, Limits
from credenet.credible.engine.parts import Part
from credenet.families.arrays import FlatFamilies, dominated
from credenet.search.auto import solve_auto
from credenet.search.components import Component
from credenet.search.components import Part as Found
from credenet.search.ilp.branch_and_cut import solve_ilp
from credenet.search.ilp.cuts import Inequality
from credenet.search.methods import ILP

_ATTEMPTS = 3  # at the optimum, the bounds and the list


class LargeGroup:
    """The families of some variables of a table; parents that are none of these are taken to be there."""

    def __init__(self, flat: FlatFamilies, members: Group, run: Run, known: Iterable[Inequality]) -> None:
        self._flat = flat
        self._component = Component(flat, members)
        self._run = run
        place = {int(member): at for at, member in enumerate(members)}
        self._known = [
            Inequality(one.kind, tuple(place[member] for member in one.members))
            for one in known
            if all(member in place for member in one.members)
        ]
        self.status: CoreStatus | Status = "complete"
        self.is_whole = True  # whether no network that fits in memory was left out
        self.was_stopped = False  # by the user
        self.expanded = 0

    @property
    def known(self) -> list[Inequality]:
        """Inequalities that are of use for bounds, between variables of the table."""
        members = self._component.members.tolist()
        return [Inequality(one.kind, tuple(members[place] for place in one.members)) for one in self._known]

    def solved(self, *, has_table: bool) -> Found:
        """The best network; not proven if that would take too long, where a table is to be had."""
        useful = ~dominated(self._flat, 0.0)  # other families are in credible networks at most
        component = Component(self._flat.kept(useful), self._component.members)
        ledger = Ledger(self._run.clock, 0.0, [component.bound])
        if has_table:
            found = solve_ilp(ILP())(component, self.within_time_of_table(), ledger, 0)
        else:
            found = solve_auto({})(component, self._run, ledger, 0)
        if found.choice is not None:
            found.choice = np.flatnonzero(useful)[found.choice]
        if found.proof is not None:
            self._known += [one for one in found.proof.inequalities if isinstance(one, Inequality)]
        return found

    def within_time_of_table(self) -> Run:
        """The limits of one of the searches that a table can take the place of: together as long as that takes."""
        clock = self._run.clock
        seconds = _core.subset_dp_seconds(self._component.lists) / _ATTEMPTS
        return replace(self._run, clock=Clock(clock.passed + min(seconds, clock.left), clock.start))

    def credible(self, best: float, slack: float, largest: int, run: Run) -> NDArray[np.bool_]:
        """The families that may be in a network that scores at most so much less than the best."""
        tree = CredibleTree(self._component, run, least=best - slack, inequalities=self._known, largest=largest)
        keep = tree.reduced()
        self.status, self.was_stopped = tree.status, tree.was_stopped
        self._known = tree.inequalities
        return keep

    def listed(self, best: NDArray[np.int64], limits: Limits, largest: int, run: Run) -> tuple[Part, int]:
        """The networks, up to the deviation that fits in memory, given the best network's families in the table."""
        leaves = LeafListing(self._component, best - self._flat.starts[self._component.members], limits, self._run)
        tree = CredibleTree(
            self._component, run, least=leaves.least, inequalities=self._known, largest=largest, leaves=leaves
        )
        status = tree.explore()
        self.was_stopped = tree.was_stopped
        self.expanded += leaves.expanded + tree.n_nodes
        self.status = leaves.status
        self.is_whole = status == "complete"
        if leaves.status in ("complete", "memory_limit") and status != "complete":
            self.status = status
        return leaves.part(self._flat), leaves.most
