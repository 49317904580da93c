"""Draws docs/figures/counting_cost.svg from the results of bench_counts.py."""

from __future__ import annotations

import json
from pathlib import Path

from matplotlib.figure import Figure

from credenet._files.files import atomic_writer
from measure import RESULTS

TITLES = {
    "rows": "15 variables of 2 to 4 states",
    "variables": "10,000 rows, 2 to 4 states",
    "states": "100,000 rows, 15 variables",
}


def main() -> None:
    curves = json.loads((RESULTS / "counts.json").read_text())["curves"]
    figure = Figure(figsize=(11, 6), layout="constrained")
    panels = figure.subplots(2, 3, sharex="col", sharey="row")
    for column, (over, title) in enumerate(TITLES.items()):
        points = [point for point in curves if point["over"] == over]
        for row, (key, label) in enumerate(
            (
                ("microseconds_per_family", "µs per family"),
                ("nanoseconds_per_row_and_family", "ns per row and family"),
            )
        ):
            axes = panels[row][column]
            axes.plot([point[over] for point in points], [point[key] for point in points], marker="o", markersize=4)
            axes.set_xscale("log")
            axes.set_yscale("log")
            axes.grid(visible=True, which="major", alpha=0.3)
            if column == 0:
                axes.set_ylabel(label)
            else:
                axes.set_xticks([point[over] for point in points], [str(point[over]) for point in points], minor=False)
                axes.set_xticks([], minor=True)
        panels[0][column].set_title(title, fontsize=10)
        panels[1][column].set_xlabel(over)
    target = Path(__file__).parents[1] / "docs" / "figures" / "counting_cost.svg"
    with atomic_writer(target) as file:
        figure.savefig(file, format="svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
