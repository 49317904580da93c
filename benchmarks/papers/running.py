"""Runs tasks one beside the other, each cell on one core, and stores every cell as soon as it is measured."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from pathlib import Path
from typing import Any

import credenet
from credenet import _core
from measure import N_THREADS, machine, versions

from .planning import Plan, Task, state_of
from .sources import ROOT, changed_since, current_digest, work_name
from .store import Cell, Job, Made, Scale, is_plain

LOWEST_PRIORITY = 19
SOURCES = ("src", "cpp", "bindings", "benchmarks", "CMakeLists.txt", ":!benchmarks/results")
Measured = tuple[list[tuple[Cell | str, float]], Cell]
"""The answer of each job, or what went wrong, with its seconds; and the machine."""


def run(
    plan: Plan,
    scale: Scale,
    *,
    workers: int = N_THREADS,
    executor: Executor | None = None,
    hours: float | None = None,
) -> None:
    """Measures what is missing or stale, the best value per hour first, until all is done or the time is over: then
    tasks under way are waited for, but no others begin. Ctrl-C ends those under way."""
    check_core(plan.tasks)
    start, moment = time.monotonic(), time.time()
    maker = {"commit": commit(), "scale": scale}
    waiting = list(plan.tasks)
    total, done = len(waiting), 0
    own = None if executor is not None else _pool(workers)
    under_way: dict[Future[Measured], tuple[Task, list[Job]]] = {}
    try:
        while waiting or under_way:
            is_over = hours is not None and time.monotonic() - start > 3600 * hours
            while waiting and len(under_way) < workers and not is_over:
                task = waiting.pop(0)
                jobs = [job for job in task.jobs if state_of(task.store, job) in ("missing", "stale")]
                if jobs:
                    asked = [(job.work, {**job.arguments, **job.settings}) for job in jobs]
                    under_way[(executor or own or _pool(workers)).submit(_measure, asked)] = task, jobs
                else:
                    done += 1
            if not under_way:
                break
            for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                task, jobs = under_way.pop(future)
                done += 1
                try:
                    answers, where = future.result()
                except BrokenExecutor:  # A worker was killed; the cells under way are left out of this run.
                    lost = [jobs, *(others for _, others in under_way.values())]
                    _tell(f"a worker was killed, perhaps for memory, during: {'; '.join(one[0].key for one in lost)}")
                    under_way.clear()
                    if executor is not None:
                        raise
                    own = _pool(workers)
                    break
                for job, (answer, seconds) in zip(jobs, answers, strict=True):
                    _keep(task, job, answer, seconds, {**where, **maker}, moment)
                    _tell(f"[{done}/{total}] {task.store.path.stem}: {job.key}: {_shown(answer)}")
    except BaseException:
        _end(own)
        raise
    if own is not None:
        own.shutdown()


def _keep(task: Task, job: Job, answer: Cell | str, seconds: float, maker: Cell, moment: float) -> None:
    if isinstance(answer, str):
        return
    name = work_name(job.work)
    digest = "" if changed_since(name, moment) else current_digest(name)
    task.store.add(job, answer, Made(maker, job.settings, name, digest, round(seconds, 3)))


def _shown(answer: Cell | str) -> str:
    if isinstance(answer, str):
        return f"failed: {answer}"
    return ", ".join(f"{name} {value}" for name, value in answer.items() if is_plain(value))


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _measure(asked: Sequence[tuple[Any, Cell]]) -> Measured:
    """Runs in a worker."""
    answers: list[tuple[Cell | str, float]] = []
    for work, arguments in asked:
        start = time.perf_counter()
        try:
            answer: Cell | str = work(**arguments)
        except (credenet.CredenetError, MemoryError) as error:
            answer = str(error) or type(error).__name__
        answers.append((answer, time.perf_counter() - start))
    return answers, {**machine(), **versions("credenet")}


def _pool(workers: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _begin)


def _begin() -> None:
    """A worker runs at the lowest priority and leaves Ctrl-C to the main process: `learn` would return what it has."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(LOWEST_PRIORITY)


def _end(pool: ProcessPoolExecutor | None) -> None:
    if pool is not None:
        pool.shutdown(wait=False, cancel_futures=True)
        for worker in multiprocessing.active_children():
            worker.terminate()


def commit() -> str:
    """The commit of the sources; + if they are changed since, nothing where git does not know."""
    try:
        head = _git("rev-parse", "--short", "HEAD").strip()
        return head + "+" * bool(_git("status", "--porcelain", "--", *SOURCES).strip())
    except (OSError, subprocess.CalledProcessError):
        return ""


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout


class OldCoreError(RuntimeError):
    """The compiled core is older than its sources, whose digest its cells would have."""


def check_core(tasks: Iterable[Task]) -> None:
    """Refuses to measure with a core that was built before its sources were written."""
    built = Path(_core.__file__).stat().st_mtime
    names = {work_name(job.work) for task in tasks for job in task.jobs}
    newer = [path for name in names for path in changed_since(name, built) if path.suffix in (".cpp", ".hpp", ".txt")]
    if newer:
        raise OldCoreError(f"{newer[0]} is newer than {_core.__file__}: build the core first, with make dev")
