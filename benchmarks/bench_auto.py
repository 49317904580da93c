"""Is ``auto`` with default settings at least as good as every single method in the same time?

``python benchmarks/bench_auto.py defaults`` runs all shared data sets without any setting, ``... large`` samples of
large networks with a time limit. Rows measured before are kept; names of data restrict a run. pyAgrum climbs by single
edges on the same rows and score, where it is installed. ``... table`` prints the first as a table, ``... curves`` draws
the scores of the second over time.
"""

from __future__ import annotations

import json
import resource
import sys
from pathlib import Path
from typing import Any

import credenet
from measure import DATA, RESULTS, Report, Timing, best_of, limited

METHODS = ("hill_climb", "tabu", "order_search(iterations=0)")
LARGEST_OF_PEERS = 250  # Variables up to which peers run, as more take hours.
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
    if what in ("table", "curves"):
        (table if what == "table" else curves)()
        return
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
    # The options matter for numbers and missing cells only.
    data = credenet.read(path, discretize="frequency:3", missing="drop")
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
    points = result.trace[:: max(len(result.trace) // 30, 1)] if report.name == "auto_large" else ()
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


def rows_of(what: str) -> dict[str, dict[str, dict[str, Any]]]:
    """The stored rows by task and by who did it."""
    tasks: dict[str, dict[str, dict[str, Any]]] = {}
    for row in json.loads((RESULTS / f"auto_{what}.json").read_text())["rows"]:
        tasks.setdefault(row["task"], {})[row["who"]] = row
    return tasks


def table() -> None:
    """The runs without any setting, in Markdown."""
    print("| data | variables | rows | wall, s | score | best of the others | what was printed |")
    print("|---|---|---|---|---|---|---|")
    for task, by in rows_of("defaults").items():
        name, variables, rows = task.split(", ")
        ours = by["auto"]
        others = {who: row["score"] for who, row in by.items() if who != "auto"}
        best = max(others, key=others.__getitem__, default=None)
        other = "" if best is None else f"{others[best]:,.3f} (`{best.partition('(')[0]}`)"
        size = f"{variables.split()[0]} | {rows.split()[0]}"
        print(f"| {name} | {size} | {ours['wall']:.1f} | {ours['score']:,.3f} | {other} | {ours['outcome']} |")


def curves() -> None:
    """How far each search is from the best score of all, over time."""
    from matplotlib import rcParams
    from matplotlib.figure import Figure

    rcParams["svg.fonttype"] = "none"
    tasks = rows_of("large")
    figure = Figure(figsize=(10, 8), layout="constrained")
    for at, (task, by) in enumerate(tasks.items()):
        axes = figure.add_subplot(3, 3, at + 1)
        scores = {who: row for who, row in by.items() if "score" in row}
        best = max(row["score"] for row in scores.values())
        for who, row in scores.items():
            points = row.get("trace") or []
            points = [*points, [row["wall"], row["score"]]]
            axes.step(
                [t for t, _ in points], [best - s + 1 for _, s in points], where="post", label=who.partition("(")[0]
            )
        axes.set(xscale="log", yscale="log", title=task, xlabel="seconds", ylabel="1 + nats below the best")
        axes.title.set_fontsize(8)
        if at == 0:
            axes.legend(fontsize=7)
    figure.savefig(RESULTS / "auto_large.svg")


if __name__ == "__main__":
    main()
