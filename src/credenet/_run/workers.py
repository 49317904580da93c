"""Independent pieces of work on several threads, each with its own number; the caller's thread reports progress."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TypeVar

from credenet._run.progress import OnProgress, Progress
from credenet._run.run import Run

T = TypeVar("T")

_BETWEEN_REPORTS = 0.1  # seconds


def in_threads(run: Run, n: int, work: Callable[[int, OnProgress], T | None], *, phase: str | None = None) -> list[T]:
    """What ``work`` gives for 0 … n - 1, in this order, on the threads of the run.

    ``work`` gets a callback that says False after a stop, and returns None for what it did not finish; such pieces are
    left out. The time limit, the callback of the run and Ctrl-C end the work; the last two are kept in ``run.stop``.
    """
    stop = threading.Event()

    def one(number: int) -> T | None:
        if stop.is_set() or run.clock.is_over:
            return None
        found = work(number, lambda _: not stop.is_set())
        return None if stop.is_set() else found

    def tell(done: int) -> None:
        if run.on_progress is not None and run.on_progress(Progress(done, n, phase=phase)) is False:
            run.stop.is_asked = True

    found: list[T] = []
    with ThreadPoolExecutor(max_workers=run.n_threads) as workers:
        waiting = [workers.submit(one, number) for number in range(n)]
        try:
            for at, future in enumerate(waiting):
                while not run.stop.is_asked and not wait([future], timeout=_BETWEEN_REPORTS).done:
                    tell(at)
                if run.stop.is_asked:
                    break
                result = future.result()
                if result is not None:
                    found.append(result)
                tell(at + 1)
        except KeyboardInterrupt:
            run.stop.is_asked = True
        finally:
            stop.set()  # after the last piece this changes nothing
            workers.shutdown(cancel_futures=True)
    return found
