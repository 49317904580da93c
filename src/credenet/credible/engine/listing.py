"""From a table of families to the parts of its credible networks.

The variables are split where no cycle of candidate parents joins them. The optimum of a small group comes from the best
scores of all its subsets, that of a large one from branch and cut. Then families that are in no credible network are
dropped, which splits the groups further, and the networks of each group are listed, with the whole slack at hand.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._run.run import Run
from credenet.credible.engine.group_listing import MARGIN, Group, GroupListing, Searches, rows_of
from credenet.credible.engine.large_groups import LargeGroup
from credenet.credible.engine.leaf_listing import Limits
from credenet.credible.engine.parts import Part, Parts
from credenet.credible.outcome import Stage
from credenet.credible.phases import begin
from credenet.errors import ArgumentError
from credenet.families.arrays import dominated
from credenet.families.table import FamilyTable
from credenet.families.tolerance import tolerance
from credenet.search.components import Component
from credenet.search.components import Part as Found
from credenet.search.ilp.cuts import Inequality
from credenet.search.local import quick_network

LARGEST_TABLE = 22  # variables, for which a table of all subsets is faster than anything else
LARGEST_RESORT = 29  # variables, for which a table is made where it would take less time than splitting does
LARGEST_LEAF = 20  # variables of a component where a large group is split no further

_TICKS = 64  # in which the tolerance is divided, so that sums of rounded deviations stay within it
_MOST_TICKS = 1 << 62


class Listing(GroupListing):
    """The steps from a table to the parts of its credible networks; after `run` all fields are what was found.

    The stage is the one that a limit ended, if the status names a limit. Where that was before the optimum was proven,
    ``best`` is the best network so far and ``bound`` what no network exceeds, or None if there is no network yet.
    """

    def __init__(self, families: FamilyTable, slack: float, run: Run) -> None:
        super().__init__(families.flat(), run)
        self._made_slack = families.made.slack
        self._n_families = len(families)
        self._known: list[Inequality] = []
        self._large: dict[tuple[int, ...], Found] = {}
        self.stage: Stage = "optimum"
        self.bound: float | None = None
        self.needed_bytes: int | None = None
        self.optimum: float | None = None
        self.slack = slack
        self.complete_slack: float | None = None
        self.parts = Parts([], self.best, 1.0, -1)

    @property
    def kept(self) -> NDArray[np.bool_]:
        """The families of the table that are still in use."""
        kept = np.zeros(self._n_families, dtype=np.bool_)
        kept[self.rows] = True
        return kept

    def run(self) -> None:
        if (np.diff(self.flat.starts) == 0).any():
            self.status = "infeasible"
            return
        self._check_slack()
        begin("finding the best network", self._run)
        searches = self._solved()
        if self.status not in ("complete", "infeasible"):
            self._find_best_so_far(searches)
        if self.status != "complete":
            return
        self.stage = "enumeration"
        begin("listing networks", self._run)
        self.optimum = math.fsum(self.flat.scores[self.best].tolist())
        allowed = tolerance(self.optimum)
        tick = allowed / _TICKS
        if (self.slack + allowed) / tick >= _MOST_TICKS:
            raise ArgumentError(f"slack must be below {_MOST_TICKS * tick:.3g}, got {self.slack:.3g}")
        most = math.floor((self.slack + allowed) / tick)
        parts: list[Part] = []
        fitting = most
        if self._reduced(searches, (most + MARGIN) * tick):
            parts, fitting = self._listed(searches, tick, most)
        self.parts = Parts(parts, self.best, tick, fitting)
        if self.status in ("complete", "memory_limit") and self.is_whole:
            within = fitting * tick - allowed  # what was left out is beyond the tolerance of this
            self.complete_slack = self.slack if fitting == most else within if within >= 0 else None

    def stop_while_scoring(self) -> None:
        """Nothing is searched; a network of the families at hand is found in a moment."""
        self.status, self.stage = "stopped", "scoring"
        if (np.diff(self.flat.starts) > 0).all():
            self._find_best_so_far({})

    def _find_best_so_far(self, searches: Searches) -> None:
        """The best network known of each group, and the sum of the bounds."""
        bounds = []
        for group in self.groups():
            members = tuple(group.tolist())
            component = Component(self.flat, group)
            if len(group) == 1 or members in searches:
                bounds.append(math.fsum(self.flat.scores[self.best[group]].tolist()))
                continue
            found = self._large.get(members)
            choice = quick_network(component, self._run).choice if found is None else found.choice
            if choice is None:
                return
            self.best[group] = choice
            bounds.append(component.bound if found is None else min(found.bound, component.bound))
        self.bound = math.fsum(bounds)

    def _check_slack(self) -> None:
        if self._made_slack is not None and self.slack > self._made_slack + 1e-9:
            raise ArgumentError(
                f"the table was made with a slack of {self._made_slack:.6g}, but {self.slack:.6g} is asked for, so "
                "families that credible networks need may be gone; score the data again"
            )

    def _drop_dominated(self) -> None:
        """A family is of no use if a subset of it is better by more than the slack; this may divide groups."""
        largest = float(np.abs(self.flat.scores).max(initial=0.0)) * len(self.best)
        self.keep(~dominated(self.flat, self.slack + 2 * tolerance(largest)))

    def _solved(self) -> Searches:
        """The best network of every group, and the tables by which it was found."""
        groups = self.groups()
        if len(groups[-1]) > LARGEST_TABLE:
            self._drop_dominated()
            groups = self.groups()
        searches = self.solved([group for group in groups if len(group) <= LARGEST_TABLE])
        for group in groups:
            if len(group) > LARGEST_TABLE and self.status == "complete":
                searches |= self._solved_large(group)
        return searches

    def solved(self, groups: list[Group]) -> Searches:
        needed = sum(map(self.table_bytes, groups))
        if needed > self._run.memory:
            self.status, self.needed_bytes = "memory_limit", needed
            return {}
        self.peak_bytes += needed
        return super().solved(groups)

    def _solved_large(self, group: Group) -> Searches:
        """No table unless that is the better way."""
        large = LargeGroup(self.flat, group, self._run, ())
        has_table = self._may_have_table(group, self._run.memory - self.peak_bytes)
        found = large.solved(has_table=has_table)
        self._large[tuple(group.tolist())] = found
        if has_table and found.status == "stopped" and not self._run.clock.is_over:
            return self.solved([group])
        if found.status != "optimal" or found.choice is None:
            self.status = self._run.status_of(found.status)
            return {}
        self.best[group] = found.choice
        self._known += large.known
        return {}

    def _may_have_table(self, group: Group, memory: float) -> bool:
        return len(group) <= LARGEST_RESORT and self.table_bytes(group) <= memory

    @property
    def _leaf_size(self) -> int:
        """How large a component of a leaf may be, of which a table must fit in memory."""
        size = LARGEST_LEAF
        while size > 2 and _core.subset_dp_bytes(size, False, self._run.n_threads) > self._run.memory / 4:
            size -= 1
        return size

    def _reduced(self, searches: Searches, slack: float) -> bool:
        """Drops every family that is in no credible network, as far as can be told; False if it was stopped."""
        keep = self.credible(searches, slack)
        if keep is None:
            return False
        for group in self.groups():
            if len(group) > LARGEST_TABLE and tuple(group.tolist()) not in searches:
                found = self._reduced_large(group, searches, slack)
                if found is None:
                    self.is_whole = False
                    return False
                keep[rows_of(self.flat, group)] &= found
        keep[self.best] = True
        self.keep(keep)
        return True

    def _reduced_large(self, group: Group, searches: Searches, slack: float) -> NDArray[np.bool_] | None:
        """The families of a group that may be in a credible network; None if it was stopped."""
        large = LargeGroup(self.flat, group, self._run, self._known)
        has_table = self._may_have_table(group, self._run.memory - self.peak_bytes)
        run = large.within_time_of_table() if has_table else self._run
        best = math.fsum(self.flat.scores[self.best[group]].tolist())
        found = large.credible(best, slack, self._leaf_size, run)
        has_time = run.clock.is_over and not self._run.clock.is_over and not large.was_stopped
        if large.status != "complete" and has_time:
            solved = self.solved([group])
            searches |= solved
            keep = self.credible(solved, slack) if self.status == "complete" else None
            return None if keep is None else keep[rows_of(self.flat, group)]
        if large.status != "complete":
            self.status = self._run.status_of(large.status)
            return None
        self._known += large.known
        return found

    def _listed(self, searches: Searches, tick: float, most: int) -> tuple[list[Part], int]:
        """The networks of all groups, which may be smaller than those solved, up to the deviation that fits."""
        parts = []
        left = self._run.memory - self.peak_bytes
        for group in self.groups():
            self.check_number(group)
            if len(group) == 1:
                parts.append(self.alone(group, tick, most))
                continue
            if self.status not in ("complete", "memory_limit") or self._run.clock.is_over:
                self.status = self._run.status_of("stopped")
                continue
            if len(group) <= LARGEST_TABLE or tuple(group.tolist()) in searches:
                part, most = self.by_table(group, searches, tick, most, left)
            else:
                part, most = self._by_leaves(group, Limits(tick, most, left))
            left -= part.ticks.nbytes + part.positions.nbytes
            parts.append(part)
        return parts, most

    def _by_leaves(self, group: Group, limits: Limits) -> tuple[Part, int]:
        large = LargeGroup(self.flat, group, self._run, self._known)
        has_table = self._may_have_table(group, limits.memory)
        run = large.within_time_of_table() if has_table else self._run
        part, most = large.listed(self.best[group], limits, self._leaf_size, run)
        self.expanded += large.expanded
        if large.status == "complete":
            return part, most
        has_time = run.clock.is_over and not self._run.clock.is_over and not large.was_stopped
        if large.status != "memory_limit" and has_time:
            return self.by_table(group, {}, limits.tick, limits.most, limits.memory - self.table_bytes(group))
        self.status = self._run.status_of(large.status)
        self.is_whole = self.is_whole and large.is_whole
        return self.with_best(part), most
