"""The best network under a prior whose log depends on the number of edges, such as `SSP` with complexity "edges".

Let p(m) be the log of the prior of networks with m edges. The search divides the numbers of edges into intervals. For
an interval [a, b], the line through the points of p at a and b is the log of the prior `Edge`, a sum over families. So
the best network under the line is found by one plain optimisation. The numbers of DAGs by edges are log-concave (the
tests check this exactly), so p is convex. Hence

- inside [a, b] the line is at or above p, so the optimum bounds the networks of the interval;
- outside it is at or below p, so if the best network has no more than a or no less than b edges, then its own score
  under p is at least that bound, and the interval is done;
- else the interval is divided at the number of edges of the network found.

There are at most as many optimisations as numbers of edges. Bounds do not rest on the shape of p: a line is raised
where p is above it inside its interval.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from heapq import heappop, heappush

import numpy as np

from credenet._run.status import Status
from credenet.families.nested_penalties import check_slack, largest_complexity, log_penalties
from credenet.families.table import FamilyTable
from credenet.families.tolerance import tolerance
from credenet.graphs import DAG
from credenet.search.components import Choice, SearchResult
from credenet.settings.priors import SSP

Search = Callable[[FamilyTable], SearchResult]

_ENDED = ("time_limit", "memory_limit", "stopped")  # After these a further search would have no time or memory.


def search_with_edge_penalty(families: FamilyTable, prior: SSP, search: Search) -> SearchResult:
    """The network with the best penalised score, and a bound on the penalised score of all networks."""
    return _Intervals(families, prior, search).search_all()


@dataclass(frozen=True, slots=True, order=True)
class _Interval:
    """Numbers of edges from ``least`` to ``most``; ``-minus_bound`` bounds the scores of their networks."""

    minus_bound: float
    least: int
    most: int


class _Intervals:
    """The intervals still to search, the best network so far, and the bounds of the intervals that are done."""

    def __init__(self, families: FamilyTable, prior: SSP, search: Search) -> None:
        self._families = families
        self._prior = prior
        self._search = search
        self._sizes = families.flat().sizes
        n = len(families.variables)
        most = np.zeros(n, dtype=np.int64)
        np.maximum.at(most, families.flat().children, self._sizes)
        self._most = min(int(most.sum()), n * (n - 1) // 2)
        self._penalties = log_penalties(prior, n, self._most)
        self._best: SearchResult | None = None
        self._bound = -math.inf
        self._results: list[SearchResult] = []

    def search_all(self) -> SearchResult:
        """Searches the intervals, the one with the largest bound first."""
        waiting = [_Interval(-math.inf, 0, self._most)]
        while waiting:
            interval = heappop(waiting)
            bound = -interval.minus_bound
            if self._best is not None and bound <= self._best.score + tolerance(self._best.score):
                self._bound = max(self._bound, bound)
                break
            result = self._search_interval(interval, waiting)
            if result.status == "infeasible":
                return result
            if result.status in _ENDED:
                self._bound = max([self._bound, *(-each.minus_bound for each in waiting)])
                break
        if self._prior.may_favour_parents and self._best is not None:
            self._check_families(self._best.score)
        return self._outcome()

    def _search_interval(self, interval: _Interval, waiting: list[_Interval]) -> SearchResult:
        """Searches under the line of an interval, and divides the interval if it may hold better networks."""
        a, b = interval.least, interval.most
        slope = float(self._penalties[b] - self._penalties[a]) / (b - a) if b > a else 0.0
        line = self._penalties[a] + slope * np.arange(b - a + 1)
        raised = max(0.0, float((self._penalties[a : b + 1] - line).max()))
        result = self._search_line(slope)
        if result.status == "infeasible":
            return result
        bound = min(result.bound + float(self._penalties[a]) - slope * a + raised, -interval.minus_bound)
        m = a if result.choice is None else self._offer(result)
        is_done = self._best is not None and bound <= self._best.score + tolerance(self._best.score)
        if is_done or result.status in _ENDED or b - a < 2 or not a < m < b:
            self._bound = max(self._bound, bound)
        else:
            heappush(waiting, _Interval(-bound, a, m))
            heappush(waiting, _Interval(-bound, m, b))
        return result

    def _search_line(self, slope: float) -> SearchResult:
        """Searches with ``slope`` added to the score for each edge; the choice has positions in the whole table."""
        families, flat = self._families, self._families.flat()
        table = families.from_flat(
            families.variables,
            np.diff(flat.starts),
            flat.scores + slope * self._sizes,
            self._sizes,
            flat.parents,
            made=replace(families.made, unscored=None),
        )
        result = self._search(table)
        if result.choice is not None:
            result = replace(result, choice=_choice_in(families, table, result.choice))
        self._results.append(result)
        return result

    def _offer(self, result: SearchResult) -> int:
        """Keeps the network found if its score under the prior is the best so far; returns its number of edges."""
        assert result.choice is not None
        m = int(self._sizes[result.choice].sum())
        score = math.fsum(self._families.flat().scores[result.choice].tolist()) + float(self._penalties[m])
        if self._best is None or score > self._best.score:
            self._best = replace(result, score=score)
        return m

    def _check_families(self, best: float) -> None:
        """Refuses a table that lacks families which the prior may favour.

        A family is missing if fewer parents score better by more than the slack. So a network with more edges than the
        prior weighs least needs more slack, unless even the best score of all networks could not win.
        """
        n, made = len(self._families.variables), self._families.made
        largest = largest_complexity(self._prior, n, made.max_parents if made.complete else None)
        penalties = log_penalties(self._prior, n, largest)
        rises = penalties - np.minimum.accumulate(penalties)
        needed = float(np.minimum(self._search_line(0.0).bound + penalties - best, rises).max())
        check_slack(made.slack, needed, tolerance(best), f"{self._prior} may favour a network with more edges")

    def _outcome(self) -> SearchResult:
        """The best network, proven only if the bounds of all intervals prove it."""
        runs = self._results
        unproven: Status = next((run.status for run in runs if run.status != "optimal"), "local_optimum")
        if self._best is None:
            return replace(runs[-1], bound=self._bound)
        is_proven = self._bound <= self._best.score + tolerance(self._best.score)
        return replace(
            self._best,
            bound=self._best.score if is_proven else self._bound,
            status="optimal" if is_proven else unproven,
            expanded=sum(run.expanded for run in runs),
            generated=sum(run.generated for run in runs),
            peak_bytes=max(run.peak_bytes for run in runs),
            trace=(),
            proofs=(),
        )


def _choice_in(families: FamilyTable, table: FamilyTable, choice: Choice) -> Choice:
    """The positions in a table of the families that another table of the same families has at some positions."""
    dag = DAG.from_indices(families.variables, [table.flat().parents_of(at) for at in choice.tolist()])
    return np.asarray(families.flat().starts[:-1] + np.array(families.positions(dag), dtype=np.int64))
