"""Markov equivalence classes of networks that are a product over strongly connected components.

Components are joined by edges in one direction only, so two networks are equivalent if and only if they are so in each
component: if they have the same skeleton, with the parents outside, and the same unshielded colliders of parents of
which at least one is inside. (Colliders of two parents outside are the same whenever skeletons are, and whether a
parent outside is joined to one inside is told by the latter's family.) So a class of all networks is one class of each
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
from credenet.credible.classes import class_size
from credenet.credible.engine.deviations import Deviations, sums_from_each, sums_without_each
from credenet.credible.engine.network_products import ComponentNetworks, NetworkProduct, dag_of
from credenet.families.arrays import FlatFamilies
from credenet.families.table import FamilyTable
from credenet.graphs import PDAG

_BLOCK = 1 << 16


class ComponentClasses:
    """The classes of a component: the best network of each, best first, and the deviations of all its networks."""

    def __init__(self, best: ComponentNetworks, networks: list[Deviations]) -> None:
        self.best = best
        self.networks = networks

    @cached_property
    def _place(self) -> dict[bytes, int]:
        return {row.tobytes(): at for at, row in enumerate(self.best.families(slice(None)))}

    def of(self, choice: NDArray[np.int64]) -> Deviations:
        """The networks of the class whose best has these families in this component."""
        return self.networks[self._place[choice[self.best.members].tobytes()]]


class RankedClass(NamedTuple):
    """One class: the families of its best network, the number of its networks, and their weight."""

    choice: NDArray[np.int64]
    members: int
    weight: float


class ClassProduct:
    """One class of each component, as far as the best networks together are within the total deviation."""

    def __init__(self, classes: list[ComponentClasses], fixed: NDArray[np.int64], tick: float, most: int) -> None:
        self.classes = classes
        self.best = NetworkProduct((each.best for each in classes), fixed, tick, most)

    @property
    def n_classes(self) -> int:
        return self.best.n_networks

    def ranked(self, start: int = 0) -> Iterator[RankedClass]:
        """The classes from a rank on, in the order of their best networks."""
        for choices, _ in self.best.ranked(start):
            yield from map(self._class, choices)

    def _class(self, choice: NDArray[np.int64]) -> RankedClass:
        several = [each.of(choice) for each in self.classes]
        if sum(int(each.ticks[-1]) for each in several) <= self.best.most:  # all combinations are within
            members = math.prod(each.n_networks for each in several)
            return RankedClass(choice, members, math.prod(each.weight for each in several))
        total = Deviations.none()
        for each in several:
            total = total.combined(each, self.best.most)
        return RankedClass(choice, total.n_networks, total.weight)

    def networks(self) -> Deviations:
        """The deviations of all networks of all classes."""
        total = Deviations.none()
        for each in self._each():
            total = total.combined(each, self.best.most)
        return total

    def others(self) -> list[Deviations]:
        """Those of all components but one, for each one."""
        each, most = self._each(), self.best.most
        return sums_without_each(each, sums_from_each(each[1:], most)[: len(each)], most)

    def _each(self) -> list[Deviations]:
        return [_together(each.networks) for each in self.classes]


def _together(several: list[Deviations]) -> Deviations:
    ticks, place = np.unique(np.concatenate([each.ticks for each in several]), return_inverse=True)
    counts = np.zeros(len(ticks), dtype=object)
    np.add.at(counts, place, np.concatenate([each.counts.astype(object) for each in several]))
    weights = np.zeros(len(ticks))
    np.add.at(weights, place, np.concatenate([each.weights for each in several]))
    return Deviations(ticks, counts, weights)


def classes_of_components(
    components: Iterable[ComponentNetworks], product: NetworkProduct, families: FamilyTable
) -> ClassProduct:
    """The classes of the networks of some components, which may be all that the product is made of."""
    classes = [
        listed_classes(component, product, families.flat())
        if component.sizes is None
        else _sized_classes(component, component.sizes, product, families)
        for component in components
    ]
    return ClassProduct(classes, product.fixed, product.tick, product.most)


def listed_classes(networks: ComponentNetworks, product: NetworkProduct, flat: FlatFamilies) -> ComponentClasses:
    """The classes of networks that are listed; the other variables may have any families."""
    index = _core.ClassIndex(len(product.fixed))
    found = []
    for first in range(0, len(networks), _BLOCK):
        families = networks.families(slice(first, first + _BLOCK))
        choices = np.tile(product.fixed, (len(families), 1))
        choices[:, networks.members] = families
        found.append(index.add(flat.lists, choices))
    numbers: NDArray[Any] = np.concatenate(found)
    # Classes are numbered as they are met, and networks come best first.
    _, best = np.unique(numbers, return_index=True)
    order = np.argsort(numbers, kind="stable")
    several = np.split(networks.ticks[order], np.flatnonzero(np.diff(numbers[order])) + 1)
    return ComponentClasses(networks.taken(best), [Deviations.of(ticks, product.tick) for ticks in several])


def _sized_classes(
    networks: ComponentNetworks, sizes: NDArray[np.uint64], product: NetworkProduct, families: FamilyTable
) -> ComponentClasses:
    """The classes of which one network each and the size are listed; all networks of a class score the same."""
    counts = sizes.tolist()
    for row in np.flatnonzero(sizes == 0).tolist():  # too large for the core
        choice = product.fixed.copy()
        choice[networks.members] = networks.families(slice(row, row + 1))[0]
        cpdag = dag_of(families, choice).cpdag()
        members = {families.variables[at] for at in networks.members.tolist()}
        inside = [edge for edge in cpdag.undirected if members.issuperset(edge)]
        counts[row] = class_size(PDAG(cpdag.variables, (), inside))
    deviations = [
        Deviations(ticks, np.array([count], dtype=object), count * np.exp(-ticks * product.tick))
        for ticks, count in zip(networks.ticks[:, None], counts, strict=True)
    ]
    return ComponentClasses(networks, deviations)
