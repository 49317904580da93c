"""The ways to search for a network, each with its settings."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal, get_args

from credenet import _core
from credenet._settings import Kind, folder, loaded, names, real, switch, text, whole
from credenet._text import listing
from credenet.errors import ArgumentError
from credenet.knowledge.kinds import global_kinds
from credenet.search.cost import LARGEST_NODE_TABLE, LARGEST_TABLE, MOST_LATTICE_VARIABLES
from credenet.search.method_bases import ALL_KINDS, BaseMethod, Climb, ConstraintBased, OrderGraphSearch, ScoreBased

if TYPE_CHECKING:
    from collections.abc import Callable

    from credenet._core import SearchResult, TestedGraph
    from credenet._run.progress import CoreCallback
    from credenet._run.run import Run
    from credenet.families.table import FamilyTable
    from credenet.graphs import DAG, PDAG
    from credenet.learners.constraint_based.tested_variables import TestedVariables
    from credenet.learners.problem import Problem
    from credenet.learners.results import LearnResult
    from credenet.search.components import Solve
    from credenet.search.ilp.constraints import Constraints
    from credenet.search.method_bases import OrderGraphTask, Reasons

_LARGEST_WEIGHT = 1e6
_MOST_ROUNDS = 10_000  # of a weight that falls
_MOST_REPEATS = 1_000_000  # of a part of a search: with more it would only end with its time

HeuristicName = Literal["simple", "static", "dynamic"]

_HEURISTIC = names(*get_args(HeuristicName))
_PATTERN_SIZE = whole(least=1, most=MOST_LATTICE_VARIABLES)
_WEIGHT = real(least=1, most=_LARGEST_WEIGHT)
_REPEATS = whole(most=_MOST_REPEATS)
_POSITIVE_REPEATS = whole(least=1, most=_MOST_REPEATS)
_ORDER = whole()


@dataclass(frozen=True, slots=True)
class Auto(ScoreBased):
    """The method that suits the problem; the result says which, and why."""

    short_name: ClassVar[str] = "auto"
    honours: ClassVar[frozenset[str]] = ALL_KINDS

    def solver(self, families: FamilyTable, constraints: Constraints | None, run: Run, reasons: Reasons) -> Solve:
        if constraints is not None:
            reasons[f"ilp, which honours {listing(global_kinds(constraints.knowledge))}"] = None
            return ILP().solver(families, constraints, run, reasons)
        from credenet.search.auto import solve_auto

        return solve_auto(reasons)


@dataclass(frozen=True, slots=True)
class DP(ScoreBased):
    """Dynamic programming over all subsets of variables; exact, up to about 30 in one component.

    Parameters
    ----------
    layered
        Keep two layers of subsets and one byte for each subset instead of eight; slower. By default only where the
        memory asks for it.
    """

    layered: bool | None = field(default=None, metadata=switch())

    short_name: ClassVar[str] = "dp"

    def solver(self, families: FamilyTable, constraints: Constraints | None, run: Run, reasons: Reasons) -> Solve:
        from credenet.search.lattice import check_dp, solve_dp

        check_dp(families, self, run)
        return solve_dp(self)


@dataclass(frozen=True, slots=True)
class AStar(OrderGraphSearch):
    """Best-first search over sets of placed variables; exact, and fast where the heuristic is good.

    Parameters
    ----------
    heuristic
        What bounds the rest: ``simple`` (each variable its best parents), ``static`` (pattern databases), ``dynamic``
        (small groups of variables that cannot all have their best parents).
    pattern_size
        Variables in a pattern of ``static``, or the largest group of ``dynamic``; by default as memory allows, and 2.
    """

    heuristic: HeuristicName = field(default="static", metadata=_HEURISTIC)
    pattern_size: int | None = field(default=None, metadata=_PATTERN_SIZE)

    short_name: ClassVar[str] = "astar"

    def search(self, task: OrderGraphTask) -> SearchResult:
        return _core.astar(*task)


@dataclass(frozen=True, slots=True)
class BFBnB(OrderGraphSearch):
    """Breadth-first branch and bound, one layer of the subsets after the other; exact, layers may go to disk.

    Parameters
    ----------
    scratch_dir
        A folder for layers that exceed the memory. A run that was stopped goes on from the last whole layer when it is
        started again with the same problem and folder.
    """

    heuristic: HeuristicName = field(default="static", metadata=_HEURISTIC)
    pattern_size: int | None = field(default=None, metadata=_PATTERN_SIZE)
    scratch_dir: Path | str | None = field(default=None, metadata=folder())

    short_name: ClassVar[str] = "bfbnb"

    def search(self, task: OrderGraphTask) -> SearchResult:
        scratch = "" if self.scratch_dir is None else str(self.scratch_dir)
        return _core.breadth_first(task.lists, task.options, task.start, scratch, task.callback)


@dataclass(frozen=True, slots=True)
class ILP(ScoreBased):
    """Branch and cut on a linear program over families; exact, for up to about a thousand variables with few families.

    Parameters
    ----------
    max_rounds
        The most rounds of cuts before the first split; a twentieth of that before others.
    least_gain
        A round that closes less than this share of the gap is one of little gain; after five of these a node is split.
    trials, trial_iterations, patience
        Pairs of variables that are tried for a split, steps of the simplex method for each trial, and how many trials
        in a row may be worse than the best.
    subset_variables
        Where no component has more variables than this, dynamic programming takes over.
    order_iterations
        Of the search over orders that finds a first network; by default as many as take a moment.
    """

    max_rounds: int = field(default=200, metadata=_POSITIVE_REPEATS)
    least_gain: float = field(default=0.01, metadata=real(least=0, most=1))
    trials: int = field(default=12, metadata=_POSITIVE_REPEATS)
    trial_iterations: int = field(default=60, metadata=_POSITIVE_REPEATS)
    patience: int = field(default=5, metadata=_POSITIVE_REPEATS)
    subset_variables: int = field(default=LARGEST_TABLE, metadata=whole(most=LARGEST_NODE_TABLE))
    order_iterations: int | None = field(default=None, metadata=_POSITIVE_REPEATS)

    short_name: ClassVar[str] = "ilp"
    honours: ClassVar[frozenset[str]] = ALL_KINDS

    def solver(self, families: FamilyTable, constraints: Constraints | None, run: Run, reasons: Reasons) -> Solve:
        from credenet.search.ilp.branch_and_cut import solve_ilp

        return solve_ilp(self, constraints)


@dataclass(frozen=True, slots=True)
class WeightedAStar(OrderGraphSearch):
    """A* in which the loss that the heuristic expects counts ``weight`` times: good networks soon, the optimum late.

    Parameters
    ----------
    weight
        From 1 to 1,000,000.
    """

    weight: float = field(default=2.0, metadata=_WEIGHT)
    heuristic: HeuristicName = field(default="static", metadata=_HEURISTIC)
    pattern_size: int | None = field(default=None, metadata=_PATTERN_SIZE)

    short_name: ClassVar[str] = "weighted_astar"

    def search(self, task: OrderGraphTask) -> SearchResult:
        return _core.weighted_astar(task.lists, task.options, self.weight, task.start, task.callback)


@dataclass(frozen=True, slots=True)
class ARAStar(OrderGraphSearch):
    """Weighted A* again and again with a falling weight, each time from what is there; ends with the optimum.

    Parameters
    ----------
    weight, step
        The first weight, and how much it falls from one round to the next: at most 10,000 rounds until it is 1.
    """

    weight: float = field(default=4.0, metadata=_WEIGHT)
    step: float = field(default=0.5, metadata=real(above=0, infinite=True))
    heuristic: HeuristicName = field(default="static", metadata=_HEURISTIC)
    pattern_size: int | None = field(default=None, metadata=_PATTERN_SIZE)

    short_name: ClassVar[str] = "ara_star"

    def _check_together(self) -> None:
        OrderGraphSearch._check_together(self)
        if self.weight - 1 > _MOST_ROUNDS * self.step:
            least = (self.weight - 1) / _MOST_ROUNDS
            raise ArgumentError(
                f"step must be at least {least:g} for a weight of {self.weight:g}, which then falls to 1 in "
                f"{_MOST_ROUNDS:,} rounds, got {self.step:g}"
            )

    def search(self, task: OrderGraphTask) -> SearchResult:
        return _core.ara_star(task.lists, task.options, self.weight, self.step, task.start, task.callback)


@dataclass(frozen=True, slots=True)
class AWAStar(OrderGraphSearch):
    """A* that looks back only so many layers, a window that widens until nothing is left out; ends with the optimum."""

    heuristic: HeuristicName = field(default="static", metadata=_HEURISTIC)
    pattern_size: int | None = field(default=None, metadata=_PATTERN_SIZE)

    short_name: ClassVar[str] = "awa_star"

    def search(self, task: OrderGraphTask) -> SearchResult:
        return _core.awa_star(*task)


@dataclass(frozen=True, slots=True)
class OrderSearch(ScoreBased):
    """Local search over orders of the variables; no proof, but usually the optimum, at any size.

    Parameters
    ----------
    iterations
        How many times each of some orders is disturbed and improved again; 0 for as long as there is time.
    """

    iterations: int = field(default=3000, metadata=_REPEATS)  # with which all optima known to us were found

    short_name: ClassVar[str] = "order_search"

    def learn(self, problem: Problem, run: Run) -> LearnResult:
        if self.iterations == 0 and run.clock.time_limit is None and run.on_progress is None:
            raise ArgumentError("OrderSearch(iterations=0) goes on until it is stopped; give a time_limit")
        return ScoreBased.learn(self, problem, run)

    def solver(self, families: FamilyTable, constraints: Constraints | None, run: Run, reasons: Reasons) -> Solve:
        from credenet.search.local import solve_orders

        return solve_orders(self.iterations)


@dataclass(frozen=True, slots=True)
class HillClimb(Climb):
    """Adds, removes and turns edges while that raises the score, then again from a disturbed network.

    Parameters
    ----------
    restarts
        How many times it starts again.
    """

    restarts: int = field(default=50, metadata=_REPEATS)

    short_name: ClassVar[str] = "hill_climb"


@dataclass(frozen=True, slots=True)
class Tabu(Climb):
    """Hill climbing that goes on downhill for a while without undoing its last moves.

    Parameters
    ----------
    length
        How many moves stay forbidden.
    patience
        After how many moves without a new best it gives up.
    restarts
        How many times it starts again.
    """

    length: int = field(default=20, metadata=_REPEATS)
    patience: int = field(default=100, metadata=_REPEATS)
    restarts: int = field(default=5, metadata=_REPEATS)

    short_name: ClassVar[str] = "tabu"


@dataclass(frozen=True, slots=True)
class ChowLiu(BaseMethod):
    """The tree with the largest likelihood, from the mutual information of all pairs.

    Parameters
    ----------
    root
        The variable that all edges lead away from; the first by default.
    """

    root: str | None = field(default=None, metadata=text("the name of a variable"))

    short_name: ClassVar[str] = "chow_liu"
    needs: ClassVar[str | None] = "the data: a table of families does not tell the mutual information of pairs"

    def learn(self, problem: Problem, run: Run) -> LearnResult:
        from credenet.learners.trees import chow_liu

        return chow_liu(self, problem, run)


@dataclass(frozen=True, slots=True)
class PC(ConstraintBased):
    """Edges are parted by tests of independence given ever larger sets of neighbours, then directed by colliders.

    In its stable form, whose skeleton depends on the answers of the test alone.

    Parameters
    ----------
    max_order
        The most variables that are given in a test; by default as many as there are neighbours.
    orientation
        What makes the middle of a triple a collider: that the set ``recorded`` when its ends were parted lacks it, or
        that the ``majority`` of all sets of neighbours that separate them do, which takes more tests.
    """

    max_order: int | None = field(default=None, metadata=_ORDER)
    orientation: Literal["recorded", "majority"] = field(default="recorded", metadata=names("recorded", "majority"))

    short_name: ClassVar[str] = "pc"

    def search(
        self, tested: TestedVariables, max_order: int, begin_order: Callable[[int], None], callback: CoreCallback
    ) -> TestedGraph:
        majority = self.orientation == "majority"
        return _core.pc(tested.judge, tested.rules, max_order, majority, begin_order, callback)


@dataclass(frozen=True, slots=True)
class RAI(ConstraintBased):
    """Recursive autonomy identification: like PC, but edges are directed after every order, and from then on sets are
    made of potential parents alone.

    Parameters
    ----------
    max_order
        The most variables that are given in a test; by default as many as there are potential parents.
    variant
        ``corrected``, which with true answers always finds the true class, or as ``published``, which directs edges on
        the way that may not be there in the end, and now and then keeps an edge too many for it.
    start
        A graph whose pairs of neighbours alone may become edges; by default all pairs.
    """

    max_order: int | None = field(default=None, metadata=_ORDER)
    variant: Literal["corrected", "published"] = field(default="corrected", metadata=names("corrected", "published"))
    start: DAG | PDAG | None = field(default=None, metadata=loaded("credenet.graphs", "DAG", "PDAG"))

    short_name: ClassVar[str] = "rai"

    def search(
        self, tested: TestedVariables, max_order: int, begin_order: Callable[[int], None], callback: CoreCallback
    ) -> TestedGraph:
        start, published = tested.pairs(self.start), self.variant == "published"
        return _core.rai(tested.judge, tested.rules, *start, max_order, published, begin_order, callback)


@dataclass(frozen=True, slots=True)
class MMHC(BaseMethod):
    """Max-min hill climbing: tests find who may be neighbours, then a local search joins these by score.

    Parameters
    ----------
    search
        How the second part goes: ``hill_climb`` or ``tabu``, with their usual settings.
    max_order
        The most variables that are given in a test; by default as many as are candidates.
    """

    search: Literal["hill_climb", "tabu"] = field(default="hill_climb", metadata=names("hill_climb", "tabu"))
    max_order: int | None = field(default=None, metadata=_ORDER)

    short_name: ClassVar[str] = "mmhc"
    needs: ClassVar[str | None] = "the data: a table of families has nothing to test"
    uses_test: ClassVar[bool] = True

    def learn(self, problem: Problem, run: Run) -> LearnResult:
        from credenet.learners.constraint_based.max_min import max_min_hill_climb

        return max_min_hill_climb(self, problem, run)


Method = (
    Auto
    | DP
    | AStar
    | BFBnB
    | ILP
    | WeightedAStar
    | ARAStar
    | AWAStar
    | OrderSearch
    | HillClimb
    | Tabu
    | ChowLiu
    | PC
    | RAI
    | MMHC
)

METHODS: Kind[Method] = Kind("method", get_args(Method), also="a method or ")
