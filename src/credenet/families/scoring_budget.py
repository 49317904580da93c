"""How many families can be scored in a time: the one model of all calls that have to choose.

A call asks before it scores. With a time limit it may use a share of the work that is left, on its own threads. Without
one it has so many seconds of a machine with two free cores, so that the same families are scored on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from credenet._run.run import Run
    from credenet.data.dataset import Dataset
    from credenet.families.scoring_cost import LevelCost

# Measured on one thread, with 8 to 413 variables of 2 to 11 states and 500 to 20,000 rows.
SECONDS_OF_STATE = 1.3e-7  # Seconds to score a family of few rows by size, for each state of a variable on average.
ROWS = 10_000  # Rows that take as long as the rest of the work for a family.
BEST_FIRST = 5.0  # Times as long for a family that is scored best first: its parents must be found and kept in order.
USUAL_THREADS = 2  # Threads of a budget without a time limit, whatever the machine has.


class Depth(NamedTuple):
    """How many parents the sets that are scored have at most, and what that takes by estimate."""

    parents: int
    seconds: float
    is_last: bool  # larger sets need not be scored


def family_seconds(data: Dataset, n_threads: int = USUAL_THREADS) -> float:
    """About the seconds to score one family of the data, where families are scored by size."""
    n_states = float(data.n_states.mean()) if data.n_variables else 1.0
    return SECONDS_OF_STATE * n_states * (1 + data.n_rows / ROWS) / n_threads


class ScoringBudget(NamedTuple):
    """The seconds that scoring may take, by estimate, its memory, and the seconds of one family."""

    seconds: float
    memory: float
    seconds_each: float

    @classmethod
    def of(cls, run: Run, data: Dataset, *, share: float, seconds: float) -> ScoringBudget:
        """A share of the work that is left, or so many seconds on any machine if the run has no time limit."""
        if run.clock.time_limit is None:
            return cls.unlimited(run, data, seconds)
        return cls(share * run.clock.work_left, run.memory, family_seconds(data, run.n_threads))

    @classmethod
    def unlimited(cls, run: Run, data: Dataset, seconds: float) -> ScoringBudget:
        """So many seconds on any machine."""
        return cls(seconds, run.memory, family_seconds(data))

    @property
    def n_families(self) -> float:
        """How many families can be scored by size."""
        return self.seconds / self.seconds_each

    @property
    def n_best_first(self) -> float:
        """How many families can be scored best first."""
        return self.n_families / BEST_FIRST

    def can_score(self, n_families: float) -> bool:
        """Whether so many families can be scored by size."""
        return n_families * self.seconds_each <= self.seconds

    def reached(self, costs: Sequence[LevelCost], *, at_least: int = -1) -> list[Depth]:
        """The depths within the budget; those of at most ``at_least`` parents whatever they cost."""
        depths: list[Depth] = []
        seconds = 0.0
        for cost in costs:
            seconds += cost.families * self.seconds_each
            if cost.parents > at_least and (seconds > self.seconds or cost.n_bytes > self.memory):
                break
            depths.append(Depth(cost.parents, seconds, cost is costs[-1]))
        return depths
