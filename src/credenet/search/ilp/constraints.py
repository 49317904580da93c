"""Knowledge of whole networks in branch and cut: the inequalities that follow from it, and their separation.

Bounds on the number of edges and roots, adjacent pairs and single immoralities are rows from the start. Other rules
give too many rows, which are added when a solution violates them. Without immoralities: two parents of a common child
that have no edge. A required path: a set that the path must leave and no edge leaves, found by a smallest cut. A
forbidden path: a cluster of the network with one more edge that closes the path to a cycle. An independence: the
lightest active trail. Every network that is offered is checked, so the rows serve speed and bounds only.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet.families.arrays import FlatFamilies, distinct_best, prefix_sums
from credenet.graphs import DAG
from credenet.knowledge.kinds import global_kinds
from credenet.knowledge.knowledge import Knowledge
from credenet.search.ilp.rule_rows import (
    AdjacentRow,
    Counted,
    CountRow,
    LeadsOutRow,
    NetworkRules,
    NoPathRow,
    RuleRow,
    ShieldedRow,
    TrailRow,
)
from credenet.search.ilp.tunables import (
    FLOW_UNIT,
    HARDLY_POSITIVE,
    MOST_CLUSTERS_OF_PATH,
)


class _UsedFamilies(NamedTuple):
    """The families that a solution uses with their shares x, and its arcs with their shares."""

    flat: FlatFamilies
    x: NDArray[np.float64]
    tails: NDArray[np.int32]
    heads: NDArray[np.int32]
    shares: NDArray[np.float64]


class Constraints:
    """The rules on whole networks that knowledge holds, over the variables of a table."""

    def __init__(self, knowledge: Knowledge, variables: tuple[str, ...]) -> None:
        self.knowledge = knowledge
        self._variables = variables
        self.rules = _rules(knowledge, variables)
        rules = self.rules
        self.pair_rules = _core.PairRules(
            sorted(rules.ancestral),
            sorted((start, end) for start, end, avoided in rules.no_paths if not avoided),
            sorted(rules.adjacent),
        )

    @classmethod
    def from_knowledge(cls, knowledge: Knowledge | None, variables: tuple[str, ...]) -> Constraints | None:
        """The constraints of the knowledge; None if it has rules on single families only."""
        return cls(knowledge, variables) if knowledge is not None and global_kinds(knowledge) else None

    def useful(self, flat: FlatFamilies) -> NDArray[np.bool_]:
        """A mask of the families that a best network may have; better subsets exclude families only if that is safe."""
        if self.knowledge.makes_subset_pruning_unsafe:
            return np.ones(len(flat.scores), dtype=np.bool_)
        return distinct_best(flat)

    def obeys(self, flat: FlatFamilies, families: NDArray[np.int64]) -> bool:
        """Whether the network of these families, one of each variable, obeys the knowledge."""
        parents = [flat.parents_of(at) for at in families.tolist()]
        return not self.knowledge.violations(DAG.from_indices(self._variables, parents))

    def first_rows(self) -> list[RuleRow]:
        """The rows that the linear program has from the start."""
        rules = self.rules
        rows: list[RuleRow] = []
        for bounds in (rules.least, rules.most):
            rows += [CountRow(what, bounds is rules.least, number) for what, number in bounds.items()]
        rows += [AdjacentRow(*pair) for pair in sorted(rules.adjacent)]
        rows += [ShieldedRow(*triple) for triple in sorted(rules.immoralities or ())]
        return rows

    def find_violated(self, flat: FlatFamilies, x: NDArray[np.float64], least: float) -> list[RuleRow]:
        """Rows that a solution violates by at least ``least``; the search for them is heuristic and may miss some."""
        used = _used_families(flat, x)
        rows: list[RuleRow] = []
        if self.rules.immoralities is None:
            rows += _unshielded_rows(used, least)
        rows += [row for pair in sorted(self.rules.ancestral) for row in _stuck(used, *pair, least)]
        for start, end, avoided in sorted(self.rules.no_paths):
            rows += _clusters(used, start, end, avoided, least)
        rows += [row for separation in sorted(self.rules.independences) for row in _trails(used, separation, least)]
        return [row for row in dict.fromkeys(rows) if float(row.terms(used.flat) @ used.x) - row.limit >= least]


def _rules(knowledge: Knowledge, variables: tuple[str, ...]) -> NetworkRules:
    place = {name: at for at, name in enumerate(variables)}

    def places(names: tuple[str, ...]) -> tuple[int, ...]:
        return tuple(sorted(place[name] for name in names))

    independences = [(places(x), places(y), places(given)) for x, y, given in knowledge.independences]
    no_paths: set[tuple[int, int, tuple[int, ...]]] = {(place[a], place[b], ()) for a, b in knowledge.not_ancestral}
    no_paths |= {(place[b], place[a], ()) for a, b in knowledge.ancestral}
    no_paths |= {
        (start, end, given)
        for x, y, given in independences
        for a, b in product(x, y)
        for start, end in ((a, b), (b, a))
    }
    most: dict[Counted, int | None] = {"edges": knowledge.max_edges, "roots": knowledge.max_roots}
    least: dict[Counted, int | None] = {"edges": knowledge.min_edges, "roots": knowledge.min_roots}
    immoralities = frozenset(
        (min(place[a], place[b]), place[child], max(place[a], place[b]))
        for a, child, b in knowledge.forbidden_immoralities
    )
    return NetworkRules(
        n_variables=len(variables),
        most={what: number for what, number in most.items() if number is not None},
        least={what: number for what, number in least.items() if number is not None},
        adjacent=frozenset((place[a], place[b]) for a, b in knowledge.adjacent),
        ancestral=frozenset((place[a], place[b]) for a, b in knowledge.ancestral),
        immoralities=None if knowledge.no_immoralities else immoralities,
        no_paths=frozenset(no_paths),
        independences=frozenset(independences),
    )


def _used_families(flat: FlatFamilies, x: NDArray[np.float64]) -> _UsedFamilies:
    keep = x > HARDLY_POSITIVE
    kept, shares = flat.keep(keep), x[keep]
    n = len(flat.starts) - 1
    heads = np.repeat(kept.children, kept.sizes)
    arcs, at = np.unique(kept.parents.astype(np.int64) * n + heads, return_inverse=True)
    sums = np.zeros(len(arcs))
    np.add.at(sums, at, np.repeat(shares, kept.sizes))
    return _UsedFamilies(kept, shares, (arcs // n).astype(np.int32), (arcs % n).astype(np.int32), sums)


def _sets(flat: FlatFamilies) -> list[list[int]]:
    return [flat.parents[first:last].tolist() for first, last in zip(flat.offsets[:-1], flat.offsets[1:], strict=True)]


def _unshielded_rows(used: _UsedFamilies, least: float) -> list[RuleRow]:
    """Rows for pairs whose share as parents of a common child exceeds the share of the edges between them."""
    joined: dict[tuple[int, int], float] = {}
    for tail, head, share in zip(used.tails.tolist(), used.heads.tolist(), used.shares.tolist(), strict=True):
        pair = (min(tail, head), max(tail, head))
        joined[pair] = joined.get(pair, 0.0) + share
    together: dict[tuple[int, int, int], float] = {}
    for child, parents, share in zip(used.flat.children.tolist(), _sets(used.flat), used.x.tolist(), strict=True):
        for a, b in combinations(parents, 2):
            together[a, child, b] = together.get((a, child, b), 0.0) + share
    return [
        ShieldedRow(a, child, b)
        for (a, child, b), share in together.items()
        if share - joined.get((a, b), 0.0) >= least
    ]


def _stuck(used: _UsedFamilies, start: int, end: int, least: float) -> list[RuleRow]:
    """A row for the set, with start and without end, that the least mass of edges leaves; found by a maximum flow."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import breadth_first_order, maximum_flow

    n, n_families = len(used.flat.starts) - 1, len(used.x)
    families = n + np.arange(n_families)
    tails = np.concatenate((used.flat.parents, families))
    heads = np.concatenate((np.repeat(families, used.flat.sizes), used.flat.children))
    units = np.floor(used.x * FLOW_UNIT).astype(np.int32)
    capacity = np.concatenate((np.full(len(used.flat.parents), 2 * FLOW_UNIT, dtype=np.int32), units))
    graph = csr_array((capacity, (tails, heads)), shape=(n + n_families, n + n_families), dtype=np.int32)
    flow = maximum_flow(graph, start, end)
    if flow.flow_value > (1 - least) * FLOW_UNIT:
        return []
    left = csr_array(graph - flow.flow)
    left.eliminate_zeros()
    reached = breadth_first_order(left, start, return_predecessors=False)
    return [LeadsOutRow(start, end, frozenset(reached[reached < n].tolist()))]


