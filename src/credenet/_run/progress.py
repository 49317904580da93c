"""Progress of long work: a callback receives it and may stop the work."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass

from credenet._arguments import whole_number


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of a piece of work: ``done`` of ``total`` units.

    A search for networks also reports the best score so far and a bound that no network exceeds. Learning by tests
    counts finished pairs of variables, and reports the order: the size of the conditioning sets. Work of several phases
    names the current one. Within a phase the share of the work done never falls; a total of 0 means that it is not
    known.

    Examples
    --------
    >>> import credenet
    >>> progress = credenet.types.Progress(done=1, total=4, phase="listing networks")
    >>> f"{progress.phase}: {progress.done / progress.total:.0%}"
    'listing networks: 25%'
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


N_SEEDS = 1 << 64  # Number of seeds, as the generator of the core takes 64 bits.
_FRESH_BITS = 53  # Bits of a fresh seed, as many JSON readers hold numbers as doubles.


def read_seed(seed: int | None) -> int:
    """The seed, checked to be one that the core's generator accepts; for None one drawn from the system."""
    return secrets.randbits(_FRESH_BITS) if seed is None else whole_number("seed", seed, most=N_SEEDS - 1)
