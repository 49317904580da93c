"""Collects the networks of the leaves of a large component in one diagram.

The families of a leaf form components, each a node of the diagram; the networks of the leaf are their product. If the
networks are not too many, they are listed in the end. Their deviations are then computed anew from the scores, so that
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
from credenet.structures.products.network_diagrams import (
    ComponentDiagram,
    SumStoppedError,
    TooManyScoresError,
    sums_within,
)
from credenet.structures.products.network_products import ComponentNetworks, listing_bytes

_BLOCK = 1 << 18  # Networks whose deviations are computed together.
_LEAST = 2e7  # Bytes that a diagram may always take, as even few networks need some.
MANY = 1_000_000  # Networks above which a diagram is kept; if fewer do not fit, only the better ones are kept.


class LeafListing:
    """Collects the networks of leaves.

    Attributes
    ----------
    most
        The largest deviation in ticks; it becomes smaller if memory does not suffice for all networks.
    deviations, ticks
        The score of a family below that of its variable in the best network, in nats and in ticks.
    diagram
        The diagram, with a node for each component of a leaf.
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
        """The lowest score of a network to keep; it rises if memory does not suffice for all."""
        return self._best_score - (self.most + MARGIN) * self._tick

    @property
    def memory(self) -> int:
        """The bytes that the diagram may take: half of the memory, as sums over it take about as much."""
        return int(max(self._memory / 2, _LEAST))

    def callback(self) -> CoreCallback:
        """The callback for a search of networks."""
        return self.run.callback()

    def add(self, rows: NDArray[np.int64]) -> bool:
        """Lists by tables the networks of a leaf with the families ``rows``; False if that was stopped."""
        taken = np.zeros(len(self._component.flat.scores), dtype=np.bool_)
        taken[rows] = True
        leaf = ComponentLoop(self._component.flat.keep(taken), self.run, partial(TableEnumerator, run=self.run))
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
        several, fitting = leaf.list_within(Budget(self._tick, within, memory), "networks")
        if fitting < within:
            self.narrow(offset + fitting - MARGIN)
        self.expanded += leaf.n_expanded
        if leaf.status not in ("complete", "memory_limit"):
            self.status = leaf.status
        self.is_whole = self.is_whole and leaf.is_whole
        self.add_product([self._node(networks, rows[leaf.rows]) for networks in several])
        return self.status in ("complete", "memory_limit")

    def _node(self, networks: ComponentNetworks | ComponentDiagram, rows: NDArray[np.int64]) -> int:
        """The diagram node of a list of networks; ``rows`` are the leaf's families among those of the component."""
        assert isinstance(networks, ComponentNetworks)  # Tables give lists, not diagrams.
        families = rows[networks.families(slice(None))]
        positions = (families - self._component.flat.starts[networks.members]).astype(np.uint16)
        return self.add_list(networks.members, positions, self.ticks[families].sum(axis=1))

    def add_list(self, members: NDArray[np.int32], positions: NDArray[np.uint16], ticks: NDArray[np.int64]) -> int:
        """Adds a diagram node for networks of some variables, given by positions of their families in the lists."""
        return self.diagram.add_list(members.astype(np.uint16), positions.reshape(-1), ticks)

    def add_product(self, nodes: list[int]) -> None:
        """Adds the networks of a leaf: all combinations of one network from each node."""
        self._leaves.append(nodes)

    def add_best(self) -> None:
        """Adds the best network, which a stopped search may not have listed."""
        if self._leaves:
            root = self.diagram.add_products(self._leaves)
            if sums_within(self.diagram, root, 0, self._tick).n_networks > 0:
                return
        members = np.arange(len(self._component), dtype=np.int32)
        self.add_product([self.add_list(members, self._best.astype(np.uint16), np.zeros(1, dtype=np.int64))])

    def narrow(self, most: int) -> None:
        """Limits deviations to ``most`` ticks from now on, as memory does not suffice for more."""
        self.status = "memory_limit"
        self.most = min(self.most, max(most, 0))

    def networks(self, flat: FlatFamilies, what: What) -> ComponentNetworks | ComponentDiagram:
        """All networks so far, best first; a diagram if they are very many and classes are not wanted."""
        members = self._component.members
        if not self._leaves:
            none = np.empty((0, len(members)), dtype=np.uint16)
            return ComponentNetworks(members, np.empty(0, dtype=np.int64), none, flat.starts[members])
        root = self.diagram.add_products(self._leaves)
        room = max(self._memory - self.diagram.n_bytes, self._memory / 2)
        fitting = max(int(room / listing_bytes(len(members))), 1)
        try:
            number = self._number(root)
        except (SumStoppedError, KeyboardInterrupt):  # A part of the networks can still be returned.
            self.status, self.is_whole = self.run.status_of("stopped"), False
            return self._list_networks(root, min(fitting, MANY), flat)
        if number > max(MANY, min(fitting, MOST_LISTED)) and what == "networks":
            return ComponentDiagram(members, self.diagram, root, self.most, self._tick, flat.starts[members], number)
        if number > fitting:
            self._narrow_to(root, fitting)
        return self._list_networks(root, fitting, flat)

    def _number(self, root: int) -> int:
        """The number of networks; the largest deviation shrinks if they are too many to count."""
        while True:
            try:
                limits = (self.most, self._tick, self.callback(), max(self.memory, 5 * _LEAST))
                return sums_within(self.diagram, root, *limits).n_networks
            except TooManyScoresError:
                self.narrow(self.most * 3 // 4)

    def _narrow_to(self, root: int, fitting: int) -> None:
        """Narrows to about the largest deviation within which at most ``fitting`` networks lie."""
        low, high = -1, self.most  # No network is within low; too many networks are within high.
        close = max(self.most // 1000, 1)  # An exact limit would be a network's own deviation, up to rounding.
        while high - low > (close if low >= 0 else 1):
            middle = (low + high) // 2
            if sums_within(self.diagram, root, middle, self._tick).n_networks <= fitting:
                low = middle
            else:
                high = middle
        self.is_whole = self.is_whole and low >= 0
        self.narrow(low)

    def _list_networks(self, root: int, fitting: int, flat: FlatFamilies) -> ComponentNetworks:
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
