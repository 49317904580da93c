"""Credible sets by stages of growing slack.

The number of networks grows very fast with the slack, and a large slack takes long (families, tables, lists) before
that shows. So the slack grows from a small one in stages, each meant to give about ten times as many networks. The
networks of a stage are complete within its slack. The last stage has the slack asked for, unless the growth so far
shows that its networks do not fit into memory: then the set of the stage before is returned, which says up to which
slack it is complete. All stages together take little longer than the last.

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
from credenet.credible.preparation import EnumerationTask, prepare
from credenet.credible.result import Stage
from credenet.errors import ArgumentError
from credenet.families.dag_counts import count_dags
from credenet.families.table import FamilyTable
from credenet.learners.problem import LearningProblem
from credenet.search import cost
from credenet.structures.products.network_diagrams import DiagramProduct
from credenet.structures.products.network_products import ComponentNetworks, listing_bytes

Result = TypeVar("Result", CredibleSet, CredibleClasses)
Find = Callable[[EnumerationTask, float, Run], Result]
"""Finds the networks or classes within a slack, from families scored with at least that slack."""
Within = Callable[[CredibleLimit, Run], Result]

LARGEST_AT_ONCE = math.log(150) + 1e-6  # Nats of slack up to which one search suffices, with a margin for rounding.
FIRST = math.log(20)
_STEP = math.log(10)  # Log of the factor by which the number of networks should grow from one slack to the next.
_MANY = 100_000  # Networks of a component above which an estimate tells whether all will fit into memory.
_MANY_OF_LARGE = 10_000  # The same number for components too large for a table of subsets.
BEYOND = 3  # Factor by which the expected size may exceed the memory before the search is given up.
_MEASURED = 0.8  # Share of the slack from which on the growth is measured.
_FIRST_OF_K = 1.0  # First slack in nats in a search for the k best.
_LARGEST_OF_K = 1e5  # Largest slack in nats in a search for the k best.
_CLOSE = 1e-3  # Nats between two slacks that count as equal.


def find_by_stages(problem: LearningProblem, limit: CredibleLimit, run: Run, find: Find[Result]) -> Result:
    """The networks or classes within the limit, or within the largest slack that can be reached."""

    def find_within(limit: CredibleLimit, run: Run) -> Result:
        return find(prepare(problem, limit, run), limit.in_nats(0.0), run)

    if limit.ratio is not None:
        best = find_within(slack_limit(0.0), run)
        limit = slack_limit(limit.in_nats(best.optimum or 0.0))
        if best.optimum is None or best.status == "stopped" or run.clock.is_over:
            return partial_of(best, limit.in_nats(0.0), best.status, best.listing.ended_in, run)
    slack = limit.in_nats(0.0)
    known = problem.source.made.slack if isinstance(problem.source, FamilyTable) else None
    is_large = len(problem.source.variables) > cost.LARGEST_RESORT
    if slack <= (FIRST if is_large else LARGEST_AT_ONCE) or (known is not None and slack > known):
        return find_within(limit, run)
    if slack <= LARGEST_AT_ONCE:
        task = prepare(problem, limit, run)
        return _grow_slack(lambda limit, run: find(task, limit.in_nats(0.0), run), slack_limit(FIRST), slack, run)
    first = CredibleLimit(math.exp(FIRST), None, None) if limit.by_factor else slack_limit(FIRST)
    return _grow_slack(find_within, first, slack, run)


def _grow_slack(within: Within[Result], first: CredibleLimit, asked: float, run: Run) -> Result:
    """The networks or classes within the slack ``asked``, found by slacks that grow from a smaller one."""
    slack = first.in_nats(0.0)
    result = within(first, run)
    while is_searched(result, slack) and slack < asked and not run.clock.is_over:
        if asked > LARGEST_AT_ONCE:
            if isinstance(
                result._product, DiagramProduct
            ):  # A diagram means that there are very many networks already.
                return partial_of(result, asked, "memory_limit", "enumeration", run)
            largest = max(result._product.components, key=len, default=None)
            if largest is not None and _will_not_fit(largest, slack, asked, run):
                return partial_of(result, asked, "memory_limit", "enumeration", run)
            slack = min(next_slack(largest, slack), asked)
        else:
            slack = asked
        try:
            more = within(slack_limit(slack), replace(run, memory=run.memory - result._product.n_bytes))
        except KeyboardInterrupt:  # The core turns Ctrl-C into a status only while it searches.
            return partial_of(result, asked, "stopped", "enumeration", run)
        if more.status != "complete" and more._log_mass <= result._log_mass:
            return partial_of(result, asked, more.status, more.listing.ended_in, run)
        result = more
    if result.status == "complete" and slack >= asked:
        return result
    return partial_of(result, asked, result.status, result.listing.ended_in, run)


def is_searched(result: Result, slack: float) -> bool:
    """Whether no network made of the table's families within the slack is missing; the table may lack families."""
    return result.listing.complete_slack is not None and result.listing.complete_slack >= slack


