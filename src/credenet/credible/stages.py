"""Credible sets by stages of growing slack.

The number of networks grows very fast with the slack, and a large slack takes long (families, tables, lists) before
that shows. So the slack grows from a small one, by stages that are meant to give about ten times as many networks. What
a stage finds is complete within its slack. The last stage is that of the slack asked for, unless the growth so far says
that its networks do not fit into memory: then the set of the stage before is returned, which says up to which slack it
is complete. All stages together take little longer than the last.

Many variables may take too long even with a moderate slack. Then there are two stages, the second with the slack asked
for, so that there is a set to return if the second does not end. The k best are found by stages, too.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import numpy as np

from credenet._arguments import whole_number
from credenet._run.run import Run
from credenet._run.status import Status
from credenet.credible.class_set import CredibleClasses
from credenet.credible.credible_set import CredibleSet
from credenet.credible.limit import CredibleLimit
from credenet.credible.preparation import Task, prepared
from credenet.credible.result import Stage
from credenet.errors import ArgumentError
from credenet.families.dag_counts import count_dags
from credenet.families.table import FamilyTable
from credenet.learners.problem import Problem
from credenet.search import cost
from credenet.structures.network_diagrams import DiagramProduct
from credenet.structures.network_products import ComponentNetworks, listing_bytes

Result = TypeVar("Result", CredibleSet, CredibleClasses)
Find = Callable[[Task, float, Run], Result]
"""What is within a slack, of families that were scored with at least that."""
Within = Callable[[CredibleLimit, Run], Result]

LARGEST_AT_ONCE = math.log(150) + 1e-6  # nats
FIRST = math.log(20)
_STEP = math.log(10)  # Growth of a stage, as the logarithm of a number of networks.
_MANY = 100_000  # Networks of a component above which it is judged whether all will fit.
_MANY_OF_LARGE = 10_000  # Networks for the same where there are too many variables for a table of their subsets.
BEYOND = 3  # Times what fits that may be expected before it is given up; the growth is not known exactly.
_MEASURED = 0.8  # Share of the slack beyond which the growth is measured.
_FIRST_OF_K = 1.0  # Nats of slack at first, where the number of networks is given.
_LARGEST_OF_K = 1e5  # Nats of slack at most, where the number of networks is given.
_CLOSE = 1e-3  # Nats between two slacks that need not be told apart.


def by_stages(problem: Problem, limit: CredibleLimit, run: Run, find: Find[Result]) -> Result:
    """What is within the limit, or within the largest slack that can be reached."""

    def within(limit: CredibleLimit, run: Run) -> Result:
        return find(prepared(problem, limit, run), limit.in_nats(0.0), run)

    if limit.ratio is not None:
        best = within(slack_limit(0.0), run)
        limit = slack_limit(limit.in_nats(best.optimum or 0.0))
        if best.optimum is None or best.status == "stopped" or run.clock.is_over:
            return partial_of(best, limit.in_nats(0.0), best.status, best.listing.ended_in, run)
    slack = limit.in_nats(0.0)
    known = problem.source.made.slack if isinstance(problem.source, FamilyTable) else None
    is_large = len(problem.source.variables) > cost.LARGEST_RESORT
    if slack <= (FIRST if is_large else LARGEST_AT_ONCE) or (known is not None and slack > known):
        return within(limit, run)
    if slack <= LARGEST_AT_ONCE:
        task = prepared(problem, limit, run)
        return _grown(lambda limit, run: find(task, limit.in_nats(0.0), run), slack_limit(FIRST), slack, run)
    first = CredibleLimit(math.exp(FIRST), None, None) if limit.by_factor else slack_limit(FIRST)
    return _grown(within, first, slack, run)


def _grown(within: Within[Result], first: CredibleLimit, asked: float, run: Run) -> Result:
    """What is within the slack asked for, from a smaller one on."""
    slack = first.in_nats(0.0)
    found = within(first, run)
    while is_searched(found, slack) and slack < asked and not run.clock.is_over:
        if asked > LARGEST_AT_ONCE:
            if isinstance(found._product, DiagramProduct):  # there are very many already
                return partial_of(found, asked, "memory_limit", "enumeration", run)
            largest = max(found._product.components, key=len, default=None)
            if largest is not None and _will_not_fit(largest, slack, asked, run):
                return partial_of(found, asked, "memory_limit", "enumeration", run)
            slack = min(next_slack(largest, slack), asked)
        else:
            slack = asked
        try:
            more = within(slack_limit(slack), replace(run, memory=run.memory - found._product.n_bytes))
        except KeyboardInterrupt:  # which the core turns into a status only while it searches
            return partial_of(found, asked, "stopped", "enumeration", run)
        if more.status != "complete" and more._log_mass <= found._log_mass:
            return partial_of(found, asked, more.status, more.listing.ended_in, run)
        found = more
    if found.status == "complete" and slack >= asked:
        return found
    return partial_of(found, asked, found.status, found.listing.ended_in, run)


def is_searched(found: Result, slack: float) -> bool:
    """Whether no network of the families is missing, which themselves may not be all."""
    return found.listing.complete_slack is not None and found.listing.complete_slack >= slack


def slack_limit(slack: float) -> CredibleLimit:
    return CredibleLimit(None, slack, None)


def partial_of(found: Result, asked: float, status: Status, stage: Stage | None, run: Run) -> Result:
    """What was found on the way to a larger slack; if that was complete, there was no time for more."""
    if status == "complete":
        status, stage = "time_limit", "enumeration"
    findings = found._findings
    statistics = replace(findings.statistics, seconds=run.clock.passed)
    complete = status == "infeasible" and findings.complete
    return found._with_findings(
        replace(findings, slack=asked, status=status, ended_in=stage, complete=complete, statistics=statistics)
    )


def _exponent(networks: ComponentNetworks) -> float:
    """Of the power of the slack by which the number of networks grows."""
    most = int(networks.ticks[-1])
    before = int(np.searchsorted(networks.ticks, _MEASURED * most, side="right"))
    return math.log(len(networks) / before) / -math.log(_MEASURED)


def next_slack(networks: ComponentNetworks | None, slack: float) -> float:
    """Where there may be so many times as many, if their number grows as the exponential of the slack."""
    rate = 0.0 if networks is None else _exponent(networks) / slack
    return slack * 2 if rate == 0 else min(max(slack + _STEP / rate, 1.1 * slack), 2 * slack)


def _will_not_fit(networks: ComponentNetworks, slack: float, asked: float, run: Run) -> bool:
    """Whether there will be too many, if their number grows as a power of the slack, up to that of all networks."""
    if len(networks) < (_MANY if len(networks.members) <= cost.LARGEST_TABLE else _MANY_OF_LARGE):
        return False
    expected = math.log(len(networks)) + _exponent(networks) * math.log(asked / slack)
    fitting = math.log(BEYOND * run.memory / listing_bytes(len(networks.members)))
    return expected > fitting and math.log(count_dags(len(networks.members))) > fitting


def first_k(k: int, problem: Problem, run: Run, find: Find[Result]) -> Result:
    """The k best networks or classes, and those as good as the last of them, by growing slacks."""
    k = whole_number("k", k, least=1)
    source = problem.source
    largest = source.made.slack if isinstance(source, FamilyTable) and source.made.slack is not None else _LARGEST_OF_K
    largest = min(largest, _LARGEST_OF_K)
    slack, low, high = min(_FIRST_OF_K, largest), 0.0, math.inf
    before: Result | None = None  # all within a smaller slack, which are too few
    while True:
        try:
            found = find(prepared(problem, slack_limit(slack), run), slack, run)
        except KeyboardInterrupt:  # which the core turns into a status only while it searches
            if before is None:
                raise
            return partial_of(before, slack, "stopped", "enumeration", run)
        is_too_large = found.status == "memory_limit" and found.listing.ended_in == "enumeration"
        if is_too_large and slack - low > _CLOSE:  # less may be enough
            high = slack
            slack = (low + high) / 2
            continue
        if found.status != "complete":
            if before is None or found._log_mass > before._log_mass:
                return found
            return partial_of(before, slack, found.status, found.listing.ended_in, run)
        if found._number >= k:
            return found.listing.first(k)
        if slack >= largest:
            if largest < _LARGEST_OF_K:
                raise ArgumentError(
                    f"k is {k}, but the table was made with a slack of {largest:.6g}, within which there are "
                    f"{found._number:,}; score the data again with a larger one"
                )
            return found
        before, low = found, slack
        slack = min(_next_of_k(slack, found._number, k), largest)
        if slack >= high:
            slack = (low + high) / 2


def _next_of_k(slack: float, number: int, k: int) -> float:
    """Where there may be k, if their number grows as the exponential of the slack."""
    guess = slack * math.log(k + 1) / math.log(number + 1)
    return min(max(guess, 1.2 * slack), 2 * slack)
