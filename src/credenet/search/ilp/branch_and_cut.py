"""Exact learning of one component by branch and cut on a linear program over families.

A node of the tree is a mask of living families. Its linear program is solved, bounded from its multipliers, rounded to
a network, and cut off by violated inequalities, until nothing is gained any more; families that lose too much die on
the way. Where the living families make small components only, dynamic programming ends the node; else it is
split by a pair of variables: an arc one way, the other way, or none. The pair is chosen by trying the few that are
least decided. The node with the largest bound is next.

Under knowledge of whole networks (`Constraints`) only networks that obey it are taken, no group of variables is settled
by itself, and a node ends at the latest when a single network is left. As long as none is known, the deepest node is
next.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from credenet import _core
from credenet._run.ledger import Ledger
from credenet._run.run import Run
from credenet._run.status import Status
from credenet.families.arrays import FlatFamilies
from credenet.families.tolerance import tolerance
from credenet.search.components import Component, Part, Solve
from credenet.search.ilp.constraints import Constraints
from credenet.search.ilp.cuts import Cuts
from credenet.search.ilp.leaves import Groups, best_by_subsets, groups_of, only_network
from credenet.search.ilp.linear_program import LinearProgram, Mask, Solution
from credenet.search.ilp.multipliers import NO_MULTIPLIERS, Multipliers
from credenet.search.ilp.pairs import Pairs
from credenet.search.ilp.proof import Proof, ProofNode, Relation
from credenet.search.methods import ILP

_MANY_COLUMNS = 20_000  # families, above which the linear program starts with some of them
_FIRST_COLUMNS = 12  # of each variable then
_ITERATIONS = 500  # of the simplex method between looks at the clock
_POLISHING = 10  # iterations of the search over orders from a rounded solution now and then
_SMALL_GROUP = 16  # variables, for which dynamic programming takes a moment


@dataclass(slots=True)
class Node:
    bound: float
    alive: NDArray[np.uint8]  # packed bits
    proof: ProofNode
    depth: int = 0


@dataclass(slots=True)
class Step:
    """The state of the node being worked on."""

    alive: Mask
    bound: float
    proof: ProofNode
    best: Multipliers = NO_MULTIPLIERS
    is_recorded: bool = True
    groups: Groups | None = None
    depth: int = 0
    may_be_exact: bool = False  # whether clusters are sought by all means if need be


class StopError(Exception):
    """Time or memory is over."""


@dataclass(slots=True)
class _Tally:
    nodes: int = 0
    rounds: int = 0
    leaves: int = 0
    proof_bytes: int = 0
    peak_bytes: int = 0
    trace: list[tuple[float, float, float]] = field(default_factory=list)


def solve_ilp(method: ILP, constraints: Constraints | None = None) -> Solve:
    """The search of one component by branch and cut; with constraints that is all variables."""

    def solve(component: Component, run: Run, ledger: Ledger, number: int) -> Part:
        return BranchAndCut(component, run, ledger, number, method, constraints).run()

    return solve


def _below_all(flat: FlatFamilies) -> float:
    """What every network scores more than."""
    worst = math.fsum(np.minimum.reduceat(flat.scores, flat.starts[:-1]).tolist())
    return worst - 1 - 1e-9 * abs(worst)


class BranchAndCut:
    def __init__(
        self,
        component: Component,
        run: Run,
        ledger: Ledger,
        number: int,
        method: ILP,
        constraints: Constraints | None = None,
    ) -> None:
        self._component = component
        self._constraints = constraints
        self._flat: FlatFamilies = component.flat  # those that are still of interest
        self._places = np.arange(len(self._flat.scores))  # of these among all
        self._run = run
        self._method = method
        self._callback = run.callback(ledger, number)
        self._is_stopped = False
        self._start = run.clock.passed
        self._cuts = Cuts(self._flat, constraints)
        self._children = self._flat.children
        self._pairs = Pairs(self._flat)
        self._choice: list[int] | None = None  # positions in each variable's list of the component
        self._score = -math.inf
        self._worst = _below_all(self._flat)
        self._open: list[tuple[float, int, Node]] = []
        self._current: Node | Step | None = None
        self._tally = _Tally()
        self._status: Status = "optimal"
        self._interrupted = False
        self._lp: LinearProgram
        self._next_number = 0

    # The whole search.

    def run(self) -> Part:
        root = ProofNode()
        try:
            self._search(root)
        except KeyboardInterrupt:
            self._interrupted = True
            self._status = "stopped"
        except StopError:
            pass
        if isinstance(self._current, Step) and not self._current.is_recorded:
            self._note(self._current)
        bound = self._bound()
        if self._choice is None and self._status == "optimal":
            self._status, bound = "infeasible", -math.inf
        elif bound <= self._target:
            bound = self._score
        self._record()
        proof = Proof(self._target, tuple(self._component.members.tolist()), tuple(self._cuts.inequalities), root)
        return Part(
            choice=None if self._choice is None else self._component.from_flat(self._choice),
            score=self._score,
            bound=bound,
            status=self._status,
            expanded=self._tally.nodes,
            generated=len(self._cuts.inequalities),
            peak_bytes=self._tally.peak_bytes,
            interrupted=self._interrupted,
            trace=self._tally.trace,
            proof=proof,
        )

    def _search(self, proof: ProofNode) -> None:
        alive = self._cuts.first_alive()
        first = Step(alive, self._component.bound, proof, may_be_exact=True)
        self._current = first
        self._find_network()
        if not self._cuts.propagate(alive):
            self._current = None
            return
        rules = self._cuts.add_first_rules()
        self._ascend(first)
        self._lp = LinearProgram(self._cuts.rows, self._flat, self._first_columns(first))
        self._lp.add_rows(sorted({*rules, *first.best.rows.tolist()}))
        self._work(first)
        self._go_through()

    def _go_through(self) -> None:
        """Works on the nodes that are left, the one with the largest bound first."""
        while self._open and -self._open[0][0] > self._target:
            node = self._next_node()
            self._current = node
            alive = np.unpackbits(node.alive, count=len(self._flat.scores))
            step = Step(alive, node.bound, node.proof, depth=node.depth)
            self._current = step
            self._work(step)

    def _next_node(self) -> Node:
        """The one with the largest bound, but the deepest as long as no network is known."""
        if self._choice is not None:
            return heapq.heappop(self._open)[2]
        place = max(range(len(self._open)), key=lambda at: (self._open[at][2].depth, -self._open[at][0]))
        node = self._open.pop(place)[2]
        heapq.heapify(self._open)
        return node

    @property
    def _target(self) -> float:
        """Networks that score no better are of no interest."""
        return self._worst if self._choice is None else self._score + tolerance(self._score) / 2

    def _bound(self) -> float:
        bounds = [self._score]
        if self._open:
            bounds.append(-self._open[0][0])
        if self._current is not None:
            bounds.append(self._current.bound)
        return max(bounds)

    # Limits and what is told about the search.

    def _go_on(self) -> None:
        """Tells where the search is, and leaves it if it should end."""
        self._record()
        used = self._memory()
        self._tally.peak_bytes = max(self._tally.peak_bytes, used)
        if used > self._run.memory:
            self._status = "memory_limit"
            raise StopError
        done = self._tally.nodes
        if self._is_stopped or not self._report(done, done + len(self._open) + 1, self._score, self._bound()):
            self._status = "stopped"
            raise StopError

    def _report(self, done: int, total: int, score: float, bound: float) -> bool:
        """The callback of everything that takes long; once it has said stop, that is remembered."""
        self._is_stopped = self._is_stopped or not self._callback(done, total, score, bound)
        return not self._is_stopped

    def _memory(self) -> int:
        packed = (len(self._flat.scores) + 7) // 8
        solver = 200 * len(self._flat.scores) + 3 * self._cuts.rows.bytes
        return solver + (packed + 400) * len(self._open) + self._tally.proof_bytes

    def _record(self) -> None:
        point = (self._run.clock.passed - self._start, self._score, self._bound())
        trace = self._tally.trace
        if not trace or trace[-1][1:] != point[1:]:
            trace.append(point)

    # Networks.

    def _offer(self, positions: list[int]) -> None:
        """Takes a network, by positions in the lists, if it is the best so far."""
        if positions:
            self._offer_families(self._flat.starts[:-1] + np.array(positions, dtype=np.int64))

    def _offer_families(self, families: NDArray[np.int64]) -> None:
        score = math.fsum(self._flat.scores[families].tolist())
        if score > self._score and (self._constraints is None or self._constraints.obeys(self._flat, families)):
            self._score = score
            self._choice = (self._places[families] - self._component.flat.starts[:-1]).tolist()

    def _find_network(self) -> None:
        """By a search over orders before all else."""
        n = len(self._component)
        end = self._run.clock.passed + 0.2 * self._run.clock.left

        def report(done: int, total: int, score: float, bound: float) -> bool:
            return self._report(done, total, score, bound) and self._run.clock.passed < end

        outcome = _core.order_search(
            *self._flat,
            np.empty(0, dtype=np.int32),
            self._run.seed,
            min(max(15_000 // n, 40), 200) if self._method.order_iterations is None else self._method.order_iterations,
            4,
            self._run.n_threads,
            report,
        )
        self._offer(outcome.families)
        if outcome.interrupted:
            raise KeyboardInterrupt
        self._go_on()

    def _round(self, x: NDArray[np.float64], *, polish: bool) -> None:
        if self._constraints is not None:
            self._round_within(x)
            return
        before = self._score
        for positions in (self._cuts.rows.rounded(x), self._cuts.rows.rounded_by_sinks(x)):
            self._offer(positions)
            if positions and (polish or self._score > before):
                start = np.array(positions, dtype=np.int32)
                iterations = _POLISHING if polish else 1
                outcome = _core.order_search(*self._flat, start, self._tally.rounds, iterations, 1, 1, self._report)
                self._offer(outcome.families)
                if outcome.interrupted:
                    raise KeyboardInterrupt

    def _round_within(self, x: NDArray[np.float64]) -> None:
        """Networks of families that the solution uses: the best in an order seldom obey the knowledge."""
        places = np.flatnonzero(x > 1e-6)
        used = self._flat.kept(x > 1e-6)
        if (np.diff(used.starts) == 0).any():
            return
        rows = _core.FamilyRows(*used)
        for positions in (rows.rounded(x[places]), rows.rounded_by_sinks(x[places])):
            if positions:
                self._offer_families(places[used.starts[:-1] + np.array(positions, dtype=np.int64)])

    # Work on one node.

    def _work(self, step: Step) -> None:
        """Cuts until nothing is gained, then ends or splits the node."""
        self._tally.nodes += 1
        self._current = step
        is_root = self._tally.nodes == 1
        while not self._is_closed(step):
            solution = self._cut(step, self._method.max_rounds if is_root else (self._method.max_rounds + 19) // 20)
            if self._is_closed(step) or self._is_exhausted(step, is_cut=True):
                break
            if is_root and self._compacted(step):
                continue
            if self._split(step, solution):
                break
        if not step.is_recorded:
            self._note(step)
        self._current = None

    def _is_closed(self, step: Step) -> bool:
        return step.bound <= self._target

    def _cut(self, step: Step, max_rounds: int) -> Solution:
        """Solves and cuts; the last solution, which no cut was found for, or too few that help."""
        slow, since = 0, step.bound
        for count in range(max_rounds):
            solution = self._solve(step)
            self._go_on()
            if self._is_closed(step):
                return solution
            self._round(solution.x, polish=count % 10 == 0)
            self._reduce(step)
            if self._is_closed(step) or self._is_exhausted(step, is_cut=False):
                return solution
            gained, gap = since - step.bound, max(step.bound - self._target, 1e-12)
            slow = slow + 1 if gained < self._method.least_gain * gap else 0
            since = min(since, step.bound) if slow else step.bound
            if slow >= 5:
                return solution
            if not self._separated(step, solution.x):
                return solution
        return solution

    def _solve(self, step: Step) -> Solution:
        """Solves the linear program, with all columns that it needs, and bounds the node."""
        self._lp.set_alive(step.alive)
        while True:
            solution = self._lp.solve(_ITERATIONS)
            missing = self._judge(step, solution)
            if not solution.is_finished and not self._is_closed(step):
                self._go_on()
                continue
            if missing.size == 0 or self._is_closed(step):
                break
            self._lp.add_columns(missing)
        self._cuts.age(self._lp)
        return solution

    def _separated(self, step: Step, x: NDArray[np.float64]) -> bool:
        """Whether violated inequalities were added; the costly search for them is left to the root, until it fails."""
        self._tally.rounds += 1
        found = self._cuts.separate(self._lp, x, exactly=step.may_be_exact)
        step.may_be_exact = step.may_be_exact and found
        return found

    def _judge(self, step: Step, solution: Solution) -> NDArray[np.int64]:
        """Takes the bound that the multipliers prove; families that the linear program lacks."""
        multipliers = solution.multipliers
        if solution.is_ray:  # along a ray the bound falls without end
            largest = float(multipliers.values.max(initial=0.0))
            if largest > 0:
                multipliers = Multipliers(multipliers.rows, multipliers.values * (1e7 / largest))
        bound, losses = self._cuts.rows.bound(multipliers.rows, multipliers.values, step.alive)
        if bound < step.bound:
            step.bound, step.best, step.is_recorded = bound, multipliers, False
        inside = np.where(self._lp.has_column(), losses, np.inf)
        least = np.minimum.reduceat(inside, self._flat.starts[:-1])
        missing = np.flatnonzero(losses < np.minimum(least[self._children], 1e300) - 1e-9)
        missing = missing[~self._lp.has_column()[missing]]
        if len(missing) > 5000:
            missing = np.sort(missing[np.argsort(losses[missing], kind="stable")[:5000]])
        return missing

    def _reduce(self, step: Step) -> None:
        """Lets families die that no better network of this node has."""
        bound, losses = self._cuts.rows.bound(step.best.rows, step.best.values, step.alive)
        dying = (step.alive > 0) & (bound - losses <= self._target)
        if not dying.any():
            return
        self._note(step)
        step.alive[dying] = 0
        if not self._cuts.propagate(step.alive):
            step.bound = -math.inf
        step.groups = None

    def _note(self, step: Step) -> None:
        """Writes the multipliers of the best bound into the proof."""
        step.is_recorded = True
        step.proof.charges.append(step.best)
        self._tally.proof_bytes += 300 + 12 * len(step.best.rows)

    def _most_by_subsets(self, *, is_cut: bool) -> int:
        """How large a component may be where a node is ended; larger once cuts are of no more use."""
        most = self._method.subset_variables
        return max(most if is_cut else min(_SMALL_GROUP, most), 1)

    def _is_exhausted(self, step: Step, *, is_cut: bool) -> bool:
        """Whether dynamic programming ended the node, or under constraints that a single network is left."""
        if self._constraints is not None:
            families = only_network(self._flat, step.alive)
            if families is not None:
                self._offer_families(families)
                self._exhaust(step)
            return families is not None
        if step.groups is None:
            step.groups = groups_of(self._flat, step.alive)
        if step.groups.largest > self._most_by_subsets(is_cut=is_cut):
            return False
        self._tally.leaves += 1
        leaf = best_by_subsets(step.groups, self._report, self._run.n_threads)
        if leaf is not None:
            self._offer_families(leaf.families)
            if leaf.interrupted:
                raise KeyboardInterrupt
            if not leaf.is_finished:
                self._status = "stopped"
                raise StopError
        self._exhaust(step)
        return True

    def _exhaust(self, step: Step) -> None:
        step.proof.is_exhausted = True
        step.bound = -math.inf

    # Rows and columns of the linear program.

    def _first_columns(self, step: Step) -> NDArray[np.int64]:
        living = np.flatnonzero(step.alive)
        if len(living) <= _MANY_COLUMNS:
            return living
        _, losses = self._cuts.rows.bound(step.best.rows, step.best.values, step.alive)
        order = np.lexsort((losses, self._children))
        rank = np.arange(len(order)) - self._flat.starts[self._children[order]]
        wanted = step.alive > 0
        wanted[order[rank >= _FIRST_COLUMNS]] = False
        return np.flatnonzero(wanted & (step.alive > 0))

    def _ascend(self, step: Step) -> None:
        """Clusters with multipliers one after the other, which are a start, and sometimes all that is needed."""
        _, losses = self._cuts.rows.bound(*NO_MULTIPLIERS, step.alive)
        limit = 20 * len(self._component) + 100
        cuts, values, interrupted = self._cuts.rows.dual_ascent(step.alive, losses, limit, self._report)
        if interrupted:
            raise KeyboardInterrupt
        sums: dict[int, float] = {}
        for (kind, members), value in zip(cuts, values.tolist(), strict=True):
            number = self._cuts.add(kind, members)
            sums[number] = sums.get(number, 0.0) + value
        step.best = Multipliers(np.array(list(sums), dtype=np.int32), np.array(list(sums.values())))
        step.bound = min(step.bound, self._cuts.rows.bound(step.best.rows, step.best.values, step.alive)[0])
        step.is_recorded = False
        self._reduce(step)
        self._go_on()

    def _compacted(self, step: Step) -> bool:
        """Whether dead families were many, and are forgotten for good."""
        if 2 * np.count_nonzero(step.alive) > len(step.alive):
            return False
        keep = step.alive > 0
        self._flat = self._flat.kept(keep)
        self._places = self._places[keep]
        self._children = self._flat.children
        self._pairs = Pairs(self._flat)
        self._cuts.compact(self._flat)
        numbers = self._lp.numbers
        step.alive = np.ones(len(self._places), dtype=np.uint8)
        step.groups = None
        self._lp = LinearProgram(self._cuts.rows, self._flat, np.arange(len(self._places)))
        self._lp.add_rows(numbers)
        return True

    # Splitting.

    def _split(self, step: Step, solution: Solution) -> bool:
        """Splits the node by a pair of variables; False if it could be made smaller instead."""
        pairs = self._undecided(step, solution.x)
        if not pairs:
            return False
        basis = self._lp.basis()
        best: tuple[float, tuple[int, int], list[tuple[Relation, Step]]] | None = None
        since = 0
        for pair in pairs:
            children = self._tried(step, pair)
            self._lp.set_alive(step.alive)
            self._lp.restore(basis)
            self._go_on()
            living = [child for child in children if not self._is_closed(child[1])]
            if len(living) <= 1:
                self._become(step, pair, children)
                return False
            gap = max(step.bound - self._target, 1e-12)
            gains = [min(max(step.bound - child.bound, 0.0), gap) / gap for _, child in children]
            value = math.prod(max(gain, 1e-4) for gain in gains)
            since += 1
            if best is None or value > best[0]:
                best, since = (value, pair, children), 0
            if since >= self._method.patience:
                break
        assert best is not None
        self._note(step)
        step.proof.pair = best[1]
        step.proof.children = [(relation, child.proof) for relation, child in best[2]]
        for _, child in best[2]:
            if self._is_closed(child):
                continue
            node = Node(child.bound, np.packbits(child.alive), child.proof, step.depth + 1)
            self._next_number += 1
            heapq.heappush(self._open, (-node.bound, self._next_number, node))
        return True

    def _tried(self, step: Step, pair: tuple[int, int]) -> list[tuple[Relation, Step]]:
        """The three children of a pair, each bounded by a few steps of the simplex method."""
        children: list[tuple[Relation, Step]] = []
        basis = self._lp.basis()
        relations: tuple[Relation, ...] = (0, 1, 2)
        for place, relation in enumerate(relations):
            child = Step(step.alive.copy(), step.bound, ProofNode())
            self._cuts.rows.restrict_pair(*pair, relation, child.alive)
            if self._cuts.propagate(child.alive):
                if place:
                    self._lp.restore(basis)
                self._lp.set_alive(child.alive)
                solution = self._lp.solve(self._method.trial_iterations)
                self._judge(child, solution)
                self._note(child)
            else:
                child.bound = -math.inf
            children.append((relation, child))
        return children

    def _become(self, step: Step, pair: tuple[int, int], children: list[tuple[Relation, Step]]) -> None:
        """Goes on as the one child that is left, or ends."""
        self._note(step)
        step.proof.pair = pair
        step.proof.children = [(relation, child.proof) for relation, child in children]
        living = [child for _, child in children if not self._is_closed(child)]
        if not living:
            step.bound = -math.inf
            return
        step.alive, step.proof, step.groups = living[0].alive, living[0].proof, None
        step.bound, step.best, step.is_recorded = living[0].bound, living[0].best, True
        self._reduce(step)

    def _open_pairs(self, step: Step) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Pairs that the living families leave open, and how many of these have either arc."""
        return self._pairs.left_open(step.alive)

    def _undecided(self, step: Step, x: NDArray[np.float64]) -> list[tuple[int, int]]:
        """Pairs that the living families leave open, those that the solution decides least first."""
        return self._pairs.least_decided(*self._open_pairs(step), step.alive, x, self._method.trials)

    def _arcs(self, families: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        return self._pairs.arcs(families)
