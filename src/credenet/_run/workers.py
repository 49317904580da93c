"""Independent pieces of work, each with its own number, on several threads or on the workers of an executor.

The caller's thread reports progress.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from dataclasses import replace
from typing import Any, TypeVar

from credenet._arguments import shown
from credenet._run.progress import OnProgress, Progress
from credenet._run.run import Run
from credenet.errors import ArgumentError

T = TypeVar("T")

_BETWEEN_REPORTS = 0.1  # seconds
_GROUPS = 4  # of pieces for each worker of an executor


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

    with ThreadPoolExecutor(max_workers=run.n_threads) as workers:
        try:
            results = _results([workers.submit(one, number) for number in range(n)], run, Progress(0, n, phase=phase))
        finally:
            stop.set()  # after the last piece this changes nothing
            workers.shutdown(cancel_futures=True)
    return [result for result in results if result is not None]


def in_workers(
    executor: Executor | None,
    run: Run,
    n: int,
    work: Callable[[int, OnProgress], T | None],
    *,
    phase: str | None = None,
    ends_in_time: bool = False,
) -> list[T]:
    """The same on the workers of an executor, if there is one. They may be other processes, so ``work`` is pickled.

    Numbers go out in groups, so that the data in ``work`` are not sent for each. A piece that has begun cannot be
    stopped there: after a stop its result is not waited for, nor at the time limit, unless it ends in time by itself.
    """
    if executor is None:
        return in_threads(run, n, work, phase=phase)
    size = -(-n // n_groups(executor, run))
    groups = [range(begin, min(begin + size, n)) for begin in range(0, n, size)]
    waiting: list[Future[list[T | None]]] = [executor.submit(_group, work, group) for group in groups]
    try:
        found = _results(waiting, run, Progress(0, n, phase=phase), size, ends_in_time=ends_in_time)
    finally:
        for future in waiting:
            future.cancel()
    return [result for group in found for result in group if result is not None]


def n_groups(executor: Executor, run: Run) -> int:
    """How many groups of pieces an executor gets: some for each worker, so that all have work until the end."""
    return _GROUPS * (getattr(executor, "_max_workers", None) or run.n_threads)


def check_executor(executor: Any) -> None:
    """Refuses anything but an executor or None."""
    if executor is not None and not isinstance(executor, Executor):
        raise ArgumentError(f"executor must be a concurrent.futures.Executor, got {shown(executor)}")


def _results(
    waiting: Sequence[Future[T]], run: Run, nothing: Progress, size: int = 1, *, ends_in_time: bool = True
) -> list[T]:
    """The results in order, each of ``size`` pieces, until a stop is asked for.

    They are not waited for beyond the time limit, unless they end in time by themselves.
    """

    def tell(n_results: int) -> None:
        told = replace(nothing, done=min(n_results * size, nothing.total))
        if run.on_progress is not None and run.on_progress(told) is False:
            run.stop.is_asked = True

    found: list[T] = []
    try:
        for at, future in enumerate(waiting):
            while not run.stop.is_asked and not wait([future], timeout=_BETWEEN_REPORTS).done:
                if not ends_in_time and run.clock.is_over:
                    return found
                tell(at)
            if run.stop.is_asked:
                break
            found.append(future.result())
            tell(at + 1)
    except KeyboardInterrupt:
        run.stop.is_asked = True
    return found


def _group(work: Callable[[int, OnProgress], Any], numbers: range) -> list[Any]:
    return [work(number, _keep_going) for number in numbers]


def _keep_going(_: Progress) -> bool:
    return True
