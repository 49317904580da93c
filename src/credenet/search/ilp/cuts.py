"""The pool of inequalities found so far, and those of them that are rows of the linear program.

A row that was slack for some rounds leaves the linear program but stays in the pool, which every round examines. When
the pool is large, the rows that were slack for longest are dropped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet.families.arrays import FlatFamilies, distinct_best
from credenet.search.ilp.constraints import Constraints
from credenet.search.ilp.leaves import active_components
from credenet.search.ilp.linear_program import CompactBasis, LinearProgram, Mask, most_violated_cluster
from credenet.search.ilp.rule_rows import RuleRow
from credenet.search.ilp.tunables import (
    EXACT_NODES,
    GOOD_YIELD,
    LARGEST_EXACT,
    LEAST_LOCAL,
    LEAST_VIOLATION,
    LESS,
    LOCAL_MEMBERS,
    MANY_OLD,
    MANY_ROWS,
    MOST_CLUSTERS,
    MOST_LOCAL_SETS,
    MOST_SETS,
    MOST_SMALL,
    OLD,
    POSITIVE,
    SLIGHTLY_POSITIVE,
)

Terms = tuple[tuple[int, int, int], ...]
Cut = tuple[int, list[int], list[tuple[int, int, int]]]


@dataclass(frozen=True, slots=True)
class Inequality:
    """An inequality over families; ``kind`` says which.

    Kind k >= 1 is a k-cluster: at least k of the members have fewer than k parents among the members. A negative kind
    is a facet on four variables. Kind 0 is a local cut: terms (child, parents, weight) refer to places among the
    members, with parents as bits. A family counts the largest weight of the terms whose parents it has all. The limit
    is the largest sum over any network, so that the inequality holds whatever the weights are.
    """

    kind: int
    members: tuple[int, ...]
    terms: Terms = ()


NO_RULES = _core.PairRules()


class CuttingPlanes:
    """The inequalities by number, as rows over the families of a component, including those from knowledge."""

    def __init__(self, flat: FlatFamilies, constraints: Constraints | None = None) -> None:
        self._flat = flat
        self._children = flat.children
        self._constraints = constraints
        self._rule_numbers: dict[RuleRow, int] = {}
        self.rows = _core.FamilyRows(flat.lists)
        self.inequalities: list[Inequality | RuleRow] = []
        self._n_rounds = 0
        self._n_sets = 1  # Sets of members that each variable starts in the search for local cuts.
        self._idle: dict[int, int] = {}  # Rounds since a row was tight, for every row of the pool.

    def add(self, kind: int, members: Sequence[int], terms: Sequence[tuple[int, int, int]] = ()) -> int:
        """Adds an inequality if it is new; returns its number."""
        number = self.rows.add_cut(kind, members, terms)
        if number == len(self.inequalities):
            self.inequalities.append(Inequality(kind, tuple(members), tuple(terms)))
        self._idle[number] = 0
        return number

    def add_rule(self, rule: RuleRow) -> int:
        """Adds an inequality that follows from knowledge if it is new; returns its number."""
        number = self._rule_numbers.get(rule)
        if number is None:
            number = self._rule_numbers[rule] = write_row(self.rows, self._flat, rule)
            self.inequalities.append(rule)
        self._idle[number] = 0
        return number

    def add_first_rules(self) -> list[int]:
        """Adds the inequalities that the linear program has from the start; returns their numbers."""
        return [] if self._constraints is None else [self.add_rule(row) for row in self._constraints.first_rows()]

    def first_active(self) -> Mask:
        """A mask of the families that a best network may have."""
        return useful_families(self._flat, self._constraints)

    def propagate(self, active: Mask) -> bool:
        """Clears active families that no network under the knowledge has; False if a variable has none left."""
        return self.rows.propagate(NO_RULES if self._constraints is None else self._constraints.pair_rules, active)

    def compact(self, flat: FlatFamilies) -> None:
        """Rewrites all rows over fewer families."""
        self._flat, self._children = flat, flat.children
        self.rows = _core.FamilyRows(flat.lists)
        for number, inequality in enumerate(self.inequalities):
            write_row(self.rows, flat, inequality)
            if number not in self._idle:
                self.rows.drop(number)

    def separate(self, program: LinearProgram, x: NDArray[np.float64], *, exactly: bool, is_slow: bool = False) -> bool:
        """Adds rows that a solution violates; returns whether there are any.

        If the bound falls slowly although many sets of members have a local cut, more sets are tried the next time.
        """
        present = set(program.numbers)
        violations = self.rows.violations(x)
        pool = np.flatnonzero(violations > LEAST_VIOLATION)
        pool = pool[np.argsort(-violations[pool], kind="stable")]
        numbers = [number for number in pool.tolist() if number not in present][:MOST_SMALL]
        cuts = self.rows.cluster_cuts(x, LEAST_VIOLATION, MOST_CLUSTERS)
        cuts += self.rows.small_cuts(x, LEAST_VIOLATION, MOST_SMALL, MOST_SETS)
        self._n_rounds += 1
        local = self._local_cuts(x, self._n_sets)
        pays = is_slow and len(local) >= GOOD_YIELD * self._n_sets * program.n_variables
        self._n_sets = min(2 * self._n_sets, MOST_LOCAL_SETS) if pays else max(self._n_sets // 2, 1)
        cuts += local
        if not cuts and not numbers:
            cuts = self.rows.cluster_cuts(x, LESS, MOST_CLUSTERS)
            cuts += self.rows.small_cuts(x, 10 * LESS, MOST_SMALL, MOST_SETS)
            if not cuts:
                cuts = self._local_cuts(x, MOST_LOCAL_SETS)
        if not cuts and not numbers and exactly:
            cuts = self._separate_exactly(x)
        numbers += [self.add(*cut) for cut in cuts]
        if self._constraints is not None:
            rules = self._constraints.find_violated(self._flat, x, LEAST_VIOLATION if numbers else LESS)
            numbers += [self.add_rule(rule) for rule in rules]
        numbers = [number for number in dict.fromkeys(numbers) if number not in present]
        for number in numbers:
            self._idle[number] = 0
        program.add_rows(numbers)
        return bool(numbers)

    def start_from(self, program: LinearProgram, start: CompactBasis | None) -> None:
        """Sets the linear program to the basis of a node, unless the pool has dropped one of its rows."""
        if start is not None and all(number in self._idle for number in start.tight_rows.tolist()):
            program.start_from(start)
            self._idle.update(dict.fromkeys(start.tight_rows.tolist(), 0))

    def _local_cuts(self, x: NDArray[np.float64], n_sets: int) -> list[Cut]:
        """Violated local cuts, from ``n_sets`` sets of members for each variable."""
        return self.rows.local_cuts(x, LOCAL_MEMBERS, n_sets, LEAST_LOCAL, MOST_SMALL, self._n_rounds)

    def age(self, program: LinearProgram) -> None:
        """Removes rows from the linear program that were slack for long; drops the oldest from a large pool."""
        is_tight = dict(zip(program.numbers, (~program.slack_rows()).tolist(), strict=True))
        for number in self._idle:
            self._idle[number] = 0 if is_tight.get(number, False) else self._idle[number] + 1
        old = [place for place, number in enumerate(program.numbers) if self._idle[number] > OLD]
        if len(old) > MANY_OLD and 4 * len(old) > len(program):
            program.drop_rows(old)
        if len(self._idle) > 2 * MANY_ROWS + len(program):
            present = set(program.numbers)
            spare = sorted((number for number in self._idle if number not in present), key=self._idle.__getitem__)
            for number in spare[MANY_ROWS:]:
                self.rows.drop(number)
                del self._idle[number]
                inequality = self.inequalities[number]
                if not isinstance(inequality, Inequality):
                    del self._rule_numbers[inequality]

    def _separate_exactly(self, x: NDArray[np.float64]) -> list[Cut]:
        """The most violated cluster of each strongly connected component of the used families."""
        flat, used = self._flat, np.where(x > SLIGHTLY_POSITIVE, x, 0.0)
        if not (np.abs(used - np.round(used)) > POSITIVE).any():
            return []
        cuts: list[Cut] = []
        for members in active_components(flat, (used > 0).astype(np.uint8)).several:
            if len(members) > LARGEST_EXACT:
                continue
            families = np.flatnonzero((used > 0) & np.isin(self._children, members))
            parents = [flat.parents_of(at) for at in families.tolist()]
            children = self._children[families].astype(np.int32)
            cluster = most_violated_cluster(children, used[families], parents, max_nodes=EXACT_NODES)
            inside = set(cluster)
            mass = sum(
                used[family]
                for family, several in zip(families.tolist(), parents, strict=True)
                if self._children[family] in inside and inside.isdisjoint(several)
            )
            if cluster and mass < 1 - LESS:
                cuts.append((1, cluster, []))
        return cuts


def write_row(rows: _core.FamilyRows, flat: FlatFamilies, inequality: Inequality | RuleRow) -> int:
    """Writes an inequality as a row over families; returns its number."""
    if isinstance(inequality, Inequality):
        return rows.add_cut(inequality.kind, inequality.members, inequality.terms)
    terms = inequality.terms(flat)
    families = np.flatnonzero(terms)
    return rows.add_row(families.tolist(), terms[families].tolist(), inequality.limit)


def useful_families(flat: FlatFamilies, constraints: Constraints | None) -> Mask:
    """A mask of the families that a best network may have."""
    useful = distinct_best(flat) if constraints is None else constraints.useful(flat)
    return useful.astype(np.uint8)
