"""The inequalities of a search: those found so far, and which of them the linear program has.

A row that was slack for some rounds leaves the linear program but stays among those looked at in every round; when
there are many of these, the ones that were of no use for longest are dropped.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet.family_arrays import FlatFamilies
from credenet.learners.ilp.leaves import groups_of
from credenet.learners.ilp.linear_program import LinearProgram, most_violated_cluster

_LEAST_VIOLATION = 0.02
_LESS = 1e-4  # the least violation where nothing else is found
_MOST_CLUSTERS = 200  # in a round
_MOST_SMALL = 100  # facets in a round
_MOST_SETS = 100_000  # of three and four variables that are looked at for them
_OLD = 12  # rounds for which a row may be slack
_MANY = 5000  # rows that are kept besides those of the linear program
_LARGEST_EXACT = 80  # variables, above which the most violated cluster is not sought by all means
_EXACT_NODES = 20


@dataclass(frozen=True, slots=True)
class Inequality:
    """Of kind k >= 1: at least k of the members have fewer than k parents among them. Below 0: a facet on four."""

    kind: int
    members: tuple[int, ...]


class Cuts:
    """Inequalities by number, as rows over the families of a component."""

    def __init__(self, flat: FlatFamilies) -> None:
        self._flat = flat
        self._children = flat.children
        self.rows = _core.FamilyRows(*flat)
        self.inequalities: list[Inequality] = []
        self._idle: dict[int, int] = {}  # of every row that is kept: rounds since it was tight

    def add(self, kind: int, members: list[int]) -> int:
        """The number of an inequality, be it new or not."""
        number = self.rows.add_cut(kind, members)
        if number == len(self.inequalities):
            self.inequalities.append(Inequality(kind, tuple(members)))
        self._idle[number] = 0
        return number

    def compact(self, flat: FlatFamilies) -> None:
        """The same rows over fewer families."""
        self._flat, self._children = flat, flat.children
        self.rows = _core.FamilyRows(*flat)
        for number, inequality in enumerate(self.inequalities):
            self.rows.add_cut(inequality.kind, list(inequality.members))
            if number not in self._idle:
                self.rows.drop(number)

    def separate(self, program: LinearProgram, x: NDArray[np.float64], *, exactly: bool) -> bool:
        """Adds rows that a solution violates; whether there are any."""
        present = set(program.numbers)
        violations = self.rows.violations(x)
        pool = np.flatnonzero(violations > _LEAST_VIOLATION)
        pool = pool[np.argsort(-violations[pool], kind="stable")]
        numbers = [number for number in pool.tolist() if number not in present][:_MOST_SMALL]
        cuts = self.rows.cluster_cuts(x, _LEAST_VIOLATION, _MOST_CLUSTERS)
        cuts += self.rows.small_cuts(x, _LEAST_VIOLATION, _MOST_SMALL, _MOST_SETS)
        if not cuts and not numbers:
            cuts = self.rows.cluster_cuts(x, _LESS, _MOST_CLUSTERS)
            cuts += self.rows.small_cuts(x, 10 * _LESS, _MOST_SMALL, _MOST_SETS)
        if not cuts and not numbers and exactly:
            cuts = self._separate_exactly(x)
        numbers += [self.add(kind, members) for kind, members in cuts]
        numbers = [number for number in dict.fromkeys(numbers) if number not in present]
        for number in numbers:
            self._idle[number] = 0
        program.add_rows(numbers)
        return bool(numbers)

    def age(self, program: LinearProgram) -> None:
        """Takes rows out of the linear program that were slack for long, and drops the oldest if there are too many."""
        is_tight = dict(zip(program.numbers, (~program.slack_rows()).tolist(), strict=True))
        for number in self._idle:
            self._idle[number] = 0 if is_tight.get(number, False) else self._idle[number] + 1
        old = [place for place, number in enumerate(program.numbers) if self._idle[number] > _OLD]
        if len(old) > 20 and 4 * len(old) > len(program):
            program.drop_rows(old)
        if len(self._idle) > 2 * _MANY + len(program):
            present = set(program.numbers)
            spare = sorted((number for number in self._idle if number not in present), key=self._idle.__getitem__)
            for number in spare[_MANY:]:
                self.rows.drop(number)
                del self._idle[number]

    def _separate_exactly(self, x: NDArray[np.float64]) -> list[tuple[int, list[int]]]:
        """The most violated cluster of each group of variables that hang together by used families."""
        flat, used = self._flat, np.where(x > 1e-7, x, 0.0)
        if not (np.abs(used - np.round(used)) > 1e-6).any():
            return []
        cuts = []
        for members in groups_of(flat, (used > 0).astype(np.uint8)).several:
            if len(members) > _LARGEST_EXACT:
                continue
            families = np.flatnonzero((used > 0) & np.isin(self._children, members))
            parents = [flat.parents[flat.offsets[at] : flat.offsets[at + 1]].tolist() for at in families.tolist()]
            children = self._children[families].astype(np.int32)
            cluster = most_violated_cluster(children, used[families], parents, max_nodes=_EXACT_NODES)
            inside = set(cluster)
            mass = sum(
                used[family]
                for family, several in zip(families.tolist(), parents, strict=True)
                if self._children[family] in inside and inside.isdisjoint(several)
            )
            if cluster and mass < 1 - _LESS:
                cuts.append((1, cluster))
        return cuts
