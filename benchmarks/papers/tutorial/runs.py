"""Problems of the tutorial, and what its tables measure on them: lists of families, and one search among them."""

from __future__ import annotations

import functools
import math
import time
from collections.abc import Callable, Sequence

import numpy as np

import credenet
from credenet import Dataset, FamilyTable
from credenet.errors import ArgumentError
from measure import DATA

from ..frame import published
from ..parts import BOUNDED, COMMON, NETWORK_FILES, TESTED
from ..sources import measures
from ..store import Cell, Job, Scale, Store

PUBLISHED = published("tutorial")
MEMORY_LIMIT = 4e9
LIMITS: dict[Scale, float] = {"quick": 10.0, "paper": 7200.0}  # Seconds of a search or of scoring.
MOST_POINTS = 150  # Points of a trace at most.
READING = ("io.reading", *NETWORK_FILES)
NO_NUMBERS = (
    "The slides show this as a figure, whose numbers their text does not give, so there is no published column."
)


@functools.lru_cache(maxsize=2)
def data_of(name: str) -> Dataset:
    """A file below the folder of the data, "NETWORK.bif.gz ROWS" or "random VARIABLES PARENTS ROWS"."""
    place, *numbers = name.split()
    if not numbers:
        return credenet.read(DATA / place)
    if place == "random":
        n_variables, max_parents, rows = map(int, numbers)
        dag = credenet.random.dag(n_variables, max_parents=max_parents, seed=1)
        return credenet.random.network(dag, seed=1).sample(rows, seed=1)
    return credenet.load(DATA / place).sample(int(numbers[0]), seed=1)


@functools.lru_cache(maxsize=2)
def families_of(data: str, score: str, max_parents: int | None) -> FamilyTable:
    """One thread, and no time limit: a list that ends early ends at the same family each time."""
    return credenet.score_families(
        data_of(data), score=score, max_parents=max_parents, memory_limit=MEMORY_LIMIT, n_threads=1
    )


@measures(also=READING, without=(*COMMON, *BOUNDED, *TESTED))
def listed(data: str, score: str, max_parents: int | None, seconds: float) -> Cell:
    """The size of the lists of families after pruning."""
    rows = data_of(data)
    start = time.perf_counter()
    families = credenet.score_families(
        rows, score=score, max_parents=max_parents, time_limit=seconds, memory_limit=MEMORY_LIMIT, n_threads=1
    )
    wall = time.perf_counter() - start
    flat = families.flat()
    counts = np.diff(flat.starts)
    largest = np.maximum.reduceat(flat.sizes, flat.starts[:-1])
    return {
        "variables": rows.n_variables,
        "rows": len(rows),
        "status": families.made.status,
        "families": len(families),
        "mean_largest": round(float(largest.mean()), 4),
        "largest": int(largest.max()),
        "log2_space": round(float(np.log2(counts).sum()), 4),
        "wall": round(wall, 3),
    }


@measures(also=READING, without=(*COMMON, *BOUNDED, *TESTED))
def searched(data: str, score: str, max_parents: int | None, method: str, seconds: float) -> Cell:
    """One search on one thread; the time is that of the search, without scoring."""
    families = families_of(data, score, max_parents)
    problem = {
        "variables": len(families.variables),
        "rows": len(data_of(data)),
        "families": len(families),
        "complete": families.made.complete,
    }
    load(method)
    start, cpu_start = time.perf_counter(), time.process_time()
    try:
        result = credenet.learn(families, method=method, time_limit=seconds, memory_limit=MEMORY_LIMIT, n_threads=1)
    except ArgumentError as error:  # Dynamic programming does not fit.
        return {**problem, "status": "refused", "reason": str(error)}
    wall, cpu = time.perf_counter() - start, time.process_time() - cpu_start
    statistics = result.statistics
    return {
        **problem,
        "status": result.status,
        "score": result.score,
        "bound": result.bound,
        "wall": round(wall, 3),
        "cpu": round(cpu, 3),
        "expanded": statistics.expanded,
        "generated": statistics.generated,
        "peak_bytes": statistics.peak_bytes,
        "largest_component": max(statistics.components, default=1),
        "to_best": next(
            (round(point.seconds, 3) for point in result.trace if point.score >= result.trace[-1].score), None
        ),
        "trace": thinned(result),
    }


@functools.cache
def load(method: str) -> None:
    """Loads the modules of a method, which the first search of a process would else be charged with."""
    credenet.learn(credenet.datasets.asia(), method=method, n_threads=1)


def thinned(result: credenet.LearnResult) -> list[list[float | None]]:
    """Seconds, score and bound; of many points, evenly chosen ones and the last."""
    step = max(-(-len(result.trace) // MOST_POINTS), 1)
    some = [point for at, point in enumerate(result.trace) if at % step == 0 or at == len(result.trace) - 1]
    return [[round(point.seconds, 4), _finite(point.score), _finite(point.bound)] for point in some]


def _finite(value: float) -> float | None:
    return round(value, 3) if math.isfinite(value) else None


def search_job(data: str, method: str, scale: Scale, score: str = "bic", max_parents: int | None = None) -> Job:
    arguments = {"data": data, "score": score, "max_parents": max_parents, "method": method}
    return unsettled(searched, arguments, scale)


def unsettled(work: Callable[..., Cell], arguments: Cell, scale: Scale, value: float = 5.0) -> Job:
    """A job that is not needed where the answer is known from a run with a smaller limit."""
    asked = {**arguments, "seconds": LIMITS[scale]}
    return Job(work, asked, seconds=LIMITS[scale], value=value, is_needed=functools.partial(is_unsettled, arguments))


def is_unsettled(arguments: Cell, store: Store) -> bool:
    cells = [cell for cell in store.select(**arguments) if not cell["made"].is_stale]
    return not any(cell.get("status") in ("optimal", "complete", "refused") for cell in cells)


def longest(cells: Sequence[Cell]) -> Cell | None:
    """The run with the largest limit among runs of the same problem."""
    return max(cells, key=lambda cell: float(cell["seconds"]), default=None)


def name_of(data: str) -> str:
    """A short name: flag of datasets/flag.csv."""
    return data.partition("/")[2].partition(".")[0] or data


def seconds_text(cell: Cell | None) -> str:
    """CPU seconds of a search that ended with a proof, or why it did not."""
    if cell is None:
        return ""
    if cell["status"] == "optimal":
        return f"{cell['cpu']:.2f}"
    if cell["status"] == "refused":
        return "X (memory)"
    return f"X ({str(cell['status']).removesuffix('_limit')}, gap {gap_text(cell)})"


def gap_text(cell: Cell) -> str:
    """Bound less score as text, if both are known."""
    known = cell["bound"] is not None and cell["score"] is not None
    return f"{cell['bound'] - cell['score']:.1f}" if known else "not known"
