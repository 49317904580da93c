"""Max-min hill climbing: tests find candidate neighbours, and local search on a score chooses among them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from credenet import _core
from credenet._run.run import Run
from credenet.learners.climbs.climbing import climb_data
from credenet.learners.constraint_based.learning import TEST_SHARE
from credenet.learners.constraint_based.tested_variables import TestedVariables
from credenet.learners.constraint_based.testing_remarks import refusal_remarks
from credenet.learners.problem import LearningProblem
from credenet.settings.method_bases import Climb
from credenet.settings.methods import MMHC, HillClimb, Tabu
from credenet.settings.tests import name_of_test

if TYPE_CHECKING:
    from credenet.learners.results import LearnResult


def max_min_hill_climb(method: MMHC, problem: LearningProblem, run: Run) -> LearnResult:
    """A local optimum of the score among networks of the candidate edges.

    If the tests are stopped, a short hill climbing uses the pairs found so far.
    """
    tested = TestedVariables.from_problem(method, problem, run)
    ended, edges, counts, refused_counts = _core.max_min_neighbours(
        tested.judge, tested.rules, tested.largest_order(method.max_order), run.callback(share=TEST_SHARE)
    )
    tests = dict(enumerate(counts))
    refused = dict(enumerate(refused_counts)) if tested.can_refuse else {}
    testing_seconds = run.clock.seconds_passed
    candidates: dict[str, list[str]] = {name: [] for name in problem.data.variables}
    for a, b in edges:
        first, second = tested.variables[a], tested.variables[b]
        candidates[first].append(second)
        candidates[second].append(first)
    climb: Climb = HillClimb() if method.search == "hill_climb" else Tabu()
    if ended != "complete":
        climb = HillClimb(restarts=0)
    climbed = climb_data(climb, problem, run, candidates=candidates)
    status = climbed.status
    if ended == "interrupted":
        status = "stopped"
    elif ended == "stopped" and status == "local_optimum":
        status = "stopped" if run.clock.time_limit is None else "time_limit"
    return replace(
        climbed,
        status=status,
        statistics=replace(
            climbed.statistics,
            tests=tests,
            refused_tests=refused,
            stage_seconds={"tests": testing_seconds, "search": run.clock.seconds_passed - testing_seconds},
        ),
        provenance=replace(climbed.provenance, method=str(method), test=name_of_test(tested.test)),
        remarks=(*refusal_remarks(tested.test, tests, refused), *climbed.remarks),
    )
