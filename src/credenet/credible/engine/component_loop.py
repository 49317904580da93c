"""From families to credible networks, one strongly connected component after the other.

First each component is solved. Then families that are in no credible network are dropped, which may divide the
components. Finally the networks of each component are listed, each up to the whole slack.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._run.run import Run
from credenet._run.status import Status
from credenet.credible.engine.enumerator import Budget, ComponentListing, Enumerator, Members, What, alone, best_only
from credenet.errors import ArgumentError
from credenet.families.arrays import FlatFamilies, prefix_sums
from credenet.search.components import Component
from credenet.search.local import quick_network
from credenet.structures.products.network_diagrams import ComponentDiagram
from credenet.structures.products.network_products import ComponentNetworks


class ComponentLoop:
    """Solves the components, reduces their families and lists their networks.

    Attributes
    ----------
    flat, rows
        The families in use, and their positions among the given families.
    best
        The family of each variable in the best network.
    status
        ``complete``, or the limit that ended the work.
    is_whole
        Whether no network that fits into memory was left out.
    """

    def __init__(self, flat: FlatFamilies, run: Run, make: Callable[[FlatFamilies, Members], Enumerator]) -> None:
        self._run = run
        self._make = make
        self._enumerators: dict[tuple[int, ...], Enumerator] = {}
        self.flat = flat
        self.rows = np.arange(len(flat.scores))
        self.best = flat.starts[:-1].copy()
        self.status: Status = "complete"
        self.is_whole = True
        self.n_expanded = 0

    def components(self) -> list[Members]:
        """The strongly connected components of the families in use, small ones first."""
        several = [np.array(members, dtype=np.int32) for members in _core.strong_components(self.flat.lists)]
        return sorted(several, key=len)

    def keep(self, keep: NDArray[np.bool_]) -> None:
        """Drops the families that are not in ``keep``, which includes those of the best network."""
        self.best = prefix_sums(keep)[self.best]
        self.flat = self.flat.keep(keep)
        self.rows = self.rows[keep]

    def solve(self) -> None:
        """Finds the best network."""
        for members in self.components():
            if len(members) > 1:
                enumerator = self._enumerators[tuple(members.tolist())] = self._make(self.flat, members)
                self.status = enumerator.solve()
                if self.status != "complete":
                    return
                assert enumerator.best is not None
                self.best[members] = enumerator.best

    def best_so_far(self) -> float | None:
        """Sets ``best`` to the best known network of each component; returns the sum of their bounds, or None."""
        bounds = []
        for members in self.components():
            enumerator = self._enumerators.get(tuple(members.tolist()))
            if len(members) == 1 or (enumerator is not None and enumerator.best is not None):
                bounds.append(math.fsum(self.flat.scores[self.best[members]].tolist()))
                continue
            component = Component(self.flat, members)
            incumbent = None if enumerator is None else enumerator.incumbent
            choice = quick_network(component, self._run).choice if incumbent is None else incumbent.choice
            if choice is None:
                return None
            self.best[members] = choice
            bounds.append(component.bound if incumbent is None else min(incumbent.bound, component.bound))
        return math.fsum(bounds)

    def reduce(self, slack: float) -> bool:
        """Drops families that provably are in no network within the slack; False if it was stopped."""
        flat = self.flat
        keep = np.ones(len(flat.scores), dtype=np.bool_)
        for members in self.components():
            rows = np.concatenate([np.arange(flat.starts[member], flat.starts[member + 1]) for member in members])
            if len(members) == 1:
                keep[rows] = flat.scores[rows] >= flat.scores[rows[0]] - slack
                continue
            enumerator = self._enumerators[tuple(members.tolist())]
            kept = enumerator.reduce(slack)
            if isinstance(kept, str):
                self.status, self.is_whole = kept, False
                return False
            keep[rows] = kept
            if enumerator.best is not None:  # Solving again may give another network of the best score.
                self.best[members] = enumerator.best
        keep[self.best] = True
        self.keep(keep)
        return True

    def list_within(self, budget: Budget, what: What) -> tuple[list[ComponentNetworks | ComponentDiagram], int]:
        """The networks or classes of all components, up to the deviation that fits into memory."""
        several: list[ComponentNetworks | ComponentDiagram] = []
        for members in self.components():
            self._check_number(members)
            if len(members) == 1:
                listed = alone(self.flat, members, budget, what)
            else:
                listed = self._list_component(members, budget, what)
                budget = budget._replace(most=listed.most, memory=budget.memory - listed.networks.n_bytes)
            several.append(listed.networks)
        return several, budget.most

    def _list_component(self, members: Members, budget: Budget, what: What) -> ComponentListing:
        if self.status not in ("complete", "memory_limit") or self._run.clock.is_over:
            self.status = self._run.status_of("stopped")
            return ComponentListing(best_only(self.flat, members, self.best[members]), budget.most)
        enumerator = self._enumerators.get(tuple(members.tolist()))
        if enumerator is None:
            enumerator = self._make(self.flat, members)
        else:
            enumerator.narrow(self.flat)
        listed = enumerator.list_within(self.best[members], budget, what)
        self.n_expanded += listed.n_expanded
        self.is_whole = self.is_whole and listed.is_whole
        if listed.status != "complete":
            self.status = listed.status
        return listed

    def _check_number(self, members: Members) -> None:
        """Checks that positions in the lists of the variables fit into the numbers of the core."""
        most = int(np.diff(self.flat.starts)[members].max())
        if most > _core.CredibleSearch.most_families:
            raise ArgumentError(
                f"a variable has {most:,} parent sets in credible networks; at most "
                f"{_core.CredibleSearch.most_families:,} can be listed: ask for a smaller bayes_factor or slack"
            )
