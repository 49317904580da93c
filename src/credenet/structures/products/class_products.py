"""Markov equivalence classes of networks that are a product over strongly connected components.

Edges between two components all have one direction. So two networks are equivalent if and only if they are equivalent
in each component: they have the same skeleton, including parents outside, and the same unshielded colliders with at
least one parent inside. (If the skeletons agree, colliders of two outside parents agree, too; and the family of an
inside parent tells whether an edge joins it to an outside parent.) A class of all networks is thus one class of each
component, and classes are counted, sorted and weighed without listing the product.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._run.progress import thread_count
from credenet.families.arrays import FlatFamilies
from credenet.families.table import FamilyTable
from credenet.structures.products.deviations import Deviations, sums_from_each, sums_without_each
from credenet.structures.products.network_products import ComponentNetworks, NetworkProduct

_BLOCK = 1 << 16  # Networks whose classes are computed together.


class ComponentClasses:
    """The classes of a component: the best network of each, best first, and the deviations of all its networks.

    The deviations of class k are at ``starts[k]`` to ``starts[k + 1]``.
    """

    def __init__(self, best: ComponentNetworks, networks: Deviations, starts: NDArray[np.int64]) -> None:
        self.best = best
        self.networks = networks
        self.starts = starts

    @cached_property
    def _place(self) -> dict[bytes, int]:
        return {row.tobytes(): at for at, row in enumerate(self.best.families(slice(None)))}

    def deviations_of(self, choice: NDArray[np.int64]) -> Deviations:
        """The deviations of the class whose best network has these families in this component."""
        at = self._place[choice[self.best.members].tobytes()]
        rows = slice(self.starts[at], self.starts[at + 1])
        return Deviations(self.networks.ticks[rows], self.networks.counts[rows], self.networks.weights[rows])

    def class_weights(self, others: Deviations, most: int) -> NDArray[np.float64]:
        """For each class of this component the weight of all networks whose part here belongs to it."""
        weights = self.networks.weights * others.weight_within(most - self.networks.ticks)
        return np.asarray(np.add.reduceat(weights, self.starts[:-1]))


class RankedClass(NamedTuple):
    """One class: the families of its best network, the number of its networks, and their weight."""

    choice: NDArray[np.int64]
    members: int
    weight: float


class ClassProduct:
    """All combinations of one class of each component whose best networks are within the total deviation together."""

    def __init__(self, classes: list[ComponentClasses], fixed: NDArray[np.int64], tick: float, most: int) -> None:
        self.classes = classes
        self.best = NetworkProduct((each.best for each in classes), fixed, tick, most)

    @property
    def n_classes(self) -> int:
        return self.best.n_networks

    def classes_from(self, start: int = 0) -> Iterator[RankedClass]:
        """The classes from rank ``start`` on, in the order of their best networks."""
        for choices, _ in self.best.blocks_from(start):
            yield from map(self.class_of, choices)

    def class_of(self, choice: NDArray[np.int64]) -> RankedClass:
        """The class whose best network has these families."""
        several = [each.deviations_of(choice) for each in self.classes]
        if sum(int(each.ticks[-1]) for each in several) <= self.best.most:  # All combinations are within the limit.
            members = math.prod(each.n_networks for each in several)
            return RankedClass(choice, members, math.prod(each.weight for each in several))
        total = Deviations.none()
        for each in several:
            total = total.combine(each, self.best.most)
        return RankedClass(choice, total.n_networks, total.weight)

    def networks(self) -> Deviations:
        """The deviations of all networks of all classes."""
        total = Deviations.none()
        for each in self._each():
            total = total.combine(each, self.best.most)
        return total

    def others(self) -> list[Deviations]:
        """For each component the combined deviations of all other components."""
        each, most = self._each(), self.best.most
        return sums_without_each(each, sums_from_each(each[1:], most)[: len(each)], most)

    def _each(self) -> list[Deviations]:
        return [each.networks.merge() for each in self.classes]


def classes_of_components(
    components: Iterable[ComponentNetworks], product: NetworkProduct, families: FamilyTable
) -> ClassProduct:
    """The product of the classes of some components of a product of networks."""
    classes = [
        list_classes(component, product, families.flat())
        if component.sizes is None
        else _make_sized_classes(component, component.sizes, product, families.flat())
        for component in components
    ]
    return ClassProduct(classes, product.fixed, product.tick, product.most)


def list_classes(networks: ComponentNetworks, product: NetworkProduct, flat: FlatFamilies) -> ComponentClasses:
    """The classes of the listed networks of a component; the families of other variables do not matter."""
    index = _core.ClassIndex(len(product.fixed))
    blocks = (networks.choices(product.fixed, slice(at, at + _BLOCK)) for at in range(0, len(networks), _BLOCK))
    numbers: NDArray[Any] = np.concatenate([index.add(flat.lists, choices) for choices in blocks])
    # The index numbers classes in the order of their first networks, and networks come best first.
    order = np.argsort(numbers, kind="stable")
    numbers, ticks = numbers[order], networks.ticks[order]
    is_new = np.diff(numbers, prepend=-1) > 0
    # firsts are the positions at which a new deviation of a class begins.
    firsts = np.flatnonzero(is_new | (np.diff(ticks, prepend=-1) != 0))
    counts = np.diff(firsts, append=len(ticks))
    deviations = Deviations(ticks[firsts], counts, counts * np.exp(-ticks[firsts] * product.tick))
    starts = np.append(np.flatnonzero(is_new[firsts]), len(firsts))
    return ComponentClasses(networks.take(order[is_new]), deviations, starts)


def _make_sized_classes(
    networks: ComponentNetworks, sizes: NDArray[np.uint64], product: NetworkProduct, flat: FlatFamilies
) -> ComponentClasses:
    """The classes of a list with one network and the size of each; all networks of a class have the same score."""
    counts = sizes.astype(object)
    large = np.flatnonzero(sizes == 0)  # Size 0 stands for a size above 64 bits.
    if len(large):
        children = networks.is_member(len(product.fixed))
        counts[large] = _core.class_sizes(
            flat.lists, networks.choices(product.fixed, large), children, thread_count(None)
        )
    weights = counts.astype(np.float64) * np.exp(-networks.ticks * product.tick)
    return ComponentClasses(networks, Deviations(networks.ticks, counts, weights), np.arange(len(networks) + 1))
