"""What a search may use, and how it tells where it is."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from credenet.arguments import bytes_limit, check_callback, seconds_limit
from credenet.memory import usable_memory
from credenet.progress import CoreCallback, OnProgress, Progress, check_seed, thread_count
from credenet.results import BoundPoint, Status


@dataclass(slots=True)
class Clock:
    """Time since the start, and how much of it is left."""

    time_limit: float | None = None
    start: float = field(default_factory=time.monotonic)

    @property
    def passed(self) -> float:
        return time.monotonic() - self.start

    @property
    def left(self) -> float:
        return math.inf if self.time_limit is None else self.time_limit - self.passed

    @property
    def is_over(self) -> bool:
        return self.left <= 0


class Beyond(NamedTuple):
    """What is known of networks with families that are not in the table that is searched.

    They score at most ``gain`` more than the best network of the table, and no network at all scores more than
    ``ceiling``.
    """

    gain: float = 0.0
    ceiling: float = math.inf

    def bound(self, table_bound: float) -> float:
        """A bound on all networks, from one on the networks of the table; infinite if nothing is known."""
        return min(table_bound + self.gain, self.ceiling)


NOTHING_BEYOND = Beyond()


class Ledger:
    """Scores and bounds of parts that are learned apart: their sums, now and over time.

    Parameters
    ----------
    settled
        The score of what needs no search.
    bounds
        For each part what it cannot exceed.
    beyond
        What is known of networks with families that were not scored. The bounds that are told, over time and to the
        user, hold for them, too.
    """

    def __init__(self, clock: Clock, settled: float, bounds: Sequence[float], beyond: Beyond = NOTHING_BEYOND) -> None:
        self._clock = clock
        self._beyond = beyond
        self._settled = settled
        self._scores = [-math.inf for _ in bounds]
        self._bounds = list(bounds)
        self.trace: list[BoundPoint] = []
        self._record(clock.passed)

    @property
    def score(self) -> float:
        return math.fsum([self._settled, *self._scores])

    @property
    def bound(self) -> float:
        return math.fsum([self._settled, *self._bounds])

    def part(self, part: int) -> tuple[float, float]:
        """Score and bound of one part."""
        return self._scores[part], self._bounds[part]

    def with_part(self, part: int, score: float, bound: float) -> tuple[float, float]:
        """The sums if a part's search has come this far; what is not a number is not known."""
        known = self._scores[part], self._bounds[part]
        self._improve(part, score, bound)
        sums = self.score, self._beyond.bound(self.bound)
        self._scores[part], self._bounds[part] = known
        return sums

    def update(self, part: int, score: float, bound: float) -> None:
        """Better values of one part, from now on; those that are no better change nothing."""
        self._improve(part, score, bound)
        self._record(self._clock.passed)

    def replay(self, part: int, start: float, points: Iterable[tuple[float, float, float]]) -> None:
        """The history of a part's search, in seconds from when it began at ``start``."""
        for seconds, score, bound in points:
            self._improve(part, score, bound)
            self._record(start + seconds)

    def _improve(self, part: int, score: float, bound: float) -> None:
        if score > self._scores[part]:
            self._scores[part] = score
        if bound < self._bounds[part]:
            self._bounds[part] = bound
        self._bounds[part] = max(self._bounds[part], self._scores[part])  # they may differ by rounding

    def _record(self, seconds: float) -> None:
        point = BoundPoint(seconds, self.score, self._beyond.bound(self.bound))
        if not self.trace or self.trace[-1][1:] != point[1:]:
            self.trace.append(point)


@dataclass(frozen=True, slots=True)
class Context:
    """Time, memory, threads and seed of one call, and what is known of networks that are not searched."""

    clock: Clock
    memory: float
    n_threads: int
    seed: int
    on_progress: OnProgress | None
    beyond: Beyond = NOTHING_BEYOND

    @classmethod
    def of(
        cls,
        time_limit: float | None,
        memory_limit: float | None,
        n_threads: int | None,
        on_progress: OnProgress | None,
        *,
        seed: int = 0,
    ) -> Context:
        """From the limits as a user gives them, checked; the clock starts now."""
        check_callback(on_progress)
        clock = Clock(seconds_limit(time_limit))
        memory = bytes_limit(memory_limit) or usable_memory()
        return cls(clock, memory, thread_count(n_threads), check_seed(seed), on_progress)

    def callback(
        self,
        ledger: Ledger | None = None,
        part: int = 0,
        *,
        share: float = 1.0,
        order: Callable[[], int | None] = lambda: None,
    ) -> CoreCallback:
        """The callback for a search, which may use a share of the time that is left; ``order`` is asked for the order
        of the tests that are being made."""
        end = self.clock.passed + share * self.clock.left

        def report(done: int, total: int, score: float, bound: float) -> bool:
            wanted = None
            if self.on_progress is not None:
                best, most = (None, None) if ledger is None else ledger.with_part(part, score, bound)
                wanted = self.on_progress(Progress(done, total, best, most, order()))
            return wanted is not False and self.clock.passed < end

        return report

    def status_of(self, status: str) -> Status:
        """How a search ended, where stopping may mean that time was up."""
        if status == "stopped" and self.clock.is_over:
            return "time_limit"
        return status  # type: ignore[return-value]  # the core's names are a part of ours