def _clusters(used: _UsedFamilies, start: int, end: int, avoided: tuple[int, ...], least: float) -> list[RuleRow]:
    """Rows for violated clusters of the network with an added edge from end to start, without the avoided variables."""
    sets = _sets(used.flat)
    passed = set(avoided)
    for at, child in enumerate(used.flat.children.tolist()):
        if child == start and end not in sets[at]:
            sets[at] = sorted([*sets[at], end])
        elif child in passed:
            sets[at] = []
    offsets = prefix_sums(np.array([len(several) for several in sets], dtype=np.int64))
    parents = np.array([parent for several in sets for parent in several], dtype=np.int32)
    changed = replace(used.flat, offsets=offsets, parents=parents)
    cuts = _core.FamilyRows(changed.lists).cluster_cuts(used.x, least, MOST_CLUSTERS_OF_PATH)
    return [
        NoPathRow(start, end, avoided, kind, frozenset(members))
        for kind, members, _ in cuts
        if start in members and end in members
    ]


def _trails(used: _UsedFamilies, separation: tuple[tuple[int, ...], ...], least: float) -> list[RuleRow]:
    """A row for the active trail whose arcs lack the least mass."""
    x, y, given = separation
    n = len(used.flat.starts) - 1
    missing = np.maximum(1.0 - used.shares, 0.0)
    places = _core.lightest_active_trail(n, used.tails, used.heads, missing, list(x), list(y), list(given), 1 - least)
    if not places:
        return []
    arcs = zip(used.tails[places].tolist(), used.heads[places].tolist(), strict=True)
    return [TrailRow((x, y, given), tuple(arcs))]
