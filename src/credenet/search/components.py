"""Strongly connected components, which are learned one by one, and the network that they form together.

The components are those of the graph of candidate parents, so every cycle lies within one. Parents outside a component
can therefore always be had, and the best networks of the components together are the best network of all variables. A
component of one variable needs no search.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._run.ledger import BoundPoint, Ledger
from credenet._run.run import Run
from credenet._run.status import CoreStatus, Status
from credenet.families.arrays import FlatFamilies, prefix_sums
from credenet.families.table import FamilyTable

if TYPE_CHECKING:
    from credenet.search.ilp.proof import Proof

Choice = NDArray[np.int64]
"""For each variable the position of its family in the table."""


class Component:
    """Some variables with the families that they have among themselves."""

    def __init__(self, table: FlatFamilies, members: NDArray[np.int32]) -> None:
        self.members = members
        self._table = table

    def __len__(self) -> int:
        return len(self.members)

    @cached_property
    def lists(self) -> _core.ComponentLists:
        """The families as bitsets of members, without repetitions and without those that a better subset dominates."""
        return _core.ComponentLists(self._table.lists, self.members)

    @cached_property
    def flat(self) -> FlatFamilies:
        """The families of the members in the table's order; outside parents are removed, members are positions."""
        starts, ends = self._table.starts[self.members], self._table.starts[self.members + 1]
        counts = ends - starts
        rows = np.repeat(starts - prefix_sums(counts)[:-1], counts) + np.arange(counts.sum())
        taken = self._table.take(rows, counts)
        place = np.full(len(self._table.starts) - 1, -1, dtype=np.int32)
        place[self.members] = np.arange(len(self.members), dtype=np.int32)
        parents = place[taken.parents]
        inside = prefix_sums(parents >= 0)
        return replace(taken, offsets=inside[taken.offsets], parents=parents[parents >= 0])

    @cached_property
    def bound(self) -> float:
        """The sum of the best families' scores, which no network of the component exceeds."""
        return math.fsum(self._table.scores[self._table.starts[self.members]].tolist())

    def from_lists(self, families: list[int]) -> Choice:
        """Turns positions in `lists` into positions in the table."""
        return np.array([self.lists.family(v, k) for v, k in enumerate(families)], dtype=np.int64)

    def from_flat(self, families: list[int]) -> Choice:
        """Turns positions in `flat` into positions in the table."""
        return np.asarray(self._table.starts[self.members] + np.array(families, dtype=np.int64))

    def to_lists(self, choice: Choice) -> list[int]:
        """Positions in `lists`: for each variable a family that is a subset of the chosen one and at least as good."""
        place = {int(member): at for at, member in enumerate(self.members)}
        found = []
        for variable, family in enumerate(choice.tolist()):
            parents = self._table.parents_of(family)
            bits = sum(1 << place[parent] for parent in parents if parent in place)
            found.append(self.lists.best(variable, bits))
        return found


