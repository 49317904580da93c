"""The ways to search for a network, each with its settings."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal, get_args

from credenet import _core
from credenet._arguments import choice, file_path, flag, one_of, real_number, shown, whole_number
from credenet._text import listing
from credenet.errors import ArgumentError
from credenet.graphs import DAG, PDAG
from credenet.knowledge.kinds import global_kinds
from credenet.search.method_bases import ALL_KINDS, BaseMethod, Climb, ConstraintBased, OrderGraphSearch, ScoreBased

if TYPE_CHECKING:
    from collections.abc import Callable

    from credenet._core import SearchOutcome, TestedGraphOutcome
    from credenet._run.progress import CoreCallback
    from credenet._run.run import Run
    from credenet.families.table import FamilyTable
    from credenet.learners.constraint_based.tested_variables import TestedVariables
    from credenet.learners.problem import Problem
    from credenet.learners.results import LearnResult
    from credenet.search.components import Solve
    from credenet.search.ilp.constraints import Constraints
    from credenet.search.method_bases import OrderGraphTask, Reasons
from credenet.search.cost import LARGEST_NODE_TABLE, LARGEST_TABLE, MOST_LATTICE_VARIABLES

_LARGEST_WEIGHT = 1e6
_MOST_ROUNDS = 10_000  # of a weight that falls
_MOST_REPEATS = 1_000_000  # of a part of a search: with more it would only end with its time

HeuristicName = Literal["simple", "static", "dynamic"]


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

    layered: bool | None = None

    short_name: ClassVar[str] = "dp"

    def __post_init__(self) -> None:
        if self.layered is not None:
            flag("layered", self.layered)

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

    heuristic: HeuristicName = "static"
    pattern_size: int | None = None

    short_name: ClassVar[str] = "astar"

    def __post_init__(self) -> None:
        _check_heuristic(self.heuristic, self.pattern_size)

    def search(self, task: OrderGraphTask) -> SearchOutcome:
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

    heuristic: HeuristicName = "static"
    pattern_size: int | None = None
    scratch_dir: Path | str | None = None

    short_name: ClassVar[str] = "bfbnb"

    def __post_init__(self) -> None:
        _check_heuristic(self.heuristic, self.pattern_size)
        if self.scratch_dir is not None:
            file_path(self.scratch_dir, "scratch_dir")

    def search(self, task: OrderGraphTask) -> SearchOutcome:
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

    max_rounds: int = 200
    least_gain: float = 0.01
    trials: int = 12
    trial_iterations: int = 60
    patience: int = 5
    subset_variables: int = LARGEST_TABLE
    order_iterations: int | None = None

    short_name: ClassVar[str] = "ilp"
    honours: ClassVar[frozenset[str]] = ALL_KINDS

    def __post_init__(self) -> None:
        for name in ("max_rounds", "trials", "trial_iterations", "patience"):
            whole_number(name, getattr(self, name), least=1, most=_MOST_REPEATS)
        real_number("least_gain", self.least_gain, least=0, most=1)
        whole_number("subset_variables", self.subset_variables, most=LARGEST_NODE_TABLE)
        if self.order_iterations is not None:
            whole_number("order_iterations", self.order_iterations, least=1, most=_MOST_REPEATS)

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

    weight: float = 2.0
    heuristic: HeuristicName = "static"
    pattern_size: int | None = None

    short_name: ClassVar[str] = "weighted_astar"

    def __post_init__(self) -> None:
        _check_heuristic(self.heuristic, self.pattern_size)
        real_number("weight", self.weight, least=1, most=_LARGEST_WEIGHT)

    def search(self, task: OrderGraphTask) -> SearchOutcome:
        return _core.weighted_astar(task.lists, task.options, self.weight, task.start, task.callback)


@dataclass(frozen=True, slots=True)
class ARAStar(OrderGraphSearch):
    """Weighted A* again and again with a falling weight, each time from what is there; ends with the optimum.

    Parameters
    ----------
    weight, step
        The first weight, and how much it falls from one round to the next: at most 10,000 rounds until it is 1.
    """

    weight: float = 4.0
    step: float = 0.5
    heuristic: HeuristicName = "static"
    pattern_size: int | None = None

    short_name: ClassVar[str] = "ara_star"

    def __post_init__(self) -> None:
        _check_heuristic(self.heuristic, self.pattern_size)
        real_number("weight", self.weight, least=1, most=_LARGEST_WEIGHT)
        real_number("step", self.step, above=0, infinite=True)
        if self.weight - 1 > _MOST_ROUNDS * self.step:
            least = (self.weight - 1) / _MOST_ROUNDS
            raise ArgumentError(
                f"step must be at least {least:g} for a weight of {self.weight:g}, which then falls to 1 in "
                f"{_MOST_ROUNDS:,} rounds, got {self.step:g}"
            )

    def search(self, task: OrderGraphTask) -> SearchOutcome:
        return _core.ara_star(task.lists, task.options, self.weight, self.step, task.start, task.callback)


@dataclass(frozen=True, slots=True)
class AWAStar(OrderGraphSearch):
    """A* that looks back only so many layers, a window that widens until nothing is left out; ends with the optimum."""

    heuristic: HeuristicName = "static"
    pattern_size: int | None = None

    short_name: ClassVar[str] = "awa_star"

    def __post_init__(self) -> None:
        _check_heuristic(self.heuristic, self.pattern_size)

    def search(self, task: OrderGraphTask) -> SearchOutcome:
        return _core.awa_star(*task)


@dataclass(frozen=True, slots=True)
class OrderSearch(ScoreBased):
    """Local search over orders of the variables; no proof, but usually the optimum, at any size.

    Parameters
    ----------
    iterations
        How many times each of some orders is disturbed and improved again; 0 for as long as there is time.
    """

    iterations: int = 3000  # with which all optima known to us were found

    short_name: ClassVar[str] = "order_search"

    def __post_init__(self) -> None:
        whole_number("iterations", self.iterations, most=_MOST_REPEATS)

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

    restarts: int = 50

    short_name: ClassVar[str] = "hill_climb"

    def __post_init__(self) -> None:
        whole_number("restarts", self.restarts, most=_MOST_REPEATS)


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

    length: int = 20
    patience: int = 100
    restarts: int = 5

    short_name: ClassVar[str] = "tabu"

    def __post_init__(self) -> None:
        for name in ("length", "patience", "restarts"):
            whole_number(name, getattr(self, name), most=_MOST_REPEATS)


@dataclass(frozen=True, slots=True)
class ChowLiu(BaseMethod):
    """The tree with the largest likelihood, from the mutual information of all pairs.

    Parameters
    ----------
    root
        The variable that all edges lead away from; the first by default.
    """

    root: str | None = None

    short_name: ClassVar[str] = "chow_liu"
    needs: ClassVar[str | None] = "the data: a table of families does not tell the mutual information of pairs"

    def __post_init__(self) -> None:
        if self.root is not None and not isinstance(self.root, str):
            raise ArgumentError(f"root must be the name of a variable, got {shown(self.root)}")

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

    max_order: int | None = None
    orientation: Literal["recorded", "majority"] = "recorded"

    short_name: ClassVar[str] = "pc"

    def __post_init__(self) -> None:
        _check_order(self.max_order)
        one_of("orientation", self.orientation, ("recorded", "majority"))

    def search(
        self, tested: TestedVariables, max_order: int, begin_order: Callable[[int], None], callback: CoreCallback
    ) -> TestedGraphOutcome:
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

    max_order: int | None = None
    variant: Literal["corrected", "published"] = "corrected"
    start: DAG | PDAG | None = None

    short_name: ClassVar[str] = "rai"

    def __post_init__(self) -> None:
        _check_order(self.max_order)
        one_of("variant", self.variant, ("corrected", "published"))
        if not isinstance(self.start, DAG | PDAG | None):
            raise ArgumentError(f"start must be a DAG or a PDAG, got {shown(self.start)}")

    def search(
        self, tested: TestedVariables, max_order: int, begin_order: Callable[[int], None], callback: CoreCallback
    ) -> TestedGraphOutcome:
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

    search: Literal["hill_climb", "tabu"] = "hill_climb"
    max_order: int | None = None

    short_name: ClassVar[str] = "mmhc"
    needs: ClassVar[str | None] = "the data: a table of families has nothing to test"
    uses_test: ClassVar[bool] = True

    def __post_init__(self) -> None:
        _check_order(self.max_order)
        one_of("search", self.search, ("hill_climb", "tabu"))

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

_NAMED: dict[str, type[Method]] = {kind.short_name: kind for kind in get_args(Method)}
METHOD_NAMES = tuple(_NAMED)


def method_from(method: Method | str) -> Method:
    """A method from its name, in any case.

    Examples
    --------
    >>> method_from("AStar")
    AStar(heuristic='static', pattern_size=None)
    """
    if isinstance(method, Method):
        return method
    return _NAMED[choice("method", method, _NAMED, also="a method or ")]()


def describe_method(method: BaseMethod) -> str:
    """A method and the settings that differ from the usual ones, such as ``DP(layered=True)``."""
    usual = type(method)()
    settings = [
        f"{field.name}={getattr(method, field.name)!r}"
        for field in fields(method)
        if getattr(method, field.name) != getattr(usual, field.name)
    ]
    return f"{method.short_name}({', '.join(settings)})" if settings else method.short_name


def _check_heuristic(heuristic: str, pattern_size: int | None) -> None:
    one_of("heuristic", heuristic, get_args(HeuristicName))
    if pattern_size is not None:
        whole_number(
            "pattern_size", pattern_size, least=2 if heuristic == "dynamic" else 1, most=MOST_LATTICE_VARIABLES
        )


def _check_order(max_order: int | None) -> None:
    if max_order is not None:
        whole_number("max_order", max_order)
