"""Exact methods on the same families: how long each takes, and what makes a problem difficult."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..frame import Table, number, save_figure, table_text
from ..store import Cell, Job, Scale, Store
from .lists import STORED
from .runs import NO_NUMBERS, longest, search_job, seconds_text

CELLS = "tutorial_times"
METHODS = {
    "DP": "dp",
    "A* simple": "astar(heuristic=simple)",
    "BFBnB simple": "bfbnb(heuristic=simple)",
    "A* static": "astar",
    "BFBnB static": "bfbnb",
    "ILP": "ilp",
}
QUICK = ("wine", "adult", "letter", "hepatitis", "parkinsons", "autos")
FACTORS = {"variables": "n, variables", "rows": "N, rows", "families": "families"}


def times_jobs(scale: Scale) -> list[Job]:
    return [
        search_job(STORED[name][0], method, scale, max_parents=STORED[name][1])
        for name in STORED
        if scale == "paper" or name in QUICK
        for method in METHODS.values()
    ]


def cell_of(store: Store, name: str, method: str) -> Cell | None:
    data, max_parents = STORED[name]
    return longest(store.select(data=data, max_parents=max_parents, method=METHODS[method]))


def times_text(store: Store) -> str:
    rows, behind, incomplete = [], [], []
    for name in STORED:
        cells = [cell_of(store, name, method) for method in METHODS]
        some = next((cell for cell in cells if cell is not None), None)
        if some is not None:
            sizes = [f"{some[what]:,}" for what in FACTORS]
            rows.append([name, *sizes, *map(seconds_text, cells)])
            behind.append([cell for cell in cells if cell is not None])
            incomplete += [name] * (not some["complete"])
    limits = sorted({f"{cell['seconds']:g}" for cell in store.cells.values()}, key=float)
    return "\n".join(
        [
            "BIC, CPU seconds of one thread from the families to the proof, without scoring. X: not within "
            f"{' or '.join(limits)} s by the clock or 4 GB; the gap is what is then left between score and bound.\n",
            table_text(("data", "n", "N", "families", *METHODS), rows, behind),
            f"{NO_NUMBERS} Its limit was 7,200 s, in 2013, and the text does not name its data sets. Here each "
            "strongly connected component is solved apart, A* and BFBnB start from the network of a search over "
            "orders, and DP reads the sparse lists; ILP is our own branch and cut, not GOBNILP. A depth-first branch "
            "and bound (BB) is not part of the library. wdbc has at most 8 parents.\n",
            *(
                [f"Scoring ended early, so that large sets may be missing: {', '.join(incomplete)}.\n"]
                if incomplete
                else []
            ),
        ]
    )


def draw_times(store: Store, folder: Path) -> list[Path]:
    """Bars for each data set; one that did not end reaches its limit and is pale."""
    from matplotlib.figure import Figure

    names = [name for name in STORED if any(cell_of(store, name, method) for method in METHODS)]
    figure = Figure(figsize=(8, 3.6), layout="constrained")
    axes = figure.subplots()
    width = 0.8 / len(METHODS)
    for at, method in enumerate(METHODS):
        found = [(place, cell_of(store, name, method)) for place, name in enumerate(names)]
        for place, cell in found:
            if cell is not None:
                shade = 1.0 if cell["status"] == "optimal" else 0.3
                axes.bar(place + (at - 2.5) * width, time_of(cell), width, color=f"C{at}", alpha=shade)
        axes.bar(0, 0, width, color=f"C{at}", label=method)
    axes.set_xticks(range(len(names)), names, fontsize=8)
    axes.set_yscale("log")
    axes.set_ylabel("seconds (pale: not ended)")
    axes.legend(fontsize=8)
    return [save_figure(figure, folder / "tutorial_times.svg")]


def time_of(cell: Cell) -> float:
    """CPU seconds, at least a millisecond; the limit where the search did not end."""
    return max(float(cell["cpu"]), 1e-3) if cell["status"] == "optimal" else float(cell["seconds"])


def times_of(store: Store, method: str) -> list[Cell]:
    return [cell for name in STORED if (cell := cell_of(store, name, method)) is not None]


def ranks(values: list[float]) -> np.ndarray:
    """Ranks from 0; equal values share their mean rank."""
    array = np.array(values)
    below, same = (array[:, None] > array).sum(axis=1), (array[:, None] == array).sum(axis=1)
    return np.asarray(below + (same - 1) / 2)


def correlation(cells: list[Cell], what: str) -> float | None:
    """Spearman's, of a size of the problem with the time."""
    size, seconds = ranks([cell[what] for cell in cells]), ranks([time_of(cell) for cell in cells])
    if len(cells) < 3 or not size.std() or not seconds.std():
        return None
    return float(np.corrcoef(size, seconds)[0, 1])


def difficulty_text(store: Store) -> str:
    rows, behind = [], []
    for method in METHODS:
        cells = times_of(store, method)
        behind.append(cells)
        solved = sum(cell["status"] == "optimal" for cell in cells)
        rows.append([method, str(len(cells)), str(solved), *(number(correlation(cells, what), 2) for what in FACTORS)])
    return "\n".join(
        [
            "Spearman's rank correlation of the time with the size of the problem, over the data sets of the table of "
            "times; a search that did not end counts as long as its limit.\n",
            table_text(("method", "data sets", "solved", *FACTORS.values()), rows, behind),
            f"{NO_NUMBERS} So few data sets show a tendency, no more.\n",
        ]
    )


def draw_difficulty(store: Store, folder: Path) -> list[Path]:
    """Time against each size, a colour for each method; hollow where the search did not end."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 3.6), layout="constrained")
    panels = figure.subplots(1, len(FACTORS), sharey=True)
    for axes, (what, label) in zip(panels, FACTORS.items(), strict=True):
        for at, method in enumerate(METHODS):
            cells = times_of(store, method)
            colours = [f"C{at}" if cell["status"] == "optimal" else "none" for cell in cells]
            sizes, seconds = [cell[what] for cell in cells], [time_of(cell) for cell in cells]
            axes.scatter(sizes, seconds, s=18, facecolors=colours, edgecolors=f"C{at}", label=method)
        axes.set_xlabel(label)
        axes.set_xscale("linear" if what == "variables" else "log")
        axes.set_yscale("log")
    panels[0].set_ylabel("seconds (hollow: not ended)")
    panels[-1].legend(fontsize=8)
    return [save_figure(figure, folder / "tutorial_difficulty.svg")]


TABLES = (
    Table("tutorial_times", "Times of DP, A*, BFBnB and ILP", times_jobs, times_text, draw_times, cells=CELLS),
    Table(
        "tutorial_difficulty",
        "Difficulty against variables, rows and families",
        times_jobs,
        difficulty_text,
        draw_difficulty,
        cells=CELLS,
    ),
)
