"""Is ``auto`` with default settings at least as good as every single method in the same time?

``python benchmarks/bench_auto.py defaults`` runs all shared data sets without any setting, ``... large`` samples of
large networks with a time limit. Rows measured before are kept; names of data restrict a run. pyAgrum climbs by single
edges on the same rows and score, where it is installed.
"""

from __future__ import annotations

import resource
import sys
from pathlib import Path

import credenet
from measure import DATA, Report, Timing, best_of, limited

METHODS = ("hill_climb", "tabu", "order_search(iterations=0)")
LARGEST_OF_PEERS = 250  # variables; more take hours
LARGE = {
    "hepar2": (1_000, 60.0),
    "andes": (5_000, 60.0),
    "diabetes": (5_000, 60.0),
    "pigs": (5_000, 60.0),
    "link": (5_000, 60.0),
    "munin": (10_000, 120.0),
    "munin 50,000": (50_000, 120.0),
}


def main() -> None:
    what, names = sys.argv[1], sys.argv[2:]
    report = Report(f"auto_{what}", "Is auto as good as each single method in the same time?", "pyagrum", keep=True)
    if what == "defaults":
        for path in sorted((DATA / "datasets").iterdir()):
            name = path.name.partition(".")[0]
            if not names or name in names:
                defaults(report, name, path)
    else:
        for name, (n_rows, seconds) in LARGE.items():
            if not names or name in names:
                network = credenet.load(DATA / "networks" / f"{name.partition(' ')[0]}.bif.gz")
                large(report, name, network.sample(n_rows, seed=1), seconds)


def defaults(report: Report, name: str, path: Path) -> None:
    """No setting at all, then, unless that is proven to be optimal, each method in as long as ``auto`` took."""
    data = credenet.read(path, discretize="frequency:3", missing="drop")  # where there are numbers, or missing cells
    task = f"{name}, {data.n_variables} variables, {len(data):,} rows"
    ours = learned(report, task, data, "auto", None)
    is_proven = "optimal" in next(row["note"] for row in report.rows if (row["task"], row["who"]) == (task, "auto"))
    for method in () if is_proven else METHODS:
        learned(report, task, data, method, max(ours.wall, 1.0))


def large(report: Report, name: str, data: credenet.Dataset, seconds: float) -> None:
    task = f"{name}, {data.n_variables} variables, {len(data):,} rows, {seconds:.0f} s"
    for method in ("auto", *METHODS[:2]):
        learned(report, task, data, method, seconds)
    if not report.has(task, "best_first and order_search"):
        explored_then_searched(report, task, data, seconds)
    if data.n_variables <= LARGEST_OF_PEERS and not report.has(task, "pyAgrum"):
        score = limited(_pyagrum, data, 2 * seconds)
        report.add(task, "pyAgrum", None, note="not finished" if score is None else f"score {score:,.3f}")


def learned(report: Report, task: str, data: credenet.Dataset, method: str, seconds: float | None) -> Timing:
    if report.has(task, method):
        row = next(row for row in report.rows if (row["task"], row["who"]) == (task, method))
        return Timing(row["wall"], row["cpu"])
    results: list[credenet.LearnResult] = []
    timing = best_of(lambda: results.append(credenet.learn(data, method=method, time_limit=seconds)), 1)
    result = results[0]
    gap = "no bound" if result.gap is None else f"gap {result.gap:.6g}"
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    points = result.trace[:: max(len(result.trace) // 100, 1)]
    report.add(
        task,
        method,
        timing,
        note=f"score {result.score:,.3f}, {result.status}, {gap}",
        facts={
            "score": result.score,
            "outcome": str(result).splitlines()[0],
            "reason": result.provenance.reason,
            "peak_bytes": peak,
            "trace": [[round(point.seconds, 3), point.score] for point in points],
        },
    )
    return timing


def explored_then_searched(report: Report, task: str, data: credenet.Dataset, seconds: float) -> None:
    """Half of the time for a best-first exploration, half for the order search."""
    results: list[credenet.LearnResult] = []

    def work() -> None:
        families = credenet.score_families(data, search="best_first", time_limit=seconds / 2)
        results.append(credenet.learn(families, method="order_search(iterations=0)", time_limit=seconds / 2))

    timing = best_of(work, 1)
    score = results[0].score
    report.add(task, "best_first and order_search", timing, note=f"score {score:,.3f}", facts={"score": score})


def _pyagrum(data: credenet.Dataset) -> float | None:
    import pyagrum

    learner = pyagrum.BNLearner(data.to_pandas())
    learner.useScoreBDeu()
    learner.useGreedyHillClimbing()
    network = learner.learnBN()
    edges = [(network.variable(a).name(), network.variable(b).name()) for a, b in network.arcs()]
    return credenet.score(data, credenet.DAG(data.variables, edges)).total


if __name__ == "__main__":
    main()
