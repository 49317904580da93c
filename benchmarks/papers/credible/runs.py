"""Sets of credible networks and the k best ones, with their times, which the tables are made of."""

from __future__ import annotations

import functools
import time
import warnings
from typing import Any

import credenet
from measure import DATA

from ..frame import NOT_MEASURED, Number, beside, published
from ..parts import BOUNDED, COMMON, TESTED
from ..sources import measures
from ..store import Cell, Job, Scale

PUBLISHED = published("credible")
FACTORS = (3, 20, 150)
CAP = 150_000  # Networks at which the paper's program ends.
NO_DATA: list[str] = PUBLISHED["no data"]
MEMORY_LIMIT = 8e9
LIMITS: dict[Scale, float] = {"quick": 20.0, "paper": 86_400.0}  # Seconds of a search: the paper has 24 hours.
GUESS = 30.0  # Seconds of a search with its scoring.
READING = ("io.reading",)
MOST_CLASSES = 2_000_000  # Networks up to which their classes are counted.


@functools.cache
def warm_up() -> None:
    """Loads everything that is loaded on first use, so that it is not measured."""
    warnings.simplefilter("ignore")
    credenet.credible_networks(credenet.datasets.asia(100))


def data_of(name: str) -> credenet.Dataset:
    return credenet.read(next((DATA / "datasets").glob(f"{name}.csv*")))


def listing(data: str, score: str, factor: int, limit: float, max_parents: int | None = None) -> Job:
    asked: Cell = {"data": data, "score": score, "factor": factor}
    if max_parents is not None:
        asked["max_parents"] = max_parents
    return Job(listed, asked, {"limit": limit}, seconds=GUESS, value=2.0)


@measures(also=READING, without=(*COMMON, *BOUNDED, *TESTED))
def listed(data: str, score: str, factor: int, limit: float, max_parents: int | None = None) -> Cell:
    """All networks within a factor: their number, their classes, and CPU seconds of one thread after scoring."""
    warm_up()
    families = credenet.score_families(
        data_of(data),
        score=score,
        bayes_factor=factor,
        states="observed",
        max_parents=max_parents,
        memory_limit=MEMORY_LIMIT,
    )
    wall, cpu = time.perf_counter(), time.process_time()
    found = credenet.credible_networks(
        families, bayes_factor=factor, time_limit=limit, memory_limit=MEMORY_LIMIT, n_threads=1
    )
    times = {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}
    counts = {
        "families": len(families),
        "networks": found.n_networks,
        "classes": found.classes.n_classes if found.n_networks <= MOST_CLASSES else None,
    }
    return {**times, **counts, **ending(found.complete, found.status, limit)}


def ending(complete: bool, status: str, limit: float) -> Cell:
    """How a search ended; one that ended by time names its limit."""
    return {"complete": complete, "status": status, **({"limit": limit} if status == "time_limit" else {})}


@measures(also=READING, without=(*COMMON, *BOUNDED, *TESTED))
def best_of(data: str, k: int, what: str, limit: float) -> Cell:
    """The k best networks or classes by BDeu, and CPU seconds of one thread with the scoring."""
    warm_up()
    rows = data_of(data)
    wall, cpu = time.perf_counter(), time.process_time()
    search: Any = credenet.k_best if what == "networks" else credenet.k_best_classes
    found = search(rows, k, states="observed", time_limit=limit, memory_limit=MEMORY_LIMIT, n_threads=1)
    times = {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}
    counts = {"networks": found.n_networks, "classes": found.n_classes if what == "classes" else None}
    return {**times, **counts, **ending(found.complete, found.status, limit)}


def count_text(value: int | None, is_complete: bool = True) -> str:
    return "" if value is None else f"{'' if is_complete else 'at least '}{value:,}"


def capped(value: int | None) -> str:
    """A published number of networks, marked if the cap may have ended the listing."""
    return count_text(value, value != CAP)


def beside_published(cell: Cell, paper: tuple[float, int, int] | None) -> list[str]:
    """Networks, classes and seconds, published and ours, and how many times as long the published search took."""
    seconds, networks, classes = paper or (None, None, None)
    is_complete = cell["complete"]
    counts = [capped(networks), count_text(cell["networks"], is_complete)]
    # Of a listing that the cap ended, the classes are those of some networks only.
    counts += ["" if networks == CAP else count_text(classes), count_text(cell["classes"], is_complete)]
    is_same = cell["networks"] >= CAP if networks == CAP else is_complete and is_close(cell["networks"], networks)
    return [*counts, *timing(cell["cpu"], seconds, is_same)]


def why_not(data: str) -> str:
    """Why there is no number of ours."""
    return "no data" if data in NO_DATA else NOT_MEASURED


def without_ours(data: str, paper: tuple[float, int, int] | None) -> list[str]:
    """The row of a published result alone."""
    seconds, networks, classes = paper or (None, None, None)
    return [capped(networks), why_not(data), count_text(classes), "", "" if seconds is None else f"{seconds:,}", "", ""]


def set_numbers(where: str, data: str, cells: list[Cell], paper: tuple[float, int, int] | None) -> list[Number]:
    """Seconds, networks and classes of a published set."""
    if paper is None:
        return []
    seconds, networks, classes = paper
    cell = next(iter(cells), None)
    ours = ["", "", ""] if cell is None else beside_published(cell, paper)[5::-2]
    if cell is not None and not ours[1]:
        ours[1] = "too many to count"
    printed = (f"{seconds:,}", f"{classes:,}", f"{networks:,}")
    return [
        beside(f"{where}, {what}", shown, value, why_not(data))
        for what, shown, value in zip(("seconds", "classes", "networks"), printed, ours, strict=True)
    ]


def is_close(ours: int, published: int | None) -> bool:
    """Whether two numbers may belong to the same data, as they differ little."""
    return published is not None and abs(ours - published) < 0.01 * published


def timing(ours: float, published: float | None, is_fair: bool = True) -> list[str]:
    """Seconds, published and ours, and how many times as long the published ones are, where the work is the same."""
    shown = f"{ours:.2g}" if ours < 100 else f"{ours:,.0f}"
    if published is None:
        return ["", shown, ""]
    return [f"{published:,}", shown, f"{published / ours:,.0f}x" if is_fair else ""]


BESIDE_COLUMNS = (
    *("networks, published", "ours", "classes, published", "ours"),
    *("s, published", "ours", "ratio"),
)
