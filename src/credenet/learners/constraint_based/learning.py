"""Learning by tests of conditional independence: from data to a result, for all such methods."""

from __future__ import annotations

from dataclasses import replace

from credenet._run.run import Run
from credenet.independence.settings import name_of_test
from credenet.learners.constraint_based.tested_variables import TestedVariables
from credenet.learners.problem import Problem
from credenet.learners.results import LearnResult, Statistics
from credenet.search.method_bases import ConstraintBased


def learn_by_tests(method: ConstraintBased, problem: Problem, run: Run) -> LearnResult:
    """The graph that a method finds by a test."""
    tested = TestedVariables.of(method, problem, run)
    orders = [0]  # begun so far
    found = method.search(
        tested, tested.largest_order(method.max_order), orders.append, run.callback(order=lambda: orders[-1])
    )
    # If the tests did not finish, strengths would mean little, and there is no time left.
    weakest = found.weakest if found.status == "complete" else ()
    seconds = {f"order {order}": passed for order, passed in enumerate(found.order_seconds)}
    strengths = tested.strengths(weakest, run.callback())
    return LearnResult(
        graph=tested.graph(problem.data, found.directed.reshape(-1, 2), found.undirected.reshape(-1, 2)),
        score=None,
        bound=None,
        status=run.status_of(found.status),
        statistics=Statistics(
            seconds=run.clock.passed,
            tests=dict(enumerate(found.tests)),
            stage_seconds={**seconds, "orientation": found.orientation_seconds},
        ),
        provenance=replace(problem.provenance(method, run), test=name_of_test(tested.test)),
        isolated=tested.isolated,
        conflicts=tuple(tested.conflict(*conflict) for conflict in found.conflicts),
        strengths=strengths,
    )
