"""The credible networks of each strongly connected component, and all networks as their product.

A network of all variables is one of each component, and is credible if the deviations add up to no more than the limit.
The components share nothing but that, so networks are counted, weighed and drawn from without listing the product.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credenet.families.table import FamilyTable
from credenet.graphs import DAG
from credenet.structures.deviations import Deviations, Ticks, sums_from_each, sums_without_each

Choices = NDArray[np.int64]
"""For each network (row) and variable (column) the position of a family in the table."""

_BLOCK = 4096  # Networks that are given out at once.
_FIRST_BLOCK = 16  # Networks that are given out at first, as often only a few are wanted.


@dataclass(frozen=True, slots=True)
class ComponentNetworks:
    """The networks of a component, best first, or one network of each Markov equivalence class.

    Attributes
    ----------
    ticks
        How much worse than the best each is.
    positions
        The members' families, by their positions in the lists.
    starts
        Where the members' lists begin in the table.
    sizes
        Of the classes, 0 where 64 bits do not hold it; None if these are networks.
    """

    members: NDArray[np.int32]
    ticks: Ticks
    positions: NDArray[np.uint16]
    starts: NDArray[np.int64]
    sizes: NDArray[np.uint64] | None = None

    def __len__(self) -> int:
        return len(self.ticks)

    @property
    def n_bytes(self) -> int:
        return self.ticks.nbytes + self.positions.nbytes + (0 if self.sizes is None else self.sizes.nbytes)

    def take(self, rows: slice | NDArray[np.int64]) -> ComponentNetworks:
        """Some of them."""
        sizes = None if self.sizes is None else self.sizes[rows]
        return ComponentNetworks(self.members, self.ticks[rows], self.positions[rows], self.starts, sizes)

    def up_to(self, most: int) -> ComponentNetworks:
        """Those that deviate by at most so much."""
        return self.take(slice(np.searchsorted(self.ticks, most, side="right")))

    def families(self, rows: NDArray[np.int64] | slice) -> Choices:
        """The members' families of some of the networks."""
        return np.asarray(self.starts + self.positions[rows])

    def choices(self, fixed: NDArray[np.int64], rows: NDArray[np.int64] | slice) -> Choices:
        """Some of the networks with the other variables' families given."""
        families = self.families(rows)
        choices = np.tile(fixed, (len(families), 1))
        choices[:, self.members] = families
        return choices

    def is_member(self, n_variables: int) -> NDArray[np.uint8]:
        """1 for the members, 0 for the other variables."""
        marks = np.zeros(n_variables, dtype=np.uint8)
        marks[self.members] = 1
        return marks


def listing_bytes(n_variables: int) -> int:
    """What listing takes for each network: as they are found, one after the other, and sorted."""
    return 3 * (8 + 2 * n_variables)


