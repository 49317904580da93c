"""Markov equivalence classes of networks that are made of independent parts.

Parts are joined by edges in one direction only, so two networks are equivalent if and only if they are so in each part:
if they have the same skeleton, with the parents outside, and the same unshielded colliders of parents of which at least
one is in the part. (Colliders of two parents outside are the same whenever skeletons are, and whether a parent outside
is joined to one inside is told by the latter's family.) So a class of all networks is one class of each part, and
classes are counted, sorted and weighed without listing what the parts make.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet.credible.engine.deviations import Deviations
from credenet.credible.engine.parts import Part, Parts
from credenet.families.arrays import FlatFamilies

_BLOCK = 1 << 16


class PartClasses:
    """The classes of a part: the best network of each, best first, and the deviations of all its networks.

    The deviations of the classes stand one after the other; those of class k from ``starts[k]`` to ``starts[k + 1]``.
    """

    def __init__(self, part: Part, networks: Deviations, starts: NDArray[np.int64]) -> None:
        self.part = part
        self.networks = networks
        self.starts = starts

    @cached_property
    def _place(self) -> dict[bytes, int]:
        return {row.tobytes(): at for at, row in enumerate(self.part.families(slice(None)))}

    def of(self, choice: NDArray[np.int64]) -> Deviations:
        """The networks of the class whose best has these families in this part."""
        at = self._place[choice[self.part.members].tobytes()]
        rows = slice(self.starts[at], self.starts[at + 1])
        return Deviations(self.networks.ticks[rows], self.networks.counts[rows], self.networks.weights[rows])

    def class_weights(self, others: Deviations, most: int) -> NDArray[np.float64]:
        """For each class the weight of all networks that have one of it in this part, of the other parts' given."""
        weights = self.networks.weights * others.weight_within(most - self.networks.ticks)
        return np.asarray(np.add.reduceat(weights, self.starts[:-1]))


class RankedClass(NamedTuple):
    """One class: the families of its best network, the number of its networks, and their weight."""

    choice: NDArray[np.int64]
    members: int
    weight: float


class ClassProduct:
    """One class of each part, as far as the best networks together are within the total deviation."""

    def __init__(self, classes: list[PartClasses], fixed: NDArray[np.int64], tick: float, most: int) -> None:
        self.classes = classes
        self.best = Parts([each.part for each in classes], fixed, tick, most)

    @property
    def n_classes(self) -> int:
        return self.best.n_networks

    def ranked(self, start: int = 0) -> Iterator[RankedClass]:
        """The classes from a rank on, in the order of their best networks."""
        for choices, _ in self.best.ranked(start):
            yield from map(self.of, choices)

    def of(self, choice: NDArray[np.int64]) -> RankedClass:
        """The class whose best network has these families."""
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
        """Those of all parts but one, for each one."""
        each = self._each()
        after = [Deviations.none()]
        for part in reversed(each[1:]):
            after.append(after[-1].combined(part, self.best.most))
        before, others = Deviations.none(), []
        for part, rest in zip(each, reversed(after[: len(each)]), strict=True):
            others.append(before.combined(rest, self.best.most))
            before = before.combined(part, self.best.most)
        return others

    def _each(self) -> list[Deviations]:
        return [each.networks.merged() for each in self.classes]


def classes_of_parts(parts: Parts, flat: FlatFamilies) -> ClassProduct:
    """The classes of networks that are listed by parts."""
    classes = [classes_of_part(part, parts.fixed, parts.tick, flat) for part in parts.parts]
    return ClassProduct(classes, parts.fixed, parts.tick, parts.most)


def classes_of_part(part: Part, fixed: NDArray[np.int64], tick: float, flat: FlatFamilies) -> PartClasses:
    """The classes of the networks of a part; the other variables' families are given, any that they may have."""
    index = _core.ClassIndex(len(fixed))
    numbers: NDArray[Any] = np.concatenate(
        [index.add(*flat, part.networks(fixed, slice(first, first + _BLOCK))) for first in range(0, len(part), _BLOCK)]
    )
    # Classes are numbered as they are met, and networks come best first.
    order = np.argsort(numbers, kind="stable")
    numbers, ticks = numbers[order], part.ticks[order]
    is_new = np.diff(numbers, prepend=-1) > 0
    best = order[is_new]
    firsts = np.flatnonzero(is_new | (np.diff(ticks, prepend=-1) != 0))  # of equal deviations of a class
    counts = np.diff(firsts, append=len(ticks))
    networks = Deviations(ticks[firsts], counts, counts * np.exp(-ticks[firsts] * tick))
    starts = np.append(np.flatnonzero(is_new[firsts]), len(firsts))
    return PartClasses(Part(part.members, part.ticks[best], part.positions[best], part.starts), networks, starts)


def classes_of_sizes(
    part: Part, sizes: NDArray[np.uint64], fixed: NDArray[np.int64], tick: float, flat: FlatFamilies, n_threads: int
) -> PartClasses:
    """The classes of a part, given by one network of each, all networks of which have the same score.

    Their sizes are known but for those that 64 bits do not hold, which are 0.
    """
    counts = sizes.astype(object)
    large = np.flatnonzero(sizes == 0)
    if len(large):
        children = part.is_member(len(fixed))
        counts[large] = _core.class_sizes(*flat, part.networks(fixed, large), children, n_threads)
    weights = counts.astype(np.float64) * np.exp(-part.ticks * tick)
    return PartClasses(part, Deviations(part.ticks, counts, weights), np.arange(len(part) + 1))
