"""The networks of the leaves of a large component, put together to one diagram.

The families of a leaf make components, each a node of the diagram; the networks of the leaf are their products. Where
there are not too many networks, they are listed in the end. Their deviations are computed anew from the scores, so that
they do not depend on the leaves.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._run.progress import CoreCallback
from credenet._run.run import Run
from credenet._run.status import Status
from credenet.credible.engine.by_table import TableEnumerator
from credenet.credible.engine.component_loop import ComponentLoop
from credenet.credible.engine.enumerator import MARGIN, Budget, What
from credenet.families.arrays import FlatFamilies
from credenet.search.components import Component
from credenet.structures.listing_limit import MOST_LISTED
from credenet.structures.network_diagrams import (
    ComponentDiagram,
    SumStoppedError,
    TooManyScoresError,
    sums_within,
)
from credenet.structures.network_products import ComponentNetworks, listing_bytes

_BLOCK = 1 << 18  # Networks whose deviations are computed at once.
_LEAST = 2e7  # Bytes of a diagram in any case, which few networks take, too.
MANY = 1_000_000  # Networks; where fewer do not fit into memory, only the better ones are kept.


class LeafListing:
    """Collects the networks of leaves.

    Attributes
    ----------
    most
        The deviation in ticks that is asked for; less where there is no memory for all.
    deviations, ticks
        How much less than the best network's families of their variables families score, also in ticks.
    diagram
        With a node for each part of a leaf.
    """

    def __init__(self, component: Component, best: NDArray[np.int64], budget: Budget, run: Run) -> None:
        self._component = component
        self.run = run
        self._tick = budget.tick
        self._memory = budget.memory
        self._best = best
        self.most = budget.most
        flat = component.flat
        chosen = flat.scores[flat.starts[:-1] + best]
        self._best_score = float(chosen.sum())
        self.deviations = np.repeat(chosen, np.diff(flat.starts)) - flat.scores
        self.ticks = np.rint(self.deviations / budget.tick).astype(np.int64)
        self.diagram = _core.NetworkDiagram(len(component))
        self._leaves: list[list[int]] = []
        self.status: Status = "complete"
        self.expanded = 0
        self.is_whole = True

    @property
    def least(self) -> float:
        """What a network must score to be kept; it rises where there is no memory for all."""
        return self._best_score - (self.most + MARGIN) * self._tick

    @property
    def memory(self) -> int:
        """What the diagram may take, as sums over it take about as much; some in any case."""
        return int(max(self._memory / 2, _LEAST))

    def callback(self) -> CoreCallback:
        """That of a search for networks."""
        return self.run.callback()

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
        memory = self._memory - self.diagram.n_bytes
        several, fitting = leaf.listed(Budget(self._tick, within, memory), "networks")
        if fitting < within:
            self.narrow(offset + fitting - MARGIN)
        self.expanded += leaf.n_expanded
        if leaf.status not in ("complete", "memory_limit"):
            self.status = leaf.status
        self.is_whole = self.is_whole and leaf.is_whole
        self.add_product([self._node(networks, rows[leaf.rows]) for networks in several])
        return self.status in ("complete", "memory_limit")

    def _node(self, networks: ComponentNetworks | ComponentDiagram, rows: NDArray[np.int64]) -> int:
        """That of a list; the leaf's families stand at these rows of the component's."""
        assert isinstance(networks, ComponentNetworks)  # tables make no diagrams
        families = rows[networks.families(slice(None))]
        positions = (families - self._component.flat.starts[networks.members]).astype(np.uint16)
        return self.add_list(networks.members, positions, self.ticks[families].sum(axis=1))

    def add_list(self, members: NDArray[np.int32], positions: NDArray[np.uint16], ticks: NDArray[np.int64]) -> int:
        """A node of networks of some variables, by positions of their families in the lists."""
        return self.diagram.add_list(members.astype(np.uint16), positions.reshape(-1), ticks)

    def add_product(self, nodes: list[int]) -> None:
        """Takes the networks of a leaf: all that one of each node make."""
        self._leaves.append(nodes)

    def add_best(self) -> None:
        """Takes the best network, which is known even if the search was stopped before it came to it."""
        if self._leaves:
            root = self.diagram.add_products(self._leaves)
            if sums_within(self.diagram, root, 0, self._tick).n_networks > 0:
                return
        members = np.arange(len(self._component), dtype=np.int32)
        self.add_product([self.add_list(members, self._best.astype(np.uint16), np.zeros(1, dtype=np.int64))])

    def narrow(self, most: int) -> None:
        """Only so large deviations from now on, as there is no memory for more."""
        self.status = "memory_limit"
        self.most = min(self.most, max(most, 0))

    def networks(self, flat: FlatFamilies, what: What) -> ComponentNetworks | ComponentDiagram:
        """All networks so far, best first; as a diagram if there are very many, unless their classes are wanted."""
        members = self._component.members
        if not self._leaves:
            none = np.empty((0, len(members)), dtype=np.uint16)
            return ComponentNetworks(members, np.empty(0, dtype=np.int64), none, flat.starts[members])
        root = self.diagram.add_products(self._leaves)
        room = max(self._memory - self.diagram.n_bytes, self._memory / 2)
        fitting = max(int(room / listing_bytes(len(members))), 1)
        try:
            number = self._number(root)
        except (SumStoppedError, KeyboardInterrupt):  # some of the networks are there to be returned
            self.status, self.is_whole = self.run.status_of("stopped"), False
            return self._listed(root, min(fitting, MANY), flat)
        if number > max(MANY, min(fitting, MOST_LISTED)) and what == "networks":
            return ComponentDiagram(members, self.diagram, root, self.most, self._tick, flat.starts[members], number)
        if number > fitting:
            self._narrow_to(root, fitting)
        return self._listed(root, fitting, flat)

    def _number(self, root: int) -> int:
        """How many networks there are; the deviation shrinks where they cannot be counted."""
        while True:
            try:
                limits = (self.most, self._tick, self.callback(), max(self.memory, 5 * _LEAST))
                return sums_within(self.diagram, root, *limits).n_networks
            except TooManyScoresError:
                self.narrow(self.most * 3 // 4)

    def _narrow_to(self, root: int, fitting: int) -> None:
        """To about the largest deviation within which no more networks than fit are."""
        low, high = -1, self.most  # none is too many, all are
        close = max(self.most // 1000, 1)  # so that it is not that of a network but for rounding
        while high - low > (close if low >= 0 else 1):
            middle = (low + high) // 2
            if sums_within(self.diagram, root, middle, self._tick).n_networks <= fitting:
                low = middle
            else:
                high = middle
        self.is_whole = self.is_whole and low >= 0
        self.narrow(low)

    def _listed(self, root: int, fitting: int, flat: FlatFamilies) -> ComponentNetworks:
        members = self._component.members
        n = len(members)
        positions, _, _ = self.diagram.listed(root, -_core.NetworkDiagram.no_limit, self.most + n, fitting)
        rows = positions.reshape(-1, n)
        ticks = np.concatenate(
            [np.empty(0, dtype=np.int64), *(self._ticks(rows[at : at + _BLOCK]) for at in range(0, len(rows), _BLOCK))]
        )
        order = np.flatnonzero(ticks <= self.most)
        order = order[np.argsort(ticks[order], kind="stable")]
        return ComponentNetworks(members, ticks[order], rows[order], flat.starts[members])

    def _ticks(self, rows: NDArray[np.uint16]) -> NDArray[np.int64]:
        sums = self.deviations[self._component.flat.starts[:-1] + rows].sum(axis=1)
        ticks: NDArray[np.int64] = np.maximum(np.rint(sums / self._tick), 0).astype(np.int64)
        return ticks
