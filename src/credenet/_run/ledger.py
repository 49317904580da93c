"""Sums of the scores and bounds of components that are learned separately, now and over time."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from credenet._run.clock import Clock


class BoundPoint(NamedTuple):
    """The best score and the bound at a time, in seconds from the start; infinite if there is none.

    Examples
    --------
    >>> import credenet
    >>> point = credenet.learn(credenet.datasets.asia(), method="astar").trace[-1]
    >>> point.score == point.bound
    True
    """

    seconds: float
    score: float
    bound: float


class UnsearchedNetworks(NamedTuple):
    """Bounds on networks with families outside the searched table.

    Such networks score at most ``gain`` more than the best network of the table, and no network scores more than
    ``ceiling``.
    """

    gain: float = 0.0
    ceiling: float = math.inf

    def bound(self, table_bound: float) -> float:
        """A bound on all networks, from one on the networks of the table; infinite if nothing is known."""
        return min(table_bound + self.gain, self.ceiling)


NOTHING_BEYOND = UnsearchedNetworks()


class Ledger:
    """Sums of the scores and bounds of components that are learned separately, now and over time.

    Parameters
    ----------
    settled
        The score of the variables that need no search.
    bounds
        An upper bound on the score of each component.
    beyond
        What is known of networks with families that were not scored. The bounds that are reported hold for these
        networks, too.
    """

    def __init__(
        self, clock: Clock, settled: float, bounds: Sequence[float], beyond: UnsearchedNetworks = NOTHING_BEYOND
    ) -> None:
        self._clock = clock
        self._beyond = beyond
        self._settled = settled
        self._scores = [-math.inf for _ in bounds]
        self._bounds = list(bounds)
        self.trace: list[BoundPoint] = []
        self._record(clock.seconds_passed)

    @property
    def score(self) -> float:
        return math.fsum([self._settled, *self._scores])

    @property
    def bound(self) -> float:
        return math.fsum([self._settled, *self._bounds])

    def part(self, part: int) -> tuple[float, float]:
        """Score and bound of one component."""
        return self._scores[part], self._bounds[part]

    def with_part(self, part: int, score: float, bound: float) -> tuple[float, float]:
        """The sums, given the current values of one component; NaN means not known."""
        known = self._scores[part], self._bounds[part]
        self._improve(part, score, bound)
        sums = self.score, self._beyond.bound(self.bound)
        self._scores[part], self._bounds[part] = known
        return sums

    def update(self, part: int, score: float, bound: float) -> None:
        """Updates one component; values that are no better are ignored."""
        self._improve(part, score, bound)
        self._record(self._clock.seconds_passed)

    def replay(self, part: int, start: float, points: Iterable[tuple[float, float, float]]) -> None:
        """Adds the trace of one component, in seconds after ``start``, when its search began."""
        for seconds, score, bound in points:
            self._improve(part, score, bound)
            self._record(start + seconds)

    def _improve(self, part: int, score: float, bound: float) -> None:
        if score > self._scores[part]:
            self._scores[part] = score
        if bound < self._bounds[part]:
            self._bounds[part] = bound
        # A bound may fall below the score by rounding.
        self._bounds[part] = max(self._bounds[part], self._scores[part])

    def _record(self, seconds: float) -> None:
        point = BoundPoint(seconds, self.score, self._beyond.bound(self.bound))
        if not self.trace or self.trace[-1][1:] != point[1:]:
            self.trace.append(point)
