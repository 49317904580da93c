"""Hill climbing and tabu search on data, which score families when they need them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from credenet import _core
from credenet._run.ledger import BoundPoint
from credenet._run.run import Run
from credenet.errors import KnowledgeError
from credenet.families.scoring.child_rules import child_rules, find_isolated
from credenet.families.scoring.core_scoring import (
    check_data,
    drop_unobserved_states,
    family_scorer,
    prior_fits_in_memory,
)
from credenet.graphs import DAG
from credenet.learners.pair_memory import check_pairs_fit
from credenet.learners.problem import LearningProblem
from credenet.learners.results import LearnResult, Statistics
from credenet.search.adjacency import adjacent_pairs, join_network
from credenet.search.first_network import place_parents
from credenet.search.local import climb_options
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

    Parameters
    ----------
    start
        The first network, by default the required edges and adjacent pairs; a variable whose parents in it are not
        allowed begins with its required parents.
    candidates
        For each variable its possible parents besides the required ones; by default all others.
    """
    data, (score, prior) = problem.data, problem.scoring
    check_data(data)
    check_pairs_fit(data, method.short_name, _PAIR_BYTES, run.memory)
    used = data if problem.scored_states == "declared" else drop_unobserved_states(data)
    rules = child_rules(used, prior, problem.knowledge, problem.max_parents, candidates)
    first = None if start is None else _keep_allowed(start, rules)
    if first is None:
        first = _first_network(rules, problem, run)
    if first is None:
        return _infeasible(method, problem, run)
    adjacent = adjacent_pairs(problem.knowledge, data.variables)
    with prior_fits_in_memory():
        outcome = _core.hill_climb_data(
            family_scorer(score, used),
            rules,
            first,
            climb_options(method, run, adjacent),
            run.memory / 2,  # The gains that are cached may take the other half.
            run.n_threads,
            run.callback(),
        )
    if not math.isfinite(outcome.score):
        return _infeasible(method, problem, run)
    return LearnResult(
        graph=DAG.from_indices(data.variables, outcome.parents),
        score=outcome.score,
        bound=None,
        status=run.status_of(outcome.status),
        statistics=Statistics(seconds=run.clock.seconds_passed, expanded=outcome.n_expanded),
        provenance=problem.provenance(method, run),
        isolated=find_isolated(data, problem.knowledge),
        trace=tuple(BoundPoint(seconds, score, math.inf) for seconds, score, _ in outcome.trace),
        remarks=(_SINGLE_EDGES,) if isinstance(prior, InDegree) and prior.exact else (),
    )


def _keep_allowed(start: DAG, rules: Sequence[_core.ChildRules]) -> list[list[int]] | None:
    """For each variable its parents in ``start`` if allowed, else the required ones; None if these are not allowed."""

    def is_allowed(rule: _core.ChildRules, parents: Sequence[int]) -> bool:
        return len(parents) <= rule.max_parents and math.isfinite(rule.log_prior(parents))

    first = [
        list(parents) if is_allowed(rule, parents) else rule.required
        for rule, parents in zip(rules, start.parent_indices, strict=True)
    ]
    return first if all(map(is_allowed, rules, first)) else None


def _first_network(rules: Sequence[_core.ChildRules], problem: LearningProblem, run: Run) -> list[list[int]] | None:
    """A network with the required edges and adjacent pairs, and more parents if the prior demands them; or None."""
    if any(len(rule.required) > rule.max_parents for rule in rules):
        return None
    most = [len(rules) if problem.max_parents is None else problem.max_parents] * len(rules)
    first = join_network(problem.knowledge, problem.data.variables, most, run)
    if first is None:
        raise KnowledgeError("no network has an edge for every pair that must be adjacent, and obeys the other rules")
    if all(math.isfinite(rule.log_prior(parents)) for rule, parents in zip(rules, first, strict=True)):
        return first
    most = list(map(_most_parents, rules))
    return join_network(problem.knowledge, problem.data.variables, most, run, lambda kept: place_parents(rules, kept))


def _most_parents(rule: _core.ChildRules) -> int:
    """The largest number of parents that the rules and the prior allow; at least the number of required ones."""
    sizes = range(rule.max_parents, len(rule.required), -1)
    return next((size for size in sizes if math.isfinite(rule.log_factors[size])), len(rule.required))


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
