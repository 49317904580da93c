"""Credible networks that are too many to list, as a diagram of sums and products (`_core.NetworkDiagram`).

Counting, weighing and sampling networks takes memory by the size of the diagram, not by their number. Networks are
listed only on request, best first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._run.progress import CoreCallback
from credenet._run.status import CoreStatus
from credenet.errors import ArgumentError
from credenet.structures.listing_limit import MOST_LISTED
from credenet.structures.products.deviations import Ticks
from credenet.structures.products.network_products import Choices, ComponentNetworks, NetworkProduct

_BLOCK = 4096  # Networks of a block, and of the first list.
_LARGEST_BLOCK = 1_000_000  # Networks that are listed together at most; lists grow up to it.
_MOST_AT_ONCE = 5_000_000  # Networks at most that are listed before sorting, as a list is held in memory.


class TooManyScoresError(ArgumentError):
    """Raised if the networks have too many different scores to keep a sum for each."""

    def __init__(self) -> None:
        super().__init__("the networks have too many different scores; ask for a smaller bayes_factor or slack")


class SumStoppedError(Exception):
    """Raised if the callback ended a sum."""


@dataclass(frozen=True, slots=True)
class ComponentDiagram:
    """The networks of a component as a node of a diagram; see `ComponentNetworks`.

    Attributes
    ----------
    diagram, root
        The diagram, whose variables are places among the members, and its node.
    most, tick, n_networks
        The largest deviation in ticks, the size of a tick, and the number of networks.
    """

    members: NDArray[np.int32]
    diagram: _core.NetworkDiagram
    root: int
    most: int
    tick: float
    starts: NDArray[np.int64]
    n_networks: int

    @property
    def n_bytes(self) -> int:
        return self.diagram.n_bytes


def sums_within(
    diagram: _core.NetworkDiagram,
    root: int,
    most: int,
    tick: float,
    callback: CoreCallback | None = None,
    memory: float = math.inf,
) -> _core.DiagramSums:
    """The sums over the networks of a node that deviate by at most ``most`` ticks, in at most ``memory`` bytes."""
    sums = _core.DiagramSums(diagram, root, most, tick, int(min(memory, 1 << 62)))
    _check(sums.sum(callback))
    return sums


def _check(status: CoreStatus) -> None:
    if status == "memory_limit":
        raise TooManyScoresError
    if status == "stopped":
        raise SumStoppedError
    if status != "complete":
        raise KeyboardInterrupt


class DiagramProduct:
    """All combinations of one network of each component within a total deviation; see `NetworkProduct`."""

    def __init__(
        self,
        components: Iterable[ComponentNetworks | ComponentDiagram],
        fixed: NDArray[np.int64],
        tick: float,
        most: int,
    ) -> None:
        self.tick = tick
        self.most = most
        self.components = tuple(components)
        self.fixed = fixed
        self._starts = np.zeros(len(fixed), dtype=np.int64)
        self._is_chosen = np.zeros(len(fixed), dtype=np.bool_)
        self._diagram = _core.NetworkDiagram(len(fixed))
        nodes = []
        for component in self.components:
            members = component.members.astype(np.uint16)
            self._starts[members] = component.starts
            self._is_chosen[members] = True
            if isinstance(component, ComponentDiagram):
                nodes.append(self._diagram.append(component.diagram, component.root, members))
            else:
                nodes.append(self._diagram.add_list(members, component.positions.reshape(-1), component.ticks))
        self._root = self._diagram.add_products([nodes])

    def up_to(self, most: int) -> DiagramProduct | NetworkProduct:
        """The product within a smaller deviation; its components become lists if they are short."""
        return product_of(self.components, self.fixed, self.tick, most)

    @cached_property
    def _sums(self) -> _core.DiagramSums:
        return sums_within(self._diagram, self._root, self.most, self.tick)

    def n_within(self, most: int) -> int:
        """The number of networks that deviate by at most ``most`` ticks."""
        return sums_within(self._diagram, self._root, most, self.tick).n_networks if most >= 0 else 0

    def least_covering(self, weight: float) -> int:
        """The smallest deviation within which the networks have at least ``weight``; the largest if they have less."""
        return self._least(lambda most: self.weight_within(most) >= weight)

    def weight_within(self, most: int) -> float:
        """The weight of the networks that deviate by at most ``most`` ticks."""
        return sums_within(self._diagram, self._root, most, self.tick).weight if most >= 0 else 0.0

    @property
    def n_bytes(self) -> int:
        return self._diagram.n_bytes

    @property
    def sizes(self) -> list[int]:
        """The numbers of networks of the components."""
        return [each.n_networks if isinstance(each, ComponentDiagram) else len(each) for each in self.components]

    @property
    def n_networks(self) -> int:
        return self._sums.n_networks

    @property
    def weight(self) -> float:
        """The sum of exp(-deviation) over all networks."""
        return self._sums.weight

    def counts(self) -> tuple[Ticks, NDArray[Any]]:
        """Raises an error: a diagram has too many different deviations to count each."""
        raise TooManyScoresError

    def first(self, k: int) -> DiagramProduct | NetworkProduct:
        """The k best networks and those as good as the last of them; all if there are fewer."""
        return self if k >= self.n_networks else self.up_to(self._deviation_of(k))

    def _deviation_of(self, rank: int) -> int:
        """The deviation of the network of a rank, counted from 1."""
        return self._least(lambda most: self.n_within(most) >= rank)

    def _least(self, is_enough: Callable[[int], bool]) -> int:
        """The smallest deviation for which ``is_enough`` holds; the largest if it holds for none."""
        low, high = -1, self.most
        while high - low > 1:
            middle = (low + high) // 2
            if is_enough(middle):
                high = middle
            else:
                low = middle
        return high

    def family_probabilities(self, n_families: int) -> NDArray[np.float64]:
        """For each family of the table its probability: the share of the weight of networks that have it."""
        status, weights = self._sums.family_weights(self._starts, n_families, None)
        _check(status)
        shares: NDArray[np.float64] = weights / self.weight
        shares[self.fixed[~self._is_chosen]] = 1.0
        return shares

    def draw(self, n: int, rng: np.random.Generator) -> Choices:
        """Networks sampled with probabilities proportional to their weights."""
        return self.count_and_draw(n, rng)[1]

    def count_and_draw(self, n: int, rng: np.random.Generator) -> tuple[float, Choices]:
        """Sampled networks after the steps that they took, each about a nanosecond."""
        status, rows, n_steps = self._sums.draw(n, int(rng.integers(1 << 62)), None)
        _check(status)
        return n_steps, self._choices(rows)[rng.permutation(n)]

    def _choices(self, rows: NDArray[np.uint16]) -> Choices:
        positions = rows.reshape(-1, len(self.fixed))
        return np.where(self._is_chosen, self._starts + positions, self.fixed)

    def blocks_from(self, start: int = 0) -> Iterator[tuple[Choices, Ticks]]:
        """All networks from rank ``start`` on, best first, in blocks: their families and deviations."""
        above, passed, block = -_core.NetworkDiagram.no_limit, 0, _BLOCK
        while above < self.most and passed < self.n_networks:
            most, number = self._next_limit(passed + block)
            if start < number:
                rows, ticks, is_whole = self._diagram.listed(self._root, above, most, _MOST_AT_ONCE)
                order = np.argsort(ticks, kind="stable")[max(start - passed, 0) :]
                choices = self._choices(rows)
                for at in range(0, len(order), _BLOCK):
                    some = order[at : at + _BLOCK]
                    yield choices[some], np.maximum(ticks[some], 0)
                if not is_whole:  # The block has a part of very many networks with the same score.
                    raise ArgumentError(
                        f"{number:,} networks score the same or better; no more than {passed + len(ticks):,} are listed"
                    )
            above, passed, block = most, number, min(4 * block, _LARGEST_BLOCK)

    def _next_limit(self, wanted: int) -> tuple[int, int]:
        """A deviation within which at least ``wanted`` networks lie, and not many more; and their number."""
        if wanted >= self.n_networks:
            return self.most, self.n_networks
        low, high, number = -1, self.most, self.n_networks
        while high - low > 1 and number > 4 * wanted:
            middle = (low + high) // 2
            n_within = self.n_within(middle)
            if n_within >= wanted:
                high, number = middle, n_within
            else:
                low = middle
        return high, number


def product_of(
    components: Iterable[ComponentNetworks | ComponentDiagram], fixed: NDArray[np.int64], tick: float, most: int
) -> DiagramProduct | NetworkProduct:
    """The product of some components; each component with few enough networks becomes a list."""
    fixed = fixed.copy()
    several: list[ComponentNetworks | ComponentDiagram] = []
    for component in components:
        within = _restrict(component, most)
        if isinstance(within, ComponentNetworks) and len(within) == 1:
            fixed[within.members] = within.families(slice(1))[0]
        else:
            several.append(within)
    lists = [each for each in several if isinstance(each, ComponentNetworks)]
    if most < 0 or len(lists) == len(several):
        return NetworkProduct(lists, fixed, tick, most)
    return DiagramProduct(several, fixed, tick, most)


def _restrict(component: ComponentNetworks | ComponentDiagram, most: int) -> ComponentNetworks | ComponentDiagram:
    """The networks of a component that deviate by at most ``most`` ticks."""
    if isinstance(component, ComponentNetworks):
        return component.up_to(most)
    if most >= component.most:
        return component
    number = sums_within(component.diagram, component.root, most, component.tick).n_networks
    fewer = replace(component, most=most, n_networks=number)
    return fewer if number > MOST_LISTED else list_networks(fewer)


def list_networks(component: ComponentNetworks | ComponentDiagram) -> ComponentNetworks:
    """The networks of a component as a list, best first."""
    if isinstance(component, ComponentNetworks):
        return component
    limits = (-_core.NetworkDiagram.no_limit, component.most, component.n_networks)
    positions, ticks, _ = component.diagram.listed(component.root, *limits)
    order = np.argsort(ticks, kind="stable")
    rows = positions.reshape(-1, len(component.members))[order]
    return ComponentNetworks(component.members, np.maximum(ticks[order], 0), rows, component.starts)


def list_components(product: DiagramProduct | NetworkProduct) -> NetworkProduct:
    """The product with the networks of each component as a list."""
    if isinstance(product, NetworkProduct):
        return product
    return NetworkProduct(map(list_networks, product.components), product.fixed, product.tick, product.most)
