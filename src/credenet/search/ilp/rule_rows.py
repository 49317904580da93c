"""Inequalities over families that follow from knowledge of whole networks.

Each says that the sum of its terms over the families of a network is at most its limit. Each can also check whether it
follows from the knowledge, so that the check of a proof need not trust whoever wrote the row.
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
class NetworkRules:
    """Rules on whole networks, with variables by position.

    Attributes
    ----------
    most, least
        Bounds on the numbers of edges and roots, where there are such bounds.
    immoralities
        Triples (a, child, b) with a < b that must not be immoralities; None forbids all immoralities.
    no_paths
        Triples (start, end, avoided): every directed path from start to end passes an avoided variable.
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
        """The largest sum of the terms of a network that obeys the knowledge."""

    def terms(self, flat: FlatFamilies) -> Terms:
        """The coefficient of each family, a small whole number."""

    def follows_from(self, rules: NetworkRules) -> bool:
        """Whether the inequality holds for every network that obeys the rules."""

    def __hash__(self) -> int: ...


@dataclass(frozen=True, slots=True)
class CountRow:
    """At most ``number`` edges or roots; with ``is_least`` at least that many, all signs changed."""

    what: Counted
    is_least: bool
    number: int

    @property
    def limit(self) -> float:
        return float(-self.number if self.is_least else self.number)

    def terms(self, flat: FlatFamilies) -> Terms:
        counts = flat.sizes if self.what == "edges" else flat.sizes == 0
        return np.asarray(-1.0 if self.is_least else 1.0) * counts

    def follows_from(self, rules: NetworkRules) -> bool:
        return (rules.least if self.is_least else rules.most).get(self.what) == self.number


@dataclass(frozen=True, slots=True)
class AdjacentRow:
    """An edge joins two variables."""

    first: int
    second: int

    limit = -1.0

    def terms(self, flat: FlatFamilies) -> Terms:
        return -_joins(flat, self.first, self.second)

    def follows_from(self, rules: NetworkRules) -> bool:
        return (self.first, self.second) in rules.adjacent


@dataclass(frozen=True, slots=True)
class ShieldedRow:
    """If two variables are parents of a child, an edge joins them."""

    first: int
    child: int
    second: int

    limit = 0.0

    def terms(self, flat: FlatFamilies) -> Terms:
        return _families_with_parents(flat, self.child, (self.first, self.second)) - _joins(
            flat, self.first, self.second
        )

    def follows_from(self, rules: NetworkRules) -> bool:
        members = {self.first, self.child, self.second}
        is_triple = len(members) == 3 and rules.has(members)
        triple = (min(self.first, self.second), self.child, max(self.first, self.second))
        return is_triple and (rules.immoralities is None or triple in rules.immoralities)


@dataclass(frozen=True, slots=True)
class LeadsOutRow:
    """An edge leaves the members, which include the start but not the end of a required path."""

    start: int
    end: int
    members: frozenset[int]

    limit = -1.0

    def terms(self, flat: FlatFamilies) -> Terms:
        outside = ~_is_in(len(flat.starts) - 1, self.members)
        return np.where(outside[flat.children] & (parents_among(flat, self.members) > 0), -1.0, 0.0)

    def follows_from(self, rules: NetworkRules) -> bool:
        is_known = (self.start, self.end) in rules.ancestral and rules.has(self.members)
        return is_known and self.start in self.members and self.end not in self.members


@dataclass(frozen=True, slots=True)
class NoPathRow:
    """The k-cluster inequality of a network with an added edge from the end to the start of a forbidden path.

    The added edge closes no cycle among the members, as these include no variable through which a path may lead.
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

    def follows_from(self, rules: NetworkRules) -> bool:
        is_known = (self.start, self.end, self.avoided) in rules.no_paths and rules.has(self.members)
        return is_known and 1 <= self.kind <= len(self.members) and self.members.isdisjoint(self.avoided)


@dataclass(frozen=True, slots=True)
class TrailRow:
    """At least one of the arcs is missing, as together they connect variables that must be independent."""

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
            terms += _families_with_parents(flat, head, tails)
        return terms

    def follows_from(self, rules: NetworkRules) -> bool:
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


def _families_with_parents(flat: FlatFamilies, child: int, parents: Collection[int]) -> Terms:
    """A vector with 1 for the families of a child that have all these parents, else 0."""
    return np.where((flat.children == child) & (parents_among(flat, parents) == len(parents)), 1.0, 0.0)


def _joins(flat: FlatFamilies, first: int, second: int) -> Terms:
    """A vector with 1 for the families that have an edge between two variables, else 0."""
    return _families_with_parents(flat, first, (second,)) + _families_with_parents(flat, second, (first,))
