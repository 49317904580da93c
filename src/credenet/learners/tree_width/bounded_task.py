"""What every search for a network of bounded tree-width takes and returns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from credenet import _core
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


def search_within_bags(task: BoundedTask, bags: TreeDecomposition) -> _core.BoundedResult:
    """The best network whose families lie within the bags of a tree decomposition."""
    index = {name: at for at, name in enumerate(task.families.variables)}
    members = [sorted(index[name] for name in bag) for bag in bags.bags]
    callback = task.run.callback(tells_score=True)
    return _core.best_within(task.families.flat().lists, members, list(bags.parents), callback)


def convert_core_result(
    outcome: _core.BoundedResult, task: BoundedTask, start: float, reason: str = ""
) -> BoundedResult:
    """The result of the core in a search that began at ``start``."""
    variables, choice, decomposition = task.families.variables, None, None
    if outcome.families:
        choice = np.asarray(task.families.flat().starts[:-1] + np.array(outcome.families, dtype=np.int64))
        decomposition = TreeDecomposition.from_indices(variables, outcome.bags, outcome.bag_parents)
    return BoundedResult(
        choice=choice,
        score=outcome.score if choice is not None else -math.inf,
        bound=outcome.bound,
        status=outcome.status,
        decomposition=decomposition,
        reason=reason,
        trace=shift_trace(outcome.trace, start),
        expanded=outcome.n_expanded,
        generated=outcome.n_generated,
        peak_bytes=outcome.peak_bytes,
    )


def shift_trace(trace: Sequence[tuple[float, float, float]], start: float) -> tuple[BoundPoint, ...]:
    """The trace of a search that began at ``start``."""
    return tuple(BoundPoint(start + seconds, score, bound) for seconds, score, bound in trace)


def sum_best_scores(families: FamilyTable, width: int) -> float:
    """The sum of the best scores of all variables, which bounds every network of a tree-width."""
    flat = families.flat()
    best = np.full(len(families.variables), -math.inf)
    small = flat.sizes <= width
    np.maximum.at(best, flat.children[small], flat.scores[small])
    return math.fsum(best.tolist())
