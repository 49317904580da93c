"""Sums over all networks: how long they take, how that grows with the variables, and what they come to.

``python benchmarks/bench_posterior.py`` writes results/posterior.json and results/posterior.svg. No peer that sums over
all networks can be installed from a package index. Each sum is of data: all families are scored first, which is told
apart.
"""

from __future__ import annotations

import json
import time
from typing import Any

import credenet
from measure import DATA, RESULTS, Report, Timing, best_of

SHARED: dict[str, dict[str, Any]] = {  # Further reading options by name.
    "tic-tac-toe.csv": {"header": False},
    "wine.csv": {"header": False},
    "primary-tumor.csv": {},
    "lymph.csv": {},
    "hepatitis.csv": {"header": False},
    "letter.csv.gz": {},
    "adult.csv.gz": {},
    "child-5000.dat.gz": {},
}
GROWING = {
    "hepatitis.csv": range(10, 21, 2),
    "insurance1000.csv.gz": range(10, 23, 2),
    "alarm1000.csv.gz": range(10, 23, 2),
}
MOST_PATHS = 18


def main() -> None:
    report = Report("posterior", "How long do exact sums over all networks take?", keep=True)
    for name, options in SHARED.items():
        data = credenet.read(DATA / "datasets" / name, discretize="frequency:3", missing="drop", **options)
        summed(report, name.partition(".")[0], data, repeats=2)
    for name, sizes in GROWING.items():
        data = credenet.read(DATA / "datasets" / name, **SHARED.get(name, {}))
        for n in sizes:
            summed(report, f"{name.partition('.')[0]}, first {n}", data.select(data.variables[:n]), repeats=1)
    draw()


def summed(report: Report, name: str, data: credenet.Dataset, repeats: int) -> None:
    """The posterior of all variables, and the paths of a few."""
    task = f"{name}: {data.n_variables} variables, {len(data):,} rows"
    found: list[credenet.StructurePosterior] = []
    timing = best_of(lambda: found.append(credenet.posterior(data, method="exact", states="observed")), repeats)
    posterior = found[-1]
    facts = {"n": data.n_variables, "rows": len(data), "log_evidence": posterior.log_evidence}
    note = f"log evidence {posterior.log_evidence:.10f}, consistency {posterior.consistency:.1e}"
    report.add(task, "edges and parent sets", timing, note=note, facts=facts)
    if data.n_variables <= MOST_PATHS:
        wall, cpu = time.perf_counter(), time.process_time()
        posterior.path_probabilities()
        paths = Timing(time.perf_counter() - wall, time.process_time() - cpu)
        report.add(task, "paths", paths, facts={"n": data.n_variables})


def draw() -> None:
    """Time against the number of variables."""
    from matplotlib.figure import Figure

    rows = json.loads((RESULTS / "posterior.json").read_text())["rows"]
    figure = Figure(figsize=(6, 4))
    axes = figure.add_subplot()
    for name in (name.partition(".")[0] for name in GROWING):
        points = [
            (row["n"], row["cpu"])
            for row in rows
            if row["task"].startswith(f"{name}, first") and row["who"].startswith("edges")
        ]
        axes.plot(*zip(*points, strict=True), marker="o", label=name)
    sizes = range(10, 23)
    axes.plot(sizes, [1e-9 * 3.0**n for n in sizes], "--", color="0.6", label="1 ns x 3^n")
    axes.set_yscale("log")
    axes.set_xlabel("variables")
    axes.set_ylabel("CPU seconds, scoring included")
    axes.legend()
    figure.savefig(RESULTS / "posterior.svg")


if __name__ == "__main__":
    main()
