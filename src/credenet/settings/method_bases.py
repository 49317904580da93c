"""Base classes of the methods: what a method needs, which knowledge it honours, and how it learns.

Learners and engines are imported when a method is called.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

from credenet._arguments import whole_number
from credenet.errors import ArgumentError
from credenet.knowledge.kinds import GLOBAL_KINDS
from credenet.settings.choices import Settings

if TYPE_CHECKING:
    from credenet import _core
    from credenet._run.progress import CoreCallback
    from credenet._run.run import Run
    from credenet.families.table import FamilyTable
    from credenet.learners.constraint_based.tested_variables import TestedVariables
    from credenet.learners.problem import Problem
    from credenet.learners.results import LearnResult
    from credenet.search.components import Solve
    from credenet.search.ilp.constraints import Constraints

MAX_PARENTS = "max_parents"
ALL_KINDS = frozenset({*GLOBAL_KINDS, MAX_PARENTS})

Reasons = dict[str, None]
"""Why a method was chosen, each reason once."""


class Abilities(Settings):
    """What a way to find networks needs, uses and can honour."""

    __slots__ = ()

    needs: ClassVar[str | None] = None
    """What the method needs besides a table of families."""
    uses_score: ClassVar[bool] = True
    uses_test: ClassVar[bool] = False
    bounds_tree_width: ClassVar[bool] = False
    """Whether it can search for networks of bounded tree-width."""
    needs_tree_width: ClassVar[bool] = False
    takes_cliques: ClassVar[bool] = False
    """Whether it can search for the best network within given cliques."""
    joins_constant: ClassVar[bool] = True
    """Whether it can give edges to variables with one observed state."""
    honours: ClassVar[frozenset[str]] = frozenset({MAX_PARENTS})
    """The kinds of knowledge that it honours, among those that not every method does."""

    @property
    def takes_score(self) -> bool:
        """Whether it uses a score with these settings."""
        return self.uses_score


def check_ends(method: Settings, run: Run) -> None:
    """Refuses a search that nothing would end."""
    if run.clock.time_limit is None and run.on_progress is None:
        raise ArgumentError(f"{type(method).__name__}(iterations=0) runs until it is stopped; give a time_limit")


class BaseMethod(Abilities, ABC):
    """A method of `learn`."""

    __slots__ = ()

    @abstractmethod
    def learn(self, problem: Problem, run: Run) -> LearnResult:
        """The network found by this method."""


class ScoreBased(BaseMethod):
    """A search for the best network among scored families, component by component."""

    __slots__ = ()

    def learn(self, problem: Problem, run: Run) -> LearnResult:
        from credenet.learners.score_based import learn_by_score

        return learn_by_score(self, problem, run)

    @abstractmethod
    def solver(
        self, families: FamilyTable, constraints: Constraints | None, run: Run, reasons: Reasons
    ) -> Solve | None:
        """The search of one component under constraints on all variables; None if no network obeys the constraints."""


class OrderGraphTask(NamedTuple):
    """One component in the form of the core, and the families of a first network."""

    lists: _core.ComponentLists
    options: _core.OrderGraphOptions
    start: list[int]
    callback: CoreCallback


class OrderGraphSearch(ScoreBased):
    """A heuristic search in the order graph, whose nodes are subsets of the variables."""

    __slots__ = ()

    heuristic: str
    pattern_size: int | None

    def _check_together(self) -> None:
        if self.heuristic == "simple" and self.pattern_size is not None:
            raise ArgumentError("heuristic=simple has no patterns; pattern_size is for static and dynamic")
        if self.heuristic == "dynamic" and self.pattern_size is not None:
            whole_number("pattern_size", self.pattern_size, least=2)

    def solver(self, families: FamilyTable, constraints: Constraints | None, run: Run, reasons: Reasons) -> Solve:
        from credenet.search.lattice import check_lattice, solve_order_graph

        check_lattice(families, self.short_name)
        return solve_order_graph(self)

    @abstractmethod
    def search(self, task: OrderGraphTask) -> _core.SearchResult:
        """The best network of a component."""


class WeightedOrderGraphSearch(OrderGraphSearch):
    """A search that weights what the variables not yet placed must lose against their best families.

    The simple heuristic gives each of them its best family. By it nothing is lost, so that there is nothing to weight.
    """

    __slots__ = ()

    weight: float

    def _check_together(self) -> None:
        OrderGraphSearch._check_together(self)
        if self.heuristic == "simple" and self.weight != 1:
            raise ArgumentError(
                f"heuristic=simple leaves {self.short_name} nothing to weight, so that every weight searches alike; "
                "use heuristic=static or dynamic, or astar, which has no weight"
            )


class Climb(ScoreBased):
    """A local search that changes single edges."""

    __slots__ = ()

    honours: ClassVar[frozenset[str]] = frozenset({MAX_PARENTS, "adjacent"})

    restarts: int
    length: int = 0  # of the tabu list
    patience: int = 0

    def learn(self, problem: Problem, run: Run) -> LearnResult:
        if not problem.can_climb:
            return super().learn(problem, run)
        from credenet.learners.climbing import climb_data

        return climb_data(self, problem, run)

    def solver(
        self, families: FamilyTable, constraints: Constraints | None, run: Run, reasons: Reasons
    ) -> Solve | None:
        from credenet.search.local import joined_start, solve_climb

        if constraints is None:
            return solve_climb(self)
        start = joined_start(families, constraints, run)
        return None if start is None else solve_climb(self, start)


class BoundedTreeWidth(BaseMethod):
    """A search for a network whose tree-width is at most a given number."""

    __slots__ = ()

    bounds_tree_width: ClassVar[bool] = True
    needs_tree_width: ClassVar[bool] = True

    iterations: int | None = None  # 0 continues until the time limit

    def learn(self, problem: Problem, run: Run) -> LearnResult:
        if self.iterations == 0:
            check_ends(self, run)
        from credenet.learners.bounded_tree_width import learn_bounded

        return learn_bounded(self, problem, run)


class KTrees(BoundedTreeWidth):
    """A search of many k-trees, in each of which a network is sought."""

    __slots__ = ()

    needs: ClassVar[str | None] = "the data: a table of families does not give the mutual information of pairs"
    guided: ClassVar[bool] = False
    """Whether the k-trees are found by a search on the informative score, or drawn at random."""
    exact: ClassVar[bool] = False
    """Whether the best network of each k-tree is found, or the best for some orders of the variables."""

    iterations: int
    orders: int = 1
    complete: bool = False


class ConstraintBased(BaseMethod):
    """A method that decides all edges by tests of independence."""

    __slots__ = ()

    needs: ClassVar[str | None] = "data to test, got FamilyTable"
    uses_score: ClassVar[bool] = False
    uses_test: ClassVar[bool] = True
    joins_constant: ClassVar[bool] = False
    honours: ClassVar[frozenset[str]] = frozenset()

    max_order: int | None
    then: Literal["hill_climb", "tabu"] | None

    @property
    def takes_score(self) -> bool:
        return self.then is not None

    def learn(self, problem: Problem, run: Run) -> LearnResult:
        from credenet.learners.constraint_based.learning import learn_by_tests

        return learn_by_tests(self, problem, run)

    @abstractmethod
    def search(
        self, tested: TestedVariables, max_order: int, begin_order: Callable[[int], None], callback: CoreCallback
    ) -> _core.TestedGraph:
        """The graph found by tests with conditioning sets of at most ``max_order`` variables."""
