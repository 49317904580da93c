"""Max-min hill climbing: tests of independence say who may be neighbours, a local search on a score joins them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from credenet import _core
from credenet._run.run import Run
from credenet.independence.settings import Test, as_test, describe_test
from credenet.learners.climbing import climb_data
from credenet.learners.constraint_based.learning import check_memory
from credenet.learners.constraint_based.problem import Problem
from credenet.learners.options import Options
from credenet.search.methods import MMHC, HillClimb, Tabu, describe_method

if TYPE_CHECKING:
    from credenet.data.coding import States
    from credenet.data.dataset import Dataset
    from credenet.learners.results import LearnResult


def max_min_hill_climb(
    data: Dataset, method: MMHC, test: Test | str | None, states: States | None, options: Options, run: Run
) -> LearnResult:
    """A local optimum of the score among networks whose edges passed the tests.

    Stopped while it tests, it climbs for a moment among the pairs found so far.
    """
    chosen = as_test(test)
    check_memory(data, method.short_name, run)
    problem = Problem.of(data, chosen, options.knowledge, states or "observed", run)
    most = len(problem.variables)
    max_order = most if method.max_order is None else min(method.max_order, most)
    ended, edges, tests = _core.max_min_neighbours(problem.judge, problem.rules, max_order, run.callback(share=0.8))
    testing_seconds = run.clock.passed
    candidates: dict[str, list[str]] = {name: [] for name in data.variables}
    for a, b in edges:
        first, second = problem.variables[a], problem.variables[b]
        candidates[first].append(second)
        candidates[second].append(first)
    climb = HillClimb() if method.search == "hill_climb" else Tabu()
    if ended != "complete":
        climb = HillClimb(restarts=0)
    found = climb_data(data, climb, options, run, candidates=candidates)
    status = found.status
    if ended == "interrupted":
        status = "stopped"
    elif ended == "stopped" and status == "local_optimum":
        status = "stopped" if run.clock.time_limit is None else "time_limit"
    return replace(
        found,
        status=status,
        statistics=replace(
            found.statistics,
            tests=dict(enumerate(tests)),
            stage_seconds={"tests": testing_seconds, "search": run.clock.passed - testing_seconds},
        ),
        provenance=replace(found.provenance, method=describe_method(method), test=describe_test(chosen)),
    )
