"""Climbs for a prior on whole networks that depends on the largest in-degree alone, such as `SSP`.

The score of a network under a limit on its parents is a sum over families, which single edges can climb. There are
climbs for each limit 0, 1, 2, … on the number of parents. Each network that they reach is judged with the prior of its
own largest in-degree, and the best of all is the result. The climbs come in four passes:

1. upwards by plain hill climbing, from the network of the limit before, so that a network of each limit is known soon;
2. by the method from the first network of the problem, under no further limit;
3. upwards by the method, from the network of the limit before and from the first network of the problem;
4. downwards by the method, from the network of the limit above; a variable with too many parents keeps those it needs.

A pass upwards ends with a limit that no network so far attains: climbs under larger limits would not need them. That is
a rule of thumb and no proof, as a climb may attain a limit on its way.
"""

from __future__ import annotations

import math
from contextlib import suppress

from credenet import _core
from credenet._run.ledger import BoundPoint
from credenet._run.status import Status
from credenet.errors import KnowledgeError
from credenet.families.nested_penalties import log_penalty
from credenet.learners.climbs.data_climb import DataClimb, Network, ReachedNetwork, Rules
from credenet.settings.method_bases import Climb
from credenet.settings.methods import HillClimb


def climb_limits(method: Climb, climbs: DataClimb, rules: Rules, first: Network) -> ReachedNetwork:
    """The best network of the climbs under all limits on the number of parents that are within the rules.

    Parameters
    ----------
    first
        The first network of the problem under no further limit.
    """
    least = max((len(rule.required) for rule in rules), default=0)
    most = max((rule.max_parents for rule in rules), default=0)
    searches = _ClimbsByLimit(method, climbs, range(least, most + 1), first)
    searches.climb_all()
    return searches.reached_network


class _ClimbsByLimit:
    """The best network so far under each limit, and the best of all."""

    def __init__(self, method: Climb, climbs: DataClimb, limits: range, first: Network) -> None:
        self._method = method
        self._climbs = climbs
        self._limits = limits
        self._best: tuple[float, Network] = (-math.inf, ())
        self._status: Status = "local_optimum"
        self._expanded = 0
        self._trace: list[BoundPoint] = []
        self._kept: dict[int, _core.ClimbResult] = {}
        self._rules: dict[int, Rules] = {}
        self._first = first
        self._penalties: dict[int, float] = {}

    @property
    def reached_network(self) -> ReachedNetwork:
        """The best network of all."""
        score, parents = self._best
        reason = f"climbs under limits on the number of parents; that of the best network is {in_degree(parents)}"
        return ReachedNetwork(parents, score, self._status, self._expanded, tuple(self._trace), reason)

    def climb_all(self) -> None:
        """Climbs under all limits, until the run ends."""
        plain = HillClimb(restarts=0)
        try:
            if self._method != plain:
                self._rise(plain, is_quick=True)
            self._climb(self._method, self._limits[-1], self._first)
            self._rise(self._method, is_quick=False)
            self._fall()
        except KeyboardInterrupt:  # Ctrl-C arrived between two climbs; climbs themselves end without an error.
            if not self._kept:
                raise
            self._status = "stopped"

    def _rise(self, method: Climb, *, is_quick: bool) -> None:
        """Climbs under growing limits, in a quick pass from the network of the limit before alone."""
        for limit in self._limits:
            below = self._best_within(limit - 1)
            starts = [] if below is None else [below]
            if not (is_quick and starts):
                starts += [first for first in self._first_networks(limit) if first not in starts]
            for start in starts:
                self._climb(method, limit, start)
            if self._is_over or max(self._kept, default=limit) < limit:
                return

    def _fall(self) -> None:
        """Climbs under falling limits, from the network of the limit above."""
        for limit in range(max(self._kept, default=0) - 1, self._limits.start - 1, -1):
            above = self._best_within(limit + 1)
            if self._is_over or above is None:
                return
            start = self._climbs.keep_allowed(above, self._rules_of(limit))
            if start is not None:
                self._climb(self._method, limit, start)

    def _best_within(self, limit: int) -> Network | None:
        """The best network so far, without the penalty, of at most so many parents."""
        within = [outcome for d, outcome in self._kept.items() if d <= limit]
        return max(within, key=lambda outcome: outcome.score).parents if within else None

    @property
    def _is_over(self) -> bool:
        return self._status != "local_optimum"

    def _climb(self, method: Climb, limit: int, start: Network) -> None:
        """Keeps the network that a climb reaches under a limit if it is the best of its in-degree."""
        if self._is_over:
            return
        run = self._climbs.run
        outcome = self._climbs.climb(method, self._rules_of(limit), start)
        self._expanded += outcome.n_expanded
        if outcome.status != "local_optimum":
            self._status = run.status_of(outcome.status)
        if not math.isfinite(outcome.score):
            return
        d = in_degree(outcome.parents)
        if d not in self._kept or outcome.score > self._kept[d].score:
            self._kept[d] = outcome
        score = outcome.score + self._penalty(d)
        if score > self._best[0]:
            self._best = score, outcome.parents
            self._trace.append(BoundPoint(run.clock.seconds_passed, score, math.inf))

    def _first_networks(self, limit: int) -> list[Network]:
        """The first network of the problem under a limit, if pairs that must be adjacent allow one."""
        if limit >= in_degree(self._first):
            return [self._first]
        run = self._climbs.run
        if run.stop.is_asked or run.clock.is_over:
            return []
        with suppress(KnowledgeError):
            first = self._climbs.first_network(self._rules_of(limit), limit)
            return [] if first is None else [first]
        return []

    def _rules_of(self, limit: int) -> Rules:
        if limit not in self._rules:
            self._rules[limit] = self._climbs.rules(limit)
        return self._rules[limit]

    def _penalty(self, d: int) -> float:
        problem = self._climbs.problem
        if d not in self._penalties:
            self._penalties[d] = log_penalty(problem.scoring[1], problem.data.n_variables, d)
        return self._penalties[d]


def in_degree(parents: Network) -> int:
    """The largest number of parents of a variable."""
    return max(map(len, parents), default=0)
