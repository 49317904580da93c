"""Credible networks of variables that hang together and are too many for a table of all their subsets.

The optimum is found by branch and cut, or what else is faster. Given that, bounds drop most families; what is left is
split into leaves that share no network (`branching`). In a leaf only small groups hang together, and its networks are
the products of theirs; those of all leaves are put together to one list. Deviations are computed anew from the scores,
so that they do not depend on the leaves.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet.credibility.branching import CredibleTree
from credenet.credibility.deviations import Ticks
from credenet.credibility.group_listing import MARGIN, Group, GroupListing
from credenet.credibility.parts import Part
from credenet.family_arrays import FlatFamilies
from credenet.learners.auto import solve_auto
from credenet.learners.components import Component
from credenet.learners.components import Part as Found
from credenet.learners.context import Clock, Context, Ledger
from credenet.learners.ilp.branch_and_cut import solve_ilp
from credenet.learners.ilp.cuts import Inequality
from credenet.learners.methods import ILP
from credenet.results import Status

_PATIENCE = 2  # times as long as a table would take


class Limits(NamedTuple):
    """How far the networks of a group may deviate from its best one, and what their list may take."""

    tick: float
    most: int
    memory: float


class LargeGroup:
    """The families of some variables of a table; parents that are none of these are taken to be there."""

    def __init__(self, flat: FlatFamilies, members: Group, context: Context, known: Iterable[Inequality]) -> None:
        self._flat = flat
        self._component = Component(flat, members)
        self._context = context
        place = {int(member): at for at, member in enumerate(members)}
        self._known = [
            Inequality(one.kind, tuple(place[member] for member in one.members))
            for one in known
            if all(member in place for member in one.members)
        ]
        self.status: Status = "complete"
        self.expanded = 0

    @property
    def known(self) -> list[Inequality]:
        """Inequalities that are of use for bounds, between variables of the table."""
        members = self._component.members.tolist()
        return [Inequality(one.kind, tuple(members[place] for place in one.members)) for one in self._known]

    def solved(self, *, has_table: bool) -> Found:
        """The best network; not proven if that would take longer than the table that is to be had."""
        ledger = Ledger(self._context.clock, 0.0, [self._component.bound])
        if has_table:
            found = solve_ilp(ILP())(self._component, self.within_time_of_table(), ledger, 0)
        else:
            found = solve_auto({})(self._component, self._context, ledger, 0)
        if found.proof is not None:
            self._known += [one for one in found.proof.inequalities if isinstance(one, Inequality)]
        return found

    def within_time_of_table(self) -> Context:
        """The limits that a search has which a table can take the place of."""
        clock = self._context.clock
        seconds = _PATIENCE * _core.subset_dp_seconds(self._component.lists)
        return replace(self._context, clock=Clock(clock.passed + min(seconds, clock.left), clock.start))

    def credible(self, best: float, slack: float, largest: int) -> NDArray[np.bool_]:
        """The families that may be in a network that scores at most so much less than the best."""
        tree = CredibleTree(
            self._component, self._context, least=best - slack, inequalities=self._known, largest=largest
        )
        keep = tree.reduced()
        self._known = tree.inequalities
        return keep

    def listed(self, best: NDArray[np.int64], limits: Limits, largest: int, context: Context) -> tuple[Part, int]:
        """The networks, up to the deviation that fits in memory, given the best network's families in the table."""
        leaves = _Leaves(self._component, best - self._flat.starts[self._component.members], limits, context)
        tree = CredibleTree(
            self._component, context, least=leaves.least, inequalities=self._known, largest=largest, on_leaf=leaves.add
        )
        leaves.tree = tree
        status = tree.explore()
        self.expanded += leaves.expanded + tree.n_nodes
        self.status = status if leaves.status == "complete" else leaves.status
        return leaves.part(self._flat), leaves.most


