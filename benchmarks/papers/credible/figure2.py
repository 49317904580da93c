"""Figure 2 of Liao and others (2019): how the BDeu scores of the 1,000 best networks fall."""

from __future__ import annotations

import math
from pathlib import Path

import credenet

from ..frame import Number, Table, beside, save_figure, table_text
from ..parts import BOUNDED, COMMON, TESTED
from ..sources import measures
from ..store import Cell, Job, Scale, Store
from .runs import FACTORS, LIMITS, MEMORY_LIMIT, PUBLISHED, capped, count_text, data_of, ending, why_not

MOST = 1_000  # Networks that the figure shows at most.
DATA_SETS = ("tic-tac-toe", "wine", "adult", "nltcs", "msnbc", "letter", "hepatitis", "parkinsons")


@measures(also=("io.reading",), without=(*COMMON, *BOUNDED, *TESTED))
def falling(data: str, limit: float) -> Cell:
    """Numbers of networks that score no worse, and how much less than the best they score."""
    best = credenet.k_best(data_of(data), MOST, states="observed", time_limit=limit, memory_limit=MEMORY_LIMIT)
    numbers, deviations = best.listing.steps()
    steps = [[int(number), round(float(less), 6)] for number, less in zip(numbers, deviations, strict=True)]
    return {"networks": best.n_networks, "steps": steps, **ending(best.complete, best.status, limit)}


def jobs(scale: Scale) -> list[Job]:
    data_sets = DATA_SETS if scale == "paper" else DATA_SETS[:-1]
    return [Job(falling, {"data": data}, {"limit": LIMITS[scale]}, seconds=10.0) for data in data_sets]


def within(cell: Cell, factor: int) -> str:
    """The number of networks within a factor, or that it is more than are listed."""
    inside = [number for number, less in cell["steps"] if less <= math.log(factor)]
    return count_text(inside[-1], len(inside) < len(cell["steps"]))


def text(store: Store) -> str:
    rows, behind = [], []
    for data in DATA_SETS:
        for cell in store.select(data=data):
            paper = PUBLISHED["table2, factor 20"].get(data)
            at_1000 = min(less for number, less in cell["steps"] if number >= min(MOST, cell["networks"]))
            known = capped(paper[1]) if paper else ""
            rows.append([data, f"{at_1000:.3f}", *(within(cell, factor) for factor in FACTORS), known])
            behind.append([cell])
    columns = ["data", "deviation of network 1,000", *(f"within {factor}" for factor in FACTORS)]
    return "\n".join(
        [
            "How many of the 1,000 best networks are within a factor of the best, from our own search; the curves of "
            "the paper come from KBest, and it prints no numbers of them but that adult and letter take fewer than 50 "
            "networks to reach a factor of 20, and zoo more than 10,000. Beside are the numbers of its Table 2, of "
            "which that of adult does not agree with this. The paper's zoo is not among our data.\n",
            table_text([*columns, "within 20 by the paper's Table 2"], rows, behind),
        ]
    )


def numbers(store: Store) -> list[Number]:
    """What the text says of the curves."""
    return [
        beside(
            f"Text, on Figure 2: networks within a factor of 20, {data}",
            printed,
            "".join(within(cell, 20) for cell in store.select(data=data)),
            why_not(data),
        )
        for data, printed in PUBLISHED["text"]["networks within a factor of 20, BDeu"].items()
    ]


def aims(store: Store) -> list[str]:
    """Where the numbers of networks contradict what the text says of them."""
    others = []
    for number in numbers(store):
        words, bound = number.printed.rsplit(" ", 1)
        limit, ours = (
            int(bound.replace(",", "")),
            int(number.ours.split()[-1].replace(",", "")) if number.ours else None,
        )
        if ours is not None and (ours >= limit if words == "fewer than" else ours <= limit):
            others.append(f"{number.where.rpartition(', ')[2]} {number.ours} ({number.printed})")
    return (
        [f"Networks within a factor of 20 by BDeu, otherwise than the text says: {', '.join(others)}."]
        if others
        else []
    )


def draw(store: Store, folder: Path) -> list[Path]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4.2), layout="constrained")
    axes = figure.subplots()
    for data in DATA_SETS:
        for cell in store.select(data=data):
            numbers, deviations = zip(*cell["steps"], strict=True)
            axes.step([1, *numbers], [*deviations, deviations[-1]], where="post", label=data)
    for factor in FACTORS:
        axes.axhline(math.log(factor), color="tab:red", linestyle="--", linewidth=0.8)
        axes.annotate(str(factor), (1.0, math.log(factor)), xycoords=("axes fraction", "data"), color="tab:red")
    axes.set_xscale("log")
    axes.set_xlabel("k")
    axes.set_ylabel("less than the best BDeu")
    axes.legend(fontsize=8)
    return [save_figure(figure, folder / "credible_figure2.svg")]


TABLES = (
    Table(
        "credible_figure2",
        "Figure 2: how the scores of the best networks fall",
        jobs,
        text,
        draw,
        numbers=numbers,
        aims=aims,
    ),
)
