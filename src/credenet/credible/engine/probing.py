"""Probing of pairs of variables in a tree of credible networks.

The bound of a node with an added or excluded arc may show that no network of the node has that arc, or that all have
it.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from credenet.search.ilp.linear_program import LinearProgram
from credenet.search.ilp.node import CurrentNode
from credenet.search.ilp.tree import Tree

_PATIENCE = 20  # Fruitless pairs in a row after which probing ends.
MUCH = 0.9  # Share of the families left above which a node counts as not much smaller.


def drop_slack_rows(lp: LinearProgram) -> None:
    """Drops slack rows if they are many; every round examines them again."""
    slack = np.flatnonzero(lp.slack_rows()).tolist()
    if 2 * len(slack) > len(lp):
        lp.drop_rows(slack)


def open_pairs(tree: Tree, node: CurrentNode, largest: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The undecided pairs in components of more than ``largest`` variables, and the active families with either arc."""
    n = tree.relaxation.n_variables
    pairs, counts = tree.relaxation.pairs.left_open(node.active)
    component = np.full(n, -1)
    for number, members in enumerate(tree.relaxation.components(node).several):
        if len(members) > largest:
            component[members] = number
    inside = (component[pairs // n] >= 0) & (component[pairs // n] == component[pairs % n])
    return pairs[inside], counts[inside]


def probe(tree: Tree, node: CurrentNode, pair: tuple[int, int]) -> list[CurrentNode]:
    """The open children of a pair; families that no such child has are fixed at 0."""
    children = [child for _, child in tree.try_pair(node, pair) if not tree.is_closed(child)]
    active = np.zeros(len(node.active), dtype=np.bool_)
    for child in children:
        active |= child.active > 0
    tree.relaxation.fix(node, (node.active > 0) & ~active)
    if not children:
        node.bound = -math.inf
    return children


def probe_all(tree: Tree, node: CurrentNode, largest: int) -> bool:
    """Probes pairs, those with a nearly impossible arc first; True if the node became much smaller."""
    n, n_before = tree.relaxation.n_variables, np.count_nonzero(node.active)
    fruitless = 0
    for pair in _pairs_by_loss(tree, node, largest):
        n_active = np.count_nonzero(node.active)
        probe(tree, node, (pair // n, pair % n))
        fruitless = 0 if np.count_nonzero(node.active) < n_active else fruitless + 1
        if tree.is_closed(node) or fruitless >= _PATIENCE:
            break
    return bool(np.count_nonzero(node.active) < MUCH * n_before)


def _pairs_by_loss(tree: Tree, node: CurrentNode, largest: int) -> list[int]:
    """The open pairs in descending order of the cost of their costlier arc; its best family gives the cost."""
    n = tree.relaxation.n_variables
    _, reduced_costs = tree.relaxation.bound(node.best, node.active)
    families = np.flatnonzero(node.active)
    tails, heads, sizes = tree.relaxation.pairs.arcs(families)
    least = np.full((n, n), np.inf)
    np.minimum.at(least, (tails, heads), np.repeat(reduced_costs[families], sizes))
    least[np.isinf(least)] = -1.0  # No active family has this arc.
    pairs, _ = open_pairs(tree, node, largest)
    larger = np.maximum(least[pairs // n, pairs % n], least[pairs % n, pairs // n])
    several: list[int] = pairs[np.argsort(-larger, kind="stable")].tolist()
    return several
