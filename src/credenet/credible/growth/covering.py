"""The networks within the smallest slack that covers a given share of the posterior.

The sum over all networks is made once. Then the slack grows step by step until the listed networks hold the share, and
the set is cut back to the smallest slack that still covers it. Networks with equal scores stay or go together. Each
network beyond a slack weighs less than one at this slack. This bounds from below how many more networks are needed, and
the search ends early if these do not fit into memory.
"""

from __future__ import annotations

import math
from dataclasses import replace

from credenet._run.run import Run
from credenet._run.status import Status
from credenet.credible.covered_mass import sum_all
from credenet.credible.credible_set import CredibleSet
from credenet.credible.growth.slack_rounds import (
    BEYOND,
    FIRST,
    Find,
    Result,
    is_searched,
    next_slack,
    partial_of,
    slack_limit,
)
from credenet.credible.limit import CredibleLimit
from credenet.credible.preparation import prepare
from credenet.credible.result import Stage
from credenet.data.dataset import Dataset
from credenet.errors import ArgumentError
from credenet.families.tolerance import tolerance
from credenet.learners.problem import LearningProblem
from credenet.search.dag_sums import MOST_SUMMED, SummedNetworks, check_fits, variables_to_sum
from credenet.structures.products.network_diagrams import DiagramProduct
from credenet.structures.products.network_products import listing_bytes

_LATE = 0.1  # Last part of the slack, as a share of it, in which the growth of the mass is measured.
_MORE = 1.1  # Factor on the expected increase of the slack, as the growth is only estimated.
_LEAST_STEP = 0.05  # Smallest increase of the slack, as a share of it.
_INSTEAD = "; give bayes_factor instead of mass"


def covering(problem: LearningProblem, limit: CredibleLimit, run: Run, find: Find[Result]) -> Result:
    """The networks that cover the share of the posterior, or as much of it as can be listed."""
    assert limit.mass is not None
    data = _check(problem, limit, run)
    slack = FIRST
    result = find(prepare(problem, slack_limit(slack), run), slack, run)
    if result.optimum is None:
        return _add_mass(result, limit.mass)
    everything = result._findings.all_networks
    sum_all(everything, result.provenance, data, run)
    if everything.ended is not None:
        return _partial(result, limit.mass, run, everything.ended, "sum")
    while not _covers(result, limit.mass):
        if not is_searched(result, slack) or run.clock.is_over:
            return _partial(result, limit.mass, run, result.status, result.listing.ended_in)
        if isinstance(result._product, DiagramProduct):  # A diagram means that there are very many networks already.
            return _partial(result, limit.mass, run, "memory_limit", "enumeration")
        least = _least_networks(result, limit.mass)
        if _will_not_fit(result, least, run):
            return _partial(result, limit.mass, run, "memory_limit", "enumeration", least)
        slack = min(
            next_slack(max(result._product.components, key=len, default=None), slack), _expect_slack(result, limit.mass)
        )
        left = replace(run, memory=run.memory - result._product.n_bytes)
        try:
            more = find(prepare(problem, slack_limit(slack), left), slack, left)
        except KeyboardInterrupt:  # The core turns Ctrl-C into a status only while it searches.
            return _partial(result, limit.mass, run, "stopped", "enumeration")
        if more.status != "complete" and more._log_mass <= result._log_mass:
            return _partial(result, limit.mass, run, more.status, more.listing.ended_in)
        result = more._with_findings(replace(more._findings, all_networks=everything))
    return _cut_back(result, limit.mass, run)


def _check(problem: LearningProblem, limit: CredibleLimit, run: Run) -> Dataset:
    """The data of the problem; refuses problems whose networks cannot be summed."""
    limit.check_score(problem.score)
    if not isinstance(problem.source, Dataset):
        raise ArgumentError(f"mass needs the data, as families that are not in a table count, too{_INSTEAD}")
    score, prior = problem.scoring
    networks = SummedNetworks(score, prior, problem.knowledge, problem.max_parents, problem.scored_states)
    n = len(variables_to_sum(problem.data, networks))
    if n > MOST_SUMMED:
        raise ArgumentError(
            f"mass needs a sum over all networks, which is made for up to {MOST_SUMMED} variables; "
            f"there are {n}{_INSTEAD}"
        )
    check_fits(n, len(problem.data), run.memory, backward=False, instead=_INSTEAD)
    return problem.data


def _goal(result: Result, mass: float) -> float:
    """The sum of exp(score - optimum) that makes up the share of the posterior, up to the rounding of scores."""
    total = result._findings.all_networks.log_total
    assert total is not None
    assert result.optimum is not None
    return (mass - tolerance(result.optimum)) * math.exp(total - result.optimum)


def _covers(result: Result, mass: float) -> bool:
    """Whether the listed networks hold the share and none as good as these is missing."""
    return result.listing.complete_slack is not None and result._weight >= _goal(result, mass)


def _least_networks(result: Result, mass: float) -> int:
    """A lower bound on the networks needed: each unlisted network weighs at most as much as one at the slack."""
    assert result.listing.complete_slack is not None
    return result.n_networks + math.ceil(
        (_goal(result, mass) - result._weight) * math.exp(result.listing.complete_slack)
    )


def _expect_slack(result: Result, mass: float) -> float:
    """The slack expected to cover the share if the mass keeps growing as at the end, with a small margin."""
    slack = result.listing.slack
    late = result._weight - result._weight_within(int((1 - _LATE) * result._product.most))
    if late <= 0:
        return math.inf
    return slack + max(_MORE * _LATE * slack * (_goal(result, mass) - result._weight) / late, _LEAST_STEP * slack)


def _will_not_fit(result: Result, least: int, run: Run) -> bool:
    """Whether ``least`` networks do not fit into memory as a list; False if they are not listed one by one."""
    if not isinstance(result, CredibleSet) or len(result._product.components) > 1:
        return False
    return least * listing_bytes(len(result.variables)) > BEYOND * run.memory


def _cut_back(result: Result, mass: float, run: Run) -> Result:
    """The networks within the smallest slack that covers the share."""
    fewer = result._restrict(result._least_covering(_goal(result, mass)))
    findings = fewer._findings
    is_complete = bool(findings.provenance.complete)
    statistics = replace(findings.statistics, seconds=run.clock.seconds_passed)
    findings = replace(findings, mass=mass, statistics=statistics)
    if is_complete:
        findings = replace(findings, status="complete", ended_in=None, complete=True)
    return fewer._with_findings(findings)


def _partial(
    result: Result, mass: float, run: Run, status: Status, stage: Stage | None, least: int | None = None
) -> Result:
    """The found part of the networks that cover the share, with the limit that ended the search."""
    less = partial_of(result, result.listing.slack, status, stage, run)
    return _add_mass(less, mass, least)


def _add_mass(result: Result, mass: float, least: int | None = None) -> Result:
    return result._with_findings(replace(result._findings, mass=mass, least_networks=least))
