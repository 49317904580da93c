"""Time since the start of a call, and how much of it is left."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field


def now() -> float:
    """Monotonic seconds; tests replace this clock."""
    return time.monotonic()


@dataclass(slots=True)
class Clock:
    """Time since the start, and how much of it is left."""

    time_limit: float | None = None
    start: float = field(default_factory=lambda: now())

    def __reduce__(self) -> tuple[type[Clock], tuple[float | None]]:
        """A copy in another process starts when it arrives, with the time that was left."""
        return Clock, (None if self.time_limit is None else self.left,)

    @property
    def passed(self) -> float:
        return now() - self.start

    @property
    def left(self) -> float:
        return math.inf if self.time_limit is None else self.time_limit - self.passed

    @property
    def is_over(self) -> bool:
        return self.left <= 0
