"""Solves nodes of a tree on the lattice of subsets, of which dual values leave few (`_core.DualLattice`).

If the bound of a node is some nats from its best network, this takes much less time than splitting the node.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._run.progress import CoreCallback
from credenet._run.status import CoreStatus
from credenet.credible.engine.enumerator import Members
from credenet.search.ilp.linear_program import Mask
from credenet.search.ilp.node import CurrentNode
from credenet.search.ilp.tree import Tree

MOST_SETS = 2_000_000  # Sets of variables of a component at most, which take some ten seconds.


class LatticeFamilies(NamedTuple):
    """The active families that are in networks above the target, and the families of the best network.

    Both are empty if no network reaches the target.
    """

    active: Mask
    best: NDArray[np.int64]


def lattice_of(
    tree: Tree, node: CurrentNode, members: Members, target: float, callback: CoreCallback
) -> tuple[CoreStatus, _core.DualLattice]:
    """The subsets of a component that dual values leave; ``iteration_limit`` if they are too many."""
    lattice = _core.DualLattice(tree.relaxation.cuts.rows, *node.best, node.active, members, target)
    return lattice.grow(MOST_SETS, tree.run.n_threads, callback), lattice


def lattice_families(tree: Tree, node: CurrentNode, target: float) -> LatticeFamilies | None:
    """The families of a node by the lattices of its components; None if a lattice has too many subsets."""
    relaxation = tree.relaxation
    active = node.active.copy()
    scores = np.where(active > 0, relaxation.flat.scores, -np.inf)
    starts = relaxation.flat.starts.tolist()
    best = np.array([at + scores[at:end].argmax() for at, end in pairwise(starts)])
    for members in sorted(relaxation.components(node).several, key=len, reverse=True):
        if len(members) > _core.most_choosers:
            return None
        status, lattice = lattice_of(tree, node, members, target, tree.report)
        if not _is_complete(tree, status):
            return None
        families = lattice.best_families()
        if len(families) == 0:
            return LatticeFamilies(np.zeros_like(active), families)
        status, kept = lattice.families(tree.report)
        if not _is_complete(tree, status):
            return None
        best[members] = families
        active[np.isin(relaxation.flat.children, members) & (kept == 0)] = 0
    return LatticeFamilies(active, best)


def _is_complete(tree: Tree, status: CoreStatus) -> bool:
    """Whether the lattice is complete; a stop ends the tree."""
    if status == "interrupted":
        raise KeyboardInterrupt
    if status == "stopped":
        tree.stop("stopped")
    return status == "complete"
