"""From parquet to a network: time and peak memory over rows and over variables, through a block file.

``python benchmarks/bench_large.py rows [LARGEST]`` takes 10^5, 10^6, … rows of the alarm network up to LARGEST (10^8);
``python benchmarks/bench_large.py variables`` takes 100,000 rows of networks of 37 to 1,041 variables. Each step has
a process of its own. Results are kept, so that a run that was stopped goes on.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import credenet
from bench_ingest import peak_memory
from measure import DATA, RESULTS, machine

PART = 5_000_000  # Rows of a parquet file.
LARGEST = 100_000_000
MOST_EXACT = 100_000_000  # Rows up to which an exact search runs.
NETWORKS = ("alarm", "hepar2", "andes", "pigs", "munin")
METHODS = ("pc", "rai", "exact")
LEARNING = 300.0  # Seconds for PC and RAI.
SOLVING = 120.0  # Seconds for the best network of the families of at most 3 parents.


def make(network: str, n_rows: int, folder: Path) -> None:
    """Parquet files of rows that the library's own sampler draws."""
    model = credenet.load(DATA / "networks" / f"{network}.bif.gz")
    folder.mkdir(exist_ok=True)
    for part, begin in enumerate(range(0, n_rows, PART)):
        model.sample(min(PART, n_rows - begin), seed=part).save(folder / f"part{part:03}.parquet")


def step(what: str, source: Path, target: Path) -> None:
    """Runs one step; returns its time and memory."""
    start = time.perf_counter()
    found: dict[str, Any] = {}
    if what == "ingest":
        credenet.ingest(source, target, merge="no")
        found["bytes"] = target.stat().st_size
    else:
        data = credenet.read(target)
        if what == "exact":
            families = credenet.score_families(data, max_parents=3)
            found |= {
                "families": len(families),
                "scoring": time.perf_counter() - start,
                "scoring_cpu": time.process_time(),
            }
            result = credenet.learn(families, time_limit=SOLVING)
            found |= {"bound": result.bound}
        else:
            result = credenet.learn(data, method=what, time_limit=LEARNING)
        found |= {"status": result.status, "edges": result.graph.n_edges, "score": result.score}
    cpu = time.process_time()
    print(json.dumps({"wall": time.perf_counter() - start, "cpu": cpu, "peak": peak_memory(), **found}))


def measured(what: str, source: Path, target: Path) -> dict[str, Any]:
    command = [sys.executable, __file__, "--step", what, str(source), str(target)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def run(kind: str, tasks: list[tuple[str, int, list[str]]], folder: Path) -> None:
    path = RESULTS / f"large_{kind}.json"
    stored: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {"machine": machine(), "rows": []}
    rows: list[dict[str, Any]] = stored["rows"]
    for network, n_rows, steps in tasks:
        wanted = [what for what in steps if not any(_is(row, network, n_rows, what) for row in rows)]
        if not wanted:
            continue
        source, target = folder / f"{network}{n_rows}", folder / f"{network}{n_rows}.cnb"
        make(network, n_rows, source)
        n = len(credenet.load(DATA / "networks" / f"{network}.bif.gz").variables)
        for what in ("ingest", *(what for what in wanted if what != "ingest")):
            found = measured(what, source, target)
            row = {"network": network, "variables": n, "n_rows": n_rows, "step": what, **found}
            print(json.dumps(row), flush=True)
            if what in wanted:
                rows.append(row)
                path.write_text(json.dumps(stored, indent=1) + "\n")
    draw(kind, rows)


def _is(row: dict[str, Any], network: str, n_rows: int, what: str) -> bool:
    return (row["network"], row["n_rows"], row["step"]) == (network, n_rows, what)


def draw(kind: str, rows: list[dict[str, Any]]) -> None:
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    along = "n_rows" if kind == "rows" else "variables"
    figure, axes = plt.subplots(figsize=(6, 4))
    for at, what in enumerate(("ingest", *METHODS)):
        for kind_of_time, line in (("wall", "-"), ("cpu", ":")):
            points = sorted((row[along], row[kind_of_time]) for row in rows if row["step"] == what)
            if points:
                axes.loglog(
                    *zip(*points, strict=True), line, color=f"C{at}", marker="o", label=f"{what}, {kind_of_time}"
                )
    axes.set_xlabel("rows" if kind == "rows" else "variables")
    axes.set_ylabel("seconds")
    axes.legend()
    figure.tight_layout()
    figure.savefig(RESULTS / f"large_{kind}.svg")


def main(kind: str, largest: int) -> None:
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as name:
        if kind == "rows":
            sizes = [10**k for k in range(5, 10) if 10**k <= largest]
            steps = {n: ["ingest", "pc", "rai", *(["exact"] if n <= MOST_EXACT else [])] for n in sizes}
            run(kind, [("alarm", n, steps[n]) for n in sizes], Path(name))
        else:
            run(kind, [(network, 100_000, ["ingest", "pc", "rai"]) for network in NETWORKS], Path(name))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--step"]:
        step(sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4]))
    else:
        main(sys.argv[1], int(float(sys.argv[2])) if sys.argv[2:] else LARGEST)