@dataclass(slots=True, kw_only=True)
class ComponentResult:
    """The result of a search of one component."""

    choice: Choice | None
    score: float
    bound: float
    status: CoreStatus
    expanded: int = 0
    generated: int = 0
    peak_bytes: int = 0
    trace: list[tuple[float, float, float]] = field(default_factory=list)
    proof: Proof | None = None

    @classmethod
    def from_core(cls, outcome: _core.SearchResult, choice: Choice | None) -> ComponentResult:
        """The result of the core, with the chosen families as positions in the table."""
        return cls(
            choice=choice,
            score=outcome.score,
            bound=outcome.bound,
            status=outcome.status,
            expanded=outcome.n_expanded,
            generated=outcome.n_generated,
            peak_bytes=outcome.peak_bytes,
            trace=outcome.trace,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """The result of a search of all variables; ``choice`` is None if there is no network."""

    choice: Choice | None
    score: float
    bound: float
    status: Status
    components: tuple[int, ...]
    expanded: int = 0
    generated: int = 0
    peak_bytes: int = 0
    trace: tuple[BoundPoint, ...] = ()
    proofs: tuple[Proof, ...] = ()


Solve = Callable[[Component, Run, Ledger, int], ComponentResult]
"""Searches one component; the ledger holds its best known score and bound under the given number."""

Rescue = Callable[[Component, Run], ComponentResult]
"""Finds some network of a component at once, for a search that was stopped before it had one."""

Reasons = dict[str, None]
"""The reasons for the choice of a method, each once."""


def whole(families: FamilyTable) -> list[Component]:
    """All variables as one component, for knowledge about whole networks."""
    return [Component(families.flat(), np.arange(len(families.variables), dtype=np.int32))]


def components_of(families: FamilyTable) -> list[Component]:
    """The components of more than one variable, small ones first."""
    flat = families.flat()
    several = [np.array(members, dtype=np.int32) for members in _core.strong_components(flat.lists) if len(members) > 1]
    return [Component(flat, members) for members in sorted(several, key=len)]


def solve_apart(
    families: FamilyTable,
    run: Run,
    solve: Solve,
    rescue: Rescue,
    components: list[Component] | None = None,
) -> SearchResult:
    """The network that the components form, with the first reason why one of them is not proven optimal.

    By default the components are those of the families.
    """
    flat = families.flat()
    if (np.diff(flat.starts) == 0).any():
        return INFEASIBLE
    if components is None:
        components = components_of(families)
    sizes = tuple(sorted(map(len, components), reverse=True))
    choice = flat.starts[:-1].copy()  # The best family is right for a variable that is a component by itself.
    alone = np.ones(len(choice), dtype=np.bool_)
    for component in components:
        alone[component.members] = False
    settled = math.fsum(flat.scores[choice[alone]].tolist())
    bounds = [component.bound for component in components]
    ledger = Ledger(run.clock, settled, bounds, run.beyond)
    status: Status = "optimal"
    expanded, generated, peak_bytes = 0, 0, 0
    is_stopped = False
    proofs: list[Proof] = []
    for number, component in enumerate(components):
        start = run.clock.seconds_passed
        if is_stopped or run.clock.is_over:
            result = rescue(component, run)
            result.status = "stopped"
        else:
            result = solve(component, run, ledger, number)
            ledger.replay(number, start, result.trace)
            if result.status == "interrupted":  # Ctrl-C must count even if the network is proven optimal.
                run.stop.is_asked = True
            is_stopped = run.stop.is_asked or (result.status == "stopped" and not run.clock.is_over)
            if result.choice is None and result.status != "infeasible":
                rescued = rescue(component, run)
                result.choice, result.score = rescued.choice, rescued.score
        if result.choice is None and result.status == "infeasible":
            return replace(INFEASIBLE, components=sizes, proofs=() if result.proof is None else (result.proof,))
        if result.choice is None:
            ledger.update(number, -math.inf, result.bound)
            return _make_result_without_network(sizes, ledger.bound, run.status_of(result.status))
        expanded, generated = expanded + result.expanded, generated + result.generated
        peak_bytes = max(peak_bytes, result.peak_bytes)
        ledger.update(number, result.score, result.bound)
        choice[component.members] = result.choice
        if result.proof is not None:
            proofs.append(result.proof)
        score, bound = ledger.part(number)
        if status == "optimal" and not (result.status == "optimal" or score == bound):
            status = run.status_of(result.status)
    total = math.fsum(flat.scores[choice].tolist())
    return SearchResult(
        choice=choice,
        score=total,
        bound=total if status == "optimal" else max(ledger.bound, total),
        status=status,
        components=sizes,
        expanded=expanded,
        generated=generated,
        peak_bytes=peak_bytes,
        trace=tuple(ledger.trace),
        proofs=tuple(proofs),
    )


def _make_result_without_network(sizes: tuple[int, ...], bound: float, status: Status) -> SearchResult:
    return SearchResult(choice=None, score=-math.inf, bound=bound, status=status, components=sizes)


INFEASIBLE = _make_result_without_network((), -math.inf, "infeasible")
