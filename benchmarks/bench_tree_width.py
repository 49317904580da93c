"""Networks of bounded tree-width: scores beside the published ones of BLIP, and how the cost of a search grows.

No package on PyPI learns networks of a bounded tree-width above 1: pgmpy, pyAgrum and bnlearn have trees only. The
strongest peer is BLIP (r.blip on CRAN, a Java program), whose k-MAX was run on the same files (one thread of a busy
machine, 60 s of scoring and 60 s of search); its scores are published numbers here, not times. ``--quick`` tries the
benchmark in seconds and keeps nothing.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

import credenet
import measure
from credenet import FamilyTable, _core
from measure import DATA, N_THREADS, Report, best_of
from papers.frame import published, save_figure

SECONDS = 10.0
DATA_SETS = ("nursery", "breast", "housing", "letter", "wdbc", "community")
ROWS = 5000
VARIABLES = (20, 50, 100, 200, 500)
WIDTHS = (1, 2, 3, 4, 5, 6, 7)
SLACKS = (0.0, 2.0, 10.0, 50.0, 200.0)  # Nats; larger slacks give longer lists of families.
MOST_BYTES = 2**33
PUBLISHED = published("treewidth")
COSTS = {
    "variables": "number of variables (tree-width 4)",
    "tree_width": "tree-width (50 variables)",
    "families": "families of a variable (50 variables, tree-width 3)",
}


def main() -> None:
    is_quick = "--quick" in sys.argv[1:]
    if is_quick:
        measure.RESULTS = Path(tempfile.mkdtemp(prefix="tree_width_"))
    report = Report("tree_width", "What do searches of bounded tree-width reach, and what does a step cost?")
    for name in ("nursery", "wdbc") if is_quick else DATA_SETS:
        beside_k_max(report, name, 1.0 if is_quick else SECONDS)
    curves = []
    for n in VARIABLES[:2] if is_quick else VARIABLES:
        curves += cost(report, "variables", families_of(n, 4), 4)
    families = families_of(50, max(WIDTHS))  # A search ignores families with too many parents.
    for width in WIDTHS[:3] if is_quick else WIDTHS:
        curves += cost(report, "tree_width", families, width)
    for slack in SLACKS[:2] if is_quick else SLACKS:
        curves += cost(report, "families", families_of(50, 3, slack), 3)
    report.head["curves"] = curves
    report.save()
    print(f"drawn: {draw_cost(curves, measure.RESULTS if is_quick else measure.RESULTS.parent / 'reports')}")


def beside_k_max(report: Report, name: str, seconds: float) -> None:
    """auto for a short time at tree-width 4, scoring included, and when it passed the published score."""
    data = credenet.read(DATA / "treewidth" / f"{name}.dat.gz")
    published = PUBLISHED["table1"][name]["BLIP k-MAX"]
    results: list[credenet.LearnResult] = []
    timing = best_of(lambda: results.append(credenet.learn(data, tree_width=4, time_limit=seconds)), 1)
    result = results[0]
    passed = next((point.seconds for point in result.trace if point.score >= published), None)
    when = "not reached" if passed is None else f"reached after {passed:.2f} s"
    task = f"{name}, tree-width 4, {seconds:g} s"
    note = f"score {result.score:.3f}, {result.status}, {N_THREADS} threads; {published} {when}"
    report.add(task, "credenet auto", timing, note=note)
    report.add(task, "BLIP k-MAX", None, note=f"score {published}, published")


def families_of(n: int, max_parents: int, slack: float | None = None) -> FamilyTable:
    """Families of rows of a random network with twice as many edges as variables; with a slack, of all parent sets."""
    dag = credenet.random.dag(n, n_edges=2 * n, max_parents=4, seed=1)
    data = credenet.random.network(dag, n_states=(2, 4), seed=1).sample(ROWS, seed=1)
    most = max(1000, 5 * n)
    if slack is None:
        return credenet.score_families(data, max_parents=max_parents, search="best_first", max_families=most)
    return credenet.score_families(data, max_parents=max_parents, slack=slack)


def cost(report: Report, over: str, families: FamilyTable, width: int) -> list[dict[str, Any]]:
    """Microseconds of a step of annealing, its start included, and of a best network within the bags of k-MAX."""
    n, lists = len(families.variables), families.flat().lists
    size = {"variables": n, "tree_width": width, "families": len(families) / n}
    task = f"{n} variables, tree-width {width}, {size['families']:.0f} families each"
    outcomes: list[_core.BoundedResult] = []
    annealing = best_of(
        lambda: outcomes.append(_core.bounded_search(lists, width, "annealing", 1, 0, 1, MOST_BYTES, None))
    )
    steps = outcomes[0].n_expanded
    bags = _core.bounded_search(lists, width, "kmax", 1, 0, 1, MOST_BYTES, None)
    within = best_of(lambda: _core.best_within(lists, bags.bags, bags.bag_parents, None))
    report.add(task, "annealing", annealing, note=f"{steps:,} steps, {annealing.wall / steps * 1e6:.3f} µs each")
    report.add(task, "best_within", within, note=f"{len(bags.bags)} bags")
    times = {"step of annealing": annealing.wall / steps, "best network within bags": within.wall}
    return [{"over": over, "what": what, **size, "microseconds": time * 1e6} for what, time in times.items()]


def draw_cost(curves: Sequence[dict[str, Any]], folder: Path) -> Path:
    """Microseconds of a step of annealing, and of the best network within given bags."""
    figure = Figure(figsize=(11, 3.6), layout="constrained")
    panels = figure.subplots(1, len(COSTS), sharey=True)
    for axes, (over, title) in zip(panels, COSTS.items(), strict=True):
        for what in dict.fromkeys(point["what"] for point in curves):
            points = [point for point in curves if (point["over"], point["what"]) == (over, what)]
            x, y = [point[over] for point in points], [point["microseconds"] for point in points]
            axes.loglog(x, y, marker="o", markersize=4, label=what)
        axes.set_xlabel(title)
        axes.grid(visible=True, which="major", alpha=0.3)
    panels[0].set_ylabel("µs")
    panels[0].legend(fontsize=8)
    return save_figure(figure, folder / "tree_width_cost.svg")


if __name__ == "__main__":
    main()
