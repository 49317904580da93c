"""Scores the families within the bags of a network that the search could not know, and finds the best network there.

With many variables only the most promising families are scored, and the search is among these. A tree decomposition of
n variables has few families: each of its at most n bags of k + 1 variables has (k + 1) 2^k. After the search all those
of the bags of its network are scored, and the best network within the bags is found by dynamic programming. As the
families that were searched take part, it is no worse. The time for this is estimated beforehand and left by the search.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

from credenet import _core
from credenet._run.ledger import BoundPoint
from credenet._run.run import Run
from credenet._run.status import CoreStatus, Status
from credenet.data.dataset import Dataset
from credenet.families.scoring.core_scoring import BYTES_PER_FAMILY
from credenet.families.scoring.scoring_budget import ScoringBudget
from credenet.families.scoring.scoring_result import ScoringResult
from credenet.families.table import FamilyTable
from credenet.families.tolerance import tolerance
from credenet.graphs import TreeDecomposition
from credenet.learners.problem import LearningProblem
from credenet.learners.score_based import scoring_limit
from credenet.learners.tree_width.bag_scoring import BagScoring
from credenet.learners.tree_width.bounded_task import (
    BoundedResult,
    BoundedTask,
    convert_core_result,
    search_within_bags,
    sum_best_scores,
)

MOST_FAMILIES = 1_000_000  # Families within the bags that are scored at most.
WIDEST = 7  # Tree-width up to which the best network within the bags is found.
_SHARE = 1 / 10  # Share of the work left that completing the families may take by estimate.
_SECONDS = 5.0  # Estimated seconds that it may take without a time limit.
_LATE = 0.12  # Seconds after which a search at the latest notices its end.
_MOST_RESERVED = 1 / 4  # Share of the work left that the search leaves at most.
_MARGIN = 4.0  # Factor on the estimate for the time that the search leaves.
# The four speeds were measured on one thread of a server of 2024.
_SECONDS_OF_BAG = 3e-4  # Seconds of dynamic programming for each bag beside its steps.
_SECONDS_OF_STEP = 4e-10  # Seconds of a step of dynamic programming; a bag of m variables has m! 3^m of them.
_SECONDS_OF_RULE = 3e-7  # Seconds to hand the rule of one variable to the core, for each group of bags.
_SECONDS_OF_MERGE = 5e-7  # Seconds to merge one family that was searched with those within the bags.


@dataclass(frozen=True, slots=True)
class CompletionPlan:
    """The largest number of parents of families that are scored within the bags, and the estimated seconds."""

    most_parents: int
    seconds: float

    def shorten(self, run: Run) -> Run:
        """The run of the search, which leaves time for the completion if there is a time limit."""
        if run.clock.time_limit is None:
            return run
        # The end is one by the clock on the wall, so that a search on a busy machine leaves the time, too.
        return replace(run, clock=replace(run.clock, time_limit=run.clock.time_limit - self.reserve))

    @property
    def reserve(self) -> float:
        """The seconds that the search leaves, as it may end late."""
        return _LATE + _MARGIN * self.seconds


class CompletedSearch(NamedTuple):
    """The result of a search after its families were completed, and the families it is made of."""

    result: BoundedResult
    families: FamilyTable


def plan_completion(families: FamilyTable, problem: LearningProblem, width: int, run: Run) -> CompletionPlan | None:
    """How the families within bags of a network are completed after a search; None if there is nothing to score.

    If the time does not suffice for the dynamic programme, there is no plan. Nor is there one under a prior on whole
    networks, which is not a sum over families.
    """
    if not isinstance(problem.source, Dataset) or problem.cliques is not None or not 0 < width <= WIDEST:
        return None
    if families.made.complete or run.stop.is_asked or not problem.scoring[1].is_modular:
        return None
    n = problem.data.n_variables
    budget = ScoringBudget.from_share(run, problem.data, share=_SHARE, seconds=_SECONDS)
    seconds = n * (_SECONDS_OF_BAG + _SECONDS_OF_STEP * math.factorial(width + 1) * 3.0 ** (width + 1))
    seconds += n * n * _SECONDS_OF_RULE + len(families) * _SECONDS_OF_MERGE
    message_bytes = n * math.factorial(width) * 2**width * 8
    most = width if problem.max_parents is None else min(width, problem.max_parents)
    for parents in range(most, 0, -1):
        number = n * (width + 1) * sum(math.comb(width, size) for size in range(parents + 1))
        whole = seconds + number * budget.seconds_each
        fits = number * BYTES_PER_FAMILY + message_bytes <= run.memory / 2
        if number <= MOST_FAMILIES and fits and whole <= budget.seconds:
            plan = CompletionPlan(parents, whole)
            return plan if plan.reserve <= _MOST_RESERVED * run.clock.work_left else None
    return None


def complete_families(bounded: BoundedResult, task: BoundedTask, plan: CompletionPlan) -> CompletedSearch:
    """The better of a result and the best network within its bags, made of all their families."""
    unchanged = CompletedSearch(bounded, task.families)
    if bounded.choice is None or bounded.decomposition is None or bounded.status == "interrupted":
        return unchanged
    run, problem = task.run, task.problem
    if run.stop.is_asked:
        return unchanged
    scored = _score_bags(bounded.decomposition, task, plan.most_parents)
    if scored is None:
        return unchanged
    if scored.status != "complete":
        return CompletedSearch(_end_early(bounded, scored.status, run), task.families)
    made, limit = task.families.made, problem.max_parents
    made = replace(made, evaluated=None if made.evaluated is None else made.evaluated + scored.evaluated)
    inside = FamilyTable(task.families.variables, scored.families, made=made)
    merged = task.families.merge(inside)
    n_new = len(merged) - len(task.families)
    merged = merged.with_info(replace(made, max_parents=task.width if limit is None else min(task.width, limit)))
    inner = replace(task, families=merged)
    start = run.clock.seconds_passed
    found = convert_core_result(search_within_bags(inner, bounded.decomposition), inner, start)
    if found.choice is None:
        return CompletedSearch(_end_early(bounded, found.status, run), task.families.with_info(made))
    gain = found.score - bounded.score
    further = f"with {n_new:,} more {'family' if n_new == 1 else 'families'} scored, " if n_new else ""
    within = f"{further}the best network within its bags"
    if gain <= tolerance(bounded.score):
        reason = f"{within} is no better"
        return CompletedSearch(_add_reason(bounded, reason), task.families.with_info(made))
    # The families within the bags are new, so a bound on networks of the searched families does not hold for them.
    bound = max(sum_best_scores(merged, task.width), found.score)
    improved = replace(
        bounded,
        choice=found.choice,
        score=found.score,
        bound=bound,
        status=scoring_limit(made.status, run) if bounded.status == "optimal" else bounded.status,
        trace=(
            *(point._replace(bound=max(point.bound, bound)) for point in bounded.trace),
            BoundPoint(run.clock.seconds_passed, found.score, bound),
        ),
        peak_bytes=max(bounded.peak_bytes, found.peak_bytes),
    )
    return CompletedSearch(_add_reason(improved, f"{within} is {gain:.6g} nats better, and taken"), merged)


def _score_bags(decomposition: TreeDecomposition, task: BoundedTask, max_parents: int) -> ScoringResult | None:
    """The families within the bags; None if the prior network of the score is too large for them."""
    problem = task.problem
    index = {name: at for at, name in enumerate(task.families.variables)}
    bags = [[index[name] for name in bag] for bag in decomposition.bags]
    score, prior = problem.scoring
    scoring = BagScoring(
        data=problem.data,
        score=score,
        prior=prior,
        knowledge=problem.knowledge,
        max_parents=max_parents,
        states=problem.scored_states,
    )
    try:
        return scoring.score_bags(bags, decomposition.parents, task.run)
    except _core.PriorTooLarge:
        return None


def _add_reason(bounded: BoundedResult, reason: str) -> BoundedResult:
    return replace(bounded, reason="; ".join(filter(None, (bounded.reason, reason))))


def _end_early(bounded: BoundedResult, status: CoreStatus | Status, run: Run) -> BoundedResult:
    """The result of the search, with the limit that ended the completion of its families."""
    reason = "the families within its bags were not all scored, or not searched, as a limit was reached"
    ended = run.status_of(status) if status in ("stopped", "interrupted", "memory_limit") else bounded.status
    return _add_reason(replace(bounded, status=ended), reason)
