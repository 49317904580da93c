"""Credible networks of a component that is too large for a table of all its subsets: a tree of smaller problems.

The tree is that of branch and cut, but with the least score of a credible network as the score to beat, so that every
family dies that is in no credible network of a node. If the bound is so close that the networks can be listed with
little search (`_core.FamilyRows.choices`), or if the living families make small components only, a node is a
leaf. Else arcs are probed: what bounds a node once an arc is there, or is not, may show that it cannot be otherwise;
and if that is not enough, the node is split by a pair of variables into an arc one way, the other way, or none. So the
leaves share no network, and together have all.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._run.clock import Clock
from credenet._run.ledger import Ledger
from credenet._run.run import Run
from credenet._run.status import Status
from credenet.credible.engine.group_listing import Group
from credenet.credible.engine.leaf_listing import LeafListing, Listed
from credenet.search.components import Component
from credenet.search.ilp.branch_and_cut import BranchAndCut, Node, Step, StopError
from credenet.search.ilp.cuts import Inequality
from credenet.search.ilp.leaves import Groups, groups_of
from credenet.search.ilp.linear_program import LinearProgram, Mask, Solution
from credenet.search.ilp.multipliers import NO_MULTIPLIERS
from credenet.search.ilp.proof import ProofNode, Relation
from credenet.search.methods import ILP

_RELATIONS: tuple[Relation, ...] = (0, 1, 2)
_LARGEST_TABLE = 26
_TRIALS = 6  # pairs that are tried before one of them splits a node
_PATIENCE = 20  # trials in a row that show nothing
WORK = 10_000_000  # families looked at in vain for the networks of a node, about as long as a linear program takes
_BLOCK = 1 << 14  # networks that are written at once
_MUCH = 0.9  # of the families, if more than this are left nothing more is tried


class CredibleTree(BranchAndCut):
    """The leaves of one component.

    Parameters
    ----------
    least
        Networks that score less are of no interest.
    inequalities
        Those that were of use in finding the optimum.
    largest
        The most variables of a component of a leaf that is listed by tables.
    leaves
        Takes the networks. Listing those of a node has its own limits of time, as it is known to be of use.
    """

    def __init__(
        self,
        component: Component,
        run: Run,
        *,
        least: float,
        inequalities: Iterable[Inequality],
        largest: int,
        leaves: LeafListing | None = None,
    ) -> None:
        self._ledger = Ledger(run.clock, 0.0, [component.bound])
        method = ILP(subset_variables=min(largest, _LARGEST_TABLE))
        super().__init__(component, run, self._ledger, 0, method)
        self._least = least
        self._inequalities = tuple(inequalities)
        self._largest = largest
        self._leaves = leaves
        self.was_stopped = False  # by the user, or as the time for listing is up; not as that of the tree is

    @property
    def inequalities(self) -> list[Inequality]:
        """Those that the linear program ended with."""
        if self.n_nodes == 0:  # it was stopped before there was one
            return list(self._inequalities)
        return [one for number in self._lp.numbers if isinstance(one := self._cuts.inequalities[number], Inequality)]

    @property
    def n_nodes(self) -> int:
        return self._tally.nodes

    @property
    def _target(self) -> float:
        return self._least if self._leaves is None else self._leaves.least

    def reduced(self) -> NDArray[np.bool_]:
        """The families of the component that may be in credible networks, by the bounds of the first node alone."""
        assert self._leaves is None
        self._explore()
        keep = np.zeros(len(self._component.flat.scores), dtype=np.bool_)
        if isinstance(self._current, Step):
            keep[self._places[self._current.alive > 0]] = True
        return keep

    def explore(self) -> Status:
        """Goes through all leaves, those with the best networks first; how that ended."""
        self._explore()
        return self.status

    @property
    def status(self) -> Status:
        return "complete" if self._status == "optimal" else self._status

    def _explore(self) -> None:
        try:
            self._search(ProofNode())
        except KeyboardInterrupt:
            self.was_stopped = True
            self._status = "stopped"
        except StopError:
            self.was_stopped = self.was_stopped or (self._status == "stopped" and not self._run.clock.is_over)

    def _search(self, proof: ProofNode) -> None:
        first = Step(np.ones(len(self._flat.scores), dtype=np.uint8), self._component.bound, proof, may_be_exact=True)
        self._current = first
        if not self._cuts.propagate(first.alive):
            return
        self._ascend(first)
        known = [self._cuts.add(one.kind, list(one.members)) for one in self._inequalities]
        self._lp = LinearProgram(self._cuts.rows, self._flat, self._first_columns(first))
        self._lp.add_rows(sorted({*first.best.rows.tolist(), *known}))
        self._work(first)
        self._go_through()

    def _round(self, x: NDArray[np.float64], *, polish: bool) -> None:
        """The best network is known."""

    def _note(self, step: Step) -> None:
        """There is no proof to be written."""
        step.is_recorded = True

    def _judge(self, step: Step, solution: Solution) -> NDArray[np.int64]:
        missing = super()._judge(step, solution)
        multipliers = solution.multipliers
        if not solution.is_ray and not self._is_closed(step):
            if len(step.best.rows) == 0:  # as good as the bound that was known before
                step.best = multipliers
            bound, losses = self._cuts.rows.bound(multipliers.rows, multipliers.values, step.alive)
            self._kill(step, (step.alive > 0) & (bound - losses <= self._target))
        return missing

    def _kill(self, step: Step, dying: NDArray[np.bool_]) -> None:
        if dying.any():
            step.alive[dying] = 0
            step.groups = None
            if not self._cuts.propagate(step.alive):
                step.bound = -math.inf

    def _groups(self, step: Step) -> Groups:
        if step.groups is None:
            step.groups = groups_of(self._flat, step.alive)
        return step.groups

    def _is_exhausted(self, step: Step, *, is_cut: bool) -> bool:
        is_small = self._groups(step).largest <= self._most_by_subsets(is_cut=is_cut)
        if self._leaves is None:
            if is_small:
                raise StopError
            return False
        since = self._run.clock.passed
        if is_cut and self._is_listed(step):
            self._allow(self._run.clock.passed - since)
            return True
        if not is_small:
            return False
        self._end(step, goes_on=self._leaves.add(self._places[self._groups(step).places]))
        return True

    def _allow(self, seconds: float) -> None:
        """What was spent on listing does not count, up to the limit of that."""
        assert self._leaves is not None
        clock = self._run.clock
        if clock.time_limit is not None:
            clock = Clock(min(clock.time_limit + seconds, self._leaves.time_limit), clock.start)
            self._run = replace(self._run, clock=clock)
            self._callback = self._run.callback(self._ledger)

    def _end(self, step: Step, *, goes_on: bool) -> None:
        self._tally.leaves += 1
        if not goes_on:
            self._status = "stopped"
            raise StopError
        step.bound = -math.inf

    def _is_listed(self, step: Step) -> bool:
        """Whether the networks of a node were listed, as that took little search."""
        assert self._leaves is not None
        groups = sorted(self._groups(step).several, key=len)
        if groups and len(groups[-1]) > _core.most_choosers:
            return False
        alone = np.ones(len(self._component), dtype=np.bool_)
        for group in groups:
            alone[group] = False
        numbers = self._numbers()
        several = [self._alone(step, member, numbers) for member in np.flatnonzero(alone).tolist()]
        status = "complete"
        for group in groups:
            taken = sum(listed.positions.nbytes + listed.deviations.nbytes for listed in several)
            status, listed = self._choices(step, group, numbers, taken)
            if status == "too_long":
                return False
            several.append(listed)
            if status != "complete":
                break
        if status == "complete" or len(several) == len(groups) + np.count_nonzero(alone):
            self._end(step, goes_on=self._leaves.add_listed(several))
        if status == "interrupted":
            raise KeyboardInterrupt
        if status != "complete":
            self.was_stopped = status == "stopped"
            self._status = "memory_limit" if status == "memory_limit" else "stopped"
            raise StopError
        return True

    def _choices(self, step: Step, group: Group, numbers: NDArray[np.uint16], taken: int) -> tuple[str, Listed]:
        """The networks of a group, all that can be part of a credible one; groups before it take so many bytes."""
        assert self._leaves is not None
        bound, _ = self._cuts.rows.bound(step.best.rows, step.best.values, step.alive)
        if not math.isfinite(bound):  # a row of the multipliers is no longer kept
            step.best = NO_MULTIPLIERS
            bound, _ = self._cuts.rows.bound(step.best.rows, step.best.values, step.alive)
        deviations = self._leaves.deviations[self._places]
        while True:
            asked, has_room = bound - self._target, self._leaves.has_room
            memory = max(int(self._leaves.memory - taken), 1)
            status, positions, sums, budget, n_steps = self._cuts.rows.choices(
                *step.best, step.alive, group, deviations, asked, WORK, memory, self._leaves.callback()
            )
            self._leaves.expanded += n_steps
            if budget == asked or status == "too_long":
                break
            if has_room or self._leaves.most == 0 or status not in ("complete", "memory_limit"):
                self._leaves.narrow_by(asked - budget)
                break
            self._leaves.narrow_to_half()  # leaves before it have taken nearly all
        several = positions.reshape(-1, len(group))
        for start in range(0, len(several), _BLOCK):
            rows = slice(start, start + _BLOCK)
            several[rows] = numbers[self._flat.starts[group] + several[rows]]
        return status, Listed(group, several, sums)

    def _alone(self, step: Step, member: int, numbers: NDArray[np.uint16]) -> Listed:
        """The living families of a variable that is a component by itself."""
        assert self._leaves is not None
        first, end = self._flat.starts[member : member + 2]
        living = np.flatnonzero(step.alive[first:end])
        deviations = self._leaves.deviations[self._places[first:end]]
        return Listed(np.array([member], dtype=np.int32), numbers[first:end][living, None], deviations[living])

    def _numbers(self) -> NDArray[np.uint16]:
        """Where the families that are still of interest stand in the lists of all families."""
        starts = np.repeat(self._component.flat.starts[:-1], np.diff(self._flat.starts))
        numbers: NDArray[np.uint16] = (self._places - starts).astype(np.uint16)
        return numbers

    def _open_pairs(self, step: Step) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Only pairs in groups that are too large."""
        n = len(self._component)
        pairs, counts = super()._open_pairs(step)
        group = np.full(n, -1)
        for number, members in enumerate(self._groups(step).several):
            if len(members) > self._largest:
                group[members] = number
        inside = (group[pairs // n] >= 0) & (group[pairs // n] == group[pairs % n])
        return pairs[inside], counts[inside]

    def _split(self, step: Step, solution: Solution) -> bool:
        """Splits the node by a pair of variables; False if trying pairs has shown arcs to be impossible."""
        slack = np.flatnonzero(self._lp.slack_rows()).tolist()
        if 2 * len(slack) > len(self._lp):  # they are looked at in every round
            self._lp.drop_rows(slack)
        if self._leaves is None:
            if not self._probed(step):
                raise StopError
            return False
        n_before = np.count_nonzero(step.alive)
        best: tuple[float, list[Step]] | None = None
        for pair in self._candidates(step, solution.x):
            children = self._learnt(step, pair)
            if self._is_closed(step):
                return False
            effort = math.fsum(self._effort(child.alive) for child in children)
            if best is None or effort < best[0]:
                best = effort, children
        if best is None or np.count_nonzero(step.alive) < _MUCH * n_before:
            return False
        for child in best[1]:
            child.alive &= step.alive
            if not self._cuts.propagate(child.alive):
                continue
            self._next_number += 1
            node = Node(child.bound, np.packbits(child.alive), child.proof, step.depth + 1)
            heapq.heappush(self._open, (-node.bound, self._next_number, node))
        return True

    def _probed(self, step: Step) -> bool:
        """Whether trying pairs, those first of which an arc is nearly impossible, has made the node smaller by much."""
        n, n_before = len(self._component), np.count_nonzero(step.alive)
        fruitless = 0
        for pair in self._pairs_by_loss(step):
            n_alive = np.count_nonzero(step.alive)
            self._learnt(step, (pair // n, pair % n))
            fruitless = 0 if np.count_nonzero(step.alive) < n_alive else fruitless + 1
            if self._is_closed(step) or fruitless >= _PATIENCE:
                break
        return bool(np.count_nonzero(step.alive) < _MUCH * n_before)

    def _pairs_by_loss(self, step: Step) -> list[int]:
        """Open pairs, those first one of whose arcs loses most, by the best of the families that have it."""
        n = len(self._component)
        _, losses = self._cuts.rows.bound(step.best.rows, step.best.values, step.alive)
        families = np.flatnonzero(step.alive)
        tails, heads, sizes = self._arcs(families)
        least = np.full((n, n), np.inf)
        np.minimum.at(least, (tails, heads), np.repeat(losses[families], sizes))
        least[np.isinf(least)] = -1.0  # there is no such arc
        pairs, _ = self._open_pairs(step)
        larger = np.maximum(least[pairs // n, pairs % n], least[pairs % n, pairs // n])
        several: list[int] = pairs[np.argsort(-larger, kind="stable")].tolist()
        return several

    def _learnt(self, step: Step, pair: tuple[int, int]) -> list[Step]:
        """The children of a pair that are of interest; arcs that none of these has are none of the node's."""
        basis = self._lp.basis()
        children = self._tried(step, pair)
        self._lp.set_alive(step.alive)
        self._lp.restore(basis)
        self._go_on()
        living = [child for _, child in children if not self._is_closed(child)]
        alive = np.zeros(len(step.alive), dtype=np.bool_)
        for child in living:
            alive |= child.alive > 0
        self._kill(step, (step.alive > 0) & ~alive)
        if not living:
            step.bound = -math.inf
        return living

    def _candidates(self, step: Step, x: NDArray[np.float64]) -> list[tuple[int, int]]:
        """Pairs to be tried: those that the solution leaves open, or else those that divide groups best."""
        if ((x > 1e-6) & (x < 1 - 1e-6)).any():
            pairs = self._undecided(step, x)
            if pairs:
                return pairs
        n = len(self._component)
        several = [(pair // n, pair % n) for pair in self._open_pairs(step)[0].tolist()]
        return sorted(several, key=lambda pair: self._effort_of_pair(step.alive, pair))[:_TRIALS]

    def _effort_of_pair(self, alive: Mask, pair: tuple[int, int]) -> float:
        effort = 0.0
        for relation in _RELATIONS:
            child = alive.copy()
            self._cuts.rows.restrict_pair(*pair, relation, child)
            if self._cuts.propagate(child):
                effort += self._effort(child)
        return effort

    def _effort(self, alive: Mask) -> float:
        """About how much work the living families are, in no particular unit."""
        return math.fsum(2.0 ** (len(members) / 3) for members in self._cuts.rows.components(alive))
