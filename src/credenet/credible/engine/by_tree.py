"""Credible networks, by trees, of a component that is too large for a table of all its subsets.

Branch and cut, or a faster method, finds the optimum. Given the optimum, bounds remove most families. A tree splits the
rest into leaves that share no network (`credible_tree`), and the networks of the leaves form one diagram or list
(`leaf_listing`).
If a table fits into memory, each of these three steps gets a third of the time that the table would take; after that
the table is made.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from credenet._run.run import Run
from credenet._run.status import CoreStatus, Status
from credenet.credible.engine.by_table import TableEnumerator
from credenet.credible.engine.credible_tree import ListLeaves, Reduction, last_inequalities
from credenet.credible.engine.enumerator import Budget, ComponentListing, Members, What, add_best
from credenet.credible.engine.leaf_listing import LeafListing
from credenet.credible.engine.optimum import best_of_component
from credenet.families.arrays import FlatFamilies, find_dominated
from credenet.search import cost
from credenet.search.components import Choice, Component, ComponentResult
from credenet.search.ilp.cuts import Inequality
from credenet.search.ilp.node import CurrentNode
from credenet.search.ilp.tree import Tree
from credenet.structures.products.network_products import ComponentNetworks


@dataclass(slots=True)
class SharedFindings:
    """State that the enumerators of one call share: the bytes of tables, and inequalities that help."""

    table_bytes: int = 0
    inequalities: list[Inequality] = field(default_factory=list)  # Members are positions in the family table.


class TreeEnumerator:
    """An `Enumerator` of a large component."""

    def __init__(self, flat: FlatFamilies, members: Members, run: Run, shared: SharedFindings) -> None:
        self._flat = flat
        self._members = members
        self._run = run
        self._shared = shared
        self._component = Component(flat, members)
        self._table: TableEnumerator | None = None
        self._best: Choice | None = None
        self.incumbent: ComponentResult | None = None

    @property
    def best(self) -> Choice | None:
        return self._best if self._table is None else self._table.best

    def narrow(self, flat: FlatFamilies) -> None:
        self._flat, self._component = flat, Component(flat, self._members)
        if self._table is not None:
            self._table.narrow(flat)

    def solve(self) -> Status:
        """Finds the best network; makes a table instead if a proof takes too long and the table fits."""
        useful = ~find_dominated(self._flat, 0.0)  # A best network needs no dominated family; credible ones may.
        component = Component(self._flat.keep(useful), self._members)
        has_table = self._may_have_table(self._run.memory - self._shared.table_bytes)
        seconds = cost.table_seconds(self._component) / cost.ATTEMPTS if has_table else None
        best = best_of_component(component, self._run, seconds=seconds)
        if best.choice is not None:
            best.choice = np.flatnonzero(useful)[best.choice]
        self.incumbent = best
        if has_table and best.status == "stopped" and not self._run.clock.is_over:
            return self._make_table()
        if best.status != "optimal" or best.choice is None:
            return self._run.status_of(best.status)
        self._best = best.choice
        if best.proof is not None:
            self._share(one for one in best.proof.inequalities if isinstance(one, Inequality))
        return "complete"

    def reduce(self, slack: float) -> NDArray[np.bool_] | Status:
        if self._table is not None:
            return self._table.reduce(slack)
        assert self._best is not None
        has_table = self._may_have_table(self._run.memory - self._shared.table_bytes)
        run = cost.attempt(self._component, self._run) if has_table else self._run
        least = math.fsum(self._flat.scores[self._best].tolist()) - slack
        tree = Tree(self._component, Reduction(least, self._inequalities(), cost.leaf_table(self._run)), run)
        tree.search()
        if tree.status != "optimal":
            if not self._is_only_late(tree):
                return self._run.status_of(tree.status)
            status = self._make_table()
            return status if status != "complete" or self._table is None else self._table.reduce(slack)
        self._share(last_inequalities(tree))
        keep = np.zeros(len(self._component.flat.scores), dtype=np.bool_)
        if isinstance(tree.current, CurrentNode):
            keep[tree.relaxation.places[tree.current.active > 0]] = True
        return keep

    def list_within(self, best: Choice, budget: Budget, what: What) -> ComponentListing:
        """Lists networks, also if classes are wanted, which are computed from them later."""
        if self._table is not None:
            return self._table.list_within(best, budget, what)
        has_table = self._may_have_table(budget.memory)
        run = cost.attempt(self._component, self._run) if has_table else self._run
        leaves = LeafListing(self._component, best - self._flat.starts[self._members], budget, self._run)
        policy = ListLeaves(leaves, self._inequalities(), cost.leaf_table(self._run))
        tree = Tree(self._component, policy, run)
        tree.search()
        is_whole = tree.status == "optimal"
        if not is_whole:
            leaves.add_best()
        networks = leaves.networks(self._flat, what)
        status: CoreStatus | Status = leaves.status
        if status in ("complete", "memory_limit") and not is_whole:
            status = tree.status
        n_expanded = leaves.expanded + tree.n_nodes
        if status == "complete":
            return ComponentListing(networks, leaves.most, n_expanded=n_expanded)
        if status != "memory_limit" and self._is_only_late(tree) and not policy.was_stopped:
            memory = budget.memory - cost.table_bytes(len(self._members), self._run.n_threads)
            table = TableEnumerator(self._flat, self._members, self._run)
            listed = table.list_within(best, budget._replace(memory=memory), what)
            return listed._replace(n_expanded=listed.n_expanded + n_expanded)
        if isinstance(networks, ComponentNetworks):  # A stopped listing may lack the best network.
            networks = add_best(networks, self._flat, best)
        return ComponentListing(
            networks, leaves.most, self._run.status_of(status), is_whole and leaves.is_whole, n_expanded
        )

    def _may_have_table(self, memory: float) -> bool:
        n = len(self._members)
        table_fits = cost.table_bytes(n, self._run.n_threads) <= memory
        return cost.way_to_list(n, table_fits=table_fits) == "tree, then table"

    def _make_table(self) -> Status:
        """Solves by a table, which answers all later calls."""
        self._shared.table_bytes += cost.table_bytes(len(self._members), self._run.n_threads)
        self._table = TableEnumerator(self._flat, self._members, self._run)
        return self._table.solve()

    def _is_only_late(self, tree: Tree) -> bool:
        """Whether the deadline of this attempt ended it, and not that of the whole run or the user."""
        return tree.run.clock.is_over and not self._run.clock.is_over and tree.status != "interrupted"

    def _inequalities(self) -> list[Inequality]:
        """The known inequalities whose members all belong to the component, renumbered by their places in it."""
        place = {int(member): at for at, member in enumerate(self._members)}
        return [
            replace(one, members=tuple(place[member] for member in one.members))
            for one in self._shared.inequalities
            if all(member in place for member in one.members)
        ]

    def _share(self, inequalities: Iterable[Inequality]) -> None:
        members = self._members.tolist()
        self._shared.inequalities += [
            replace(one, members=tuple(members[place] for place in one.members)) for one in inequalities
        ]
