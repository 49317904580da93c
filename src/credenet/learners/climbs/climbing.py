"""Hill climbing and tabu search on data, which score families when they need them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from credenet._run.ledger import BoundPoint
from credenet._run.run import Run
from credenet.errors import ArgumentError
from credenet.families.scoring.child_rules import find_isolated
from credenet.families.scoring.core_scoring import check_data
from credenet.graphs import DAG
from credenet.learners.climbs.data_climb import DataClimb, Network, ReachedNetwork, Rules
from credenet.learners.climbs.edge_climbs import climb_edges
from credenet.learners.climbs.penalised_climbs import climb_limits
from credenet.learners.pair_memory import check_pairs_fit
from credenet.learners.problem import LearningProblem
from credenet.learners.results import LearnResult, Statistics
from credenet.settings.method_bases import Climb
from credenet.settings.priors import InDegree

_PAIR_BYTES = 60  # Bytes per pair of variables, in rules and gains; an upper estimate.
_SINGLE_EDGES = (
    "local search changes one edge at a time, which exact in-degrees rule out for most edges; order_search and the "
    "exact methods find better networks"
)


def climb_data(
    method: Climb,
    problem: LearningProblem,
    run: Run,
    *,
    candidates: Mapping[str, Sequence[str]] | None = None,
    start: DAG | None = None,
) -> LearnResult:
    """A local optimum under changes of single edges, reached from a network that obeys the rules.

    Under a prior on whole networks it is the best of several local optima: see `climb_limits` and `climb_edges`.

    Parameters
    ----------
    start
        The first network, by default the required edges and adjacent pairs; a variable whose parents in it are not
        allowed begins with its required parents.
    candidates
        For each variable its possible parents besides the required ones; by default all others.
    """
    prior = problem.scoring[1]
    check_data(problem.data)
    check_pairs_fit(problem.data, method.short_name, _PAIR_BYTES, run.memory)
    climbs = DataClimb.from_problem(problem, run, candidates, start)
    rules = climbs.rules(problem.max_parents)
    first = climbs.first_network(rules, problem.max_parents)
    if first is None:
        return _infeasible(method, problem, run)
    if prior.is_modular:
        reached = _climb_once(method, climbs, rules, first)
    else:
        if prior.complexity == "tree_width":
            raise ArgumentError(f"climbs do not follow {prior}; method='dp' compares all networks of so few variables")
        climb = climb_edges if prior.complexity == "edges" else climb_limits
        reached = climb(method, climbs, rules, first)
    if not math.isfinite(reached.score):
        return _infeasible(method, problem, run)
    return LearnResult(
        graph=DAG.from_indices(problem.data.variables, reached.parents),
        score=reached.score,
        bound=None,
        status=reached.status,
        statistics=Statistics(seconds=run.clock.seconds_passed, expanded=reached.expanded),
        provenance=problem.provenance(method, run, reason=reached.reason),
        isolated=find_isolated(problem.data, problem.knowledge),
        trace=reached.trace,
        remarks=(_SINGLE_EDGES,) if isinstance(prior, InDegree) and prior.exact else (),
    )


def _climb_once(method: Climb, climbs: DataClimb, rules: Rules, first: Network) -> ReachedNetwork:
    """The network of one climb, scored by a sum over families."""
    outcome = climbs.climb(method, rules, first)
    return ReachedNetwork(
        parents=outcome.parents,
        score=outcome.score,
        status=climbs.run.status_of(outcome.status),
        expanded=outcome.n_expanded,
        trace=tuple(BoundPoint(seconds, score, math.inf) for seconds, score, _ in outcome.trace),
    )


def _infeasible(method: Climb, problem: LearningProblem, run: Run) -> LearnResult:
    return LearnResult(
        graph=DAG(problem.data.variables),
        score=None,
        bound=None,
        status="infeasible",
        statistics=Statistics(seconds=run.clock.seconds_passed),
        provenance=problem.provenance(method, run),
        isolated=find_isolated(problem.data, problem.knowledge),
    )
