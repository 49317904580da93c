"""Learning by tests of conditional independence: one way from data to a result for all such methods."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from credenet import _core
from credenet._run.run import Run
from credenet._text import byte_count, count
from credenet.data.dataset import Dataset
from credenet.errors import ArgumentError
from credenet.independence.settings import Test, as_test, describe_test
from credenet.knowledge.knowledge import Knowledge
from credenet.learners.constraint_based.problem import Found, Problem
from credenet.learners.options import version
from credenet.learners.results import LearnResult, Provenance, Statistics
from credenet.search.methods import PC, ConstraintBased, describe_method

if TYPE_CHECKING:
    from credenet.data.coding import States

_PAIR_BYTES = 200  # what is kept of a pair of variables at most


def learn_by_tests(
    data: object,
    method: ConstraintBased,
    test: Test | str | None,
    knowledge: Knowledge | None,
    states: States | None,
    run: Run,
    *,
    unused: Mapping[str, object],
) -> LearnResult:
    """The graph that a method makes of the answers of a test; options in ``unused`` must not be given."""
    if not isinstance(data, Dataset):
        raise ArgumentError(f"{method.short_name} needs data to test, got {type(data).__name__}")
    for name, value in unused.items():
        if value is not None:
            raise ArgumentError(f"{method.short_name} uses tests of independence alone; it has no {name}")
    chosen = as_test(test)
    used_states: States = states or "observed"
    check_memory(data, method.short_name, run)
    problem = Problem.of(data, chosen, knowledge, used_states, run)
    found = _search(problem, method, run)
    strengths = problem.strengths(found.weakest, run.callback())
    return LearnResult(
        graph=problem.graph(data, found.directed, found.undirected),
        score=None,
        bound=None,
        status=run.status_of(found.status),
        statistics=Statistics(
            seconds=run.clock.passed,
            tests=dict(enumerate(found.tests)),
            stage_seconds=dict(found.stage_seconds),
        ),
        provenance=Provenance(
            method=describe_method(method),
            test=describe_test(chosen),
            states=used_states,
            knowledge=knowledge,
            n_rows=float(len(data) if data.weights is None else data.weights.sum()),
            data_digest=data.digest(),
            seed=run.seed,
            version=version(),
        ),
        isolated=problem.isolated,
        conflicts=tuple(problem.conflict(*conflict) for conflict in found.conflicts),
        strengths=strengths,
    )


def check_memory(data: Dataset, method: str, run: Run) -> None:
    """Refuses data with too many pairs of variables."""
    needed = data.n_variables**2 / 2 * _PAIR_BYTES
    if needed > run.memory:
        message = f"{method} keeps every pair of {count(data.n_variables, 'variable')}"
        raise ArgumentError(f"{message}, about {byte_count(needed)}; memory_limit is {byte_count(run.memory)}")


def _search(problem: Problem, method: ConstraintBased, run: Run) -> Found:
    most = len(problem.variables)
    max_order = most if method.max_order is None else min(method.max_order, most)
    orders = [0]  # begun so far
    callback = run.callback(order=lambda: orders[-1])
    if isinstance(method, PC):
        majority = method.orientation == "majority"
        outcome = _core.pc(problem.judge, problem.rules, max_order, majority, orders.append, callback)
    else:
        start = problem.pairs(method.start)
        published = method.variant == "published"
        outcome = _core.rai(problem.judge, problem.rules, *start, max_order, published, orders.append, callback)
    seconds = [(f"order {order}", passed) for order, passed in enumerate(outcome.order_seconds)]
    return Found(
        outcome.directed.reshape(-1, 2),
        outcome.undirected.reshape(-1, 2),
        outcome.status,
        outcome.tests,
        outcome.conflicts,
        # Of a graph that is not thinned out strengths would say little, and time is up.
        outcome.weakest if outcome.status == "complete" else (),
        (*seconds, ("orientation", outcome.orientation_seconds)),
    )
