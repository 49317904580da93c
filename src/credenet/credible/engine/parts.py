"""Independent parts of the credible networks, and all networks that they make.

A part is a group of variables with the networks that these can have, best first; a network of all variables is one of
each part, and is credible if the deviations add up to no more than the limit. The parts share nothing but that, so they
are counted, weighed and drawn from without listing what they make.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credenet.credible.engine.deviations import Deviations, Ticks

Choices = NDArray[np.int64]
"""For each network (row) and variable (column) the position of a family in the table."""

_BLOCK = 4096
_FIRST_BLOCK = 16


@dataclass(frozen=True, slots=True)
class Part:
    """The networks of a group of variables: their deviations, from 0 on, and the members' families by position."""

    members: NDArray[np.int32]
    ticks: Ticks
    positions: NDArray[np.uint16]
    starts: NDArray[np.int64]  # where the members' families begin in the table

    def __len__(self) -> int:
        return len(self.ticks)

    @property
    def n_bytes(self) -> int:
        return self.ticks.nbytes + self.positions.nbytes

    @property
    def listing_bytes(self) -> int:
        """What listing takes for each network: as they are found, one after the other, and sorted."""
        return 3 * (8 + 2 * len(self.members))

    def is_member(self, n_variables: int) -> NDArray[np.uint8]:
        """1 for the members, 0 for the other variables."""
        marks = np.zeros(n_variables, dtype=np.uint8)
        marks[self.members] = 1
        return marks

    def within(self, most: int) -> Part:
        """Those that deviate by at most so much, as a part of its own."""
        inside = self.ticks <= most
        return Part(self.members, self.ticks[inside], self.positions[inside], self.starts)

    def families(self, rows: NDArray[np.int64] | slice) -> Choices:
        """The members' families of some of the networks."""
        return np.asarray(self.starts + self.positions[rows])

    def networks(self, fixed: NDArray[np.int64], rows: NDArray[np.int64] | slice) -> Choices:
        """Some of the networks with the other variables' families given."""
        families = self.families(rows)
        choices = np.tile(fixed, (len(families), 1))
        choices[:, self.members] = families
        return choices


class Parts:
    """All networks that one of each part make, within a total deviation; none at all if that is negative."""

    def __init__(self, parts: list[Part], fixed: NDArray[np.int64], tick: float, most: int) -> None:
        self.fixed = fixed.copy()
        several = []
        for part in parts:
            n = int(np.searchsorted(part.ticks, most, side="right"))
            if n == 1:
                self.fixed[part.members] = part.families(slice(1))[0]
            elif n > 1:
                several.append(Part(part.members, part.ticks[:n], part.positions[:n], part.starts))
        # The largest comes first, so that it is drawn from, and gone through, without regard to the others.
        self.parts = sorted(several, key=len, reverse=True)
        self.tick = tick
        self.most = most

    @cached_property
    def _each(self) -> list[Deviations]:
        return [Deviations.of(part.ticks, self.tick) for part in self.parts]

    @cached_property
    def _rest(self) -> list[Deviations]:
        """Those of the parts from each one on; at the end those of none."""
        sums = [Deviations.none()]
        for part in reversed(self._each):
            sums.append(sums[-1].combined(part, self.most))
        return sums[::-1]

    @cached_property
    def _others(self) -> list[Deviations]:
        """Those of all parts but one, for each one."""
        before, others = Deviations.none(), []
        for part, rest in zip(self._each, self._rest[1:], strict=True):
            others.append(before.combined(rest, self.most))
            before = before.combined(part, self.most)
        return others

    @property
    def n_bytes(self) -> int:
        return sum(part.n_bytes for part in self.parts)

    @property
    def n_networks(self) -> int:
        return 0 if self.most < 0 else self._rest[0].n_networks

    @property
    def weight(self) -> float:
        """The sum of exp(-deviation)."""
        return self._rest[0].weight

    def counts(self) -> tuple[Ticks, NDArray[Any]]:
        """The different deviations, ascending, and the number of networks with each."""
        if self.most < 0:
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
        return self._rest[0].ticks, self._rest[0].counts

    def first(self, k: int) -> Parts:
        """The k best networks and those as good as the last of them; all if there are fewer."""
        sums = self._rest[0]
        rank = int(np.searchsorted(np.cumsum(sums.counts), k))
        if self.most < 0 or rank >= len(sums.ticks):
            return self
        return Parts(self.parts, self.fixed, self.tick, int(sums.ticks[rank]))

    def family_probabilities(self, n_families: int) -> NDArray[np.float64]:
        """For each family of the table the share of the weight that has it."""
        result = np.zeros(n_families)
        result[self.fixed] = 1.0
        for part, others in zip(self.parts, self._others, strict=True):
            weights = np.exp(-part.ticks * self.tick) * others.weight_within(self.most - part.ticks) / self.weight
            for column, start in enumerate(part.starts.tolist()):
                result[self.fixed[part.members[column]]] = 0.0
                shares = np.bincount(part.positions[:, column], weights=weights)
                result[start : start + len(shares)] = shares
        return result

    def drawn(self, n: int, rng: np.random.Generator) -> Choices:
        """Networks drawn with probabilities proportional to their weights."""
        choices = np.tile(self.fixed, (n, 1))
        left = np.full(n, self.most, dtype=np.int64)
        for part, rest in zip(self.parts, self._rest[1:], strict=True):
            rows = np.empty(n, dtype=np.int64)
            uniform = rng.random(n)
            for limit in np.unique(left):
                same = left == limit
                sums = np.cumsum(np.exp(-part.ticks * self.tick) * rest.weight_within(limit - part.ticks))
                last = np.searchsorted(sums, sums[-1])  # of those that may be drawn
                rows[same] = np.minimum(np.searchsorted(sums, uniform[same] * sums[-1], side="right"), last)
            choices[:, part.members] = part.families(rows)
            left -= part.ticks[rows]
        return choices

    def ranked(self, start: int = 0) -> Iterator[tuple[Choices, Ticks]]:
        """All networks from a rank on, best first, in blocks: their families and deviations."""
        if self.most < 0:
            return
        if len(self.parts) == 1:
            part = self.parts[0]
            for first in range(start, len(part), _BLOCK):
                rows = slice(first, first + _BLOCK)
                yield part.networks(self.fixed, rows), part.ticks[rows]
            return
        pairs = self._combinations()
        next(islice(pairs, start, start), None)  # passes over those before
        size = _FIRST_BLOCK  # often only the first few are wanted
        while block := list(islice(pairs, size)):
            size = min(4 * size, _BLOCK)
            choices = np.tile(self.fixed, (len(block), 1))
            rows_of = np.array([rows for _, rows in block], dtype=np.int64).reshape(len(block), len(self.parts))
            for column, part in enumerate(self.parts):
                choices[:, part.members] = part.families(rows_of[:, column])
            yield choices, np.array([ticks for ticks, _ in block], dtype=np.int64)

    def _combinations(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Deviation and ranks in the parts, best first; each comes of the one with its last positive rank lowered."""
        heap = [(0, tuple(0 for _ in self.parts))]
        while heap:
            ticks, rows = heapq.heappop(heap)
            yield ticks, rows
            last = max((at for at, row in enumerate(rows) if row), default=0)
            for at in range(last, len(rows)):
                part, row = self.parts[at].ticks, rows[at] + 1
                if row < len(part):
                    more = ticks + int(part[row] - part[row - 1])
                    if more <= self.most:
                        heapq.heappush(heap, (more, (*rows[:at], row, *rows[at + 1 :])))
