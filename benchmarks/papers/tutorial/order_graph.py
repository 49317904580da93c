"""Heuristics of A* on flag, bounds over time, and the parent sets in each layer of the order graph."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..frame import Table, number, save_figure, table_text
from ..parts import BOUNDED, COMMON, TESTED
from ..sources import measures
from ..store import Cell, Job, Scale, Store
from .runs import NO_NUMBERS, families_of, gap_text, longest, search_job, seconds_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FLAG = "datasets/flag.csv"
HEURISTICS = {
    "simple": "astar(heuristic=simple)",
    "dynamic, k = 2": "astar(heuristic=dynamic,pattern_size=2)",
    "dynamic, k = 3": "astar(heuristic=dynamic,pattern_size=3)",
    "dynamic, k = 4": "astar(heuristic=dynamic,pattern_size=4)",
    "static, 10-10-9": "astar(heuristic=static,pattern_size=10)",
    "static, 15-14": "astar(heuristic=static,pattern_size=15)",
}
ANYTIME = {"weighted A*": "weighted_astar", "ARA*": "ara_star", "AWA*": "awa_star", "ILP": "ilp"}
VARIABLES, MOST_PARENTS = 29, 6
TRUE_PARENTS = (3, 6)  # Largest numbers of parents in the network that the rows are drawn from.
ROWS = (1000, 5000, 10000, 20000)
LAYER_ROWS = 5000
SAMPLES = 1000  # Sets of each variable in each layer.


def heuristics_jobs(scale: Scale) -> list[Job]:
    return [search_job(FLAG, method, scale) for method in HEURISTICS.values()]


def heuristics_text(store: Store) -> str:
    rows, behind = [], []
    best = longest(store.select(method=HEURISTICS["static, 15-14"]))
    for name, method in HEURISTICS.items():
        cell = longest(store.select(method=method))
        if cell is not None:
            least = "" if cell["status"] == "optimal" else "at least "
            ratio = "" if best is None else f"{least}{cell['expanded'] / best['expanded']:.1f}"
            work = [f"{cell['expanded']:,}", ratio, f"{cell['generated']:,}", f"{cell['peak_bytes'] / 1e6:.1f}"]
            rows.append([name, seconds_text(cell), f"{cell['seconds']:g}", *work])
            behind.append([cell])
    return "\n".join(
        [
            "A* with each heuristic on flag (29 variables, one strongly connected component), BIC; CPU seconds of one "
            "thread, without scoring. The partitions are of the sizes of the paper's.\n",
            table_text(
                ("heuristic", "seconds", "limit", "nodes expanded", "ratio to 15-14", "generated", "MB"), rows, behind
            ),
            f"{NO_NUMBERS} Which variables are in a pattern is chosen here so that cycles fall within patterns, a "
            "first network prunes nodes, and the data have two states for each variable, so that numbers of nodes may "
            "differ from the paper's.\n",
        ]
    )


def draw_heuristics(store: Store, folder: Path) -> list[Path]:
    """Time and nodes of each heuristic."""
    from matplotlib.figure import Figure

    cells = {name: cell for name, method in HEURISTICS.items() if (cell := longest(store.select(method=method)))}
    figure = Figure(figsize=(9, 3.4), layout="constrained")
    for axes, what, label in zip(
        figure.subplots(1, 2), ("cpu", "expanded"), ("CPU seconds", "nodes expanded"), strict=True
    ):
        for name, cell in cells.items():
            axes.bar(name, cell[what], color="C0", alpha=1.0 if cell["status"] == "optimal" else 0.3)
        axes.set_yscale("log")
        axes.set_ylabel(f"{label} (pale: not ended)")
        axes.tick_params(axis="x", labelrotation=30, labelsize=8)
    return [save_figure(figure, folder / "tutorial_heuristics.svg")]


def random_data(max_parents: int, rows: int) -> str:
    return f"random {VARIABLES} {max_parents} {rows}"


def anytime_jobs(scale: Scale) -> list[Job]:
    return [
        search_job(random_data(most, count), method, scale, max_parents=MOST_PARENTS)
        for count in (ROWS if scale == "paper" else ROWS[:1])
        for most in TRUE_PARENTS
        for method in ANYTIME.values()
    ]


def anytime_text(store: Store) -> str:
    rows, behind = [], []
    for most in TRUE_PARENTS:
        for count in ROWS:
            for name, method in ANYTIME.items():
                cell = longest(store.select(data=random_data(most, count), method=method))
                if cell is not None:
                    gaps = [number(gap_at(cell["trace"], seconds), 1) for seconds in (0.1, 1, 10)]
                    values = [
                        number(cell["score"], 1),
                        gap_text(cell),
                        number(cell["to_best"], 2),
                    ]
                    problem = [f"29.{most}.{count // 1000}k", f"{cell['families']:,}", name]
                    rows.append([*problem, *values, seconds_text(cell), *gaps])
                    behind.append([cell])
    return "\n".join(
        [
            f"Random networks of {VARIABLES} two-state variables with at most 3 or 6 parents, rows drawn from them, "
            f"BIC with at most {MOST_PARENTS} parents: 29.3.5k has 3 parents and 5,000 rows. Seconds to the best "
            "score, CPU seconds to the proof, and the gap between score and bound after 0.1, 1 and 10 s (an infinite "
            "one is left out), all without scoring and on one thread.\n",
            table_text(
                (
                    "problem",
                    "families",
                    "method",
                    "score",
                    "gap",
                    "to the best",
                    "to the proof",
                    "at 0.1",
                    "at 1",
                    "at 10",
                ),
                rows,
                behind,
            ),
            f"{NO_NUMBERS} It compares anytime window A* and ILP for 7,200 s on other random networks. All methods "
            "here start from a network of a search over orders, and those in the order graph use static patterns.\n",
        ]
    )


def gap_at(trace: Sequence[Sequence[float | None]], seconds: float) -> float | None:
    """Bound less score at a time; None if there is none yet."""
    known = [(score, bound) for at, score, bound in trace if at is not None and at <= seconds]
    if not known or known[-1][0] is None or known[-1][1] is None:
        return None
    return known[-1][1] - known[-1][0]


def draw_anytime(store: Store, folder: Path) -> list[Path]:
    """Scores (solid) and bounds (dashed) above the best score, over time; a panel for each problem."""
    from matplotlib.figure import Figure

    counts = [count for count in ROWS if store.select(data=random_data(TRUE_PARENTS[0], count))]
    figure = Figure(figsize=(3.6 * len(counts), 6), layout="constrained")
    panels = figure.subplots(len(TRUE_PARENTS), len(counts), squeeze=False)
    for line, most in zip(panels, TRUE_PARENTS, strict=True):
        for axes, count in zip(line, counts, strict=True):
            found = {
                name: longest(store.select(data=random_data(most, count), method=m)) for name, m in ANYTIME.items()
            }
            draw_curves(axes, {name: cell for name, cell in found.items() if cell is not None})
            axes.set_title(f"29.{most}.{count // 1000}k", fontsize=10)
            axes.set_xlabel("seconds")
    for line in panels:
        line[0].set_ylabel("nats above the best score")
    figure.legend(*panels[0][0].get_legend_handles_labels(), loc="outside lower center", ncols=2, fontsize=7)
    return [save_figure(figure, folder / "tutorial_anytime.svg")]


def draw_curves(axes: Axes, cells: dict[str, Cell]) -> None:
    best = max((cell["score"] for cell in cells.values()), default=0.0)
    for at, (name, cell) in enumerate(cells.items()):
        for place, style in ((1, "-"), (2, "--")):
            known = [(max(point[0], 1e-3), point[place] - best) for point in cell["trace"] if point[place] is not None]
            if known:
                known.append((max(cell["wall"], known[-1][0]), known[-1][1]))
                label = f"{name}, {'score' if place == 1 else 'bound'}"
                axes.step(*zip(*known, strict=True), style, where="post", color=f"C{at}", label=label)
    axes.set_xscale("log")
    axes.set_yscale("symlog", linthresh=1)


@measures(without=(*COMMON, *BOUNDED, *TESTED))
def layer_sizes(data: str, score: str, max_parents: int, samples: int) -> Cell:
    """For each size of sets, the mean number of parents that are best within a random set that excludes the child."""
    families = families_of(data, score, max_parents)
    flat, n = families.flat(), len(families.variables)
    generator = np.random.default_rng(1)
    sums = np.zeros(n)
    bits = np.uint64(1) << np.arange(n, dtype=np.uint64)
    for child in range(n):
        span = range(int(flat.starts[child]), int(flat.starts[child + 1]))
        parents = [flat.parents[flat.offsets[at] : flat.offsets[at + 1]] for at in span]
        sets = np.array([bits[some].sum(dtype=np.uint64) for some in parents])
        sizes = np.array([len(some) for some in parents])
        others = np.tile(np.delete(bits, child), (samples, 1))
        for layer in range(n):
            available = generator.permuted(others, axis=1)[:, :layer].sum(axis=1, dtype=np.uint64)
            first = ((sets & ~available[:, None]) == 0).argmax(axis=1)  # Families are listed best first.
            sums[layer] += sizes[first].mean()
    return {"families": len(families), "complete": families.made.complete, "sizes": (sums / n).round(4).tolist()}


def layers_jobs(_: Scale) -> list[Job]:
    common = {"score": "bic", "max_parents": MOST_PARENTS, "samples": SAMPLES}
    return [Job(layer_sizes, {"data": random_data(most, LAYER_ROWS), **common}) for most in TRUE_PARENTS]


def layers_text(store: Store) -> str:
    cells = {most: cell for most in TRUE_PARENTS for cell in store.select(data=random_data(most, LAYER_ROWS))}
    rows = [
        [str(layer), *(number(cell["sizes"][layer], 2) for cell in cells.values())] for layer in range(0, VARIABLES, 4)
    ]
    return "\n".join(
        [
            "The mean size of the best parent set of a variable within a set of others, by the number of these (the "
            f"layer of the order graph); {SAMPLES:,} random sets of each variable in each layer. Same data as for the "
            "bounds over time.\n",
            table_text(("layer", *(f"29.{most}.5k" for most in cells)), rows, [list(cells.values())] * len(rows)),
            f"{NO_NUMBERS} It shows the mean over all nodes of a layer, which we take to be that over its edges, "
            "and estimate from random ones; networks and rows are other random ones.\n",
        ]
    )


def draw_layers(store: Store, folder: Path) -> list[Path]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5, 3.4), layout="constrained")
    axes = figure.subplots()
    for most in TRUE_PARENTS:
        for cell in store.select(data=random_data(most, LAYER_ROWS)):
            axes.plot(cell["sizes"], marker=".", label=f"29.{most}.5k")
    axes.set_xlabel("layer of the order graph")
    axes.set_ylabel("mean size of the best parent set")
    axes.legend(fontsize=8)
    return [save_figure(figure, folder / "tutorial_layers.svg")]


TABLES = (
    Table("tutorial_heuristics", "Heuristics of A* on flag", heuristics_jobs, heuristics_text, draw_heuristics),
    Table("tutorial_anytime", "Score and bound over time", anytime_jobs, anytime_text, draw_anytime),
    Table("tutorial_layers", "Mean size of parent sets in each layer", layers_jobs, layers_text, draw_layers),
)
