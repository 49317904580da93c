"""The best network of one component by branch and cut, with a proof.

Networks come from order search and from rounding the solutions of linear programs. A node ends as a leaf if its active
families form only small components, which dynamic programming solves. Otherwise it is split by a pair of variables: of
the few pairs that the solution decides least, the one whose children have the best bounds. The node with the largest
bound is next.

Under knowledge of whole networks (`Constraints`) only networks that obey it are accepted, all variables are one
component, and a node ends at the latest when a single network is left. Until a network is known, the deepest node is
next.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from credenet._run.ledger import Ledger
from credenet._run.run import Run
from credenet.search.components import Component, ComponentResult, Solve
from credenet.search.cost import node_table
from credenet.search.ilp.constraints import Constraints
from credenet.search.ilp.cuts import Inequality
from credenet.search.ilp.incumbent import ComponentIncumbent
from credenet.search.ilp.leaves import best_by_subsets, only_network
from credenet.search.ilp.linear_program import Mask
from credenet.search.ilp.node import CurrentNode
from credenet.search.ilp.proof import Proof, Relation
from credenet.search.ilp.tree import Tree
from credenet.search.ilp.tunables import (
    LEAST_GAIN,
    LEAST_GAP,
)
from credenet.settings.methods import ILP

Children = list[tuple[Relation, CurrentNode]]


def solve_ilp(method: ILP, constraints: Constraints | None = None) -> Solve:
    """The search of one component by branch and cut; with constraints the component has all variables."""

    def solve(component: Component, run: Run, ledger: Ledger, number: int) -> ComponentResult:
        return BranchAndCut(method, constraints)(component, run, ledger, number)

    return solve


class BranchAndCut:
    """The search of one component; after a deadline, the next call continues where the last one stopped.

    Each call reports the nodes and cuts that it added. A search that ran out of memory starts anew.
    """

    def __init__(self, method: ILP, constraints: Constraints | None = None) -> None:
        self._method = method
        self._constraints = constraints
        self._tree: Tree | None = None
        self._policy: FindOptimum
        self._n_nodes = self._n_cuts = 0  # Totals of the calls before.

    @property
    def n_bytes(self) -> int:
        """The estimated bytes that the search holds between two calls."""
        return 0 if self._tree is None else self._tree.peak_bytes

    def __call__(self, component: Component, run: Run, ledger: Ledger, number: int) -> ComponentResult:
        if self._tree is None:
            constraints = self._constraints
            self._policy = FindOptimum(ComponentIncumbent(component, constraints), constraints)
            self._tree = Tree(
                component,
                self._policy,
                run,
                ledger=ledger,
                number=number,
                settings=self._method,
                constraints=constraints,
            )
        else:
            self._tree.resume(run)
        result = self._policy.result(self._tree)
        n_nodes, n_cuts = result.expanded, result.generated
        result.expanded, result.generated = n_nodes - self._n_nodes, n_cuts - self._n_cuts
        self._n_nodes, self._n_cuts = n_nodes, n_cuts
        if result.status == "memory_limit":  # The tree is dropped, as there is no memory to continue it.
            self._tree, self._n_nodes, self._n_cuts = None, 0, 0
        return result


class FindOptimum:
    """The policy of a tree that is searched for the best network."""

    inequalities: Sequence[Inequality] = ()
    has_proof = True

    def __init__(self, incumbent: ComponentIncumbent, constraints: Constraints | None) -> None:
        self._incumbent = incumbent
        self._constraints = constraints
        self._has_searched_longer = False

    @property
    def target(self) -> float:
        return self._incumbent.target

    @property
    def score(self) -> float:
        return self._incumbent.score

    @property
    def is_depth_first(self) -> bool:
        return self._incumbent.choice is None

    def result(self, tree: Tree) -> ComponentResult:
        """Searches the tree and returns its result."""
        root = tree.search()
        choice, status, bound = self._incumbent.choice, tree.status, tree.bound
        if choice is None and status == "optimal":
            status, bound = "infeasible", -math.inf
        elif bound <= self.target:
            bound = self.score
        tree.add_point()
        inequalities = tuple(tree.relaxation.cuts.inequalities)
        return ComponentResult(
            choice=None if choice is None else tree.component.from_flat(choice),
            score=self.score,
            bound=bound,
            status=status,
            expanded=tree.n_nodes,
            generated=len(inequalities),
            peak_bytes=tree.peak_bytes,
            trace=tree.trace,
            proof=Proof(self.target, tuple(tree.component.members.tolist()), inequalities, root),
        )

    def first_families(self, tree: Tree) -> Mask:
        return tree.relaxation.cuts.first_active()

    def begin(self, tree: Tree) -> None:
        self._incumbent.find_first(tree)

    def take(self, tree: Tree, x: NDArray[np.float64], *, polish: bool) -> None:
        self._incumbent.round(tree, x, polish=polish)

    def close(self, tree: Tree, node: CurrentNode, *, is_cut: bool) -> bool:
        """Ends a leaf by dynamic programming; under constraints only where a single network is left."""
        if self._constraints is not None:
            families = only_network(tree.relaxation.flat, node.active)
            if families is None:
                return False
            self._incumbent.offer(tree, families)
        else:
            components = tree.relaxation.components(node)
            if components.largest > node_table(tree.settings.subset_variables, is_cut=is_cut):
                return False
            leaf = best_by_subsets(components, tree.report, tree.run.n_threads)
            if leaf is not None:
                if leaf.families is not None:
                    self._incumbent.offer(tree, leaf.families)
                if leaf.interrupted:
                    raise KeyboardInterrupt
                if not leaf.is_finished:
                    tree.stop("stopped")
        node.proof.is_exhausted = True
        node.bound = -math.inf
        return True

    def branch(self, tree: Tree, node: CurrentNode, x: NDArray[np.float64]) -> bool:
        """Splits by the pair whose children have the lowest bounds, among those that were tried."""
        if node.depth == 0 and not self._has_searched_longer:
            self._has_searched_longer = True
            before = self.score
            self._incumbent.find_better(tree)
            if self.score > before:
                tree.reduce(node)
                return False
        pairs = tree.relaxation.pairs
        candidates = pairs.least_decided(*pairs.left_open(node.active), node.active, x, tree.settings.trials)
        best: tuple[float, tuple[int, int], Children] | None = None
        since = 0
        for pair in candidates:
            children = tree.try_pair(node, pair)
            if sum(not tree.is_closed(child) for _, child in children) <= 1:
                self._become(tree, node, pair, children)
                return False
            value = self._value(node, children)
            since += 1
            if best is None or value > best[0]:
                best, since = (value, pair, children), 0
            if since >= tree.settings.patience:
                break
        if best is None:
            return False
        _, pair, children = best
        tree.record(node)
        _write(node, pair, children)
        for _, child in children:
            if not tree.is_closed(child):
                tree.push(child, node.depth + 1)
        return True

    def _value(self, node: CurrentNode, children: Children) -> float:
        """The product over the children of the share of the gap that each closes."""
        gap = max(node.bound - self.target, LEAST_GAP)
        gains = [min(max(node.bound - child.bound, 0.0), gap) / gap for _, child in children]
        return math.prod(max(gain, LEAST_GAIN) for gain in gains)

    def _become(self, tree: Tree, node: CurrentNode, pair: tuple[int, int], children: Children) -> None:
        """Turns the node into its only open child; closes the node if it has none."""
        tree.record(node)
        _write(node, pair, children)
        only = next((child for _, child in children if not tree.is_closed(child)), None)
        if only is None:
            node.bound = -math.inf
            return
        node.active, node.proof, node.components = only.active, only.proof, None
        node.bound, node.best, node.is_recorded = only.bound, only.best, True
        tree.reduce(node)


def _write(node: CurrentNode, pair: tuple[int, int], children: Children) -> None:
    """Records a split in the proof."""
    node.proof.pair = pair
    node.proof.children = [(relation, child.proof) for relation, child in children]
