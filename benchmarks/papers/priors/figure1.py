"""Figure 1 of Eggeling and others (2019): how many parents a variable has under each prior."""

from __future__ import annotations

from pathlib import Path

from credenet.priors import in_degree_distribution

from ..frame import Number, Table, beside, published, save_figure, table_text
from ..sources import measures
from ..store import Cell, Job, Scale, Store

PRIORS = {"uniform": "Unif", "edge": "Edge", "fair": "Fair", "data": "Data", "fact": "Fact"}
SIZES = (32, 128)
LIMIT = 5
ROWS = 200  # Rows assumed for the data prior.


@measures()
def distribution(prior: str, variables: int, max_parents: int | None) -> Cell:
    found = in_degree_distribution(prior, variables, n_rows=ROWS, max_parents=max_parents)
    return {"probabilities": [float(f"{value:.10g}") for value in found]}


def figure1_jobs(_: Scale) -> list[Job]:
    return [
        Job(distribution, {"prior": prior, "variables": n, "max_parents": limit})
        for n in SIZES
        for limit in (LIMIT, None)
        for prior in PRIORS
    ]


def of(store: Store, prior: str, n: int, limit: int | None) -> list[float]:
    """The distribution of one prior, or nothing."""
    return next((cell["probabilities"] for cell in store.select(prior=prior, variables=n, max_parents=limit)), [])


def figure1_text(store: Store) -> str:
    bounded, of_bounded, ratios, of_ratios = [], [], [], []
    for n in SIZES:
        for prior, name in PRIORS.items():
            values = of(store, prior, n, LIMIT)
            if values:
                bounded.append([str(n), name, *(f"{value:.2e}" for value in values), f"{values[-1] / values[0]:.3g}"])
                of_bounded.append(store.select(prior=prior, variables=n, max_parents=LIMIT))
        unif, free = of(store, "uniform", n, LIMIT), of(store, "uniform", n, None)
        if unif and free:
            half = free[: n // 2 - 1]
            ours, paper = unif[LIMIT] / unif[0], published("priors")["figure1"][str(n)]
            flat = f"{max(half) / min(half):.2f}"
            ratios.append([str(n), f"{paper}", f"{ours:.1f}", f"{ours / paper:.2f}", flat, f"{free[3 * n // 4]:.1e}"])
            of_ratios.append(store.select(prior="uniform", variables=n))
    columns = ("n", "prior", *(f"P({size})" for size in range(LIMIT + 1)), "P(5) / P(0)")
    checks = ("n", "published", "ours", "ratio", "largest / smallest of P(0) … P(n/2 - 2), no limit", "P(3n/4)")
    return "\n".join(
        [
            f"The probability that a variable has so many parents, at most {LIMIT} allowed; the data prior is for "
            f"{ROWS} rows.\n",
            table_text(columns, bounded, of_bounded),
            f"Unif with at most {LIMIT} parents: the paper says that {LIMIT} parents are about 10 (n = 32) and 100 "
            "(n = 128) times as probable as none. Without a limit it says that the distribution is nearly uniform up "
            "to about n/2 parents and then falls to zero.\n",
            table_text(checks, ratios, of_ratios),
            "These are exact computations, so a difference can only come from the rounding of the paper's words.\n",
        ]
    )


def draw_figure1(store: Store, folder: Path) -> list[Path]:
    """Four panels: two numbers of variables, with and without a limit on the number of parents."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 7), layout="constrained")
    for row, n in zip(figure.subplots(2, 2), SIZES, strict=True):
        for axes, limit in zip(row, (LIMIT, None), strict=True):
            for prior, name in PRIORS.items():
                values = of(store, prior, n, limit)
                axes.plot(range(len(values)), values, marker="o", markersize=3, linewidth=1, label=name)
            axes.set_yscale("log")
            axes.set_ylim(1e-12, 1.5)
            axes.set_title(f"n = {n}, {'no limit' if limit is None else f'at most {limit} parents'}", fontsize=10)
            axes.set_xlabel("number of parents")
            axes.set_ylabel("probability")
            axes.legend(fontsize=8)
    return [save_figure(figure, folder / "priors_figure1.svg")]


def figure1_numbers(store: Store) -> list[Number]:
    numbers = []
    for n in SIZES:
        unif = of(store, "uniform", n, LIMIT)
        ours = f"{unif[LIMIT] / unif[0]:.1f}" if unif else ""
        where = f"Figure 1: n = {n}, times that {LIMIT} parents are as probable as none"
        numbers.append(beside(where, str(published("priors")["figure1"][str(n)]), ours))
    return numbers


TABLES = (
    Table(
        "priors_figure1",
        "Figure 1: the number of parents of a variable under each prior",
        figure1_jobs,
        figure1_text,
        draw_figure1,
        numbers=figure1_numbers,
    ),
)
