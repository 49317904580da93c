"""Climbs for a prior whose log depends on the number of edges, such as `SSP` with complexity "edges".

The log p(m) of the prior of networks with m edges is convex (see `edge_penalties`), so it is nowhere below its tangent
at any m. A tangent is the prior `Edge`, under which climbs score families. If a climb from a network of m edges
improves the score under the tangent at m, the score under p improves at least as much. Hence tangents and climbs take
turns until no climb from the network reached finds a better one:

- the tangent for one edge more finds all single edges whose addition improves the score under p;
- that for one edge less finds all whose removal does.

The network is then a local optimum under p. There are two such passes, as tangents differ by far between few edges and
many: from the first network of the problem, and from the network of a climb without the prior.
"""

from __future__ import annotations

import math

from credenet._run.ledger import BoundPoint
from credenet._run.status import Status
from credenet.families.nested_penalties import edge_prior, log_penalty
from credenet.families.tolerance import tolerance
from credenet.learners.climbs.data_climb import DataClimb, Network, ReachedNetwork, Rules
from credenet.settings.method_bases import Climb
from credenet.settings.priors import SSP, Edge


def climb_edges(method: Climb, climbs: DataClimb, rules: Rules, first: Network) -> ReachedNetwork:
    """The best network of the climbs under the tangents of the prior.

    Parameters
    ----------
    rules
        The rules of each variable without a prior.
    first
        The first network of the problem.
    """
    searches = _ClimbsByEdges(method, climbs, rules)
    try:
        searches.improve(first, -math.inf)
        reached = searches.climb(first, None)
        if reached is not None:
            searches.improve(reached.parents, reached.score)
    except KeyboardInterrupt:  # Ctrl-C arrived between two climbs; climbs themselves end without an error.
        if searches.best.score == -math.inf:
            raise
        searches.status = "stopped"
    best = searches.best
    reason = f"climbs under priors of single edges, with {n_edges(best.parents)} edges in the best network"
    return best._replace(status=searches.status, expanded=searches.expanded, trace=tuple(searches.trace), reason=reason)


class _ClimbsByEdges:
    """The best network of all climbs by its score under the prior."""

    def __init__(self, method: Climb, climbs: DataClimb, rules: Rules) -> None:
        prior = climbs.problem.scoring[1]
        assert isinstance(prior, SSP)
        self.best = ReachedNetwork((), -math.inf, "local_optimum", 0, ())
        self.status: Status = "local_optimum"
        self.expanded = 0
        self.trace: list[BoundPoint] = []
        self._prior = prior
        self._n = climbs.problem.data.n_variables
        self._method = method
        self._climbs = climbs
        self._rules = rules

    def improve(self, network: Network, score: float) -> None:
        """Climbs from a network of a score under the prior, until no tangent at the network reached leads on."""
        is_better = True
        while is_better:
            is_better = False
            for fewer in (False, True):
                edge = edge_prior(self._prior, self._n, n_edges(network), fewer=fewer)
                reached = self.climb(network, edge)
                if reached is None:
                    return
                if reached.score > score + tolerance(score):
                    network, score, is_better = reached.parents, reached.score, True

    def climb(self, start: Network, edge: Edge | None) -> ReachedNetwork | None:
        """The network that a climb reaches, with its score under the prior; None if the run is over."""
        if self.status != "local_optimum":
            return None
        climbs = self._climbs
        rules = self._rules if edge is None else climbs.rules(climbs.problem.max_parents, edge)
        outcome = climbs.climb(self._method, rules, start)
        self.expanded += outcome.n_expanded
        if outcome.status != "local_optimum":
            self.status = climbs.run.status_of(outcome.status)
        if not math.isfinite(outcome.score):
            return None
        m = n_edges(outcome.parents)
        plain = outcome.score - (0.0 if edge is None else m * math.log(edge.beta))
        reached = ReachedNetwork(outcome.parents, plain + log_penalty(self._prior, self._n, m), self.status, 0, ())
        if reached.score > self.best.score:
            self.best = reached
            self.trace.append(BoundPoint(climbs.run.clock.seconds_passed, reached.score, math.inf))
        return reached


def n_edges(parents: Network) -> int:
    """The number of edges of a network."""
    return sum(map(len, parents))
