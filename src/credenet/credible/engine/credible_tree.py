"""Trees of branch and cut for the credible networks of a component that is too large for a table of its subsets.

The target is the lowest score of a credible network, so that only families that no credible network of a node has are
fixed. `Reduction` processes the root alone, to find the families that may be in credible networks. `ListLeaves` lists
the networks. A node is a leaf in three cases: dual values leave few subsets at the root (`lattice`); its bound is so
close that its networks can be listed with little search (`_core.FamilyRows.choices`); or its active families form small
components only. Otherwise pairs of variables are probed, and if that is not enough, one pair splits the node. So the
leaves share no network and together have all.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._run.status import CoreStatus
from credenet.credible.engine.enumerator import Members
from credenet.credible.engine.lattice import lattice_families, lattice_of
from credenet.credible.engine.leaf_listing import LeafListing
from credenet.credible.engine.probing import MUCH, drop_slack_rows, open_pairs, probe, probe_all
from credenet.search import cost
from credenet.search.ilp.cuts import Inequality
from credenet.search.ilp.linear_program import Mask
from credenet.search.ilp.multipliers import NO_MULTIPLIERS
from credenet.search.ilp.node import CurrentNode
from credenet.search.ilp.tree import RELATIONS, Tree

_TRIALS = 6  # Pairs tried before one of them splits a node.
WORK = 10_000_000  # Steps of listing without a new network at most, which take about as long as a linear program.


def last_inequalities(tree: Tree) -> list[Inequality]:
    """The inequalities of the last linear program; those of the first one if none was solved."""
    if tree.n_nodes == 0:
        return list(tree.policy.inequalities)
    several = (tree.relaxation.cuts.inequalities[number] for number in tree.relaxation.lp.numbers)
    return [one for one in several if isinstance(one, Inequality)]


class _Credible:
    """The common part of both policies: no incumbent, as the best network is known, and no proof.

    Parameters
    ----------
    largest
        The largest number of variables of a component in a leaf that tables list.
    """

    has_proof = False
    score = -math.inf
    is_depth_first = True

    def __init__(self, inequalities: Sequence[Inequality], largest: int) -> None:
        self.inequalities = inequalities
        self.largest = largest

    def first_families(self, tree: Tree) -> Mask:
        return np.ones(len(tree.relaxation.flat.scores), dtype=np.uint8)

    def begin(self, tree: Tree) -> None:
        """Does nothing, as the root needs no preparation."""

    def take(self, tree: Tree, x: NDArray[np.float64], *, polish: bool) -> None:
        """Does nothing, as there is no incumbent to improve."""

    def is_small(self, tree: Tree, node: CurrentNode, *, is_cut: bool) -> bool:
        """Whether all components of a node are small enough for a leaf."""
        most = min(self.largest, cost.LARGEST_NODE_TABLE)
        return tree.relaxation.components(node).largest <= cost.node_table(most, is_cut=is_cut)


class Reduction(_Credible):
    """The families that may be in credible networks, by the bounds of the root and by probing."""

    def __init__(self, least: float, inequalities: Sequence[Inequality], largest: int) -> None:
        super().__init__(inequalities, largest)
        self.target = least

    def close(self, tree: Tree, node: CurrentNode, *, is_cut: bool) -> bool:
        if self.is_small(tree, node, is_cut=is_cut):
            tree.stop()
        return False

    def branch(self, tree: Tree, node: CurrentNode, x: NDArray[np.float64]) -> bool:
        found = lattice_families(tree, node, self.target)
        if found is not None:
            tree.relaxation.fix(node, (node.active > 0) & (found.active == 0))
            tree.stop()
        drop_slack_rows(tree.relaxation.lp)
        if not probe_all(tree, node, self.largest):
            tree.stop()
        return False


class ListLeaves(_Credible):
    """Lists the credible networks of all leaves.

    The time to list the networks of a node is added to that of the tree, as this work is never in vain.

    Attributes
    ----------
    was_stopped
        Whether the callback ended the listing of a node, or the time for listing was up.
    """

    def __init__(self, leaves: LeafListing, inequalities: Sequence[Inequality], largest: int) -> None:
        super().__init__(inequalities, largest)
        self._leaves = leaves
        self.was_stopped = False

    @property
    def target(self) -> float:
        return self._leaves.least

    def close(self, tree: Tree, node: CurrentNode, *, is_cut: bool) -> bool:
        since = tree.run.clock.seconds_worked
        if is_cut and self._is_listed(tree, node):
            tree.prolong(tree.run.clock.seconds_worked - since, self._leaves.run)
            return True
        if not self.is_small(tree, node, is_cut=is_cut):
            return False
        self._end(tree, node, self._leaves.add(tree.relaxation.places[tree.relaxation.components(node).places]))
        return True

    def _end(self, tree: Tree, node: CurrentNode, is_whole: bool) -> None:
        if not is_whole:
            tree.stop("stopped")
        node.bound = -math.inf

    # This section lists nodes with little search.

    def _is_listed(self, tree: Tree, node: CurrentNode) -> bool:
        """Lists the networks of a node if that takes little search; False if it would take more."""
        leaves = self._leaves
        components = sorted(tree.relaxation.components(node).several, key=len)
        if components and len(components[-1]) > _core.most_choosers:
            return False
        alone = np.ones(tree.relaxation.n_variables, dtype=np.bool_)
        for members in components:
            alone[members] = False
        numbers = self._numbers(tree)
        nodes: list[int] = []
        for members in components:
            status, root = self._choices(tree, node, members, numbers)
            if status == "iteration_limit":
                return False
            if status == "interrupted":
                raise KeyboardInterrupt
            if status != "complete":
                self.was_stopped = status == "stopped"
                tree.stop("memory_limit" if status == "memory_limit" else "stopped")
            if root is None:
                node.bound = -math.inf
                return True
            nodes.append(root)
        nodes += [self._alone(tree, node, member, numbers) for member in np.flatnonzero(alone).tolist()]
        leaves.add_product(nodes)
        node.bound = -math.inf
        return True

    def _choices(
        self, tree: Tree, node: CurrentNode, members: Members, numbers: NDArray[np.uint16]
    ) -> tuple[CoreStatus, int | None]:
        """The diagram node of the networks of a component that can be part of a credible network."""
        relaxation, leaves = tree.relaxation, self._leaves
        bound, _ = relaxation.bound(node.best, node.active)
        if not math.isfinite(bound):  # The pool has dropped a row that the dual values refer to.
            node.best = NO_MULTIPLIERS
            bound, _ = relaxation.bound(node.best, node.active)
        ticks = leaves.ticks[relaxation.places]
        if node.depth == 0:
            status, lattice = lattice_of(tree, node, members, self.target, leaves.callback())
            if status == "complete":
                room = (leaves.memory, tree.run.n_threads)
                status, root, n_steps = lattice.networks(numbers, ticks, *room, leaves.diagram, leaves.callback())
                leaves.expanded += n_steps
            else:
                root = None
            if status not in ("iteration_limit", "memory_limit"):
                return status, root
        while True:
            budget, (rows, values) = bound - self.target, node.best
            status, root, n_steps = relaxation.cuts.rows.choices(
                *(rows, values, node.active, members, numbers, ticks),
                budget,
                WORK,
                leaves.memory,
                leaves.diagram,
                leaves.callback(),
            )
            leaves.expanded += n_steps
            if status != "memory_limit" or leaves.most == 0:
                return status, root
            leaves.narrow(leaves.most * 3 // 4)

    def _alone(self, tree: Tree, node: CurrentNode, member: int, numbers: NDArray[np.uint16]) -> int:
        """The diagram node of the active families of a variable that is a component by itself."""
        first, end = tree.relaxation.flat.starts[member : member + 2]
        active = first + np.flatnonzero(node.active[first:end])
        ticks = self._leaves.ticks[tree.relaxation.places[active]]
        return self._leaves.add_list(np.array([member], dtype=np.int32), numbers[active], ticks)

    def _numbers(self, tree: Tree) -> NDArray[np.uint16]:
        """The positions of the relaxation's families in the lists of their variables in the component."""
        starts = np.repeat(tree.component.flat.starts[:-1], np.diff(tree.relaxation.flat.starts))
        numbers: NDArray[np.uint16] = (tree.relaxation.places - starts).astype(np.uint16)
        return numbers

    # This section branches.

    def branch(self, tree: Tree, node: CurrentNode, x: NDArray[np.float64]) -> bool:
        """Splits by the pair that leaves the least effort; False if probing made the node much smaller instead."""
        drop_slack_rows(tree.relaxation.lp)
        n_before = np.count_nonzero(node.active)
        best: tuple[float, list[CurrentNode]] | None = None
        for pair in self._candidates(tree, node, x):
            children = probe(tree, node, pair)
            if tree.is_closed(node):
                return False
            effort = math.fsum(_effort(tree, child.active) for child in children)
            if best is None or effort < best[0]:
                best = effort, children
        if best is None or np.count_nonzero(node.active) < MUCH * n_before:
            return False
        for child in best[1]:
            child.active &= node.active
            if tree.relaxation.cuts.propagate(child.active):
                tree.push(child, node.depth + 1)
        return True

    def _candidates(self, tree: Tree, node: CurrentNode, x: NDArray[np.float64]) -> list[tuple[int, int]]:
        """The pairs to try: those that the solution decides least, or else those that divide components best."""
        undecided, counts = open_pairs(tree, node, self.largest)
        if ((x > 1e-6) & (x < 1 - 1e-6)).any():
            least = tree.relaxation.pairs.least_decided(undecided, counts, node.active, x, tree.settings.trials)
            if least:
                return least
        n = tree.relaxation.n_variables
        several = [(pair // n, pair % n) for pair in undecided.tolist()]
        return sorted(several, key=lambda pair: _effort_of_pair(tree, node.active, pair))[:_TRIALS]


def _effort_of_pair(tree: Tree, active: Mask, pair: tuple[int, int]) -> float:
    tree.check()  # Limits are checked for every pair, as there may be millions.
    effort = 0.0
    for relation in RELATIONS:
        child = active.copy()
        if tree.restrict(child, pair, relation):
            effort += _effort(tree, child)
    return effort


def _effort(tree: Tree, active: Mask) -> float:
    """A rough measure of the work that the active families cause, without a unit."""
    return math.fsum(2.0 ** (len(members) / 3) for members in tree.relaxation.cuts.rows.components(active))
