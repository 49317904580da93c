"""Plots of effects: intervals for one variable that is set, or a heat map of the sizes of all pairs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from credenet.drawing.plotting import axes_for

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from credenet.interventions.result import Effects

_MOST_LINES = 200  # of a plot of intervals


def plot_effects(effects: Effects, target: str | Path | Axes | None = None) -> Axes:
    """Intervals if one variable is set, else a heat map."""
    several = {x for x, _ in effects.pairs}
    lines = sum(len(effects.states[y]) for _, y in effects.pairs)
    return _intervals(effects, target) if len(several) == 1 and lines <= _MOST_LINES else _heat_map(effects, target)


def _intervals(effects: Effects, target: str | Path | Axes | None) -> Axes:
    """A line for each state of each y, and a colour for each state of x; thin grey lines are ranges over networks."""
    labels = [f"{y}={state}" for _, y in effects.pairs for state in effects.states[y]]
    with axes_for(target, (6, 1.6 + 0.35 * len(labels))) as axes:
        found = list(effects)
        settings = list(found[0].means)
        for number, do in enumerate(settings):
            offset = 0.6 * ((number + 0.5) / len(settings) - 0.5)
            at = 0
            for effect in found:
                for state, mean in effect.means[do].items():
                    least, most = effect.range[do][state]
                    axes.plot([least, most], [at + offset] * 2, color="0.7", linewidth=5, solid_capstyle="butt")
                    if effect.intervals is not None:
                        axes.plot(effect.intervals[do][state], [at + offset] * 2, color=f"C{number}", linewidth=1.5)
                    axes.plot(mean, at + offset, "o", color=f"C{number}", markersize=4, label=None if at else do)
                    at += 1
        axes.set_yticks(range(len(labels)), labels)
        axes.set_ylim(len(labels) - 0.5, -0.5)
        axes.set_xlim(0, 1)
        x = found[0].x
        axes.set_xlabel(f"probability after do({x})\n{effects.assumption}", fontsize=9)
        axes.legend(title=x, fontsize=8, title_fontsize=8)
        level = "" if effects.level is None else f", {100 * effects.level:g} % intervals"
        ranges = ", grey: range over networks" if effects.is_average else ""
        axes.set_title(f"effects in {effects.among}{level}{ranges}", fontsize=9)
    return axes


def _heat_map(effects: Effects, target: str | Path | Axes | None) -> Axes:
    rows, columns = ([name for name in effects.states if name in names] for names in zip(*effects.pairs, strict=True))
    table = np.full((len(rows), len(columns)), np.nan)
    for effect in effects:
        table[rows.index(effect.x), columns.index(effect.y)] = effect.size
    size = (max(3.0, 0.3 * len(columns) + 1.5) + 0.8, max(3.0, 0.3 * len(rows) + 1.5))
    with axes_for(target, size) as axes:
        image = axes.imshow(table, cmap="Blues", vmin=0)
        axes.set_xticks(range(len(columns)), columns, rotation=90)
        axes.set_yticks(range(len(rows)), rows)
        axes.set_xlabel(f"y\n{effects.assumption}", fontsize=8)
        axes.set_ylabel("x, which is set")
        axes.figure.colorbar(image, ax=axes, label="size of the effect (nats)", shrink=0.8)
        axes.set_title(f"effects in {effects.among}", fontsize=9)
    return axes
