"""Proofs of bounds that can be checked without a solver.

A proof is a tree. At each node families are taken out that cannot be in a network better than the score to beat: for
multipliers of inequalities that hold for every network, the bound less what a family loses is not above that score; or
the arcs that are sure to be there would make a cycle with it. Then the node is closed, as its bound is low enough or
as its families were gone through by dynamic programming, or it is split: a pair of variables has an arc one way, the
other way, or none. What is left open gives the bound.

Under knowledge of whole networks only those count that obey it. Inequalities may follow from it, which is checked, and
a node is closed without a bound only when one network is left, which then obeys or does not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet.families.arrays import FlatFamilies
from credenet.search.ilp.constraints import Constraints
from credenet.search.ilp.cuts import NO_RULES, Inequality, useful_families, write_row
from credenet.search.ilp.leaves import LARGEST_GROUP, best_by_subsets, groups_of, only_network
from credenet.search.ilp.multipliers import NO_MULTIPLIERS, Multipliers
from credenet.search.ilp.rule_rows import RuleRow

Relation = Literal[0, 1, 2]
"""Of a pair: an arc from the first to the second, one back, or none."""


@dataclass(slots=True)
class ProofNode:
    """What is done at a node, in order: multipliers of inequalities that take families out, then how it ends."""

    charges: list[Multipliers] = field(default_factory=list)
    is_exhausted: bool = False  # gone through by dynamic programming, or one network is left
    pair: tuple[int, int] | None = None
    children: list[tuple[Relation, ProofNode]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Proof:
    """That no network of a component's families scores above a bound.

    Attributes
    ----------
    score
        Networks that score no better than this are of no interest.
    members
        The component's variables, by position in the table; inequalities and pairs refer to places among these.
    """

    score: float
    members: tuple[int, ...]
    inequalities: tuple[Inequality | RuleRow, ...]
    root: ProofNode

    @property
    def n_nodes(self) -> int:
        return sum(1 for _ in _nodes(self.root))

    def bound(self, flat: FlatFamilies, constraints: Constraints | None = None) -> float:
        """What no network scores above, computed anew from the component's families; raises ValueError for nonsense."""
        rows = _core.FamilyRows(*flat)
        for inequality in self.inequalities:
            _check_inequality(inequality, len(flat.starts) - 1, constraints)
        numbers = [write_row(rows, flat, inequality) for inequality in self.inequalities]
        check = _Check(rows, flat, constraints, np.array(numbers, dtype=np.int32), self.score)
        return max(self.score, check.bound(self.root, useful_families(flat, constraints)))


def _nodes(root: ProofNode) -> Iterator[ProofNode]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += [child for _, child in node.children]


def _check_inequality(inequality: Inequality | RuleRow, n_variables: int, constraints: Constraints | None) -> None:
    if not isinstance(inequality, Inequality):
        if constraints is None or not inequality.follows_from(constraints.rules):
            raise ValueError(f"an inequality does not follow from the knowledge: {inequality}")
        return
    kind, members = inequality.kind, inequality.members
    if len(set(members)) != len(members) or not all(0 <= member < n_variables for member in members):
        raise ValueError(f"an inequality has the members {members}")
    if kind >= 1 and not (kind < len(members) and list(members) == sorted(members)):
        raise ValueError(f"there is no inequality of kind {kind} for {len(members)} members")
    if kind < 1 and not (-_core.n_small_facets <= kind <= -1 and len(members) == 4):
        raise ValueError(f"there is no facet of kind {kind} for {len(members)} members")


@dataclass(slots=True)
class _Check:
    rows: _core.FamilyRows
    flat: FlatFamilies
    constraints: Constraints | None
    numbers: NDArray[np.int32]
    score: float

    def bound(self, root: ProofNode, alive: NDArray[np.uint8]) -> float:
        """The largest bound of the leaves."""
        largest = -np.inf
        waiting = [(root, alive, np.inf)]
        while waiting:
            node, alive, above = waiting.pop()
            bound = min(above, self._reduced(node, alive))
            if bound <= self.score:
                continue
            if node.is_exhausted:
                largest = max(largest, self._best(alive))
            elif node.pair is None:
                largest = max(largest, bound)
            else:
                children = dict(node.children)
                for relation in (0, 1, 2):
                    restricted = alive.copy()
                    self.rows.restrict_pair(*node.pair, relation, restricted)
                    waiting.append((children.get(relation, ProofNode()), restricted, bound))
        return float(largest)

    def _best(self, alive: NDArray[np.uint8]) -> float:
        """The best score of the living families."""
        if self.constraints is not None:
            families = only_network(self.flat, alive)
            if families is None:
                raise ValueError("more than one network is left")
            return float(self.flat.scores[families].sum()) if self.constraints.obeys(self.flat, families) else -np.inf
        groups = groups_of(self.flat, alive)
        if groups.largest > LARGEST_GROUP:
            raise ValueError(f"a component has {groups.largest} variables, too many for dynamic programming")
        found = best_by_subsets(groups, None)
        return -np.inf if found is None else found.score

    def _propagate(self, alive: NDArray[np.uint8]) -> bool:
        return self.rows.propagate(NO_RULES if self.constraints is None else self.constraints.pair_rules, alive)

    def _reduced(self, node: ProofNode, alive: NDArray[np.uint8]) -> float:
        """Takes families out; the least bound on the way."""
        if not self._propagate(alive):
            return -np.inf
        least = self.rows.bound(*NO_MULTIPLIERS, alive)[0]
        for charges in node.charges:
            rows, values = charges
            if len(rows) != len(values) or not ((values >= 0) & np.isfinite(values)).all():
                raise ValueError("a multiplier is missing or negative")
            if not ((rows >= 0) & (rows < len(self.numbers))).all():
                raise ValueError("there is a multiplier of an inequality that is not listed")
            bound, losses = self.rows.bound(self.numbers[rows], values, alive)
            least = min(least, bound)
            alive[bound - losses <= self.score] = 0
            if least <= self.score or not self._propagate(alive):
                return -np.inf
        return least
