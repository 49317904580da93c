"""Score-based learning: score all families, or as many as the limits allow, then search among them.

Scoring has half of the time, the search the other half. If the limits leave parent sets unscored, the search finds a
network of the scored families. Half of the search time is then spent on hill climbing from this network over all parent
sets. If possible, the bound covers networks with unscored families, too; otherwise there is no bound.
"""

from __future__ import annotations

import math
from dataclasses import replace

from credenet._run.ledger import NOTHING_BEYOND, UnsearchedNetworks
from credenet._run.run import Run
from credenet._run.status import Status
from credenet._text import count
from credenet.data.dataset import Dataset
from credenet.families.nested_penalties import SlackError
from credenet.families.table import FamilyTable
from credenet.families.tolerance import tolerance
from credenet.graphs import DAG
from credenet.knowledge.kinds import global_kinds
from credenet.learners.climbs.climbing import climb_data
from credenet.learners.problem import LearningProblem
from credenet.learners.results import LearnResult
from credenet.learners.table_search import result_of, search
from credenet.search.components import SearchResult
from credenet.settings.method_bases import ScoreBased
from credenet.settings.methods import HillClimb


def learn_by_score(method: ScoreBased, problem: LearningProblem, run: Run) -> LearnResult:
    """The network that a method finds among the families given, or among those of the data."""
    if isinstance(problem.source, Dataset):
        return _learn_from_data(method, problem, run)
    families = problem.source
    found, reason = search(families, method, problem, run)
    return result_of(families, found, problem.provenance(method, run, families.made, reason=reason), run)


def _learn_from_data(method: ScoreBased, problem: LearningProblem, run: Run) -> LearnResult:
    """The network found among the families that could be scored, with a bound on all networks if there is one."""
    start = run.clock.seconds_passed
    families = problem.families(run)
    scoring_seconds = run.clock.seconds_passed - start
    if families.made.status == "interrupted":  # After Ctrl-C only a quick network is wanted.
        run = run.end_within(seconds=0.0)
    try:
        found, reason = _search(families, method, problem, run)
    except SlackError as need:
        families = problem.families(run, need.slack)
        found, reason = _search(families, method, problem, run)
    made = families.made
    provenance = problem.provenance(method, run, made, reason=reason)
    result = result_of(families, found, provenance, run, scoring_seconds=scoring_seconds)
    if networks_beyond(families, problem).gain == 0:
        return search_all_families(result, families, problem, run)
    return _improve(search_all_families(result, families, problem, run), problem, run)


def search_all_families(result: LearnResult, families: FamilyTable, problem: LearningProblem, run: Run) -> LearnResult:
    """The result among the scored families, extended by a bound on all networks if there is one."""
    beyond = networks_beyond(families, problem)
    status, made = result.status, families.made
    if made.status == "interrupted" and status == "time_limit":  # Ctrl-C had set a deadline for a quick network.
        status = "stopped"
    if beyond.gain == 0:
        return replace(result, status=status, scope=None if result.bound is None else "all")
    if made.status == "interrupted" or status in ("optimal", "infeasible"):
        status = scoring_limit(made.status, run)
    bound = math.inf if result.bound is None else beyond.bound(result.bound)
    return replace(
        result,
        status=status,
        bound=bound if math.isfinite(bound) else None,
        scope="all" if math.isfinite(bound) else None,
        families_bound=result.bound,
        families_max_parents=None if result.bound is None else made.max_parents,
    )


def _improve(result: LearnResult, problem: LearningProblem, run: Run) -> LearnResult:
    """The result improved by hill climbing over all parent sets, if there is a time limit and some time is left."""
    if not result.has_network or result.status == "stopped" or not _may_climb(problem, run):
        return result
    climbed = climb_data(HillClimb(), problem, run, start=result.dag)
    assert result.score is not None
    statistics = replace(result.statistics, seconds=run.clock.seconds_passed)
    status = climbed.status if result.status == "time_limit" else result.status
    if climbed.score is None or climbed.score <= result.score + tolerance(result.score):
        return replace(result, status=status, statistics=statistics)
    most = result.provenance.max_parents
    scored = f"families of at most {count(most, 'parent')}" if most is not None else "some families"
    reason = f"{scored} were scored; the best network of these was improved by hill climbing over all parent sets"
    improved = replace_network(result, climbed.dag, climbed.score, problem.max_parents, reason)
    return replace(improved, status=status, statistics=statistics)


def replace_network(result: LearnResult, graph: DAG, score: float, max_parents: int | None, reason: str) -> LearnResult:
    """The result with a better network, some of whose families were not in the table that was searched."""
    return replace(
        result,
        graph=graph,
        score=score,
        bound=None if result.bound is None else max(result.bound, score),
        local={},
        provenance=replace(result.provenance.with_reason(reason), max_parents=max_parents),
    )


def _may_climb(problem: LearningProblem, run: Run) -> bool:
    if run.clock.time_limit is None or run.clock.is_over or not problem.has_data:
        return False
    return problem.knowledge is None or not global_kinds(problem.knowledge)


def _search(families: FamilyTable, method: ScoreBased, problem: LearningProblem, run: Run) -> tuple[SearchResult, str]:
    """Searches a table, in half of the time left if hill climbing follows."""
    beyond = networks_beyond(families, problem)
    may_climb = beyond.gain > 0 and _may_climb(problem, run)
    return search(families, method, problem, replace(run.end_within(share=1 / 2) if may_climb else run, beyond=beyond))


def networks_beyond(families: FamilyTable, problem: LearningProblem) -> UnsearchedNetworks:
    """Bounds on networks with parent sets that were not scored.

    Replace each such set by its best subset in the table: the network stays acyclic, as edges are only removed, and
    loses at most the gain of each variable. Besides, no variable contributes more than its best family or the bound on
    its unscored sets. Neither holds under a prior on whole networks.
    """
    made = families.made
    if made.complete:
        return NOTHING_BEYOND
    if made.unscored is None or (problem.prior is not None and not problem.prior.is_modular):
        return UnsearchedNetworks(math.inf)
    best = {name: families.best(name).score if families.n_families(name) else -math.inf for name in families.variables}
    highest = (
        max(score, made.unscored[name].bound if name in made.unscored else score) for name, score in best.items()
    )
    return UnsearchedNetworks(math.fsum(sets.gain for sets in made.unscored.values()), math.fsum(highest))


def scoring_limit(status: str | None, run: Run) -> Status:
    """The status of a result from the status with which the scoring of families ended."""
    if status == "interrupted":
        return "stopped"
    if status == "stopped":
        is_late = run.clock.time_limit is not None and not run.stop.is_asked
        return "time_limit" if is_late else run.status_of("stopped")
    return "iteration_limit" if status == "iteration_limit" else "memory_limit"
