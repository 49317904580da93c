"""Branch and cut for one component: the tree, for any purpose of the search.

A node is a mask of active families. Its linear program is solved, its dual values give a bound, and violated
inequalities are added until they gain little; meanwhile families that cannot be in a network above the target are fixed
at 0. Then the node is closed, ended as a leaf, or split by a pair of variables: an arc one way, the other way, or none.
A `Policy` decides the target, the use of solutions and leaves, and the split.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from typing import NoReturn, Protocol

import numpy as np
from numpy.typing import NDArray

from credenet._run.ledger import Ledger
from credenet._run.run import Run
from credenet._run.status import CoreStatus
from credenet.search.components import Component
from credenet.search.ilp.constraints import Constraints
from credenet.search.ilp.cuts import Inequality
from credenet.search.ilp.linear_program import Mask, Solution
from credenet.search.ilp.multipliers import Multipliers
from credenet.search.ilp.node import CurrentNode, OpenNode
from credenet.search.ilp.proof import ProofNode, Relation
from credenet.search.ilp.relaxation import Relaxation
from credenet.search.ilp.tunables import (
    BYTES_OF_CHARGE,
    BYTES_OF_RECORD,
    ITERATIONS,
    LEAST_GAP,
    MORE_CUTS,
    NEARLY_WHOLE,
    POSITIVE,
    RAY_LENGTH,
    ROUNDS_BEFORE_POLISHING,
    SLOW_ROUNDS,
    SMALLER_ROUNDS,
)
from credenet.settings.methods import ILP

RELATIONS: tuple[Relation, ...] = (0, 1, 2)


class Policy(Protocol):
    """The purpose of a search, which decides what is done at its nodes.

    Attributes
    ----------
    inequalities
        Inequalities for the first linear program that are known to help.
    has_proof
        Whether the dual values of bounds are recorded. If not, any dual values may fix families, not only the best.
    """

    inequalities: Sequence[Inequality]
    has_proof: bool

    @property
    def target(self) -> float:
        """The score at or below which the bound of a node closes it."""

    @property
    def score(self) -> float:
        """The score of the incumbent; -inf if there is none."""

    @property
    def is_depth_first(self) -> bool:
        """Whether the deepest node is next, instead of the one with the largest bound."""

    def first_families(self, tree: Tree) -> Mask:
        """The families that are active at the root."""

    def begin(self, tree: Tree) -> None:
        """Prepares the search, before the root is processed."""

    def take(self, tree: Tree, x: NDArray[np.float64], *, polish: bool) -> None:
        """Uses a solution of the linear program to look for networks, with more effort if ``polish``."""

    def close(self, tree: Tree, node: CurrentNode, *, is_cut: bool) -> bool:
        """Ends a node if it is a leaf; False if it is none. ``is_cut`` says that no more cuts will be added."""

    def branch(self, tree: Tree, node: CurrentNode, x: NDArray[np.float64]) -> bool:
        """Splits a node; False if the node was made smaller instead."""


class StopError(Exception):
    """Ends a search before the whole tree was searched."""


class Tree:
    """The search of one component.

    Attributes
    ----------
    status
        ``optimal`` if the whole tree was searched, or what ended the search before.
    current
        The node in process when the search ended; None if no node was left.
    """

    def __init__(
        self,
        component: Component,
        policy: Policy,
        run: Run,
        *,
        ledger: Ledger | None = None,
        number: int = 0,
        settings: ILP | None = None,
        constraints: Constraints | None = None,
    ) -> None:
        self.component = component
        self.policy = policy
        self.run = run
        self.settings = settings or ILP()
        self.relaxation = Relaxation(component.flat, constraints)
        self.status: CoreStatus = "optimal"
        self.current: CurrentNode | OpenNode | None = None
        self.n_nodes = 0
        self.n_rounds = 0  # Rounds of cuts.
        self.peak_bytes = 0
        self.trace: list[tuple[float, float, float]] = []
        self._proof = ProofNode()
        self._proof_bytes = 0
        self._has_begun = False
        self._start = run.clock.seconds_passed
        self._ledger = ledger or Ledger(run.clock, 0.0, [component.bound])
        self._number = number
        self._callback = run.callback(self._ledger, number)
        self._is_stopped = False
        self._open: list[tuple[float, int, OpenNode]] = []
        self._n_opened = 0
        self._waiting_bytes = 0

    # This section is the whole search.

    def search(self) -> ProofNode:
        """Searches until the tree is empty or the search is stopped; returns the root of the proof."""
        try:
            if not self._has_begun:
                self._begin()
            self._go_on()
        except KeyboardInterrupt:
            self.status = "interrupted"
        except StopError:
            pass
        if isinstance(self.current, CurrentNode) and not self.current.is_recorded:
            self.record(self.current)
        return self._proof

    def resume(self, run: Run) -> None:
        """Prepares a search that a deadline stopped to continue within another run, with a new history."""
        self.run = run
        self._callback = run.callback(self._ledger, self._number)
        self._is_stopped = False
        self.status = "optimal"
        self.trace = []
        self._start = run.clock.seconds_passed

    def _begin(self) -> None:
        relaxation, cuts = self.relaxation, self.relaxation.cuts
        root = CurrentNode(self.policy.first_families(self), self.component.bound, self._proof, may_be_exact=True)
        self.current = root
        self.policy.begin(self)
        if not cuts.propagate(root.active):
            self.current, self._has_begun = None, True
            return
        rules = cuts.add_first_rules()
        relaxation.ascend(root, self.report)
        self.reduce(root)
        self.check()
        known = [cuts.add(one.kind, one.members, one.terms) for one in self.policy.inequalities]
        relaxation.start(root, [*rules, *known, *root.best.rows.tolist()])
        self.n_nodes = 1
        self._has_begun = True

    def _go_on(self) -> None:
        """Processes the interrupted node, if any, and then the open nodes."""
        if isinstance(self.current, CurrentNode):
            self._process(self.current)
        while self._open and -self._open[0][0] > self.policy.target:
            waiting = self.current = self._next_node()
            node = self.current = waiting.unpack(len(self.relaxation.flat.scores))
            self._waiting_bytes -= waiting.n_bytes
            self.relaxation.cuts.start_from(self.relaxation.lp, waiting.start)
            self.n_nodes += 1
            self._process(node)

    def _next_node(self) -> OpenNode:
        if not self.policy.is_depth_first:
            return heapq.heappop(self._open)[2]
        place = max(range(len(self._open)), key=lambda at: (self._open[at][2].depth, -self._open[at][0]))
        node = self._open.pop(place)[2]
        heapq.heapify(self._open)
        return node

    def push(self, node: CurrentNode, depth: int) -> None:
        """Adds a node to the open nodes."""
        self._n_opened += 1
        waiting = OpenNode.from_node(node, depth)
        self._waiting_bytes += waiting.n_bytes
        heapq.heappush(self._open, (-node.bound, self._n_opened, waiting))

    @property
    def bound(self) -> float:
        """A bound on the networks above the target."""
        bounds = [self.policy.score]
        if self._open:
            bounds.append(-self._open[0][0])
        if self.current is not None:
            bounds.append(self.current.bound)
        return max(bounds)

    # This section has limits and progress.

    def check(self) -> None:
        """Reports progress, and ends the search at a limit."""
        self.add_point()
        used = self.relaxation.n_bytes + self._waiting_bytes + self._proof_bytes
        self.peak_bytes = max(self.peak_bytes, used)
        if used > self.run.memory:
            self.stop("memory_limit")
        total = self.n_nodes + len(self._open) + 1
        if self._is_stopped or not self.report(self.n_nodes, total, self.policy.score, self.bound):
            self.stop("stopped")

    def stop(self, status: CoreStatus | None = None) -> NoReturn:
        """Ends the search; without a status its purpose is fulfilled."""
        if status is not None:
            self.status = status
        raise StopError

    def report(self, done: int, total: int, score: float, bound: float) -> bool:
        """The callback of long steps; once the user's callback has asked to stop, it answers False for good."""
        self._is_stopped = self._is_stopped or not self._callback(done, total, score, bound)
        return not self._is_stopped

    def prolong(self, seconds: float, run: Run) -> None:
        """Extends the deadline by ``seconds``, but not beyond that of the whole run."""
        self.run = self.run.prolong(seconds, run)
        self._callback = self.run.callback(self._ledger, self._number)

    def add_point(self) -> None:
        """Appends score and bound to the history."""
        point = (self.run.clock.seconds_passed - self._start, self.policy.score, self.bound)
        if not self.trace or self.trace[-1][1:] != point[1:]:
            self.trace.append(point)

    # This section processes one node.

    def _process(self, node: CurrentNode) -> None:
        """Adds cuts until they gain little, then ends or splits the node."""
        is_root = self.n_nodes == 1
        max_rounds = self.settings.max_rounds if is_root else -(-self.settings.max_rounds // SMALLER_ROUNDS)
        while not self.is_closed(node):
            solution = self._cut(node, max_rounds)
            if self.is_closed(node) or self.policy.close(self, node, is_cut=True):
                break
            if is_root and self.relaxation.compact(node):
                continue
            if self.policy.branch(self, node, solution.x):
                break
        if not node.is_recorded:
            self.record(node)
        self.current = None

    def is_closed(self, node: CurrentNode) -> bool:
        """Whether no network of the node is above the target."""
        return node.bound <= self.policy.target

    def _cut(self, node: CurrentNode, max_rounds: int) -> Solution:
        """Solves and adds cuts in turn; returns the last solution, when no cut is found or cuts gain too little."""
        slow, since = 0, node.bound
        for count in range(max_rounds):
            solution = self._solve(node)
            self.check()
            if self.is_closed(node):
                return solution
            self.policy.take(self, solution.x, polish=count % ROUNDS_BEFORE_POLISHING == 0)
            self.reduce(node)
            if self.is_closed(node) or self.policy.close(self, node, is_cut=False):
                return solution
            self.relaxation.drop_columns(node)
            gained, gap = since - node.bound, max(node.bound - self.policy.target, LEAST_GAP)
            is_slow = gained < self.settings.least_gain * gap and not self._is_nearly_whole(solution.x)
            slow = slow + 1 if is_slow else 0
            since = min(since, node.bound) if slow else node.bound
            needs_more = gained < MORE_CUTS * self.settings.least_gain * gap
            if slow >= SLOW_ROUNDS or not self._separate(node, solution.x, is_slow=needs_more):
                return solution
        return solution

    def _is_nearly_whole(self, x: NDArray[np.float64]) -> bool:
        """Whether most variables use one family; such a solution has cycles, so cuts help more than splits."""
        return bool(np.count_nonzero(x > 1 - POSITIVE) >= NEARLY_WHOLE * self.relaxation.n_variables)

    def _solve(self, node: CurrentNode) -> Solution:
        """Solves the linear program, with all columns that it needs, and bounds the node."""
        lp = self.relaxation.lp
        lp.set_active(node.active)
        while True:
            solution = lp.solve(ITERATIONS)
            missing = self._bound(node, solution)
            if not solution.is_finished and not self.is_closed(node):
                self.check()
                continue
            if missing.size == 0 or self.is_closed(node):
                break
            lp.add_columns(missing)
        self.relaxation.cuts.age(lp)
        return solution

    def _separate(self, node: CurrentNode, x: NDArray[np.float64], *, is_slow: bool) -> bool:
        """Adds violated inequalities; whether there were any. A node tries the costly search until it fails once."""
        self.n_rounds += 1
        found = self.relaxation.cuts.separate(self.relaxation.lp, x, is_slow=is_slow, exactly=node.may_be_exact)
        node.may_be_exact = node.may_be_exact and found
        return found

    def _bound(self, node: CurrentNode, solution: Solution) -> NDArray[np.int64]:
        """Updates the node's bound from dual values; returns the families that the linear program lacks."""
        multipliers = solution.multipliers
        if solution.is_ray:
            largest = float(multipliers.values.max(initial=0.0))
            if largest > 0:
                multipliers = Multipliers(multipliers.rows, multipliers.values * (RAY_LENGTH / largest))
        bound, reduced_costs = self.relaxation.bound(multipliers, node.active)
        if bound < node.bound:
            node.bound, node.best, node.is_recorded = bound, multipliers, False
        missing = self.relaxation.missing_columns(reduced_costs)
        if not self.policy.has_proof and not solution.is_ray and not self.is_closed(node):
            if len(node.best.rows) == 0:  # The node has no dual values yet, so these are its best ones.
                node.best = multipliers
            self.relaxation.fix(node, (node.active > 0) & (bound - reduced_costs <= self.policy.target))
        return missing

    def reduce(self, node: CurrentNode) -> None:
        """Reduced-cost fixing: fixes families at 0 that no network above the target has."""
        bound, reduced_costs = self.relaxation.bound(node.best, node.active)
        gone = (node.active > 0) & (bound - reduced_costs <= self.policy.target)
        if gone.any():
            self.record(node)
            self.relaxation.fix(node, gone)

    def record(self, node: CurrentNode) -> None:
        """Adds the dual values of the best bound to the proof, if one is kept."""
        node.is_recorded = True
        if self.policy.has_proof:
            node.proof.charges.append(node.best)
            self._proof_bytes += BYTES_OF_RECORD + BYTES_OF_CHARGE * len(node.best.rows)

    # This section makes children.

    def try_pair(self, node: CurrentNode, pair: tuple[int, int]) -> list[tuple[Relation, CurrentNode]]:
        """The three children of a pair, each bounded by a few steps of the simplex method."""
        lp = self.relaxation.lp
        children: list[tuple[Relation, CurrentNode]] = []
        basis = lp.basis()
        for relation in RELATIONS:
            child = CurrentNode(node.active.copy(), node.bound, ProofNode())
            if self.restrict(child.active, pair, relation):
                if relation:
                    lp.restore(basis)
                lp.set_active(child.active)
                self._bound(child, lp.solve(self.settings.trial_iterations))
                child.basis = lp.basis()
                self.record(child)
            else:
                child.bound = -math.inf
            children.append((relation, child))
        lp.set_active(node.active)
        lp.restore(basis)
        self.check()
        return children

    def restrict(self, active: Mask, pair: tuple[int, int], relation: Relation) -> bool:
        """Keeps only families that agree with the relation of a pair; False if no network is left."""
        self.relaxation.cuts.rows.restrict_pair(*pair, relation, active)
        return self.relaxation.cuts.propagate(active)
