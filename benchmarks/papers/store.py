"""Measured cells of a table: each is measured once, in a process of its own, and kept as JSON."""

from __future__ import annotations

import csv
import io
import json
import math
import multiprocessing
import signal
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

import credenet
from credenet._files.files import atomic_writer
from measure import RESULTS, machine, versions

Cell = dict[str, Any]

FOLDER = RESULTS / "papers"


@dataclass(frozen=True, slots=True)
class Job:
    """A cell to measure: a function at the top of a module and its arguments by name, which name the cell as well.
    Settings are arguments that do not: a cell measured with others is not measured again."""

    work: Callable[..., Cell]
    arguments: Cell
    settings: Cell = field(default_factory=dict)

    @property
    def key(self) -> str:
        return ", ".join(f"{name} {value}" for name, value in self.arguments.items())


class Store:
    """Cells by key, written whenever one is added, and the machines and versions they were measured with."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.cells: dict[str, Cell] = {}
        self.machines: list[Cell] = []
        if path.exists():
            kept = json.loads(path.read_text())
            self.cells, self.machines = kept["cells"], kept["machines"]

    def add(self, job: Job, answer: Cell) -> None:
        self.cells[job.key] = {**job.arguments, **answer}
        here = {**machine(), **versions("credenet")}
        if here not in self.machines:
            self.machines.append(here)
        self.write()

    def write(self) -> None:
        """Writes the whole file, a line for each cell."""
        head = json.dumps({"machines": self.machines}).removesuffix("}")
        lines = ",\n".join(f" {json.dumps(key)}: {json.dumps(cell)}" for key, cell in self.cells.items())
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_writer(self.path) as file:
            file.write(f'{head}, "cells": {{\n{lines}\n}}}}\n'.encode())

    def is_missing(self, job: Job) -> bool:
        """Whether the cell is not measured, or was stopped by a `limit` shorter than that of the job."""
        cell = self.cells.get(job.key)
        return cell is None or bool(cell.get("limit", math.inf) < job.settings.get("limit", 0.0))

    def run(self, jobs: Iterable[Job], side_by_side: int = 1, what: str = "") -> None:
        """Measures the cells that are missing. Ctrl-C ends those under way and keeps the others."""
        missing = [job for job in jobs if self.is_missing(job)]
        if not missing:
            return
        start = time.perf_counter()
        with (
            _progress() as progress,
            multiprocessing.get_context("spawn").Pool(side_by_side, _leave_interrupts) as pool,
        ):
            bar = progress.add_task(what or self.path.stem, total=len(missing))
            for done, (place, answer) in enumerate(pool.imap_unordered(_measured, enumerate(missing)), 1):
                job = missing[place]
                if isinstance(answer, str):
                    shown = f"failed: {answer}"
                else:
                    self.add(job, answer)
                    shown = ", ".join(f"{name} {value}" for name, value in answer.items() if is_plain(value))
                left = (time.perf_counter() - start) / done * (len(missing) - done)
                counted = f"[{done}/{len(missing)}, about {left:.0f} s left]"
                progress.console.print(f"{counted} {job.key}: {shown}", markup=False, highlight=False, soft_wrap=True)
                progress.advance(bar)

    def select(self, **arguments: object) -> list[Cell]:
        """The cells with these arguments."""
        wanted = arguments.items()
        return [cell for cell in self.cells.values() if all(cell.get(name) == value for name, value in wanted)]

    def csv_text(self) -> str:
        """A row for each cell; lists, like the points of a curve, are in the JSON only."""
        rows = [{name: value for name, value in cell.items() if is_plain(value)} for cell in self.cells.values()]
        columns = list(dict.fromkeys(name for row in rows for name in row))
        text = io.StringIO()
        writer = csv.DictWriter(text, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return text.getvalue()

    def write_csv(self) -> Path:
        """The cells as a file beside the JSON."""
        path = self.path.with_suffix(".csv")
        with atomic_writer(path) as file:
            file.write(self.csv_text().encode())
        return path


def is_plain(value: object) -> bool:
    return not isinstance(value, list | dict)


def _progress() -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True)


def _leave_interrupts() -> None:
    """A worker leaves Ctrl-C to the main process: `learn` would return what it has so far."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _measured(numbered: tuple[int, Job]) -> tuple[int, Cell | str]:
    """The answer of a job, or what went wrong."""
    place, job = numbered
    try:
        return place, job.work(**job.arguments, **job.settings)
    except (credenet.CredenetError, MemoryError) as error:
        return place, str(error) or type(error).__name__
