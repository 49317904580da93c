"""Independent pieces of work, each with its own number, on several threads or on the workers of an executor.

The caller's thread reports progress.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, wait
from contextlib import contextmanager
from dataclasses import replace
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from credenet import _core
from credenet._arguments import show_value
from credenet._run.progress import OnProgress, Progress
from credenet._run.run import Run
from credenet.errors import ArgumentError

S = TypeVar("S")
T = TypeVar("T")

_BETWEEN_REPORTS = 0.1  # Seconds between two reports of progress.
_GROUPS = 4  # Groups of pieces for each worker of an executor.


def run_in_threads(
    run: Run, n: int, work: Callable[[int, OnProgress], T | None], *, phase: str | None = None
) -> list[T]:
    """The results of ``work`` for 0 … n - 1, in this order, computed on the threads of the run.

    ``work`` gets a callback that answers False after a stop, and returns None for an unfinished piece; such pieces are
    left out. The time limit, the callback of the run and Ctrl-C end the work; the last two are kept in ``run.stop``.
    """
    stop = threading.Event()

    def one(number: int) -> T | None:
        if stop.is_set() or run.clock.is_over:
            return None
        found = work(number, lambda _: not stop.is_set())
        return None if stop.is_set() else found

    with _daemon_threads(run.n_threads, n, one) as waiting:
        try:
            results = _results(waiting, run, Progress(0, n, phase=phase))
        finally:
            stop.set()  # After the last piece this has no effect.
    return [result for result in results if result is not None]


def map_in_threads(n_threads: int, work: Callable[[S], T], items: Sequence[S]) -> list[T]:
    """The results of ``work`` for the items, in their order. After an error or Ctrl-C no other piece begins."""
    with _daemon_threads(n_threads, len(items), lambda number: work(items[number])) as waiting:
        return [future.result() for future in waiting]


@contextmanager
def _daemon_threads(n_threads: int, n: int, work: Callable[[int], T]) -> Iterator[list[Future[T]]]:
    """What ``work`` gives for 0 … n - 1. When the block ends no other piece begins, and the block awaits those begun.

    The end of the process does not wait for daemon threads, unlike those of a ThreadPoolExecutor.
    """
    waiting: list[Future[T]] = [Future() for _ in range(n)]
    numbers: SimpleQueue[int] = SimpleQueue()
    for number in range(n):
        numbers.put(number)
    has_ended = threading.Event()

    def take_all() -> None:
        while not has_ended.is_set():
            try:
                number = numbers.get_nowait()
            except Empty:
                return
            try:
                waiting[number].set_result(work(number))
            except BaseException as error:
                waiting[number].set_exception(error)

    threads = [threading.Thread(target=take_all, daemon=True) for _ in range(min(n_threads, n))]
    if _core.is_process_ending():  # A process that is ending cannot start threads.
        take_all()
        threads = []
    try:
        for thread in threads:
            thread.start()
        yield waiting
    finally:
        has_ended.set()
        for thread in threads:
            if thread.ident is not None:  # Only a started thread can be joined.
                thread.join()


def run_in_workers(
    executor: Executor | None,
    run: Run,
    n: int,
    work: Callable[[int, OnProgress], T | None],
    *,
    phase: str | None = None,
    ends_in_time: bool = False,
) -> list[T]:
    """The results of `in_threads`, computed by the workers of an executor if given; ``work`` is pickled for processes.

    Numbers go out in groups, so that the data in ``work`` are not sent for each. A piece that has begun cannot be
    stopped there: after a stop its result is not waited for, nor at the time limit, unless it ends in time by itself.
    """
    if executor is None:
        return run_in_threads(run, n, work, phase=phase)
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
    """The number of groups of pieces for an executor: several per worker, so that all have work until the end."""
    return _GROUPS * (getattr(executor, "_max_workers", None) or run.n_threads)


def check_executor(executor: Any) -> None:
    """Refuses anything but an executor or None."""
    if executor is not None and not isinstance(executor, Executor):
        raise ArgumentError(f"executor must be a concurrent.futures.Executor, got {show_value(executor)}")


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

    results: list[T] = []
    try:
        for at, future in enumerate(waiting):
            while not run.stop.is_asked and not wait([future], timeout=_BETWEEN_REPORTS).done:
                if not ends_in_time and run.clock.is_over:
                    return results
                tell(at)
            if run.stop.is_asked:
                break
            results.append(future.result())
            tell(at + 1)
    except KeyboardInterrupt:
        run.stop.is_asked = True
    return results


def _group(work: Callable[[int, OnProgress], Any], numbers: range) -> list[Any]:
    return [work(number, _keep_going) for number in numbers]


def _keep_going(_: Progress) -> bool:
    return True
