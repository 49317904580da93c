"""The credible networks of each strongly connected component, and all networks as their product.

A network of all variables consists of one network of each component. It is credible if the deviations add up to at most
the limit. The components share only this limit, so networks are counted, weighed and sampled without listing the
product.
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

from credenet.families.nested_penalties import complexities, log_penalties, log_penalty
from credenet.families.table import FamilyTable
from credenet.graphs import DAG
from credenet.settings.priors import Prior
from credenet.structures.products.deviations import Deviations, Ticks, sums_from_each, sums_without_each

Choices = NDArray[np.int64]
"""For each network (row) and variable (column) the position of a family in the table."""

_BLOCK = 4096  # Networks of a block.
_STEPS_OF_DRAW = 300  # Steps to draw a network of a component.
_FIRST_BLOCK = 16  # Networks of the first block; it is small, as often only a few networks are wanted.


@dataclass(frozen=True, slots=True)
class ComponentNetworks:
    """The networks of a component, best first, or one network of each Markov equivalence class.

    Attributes
    ----------
    ticks
        The deviation of each network from the best, in ticks.
    positions
        The families of the members, by position in their lists.
    starts
        The positions in the table at which the members' lists begin.
    sizes
        The sizes of the classes, 0 for a size above 64 bits; None for networks.
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
        """The networks of some rows."""
        sizes = None if self.sizes is None else self.sizes[rows]
        return ComponentNetworks(self.members, self.ticks[rows], self.positions[rows], self.starts, sizes)

    def up_to(self, most: int) -> ComponentNetworks:
        """The networks that deviate by at most ``most`` ticks."""
        return self.take(slice(np.searchsorted(self.ticks, most, side="right")))

    def families(self, rows: NDArray[np.int64] | slice) -> Choices:
        """The families of the members in some rows, by position in the table."""
        return np.asarray(self.starts + self.positions[rows])

    def choices(self, fixed: NDArray[np.int64], rows: NDArray[np.int64] | slice) -> Choices:
        """The networks of some rows, completed by the families ``fixed`` of the other variables."""
        families = self.families(rows)
        choices = np.tile(fixed, (len(families), 1))
        choices[:, self.members] = families
        return choices

    def is_member(self, n_variables: int) -> NDArray[np.uint8]:
        """A vector with 1 for the members and 0 for the other variables."""
        marks = np.zeros(n_variables, dtype=np.uint8)
        marks[self.members] = 1
        return marks


def listing_bytes(n_variables: int) -> int:
    """The bytes per network of a listing, which holds three copies: as found, joined, and sorted."""
    return 3 * (8 + 2 * n_variables)


class NetworkProduct:
    """All combinations of one network of each component within a total deviation; none if that is negative.

    Attributes
    ----------
    components
        The components with several networks, the largest first, as sampling and listing begin with it.
    fixed
        For each variable a family; it is used for variables outside these components.
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
        """The product within a smaller deviation."""
        return NetworkProduct(self.components, self.fixed, self.tick, most)

    @cached_property
    def _each(self) -> list[Deviations]:
        return [Deviations.from_ticks(component.ticks, self.tick) for component in self.components]

    @cached_property
    def _rest(self) -> list[Deviations]:
        """For each component the combined deviations of it and all later ones."""
        return sums_from_each(self._each, self.most)

    @cached_property
    def _others(self) -> list[Deviations]:
        """For each component the combined deviations of all others."""
        return sums_without_each(self._each, self._rest[1:], self.most)

    @property
    def n_bytes(self) -> int:
        return sum(component.n_bytes for component in self.components)

    @property
    def n_networks(self) -> int:
        return 0 if self.most < 0 else self._rest[0].n_networks

    @property
    def weight(self) -> float:
        """The sum of exp(-deviation) over all networks."""
        return self._rest[0].weight

    @property
    def sizes(self) -> list[int]:
        """The numbers of networks of the components."""
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
        """For each family of the table its probability: the share of the weight of networks that have it."""
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

    def count_and_draw(self, n: int, rng: np.random.Generator) -> tuple[float, Choices]:
        """Sampled networks after the steps that they took, each about a nanosecond."""
        return _STEPS_OF_DRAW * n * len(self.components), self.draw(n, rng)

    def draw(self, n: int, rng: np.random.Generator) -> Choices:
        """Networks sampled with probabilities proportional to their weights."""
        choices = np.tile(self.fixed, (n, 1))
        left = np.full(n, self.most, dtype=np.int64)
        for component, rest in zip(self.components, self._rest[1:], strict=True):
            rows = np.empty(n, dtype=np.int64)
            uniform = rng.random(n)
            for limit in np.unique(left):
                same = left == limit
                sums = np.cumsum(np.exp(-component.ticks * self.tick) * rest.weight_within(limit - component.ticks))
                last = np.searchsorted(sums, sums[-1])  # The last network that can be drawn.
                rows[same] = np.minimum(np.searchsorted(sums, uniform[same] * sums[-1], side="right"), last)
            choices[:, component.members] = component.families(rows)
            left -= component.ticks[rows]
        return choices

    def blocks_from(self, start: int = 0) -> Iterator[tuple[Choices, Ticks]]:
        """All networks from rank ``start`` on, best first, in blocks: their families and deviations."""
        if self.most < 0:
            return
        if len(self.components) == 1:
            component = self.components[0]
            for first in range(start, len(component), _BLOCK):
                rows = slice(first, first + _BLOCK)
                yield component.choices(self.fixed, rows), component.ticks[rows]
            return
        pairs = self._combinations()
        next(islice(pairs, start, start), None)  # Skips the first ``start`` combinations.
        size = _FIRST_BLOCK
        while block := list(islice(pairs, size)):
            size = min(4 * size, _BLOCK)
            choices = np.tile(self.fixed, (len(block), 1))
            rows_of = np.array([rows for _, rows in block], dtype=np.int64).reshape(len(block), len(self.components))
            for column, component in enumerate(self.components):
                choices[:, component.members] = component.families(rows_of[:, column])
            yield choices, np.array([ticks for ticks, _ in block], dtype=np.int64)

    def _combinations(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        """All combinations as deviation and ranks in the components, best first.

        A heap holds the next candidates. The parent of a combination is that with its last positive rank lowered by 1,
        so that each combination is reached once.
        """
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
    """The network with these families, one for each variable, by position in the table."""
    flat = families.flat()
    parents = [flat.parents_of(at) for at in choice.tolist()]
    return DAG.from_indices(families.variables, parents)


def score_of(families: FamilyTable, choice: NDArray[np.int64], prior: Prior | None = None) -> float:
    """The score of a network of these families; a prior on whole networks adds its penalty."""
    flat = families.flat()
    score = math.fsum(flat.scores[choice].tolist())
    if prior is None or prior.is_modular:
        return score
    complexity = int(complexities(prior, flat.sizes[choice][None, :])[0])
    return score + log_penalty(prior, len(choice), complexity)


def scores_of(families: FamilyTable, choices: Choices, prior: Prior | None = None) -> NDArray[np.float64]:
    """The scores of several networks; see `score_of`."""
    flat = families.flat()
    scores: NDArray[np.float64] = flat.scores[choices].sum(axis=1)
    if prior is None or prior.is_modular:
        return scores
    several = complexities(prior, flat.sizes[choices])
    penalties = log_penalties(prior, choices.shape[1], int(several.max(initial=0)))
    return np.asarray(scores + penalties[several])
