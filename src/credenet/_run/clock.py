"""Time since the start of a call, and how much of it is left, on the wall and in work.

A time limit of the user ends by the clock on the wall. The phases of a call end by the seconds worked: while other
programs have all cores, the call waits, and this does not count. So a busy machine gives the same answer later, as far
as the time limit allows, and not a worse one.
"""

from __future__ import annotations

import math
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

# Wall seconds that a phase may take per second of its work, so that it ends on a busy machine, too.
MOST_STRETCH = 10.0
LEAST_LIMIT = 1e-3  # Smallest time limit in seconds, as a call without time left must still be made.
STEADY = 1.0  # Seconds after which a call uses its measured pace instead of that of a free machine.


def now() -> float:
    """Monotonic seconds; tests replace this clock."""
    return time.monotonic()


def seconds_waited(thread: int) -> float:
    """Seconds that a thread was ready but waited for a core; 0 if the system does not tell."""
    with suppress(OSError, ValueError, IndexError):
        # The system is not Linux, or the thread belongs to another process or has ended.
        return int(Path(f"/proc/self/task/{thread}/schedstat").read_bytes().split()[1]) / 1e9
    return 0.0


@dataclass(slots=True)
class Clock:
    """Time since the start, and how much of it is left.

    Parameters
    ----------
    time_limit
        Seconds on the wall, from the start.
    work_limit
        Seconds worked, from the start: those on the wall without those in which the thread waited for a core.
    """

    time_limit: float | None = None
    start: float = field(default_factory=lambda: now())
    work_limit: float = math.inf
    _thread: int = field(default_factory=threading.get_native_id)
    _waited_before: float = math.nan

    def __post_init__(self) -> None:
        if math.isnan(self._waited_before):
            self._waited_before = seconds_waited(self._thread)

    def __reduce__(self) -> tuple[type[Clock], tuple[float | None]]:
        """A copy in another process starts when it arrives, with the time that was left."""
        return Clock, (None if self.time_limit is None else self.seconds_left,)

    @property
    def seconds_passed(self) -> float:
        """Seconds on the wall."""
        return now() - self.start

    @property
    def seconds_worked(self) -> float:
        """Seconds since the start without those in which the thread of the call waited for a core."""
        passed = self.seconds_passed
        return min(max(passed - max(seconds_waited(self._thread) - self._waited_before, 0.0), 0.0), passed)

    @property
    def seconds_left(self) -> float:
        """Seconds on the wall until the end, if the machine is free from now on."""
        wall = math.inf if self.time_limit is None else self.time_limit - self.seconds_passed
        return wall if math.isinf(self.work_limit) else min(wall, self.work_limit - self.seconds_worked)

    @property
    def work_left(self) -> float:
        """Seconds of work until the end, if the machine stays as busy as it was since the start."""
        if self.time_limit is None:
            return math.inf
        passed, worked = self.seconds_passed, self.seconds_worked
        pace = (worked + STEADY) / (max(passed, 0.0) + STEADY)
        return min((self.time_limit - passed) * pace, self.work_limit - worked)

    @property
    def is_over(self) -> bool:
        return self.seconds_left <= 0

    def limit(self, share: float = 1.0) -> float | None:
        """The time limit of a call within this one that may take a share of the time left; None without an end."""
        return None if self.time_limit is None else max(share * self.seconds_left, LEAST_LIMIT)

    def end_within(self, *, seconds: float = math.inf, share: float = 1.0) -> Clock:
        """The clock with an earlier end: after ``seconds`` of work, or after a share of the work left."""
        work = min(seconds, share * self.work_left) if share < 1 else seconds
        if work >= self.seconds_left:
            return self
        end = self.seconds_passed + MOST_STRETCH * work
        return replace(
            self,
            time_limit=end if self.time_limit is None else min(end, self.time_limit),
            work_limit=min(self.seconds_worked + work, self.work_limit),
        )

    def prolong(self, work: float, whole: Clock) -> Clock:
        """The clock of a phase with an end that is ``work`` seconds later, but not after that of the whole call."""
        if self.time_limit is None:
            return self
        end = self.time_limit + MOST_STRETCH * work
        return replace(
            self,
            time_limit=end if whole.time_limit is None else min(end, whole.time_limit),
            work_limit=min(self.work_limit + work, whole.work_limit),
        )
