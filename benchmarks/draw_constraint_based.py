"""Draws docs/figures/constraint_based_cost.svg from the results of bench_constraint_based.py."""

from __future__ import annotations

import json
from pathlib import Path

from matplotlib.figure import Figure

from credenet._files.files import atomic_writer
from measure import RESULTS

TITLES = {"rows": "alarm, 37 variables", "variables": "random networks, 10,000 rows"}
LABELS = {"seconds": "CPU seconds", "nanoseconds_per_row_and_test": "ns per row and test"}


def main() -> None:
    curves = json.loads((RESULTS / "constraint_based.json").read_text())["curves"]
    figure = Figure(figsize=(8, 6), layout="constrained")
    panels = figure.subplots(len(LABELS), len(TITLES), sharex="col", sharey="row")
    for column, (over, title) in enumerate(TITLES.items()):
        points = [point for point in curves if point["over"] == over]
        panels[0][column].set_title(title, fontsize=10)
        panels[-1][column].set_xlabel(over)
        for axes, (key, label) in zip(panels[:, column], LABELS.items(), strict=True):
            axes.loglog([point[over] for point in points], [point[key] for point in points], marker="o", markersize=4)
            axes.grid(visible=True, which="major", alpha=0.3)
            if column == 0:
                axes.set_ylabel(label)
    target = Path(__file__).parents[1] / "docs" / "figures" / "constraint_based_cost.svg"
    with atomic_writer(target) as file:
        figure.savefig(file, format="svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