def slack_limit(slack: float) -> CredibleLimit:
    return CredibleLimit(None, slack, None)


def partial_of(result: Result, asked: float, status: Status, stage: Stage | None, run: Run) -> Result:
    """The result of a smaller slack than asked for; a complete one gets the status ``time_limit``."""
    if status == "complete":
        status, stage = "time_limit", "enumeration"
    findings = result._findings
    statistics = replace(findings.statistics, seconds=run.clock.seconds_passed)
    complete = status == "infeasible" and findings.complete
    return result._with_findings(
        replace(findings, slack=asked, status=status, ended_in=stage, complete=complete, statistics=statistics)
    )


def _exponent(networks: ComponentNetworks) -> float:
    """The exponent of the growth of the number of networks as a power of the slack."""
    most = int(networks.ticks[-1])
    before = int(np.searchsorted(networks.ticks, _MEASURED * most, side="right"))
    return math.log(len(networks) / before) / -math.log(_MEASURED)


def next_slack(networks: ComponentNetworks | None, slack: float) -> float:
    """The slack at which networks are expected to be ten times as many, if their log grows linearly with it."""
    rate = 0.0 if networks is None else _exponent(networks) / slack
    return slack * 2 if rate == 0 else min(max(slack + _STEP / rate, 1.1 * slack), 2 * slack)


def _will_not_fit(networks: ComponentNetworks, slack: float, asked: float, run: Run) -> bool:
    """Whether networks will be too many for memory, if they grow as a power of the slack up to all networks."""
    if len(networks) < (_MANY if len(networks.members) <= cost.LARGEST_TABLE else _MANY_OF_LARGE):
        return False
    expected = math.log(len(networks)) + _exponent(networks) * math.log(asked / slack)
    fitting = math.log(BEYOND * run.memory / listing_bytes(len(networks.members)))
    return expected > fitting and math.log(count_dags(len(networks.members))) > fitting


def first_k(k: int, problem: LearningProblem, run: Run, find: Find[Result]) -> Result:
    """The k best networks or classes, and those as good as the last of them, found by growing slacks."""
    k = whole_number("k", k, least=1)
    source = problem.source
    largest = source.made.slack if isinstance(source, FamilyTable) and source.made.slack is not None else _LARGEST_OF_K
    largest = min(largest, _LARGEST_OF_K)
    slack, low, high = min(_FIRST_OF_K, largest), 0.0, math.inf
    before: Result | None = None  # All items within a smaller slack, which are fewer than k.
    while True:
        try:
            result = find(prepare(problem, slack_limit(slack), run), slack, run)
        except KeyboardInterrupt:  # The core turns Ctrl-C into a status only while it searches.
            if before is None:
                raise
            return partial_of(before, slack, "stopped", "enumeration", run)
        is_too_large = result.status == "memory_limit" and result.listing.ended_in == "enumeration"
        if is_too_large and slack - low > _CLOSE:  # A smaller slack may be enough.
            high = slack
            slack = (low + high) / 2
            continue
        if result.status != "complete":
            if before is None or result._log_mass > before._log_mass:
                return result
            return partial_of(before, slack, result.status, result.listing.ended_in, run)
        if result._number >= k:
            return result.listing.first(k)
        if slack >= largest:
            if largest < _LARGEST_OF_K:
                raise ArgumentError(
                    f"k is {k}, but the table was made with a slack of {largest:.6g}, within which there are "
                    f"{result._number:,}; score the data again with a larger one"
                )
            return result
        before, low = result, slack
        slack = min(_next_of_k(slack, result._number, k), largest)
        if slack >= high:
            slack = (low + high) / 2


def _next_of_k(slack: float, number: int, k: int) -> float:
    """The slack at which k items are expected, if the log of their number grows linearly with the slack."""
    guess = slack * math.log(k + 1) / math.log(number + 1)
    return min(max(guess, 1.2 * slack), 2 * slack)
