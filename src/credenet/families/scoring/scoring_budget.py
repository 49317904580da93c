"""How many families can be scored in a given time: one model for all calls that choose what to score.

A call with a time limit may use a share of the work that is left, on its own threads. A call without one has a fixed
number of seconds of a machine with two free cores, so that every machine scores the same families.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from credenet._run.run import Run
    from credenet.data.dataset import Dataset
    from credenet.families.scoring.scoring_cost import LevelCost

# The three speeds were measured on one thread, with 8 to 413 variables of 2 to 11 states and 500 to 20,000 rows.
SECONDS_OF_STATE = 1.3e-7  # Seconds to score a family of few rows by size, per state (mean over the variables).
ROWS = 10_000  # Rows at which counting takes as long as the rest of the work for a family.
BEST_FIRST = 5.0  # Factor on the time of a family scored best first, whose parents are kept in a queue.
USUAL_THREADS = 2  # Threads assumed without a time limit, so that the machine does not matter.


class ScoringDepth(NamedTuple):
    """A largest number of parents, and the estimated seconds to score all sets up to it."""

    parents: int
    seconds: float
    is_last: bool  # True if no larger sets need to be scored.


def family_seconds(data: Dataset, n_threads: int = USUAL_THREADS) -> float:
    """The estimated seconds to score one family of the data by size."""
    n_states = float(data.n_states.mean()) if data.n_variables else 1.0
    return SECONDS_OF_STATE * n_states * (1 + data.n_rows / ROWS) / n_threads


class ScoringBudget(NamedTuple):
    """The seconds and bytes that scoring may take, and the estimated seconds of one family."""

    seconds: float
    memory: float
    seconds_each: float

    @classmethod
    def from_share(cls, run: Run, data: Dataset, *, share: float, seconds: float) -> ScoringBudget:
        """A share of the work that is left; without a time limit a fixed number of seconds on any machine."""
        if run.clock.time_limit is None:
            return cls.from_seconds(run, data, seconds)
        return cls(share * run.clock.work_left, run.memory, family_seconds(data, run.n_threads))

    @classmethod
    def from_seconds(cls, run: Run, data: Dataset, seconds: float) -> ScoringBudget:
        """A fixed number of seconds on any machine."""
        return cls(seconds, run.memory, family_seconds(data))

    @property
    def n_families(self) -> float:
        """The number of families that can be scored by size."""
        return self.seconds / self.seconds_each

    @property
    def n_best_first(self) -> float:
        """The number of families that can be scored best first."""
        return self.n_families / BEST_FIRST

    def can_score(self, n_families: float) -> bool:
        """Whether ``n_families`` families can be scored by size."""
        return n_families * self.seconds_each <= self.seconds

    def depths_within(self, costs: Sequence[LevelCost], *, at_least: int = -1) -> list[ScoringDepth]:
        """The depths within the budget, and in any case those of at most ``at_least`` parents."""
        depths: list[ScoringDepth] = []
        seconds = 0.0
        for cost in costs:
            seconds += cost.families * self.seconds_each
            if cost.parents > at_least and (seconds > self.seconds or cost.n_bytes > self.memory):
                break
            depths.append(ScoringDepth(cost.parents, seconds, cost is costs[-1]))
        return depths
