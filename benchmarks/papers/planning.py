"""What is to be measured at a scale: which cells are missing or stale, how long they take, and in which order."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from .frame import Table, table_text
from .store import FOLDER, Entry, Job, Scale, Store

State = Literal["fresh", "stale", "missing", "not needed"]
# Cells that differ in these arguments only take alike times, in the ratio of their rows.
NEAR = ("repetition", "seed", "rows", "seconds")
MOST_RATIO = 100.0  # The largest ratio of rows of cells that are taken for alike.


def state_of(store: Store, job: Job) -> State:
    """The state of a job; a cell that a limit ended is missing under a longer one."""
    entry = store.entries.get(job.key)
    if entry is not None and entry.found.get("limit", math.inf) >= job.limit and not entry.made.is_stale:
        return "fresh"
    if job.is_needed is not None and not job.is_needed(store):
        return "not needed"
    is_missing = entry is None or entry.found.get("limit", math.inf) < job.limit
    return "missing" if is_missing else "stale"


class Estimates:
    """Estimates of the seconds of jobs from the stored cells that are most alike."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.alike: dict[str, list[Entry]] = {}
        for entry in store.entries.values():
            self.alike.setdefault(_kind(entry.asked), []).append(entry)

    def seconds(self, job: Job) -> float:
        """The seconds of the cell with the same arguments, or the one with the nearest number of rows, or the guess of
        the job. A job whose cell was ended by a limit takes its whole limit."""
        entry = self.store.entries.get(job.key)
        known = [] if entry is None else [entry]
        known = known or sorted(self.alike.get(_kind(job.arguments), ()), key=lambda one: _distance(one, job))
        near = next((one for one in known if _tells(one) and _ratio(one, job) <= MOST_RATIO), None)
        if near is not None and near.was_stopped and math.isfinite(job.limit):
            return job.limit
        if near is None or near.seconds is None:
            return min(job.seconds, job.limit)
        return min(near.seconds * _ratio(near, job), job.limit)


def _tells(entry: Entry) -> bool:
    return entry.was_stopped or entry.seconds is not None


def _kind(arguments: dict[str, object]) -> str:
    return repr(sorted((name, value) for name, value in arguments.items() if name not in NEAR))


def _ratio(entry: Entry, job: Job) -> float:
    rows, asked = entry.asked.get("rows"), job.arguments.get("rows")
    return max(float(asked) / float(rows), 1.0) if rows and asked else 1.0


def _distance(entry: Entry, job: Job) -> float:
    rows, asked = entry.asked.get("rows"), job.arguments.get("rows")
    return abs(math.log(asked / rows)) if rows and asked else 0.0


@dataclass(frozen=True, slots=True)
class Task:
    """Jobs that run one after the other in one process."""

    store: Store
    jobs: tuple[Job, ...]
    seconds: float

    @property
    def value_per_second(self) -> float:
        return sum(job.value for job in self.jobs) / max(self.seconds, 1e-3)


class Plan:
    """The jobs of tables at a scale, the state of each, and the tasks in the order of their value per hour."""

    def __init__(self, tables: Iterable[Table], scale: Scale, folder: Path = FOLDER) -> None:
        self.stores: dict[str, Store] = {}
        self.states: dict[str, dict[str, dict[str, State]]] = {}  # States by table, file and key.
        self.hours: dict[str, float] = {}  # Estimated core-hours by table.
        self.tables = list(tables)
        batches: dict[tuple[str, str], dict[str, tuple[Job, float]]] = {}
        estimates: dict[str, Estimates] = {}
        counted: dict[tuple[str, str], float] = {}  # Seconds that a job adds to the hours.
        for table in self.tables:
            states = self.states[table.name] = {}
            stopped: set[str] = set()  # Series in which a job is expected to be stopped.
            asked: set[tuple[str, str]] = set()
            for job in table.jobs(scale):
                name = job.cells or table.cells or table.name
                if name not in self.stores:
                    self.stores[name] = Store(folder / f"{name}.json")
                    estimates[name] = Estimates(self.stores[name])
                state = states.setdefault(name, {})[job.key] = state_of(self.stores[name], job)
                if state in ("missing", "stale"):
                    seconds = estimates[name].seconds(job)
                    is_last = bool(job.series) and seconds >= job.limit
                    counted[name, job.key] = 0.0 if is_last and job.series in stopped else seconds
                    stopped |= {job.series} if is_last else set()
                    asked.add((name, job.key))
                    batches.setdefault((name, job.batch or job.key), {})[job.key] = job, seconds
            self.hours[table.name] = sum(counted[one] for one in asked) / 3600
        self.total = sum(counted.values()) / 3600
        tasks = [
            Task(self.stores[name], tuple(job for job, _ in jobs.values()), sum(each for _, each in jobs.values()))
            for (name, _), jobs in batches.items()
        ]
        self.tasks = sorted(tasks, key=lambda task: -task.value_per_second)

    def counts(self, table: Table) -> Counter[State]:
        return Counter(state for of_file in self.states[table.name].values() for state in of_file.values())

    def others(self, table: Table, folder: Path = FOLDER) -> tuple[int, int]:
        """How many stored cells of the file of a table are not planned, and how many of these are stale."""
        name = table.cells or table.name
        store = self.stores.setdefault(name, Store(folder / f"{name}.json"))
        planned: set[str] = set()
        for states in self.states.values():
            planned |= states.get(name, {}).keys()
        rest = [entry for key, entry in store.entries.items() if key not in planned]
        return len(rest), sum(entry.made.is_stale for entry in rest)


STATUS_COLUMNS = (
    *("table", "planned", "fresh", "stale", "missing", "not needed", "other cells", "of them stale"),
    "core-hours to go",
)


def status_text(tables: Iterable[Table], scale: Scale, folder: Path = FOLDER) -> str:
    """What a scale asks for, and what is stored of it and beside it. Cells that tables share count for each."""
    plan = Plan(tables, scale, folder)
    rows = []
    for table in plan.tables:
        counts = plan.counts(table)
        states: tuple[State, ...] = ("fresh", "stale", "missing", "not needed")
        numbers = [counts.total(), *(counts[state] for state in states), *plan.others(table, folder)]
        rows.append([table.name, *(f"{number:,}" for number in numbers), hours_text(plan.hours[table.name])])
    states_of_all = {
        (name, key): state
        for states in plan.states.values()
        for name, of_file in states.items()
        for key, state in of_file.items()
    }
    all_counts = Counter(states_of_all.values())
    told = ", ".join(f"{all_counts[state]:,} {state}" for state in states)
    return (
        f"{table_text(STATUS_COLUMNS, rows)}\nScale {scale}, each cell once: {len(states_of_all):,} planned, {told}; "
        f"about {hours_text(plan.total)} core-hours to go.\n"
    )


def hours_text(hours: float) -> str:
    return f"{hours:,.0f}" if hours >= 10 else f"{hours:.2g}"
