"""How score and bound close in on each other: draws docs/figures/bounds_over_time.svg.

The anytime curves of the tutorial by Cussens, Malone and Yuan (IJCAI 2013): random networks of 29 variables with at
most 3 and 6 parents, 1,000 to 20,000 rows, BIC; branch and cut and two anytime searches on the same families, 12
seconds each at most.
"""

from __future__ import annotations

from pathlib import Path

from matplotlib.figure import Figure

import credenet
from credenet._files.files import atomic_writer
from credenet._run.ledger import BoundPoint
from credenet.drawing.trace import plot_trace

METHODS = ("ilp", "awa_star", "ara_star")
ROWS = (1_000, 5_000, 10_000, 20_000)
TIME_LIMIT = 12.0


def main() -> None:
    figure = Figure(figsize=(14, 6), layout="constrained")
    panels = figure.subplots(2, 4)
    for line, most in enumerate((3, 6)):
        dag = credenet.random.dag(29, max_parents=most, seed=most)
        network = credenet.random.network(dag, n_states=2, seed=most)
        for column, rows in enumerate(ROWS):
            families = credenet.score_families(network.sample(rows, seed=1), score="bic", max_parents=most)
            traces = {name: trace(families, name) for name in METHODS}
            axes = panels[line][column]
            plot_trace(traces, axes)
            axes.set_title(f"at most {most} parents, {rows:,} rows")
            axes.set_xscale("log")
            if (line, column) != (0, 0):
                axes.get_legend().remove()
    folder = Path(__file__).parents[1] / "docs" / "figures"
    folder.mkdir(exist_ok=True)
    with atomic_writer(folder / "bounds_over_time.svg") as file:
        figure.savefig(file, format="svg")


def trace(families: credenet.FamilyTable, method: str) -> tuple[BoundPoint, ...]:
    result = credenet.learn(families, method=method, time_limit=TIME_LIMIT, n_threads=1)
    gap = "" if result.gap is None else f", gap {result.gap:.4g}"
    print(f"{len(families):7,} families  {method:10s} {result.status} in {result.statistics.seconds:.2f} s{gap}")
    return result.trace


if __name__ == "__main__":
    main()
