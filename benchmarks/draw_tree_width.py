"""Draws benchmarks/reports/tree_width_*.svg: score over time, k-trees, and the cost by the results of
bench_tree_width.py."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from credenet._files.files import atomic_writer
from measure import RESULTS
from tree_width_store import Cell

POINTS = 500  # of a scatter
COSTS = {
    "variables": "number of variables (tree-width 4)",
    "tree_width": "tree-width (50 variables)",
    "families": "families of a variable (50 variables, tree-width 3)",
}


def draw_curves(cells: Sequence[Cell], folder: Path) -> list[Path]:
    """Score over time, a panel for each file and a curve for each tree-width."""
    drawn = []
    for kind, title in (("datasets", "BDeu"), ("scores", "BIC")):
        some = [cell for cell in cells if str(cell["path"]).startswith(kind) and cell["trace"]]
        paths = list(dict.fromkeys(str(cell["path"]) for cell in some))
        if not paths:
            continue
        n_rows = -(-len(paths) // 3)
        figure = Figure(figsize=(11, 3.2 * n_rows), layout="constrained")
        panels = figure.subplots(n_rows, 3, squeeze=False).ravel()
        for axes, path in zip(panels, paths, strict=False):
            lowest = []
            for cell in sorted((cell for cell in some if cell["path"] == path), key=lambda cell: cell["tree_width"]):
                seconds, scores = zip(*cell["trace"], strict=True)
                axes.step([*seconds, cell["wall"]], [*scores, scores[-1]], where="post", label=str(cell["tree_width"]))
                early = [score for at, score in cell["trace"] if at <= 0.05 * cell["seconds"]]
                lowest.append(early[-1] if early else scores[0])
            axes.set_ylim(bottom=min(lowest))
            axes.set_xscale("log")
            axes.set_title(Path(path).name.partition(".")[0], fontsize=10)
            axes.set_xlabel("seconds")
            axes.grid(visible=True, alpha=0.3)
        for axes in panels[len(paths) :]:
            axes.set_visible(False)
        panels[0].set_ylabel(title)
        panels[0].legend(title="tree-width", fontsize=8)
        drawn.append(_saved(figure, folder / f"tree_width_{'samples' if kind == 'datasets' else 'score_files'}.svg"))
    return drawn


def draw_scatter(points: dict[str, dict[str, list[list[float]]]], folder: Path) -> list[Path]:
    """Informative score and best BDeu of k-trees, a panel for each data set and a colour for each method."""
    if not points:
        return []
    figure = Figure(figsize=(4 * len(points), 3.6), layout="constrained")
    for axes, (data, by_method) in zip(figure.subplots(1, len(points), squeeze=False)[0], points.items(), strict=True):
        for method, found in by_method.items():
            some = found[:: -(-len(found) // POINTS)]
            axes.scatter(*zip(*some, strict=True), s=6, alpha=0.5, label=method)
        axes.set_title(data, fontsize=10)
        axes.set_xlabel("informative score")
        axes.set_ylabel("best BDeu")
        axes.legend(fontsize=8)
    return [_saved(figure, folder / "tree_width_k_trees.svg")]


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
    return _saved(figure, folder / "tree_width_cost.svg")


def _saved(figure: Figure, path: Path) -> Path:
    with atomic_writer(path) as file:
        figure.savefig(file, format="svg", metadata={"Date": None})
    return path


def main() -> None:
    draw_cost(json.loads((RESULTS / "tree_width.json").read_text())["curves"], RESULTS.parent / "reports")


if __name__ == "__main__":
    main()