class _Leaves:
    """Collects the networks of leaves."""

    def __init__(self, component: Component, best: NDArray[np.int64], limits: Limits, context: Context) -> None:
        self._component = component
        self._context = context
        self._tick = limits.tick
        self._memory = limits.memory
        self.most = limits.most
        flat = component.flat
        chosen = flat.scores[flat.starts[:-1] + best]
        self._best_score = float(chosen.sum())
        self._losses = np.repeat(chosen, np.diff(flat.starts)) - flat.scores  # against the best network's families
        self._blocks: list[tuple[Ticks, NDArray[np.uint16]]] = []
        self.status: Status = "complete"
        self.expanded = 0
        self.tree: CredibleTree | None = None

    @property
    def least(self) -> float:
        """The score that is of interest."""
        return self._best_score - (self.most + MARGIN) * self._tick

    def part(self, flat: FlatFamilies) -> Part:
        members = self._component.members
        ticks = np.concatenate([np.empty(0, dtype=np.int64), *(ticks for ticks, _ in self._blocks)])
        none = np.empty((0, len(members)), dtype=np.uint16)
        positions = np.concatenate([none, *(positions for _, positions in self._blocks)])
        self._blocks = []
        order = np.argsort(ticks, kind="stable")
        return Part(members, ticks[order], positions[order], flat.starts[members])

    def add(self, rows: NDArray[np.int64]) -> bool:
        """Lists the networks of a leaf, given by its families; False if that was stopped."""
        taken = np.zeros(len(self._component.flat.scores), dtype=np.bool_)
        taken[rows] = True
        leaf = GroupListing(self._component.flat.kept(taken), self._context)
        searches = leaf.solved(leaf.groups())
        if leaf.status == "infeasible":
            return True
        keep = None
        if leaf.status == "complete":
            offset = int(np.floor(self._losses[rows[leaf.best]].sum() / self._tick))
            within = self.most - offset + MARGIN
            if within < 0:
                return True
            keep = leaf.credible(searches, (within + MARGIN) * self._tick)
        if keep is None:
            self.status = leaf.status
            return False
        leaf.keep(keep)
        parts = []
        for group in leaf.groups():
            if len(group) == 1:
                parts.append(leaf.alone(group, self._tick, within))
                continue
            part, fitting = leaf.by_table(group, searches, self._tick, within, self._memory)
            parts.append(part)
            if fitting < within:
                self._narrow(offset + fitting - MARGIN)
                within = fitting
        self.expanded += leaf.expanded
        if leaf.status not in ("complete", "memory_limit"):
            self.status = leaf.status
        self._add_products(parts, rows[leaf.rows], leaf.flat, offset)
        return self.status in ("complete", "memory_limit")

    def _add_products(self, parts: list[Part], rows: NDArray[np.int64], leaf: FlatFamilies, offset: int) -> None:
        """All networks that one of each part make; the leaf's families stand at these rows of the component's."""
        starts = self._component.flat.starts
        while True:
            chosen = _products(parts, self.most - offset + MARGIN, self._memory / self._row_bytes)
            if chosen is not None:
                break
            self._narrow(self.most * 3 // 4)
            if self.most < offset - MARGIN:
                return
        losses = np.zeros(len(chosen[0]) if chosen else 1)
        positions = np.empty((len(losses), len(starts) - 1), dtype=np.uint16)
        for part, several in zip(parts, chosen, strict=True):
            families = rows[part.families(slice(None))]
            losses += self._losses[families].sum(axis=1)[several]
            positions[:, part.members] = (families - starts[part.members]).astype(np.uint16)[several]
        ticks = np.maximum(np.rint(losses / self._tick), 0).astype(np.int64)
        inside = ticks <= self.most
        self._blocks.append((ticks[inside], positions[inside]))
        self._memory -= np.count_nonzero(inside) * self._row_bytes

    @property
    def _row_bytes(self) -> int:
        return 3 * (8 + 2 * len(self._component))  # as they are found, and sorted

    def _narrow(self, most: int) -> None:
        """Only so large deviations from now on, as there is no memory for more."""
        self.status = "memory_limit"
        self.most = min(self.most, max(most, 0))
        for at, (ticks, positions) in enumerate(self._blocks):
            inside = ticks <= self.most
            self._blocks[at] = ticks[inside], positions[inside]
            self._memory += np.count_nonzero(~inside) * self._row_bytes
        if self.tree is not None:
            self.tree.raise_to(self.least)


def _products(parts: list[Part], most: int, n_most: float) -> list[NDArray[np.int64]] | None:
    """For each part the rows of it in all combinations within a deviation; None if these are too many."""
    sums = np.zeros(1, dtype=np.int64)
    chosen: list[NDArray[np.int64]] = []
    for part in parts:
        ends = np.searchsorted(part.ticks, most - sums, side="right")
        if ends.sum() > n_most:
            return None
        before = np.repeat(np.arange(len(sums)), ends)
        rows = np.arange(len(before)) - np.repeat(np.cumsum(ends) - ends, ends)
        sums = sums[before] + part.ticks[rows]
        chosen = [*(several[before] for several in chosen), rows]
    return chosen
