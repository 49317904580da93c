"""The limits of one call, and the callback through which it reports progress."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from credenet._arguments import bytes_limit, check_callback, seconds_limit
from credenet._run.clock import Clock
from credenet._run.ledger import NOTHING_BEYOND, Ledger, UnsearchedNetworks
from credenet._run.memory import usable_memory
from credenet._run.progress import CoreCallback, OnProgress, Progress, read_seed, thread_count
from credenet._run.status import CoreStatus, Status


@dataclass(slots=True)
class Stop:
    """Whether the callback or Ctrl-C has asked for an end, which holds for all that is left of a call."""

    is_asked: bool = False


@dataclass(frozen=True, slots=True)
class Run:
    """Time, memory, threads and seed of one call, and bounds on networks that are not searched."""

    clock: Clock
    memory: float
    n_threads: int
    seed: int
    on_progress: OnProgress | None
    beyond: UnsearchedNetworks = NOTHING_BEYOND
    stop: Stop = field(default_factory=Stop)

    @classmethod
    def from_limits(
        cls,
        time_limit: float | None,
        memory_limit: float | None,
        n_threads: int | None,
        on_progress: OnProgress | None,
        *,
        seed: int | None = 0,
    ) -> Run:
        """The run with the checked limits of the user; its clock starts now."""
        check_callback(on_progress)
        clock = Clock(seconds_limit(time_limit))
        memory = bytes_limit(memory_limit) or usable_memory()
        return cls(clock, memory, thread_count(n_threads), read_seed(seed), on_progress)

    def restart(self) -> Run:
        """The run with its clock started again, for one of several answers."""
        return replace(self, clock=Clock(self.clock.time_limit), stop=Stop())

    def end_within(self, *, seconds: float = math.inf, share: float = 1.0) -> Run:
        """The run with an earlier end: after ``seconds`` of work, or after a share of the work that is left.

        Time in which the call waits for a core does not count, as far as the time limit of the whole run allows.
        """
        return replace(self, clock=self.clock.end_within(seconds=seconds, share=share))

    def prolong(self, seconds: float, whole: Run) -> Run:
        """The run of a phase with an end ``seconds`` of work later, but not after that of the whole run."""
        return replace(self, clock=self.clock.prolong(seconds, whole.clock))

    def callback(
        self,
        ledger: Ledger | None = None,
        part: int = 0,
        *,
        share: float = 1.0,
        finishing: float = 0.0,
        order: Callable[[], int | None] = lambda: None,
        tells_score: bool = False,
    ) -> CoreCallback:
        """The callback for a search, which may use a share of the time that is left.

        It ends earlier by ``finishing``, in seconds for each unit of its work, where making a result takes long.
        ``order`` gives the order of the current tests. Scores and bounds are those of one component; with a ledger, the
        sums over all components are reported, otherwise the values as they are, or none.
        """
        clock = self.clock.end_within(share=share)
        n_units = 0

        def report(done: int, total: int, score: float, bound: float) -> bool:
            nonlocal n_units
            n_units = total or n_units  # Some steps do not report how much there is to do.
            if self.on_progress is not None and not self.stop.is_asked:
                if ledger is not None:
                    score, bound = ledger.with_part(part, score, bound)
                elif not tells_score:
                    score = bound = math.nan
                answer = self.on_progress(Progress(done, total, number_or_none(score), number_or_none(bound), order()))
                self.stop.is_asked = answer is False
            return not self.stop.is_asked and clock.seconds_left > finishing * n_units

        return report

    @property
    def inner_progress(self) -> OnProgress | None:
        """The callback for a call within this one: what it answers holds for all that is left of this call, too."""
        if self.on_progress is None:
            return None
        on_progress = self.on_progress

        def report(progress: Progress) -> bool:
            if not self.stop.is_asked:
                self.stop.is_asked = on_progress(progress) is False
            return not self.stop.is_asked

        return report

    def status_of(self, status: CoreStatus | Status) -> Status:
        """The status of a result: a search stopped by its callback may have reached the time limit."""
        if status == "interrupted":
            return "stopped"
        return "time_limit" if status == "stopped" and self.clock.is_over else status


def number_or_none(value: float) -> float | None:
    return None if math.isnan(value) else value
