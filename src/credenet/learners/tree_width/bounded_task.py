"""What every search for a network of bounded tree-width takes and returns."""

from __future__ import annotations

from dataclasses import dataclass

from credenet._run.ledger import BoundPoint
from credenet._run.run import Run
from credenet._run.status import CoreStatus, Status
from credenet.families.table import FamilyTable
from credenet.graphs import DAG, TreeDecomposition
from credenet.learners.problem import LearningProblem
from credenet.learners.results import KTreePoint
from credenet.search.components import INFEASIBLE, Choice, SearchResult


@dataclass(frozen=True, slots=True)
class BoundedTask:
    """The families, the largest tree-width, and the limits of a search."""

    families: FamilyTable
    width: int
    problem: LearningProblem
    run: Run

    def dag(self, choice: Choice) -> DAG:
        """The network whose families are at these positions in the table."""
        flat = self.families.flat()
        parents = [flat.parents_of(at) for at in choice.tolist()]
        return DAG.from_indices(self.families.variables, parents)


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundedResult:
    """The result of a search: families by position in the table, and the bags that hold them."""

    choice: Choice | None
    score: float
    bound: float
    status: CoreStatus | Status
    decomposition: TreeDecomposition | None = None
    reason: str = ""
    trace: tuple[BoundPoint, ...] = ()
    expanded: int = 0
    generated: int = 0
    peak_bytes: int = 0
    k_trees: tuple[KTreePoint, ...] = ()


def as_search_result(bounded: BoundedResult, run: Run) -> SearchResult:
    """The result in the form that searches without a bound on the tree-width return."""
    if bounded.status == "infeasible":
        return INFEASIBLE
    return SearchResult(
        choice=bounded.choice,
        score=bounded.score,
        bound=bounded.bound,
        status=run.status_of(bounded.status),
        components=(),
        expanded=bounded.expanded,
        generated=bounded.generated,
        peak_bytes=bounded.peak_bytes,
        trace=bounded.trace,
    )
