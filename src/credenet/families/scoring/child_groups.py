"""Families scored by the workers of an executor: each group of variables is a piece of work.

The families of one variable do not depend on those of another, so the groups together give the table of one process.
They share no counts: one process counts a set of variables once for all of its families, and here each group counts it
again. Families of k parents are thus counted up to k + 1 times as often, and only more workers than that save time.
Large parent sets and a best-first search count for each variable separately in any case.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from credenet import _core
from credenet._run.clock import Clock
from credenet._run.progress import OnProgress
from credenet._run.run import Run
from credenet._run.workers import n_groups, run_in_workers
from credenet.families.scoring.child_rules import NO_PARENTS
from credenet.families.scoring.scoring_result import FamilyArrays, ScoringResult

if TYPE_CHECKING:
    from credenet._run.status import CoreStatus
    from credenet.families.scoring.calls import FamilyScoring

_NO_SETS = (0.0, -np.inf)  # Gain and bound of the unscored parent sets of a variable whose sets are all scored.
_GRAVEST: list[CoreStatus] = ["interrupted", "stopped", "memory_limit", "iteration_limit", "complete"]


def score_by_workers(scoring: FamilyScoring, executor: Executor, run: Run) -> ScoringResult:
    """The families of all variables; a variable whose group no worker has finished at a stop has no families."""
    n = scoring.data.n_variables
    number = min(n, n_groups(executor, run))
    ends = [n * at // number for at in range(number + 1)]
    groups = [range(*pair) for pair in itertools.pairwise(ends)]
    shared = replace(scoring, max_work=-(-scoring.max_work // number))
    parts = run_in_workers(
        executor, run, number, _GroupScoring(shared, groups, run.clock, run.memory / number), ends_in_time=True
    )
    return _join_groups(parts, n, min if scoring.max_families is None else max)


@dataclass(frozen=True, slots=True)
class _GroupScoring:
    """Scores the families of the variables of group k; pickled for executors with other processes."""

    scoring: FamilyScoring
    groups: Sequence[range]
    clock: Clock
    memory: float

    def __call__(self, number: int, keep_going: OnProgress) -> tuple[range, ScoringResult]:
        group = self.groups[number]
        rules = [
            rule if child in group else _core.ChildRules([], NO_PARENTS, 0, _core.SizeFactors(np.zeros(1)), [], 0.0)
            for child, rule in enumerate(self.scoring.rules())
        ]
        run = Run(clock=self.clock, memory=self.memory, n_threads=1, seed=0, on_progress=keep_going)
        scored = self.scoring.score_rules(run, rules)
        n_others = sum(len(scored.families[child][0]) for child in range(len(rules)) if child not in group)
        return group, scored._replace(
            families=scored.families[group.start : group.stop],
            evaluated=scored.evaluated - n_others,
            unscored=scored.unscored[group.start : group.stop],
        )


def _join_groups(parts: Sequence[tuple[range, ScoringResult]], n: int, level_of: Callable[..., int]) -> ScoringResult:
    """Joins the groups; the variables of a missing group have no families and infinite bounds."""
    nothing: FamilyArrays = (np.empty(0), np.zeros(1, dtype=np.int64), np.empty(0, dtype=np.int32))
    families = [nothing] * n
    unscored = [(np.inf, np.inf)] * n
    for group, scored in parts:
        families[group.start : group.stop] = scored.families
        if scored.status == "complete":
            unscored[group.start : group.stop] = [_NO_SETS] * len(group)
        elif scored.unscored:
            unscored[group.start : group.stop] = scored.unscored
    is_whole = sum(len(group) for group, _ in parts) == n
    statuses: set[CoreStatus] = {scored.status for _, scored in parts} if is_whole else {"stopped"}
    status = next(each for each in _GRAVEST if each in statuses)
    levels = [scored.levels for _, scored in parts if scored.status != "complete"] if is_whole else [0]
    return ScoringResult(
        families, sum(scored.evaluated for _, scored in parts), level_of(levels, default=0), status, unscored
    )
