"""The networks of the leaves of a large component, put together to one list.

The families of a leaf make components, each with a list of networks; those of the leaf are their products.
Deviations are computed anew from the scores, so that they do not depend on the leaves.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from credenet._run.progress import CoreCallback
from credenet._run.run import Run
from credenet._run.status import Status
from credenet.credible.engine.by_table import TableEnumerator
from credenet.credible.engine.component_loop import ComponentLoop
from credenet.credible.engine.deviations import Deviations, Ticks
from credenet.credible.engine.enumerator import MARGIN, Budget, Members
from credenet.credible.engine.network_products import ComponentNetworks, listing_bytes
from credenet.errors import ArgumentError
from credenet.families.arrays import FlatFamilies
from credenet.search.components import Component

_BLOCK = 1 << 18  # networks that are put together at once


class LeafNetworks(NamedTuple):
    """Networks of some variables of a leaf, in any order."""

    members: Members
    positions: NDArray[np.uint16]  # of the members' families in their lists
    deviations: NDArray[np.float64]  # from the best network's families


class _Ordered(NamedTuple):
    """The same with the deviations from the best of them, which ascend, and the rows in this order."""

    listed: LeafNetworks
    ticks: Ticks
    rows: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.ticks)


class LeafListing:
    """Collects the networks of leaves."""

    def __init__(self, component: Component, best: NDArray[np.int64], budget: Budget, run: Run) -> None:
        self._component = component
        self.run = run
        self._tick = budget.tick
        self._memory = budget.memory
        self._share = budget.memory / 4  # that a leaf should have
        self.most = budget.most
        flat = component.flat
        chosen = flat.scores[flat.starts[:-1] + best]
        self._best_score = float(chosen.sum())
        self.deviations = np.repeat(chosen, np.diff(flat.starts)) - flat.scores  # of families, from the best network's
        self._blocks: list[tuple[Ticks, NDArray[np.uint16]]] = []
        self.status: Status = "complete"
        self.expanded = 0

    @property
    def least(self) -> float:
        """What a network must score to be listed; it rises where there is no memory for all networks."""
        return self._best_score - (self.most + MARGIN) * self._tick

    @property
    def memory(self) -> float:
        """What the networks of a leaf may take, as they are copied a few times."""
        return self._memory / 3

    @property
    def has_room(self) -> bool:
        """Whether a leaf has the share that it should have."""
        return self._memory >= self._share

    def callback(self) -> CoreCallback:
        """That of a search for networks."""
        return self.run.callback()

    def networks(self, flat: FlatFamilies) -> ComponentNetworks:
        """All networks so far, best first."""
        members = self._component.members
        ticks = np.concatenate([np.empty(0, dtype=np.int64), *(ticks for ticks, _ in self._blocks)])
        none = np.empty((0, len(members)), dtype=np.uint16)
        positions = np.concatenate([none, *(positions for _, positions in self._blocks)])
        self._blocks = []
        order = np.argsort(ticks, kind="stable")
        return ComponentNetworks(members, ticks[order], positions[order], flat.starts[members])

    def add(self, rows: NDArray[np.int64]) -> bool:
        """Lists the networks of a leaf by tables, given by its families; False if that was stopped."""
        taken = np.zeros(len(self._component.flat.scores), dtype=np.bool_)
        taken[rows] = True
        leaf = ComponentLoop(self._component.flat.kept(taken), self.run, partial(TableEnumerator, run=self.run))
        leaf.solve()
        if leaf.status == "infeasible":
            return True
        is_reduced = False
        if leaf.status == "complete":
            offset = int(np.floor(self.deviations[rows[leaf.best]].sum() / self._tick))
            within = self.most - offset + MARGIN
            if within < 0:
                return True
            is_reduced = leaf.reduce((within + MARGIN) * self._tick)
        if not is_reduced:
            self.status = leaf.status
            return False
        several, fitting = leaf.listed(Budget(self._tick, within, self._memory), "networks")
        if fitting < within:
            self.narrow(offset + fitting - MARGIN)
        self.expanded += leaf.n_expanded
        if leaf.status not in ("complete", "memory_limit"):
            self.status = leaf.status
        return self.add_listed([self._of_leaf(networks, rows[leaf.rows]) for networks in several])

    def _of_leaf(self, networks: ComponentNetworks, rows: NDArray[np.int64]) -> LeafNetworks:
        """The same by positions in the component's lists; the leaf's families stand at these rows of its."""
        families = rows[networks.families(slice(None))]
        positions = (families - self._component.flat.starts[networks.members]).astype(np.uint16)
        return LeafNetworks(networks.members, positions, self.deviations[families].sum(axis=1))

    def add_listed(self, several: list[LeafNetworks]) -> bool:
        """Takes all networks that one of each list make; False if that was stopped."""
        if any(len(listed.deviations) == 0 for listed in several):
            return True
        if sum(len(listed.deviations) > 1 for listed in several) <= 1:
            self._add_rows(several)
        else:
            least = math.fsum(float(listed.deviations.min()) for listed in several)
            offset = int(np.floor(least / self._tick))
            self._add_products([self._ordered(listed, offset) for listed in several], offset)
        return self.status in ("complete", "memory_limit")

    def _add_rows(self, several: list[LeafNetworks]) -> None:
        """The networks of the longest list, where the others leave no choice."""
        longest = max(several, key=lambda listed: len(listed.deviations))
        single = [listed for listed in several if listed is not longest]
        deviation = math.fsum(float(listed.deviations[0]) for listed in single)
        column = np.zeros(len(self._component), dtype=np.int64)
        column[longest.members] = np.arange(len(longest.members))
        for start in range(0, len(longest.deviations), _BLOCK):
            rows = slice(start, start + _BLOCK)
            block = longest.positions[rows].take(column, axis=1)
            for listed in single:
                block[:, listed.members] = listed.positions[0]
            self._append(deviation + longest.deviations[rows], block)

    def _ordered(self, listed: LeafNetworks, offset: int) -> _Ordered:
        """Those networks of the list that may be part of a credible one, best first."""
        deviations = listed.deviations - listed.deviations.min()
        rows = np.flatnonzero(deviations <= (self.most - offset + 2 * MARGIN) * self._tick)
        rows = rows[np.argsort(deviations[rows], kind="stable")]
        return _Ordered(listed, np.rint(deviations[rows] / self._tick).astype(np.int64), rows)

    def _add_products(self, ordered: list[_Ordered], offset: int) -> None:
        """All networks that one of each list make, of which the best deviates by so many ticks."""
        if not all(map(len, ordered)):
            return
        several = [one for one in ordered if len(one) > 1]
        while self._n_products(several, offset) * listing_bytes(len(self._component)) > self._memory and self.most > 0:
            self.narrow(self.most * 3 // 4)
        best = np.zeros(len(self._component), dtype=np.uint16)
        deviation = 0.0
        for (members, positions, deviations), _, rows in ordered:
            if len(rows) == 1:
                best[members] = positions[rows[0]]
                deviation += float(deviations[rows[0]])
        for chosen in self._products(several, offset, np.zeros(1, dtype=np.int64), []):
            n_rows = len(chosen[0]) if chosen else 1
            sums, block = np.full(n_rows, deviation), np.tile(best, (n_rows, 1))
            for ((members, positions, deviations), _, rows), places in zip(several, chosen, strict=True):
                sums += deviations[rows[places]]
                block[:, members] = positions[rows[places]]
            self._append(sums, block)
            if self.run.clock.is_over:
                self.status = self.run.status_of("stopped")
                return

    def _append(self, deviations: NDArray[np.float64], positions: NDArray[np.uint16]) -> None:
        ticks = np.maximum(np.rint(deviations / self._tick), 0).astype(np.int64)
        inside = ticks <= self.most
        if not inside.all():
            ticks, positions = ticks[inside], positions[inside]
        self._blocks.append((ticks, positions))
        self._memory -= len(ticks) * listing_bytes(len(self._component))
        while self._memory < 0 and self.most > 0:
            self.narrow_to_half()

    def _n_products(self, several: list[_Ordered], offset: int) -> float:
        """How many networks the lists make."""
        sums = Deviations.none()
        try:
            for one in several:
                sums = sums.combined(Deviations.of(one.ticks, self._tick), self.most - offset + MARGIN)
        except ArgumentError:  # more different ones than can be counted
            return math.inf
        return sums.n_networks

    def _products(
        self, several: list[_Ordered], offset: int, sums: Ticks, chosen: list[NDArray[np.int32]]
    ) -> Iterator[list[NDArray[np.int32]]]:
        """For each list its rows in all combinations, some at a time; sums are those of the lists before."""
        if not several:
            yield chosen
            return
        ends = np.searchsorted(several[0].ticks, self.most - offset + MARGIN - sums, side="right")
        if ends.sum() > _BLOCK and len(sums) > 1:
            half = len(sums) // 2
            for some in (slice(half), slice(half, None)):
                yield from self._products(several, offset, sums[some], [places[some] for places in chosen])
            return
        before = np.repeat(np.arange(len(sums)), ends)
        rows = (np.arange(len(before)) - np.repeat(np.cumsum(ends) - ends, ends)).astype(np.int32)
        longer = [*(places[before] for places in chosen), rows]
        yield from self._products(several[1:], offset, sums[before] + several[0].ticks[rows], longer)

    def narrow_by(self, deviation: float) -> None:
        """Takes only deviations that are smaller by this much from now on."""
        self.narrow(self.most - math.ceil(deviation / self._tick) - MARGIN)

    def narrow_to_half(self) -> None:
        """Drops about half of the networks, those that deviate most."""
        ticks = np.concatenate([ticks for ticks, _ in self._blocks])
        middle = len(ticks) // 2
        self.narrow(min(int(np.partition(ticks, middle)[middle]), self.most) - 1)

    def narrow(self, most: int) -> None:
        """Only so large deviations from now on, as there is no memory for more."""
        self.status = "memory_limit"
        self.most = min(self.most, max(most, 0))
        for at, (ticks, positions) in enumerate(self._blocks):
            inside = ticks <= self.most
            self._blocks[at] = ticks[inside], positions[inside]
            self._memory += np.count_nonzero(~inside) * listing_bytes(len(self._component))
