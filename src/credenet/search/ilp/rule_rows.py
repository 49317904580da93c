"""Inequalities over families that every network obeys which obeys the knowledge.

Each says that the sum of its terms over the families of a network is at most its limit, and can tell whether it follows
from what is known: a proof is checked by that, not by trusting whoever wrote the row.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet.families.arrays import FlatFamilies, prefix_sums

Counted = Literal["edges", "roots"]
Terms = NDArray[np.float64]
Arc = tuple[int, int]
Separation = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Rules:
    """Knowledge of whole networks, by position of the variables.

    Attributes
    ----------
    most, least
        Bounds on the number of edges and of roots, for those that have one.
    immoralities
        Triples (a, child, b) with a < b that must not be one; None for all.
    no_paths
        Triples (start, end, avoided): no directed path leads from start to end but through those avoided.
    """

    n_variables: int
    most: dict[Counted, int]
    least: dict[Counted, int]
    adjacent: frozenset[Arc]
    ancestral: frozenset[Arc]
    immoralities: frozenset[tuple[int, int, int]] | None
    no_paths: frozenset[tuple[int, int, tuple[int, ...]]]
    independences: frozenset[Separation]

    def has(self, variables: Iterable[int]) -> bool:
        """Whether these are positions of variables."""
        return all(0 <= variable < self.n_variables for variable in variables)


class RuleRow(Protocol):
    """An inequality that follows from knowledge."""

    @property
    def limit(self) -> float:
        """What the terms of a network add up to at most."""

    def terms(self, flat: FlatFamilies) -> Terms:
        """What each family counts; small whole numbers."""

    def follows_from(self, rules: Rules) -> bool:
        """Whether the inequality holds for every network that obeys the rules."""

    def __hash__(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Count:
    """At most so many edges or roots; or, with all signs changed, at least."""

    what: Counted
    is_least: bool
    number: int

    @property
    def limit(self) -> float:
        return float(-self.number if self.is_least else self.number)

    def terms(self, flat: FlatFamilies) -> Terms:
        counts = flat.sizes if self.what == "edges" else flat.sizes == 0
        return np.asarray(-1.0 if self.is_least else 1.0) * counts

    def follows_from(self, rules: Rules) -> bool:
        return (rules.least if self.is_least else rules.most).get(self.what) == self.number


@dataclass(frozen=True, slots=True)
class Adjacent:
    """Two variables have an edge."""

    first: int
    second: int

    limit = -1.0

    def terms(self, flat: FlatFamilies) -> Terms:
        return -_joins(flat, self.first, self.second)

    def follows_from(self, rules: Rules) -> bool:
        return (self.first, self.second) in rules.adjacent


@dataclass(frozen=True, slots=True)
class Shielded:
    """Two parents of a child, if they are, have an edge."""

    first: int
    child: int
    second: int

    limit = 0.0

    def terms(self, flat: FlatFamilies) -> Terms:
        return _with_parents(flat, self.child, (self.first, self.second)) - _joins(flat, self.first, self.second)

    def follows_from(self, rules: Rules) -> bool:
        members = {self.first, self.child, self.second}
        is_triple = len(members) == 3 and rules.has(members)
        triple = (min(self.first, self.second), self.child, max(self.first, self.second))
        return is_triple and (rules.immoralities is None or triple in rules.immoralities)


@dataclass(frozen=True, slots=True)
class LeadsOut:
    """An edge leads out of the members, which have the start but not the end of a path that must be there."""

    start: int
    end: int
    members: frozenset[int]

    limit = -1.0

    def terms(self, flat: FlatFamilies) -> Terms:
        outside = ~_is_in(len(flat.starts) - 1, self.members)
        return np.where(outside[flat.children] & (parents_among(flat, self.members) > 0), -1.0, 0.0)

    def follows_from(self, rules: Rules) -> bool:
        is_known = (self.start, self.end) in rules.ancestral and rules.has(self.members)
        return is_known and self.start in self.members and self.end not in self.members


@dataclass(frozen=True, slots=True)
class NoPathCluster:
    """The k-cluster inequality of a network with an edge from the end to the start of a path that must not be there.

    Such an edge closes no cycle among members that have none of those through which a path may lead.
    """

    start: int
    end: int
    avoided: tuple[int, ...]
    kind: int
    members: frozenset[int]

    @property
    def limit(self) -> float:
        return float(len(self.members) - self.kind)

    def terms(self, flat: FlatFamilies) -> Terms:
        children = flat.children
        inside = parents_among(flat, self.members)
        if self.end in self.members:
            inside += (children == self.start) & (parents_among(flat, (self.end,)) == 0)
        return np.where(_is_in(len(flat.starts) - 1, self.members)[children] & (inside >= self.kind), 1.0, 0.0)

    def follows_from(self, rules: Rules) -> bool:
        is_known = (self.start, self.end, self.avoided) in rules.no_paths and rules.has(self.members)
        return is_known and 1 <= self.kind <= len(self.members) and self.members.isdisjoint(self.avoided)


@dataclass(frozen=True, slots=True)
class Trail:
    """Not all of the arcs are there, as they connect what must be independent."""

    separation: Separation
    arcs: tuple[Arc, ...]

    @property
    def limit(self) -> float:
        return float(len({head for _, head in self.arcs}) - 1)

    def terms(self, flat: FlatFamilies) -> Terms:
        parents: dict[int, list[int]] = {}
        for tail, head in self.arcs:
            parents.setdefault(head, []).append(tail)
        terms = np.zeros(len(flat.scores))
        for head, tails in parents.items():
            terms += _with_parents(flat, head, tails)
        return terms

    def follows_from(self, rules: Rules) -> bool:
        if self.separation not in rules.independences or not self.arcs:
            return False
        if not rules.has(end for arc in self.arcs for end in arc):
            return False
        x, y, given = (np.array(part, dtype=np.int32) for part in self.separation)
        tails, heads = (np.array(ends, dtype=np.int32) for ends in zip(*self.arcs, strict=True))
        return bool(_core.d_connected(rules.n_variables, tails, heads, x, given)[y].any())


def parents_among(flat: FlatFamilies, members: Collection[int]) -> NDArray[np.int64]:
    """The number of each family's parents among some variables."""
    sums = prefix_sums(_is_in(len(flat.starts) - 1, members)[flat.parents])
    return np.asarray(sums[flat.offsets[1:]] - sums[flat.offsets[:-1]])


def _is_in(n_variables: int, members: Iterable[int]) -> NDArray[np.bool_]:
    inside = np.zeros(n_variables, dtype=np.bool_)
    inside[list(members)] = True
    return inside


def _with_parents(flat: FlatFamilies, child: int, parents: Collection[int]) -> Terms:
    """1 for the families of a child that have all these parents."""
    return np.where((flat.children == child) & (parents_among(flat, parents) == len(parents)), 1.0, 0.0)


def _joins(flat: FlatFamilies, first: int, second: int) -> Terms:
    """1 for the families with an edge between two variables."""
    return _with_parents(flat, first, (second,)) + _with_parents(flat, second, (first,))
