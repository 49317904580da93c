"""Runs of `learn` with bounded tree-width, which several tables are made of."""

from __future__ import annotations

import functools
import time
from collections.abc import Iterable, Iterator
from typing import Any

import credenet
from credenet import Dataset, FamilyTable
from measure import DATA

from ..frame import published
from ..parts import ELSEWHERE, QUERIES, TESTED
from ..sources import measures
from ..store import Cell, Job

PUBLISHED = published("treewidth")
DATA_SETS = ("nursery", "breast", "housing", "letter", "wdbc", "community")
MOST_POINTS = 100  # Points of a trace at most.


def learning(path: str, method: str, seconds: float, *, seed: int = 0, value: float = 1.0, **options: int) -> Job:
    """A run on one thread, which takes all of its time unless it proves the optimum."""
    run = {"path": path, "method": method, "seconds": seconds, "seed": seed, "n_threads": 1}
    return Job(learned, {**run, **options}, seconds=seconds, value=value)


def path_of(data: str) -> str:
    return f"treewidth/{data}.dat.gz"


def threads_told(cells: Iterable[Cell]) -> str:
    """On how many threads some runs were, in words."""
    numbers = sorted({cell["n_threads"] for cell in cells})
    return f"{' or '.join(map(str, numbers))} thread{'s' if numbers != [1] else ''}"


def named(cell: Cell) -> str:
    return str(cell["method"]).partition("(")[0]


@functools.lru_cache(maxsize=2)
def source(path: str) -> Dataset | FamilyTable:
    """A file of data, or of families (.jkl), below the folder of the data."""
    return credenet.load_families(DATA / path) if ".jkl" in path else credenet.read(DATA / path)


@measures(also=("io.reading", "io.families"), without=(*ELSEWHERE, *QUERIES, *TESTED))
def learned(path: str, method: str, seconds: float, seed: int, n_threads: int, **options: Any) -> Cell:
    """One run of `learn`, scoring included in the time, and what `verify` says of the result."""
    data = source(path)
    start, cpu_start = time.perf_counter(), time.process_time()
    result = credenet.learn(data, method=method, time_limit=seconds, seed=seed, n_threads=n_threads, **options)
    wall, cpu = time.perf_counter() - start, time.process_time() - cpu_start
    return {
        "score": result.score,
        "bound": result.bound,
        "status": result.status,
        "unbounded_score": result.unbounded_score,
        "width": result.tree_width,
        "families": result.statistics.families,
        "wall": round(wall, 3),
        "cpu": round(cpu, 3),
        "scoring_seconds": round(result.statistics.scoring_seconds, 3),
        "reason": result.provenance.reason,
        "verified": bool(result.verify(data)),
        "trace": list(_improvements(result)),
    }


def _improvements(result: credenet.LearnResult) -> Iterator[list[float]]:
    """Seconds and score whenever the score rose; of many, evenly chosen ones and the last."""
    points: list[list[float]] = []
    for point in result.trace:
        if point.score > (points[-1][1] if points else float("-inf")):
            points.append([round(point.seconds, 4), round(point.score, 3)])
    step = max(-(-len(points) // MOST_POINTS), 1)
    yield from (point for at, point in enumerate(points) if at % step == 0 or at == len(points) - 1)
