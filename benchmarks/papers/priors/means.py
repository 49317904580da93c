"""Means over data sets, differences on the same data sets, and curves over the number of rows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean, stdev
from typing import NamedTuple

from ..frame import save_figure
from ..store import Cell

ON_SAME_DATA = ("network", "max_parents", "rows", "repetition")
CLEAR = 2  # Standard errors from which on a difference is clear.


class Mean(NamedTuple):
    """A mean and its standard error, which a single value does not have."""

    value: float
    error: float | None
    n: int

    @classmethod
    def of(cls, values: Sequence[float]) -> Mean | None:
        if not values:
            return None
        error = stdev(values) / math.sqrt(len(values)) if len(values) > 1 else None
        return cls(fmean(values), error, len(values))

    @classmethod
    def of_strata(cls, strata: Iterable[Sequence[float]]) -> Mean | None:
        """The mean of the means of several groups, each of which counts the same."""
        means = [mean for mean in map(cls.of, strata) if mean is not None]
        if not means:
            return None
        errors = [mean.error for mean in means if mean.error is not None]
        error = math.hypot(*errors) / len(means) if len(errors) == len(means) else None
        return cls(fmean(mean.value for mean in means), error, sum(mean.n for mean in means))

    def written(self, sign: bool = False) -> str:
        value = f"{self.value:+.1f}" if sign else f"{self.value:.1f}"
        return value if self.error is None else f"{value} ± {self.error:.1f}"

    @property
    def side(self) -> int:
        """-1 or 1 if a mean difference is clearly below or above 0; 0 if neither."""
        if self.error is None or abs(self.value) <= CLEAR * self.error:
            return 0
        return 1 if self.value > 0 else -1


def chosen(cells: Iterable[Cell], **wanted: object) -> list[Cell]:
    """Cells with a network and these arguments; the argument ``rows_at_most`` is a limit on the rows."""
    most = wanted.pop("rows_at_most", math.inf)
    assert isinstance(most, int | float)
    return [
        cell
        for cell in cells
        if "shd" in cell and cell["rows"] <= most and all(cell.get(name) == value for name, value in wanted.items())
    ]


def mean_of(cells: Iterable[Cell], measure: str = "shd") -> Mean | None:
    """The mean over networks and sizes, each of which counts the same."""
    strata: dict[tuple[object, ...], list[float]] = {}
    for cell in cells:
        strata.setdefault(data_set(cell)[:-1], []).append(cell[measure])
    return Mean.of_strata(strata.values())


def difference(first: Iterable[Cell], second: Iterable[Cell], measure: str = "shd") -> Mean | None:
    """The mean of the first less the second, over the data sets that both have; see `mean_of`."""
    others = {data_set(cell): cell[measure] for cell in second}
    both = [cell for cell in first if data_set(cell) in others]
    return mean_of([{**cell, "difference": cell[measure] - others[data_set(cell)]} for cell in both], "difference")


def data_set(cell: Cell) -> tuple[object, ...]:
    return tuple(cell.get(name) for name in ON_SAME_DATA)


def panels(cells: Iterable[Cell]) -> list[tuple[str, int | None]]:
    """The networks with their limits on the number of parents, in the order of the cells."""
    return list(dict.fromkeys((cell["network"], cell.get("max_parents")) for cell in cells))


def panel_name(panel: tuple[str, int | None]) -> str:
    network, limit = panel
    return network if limit is None else f"{network}, ≤ {limit} parents"


def by_rows(cells: Iterable[Cell], measure: str = "shd") -> dict[int, Mean]:
    """The mean for each number of rows."""
    values: dict[int, list[float]] = {}
    for cell in cells:
        values.setdefault(cell["rows"], []).append(cell[measure])
    means = {rows: Mean.of(some) for rows, some in sorted(values.items())}
    return {rows: mean for rows, mean in means.items() if mean is not None}


def draw_curves(panels: Mapping[str, Mapping[str, Mapping[int, Mean]]], path: Path, ylabel: str = "SHD") -> list[Path]:
    """A panel for each name: a line with standard errors for each label, by the number of rows."""
    if not panels:
        return []
    from matplotlib.figure import Figure

    across = min(len(panels), 4)
    down = -(-len(panels) // across)
    figure = Figure(figsize=(3.6 * across, 3.2 * down), layout="constrained")
    every = figure.subplots(down, across, squeeze=False).ravel()
    for axes, (name, lines) in zip(every, panels.items(), strict=False):
        for label, means in lines.items():
            values, errors = [mean.value for mean in means.values()], [mean.error or 0 for mean in means.values()]
            axes.errorbar(list(means), values, errors, marker="o", markersize=3, linewidth=1, capsize=2, label=label)
        axes.set_xscale("log")
        axes.set_ylim(bottom=0)
        axes.set_title(name, fontsize=10)
        axes.set_xlabel("rows")
        axes.set_ylabel(ylabel)
        axes.legend(fontsize=7)
    for axes in every[len(panels) :]:
        axes.set_axis_off()
    return [save_figure(figure, path)]
