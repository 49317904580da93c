"""Learning by tests of conditional independence, from data to a result, for all such methods."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import singledispatch

from credenet import _core
from credenet._run.progress import CoreCallback
from credenet._run.run import Run
from credenet._run.status import Status
from credenet._text import count
from credenet.graphs import PDAG
from credenet.learners.climbs.climbing import climb_data
from credenet.learners.constraint_based.tested_variables import TestedVariables
from credenet.learners.constraint_based.testing_remarks import dense_graph_remarks, refusal_remarks
from credenet.learners.problem import LearningProblem
from credenet.learners.results import LearnResult, Statistics
from credenet.settings.method_bases import Climb, ConstraintBased
from credenet.settings.methods import PC, RAI, HillClimb, Tabu
from credenet.settings.tests import as_test, name_of_test

TEST_SHARE = 0.8  # Share of the time for tests if a search follows.
FINISHING_SECONDS = 3.5e-7  # Seconds to direct and store one edge after tests were stopped.
# Seconds to list one pair of variables, direct its edge by what is known and store it, on a busy machine.
PAIR_SECONDS = {"pc": 4.5e-7, "rai": 7.5e-7}
OVERRUN_SHARE, OVERRUN_SECONDS = 0.1, 0.5  # A time limit may be overrun by this share of it and these seconds.


@singledispatch
def find_graph(
    method: ConstraintBased,
    tested: TestedVariables,
    max_order: int,
    begin_order: Callable[[int], None],
    callback: CoreCallback,
) -> _core.TestedGraph:
    """The graph found by tests with conditioning sets of at most ``max_order`` variables."""
    raise NotImplementedError(f"no search by tests is registered for {type(method).__name__}")


@find_graph.register(PC)
def _pc(
    method: PC, tested: TestedVariables, max_order: int, begin_order: Callable[[int], None], callback: CoreCallback
) -> _core.TestedGraph:
    majority, settles = method.orientation == "majority", method.ambiguous == "one"
    return _core.pc(tested.judge, tested.rules, max_order, majority, settles, begin_order, callback)


@find_graph.register(RAI)
def _rai(
    method: RAI, tested: TestedVariables, max_order: int, begin_order: Callable[[int], None], callback: CoreCallback
) -> _core.TestedGraph:
    start, published = tested.pairs(method.start), method.variant == "published"
    settles = method.ambiguous == "one"
    return _core.rai(tested.judge, tested.rules, *start, max_order, published, settles, begin_order, callback)


def learn_by_tests(method: ConstraintBased, problem: LearningProblem, run: Run) -> LearnResult:
    """The graph that a method finds by tests, or a local optimum of the score that a search reaches from it."""
    if method.then is None:
        return _test_graph(method, problem, run, 1.0)
    tested = _test_graph(method, problem, run, TEST_SHARE)
    climb: Climb = HillClimb(restarts=0) if method.then == "hill_climb" else Tabu(restarts=0)
    is_complete = tested.status == "complete"
    # If tests were stopped, their graph may be too dense to be scored.
    climbed = climb_data(climb, problem, run, start=tested.dag if is_complete else None)
    seconds = {"tests": tested.statistics.seconds, "search": run.clock.seconds_passed - tested.statistics.seconds}
    return replace(
        climbed,
        status=tested.status if not is_complete and climbed.status != "infeasible" else climbed.status,
        statistics=replace(
            climbed.statistics,
            tests=tested.statistics.tests,
            refused_tests=tested.statistics.refused_tests,
            stage_seconds=seconds,
        ),
        provenance=replace(tested.provenance.with_reason(climbed.provenance.reason), method=str(method)),
        remarks=(*tested.remarks, *climbed.remarks),
    )


def _test_graph(method: ConstraintBased, problem: LearningProblem, run: Run, share: float) -> LearnResult:
    """The graph that a method finds by tests, in at most a share of the time."""
    has_start = isinstance(method, RAI) and method.start is not None
    seconds = 0.0 if has_start else PAIR_SECONDS[method.short_name] * problem.data.n_variables**2 / 2
    if seconds > run.clock.seconds_left * (1 + OVERRUN_SHARE) + OVERRUN_SECONDS:
        return _without_tests(method, problem, run, seconds)
    tested = TestedVariables.from_problem(method, problem, run)
    orders = [0]  # Orders of tests that have begun.
    tested_graph = find_graph(
        method,
        tested,
        tested.largest_order(method.max_order),
        orders.append,
        run.callback(share=share, finishing=FINISHING_SECONDS, order=lambda: orders[-1]),
    )
    is_late = tested_graph.status == "stopped" and run.clock.time_limit is not None and not run.stop.is_asked
    # Strengths are left out if the tests did not finish: they would mean little, and no time is left.
    weakest = tested_graph.weakest if tested_graph.status == "complete" else ()
    stages = {f"order {order}": passed for order, passed in enumerate(tested_graph.order_seconds)}
    strengths = tested.strengths(weakest, run.callback())
    graph = tested.graph(problem.data, tested_graph.directed.reshape(-1, 2), tested_graph.undirected.reshape(-1, 2))
    status: Status = "time_limit" if is_late else run.status_of(tested_graph.status)
    tests = dict(enumerate(tested_graph.tests))
    refused = dict(enumerate(tested_graph.refused)) if tested.can_refuse else {}
    n_unjudged = tested.n_tested_edges(graph) - len(weakest) if tested_graph.status == "complete" else 0
    late = dense_graph_remarks(tested.test, tests) if status == "time_limit" else ()
    return LearnResult(
        graph=graph,
        score=None,
        bound=None,
        status=status,
        statistics=Statistics(
            seconds=run.clock.seconds_passed,
            tests=tests,
            refused_tests=refused,
            stage_seconds={**stages, "orientation": tested_graph.orientation_seconds},
        ),
        provenance=replace(problem.provenance(method, run), test=name_of_test(tested.test)),
        isolated=tested.isolated,
        conflicts=tuple(tested.conflict(*conflict) for conflict in tested_graph.conflicts),
        strengths=strengths,
        remarks=(*refusal_remarks(tested.test, tests, refused, n_unjudged), *late),
    )


def _without_tests(method: ConstraintBased, problem: LearningProblem, run: Run, seconds: float) -> LearnResult:
    """No network, as the graph that joins all pairs, which the tests begin with, would not be made in time."""
    variables = count(problem.data.n_variables, "variable")
    return LearnResult(
        graph=PDAG(problem.data.variables),
        score=None,
        bound=None,
        status="time_limit",
        statistics=Statistics(seconds=run.clock.seconds_passed, families=0),
        provenance=replace(problem.provenance(method, run), test=name_of_test(as_test(problem.test))),
        remarks=(
            f"{method.short_name} begins with all pairs of {variables}, which takes about {seconds:.0f} s, more than "
            "there was; hill_climb has a network sooner",
        ),
    )
