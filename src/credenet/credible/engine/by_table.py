"""Credible networks of a component from a table of the best scores of all subsets of its members."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._run.run import Run
from credenet._run.status import CoreStatus, Status
from credenet.credible.engine.enumerator import Budget, ComponentListing, Members, What, add_best, best_only
from credenet.families.arrays import FlatFamilies
from credenet.search.components import Choice
from credenet.structures.products.network_products import ComponentNetworks


class TableEnumerator:
    """An `Enumerator` of a small component."""

    incumbent = None

    def __init__(self, flat: FlatFamilies, members: Members, run: Run) -> None:
        self._flat = flat
        self._members = members
        self._run = run
        self._search = _core.CredibleSearch(flat.lists, members)
        self.best: Choice | None = None

    def solve(self) -> Status:
        status = self._search.solve(self._run.n_threads, self._run.callback())
        if status != "optimal":
            return self._run.status_of(status)
        self.best = np.array(self._search.best_families, dtype=np.int64)
        return "complete"

    def reduce(self, slack: float) -> NDArray[np.bool_] | Status:
        status, found = self._search.credible_families(slack, self._run.callback())
        return found.astype(np.bool_) if status == "complete" else self._run.status_of(status)

    def narrow(self, flat: FlatFamilies) -> None:
        self._flat = flat
        self._search.narrow(flat.lists, self._members)

    def list_within(self, best: Choice, budget: Budget, what: What) -> ComponentListing:
        """Lists networks; if not all fit into memory, it lists all better ones instead of a part of all."""
        if self.best is None and self.solve() != "complete":
            only = best_only(self._flat, self._members, best)
            return ComponentListing(only, budget.most, self._run.status_of("stopped"), is_whole=False)
        networks, status, n_expanded = self.find(budget, what)
        most = budget.most
        while status == "memory_limit" and most > 0:
            most = most * 3 // 4
            # The copy is kept, as the next search may be stopped before it has found as many.
            networks = networks.take(np.flatnonzero(networks.ticks <= most))
            more, status, n_more = self.find(Budget(budget.tick, most, budget.memory - networks.n_bytes), what)
            n_expanded += n_more
            if status not in ("stopped", "interrupted") or len(more) > len(networks):
                networks = more
        is_whole = status == "complete"
        ended = "memory_limit" if is_whole and most < budget.most else status
        complete = add_best(networks, self._flat, best)
        return ComponentListing(complete, most, self._run.status_of(ended), is_whole, n_expanded)

    def find(self, budget: Budget, what: What) -> tuple[ComponentNetworks, CoreStatus, int]:
        """The networks or classes that memory and time allow, the status of the search, and its number of steps."""
        options = (budget.tick, budget.most, max(int(budget.memory), 1), self._run.n_threads, self._run.callback())
        if what == "networks":
            networks_found = self._search.networks(*options)
        else:
            networks_found = self._search.classes(self._flat.lists, self._members, *options)
        positions = networks_found.take_families().reshape(-1, len(self._members))
        starts = self._flat.starts[self._members]
        sizes = networks_found.take_sizes() if what == "classes" else None
        networks = ComponentNetworks(self._members, networks_found.take_ticks(), positions, starts, sizes)
        return networks, networks_found.status, networks_found.n_expanded
