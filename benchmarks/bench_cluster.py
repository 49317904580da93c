"""Counting on Dask workers: time over the number of workers, for PC and for families of at most two parents.

``python benchmarks/bench_cluster.py [ROWS]``; rows of the alarm network in a block file, workers that are processes
with one thread each. More workers than cores share the cores, so efficiency beyond the cores says what sharing costs.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from distributed import Client, LocalCluster

import credenet
from credenet import Dataset
from measure import DATA, N_THREADS, RESULTS, Report, Timing

ROWS = 2_000_000
WORKERS = (1, 2, 3, 4)

TASKS: dict[str, Callable[[Dataset], object]] = {
    "PC": lambda data: credenet.learn(data, method="pc", n_threads=1).graph,
    "families, at most 2 parents": lambda data: _families(credenet.score_families(data, max_parents=2, n_threads=1)),
}


def _families(table: credenet.FamilyTable) -> list[Any]:
    return [list(table.families(name)) for name in table.variables]


def timed(work: Callable[[Dataset], object], data: Dataset, client: Client | None) -> tuple[Timing, object]:
    """Wall seconds, CPU seconds of all processes that count, and the answer."""

    def cpu_seconds() -> float:
        of_workers: dict[str, float] = {} if client is None else client.run(time.process_time)
        return time.process_time() + sum(of_workers.values())

    wall, cpu = time.perf_counter(), cpu_seconds()
    found = work(data)
    return Timing(time.perf_counter() - wall, cpu_seconds() - cpu), found


def main(n_rows: int) -> None:
    question = f"How does counting {n_rows:,} rows of alarm speed up with workers, on {N_THREADS} cores?"
    report = Report("cluster", question, "distributed")
    alarm = credenet.load(DATA / "networks" / "alarm.bif.gz")
    rows = alarm.sample(n_rows, seed=1)
    with tempfile.TemporaryDirectory() as folder:
        data = credenet.ingest(rows, Path(folder) / "alarm.cnb", merge="no")
        memory = {}
        for task, work in TASKS.items():
            memory[task], expected = timed(work, rows, None)
            report.add(task, "memory", memory[task], facts={"rows": n_rows, "workers": 0})
            TASKS[task] = _checked(work, expected)
        alone: dict[str, Timing] = {}
        for number in WORKERS:
            cluster: Any = LocalCluster(  # type: ignore[no-untyped-call]
                n_workers=number, threads_per_worker=1, dashboard_address=":0"
            )
            opened: Any = Client(cluster)  # type: ignore[no-untyped-call]
            with cluster, opened as client, credenet.placed(data, cluster=client) as placed:
                for task, work in TASKS.items():
                    work(placed.select(placed.variables[:3]))  # After this call every worker has read its blocks.
                    timing, _ = timed(work, placed, client)
                    alone.setdefault(task, timing)
                    efficiency = alone[task].wall / timing.wall / number
                    # CPU time shows the cost of splitting even on a busy machine.
                    cpu_efficiency = alone[task].cpu / timing.cpu
                    facts = {"rows": n_rows, "workers": number, "efficiency": efficiency}
                    facts["cpu_efficiency"] = cpu_efficiency
                    note = f"efficiency {efficiency:.2f}, of CPU time {cpu_efficiency:.2f}"
                    report.add(task, f"{number} workers", timing, ours=memory[task], note=note, facts=facts)
    report.save()
    draw(report.rows)


def draw(rows: list[dict[str, Any]]) -> None:
    """Wall and CPU seconds over the number of workers."""
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(6, 4))
    for task in TASKS:
        for kind, line in (("wall", "-"), ("cpu", ":")):
            points = [(row["workers"], row[kind]) for row in rows if row["task"] == task and row["workers"]]
            axes.plot(*zip(*points, strict=True), line, marker="o", label=f"{task}, {kind}")
    axes.set_xlabel("workers")
    axes.set_ylabel("seconds")
    axes.set_ylim(0)
    axes.legend()
    figure.tight_layout()
    figure.savefig(RESULTS / "cluster.svg")


def _checked(work: Callable[[Dataset], object], expected: object) -> Callable[[Dataset], object]:
    """The same work; if all variables are there, what it finds must be what was found in memory."""

    def checked(data: Dataset) -> object:
        found = work(data)
        assert data.n_variables < 37 or found == expected
        return found

    return checked


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else ROWS)
