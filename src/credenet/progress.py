"""Progress of long work: a callback that is told how far it is and may stop it."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

from credenet.errors import ArgumentError


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a piece of work is: so many of so many units done."""

    done: int
    total: int


MAX_THREADS = 1024

OnProgress = Callable[[Progress], bool | None]
"""Called a few times a second; returning False stops the work."""


def step(on_progress: OnProgress | None) -> Callable[[int, int], bool | None] | None:
    """The callback in the form the core takes."""
    if on_progress is None:
        return None
    return lambda done, total: on_progress(Progress(done, total))


def thread_count(n_threads: int | None) -> int:
    """The number of threads to use: as asked, or one for each core this process may run on."""
    if n_threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if n_threads < 1:
        raise ArgumentError(f"n_threads must be at least 1, got {n_threads}")
    return min(n_threads, MAX_THREADS)
