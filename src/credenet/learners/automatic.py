"""Method ``auto`` on data: hill climbing first, then all families if they can be scored, else the promising ones.

Before anything is scored, the cost of all families is estimated. If sets of at least three parents (or all that can be
useful) can be scored within the budget, they are, and an exact search follows. Otherwise families are explored best
first, while searches over orders and over single edges improve the network.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from credenet._run.ledger import BoundPoint
from credenet._run.run import Run
from credenet._run.status import Status
from credenet._text import count, duration
from credenet.families.nested_penalties import edge_prior, log_prior_of
from credenet.families.scoring.child_rules import child_rules, n_families
from credenet.families.scoring.core_scoring import MOST_VARIABLES, check_data
from credenet.families.scoring.scoring_budget import ScoringBudget, ScoringDepth
from credenet.families.scoring.scoring_cost import ESTIMATE_SHARE, LevelCost, scoring_cost
from credenet.families.table import FamilyTable
from credenet.families.tolerance import tolerance
from credenet.knowledge.kinds import global_kinds
from credenet.learners.climbs.climbing import climb_data
from credenet.learners.exploring_search import DEFAULT_SECONDS, LONG_SEARCH, RESTARTS, ExploringSearch
from credenet.learners.problem import LearningProblem
from credenet.learners.results import LearnResult
from credenet.learners.score_based import learn_by_score, networks_beyond, search_all_families
from credenet.learners.table_search import result_of, search
from credenet.settings.methods import Auto, HillClimb
from credenet.settings.priors import Uniform

QUICK_SCORING = 0.2  # Estimated seconds of scoring all families up to which no other plan is considered.
SCORING_SECONDS = 4.0  # Estimated seconds that scoring may take without a time limit.
SCORING_SHARE = 0.4  # Share of a time limit that scoring may take by estimate.
FIRST_SHARE = 0.1  # Share of the scoring budget for the first depth, so that a proof may come early.
FIRST_SOLVING = 0.2  # Share of the time left for the search at the first depth.
MANY_PARENTS = 10  # Parents of the sets that are counted; with more, the sets are too many or nearly all are counted.
IMPROVING = 0.25  # Share of the time left to look for larger families before the search at the last depth.
LAST_SOLVING = 0.5  # Share of the time left for the search at the last depth, if larger families can be useful.
DEEPER_SHARE = 0.4  # Share of the time left after the last depth that scoring larger families may take by estimate.
CLIMBING_SHARE = 0.3  # Share of the time for climbs that find the largest in-degree, if a prior depends on it.
FEW_PARENTS = 2  # Parents of sets that must all be affordable, or no cost is estimated.
ENOUGH_PARENTS = 3  # Parents up to which families must be scored, as networks of smaller sets are mostly poor.


def learn_automatically(method: Auto, problem: LearningProblem, run: Run) -> LearnResult:
    """A good network in any case, with a proof if the time suffices for one."""
    check_data(problem.data)
    if problem.data.n_variables > MOST_VARIABLES and not _needs_whole_table(problem):
        return _climb(method, problem, run)
    n_few, n_many = _n_families(problem)
    quick = ScoringBudget.from_seconds(run, problem.data, QUICK_SCORING)
    if quick.can_score(n_many) or _needs_whole_table(problem):
        return learn_by_score(method, problem, run)
    if not problem.scoring[1].is_modular:
        return _learn_penalised(method, problem, run, n_few)
    has_limit = run.clock.time_limit is not None
    if not has_limit:
        run = run.end_within(seconds=DEFAULT_SECONDS)
    networks = ExploringSearch(problem, run)
    if not networks.begin():
        return learn_by_score(method, problem, run)
    data = problem.data
    if has_limit:
        budget = ScoringBudget.from_share(run, data, share=SCORING_SHARE, seconds=SCORING_SECONDS)
    else:
        budget = ScoringBudget.from_seconds(run, data, SCORING_SECONDS)
    try:
        if budget.can_score(n_few) and not networks.is_over:
            return _search_after_first(method, problem, run, networks, budget, goes_on=has_limit)
        networks.explore(until_idle=False)
        return networks.result(method, _too_many(n_few, FEW_PARENTS, budget))
    except KeyboardInterrupt:  # Ctrl-C arrived between two searches; searches themselves end without an error.
        networks.stop()
        return networks.result(method, "")


def _climb(method: Auto, problem: LearningProblem, run: Run) -> LearnResult:
    """The network of hill climbing with restarts, for data with too many variables for lists of families."""
    if run.clock.time_limit is None:
        run = run.end_within(seconds=DEFAULT_SECONDS)
    result = climb_data(HillClimb(restarts=RESTARTS), problem, run)
    reason = f"hill climbing, as families of at most {MOST_VARIABLES:,} variables can be listed"
    return replace(result, provenance=problem.provenance(method, run, reason=reason))


def _learn_penalised(method: Auto, problem: LearningProblem, run: Run, n_few: int) -> LearnResult:
    """The best network under a prior on whole networks that depends on their complexity.

    If the budget suffices, all families are scored, and searched as often as the prior needs it. Otherwise climbs find
    a network. A search among the networks of at most its in-degree follows, or under the prior of single edges that
    is nearest at its number of edges.
    """
    _, prior = problem.scoring
    assert not prior.is_modular
    modular = replace(problem, prior=prior.modular_part())
    budget = ScoringBudget.from_share(run, problem.data, share=SCORING_SHARE, seconds=SCORING_SECONDS)
    if budget.can_score(n_few):
        depths = _depths(_costs(modular, run), budget)
        if depths and depths[-1].is_last:
            return learn_by_score(method, problem, run)
    climbed = climb_data(HillClimb(), problem, run.end_within(share=CLIMBING_SHARE))
    reason = climbed.provenance.reason
    best = replace(climbed, provenance=problem.provenance(method, run, reason=reason))
    if climbed.score is None or climbed.status == "stopped" or run.clock.is_over:
        return best
    if prior.complexity == "edges":
        edge = edge_prior(prior, problem.data.n_variables, climbed.dag.n_edges)
        where, nearest = f"under the prior {edge}", replace(problem, prior=edge)
        log_beta = math.log(edge.beta)
    else:
        limit, log_beta = climbed.dag.max_in_degree, 0.0
        where = f"among networks of at most {count(limit, 'parent')}"
        nearest = replace(modular, max_parents=limit)
    within = learn_automatically(method, nearest, run)
    status: Status = "local_optimum" if within.status in ("optimal", "iteration_limit") else within.status
    if within.score is not None:
        score = within.score - log_beta * within.dag.n_edges + log_prior_of(prior, within.dag.parent_indices)
        if score > climbed.score + tolerance(score):
            reason = f"{reason}; a search {where} found a better one"
            provenance = problem.provenance(method, run, reason=reason)
            point = BoundPoint(run.clock.seconds_passed, score, math.inf)
            best = replace(best, graph=within.dag, score=score, provenance=provenance, trace=(*best.trace, point))
    return replace(best, status=status, statistics=replace(best.statistics, seconds=run.clock.seconds_passed))


def _search_after_first(
    method: Auto, problem: LearningProblem, run: Run, networks: ExploringSearch, budget: ScoringBudget, *, goes_on: bool
) -> LearnResult:
    """Improves the first network: by an exact search if enough families can be scored, else by exploration."""
    costs = _costs(problem, run)
    depths = _depths(costs, budget)
    if not depths:
        networks.explore(until_idle=False)
        return networks.result(method, _too_many(costs[-1].families, costs[-1].parents, budget))
    result = _search_by_depth(method, problem, run, networks, depths)
    if result.status in ("optimal", "infeasible") or not result.has_network:
        return result
    further = [cost for cost in costs if cost.parents > depths[-1].parents]
    if further:
        reason = _left_out(further[0], budget)
        result = replace(result, provenance=result.provenance.with_reason(reason))
    _deepen(problem, run, networks, costs, depths[-1])
    networks.improve()
    if goes_on or result.status == "time_limit":  # With this status nothing is proven of the scored families either.
        networks.explore(until_idle=True)
    return networks.best_of(result)


def _deepen(
    problem: LearningProblem, run: Run, networks: ExploringSearch, costs: Sequence[LevelCost], reached: ScoringDepth
) -> None:
    """Searches among larger families, if a share of the time that is left suffices to score them."""
    affordable = ScoringBudget.from_share(run, problem.data, share=DEEPER_SHARE, seconds=SCORING_SECONDS).depths_within(
        costs
    )
    if networks.is_over or not affordable or affordable[-1].parents <= reached.parents:
        return
    deepest = affordable[-1]
    families = problem.families(networks.telling(run), up_to_parents=None if deepest.is_last else deepest.parents)
    networks.improve_on(families, LONG_SEARCH)


def _needs_whole_table(problem: LearningProblem) -> bool:
    """Whether the rules or the score require that families are scored before the search."""
    knowledge = problem.knowledge
    if knowledge is not None and (global_kinds(knowledge) or knowledge.makes_subset_pruning_unsafe):
        return True
    return not problem.scoring[0].has_best_first


def _n_families(problem: LearningProblem) -> tuple[int, int]:
    """The numbers of families of at most `FEW_PARENTS` and of at most `MANY_PARENTS` parents that the rules allow."""
    most = MANY_PARENTS if problem.max_parents is None else min(MANY_PARENTS, problem.max_parents)
    rules = child_rules(problem.data, Uniform(), problem.knowledge, most, None)
    return n_families(rules, FEW_PARENTS), n_families(rules)


def _costs(problem: LearningProblem, run: Run) -> tuple[LevelCost, ...]:
    score, prior = problem.scoring
    return scoring_cost(
        problem.data,
        score=score,
        prior=prior,
        knowledge=problem.knowledge,
        max_parents=problem.max_parents,
        states=problem.scored_states,
        n_threads=run.n_threads,
        clock=run.clock.end_within(share=ESTIMATE_SHARE),
    )


def _depths(costs: Sequence[LevelCost], budget: ScoringBudget) -> list[ScoringDepth]:
    """The depths to search: the largest within the budget, after a quick one if any; none if it is too small."""
    reached = budget.depths_within(costs)
    if not reached or not (reached[-1].is_last or reached[-1].parents >= ENOUGH_PARENTS):
        return []
    first = FIRST_SHARE * budget.seconds
    early = [depth for depth in reached if depth.seconds <= first and depth.parents >= ENOUGH_PARENTS]
    return [*early[-1:], reached[-1]] if early and early[-1] != reached[-1] else [reached[-1]]


def _too_many(number: float, n_parents: int, budget: ScoringBudget) -> str:
    return (
        f"about {number:.2g} families of {count(n_parents, 'parent')} are too many to score in "
        f"{duration(budget.seconds)}, so the most promising ones were explored"
    )


def _left_out(cost: LevelCost, budget: ScoringBudget) -> str:
    seconds = duration(cost.families * budget.seconds_each)
    return f"about {cost.families:.2g} families of {count(cost.parents, 'parent')} would take {seconds} more to score"


def _search_by_depth(
    method: Auto, problem: LearningProblem, run: Run, networks: ExploringSearch, depths: Sequence[ScoringDepth]
) -> LearnResult:
    """Searches exactly among the families of each depth in turn."""
    scoring_seconds = 0.0
    for depth in depths:
        begin = run.clock.seconds_passed
        families = problem.families(networks.telling(run), up_to_parents=None if depth.is_last else depth.parents)
        scoring_seconds += run.clock.seconds_passed - begin
        networks.improve_on(families)
        is_final = depth is depths[-1] or families.made.status == "interrupted" or networks.is_over
        is_whole = networks_beyond(families, problem).gain == 0
        if is_final and not is_whole:
            networks.improve(IMPROVING)
        share = (1.0 if is_whole else LAST_SOLVING) if is_final else FIRST_SOLVING
        result = _solve(method, problem, _turn(run, families, share), families, scoring_seconds)
        networks.offer(result)
        if is_final or networks.is_over or result.status in ("optimal", "infeasible"):
            break
    return result


def _turn(run: Run, families: FamilyTable, share: float) -> Run:
    """The run with a share of the time that is left."""
    only_quick = families.made.status == "interrupted"
    return run.end_within(seconds=0.0) if only_quick else run.end_within(share=share)


def _solve(
    method: Auto, problem: LearningProblem, run: Run, families: FamilyTable, scoring_seconds: float
) -> LearnResult:
    """The best network of a table, with a bound on all networks if there is one."""
    found, reason = search(families, method, problem, replace(run, beyond=networks_beyond(families, problem)))
    provenance = problem.provenance(method, run, families.made, reason=reason)
    result = result_of(families, found, provenance, run, scoring_seconds=scoring_seconds)
    return search_all_families(result, families, problem, run)
