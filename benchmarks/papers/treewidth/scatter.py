"""k-trees by informative score, and the best BDeu in them."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

import numpy as np

import credenet

from ..frame import Table, number, save_figure, table_text
from ..parts import COMMON, TESTED
from ..sources import measures
from ..store import Cell, Job, Scale, Store
from .runs import DATA_SETS, named, path_of, source

SCATTER_COLUMNS = (
    *("data", "method", "k-trees", "mean information", "most"),
    *("mean BDeu", "best", "Pearson", "Spearman"),
)
K_TREES = 1000  # K-trees of each method.
POINTS = 500  # Points of each method in the figure.


@measures(also=("io.reading", "io.families"), without=(*COMMON, *TESTED))
def k_trees(path: str, method: str, seconds: float, tree_width: int) -> Cell:
    """The informative score of each k-tree, and the best BDeu in it."""
    data = source(path)
    result = credenet.learn(data, method=method, tree_width=tree_width, time_limit=seconds, n_threads=1)
    return {"points": [[round(point.information, 6), round(point.score, 3)] for point in result.k_trees]}


def scatter_jobs(_: Scale) -> list[Job]:
    common = {"seconds": 60.0, "tree_width": 4}
    methods = [f"{method}(iterations={K_TREES})" for method in ("kp", "kp_plus")]
    return [
        Job(k_trees, {"path": path_of(data), "method": method, **common}, seconds=60.0)
        for data in ("housing", "letter", "wdbc")
        for method in methods
    ]


def scatter_points(store: Store) -> dict[str, dict[str, list[list[float]]]]:
    """The informative score and the best BDeu of each k-tree of the longest run, by data set and method."""
    points: dict[str, dict[str, list[list[float]]]] = {}
    for data in DATA_SETS:
        for cell in store.select(path=path_of(data)):
            of_data = points.setdefault(data, {})
            of_data[named(cell)] = max(of_data.get(named(cell), []), cell["points"], key=len)
    return points


def scatter_text(store: Store) -> str:
    rows, behind = [], []
    for data, by_method in scatter_points(store).items():
        for name, points in {**by_method, "both": list(chain(*by_method.values()))}.items():
            information, score = np.array(points).T
            correlations = [np.corrcoef(information, score)[0, 1], np.corrcoef(ranks(information), ranks(score))[0, 1]]
            values = [information.mean(), information.max(), score.mean(), score.max()]
            rows.append([data, name, str(len(points)), *(number(v) for v in (*values, *correlations))])
            behind.append([cell for cell in store.select(path=path_of(data)) if name in ("both", named(cell))])
    return "\n".join(
        [
            "Tree-width 4: k-trees drawn at random and accepted by informative score (kp), and found by search on it "
            "(kp_plus), each with its best network by dynamic programming.\n",
            table_text(SCATTER_COLUMNS, rows, behind),
        ]
    )


def ranks(values: np.ndarray) -> np.ndarray:
    return np.asarray(values).argsort(kind="stable").argsort(kind="stable")


def draw_scatter(store: Store, folder: Path) -> list[Path]:
    """Informative score and best BDeu of k-trees, a panel for each data set and a colour for each method."""
    from matplotlib.figure import Figure

    points = scatter_points(store)
    figure = Figure(figsize=(4 * len(points), 3.6), layout="constrained")
    for axes, (data, by_method) in zip(figure.subplots(1, len(points), squeeze=False)[0], points.items(), strict=True):
        for method, found in by_method.items():
            some = found[:: -(-len(found) // POINTS)]
            axes.scatter(*zip(*some, strict=True), s=6, alpha=0.5, label=method)
        axes.set_title(data, fontsize=10)
        axes.set_xlabel("informative score")
        axes.set_ylabel("best BDeu")
        axes.legend(fontsize=8)
    return [save_figure(figure, folder / "treewidth_scatter.svg")]


TABLES = (
    Table(
        "treewidth_scatter",
        "Informative score of k-trees against the best BDeu in them",
        scatter_jobs,
        scatter_text,
        draw_scatter,
    ),
)
