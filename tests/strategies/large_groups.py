"""Tables of families with large components, and ways to have components treated as large ones."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from credenet import FamilyTable
from credenet.credible.engine import credible_tree, lattice
from credenet.credible.engine.credible_tree import ListLeaves
from credenet.search import cost
from credenet.search.ilp.node import CurrentNode
from credenet.search.ilp.tree import Tree
from credibility_tables import WHOLE


def split_groups_above(patch: pytest.MonkeyPatch, largest: int, work: int = 0, sets: int = 0) -> None:
    """Groups of more variables are split, until no component has more, or little work or few subsets are left."""
    patch.setattr(credible_tree, "WORK", work)
    patch.setattr(lattice, "MOST_SETS", sets)
    patch.setattr(cost, "LARGEST_TABLE", largest)
    patch.setattr(cost, "LARGEST_LEAF", largest)
    patch.setattr(cost, "LARGEST_RESORT", 0)


def ring(n: int) -> FamilyTable:
    """At least one arc must be missing, each of which costs 1."""
    names = [f"v{k}" for k in range(n)]
    lists = {name: [(-1.0, []), (0.0, [names[at - 1]])] for at, name in enumerate(names)}
    return FamilyTable.from_lists(lists, made=WHOLE)


def entangled(n: int, seed: int) -> FamilyTable:
    """Variables most of which can be each other's parents, with close scores."""
    rng = np.random.default_rng(seed)
    names = [f"v{k}" for k in range(n)]
    lists: dict[str, list[tuple[float, list[str]]]] = {}
    for child, name in enumerate(names):
        others = [other for other in range(n) if other != child]
        sets = {tuple(sorted(rng.choice(others, rng.integers(1, 4), replace=False).tolist())) for _ in range(8)}
        scored = [(float(rng.normal(3, 2)), [names[k] for k in several]) for several in sorted(sets)]
        lists[name] = [(0.0, []), *scored]
    return FamilyTable.from_lists(lists, made=WHOLE)


def list_deep_nodes_only(patch: pytest.MonkeyPatch, pause: Callable[[], None] = lambda: None, depth: int = 2) -> None:
    """Makes only deep nodes leaves, so that there are several."""
    is_listed = ListLeaves._is_listed

    def listed(policy: ListLeaves, tree: Tree, node: CurrentNode) -> bool:
        if node.depth < depth:
            return False
        pause()
        return is_listed(policy, tree, node)

    patch.setattr(ListLeaves, "_is_listed", listed)
