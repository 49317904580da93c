"""Progress of long work: a callback that is told how far it is and may stop it."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

from credenet._arguments import whole_number


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a piece of work is: so many of so many units done.

    A search for networks also tells the best score so far and the bound that no network exceeds; learning by tests of
    independence the number of variables that are given in them, with the pairs that are done with. Work of several
    phases names the one at hand; within a phase the share that is done never falls, and a total of 0 says that it is
    not known.
    """

    done: int
    total: int
    score: float | None = None
    bound: float | None = None
    order: int | None = None
    phase: str | None = None


MAX_THREADS = 1024

OnProgress = Callable[[Progress], bool | None]
"""Called a few times a second; returning False stops the work."""


CoreCallback = Callable[[int, int, float, float], bool | None]


def thread_count(n_threads: int | None) -> int:
    """The number of threads to use: as asked, or one for each core this process may run on."""
    if n_threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(whole_number("n_threads", n_threads, least=1), MAX_THREADS)


def check_seed(seed: int) -> int:
    """The seed, unless the core's generator does not take it."""
    return whole_number("seed", seed, most=(1 << 64) - 1)
