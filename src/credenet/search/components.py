"""Groups of variables that can be learned apart, and the network that their parts make.

A variable with one candidate family, or none but itself in its group, needs no search. The groups are the strongly
connected components of the graph of candidate parents: every cycle stays in one, so with the parents outside a group
taken to be there, the best network of all variables is made of the best networks of the groups.
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

MOST_LATTICE_VARIABLES = 64

Choice = NDArray[np.int64]
"""For each variable the position of a family in the table."""


class Component:
    """A group of variables with the families that they have among themselves."""

    def __init__(self, table: FlatFamilies, members: NDArray[np.int32]) -> None:
        self.members = members
        self._table = table

    def __len__(self) -> int:
        return len(self.members)

    @cached_property
    def lists(self) -> _core.ComponentLists:
        """As bits, without families that differ only in parents outside, or that a subset makes useless."""
        return _core.ComponentLists(self._table.lists, self.members)

    @cached_property
    def flat(self) -> FlatFamilies:
        """The members' families in the table's order, without the parents outside; members by position."""
        starts, ends = self._table.starts[self.members], self._table.starts[self.members + 1]
        counts = ends - starts
        rows = np.repeat(starts - prefix_sums(counts)[:-1], counts) + np.arange(counts.sum())
        taken = self._table.taken(rows, counts)
        place = np.full(len(self._table.starts) - 1, -1, dtype=np.int32)
        place[self.members] = np.arange(len(self.members), dtype=np.int32)
        parents = place[taken.parents]
        inside = prefix_sums(parents >= 0)
        return replace(taken, offsets=inside[taken.offsets], parents=parents[parents >= 0])

    @cached_property
    def bound(self) -> float:
        """The sum of the best families' scores, which no network of the group exceeds."""
        return math.fsum(self._table.scores[self._table.starts[self.members]].tolist())

    def from_lists(self, families: list[int]) -> Choice:
        """Positions in the table of families given by position in `lists`."""
        return np.array([self.lists.family(v, k) for v, k in enumerate(families)], dtype=np.int64)

    def from_flat(self, families: list[int]) -> Choice:
        """Positions in the table of families given by position in `flat`."""
        return np.asarray(self._table.starts[self.members] + np.array(families, dtype=np.int64))

    def to_lists(self, choice: Choice) -> list[int]:
        """In `lists`, for each variable a family within the chosen one that is at least as good."""
        place = {int(member): at for at, member in enumerate(self.members)}
        found = []
        for variable, family in enumerate(choice.tolist()):
            parents = self._table.parents[self._table.offsets[family] : self._table.offsets[family + 1]]
            bits = sum(1 << place[parent] for parent in parents.tolist() if parent in place)
            found.append(self.lists.best(variable, bits))
        return found


@dataclass(slots=True, kw_only=True)
class Part:
    """What a search found for one component."""

    choice: Choice | None
    score: float
    bound: float
    status: CoreStatus
    expanded: int = 0
    generated: int = 0
    peak_bytes: int = 0
    trace: list[tuple[float, float, float]] = field(default_factory=list)
    proof: Proof | None = None


def part_of(outcome: _core.SearchResult, choice: Choice | None) -> Part:
    """What the core found, with the families that it chose by their positions in the table."""
    return Part(
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
class Found:
    """What a search found for all variables; no choice if there is no network."""

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


Solve = Callable[[Component, Run, Ledger, int], Part]
"""Searches one component; the ledger has its best known score and bound under the given number."""

Rescue = Callable[[Component, Run], Part]
"""A network of a component in hardly any time, for when the search was stopped before it had one."""


def whole(families: FamilyTable) -> list[Component]:
    """All variables as one group, for when what is known ties them together."""
    return [Component(families.flat(), np.arange(len(families.variables), dtype=np.int32))]


def components_of(families: FamilyTable) -> list[Component]:
    """The groups of more than one variable, small ones first."""
    flat = families.flat()
    groups = [np.array(group, dtype=np.int32) for group in _core.strong_components(flat.lists) if len(group) > 1]
    return [Component(flat, group) for group in sorted(groups, key=len)]


def solve_apart(
    families: FamilyTable,
    run: Run,
    solve: Solve,
    rescue: Rescue,
    components: list[Component] | None = None,
) -> Found:
    """The network that the parts make, with the first reason why one of them is not proven to be the best.

    The parts are the strongly connected components, unless they are given.
    """
    flat = families.flat()
    if (np.diff(flat.starts) == 0).any():
        return INFEASIBLE
    if components is None:
        components = components_of(families)
    sizes = tuple(sorted(map(len, components), reverse=True))
    choice = flat.starts[:-1].copy()  # the best family, right for all variables that are alone
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
        start = run.clock.passed
        if is_stopped or run.clock.is_over:
            part = rescue(component, run)
            part.status = "stopped"
        else:
            part = solve(component, run, ledger, number)
            ledger.replay(number, start, part.trace)
            is_stopped = part.status == "interrupted" or (part.status == "stopped" and not run.clock.is_over)
            if part.choice is None and part.status != "infeasible":
                rescued = rescue(component, run)
                part.choice, part.score = rescued.choice, rescued.score
        if part.choice is None and part.status == "infeasible":
            return replace(INFEASIBLE, components=sizes, proofs=() if part.proof is None else (part.proof,))
        if part.choice is None:
            ledger.update(number, -math.inf, part.bound)
            return _empty_handed(sizes, ledger.bound, run.status_of(part.status))
        expanded, generated = expanded + part.expanded, generated + part.generated
        peak_bytes = max(peak_bytes, part.peak_bytes)
        ledger.update(number, part.score, part.bound)
        choice[component.members] = part.choice
        if part.proof is not None:
            proofs.append(part.proof)
        score, bound = ledger.part(number)
        if status == "optimal" and not (part.status == "optimal" or score == bound):
            status = run.status_of(part.status)
    total = math.fsum(flat.scores[choice].tolist())
    return Found(
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


def _empty_handed(sizes: tuple[int, ...], bound: float, status: Status) -> Found:
    return Found(choice=None, score=-math.inf, bound=bound, status=status, components=sizes)


INFEASIBLE = _empty_handed((), -math.inf, "infeasible")
