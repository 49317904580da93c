"""From data to a network by way of scored families, all of them or as many as the limits allow.

Scoring has half of the time, the search the other half. Where limits leave parent sets unscored, the network is the
best, or nearly, of the families scored. Half of the search's time then goes to hill climbing over all parent sets from
there, and the bound says how much better a network with other families can be, or there is none.
"""

from __future__ import annotations

import math
from dataclasses import replace

from credenet._run.clock import Clock
from credenet._run.ledger import NOTHING_BEYOND, Beyond
from credenet._run.run import Run
from credenet._run.status import Status
from credenet._text import byte_count, count
from credenet.data.dataset import Dataset
from credenet.errors import ArgumentError
from credenet.families.priors import SSP, Uniform
from credenet.families.scoring import BYTES_PER_FAMILY, child_rules, n_families, score_families
from credenet.families.table import FamilyTable
from credenet.learners.climbing import climb_data
from credenet.learners.options import Options
from credenet.learners.results import LearnResult
from credenet.learners.table_search import result_of, search
from credenet.search.components import Found
from credenet.search.methods import HillClimb, Method
from credenet.search.ssp import SlackError
from credenet.search.support import global_kinds


def learn_from_data(data: Dataset, method: Method, options: Options, run: Run) -> LearnResult:
    """The network that a method finds among the families that can be scored, and what is known of all networks."""
    start = run.clock.passed
    families = scored_families(data, options, run, slack=0.0)
    scoring_seconds = run.clock.passed - start
    if families.made.status == "interrupted":  # only a network in a moment is wanted
        run = replace(run, clock=Clock(run.clock.passed, run.clock.start))
    try:
        found, reason = _search(families, method, options, run)
    except SlackError as need:
        families = scored_families(data, options, run, slack=need.slack)
        found, reason = _search(families, method, options, run)
    made = families.made
    provenance = options.provenance(
        data, method, run, max_parents=made.max_parents, complete=made.complete, reason=reason
    )
    result = result_of(families, found, provenance, run, scoring_seconds=scoring_seconds)
    beyond = networks_beyond(families, options)
    if beyond.gain == 0:
        return replace(result, scope=None if result.bound is None else "all")
    status = result.status
    if made.status == "interrupted" or status in ("optimal", "infeasible"):
        status = scoring_limit(made.status, run)
    bound = math.inf if result.bound is None else beyond.bound(result.bound)
    partial = replace(
        result,
        status=status,
        bound=bound if math.isfinite(bound) else None,
        scope="all" if math.isfinite(bound) else None,
        families_bound=result.bound,
    )
    return _improved(partial, data, options, run)


def _improved(result: LearnResult, data: Dataset, options: Options, run: Run) -> LearnResult:
    """After hill climbing over all parent sets, if there is a limit of time and some of it is left."""
    if not result.has_network or result.status == "stopped" or not _can_climb(options, run):
        return result
    climbed = climb_data(data, HillClimb(), options, run, start=result.dag)
    assert result.score is not None
    statistics = replace(result.statistics, seconds=run.clock.passed)
    status = climbed.status if result.status == "time_limit" else result.status
    if climbed.score is None or climbed.score <= result.score:
        return replace(result, status=status, statistics=statistics)
    most = result.provenance.max_parents
    scored = f"families of at most {count(most, 'parent')}" if most is not None else "some families"
    reason = f"{scored} were scored; the best network of these was improved by hill climbing over all parent sets"
    return replace(
        result,
        graph=climbed.graph,
        score=climbed.score,
        bound=None if result.bound is None else max(result.bound, climbed.score),
        families_bound=None,
        status=status,
        statistics=statistics,
        provenance=replace(
            result.provenance,
            max_parents=options.max_parents,
            reason="; ".join(filter(None, (result.provenance.reason, reason))),
        ),
    )


def _can_climb(options: Options, run: Run) -> bool:
    if run.clock.time_limit is None or run.clock.is_over:
        return False
    if isinstance(options.prior, SSP):
        return False
    return options.knowledge is None or not global_kinds(options.knowledge)


def _search(families: FamilyTable, method: Method, options: Options, run: Run) -> tuple[Found, str]:
    """In half of the time that is left, if hill climbing is to follow."""
    beyond = networks_beyond(families, options)
    clock = run.clock
    if beyond.gain > 0 and _can_climb(options, run):
        clock = Clock(clock.passed + clock.left / 2, clock.start)
    told = replace(run, beyond=beyond, clock=clock)
    return search(families, method, options.prior, options.knowledge, told)


def networks_beyond(families: FamilyTable, options: Options) -> Beyond:
    """What is known of networks that have parent sets which were not scored.

    In the place of each such set, the best of its subsets in the table makes a network of the table, which has no
    cycle as edges are left out only, and loses no more than the gain of the variable. Besides, no variable contributes
    more than its best family or the bound of its unscored sets. Neither holds under a prior on whole networks.
    """
    made = families.made
    if made.complete:
        return NOTHING_BEYOND
    if made.unscored is None or isinstance(options.prior, SSP):
        return Beyond(math.inf)
    best = {name: families.best(name).score if families.n_families(name) else -math.inf for name in families.variables}
    highest = (
        max(score, made.unscored[name].bound if name in made.unscored else score) for name, score in best.items()
    )
    return Beyond(math.fsum(sets.gain for sets in made.unscored.values()), math.fsum(highest))


def scoring_limit(status: str | None, run: Run) -> Status:
    """What ended the scoring of families."""
    if status == "interrupted":
        return "stopped"
    if status == "stopped":
        return run.status_of("stopped") if run.clock.time_limit is None else "time_limit"
    return "iteration_limit" if status == "iteration_limit" else "memory_limit"


def scored_families(data: Dataset, options: Options, run: Run, slack: float) -> FamilyTable:
    """The families of data, in at most half of the time that is left."""
    _check_unpruned(data, options, run)
    limited = run.clock.time_limit is not None
    return score_families(
        data,
        score=options.score,
        prior="uniform" if isinstance(options.prior, SSP) else options.prior,
        knowledge=options.knowledge,
        max_parents=options.max_parents,
        states=options.states,
        slack=slack,
        time_limit=max(run.clock.left / 2, 1e-3) if limited else None,
        memory_limit=run.memory,
        n_threads=run.n_threads,
        on_progress=run.on_progress,
    )


def _check_unpruned(data: Dataset, options: Options, run: Run) -> None:
    """Refuses to score all families where the knowledge lets none be pruned and they do not fit in memory."""
    if options.knowledge is None or not options.knowledge.makes_subset_pruning_unsafe:
        return
    number = n_families(child_rules(data, Uniform(), options.knowledge, options.max_parents, None))
    if number * BYTES_PER_FAMILY > run.memory:
        raise ArgumentError(
            f"the knowledge lets no family be pruned, and all {number:,} take {byte_count(number * BYTES_PER_FAMILY)}, "
            f"the memory limit is {byte_count(run.memory)}; give a smaller max_parents"
        )
