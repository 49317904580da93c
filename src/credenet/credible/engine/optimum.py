"""The best network of a component that is too large for a table of all its subsets.

The method is branch and cut in which a node also ends if dual values leave few subsets of the variables (`lattice`). It
keeps no proof for a later check, as `verify` counts the credible networks in another way.
"""

from __future__ import annotations

import math

from credenet._run.ledger import Ledger
from credenet._run.run import Run
from credenet.credible.engine.lattice import lattice_families
from credenet.search import cost
from credenet.search.auto import solve_auto
from credenet.search.components import Component, ComponentResult
from credenet.search.ilp.branch_and_cut import FindOptimum
from credenet.search.ilp.incumbent import ComponentIncumbent
from credenet.search.ilp.node import CurrentNode
from credenet.search.ilp.tree import Tree

_TURN = 3 * cost.TREE_TURN  # Seconds of branch and cut alone before A* gets turns, too.


class _ByLattice(FindOptimum):
    """A policy whose nodes end by dynamic programming over all subsets, or over those that dual values leave."""

    has_proof = False

    def close(self, tree: Tree, node: CurrentNode, *, is_cut: bool) -> bool:
        if super().close(tree, node, is_cut=is_cut):
            return True
        families = lattice_families(tree, node, self.target) if is_cut else None
        if families is None:
            return False
        if len(families.best):
            self._incumbent.offer(tree, families.best)
        node.bound = -math.inf
        return True


def best_of_component(component: Component, run: Run, *, seconds: float | None) -> ComponentResult:
    """The best network of a component, within ``seconds`` if given; otherwise A* gets turns, too."""
    ledger = Ledger(run.clock, 0.0, [component.bound])
    has_turns = seconds is None and len(component) <= cost.MOST_LATTICE_VARIABLES
    if has_turns:
        seconds = _TURN
    limited = run if seconds is None else run.end_within(seconds=seconds)
    policy = _ByLattice(ComponentIncumbent(component, None), None)
    found = policy.result(Tree(component, policy, limited, ledger=ledger))
    if has_turns and found.status == "stopped" and limited.clock.is_over and not run.clock.is_over:
        return solve_auto({})(component, run, ledger, 0)
    return found
