"""Proofs of bounds that can be checked without a solver.

A proof is a tree. Each node fixes families at 0 that cannot be in a network above the target, for one of two reasons.
Dual values of valid inequalities show that the bound less the family's reduced cost is not above the target; or the
family would close a cycle with arcs that every remaining network has. A node is then closed, because its bound is low
enough or dynamic programming has solved it, or it is split: a pair of variables has an arc one way, the other way, or
none. The bound of the proof is the largest of the nodes that are left open.

Under knowledge of whole networks only networks that obey it count. The check includes whether each inequality follows
from the knowledge. A node is then closed without a bound only if a single network is left.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet.families.arrays import FlatFamilies
from credenet.search.cost import LARGEST_NODE_TABLE
from credenet.search.ilp.constraints import Constraints
from credenet.search.ilp.cuts import NO_RULES, Inequality, Terms, useful_families, write_row
from credenet.search.ilp.leaves import active_components, best_by_subsets, only_network
from credenet.search.ilp.multipliers import NO_MULTIPLIERS, Multipliers
from credenet.search.ilp.rule_rows import RuleRow
from credenet.search.ilp.tunables import (
    LARGEST_WEIGHT,
)

Relation = Literal[0, 1, 2]
"""The relation of a pair: 0 for an arc from the first to the second variable, 1 for one back, 2 for none."""


@dataclass(slots=True)
class ProofNode:
    """The steps of a node in order: dual values that fix families at 0, then how the node ends."""

    charges: list[Multipliers] = field(default_factory=list)
    is_exhausted: bool = False  # Dynamic programming has solved the node, or one network is left.
    pair: tuple[int, int] | None = None
    children: list[tuple[Relation, ProofNode]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Proof:
    """A proof that no network of a component's families scores above a bound.

    Attributes
    ----------
    score
        The target: networks that score at most this need not be excluded.
    members
        The component's variables, by position in the table; inequalities and pairs refer to places among these.

    Examples
    --------
    >>> import credenet
    >>> result = credenet.learn(credenet.datasets.asia(), method="ilp", max_parents=2)
    >>> [type(proof).__name__ for proof in result.proofs], len(result.proofs[0].members)
    (['Proof'], 7)
    """

    score: float
    members: tuple[int, ...]
    inequalities: tuple[Inequality | RuleRow, ...]
    root: ProofNode

    @property
    def n_nodes(self) -> int:
        return sum(1 for _ in _nodes(self.root))

    def bound(self, flat: FlatFamilies, constraints: Constraints | None = None) -> float:
        """The proven bound, computed anew from the component's families; raises ValueError if the proof is invalid."""
        rows = _core.FamilyRows(flat.lists)
        for inequality in self.inequalities:
            _check_inequality(inequality, len(flat.starts) - 1, constraints)
        numbers = [write_row(rows, flat, inequality) for inequality in self.inequalities]
        check = _ProofCheck(rows, flat, constraints, np.array(numbers, dtype=np.int32), self.score)
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
    if kind < 0 and not (-_core.n_small_facets <= kind and len(members) == 4):
        raise ValueError(f"there is no facet of kind {kind} for {len(members)} members")
    if kind == 0 and not (len(members) <= _core.most_local_members and _are_terms(inequality.terms, len(members))):
        raise ValueError(f"a local cut has the members {members} and the terms {inequality.terms}")


def _are_terms(terms: Terms, n_members: int) -> bool:
    """Whether each term is a child, parents other than it, and a weight small enough for exact sums."""
    return all(
        0 <= child < n_members
        and 0 <= parents < 1 << n_members
        and not parents >> child & 1
        and 0 <= weight <= LARGEST_WEIGHT
        for child, parents, weight in terms
    )


@dataclass(slots=True)
class _ProofCheck:
    rows: _core.FamilyRows
    flat: FlatFamilies
    constraints: Constraints | None
    numbers: NDArray[np.int32]
    score: float

    def bound(self, root: ProofNode, active: NDArray[np.uint8]) -> float:
        """The largest bound of the leaves."""
        largest = -np.inf
        waiting = [(root, active, np.inf)]
        while waiting:
            node, active, above = waiting.pop()
            bound = min(above, self._reduce(node, active))
            if bound <= self.score:
                continue
            if node.is_exhausted:
                largest = max(largest, self._best(active))
            elif node.pair is None:
                largest = max(largest, bound)
            else:
                children = dict(node.children)
                for relation in (0, 1, 2):
                    restricted = active.copy()
                    self.rows.restrict_pair(*node.pair, relation, restricted)
                    waiting.append((children.get(relation, ProofNode()), restricted, bound))
        return float(largest)

    def _best(self, active: NDArray[np.uint8]) -> float:
        """The best score of the active families."""
        if self.constraints is not None:
            families = only_network(self.flat, active)
            if families is None:
                raise ValueError("more than one network is left")
            return float(self.flat.scores[families].sum()) if self.constraints.obeys(self.flat, families) else -np.inf
        components = active_components(self.flat, active)
        if components.largest > LARGEST_NODE_TABLE:
            raise ValueError(f"a component has {components.largest} variables, too many for dynamic programming")
        best = best_by_subsets(components, None)
        if best is not None and best.interrupted:
            raise KeyboardInterrupt
        return -np.inf if best is None else best.score

    def _propagate(self, active: NDArray[np.uint8]) -> bool:
        return self.rows.propagate(NO_RULES if self.constraints is None else self.constraints.pair_rules, active)

    def _reduce(self, node: ProofNode, active: NDArray[np.uint8]) -> float:
        """Fixes families at 0 as the node says; returns the smallest bound on the way."""
        if not self._propagate(active):
            return -np.inf
        least = self.rows.bound(*NO_MULTIPLIERS, active)[0]
        for charges in node.charges:
            rows, values = charges
            if len(rows) != len(values) or not ((values >= 0) & np.isfinite(values)).all():
                raise ValueError("a multiplier is missing or negative")
            if not ((rows >= 0) & (rows < len(self.numbers))).all():
                raise ValueError("there is a multiplier of an inequality that is not listed")
            bound, losses = self.rows.bound(self.numbers[rows], values, active)
            least = min(least, bound)
            active[bound - losses <= self.score] = 0
            if least <= self.score or not self._propagate(active):
                return -np.inf
        return least