class NetworkProduct:
    """All networks that one of each component make, within a total deviation; none at all if that is negative.

    Attributes
    ----------
    components
        Those with several networks, the one with most first: it is drawn from, and gone through, without regard to the
        others.
    fixed
        The families of the variables of all others.
    """

    def __init__(
        self, components: Iterable[ComponentNetworks], fixed: NDArray[np.int64], tick: float, most: int
    ) -> None:
        self.fixed = fixed.copy()
        several = []
        for component in components:
            within = component.up_to(most)
            if len(within) == 1:
                self.fixed[component.members] = within.families(slice(1))[0]
            elif len(within) > 1:
                several.append(within)
        self.components = sorted(several, key=len, reverse=True)
        self.tick = tick
        self.most = most

    def up_to(self, most: int) -> NetworkProduct:
        """The same within another deviation, which is no larger."""
        return NetworkProduct(self.components, self.fixed, self.tick, most)

    @cached_property
    def _each(self) -> list[Deviations]:
        return [Deviations.from_ticks(component.ticks, self.tick) for component in self.components]

    @cached_property
    def _rest(self) -> list[Deviations]:
        """Those of the components from each one on; at the end those of none."""
        return sums_from_each(self._each, self.most)

    @cached_property
    def _others(self) -> list[Deviations]:
        """Those of all components but one, for each one."""
        return sums_without_each(self._each, self._rest[1:], self.most)

    @property
    def n_bytes(self) -> int:
        return sum(component.n_bytes for component in self.components)

    @property
    def n_networks(self) -> int:
        return 0 if self.most < 0 else self._rest[0].n_networks

    @property
    def weight(self) -> float:
        """The sum of exp(-deviation)."""
        return self._rest[0].weight

    @property
    def sizes(self) -> list[int]:
        """How many networks the components have."""
        return [len(component) for component in self.components]

    def least_covering(self, weight: float) -> int:
        """The smallest deviation within which the networks have so much weight; the largest if they have less."""
        return self._rest[0].least_covering(weight)

    def weight_within(self, most: int) -> float:
        """The weight of the networks that deviate by at most so much."""
        return float(self._rest[0].weight_within(np.array([most]))[0])

    def n_within(self, most: int) -> int:
        """The number of networks that deviate by at most so much."""
        ticks, counts = self.counts()
        return int(counts[: np.searchsorted(ticks, most, side="right")].sum())

    def counts(self) -> tuple[Ticks, NDArray[Any]]:
        """The different deviations, ascending, and the number of networks with each."""
        if self.most < 0:
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
        return self._rest[0].ticks, self._rest[0].counts

    def first(self, k: int) -> NetworkProduct:
        """The k best networks and those as good as the last of them; all if there are fewer."""
        sums = self._rest[0]
        rank = int(np.searchsorted(np.cumsum(sums.counts), k))
        if self.most < 0 or rank >= len(sums.ticks):
            return self
        return self.up_to(int(sums.ticks[rank]))

    def family_probabilities(self, n_families: int) -> NDArray[np.float64]:
        """For each family of the table the share of the weight that has it."""
        result = np.zeros(n_families)
        result[self.fixed] = 1.0
        for component, others in zip(self.components, self._others, strict=True):
            weights = (
                np.exp(-component.ticks * self.tick) * others.weight_within(self.most - component.ticks) / self.weight
            )
            for column, start in enumerate(component.starts.tolist()):
                result[self.fixed[component.members[column]]] = 0.0
                shares = np.bincount(component.positions[:, column], weights=weights)
                result[start : start + len(shares)] = shares
        return result

    def draw(self, n: int, rng: np.random.Generator) -> Choices:
        """Networks drawn with probabilities proportional to their weights."""
        choices = np.tile(self.fixed, (n, 1))
        left = np.full(n, self.most, dtype=np.int64)
        for component, rest in zip(self.components, self._rest[1:], strict=True):
            rows = np.empty(n, dtype=np.int64)
            uniform = rng.random(n)
            for limit in np.unique(left):
                same = left == limit
                sums = np.cumsum(np.exp(-component.ticks * self.tick) * rest.weight_within(limit - component.ticks))
                last = np.searchsorted(sums, sums[-1])  # of those that may be drawn
                rows[same] = np.minimum(np.searchsorted(sums, uniform[same] * sums[-1], side="right"), last)
            choices[:, component.members] = component.families(rows)
            left -= component.ticks[rows]
        return choices

    def blocks_from(self, start: int = 0) -> Iterator[tuple[Choices, Ticks]]:
        """All networks from a rank on, best first, in blocks: their families and deviations."""
        if self.most < 0:
            return
        if len(self.components) == 1:
            component = self.components[0]
            for first in range(start, len(component), _BLOCK):
                rows = slice(first, first + _BLOCK)
                yield component.choices(self.fixed, rows), component.ticks[rows]
            return
        pairs = self._combinations()
        next(islice(pairs, start, start), None)  # passes over those before
        size = _FIRST_BLOCK  # often only the first few are wanted
        while block := list(islice(pairs, size)):
            size = min(4 * size, _BLOCK)
            choices = np.tile(self.fixed, (len(block), 1))
            rows_of = np.array([rows for _, rows in block], dtype=np.int64).reshape(len(block), len(self.components))
            for column, component in enumerate(self.components):
                choices[:, component.members] = component.families(rows_of[:, column])
            yield choices, np.array([ticks for ticks, _ in block], dtype=np.int64)

    def _combinations(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Deviation and ranks in the components, best first; each from the one with its last positive rank lowered."""
        heap = [(0, tuple(0 for _ in self.components))]
        while heap:
            ticks, rows = heapq.heappop(heap)
            yield ticks, rows
            last = max((at for at, row in enumerate(rows) if row), default=0)
            for at in range(last, len(rows)):
                each, row = self.components[at].ticks, rows[at] + 1
                if row < len(each):
                    more = ticks + int(each[row] - each[row - 1])
                    if more <= self.most:
                        heapq.heappush(heap, (more, (*rows[:at], row, *rows[at + 1 :])))


def dag_of(families: FamilyTable, choice: NDArray[np.int64]) -> DAG:
    """The network of one family of each variable, by positions in the table."""
    flat = families.flat()
    parents = [flat.parents[flat.offsets[at] : flat.offsets[at + 1]].tolist() for at in choice.tolist()]
    return DAG.from_indices(families.variables, parents)


def score_of(families: FamilyTable, choice: NDArray[np.int64]) -> float:
    return math.fsum(families.flat().scores[choice].tolist())
