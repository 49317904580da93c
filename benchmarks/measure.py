"""Timing of one piece of work, the machine it ran on, and the record of results."""

from __future__ import annotations

import gc
import json
import logging
import multiprocessing
import os
import platform
import queue
import time
import warnings
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, TypeVar

RESULTS = Path(__file__).parent / "results"
DATA = Path(os.environ.get("CREDENET_DATA", Path(__file__).parents[2] / "shared" / "data"))
N_THREADS = len(os.sched_getaffinity(0))

Argument = TypeVar("Argument")
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Timing:
    """The best of several runs: wall-clock and CPU seconds (all threads)."""

    wall: float
    cpu: float


def best_of(work: Callable[[], object], repeats: int = 3) -> Timing:
    """The smallest times of some runs of the same work; what a run returns is dropped before the next."""
    walls, cpus = [], []
    for _ in range(repeats):
        gc.collect()
        wall, cpu = time.perf_counter(), time.process_time()
        result = work()
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
        del result
    return Timing(min(walls), min(cpus))


def limited(work: Callable[[Argument], Answer], argument: Argument, seconds: float) -> Answer | None:
    """The answer of a peer in a process of its own, or nothing if it takes too long."""
    run = multiprocessing.get_context("spawn")
    answers: multiprocessing.Queue[Answer] = run.Queue()
    process = run.Process(target=_answer_to, args=(answers, work, argument))
    process.start()
    try:
        return answers.get(timeout=seconds)
    except queue.Empty:
        return None
    finally:
        process.kill()
        process.join()


def _answer_to(answers: Any, work: Callable[[Any], Any], argument: Any) -> None:
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    answers.put(work(argument))


def machine() -> dict[str, Any]:
    cpu = platform.processor()
    information = Path("/proc/cpuinfo")
    if information.exists():
        for line in information.read_text().splitlines():
            if line.startswith("model name"):
                cpu = line.partition(":")[2].strip()
                break
    return {"cpu": cpu, "cores": N_THREADS, "python": platform.python_version(), "system": platform.system()}


def versions(*packages: str) -> dict[str, str]:
    found = {}
    for package in packages:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


class Report:
    """Collects the rows of one benchmark, prints them as they come and keeps them as JSON.

    With ``keep``, the rows of earlier runs stay until they are measured anew.
    """

    def __init__(self, name: str, question: str, *packages: str, keep: bool = False) -> None:
        self.name = name
        self.rows: list[dict[str, Any]] = []
        if keep and self._path.exists():
            self.rows = json.loads(self._path.read_text())["rows"]
        self.head: dict[str, Any] = {
            "question": question,
            "machine": machine(),
            "versions": versions("credenet", *packages),
        }
        print(f"\n{question}")

    def add(
        self,
        task: str,
        who: str,
        timing: Timing | None,
        *,
        ours: Timing | None = None,
        note: str = "",
        facts: dict[str, Any] | None = None,
    ) -> None:
        """A row; with ``ours``, the ratio says how many times as long the peer took; facts are kept beside."""
        ratio = None if timing is None or ours is None else timing.wall / ours.wall
        cpu_ratio = None if timing is None or ours is None else timing.cpu / ours.cpu
        row = {
            "task": task,
            "who": who,
            **({"wall": None, "cpu": None} if timing is None else asdict(timing)),
            "ratio": ratio,
            "cpu_ratio": cpu_ratio,
            "note": note,
            **(facts or {}),
        }
        place = self._place(task, who)
        self.rows[place : place + 1] = [row]
        times = "not run" if timing is None else f"{timing.wall:9.4f} s wall {timing.cpu:9.4f} s CPU"
        ratios = "" if ratio is None or cpu_ratio is None else f"  x{ratio:.2f} wall, x{cpu_ratio:.2f} CPU"
        print(f"  {task:40s} {who:14s} {times}{ratios}  {note}", flush=True)
        self.save()  # An interrupted run leaves its results so far.

    def has(self, task: str, who: str) -> bool:
        return self._place(task, who) < len(self.rows)

    def _place(self, task: str, who: str) -> int:
        """The position of the row; after the last row if there is none."""
        same = (at for at, row in enumerate(self.rows) if (row["task"], row["who"]) == (task, who))
        return next(same, len(self.rows))

    @property
    def _path(self) -> Path:
        return RESULTS / f"{self.name}.json"

    def save(self) -> None:
        RESULTS.mkdir(exist_ok=True)
        self._path.write_text(json.dumps({**self.head, "rows": self.rows}, indent=1) + "\n")
