"""Cells of the tables of bounded tree-width: each is measured once, in a process of its own, and kept as JSON."""

from __future__ import annotations

import functools
import json
import multiprocessing
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import credenet
from credenet import Dataset, FamilyTable
from credenet._files.files import atomic_writer
from measure import DATA, machine, versions

Cell = dict[str, Any]

PUBLISHED: dict[str, Any] = json.loads((Path(__file__).parent / "published_tree_width.json").read_text())
MOST_POINTS = 100  # of a trace


@dataclass(frozen=True, slots=True)
class Job:
    """A cell to measure: a function at the top of a module and its arguments by name, which name the cell as well."""

    table: str
    work: Callable[..., Cell]
    arguments: Cell

    @property
    def key(self) -> str:
        return f"{self.table}: " + ", ".join(f"{name} {value}" for name, value in self.arguments.items())


class Store:
    """Cells by key, written whenever one is added."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.cells: dict[str, Cell] = json.loads(path.read_text())["cells"] if path.exists() else {}

    def add(self, job: Job, answer: Cell) -> None:
        self.cells[job.key] = {"table": job.table, **job.arguments, **answer}
        head = json.dumps({"machine": machine(), "versions": versions("credenet")}).removesuffix("}")
        lines = ",\n".join(f" {json.dumps(key)}: {json.dumps(cell)}" for key, cell in self.cells.items())
        self.path.parent.mkdir(exist_ok=True)
        with atomic_writer(self.path) as file:
            file.write(f'{head}, "cells": {{\n{lines}\n}}}}\n'.encode())

    def run(self, jobs: Sequence[Job], side_by_side: int = 1) -> None:
        """Measures the cells that are missing. Ctrl-C ends those under way and keeps the others."""
        missing = [job for job in jobs if job.key not in self.cells]
        if not missing:
            return
        with multiprocessing.get_context("spawn").Pool(side_by_side, _leave_interrupts) as pool:
            for done, (place, answer) in enumerate(pool.imap_unordered(_measured, enumerate(missing)), 1):
                job = missing[place]
                if isinstance(answer, str):
                    print(f"[{done}/{len(missing)}] {job.key}: failed: {answer}", flush=True)
                    continue
                self.add(job, answer)
                shown = {name: value for name, value in answer.items() if not isinstance(value, list)}
                print(f"[{done}/{len(missing)}] {job.key}: {shown}", flush=True)

    def select(self, table: str, **arguments: object) -> list[Cell]:
        """The cells of a table with these arguments."""
        wanted = {"table": table, **arguments}.items()
        return [cell for cell in self.cells.values() if all(cell.get(name) == value for name, value in wanted)]


def _leave_interrupts() -> None:
    """A worker leaves Ctrl-C to the main process: `learn` would return what it has so far."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _measured(numbered: tuple[int, Job]) -> tuple[int, Cell | str]:
    """The answer of a job, or what went wrong."""
    place, job = numbered
    try:
        return place, job.work(**job.arguments)
    except (credenet.CredenetError, MemoryError) as error:
        return place, str(error) or type(error).__name__


@functools.lru_cache(maxsize=2)
def source(path: str) -> Dataset | FamilyTable:
    """A file of data, or of families (.jkl), below the folder of the data."""
    return credenet.load_families(DATA / path) if ".jkl" in path else credenet.read(DATA / path)


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


def table_text(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = ["| " + " | ".join(columns) + " |", "|---" * len(columns) + "|"]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)]) + "\n"


def number(value: float | None, digits: int = 3) -> str:
    """A number with some digits after the point; nothing where there is none."""
    return "" if value is None else f"{value:.{digits}f}"
